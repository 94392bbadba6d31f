//! Common Crawl's columnar index: Parquet files with a row for every capture.
//!
//! ```text
//! cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-22/subset=warc/part-00000-….gz.parquet, …
//! ```
//!
//! Rows are sorted by key within a file. A file says of every group of rows, and newer ones of every
//! page of a group, which keys lie between which, so that a URL costs the footers of all files once,
//! and then a few pages of few columns. Files without such statistics are read through.

mod chunks;
mod rows;

use std::ops::{ControlFlow, Range};
use std::panic::{self, AssertUnwindSafe};
use std::sync::OnceLock;
use std::thread;

use arrow_array::{BooleanArray, cast::AsArray};
use langur_store::{Store, StoreError};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowPredicateFn, ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
    RowFilter, RowSelection,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMask, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;

use super::{Capture, IndexError, Keys};
use chunks::Chunks;
use rows::{COLUMNS, KEY, captures};

/// Common Crawl's columnar index, or another of the same columns.
pub struct Columnar {
    tables: Vec<Table>,
}

struct Table {
    at: String,
    store: Store,
    name: String,
    opened: OnceLock<Opened>,
}

/// A table whose footer was read.
struct Opened {
    chunks: Chunks,
    metadata: ParquetMetaData,
    /// The number of the column with the keys.
    key: usize,
}

/// How many footers are read at a time. They come from afar, and are waited for.
const AT_A_TIME: usize = 16;

impl Columnar {
    /// Takes Parquet files as an index. Their footers are read when something is looked for.
    pub fn open(store: &Store, names: Vec<String>) -> Columnar {
        let table = |name: String| Table {
            at: store.at(&name),
            store: store.clone(),
            name,
            opened: OnceLock::new(),
        };
        Columnar { tables: names.into_iter().map(table).collect() }
    }

    /// The full address of its first file.
    pub(super) fn at(&self) -> &str {
        self.tables.first().map_or("", |table| &table.at)
    }

