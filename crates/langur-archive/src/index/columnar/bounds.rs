//! Where keys may lie, by what a file says of its groups and pages.

use std::ops::Range;

use langur_table::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMask, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;

use super::chunks::Chunks;
use crate::index::Keys;

/// The groups of rows that may have these keys.
pub(super) fn groups(metadata: &ParquetMetaData, key: usize, keys: Keys<'_>) -> Vec<usize> {
    let may_have = |&group: &usize| {
        let statistics = metadata.row_group(group).column(key).statistics();
        // The older kind of statistics compares bytes as signed numbers.
        let bounds = statistics
            .filter(|statistics| !statistics.is_min_max_deprecated())
            .and_then(|statistics| statistics.min_bytes_opt().zip(statistics.max_bytes_opt()));
        bounds.is_none_or(|(least, greatest)| keys.may_lie_between(least, greatest))
    };
    (0..metadata.num_row_groups()).filter(may_have).collect()
}

/// What a file says of the pages of some groups.
pub(super) struct Bounds {
    metadata: ParquetMetaData,
    key: usize,
}

impl Bounds {
    /// Reads where the pages of these columns begin, and between which keys those of the keys lie, if the file
    /// says so.
    pub(super) fn read(
        chunks: &Chunks,
        metadata: &ParquetMetaData,
        groups: Vec<usize>,
        key: usize,
        columns: Vec<usize>,
    ) -> Result<Bounds, ParquetError> {
        let mut pages = ParquetMetaDataReader::new_with_metadata(metadata.clone())
            .with_page_index_policy(PageIndexPolicy::Optional)
            .with_column_index_mask(ColumnChunkMask::row_groups_and_columns(
                groups.iter().copied(),
                [key],
            ))
            .with_offset_index_mask(ColumnChunkMask::row_groups_and_columns(
                groups.iter().copied(),
                columns,
            ));
        pages.read_page_indexes(chunks)?;
        Ok(Bounds { metadata: pages.finish()?, key })
    }

    /// The metadata, with the places of pages.
    pub(super) fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }

    /// The rows of a group on pages that may have these keys; all of them if the file does not say.
    pub(super) fn ranges(
        &self,
        group: usize,
        keys: Keys<'_>,
    ) -> Result<Vec<Range<usize>>, ParquetError> {
        let rows = usize::try_from(self.metadata.row_group(group).num_rows())?;
        let pages = self.pages(group, rows, keys);
        Ok(pages.unwrap_or_else(|| std::iter::once(0..rows).collect()))
    }

    fn pages(&self, group: usize, rows: usize, keys: Keys<'_>) -> Option<Vec<Range<usize>>> {
        let index = self.metadata.page_index()?;
        let offsets = index.offset_index(group, self.key)?;
        let ColumnIndexMetaData::BYTE_ARRAY(bounds) = index.column_index(group, self.key)? else {
            return None;
        };
        let starts: Vec<usize> = offsets
            .page_locations()
            .iter()
            .map(|page| usize::try_from(page.first_row_index).ok())
            .collect::<Option<_>>()?;
        let ordered = starts.is_sorted() && starts.last().is_some_and(|&last| last <= rows);
        if !ordered || bounds.num_pages() != starts.len() as u64 {
            return None;
        }
        let ends = starts.iter().skip(1).copied().chain([rows]);
        let pages = starts.iter().zip(ends).enumerate().filter(|(page, _)| {
            // A page without bounds has no keys at all.
            let bounds = bounds.min_value(*page).zip(bounds.max_value(*page));
            bounds.is_some_and(|(least, greatest)| keys.may_lie_between(least, greatest))
        });
        Some(pages.map(|(_, (&start, end))| start..end).collect())
    }
}
