//! Folders, and files, that appear whole or not at all.
//!
//! A web space or a run is many files. They are written into a hidden folder beside the place where
//! they will lie, and moved there in one step at the end; whoever looks sees all of it or nothing.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a folder could not be written.
#[derive(Debug, Error)]
pub enum FolderError {
    /// Something is already there.
    #[error("\"{}\" is already there\n  choose another name, or replace it with --force", .0.display())]
    Exists(PathBuf),
    /// Something is there that is not Langur's to replace.
    #[error(
        "\"{}\" is nothing that Langur made: it holds {}\n  --force replaces web spaces, runs and exports alone; choose another name",
        .0.display(), .1
    )]
    Foreign(PathBuf, String),
    /// A file is there.
    #[error("\"{}\" is a file\n  choose another name for the folder", .0.display())]
    File(PathBuf),
    /// The system said no.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
}

impl FolderError {
    /// Turns what the system said about a path into a [`FolderError`].
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
        let path = path.to_owned();
        move |error| FolderError::Write(path, error)
    }
}

/// A folder being written. Dropped before [`NewFolder::finish`], it vanishes.
pub struct NewFolder {
    partial: PathBuf,
    place: PathBuf,
    replace: bool,
    finished: bool,
}

impl NewFolder {
    /// Begins a folder that will lie at `place`. What is there is kept until the new one is whole,
    /// and only replaced if `replace` says so and it is [Langur's own](check).
    pub fn create(place: &Path, replace: bool) -> Result<NewFolder, FolderError> {
        NewFolder::of(place, replace, &[])
    }

    /// Begins a folder in which nothing says whose it is. It only replaces what has no other files than these.
    pub fn of(place: &Path, replace: bool, own: &[&str]) -> Result<NewFolder, FolderError> {
        check_own(place, replace, own)?;
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let partial = place.with_file_name(format!(".{name}.partial-{}", std::process::id()));
        if partial.exists() {
            fs::remove_dir_all(&partial).map_err(FolderError::at(&partial))?;
        }
        fs::create_dir_all(&partial).map_err(FolderError::at(&partial))?;
        Ok(NewFolder { partial, place: place.to_owned(), replace, finished: false })
    }

    /// Where to write, until it is finished.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Writes a whole file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.partial.join(name);
        fs::write(&path, bytes).map_err(FolderError::at(&path))
    }

    /// Moves the folder to its place.
    pub fn finish(mut self) -> Result<(), FolderError> {
        self.move_into_place().map_err(FolderError::at(&self.place))?;
        self.finished = true;
        Ok(())
    }

    fn move_into_place(&self) -> io::Result<()> {
        if !(self.replace && self.place.exists()) {
            return fs::rename(&self.partial, &self.place);
        }
        // A folder cannot be renamed over another, so the old one steps aside first.
        let aside = self.partial.with_extension("old");
        fs::rename(&self.place, &aside)?;
        fs::rename(&self.partial, &self.place)?;
        if aside.is_dir() { fs::remove_dir_all(&aside) } else { fs::remove_file(&aside) }
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing can be done if this fails too; a hidden folder stays behind.
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

/// What tells that a folder is Langur's: one of these files, and what it begins with.
const SIGNS: [&str; 2] = ["manifest.json", "tasks.json"];
const SIGN: &str = "\"format\": \"langur ";

/// Whether a folder may be written here: there is none, or it is empty, or Langur made it and it is to be replaced.
pub fn check(place: &Path, replace: bool) -> Result<(), FolderError> {
    check_own(place, replace, &[])
}

fn check_own(place: &Path, replace: bool, own: &[&str]) -> Result<(), FolderError> {
    if !place.exists() {
        return Ok(());
    }
    if !replace {
        return Err(FolderError::Exists(place.to_owned()));
    }
    if !place.is_dir() {
        return Err(FolderError::File(place.to_owned()));
    }
    let is_signed = |file: &&str| {
        let text = fs::read(place.join(file)).unwrap_or_default();
        String::from_utf8_lossy(&text[..text.len().min(200)]).contains(SIGN)
    };
    if SIGNS.iter().any(is_signed) {
        return Ok(());
    }
    let entries = fs::read_dir(place).map_err(FolderError::at(place))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    match names.filter(|name| !own.contains(&name.as_str())).min() {
        Some(name) => Err(FolderError::Foreign(place.to_owned(), name)),
        None => Ok(()),
    }
}

/// Where a file will lie that is to be written at a path: where that points to, if it is a link. Fails where a pipe or a
/// device is, which nothing may be moved over.
pub fn file_place(path: &Path) -> io::Result<PathBuf> {
    if is_stream(path) {
        let why = "it is a pipe or a device, and no file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    // A link to nothing is replaced.
    let is_link = fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) && path.exists();
    if is_link { fs::canonicalize(path) } else { Ok(path.to_owned()) }
}

fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

/// Writes one file whole or not at all: under a temporary name beside its place, then moved there. Into a pipe or a device
/// it is written as it is.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    if is_stream(path) {
        return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes.as_ref());
    }
    let path = &*file_place(path)?;
    let partial = path.with_extension(format!("partial-{}", std::process::id()));
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let place = scratch.path().join("out");
        drop(NewFolder::create(&place, false).expect("a new folder"));
        assert_eq!(fs::read_dir(scratch.path()).expect("readable").count(), 0);

        let folder = NewFolder::create(&place, false).expect("a new folder");
        folder.write("manifest.json", b"{\n  \"format\": \"langur run\"}").expect("written");
        folder.write("a", b"1").expect("written");
        assert!(!place.exists());
        folder.finish().expect("moved");
        assert_eq!(fs::read(place.join("a")).expect("there"), b"1");
        assert!(matches!(NewFolder::create(&place, false), Err(FolderError::Exists(_))));

        let folder = NewFolder::create(&place, true).expect("to replace the first");
        folder.write("b", b"2").expect("written");
        folder.finish().expect("moved");
        assert!(!place.join("a").exists() && place.join("b").exists());
        assert_eq!(fs::read_dir(scratch.path()).expect("readable").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let (file, link) = (scratch.path().join("file"), scratch.path().join("link"));
        fs::write(&file, "old").expect("room");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        write_file(&link, "new").expect("written");
        assert_eq!(fs::read(&file).expect("there"), b"new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        let null = scratch.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &null).expect("a link");
        write_file(&null, "x").expect("written");
        assert!(file_place(&null).is_err() && is_stream(Path::new("/dev/null")));
        assert!(fs::symlink_metadata(&null).expect("there").is_symlink());
    }

    #[test]
    fn what_others_made_is_never_replaced() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let foreign = |place: &Path| matches!(check(place, true), Err(FolderError::Foreign(..)));
        assert!(check(scratch.path(), true).is_ok(), "an empty folder");
        fs::write(scratch.path().join("thesis.txt"), "years of work").expect("room");
        assert!(foreign(scratch.path()));
        fs::write(scratch.path().join("manifest.json"), "{\"name\": \"of another program\"}")
            .expect("room");
        assert!(foreign(scratch.path()));
        let file = scratch.path().join("thesis.txt");
        assert!(matches!(check(&file, true), Err(FolderError::File(_))));
        assert!(NewFolder::of(scratch.path(), true, &["manifest.json", "thesis.txt"]).is_ok());
    }
}
