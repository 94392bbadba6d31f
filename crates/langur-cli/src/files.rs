//! The files that a command is given.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A file, or all files of a folder and of those in it, by their paths. Of what is in folders only
/// regular files count: a pipe would be waited for, and a device need not end.
pub fn files_in(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if path.is_dir() {
        collect(path, &mut HashSet::new(), &mut files)?;
    } else {
        files.push(path.to_owned());
    }
    Ok(files)
}

/// `seen` are the folders visited, since links may lead to one again, and from within it.
fn collect(folder: &Path, seen: &mut HashSet<PathBuf>, files: &mut Vec<PathBuf>) -> Result<()> {
    let cannot = || format!("{} cannot be read", folder.display());
    if !seen.insert(folder.canonicalize().with_context(cannot)?) {
        return Ok(());
    }
    let entries = fs::read_dir(folder).with_context(cannot)?;
    let mut inside = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    inside.sort();
    for path in inside {
        match fs::metadata(&path) {
            Ok(entry) if entry.is_dir() => collect(&path, seen, files)?,
            Ok(entry) if !entry.is_file() => {}
            // What cannot be looked at is named by whoever tries to read it.
            _ => files.push(path),
        }
    }
    Ok(())
}

/// Opens a file that was named. A pipe or a device is opened only if it is the only input, or if the
/// shell made it: one that nobody writes to would keep all others waiting.
pub fn open(path: &Path, is_only_input: bool) -> Result<File> {
    let cannot = || format!("{} cannot be read", path.display());
    let entry = fs::metadata(path).with_context(cannot)?;
    let ends = entry.is_file() || entry.is_dir();
    if !ends && !is_only_input && !is_from_shell(path) {
        bail!(
            "{} cannot be read: it is a pipe or a device, which need not end\n  \
             put what it holds into a file first",
            path.display()
        );
    }
    File::open(path).with_context(cannot)
}

/// Reads a file that was named, as [`open`] opens it.
pub fn read(path: &Path, is_only_input: bool) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path, is_only_input)?.read_to_end(&mut bytes);
    read.with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(bytes)
}

/// Whether it is an open file of this process: `/dev/stdin`, or `/dev/fd/63` for `<(command)`.
fn is_from_shell(path: &Path) -> bool {
    ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|open| path.starts_with(open))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn folders_yield_regular_files_and_every_folder_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/c")).expect("folders");
        fs::write(at("a.html"), "").expect("a file");
        fs::write(at("b/c/d.html"), "").expect("a file");
        let _socket = UnixListener::bind(at("b/socket")).expect("a socket");
        symlink(folder.path(), at("b/c/again")).expect("a link");
        symlink("b/c", at("c")).expect("a link");
        symlink("a.html", at("e.html")).expect("a link");
        symlink("gone", at("f.html")).expect("a link");
        let files = files_in(folder.path()).expect("readable");
        let expected = ["a.html", "b/c/d.html", "e.html", "f.html"].map(at);
        assert_eq!(files, expected);
    }

    #[test]
    fn what_need_not_end_is_read_alone_or_from_the_shell() {
        assert!(open(Path::new("/dev/null"), false).is_err());
        assert!(open(Path::new("/dev/null"), true).is_ok());
        assert!(is_from_shell(Path::new("/dev/fd/63")) && is_from_shell(Path::new("/dev/stdin")));
        assert!(!is_from_shell(Path::new("/dev/fdx")));
    }
}
