//! The files that a command is given.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A file, or all files of a folder and of those in it, by their paths.
pub fn files_in(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(path, &mut files)?;
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let cannot = || format!("{} cannot be read", path.display());
    let entries = fs::read_dir(path).with_context(cannot)?;
    let mut inside = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    inside.sort();
    inside.iter().try_for_each(|path| collect(path, files))
}
