//! Tables: columns of values in Parquet files.
//!
//! Written by a [`TableWriter`], batch by batch; read by a [`TableReader`] a few rows at a time, whoever
//! wrote them, or by a [`Cursor`], which reads one column of one group of rows and can leave rows out.
//! Tables here are flat. Columns of lists and groups are known by name, and their values are not read.
//!
//! This is the `parquet` crate's own interface to columns, and not Arrow's, which takes in another
//! three megabytes of code (`docs/decisions/0014-parquet-without-arrow.md`).

mod column;
mod cursor;
mod field;
mod read;
mod texts;
mod values;
mod write;

use std::panic::{self, AssertUnwindSafe};

pub use column::Column;
pub use cursor::Cursor;
pub use field::{Field, Kind, fields};
pub use parquet::errors::ParquetError;
pub use read::TableReader;
pub use texts::Texts;
pub use values::Values;
pub use write::{Packing, TableWriter};

/// Does something with a Parquet file. The crate that reads them panics over some that are damaged.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    // Nothing that it touched is used again: the file is refused.
    panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ParquetError::General("it makes no sense".to_owned())))
}
