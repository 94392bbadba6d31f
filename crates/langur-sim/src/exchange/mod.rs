//! Web spaces from and to files that anybody can write and read.
//!
//! A crawl log has a row for each page and a link list a row for each link, as CSV or Parquet.
//! `docs/import.md` says which columns there may be. What is exported can be imported again.

mod assemble;
mod export;
mod import;
mod rows;
mod scores;

pub use assemble::{AssembleError, Assembly, Dropped, LinkRow, PageRow, Scores, Tables, assemble};
pub use export::{ExportError, Format, export};
pub use import::{ImportError, Imported, Sources, WrongRow, import};
pub use scores::THRESHOLD;
