//! Common Crawl's columnar index: Parquet files with a row for every capture.
//!
//! ```text
//! cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-22/subset=warc/part-00000-….gz.parquet, …
//! ```
//!
//! Rows are sorted by key within a file. A file says of every group of rows, and newer ones of every
//! page of a group, which keys lie between which, so that a URL costs the footers of all files once,
//! and then a few pages of few columns. Files without such statistics are read through.

mod bounds;
mod chunks;
mod rows;

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::thread;

use langur_store::{Store, StoreError};
use langur_table::{Kind, ParquetError, fields, guarded};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::{Capture, IndexError, Keys};
use bounds::Bounds;
use chunks::Chunks;
use rows::{Fields, GroupRows, KEY};

/// Common Crawl's columnar index, or another of the same columns.
pub struct Columnar {
    tables: Vec<Table>,
    /// Whether tables with other columns are none of ours, and passed over.
    found: bool,
}

struct Table {
    at: String,
    store: Store,
    name: String,
    opened: OnceLock<Opened>,
}

/// A table whose footer was read.
struct Opened {
    chunks: Arc<Chunks>,
    metadata: ParquetMetaData,
    fields: Fields,
}

/// Rows whose keys are in memory at a time.
const BATCH: usize = 1024;

/// How many footers are read at a time. They come from afar, and are waited for.
const AT_A_TIME: usize = 16;

impl Columnar {
    /// Takes Parquet files as an index. Their footers are read when something is looked for. Files that were `found`
    /// beside other indexes, and not named, may be tables of something else.
    pub fn open(store: &Store, names: Vec<String>, found: bool) -> Columnar {
        let table = |name: String| Table {
            at: store.at(&name),
            store: store.clone(),
            name,
            opened: OnceLock::new(),
        };
        Columnar { tables: names.into_iter().map(table).collect(), found }
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
            match table.scan(keys, visit) {
                Err(IndexError::Unusable { .. }) if self.found => {}
                scanned => {
                    if scanned?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
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
        let read = guarded(|| {
            let metadata = ParquetMetaDataReader::new().parse_and_finish(&chunks)?;
            let fields = fields(&metadata)?;
            Ok((metadata, fields))
        });
        let (metadata, fields) = read.map_err(|error| self.failed(error))?;
        let unusable = |why| IndexError::Unusable { at: self.at.clone(), why };
        let fields = Fields::find(&fields);
        let key = fields.key().ok_or_else(|| {
            unusable(format!("it has no column {KEY}, as Common Crawl's index has"))
        })?;
        if key.kind != Kind::Text {
            return Err(unusable(format!("its column {KEY} is not text")));
        }
        let chunks = Arc::new(chunks);
        Ok(self.opened.get_or_init(|| Opened { chunks, metadata, fields }))
    }

    fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Capture) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        self.open()?.scan(keys, visit).map_err(|error| self.failed(error))
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
    fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Capture) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ParquetError> {
        let key = self.fields.key().expect("a table is opened if it has keys").number;
        let groups = bounds::groups(&self.metadata, key, keys);
        if groups.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let bounds = guarded(|| {
            Bounds::read(&self.chunks, &self.metadata, groups.clone(), key, self.fields.numbers())
        })?;
        for group in groups {
            let mut rows = GroupRows::open(&self.chunks, bounds.metadata(), group, &self.fields)?;
            for range in bounds.ranges(group, keys)? {
                for start in range.clone().step_by(BATCH) {
                    let batch = start..range.end.min(start + BATCH);
                    if rows.visit(batch, keys, visit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
