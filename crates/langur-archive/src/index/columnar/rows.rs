//! From rows of the columnar index to captures.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, RecordBatch};
use serde_json::{Map, Value};

use crate::index::{Capture, Timestamp};

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

/// The captures of some rows. A row without URL or time is none.
pub(super) fn captures(batch: &RecordBatch) -> impl Iterator<Item = Capture> {
    (0..batch.num_rows()).filter_map(|row| capture(batch, row))
}

fn capture(batch: &RecordBatch, row: usize) -> Option<Capture> {
    let text = |name| text(batch, name, row);
    let number = |name| number(batch, name, row).and_then(|number| u64::try_from(number).ok());
    let mut more = Map::new();
    for (column, name) in MORE {
        if let Some(value) = text(column) {
            more.insert(name.to_owned(), Value::from(value));
        }
    }
    Some(Capture {
        key: text(KEY)?,
        timestamp: time(batch, "fetch_time", row)?,
        url: text("url")?,
        mime: text("content_mime_type"),
        status: number("fetch_status").and_then(|status| status.try_into().ok()),
        digest: text("content_digest"),
        redirect: text("fetch_redirect"),
        filename: text("warc_filename"),
        offset: number("warc_record_offset"),
        length: number("warc_record_length"),
        more,
    })
}

fn text(batch: &RecordBatch, name: &str, row: usize) -> Option<String> {
    let column = batch.column_by_name(name)?.as_string_opt::<i32>()?;
    column.is_valid(row).then(|| column.value(row).to_owned())
}

fn number(batch: &RecordBatch, name: &str, row: usize) -> Option<i64> {
    let column = batch.column_by_name(name)?;
    value::<Int32Type>(column, row)
        .map(i64::from)
        .or_else(|| value::<Int64Type>(column, row))
        .or_else(|| value::<Int16Type>(column, row).map(i64::from))
}

fn time(batch: &RecordBatch, name: &str, row: usize) -> Option<Timestamp> {
    let column = batch.column_by_name(name)?;
    let seconds = value::<TimestampMillisecondType>(column, row)
        .map(|time| time.div_euclid(1000))
        .or_else(|| Some(value::<TimestampMicrosecondType>(column, row)?.div_euclid(1_000_000)))
        .or_else(|| Some(value::<TimestampNanosecondType>(column, row)?.div_euclid(1_000_000_000)))
        .or_else(|| value::<TimestampSecondType>(column, row))?;
    Some(Timestamp::from_unix(seconds))
}

fn value<T: ArrowPrimitiveType>(column: &dyn Array, row: usize) -> Option<T::Native> {
    let column = column.as_primitive_opt::<T>()?;
    column.is_valid(row).then(|| column.value(row))
}
