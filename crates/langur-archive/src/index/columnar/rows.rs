//! From rows of the columnar index to captures.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use langur_table::{Column, Cursor, Field, ParquetError};
use parquet::file::metadata::ParquetMetaData;
use serde_json::{Map, Value};

use super::chunks::Chunks;
use crate::index::{Capture, Keys, Timestamp};

/// The column that rows are sorted by.
pub(super) const KEY: &str = "url_surtkey";

/// The columns that are read.
pub(super) const COLUMNS: [&str; 14] = [
    KEY,
    "url",
    "fetch_time",
    "fetch_status",
    "fetch_redirect",
    "content_digest",
    "content_mime_type",
    "content_mime_detected",
    "content_charset",
    "content_languages",
    "content_truncated",
    "warc_filename",
    "warc_record_offset",
    "warc_record_length",
];

/// Columns that a capture has no field for, and what the lines of Common Crawl's index call them.
const MORE: [(&str, &str); 4] = [
    ("content_mime_detected", "mime-detected"),
    ("content_charset", "charset"),
    ("content_languages", "languages"),
    ("content_truncated", "truncated"),
];

/// The columns that a table has of those that are read.
pub(super) struct Fields([Option<Field>; COLUMNS.len()]);

impl Fields {
    pub(super) fn find(all: &[Field]) -> Fields {
        Fields(COLUMNS.map(|name| all.iter().find(|field| field.name == name).cloned()))
    }

    pub(super) fn key(&self) -> Option<&Field> {
        self.0[0].as_ref()
    }

    pub(super) fn numbers(&self) -> Vec<usize> {
        self.0.iter().flatten().map(|field| field.number).collect()
    }
}

/// A group of rows. The keys are read, and the other columns where a key is wanted.
pub(super) struct GroupRows<'a> {
    chunks: &'a Arc<Chunks>,
    metadata: &'a ParquetMetaData,
    group: usize,
    fields: &'a Fields,
    keys: Cursor,
    /// The columns but the keys, once a row was wanted.
    others: Vec<Option<Cursor>>,
}

impl<'a> GroupRows<'a> {
    pub(super) fn open(
        chunks: &'a Arc<Chunks>,
        metadata: &'a ParquetMetaData,
        group: usize,
        fields: &'a Fields,
    ) -> Result<GroupRows<'a>, ParquetError> {
        let key = fields.key().expect("a table is opened if it has keys");
        let keys = Cursor::open(chunks, metadata, group, key)?;
        Ok(GroupRows { chunks, metadata, group, fields, keys, others: Vec::new() })
    }

    /// Gives the captures of these rows that have these keys to `visit`. A row without URL or time is none.
    pub(super) fn visit(
        &mut self,
        rows: Range<usize>,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Capture) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ParquetError> {
        self.keys.skip_to(rows.start)?;
        let column = self.keys.read(rows.len())?;
        let mut wanted: Vec<usize> = Vec::new();
        for row in 0..rows.len() {
            if column.text(row)?.is_some_and(|key| keys.contains(key)) {
                wanted.push(row);
            }
        }
        for run in wanted.chunk_by(|one, next| one + 1 == *next) {
            self.read_others(rows.start + run[0], run.len())?;
            for (row, &key) in run.iter().enumerate() {
                if let Some(capture) = self.capture(key, row)?
                    && visit(capture).is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn read_others(&mut self, first: usize, rows: usize) -> Result<(), ParquetError> {
        if self.others.is_empty() {
            let open = |field: &Option<Field>| {
                let field = field.as_ref();
                field
                    .map(|field| Cursor::open(self.chunks, self.metadata, self.group, field))
                    .transpose()
            };
            self.others = self.fields.0[1..].iter().map(open).collect::<Result<_, _>>()?;
        }
        for cursor in self.others.iter_mut().flatten() {
            cursor.skip_to(first)?;
            cursor.read(rows)?;
        }
        Ok(())
    }

    /// A capture: its key by its row among the keys that were read, and the rest by that in the other
    /// columns.
    fn capture(&self, key: usize, row: usize) -> Result<Option<Capture>, ParquetError> {
        let column = |name| {
            let place = COLUMNS.iter().position(|column| *column == name)?;
            self.others[place - 1].as_ref().map(Cursor::column)
        };
        let text = |name| text(column(name), row);
        let number = |name| column(name).and_then(|column| column.natural(row));
        let mut more = Map::new();
        for (column, name) in MORE {
            if let Some(value) = text(column)? {
                more.insert(name.to_owned(), Value::from(value));
            }
        }
        let key = self.keys.column().text(key)?.map(str::to_owned);
        let time = column("fetch_time").and_then(|column| column.unix_seconds(row));
        let (Some(key), Some(time), Some(url)) = (key, time, text("url")?) else {
            return Ok(None);
        };
        Ok(Some(Capture {
            key,
            timestamp: Timestamp::from_unix(time),
            url,
            mime: text("content_mime_type")?,
            status: number("fetch_status").and_then(|status| status.try_into().ok()),
            digest: text("content_digest")?,
            redirect: text("fetch_redirect")?,
            filename: text("warc_filename")?,
            offset: number("warc_record_offset"),
            length: number("warc_record_length"),
            more,
        }))
    }
}

fn text(column: Option<&Column>, row: usize) -> Result<Option<String>, ParquetError> {
    Ok(column.map(|column| column.text(row)).transpose()?.flatten().map(str::to_owned))
}
