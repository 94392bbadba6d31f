//! What in a folder is a crawl's own, and what is somebody else's.
//!
//! A crawl is begun where nothing else lies, and replaces only what a crawl has written. What else somebody has put into
//! its folder, or into the folders in it, stays.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use langur_lab::Target;
use langur_live::Settings;
use langur_live::crawl::journal_path;

use crate::misuse::Misuse;

/// Files that lie in the folder itself.
const FILES: [&str; 5] = ["journal", "journal.partial", "control.sock", LOCK, Settings::FILE];

/// Made first of all.
const LOCK: &str = "lock";

/// Makes sure that a crawl can be begun in a folder: an earlier crawl is removed if it is to be replaced, anything else is
/// refused.
pub fn make_way(folder: &Path, replace: bool) -> Result<()> {
    if journal_path(folder).exists() {
        if !replace {
            bail!(Misuse(format!(
                "\"{0}\" holds a crawl already\n  go on with it: langur resume {0}\n  or replace it with --force",
                folder.display()
            )));
        }
        // Whoever is at it keeps the folder.
        drop(langur_live::crawl::lock(folder)?);
        return remove(folder);
    }
    if let Some(other) = first_foreign(folder)? {
        bail!(Misuse(format!(
            "\"{}\" is not a crawl and not empty: it holds {}\n  choose another folder, which is made if it is not there",
            folder.display(),
            other.display()
        )));
    }
    Ok(())
}

/// Removes what a crawl has written.
pub fn remove(folder: &Path) -> Result<()> {
    for (name, is_own) in FOLDERS {
        let path = folder.join(name);
        if path.is_dir() {
            remove_own(&path, is_own)
                .with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    // The settings are removed last: they say which topic is the crawl's.
    for name in kept(folder).iter().map(String::as_str).chain(FILES) {
        let path = folder.join(name);
        if path.exists() {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// Has a folder of a crawl replaced, and puts back what others have laid into it.
pub fn keeping_others<T>(place: &Path, replace: impl FnOnce() -> Result<T>) -> Result<T> {
    let name = place.file_name().unwrap_or_default();
    let is_own = FOLDERS.iter().find(|(own, _)| *own == name).map(|(_, is_own)| *is_own);
    let others = match is_own {
        Some(is_own) if place.is_dir() => others_in(place, is_own)?,
        _ => Vec::new(),
    };
    if others.is_empty() {
        return replace();
    }
    let aside = place.with_file_name(format!(".{}.kept-{}", name.display(), std::process::id()));
    let cannot = || format!("cannot keep what else is in {}", place.display());
    move_all(&others, &aside).with_context(cannot)?;
    let done = replace();
    let moved: Vec<PathBuf> = others.iter().map(|it| beside(it, &aside)).collect();
    move_all(&moved, place).with_context(cannot)?;
    fs::remove_dir(&aside).with_context(cannot)?;
    done
}

/// The copy of the topic that a crawl wants, if it wants one and has one.
fn kept(folder: &Path) -> Option<String> {
    let target = Settings::of(folder).ok()?.target.parse().ok()?;
    let Target::Topic { name, .. } = target else { return None };
    (Path::new(&name).components().count() == 1).then_some(name)
}

type IsOwn = fn(&Path) -> bool;

/// Folders in the folder, and what in them is a crawl's.
const FOLDERS: [(&str, IsOwn); 3] = [
    ("archive", |path| {
        let name = text(path.file_name());
        let is_lines = name.starts_with(".langur-") && name.ends_with(".lines");
        let is_archive = name.ends_with(".warc.gz") || name.ends_with(".cdxj");
        is_lines || name.starts_with(".index-") || (name.starts_with("langur-") && is_archive)
    }),
    ("run", |path| match text(path.file_name()) {
        "manifest.json" | "results.json" => true,
        // One for the strategy.
        _ => path.join("curve.parquet").exists(),
    }),
    ("space", |path| {
        let column = text(path.file_name()).split('.').next().unwrap_or_default();
        ["hosts", "links", "pages", "missing", "manifest"].contains(&column)
    }),
];

/// Something that no crawl has put there. A crawl that was killed while it was being begun has left its lock, and
/// nothing that is worth keeping.
fn first_foreign(folder: &Path) -> Result<Option<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries.with_context(|| format!("cannot read {}", folder.display()))?,
    };
    let was_begun = folder.join(LOCK).exists();
    for entry in entries {
        let path = entry?.path();
        let name = text(path.file_name());
        let folder_of = FOLDERS.iter().find(|(own, _)| *own == name && path.is_dir());
        let other = match folder_of {
            Some((_, is_own)) if was_begun => others_in(&path, *is_own)?.into_iter().next(),
            None if was_begun && (FILES.contains(&name) || name.ends_with(".topic")) => None,
            _ => Some(path),
        };
        if other.is_some() {
            return Ok(other);
        }
    }
    Ok(None)
}

fn others_in(folder: &Path, is_own: IsOwn) -> io::Result<Vec<PathBuf>> {
    let mut others = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !is_own(&path) {
            others.push(path);
        }
    }
    Ok(others)
}

/// Removes what is a crawl's, and the folder if nothing else is in it.
fn remove_own(folder: &Path, is_own: IsOwn) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match is_own(&path) {
            true if path.is_dir() => fs::remove_dir_all(&path)?,
            true => fs::remove_file(&path)?,
            false => {}
        }
    }
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(error),
        _ => Ok(()),
    }
}

fn move_all(paths: &[PathBuf], to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    paths.iter().try_for_each(|path| fs::rename(path, beside(path, to)))
}

/// The same name in another folder.
fn beside(path: &Path, folder: &Path) -> PathBuf {
    folder.join(path.file_name().unwrap_or_default())
}

/// Names that are no text are not ours.
fn text(name: Option<&OsStr>) -> &str {
    name.and_then(OsStr::to_str).unwrap_or_default()
}
