//! The tables of a run.

use std::path::Path;

use langur_table::{Packing, TableWriter};

use crate::run::RunError;

/// Begins a table. What it holds hardly repeats itself, or is packed well without dictionaries.
pub(crate) fn create(path: &Path) -> Result<TableWriter, RunError> {
    let packing = Packing { level: 1, dictionaries: false };
    TableWriter::create(path, packing).map_err(|error| RunError::write(path, error))
}