    /// Gives the captures with these keys to `visit`, in order within each file, until it says to
    /// stop.
    pub fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Capture) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        self.read_footers();
        for table in &self.tables {
            if table.scan(keys, visit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads the footers that were not read yet, several at a time. What fails, fails again when the
    /// table is scanned, and is reported then.
    fn read_footers(&self) {
        let unread: Vec<&Table> =
            self.tables.iter().filter(|table| table.opened.get().is_none()).collect();
        if unread.len() < 2 {
            return;
        }
        thread::scope(|scope| {
            for first in 0..unread.len().min(AT_A_TIME) {
                let tables = unread[first..].iter().step_by(AT_A_TIME);
                scope.spawn(move || tables.for_each(|table| drop(table.open())));
            }
        });
    }
}

impl Table {
    fn open(&self) -> Result<&Opened, IndexError> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let chunks = Chunks::open(&self.store, &self.name)?;
        let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&chunks));
        let metadata = metadata.map_err(|error| self.failed(error))?;
        let columns = metadata.file_metadata().schema_descr().columns();
        let key = columns.iter().position(|column| column.path().string() == KEY);
        let Some(key) = key else {
            let why = format!("it has no column {KEY}, as Common Crawl's index has");
            return Err(IndexError::Unusable { at: self.at.clone(), why });
        };
        Ok(self.opened.get_or_init(|| Opened { chunks, metadata, key }))
    }

    fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Capture) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        let opened = self.open()?;
        let groups = opened.groups(keys);
        if groups.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let batches = guarded(|| opened.read(keys, groups));
        let mut batches = batches.map_err(|error| self.failed(error))?;
        let mut next = || guarded(|| Ok(batches.next().transpose()?));
        while let Some(batch) = next().map_err(|error| self.failed(error))? {
            for capture in captures(&batch) {
                if visit(capture).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What the store said, where it was the store that failed.
    fn failed(&self, error: ParquetError) -> IndexError {
        let why = match error {
            ParquetError::External(cause) => match cause.downcast::<StoreError>() {
                Ok(store) => return IndexError::Store(*store),
                Err(other) => other.to_string(),
            },
            other => other.to_string(),
        };
        IndexError::Damaged { at: self.at.clone(), why }
    }
}

impl Opened {
    /// The groups of rows that may have these keys.
    fn groups(&self, keys: Keys<'_>) -> Vec<usize> {
        let may_have = |&group: &usize| {
            let statistics = self.metadata.row_group(group).column(self.key).statistics();
            // The older kind of statistics compares bytes as signed numbers.
            let bounds = statistics
                .filter(|statistics| !statistics.is_min_max_deprecated())
                .and_then(|statistics| statistics.min_bytes_opt().zip(statistics.max_bytes_opt()));
            bounds.is_none_or(|(least, greatest)| keys.may_lie_between(least, greatest))
        };
        (0..self.metadata.num_row_groups()).filter(may_have).collect()
    }

    /// The rows of these groups that have these keys.
    fn read(
        &self,
        keys: Keys<'_>,
        groups: Vec<usize>,
    ) -> Result<parquet::arrow::arrow_reader::ParquetRecordBatchReader, ParquetError> {
        let schema = self.metadata.file_metadata().schema_descr();
        let wanted = ProjectionMask::columns(schema, COLUMNS.iter().copied());
        let columns = (0..schema.num_columns()).filter(|&leaf| wanted.leaf_included(leaf));
        let mut pages = ParquetMetaDataReader::new_with_metadata(self.metadata.clone())
            .with_page_index_policy(PageIndexPolicy::Optional)
            .with_column_index_mask(ColumnChunkMask::row_groups_and_columns(
                groups.iter().copied(),
                [self.key],
            ))
            .with_offset_index_mask(ColumnChunkMask::row_groups_and_columns(
                groups.iter().copied(),
                columns,
            ));
        pages.read_page_indexes(&self.chunks)?;
        let metadata = pages.finish()?;
        let selection = self.selection(&metadata, keys, &groups);
        let key = ProjectionMask::leaves(schema, [self.key]);
        let filter = RowFilter::new(vec![Box::new(ArrowPredicateFn::new(key, predicate(keys)))]);
        // Types as Parquet has them: texts are then of one type, whoever wrote them.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::try_new(metadata.into(), options)?;
        ParquetRecordBatchReaderBuilder::new_with_metadata(self.chunks.clone(), metadata)
            .with_projection(wanted)
            .with_row_groups(groups)
            .with_row_selection(selection)
            .with_row_filter(filter)
            .build()
    }

    /// The rows of these groups that lie on pages that may have these keys. They are counted over all
    /// the groups.
    fn selection(
        &self,
        metadata: &ParquetMetaData,
        keys: Keys<'_>,
        groups: &[usize],
    ) -> RowSelection {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut before = 0;
        for &group in groups {
            let rows = usize::try_from(metadata.row_group(group).num_rows()).unwrap_or(0);
            match self.pages(metadata, keys, group, rows) {
                Some(pages) => {
                    ranges.extend(pages.iter().map(|page| before + page.start..before + page.end));
                }
                None => ranges.push(before..before + rows),
            }
            before += rows;
        }
        RowSelection::from_consecutive_ranges(ranges.into_iter(), before)
    }

    /// The rows of a group on pages that may have these keys; `None` if the file does not say.
    fn pages(
        &self,
        metadata: &ParquetMetaData,
        keys: Keys<'_>,
        group: usize,
        rows: usize,
    ) -> Option<Vec<Range<usize>>> {
        let index = metadata.page_index()?;
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

/// Does something with a Parquet file. The crate that reads them panics over some that are damaged.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    // Nothing that it touched is used again: the file is refused.
    panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ParquetError::General("it makes no sense".to_owned())))
}

/// Which rows have these keys.
fn predicate(
    keys: Keys<'_>,
) -> impl FnMut(arrow_array::RecordBatch) -> Result<BooleanArray, arrow_schema::ArrowError>
+ Send
+ 'static {
    let (exact, text) = match keys {
        Keys::Exact(key) => (true, key.to_owned()),
        Keys::Prefix(prefix) => (false, prefix.to_owned()),
    };
    move |batch| {
        let keys = if exact { Keys::Exact(&text) } else { Keys::Prefix(&text) };
        let column = batch.column(0).as_string_opt::<i32>();
        let column = column.ok_or_else(|| {
            arrow_schema::ArrowError::SchemaError(format!("the column {KEY} is not text"))
        })?;
        Ok(column.iter().map(|key| Some(key.is_some_and(|key| keys.contains(key)))).collect())
    }
}
