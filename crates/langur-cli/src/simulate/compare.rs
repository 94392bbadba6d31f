//! Comparing two run folders byte by byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The files by which two folders differ.
pub fn differing_files(one: &Path, other: &Path) -> Result<Vec<String>> {
    let (a, b) = (files_below(one)?, files_below(other)?);
    let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
    names.sort();
    names.dedup();
    let mut differing = Vec::new();
    for name in names {
        let same = match (a.get(name), b.get(name)) {
            (Some(a), Some(b)) => std::fs::read(a)? == std::fs::read(b)?,
            _ => false,
        };
        if !same {
            differing.push(name.clone());
        }
    }
    Ok(differing)
}

fn files_below(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in
            std::fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .expect("a path below the folder")
                    .to_string_lossy()
                    .into_owned();
                files.insert(name, path);
            }
        }
    }
    Ok(files)
}
