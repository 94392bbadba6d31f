//! The journal: everything that happened in a crawl, in order.
//!
//! A journal is one file that only grows. Every event is a frame: its length and its checksum, four bytes each, and
//! the event in postcard's encoding. Events are put down before anybody else learns of what they led to, all since the last
//! time in one call, so a process that is killed leaves at most half an event behind, at the end; that tail is cut off when
//! the journal is opened again. A frame that is damaged while others follow is another matter and said to be so.
//!
//! The journal also keeps the texts of all URLs: whoever knows where one lies can read it again.

mod event;
mod frame;

use std::path::{Path, PathBuf};

use thiserror::Error;

pub use event::{Came, ErrandKind, Event, LinkRow, Moment, Passed, Place, Robots, Visited};
pub use frame::{Frame, Frames};

use crate::disk::{Disk, GrowingFile};

/// What a journal starts with.
const MAGIC: &[u8; 16] = b"langur journal 1";

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system said no.
    #[error("cannot read or write the journal {}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// It is something else, or of a later version.
    #[error("\"{}\" is not a journal that this version of langur can read", .0.display())]
    NotAJournal(PathBuf),
    /// Something in the middle is not as it was written.
    #[error("the journal {} is damaged at byte {at}, and events follow\n  it was probably changed by another program or a failing disk; restore it from a copy", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        at: u64,
    },
}

/// A journal that is written to.
pub struct Journal {
    file: GrowingFile,
    path: PathBuf,
    frame: Vec<u8>,
}

impl Journal {
    /// Begins a journal.
    pub fn create(path: &Path, disk: &Disk) -> Result<Journal, JournalError> {
        let failed = failed_at(path);
        let mut file = GrowingFile::create(path, disk).map_err(&failed)?;
        file.add(MAGIC);
        file.put_down().map_err(&failed)?;
        Ok(Journal { file, path: path.to_owned(), frame: Vec::new() })
    }

    /// Opens a journal, shows every event to `visit`, and cuts off a tail that was not written whole. Says how many bytes
    /// that were.
    pub fn open(
        path: &Path,
        disk: &Disk,
        mut visit: impl FnMut(Frame<'_>) -> Result<(), JournalError>,
    ) -> Result<(Journal, u64), JournalError> {
        let mut frames = Frames::open(path)?;
        while let Some(frame) = frames.next()? {
            visit(frame)?;
        }
        let (end, length) = (frames.position(), frames.length());
        let file = GrowingFile::open(path, end, disk).map_err(failed_at(path))?;
        Ok((Journal { file, path: path.to_owned(), frame: Vec::new() }, length - end))
    }

    /// Adds an event, to be [put down](Journal::put_down). What is given back is the event as it will be read.
    pub fn add(&mut self, event: &Event) -> Frame<'_> {
        self.frame.clear();
        self.frame.extend_from_slice(&[0; frame::HEAD]);
        let frame = std::mem::take(&mut self.frame);
        self.frame = postcard::to_extend(event, frame).expect("memory takes every event");
        frame::seal(&mut self.frame);
        let at = self.file.add(&self.frame);
        Frame { at, bytes: &self.frame[frame::HEAD..] }
    }

    /// Writes the events that were added.
    pub fn put_down(&mut self) -> Result<(), JournalError> {
        self.file.put_down().map_err(failed_at(&self.path))
    }

    /// How many bytes are in memory alone.
    pub fn in_memory(&self) -> usize {
        self.file.in_memory()
    }

    /// Reads a text that lies at a place that was noted.
    pub fn read(&self, at: u64, length: usize) -> Result<Vec<u8>, JournalError> {
        let mut bytes = vec![0; length];
        self.file.read_at(&mut bytes, at).map_err(failed_at(&self.path))?;
        Ok(bytes)
    }

    /// How long the journal is.
    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// Has everything written to the disk itself, so that it survives a loss of power.
    pub fn syncer(&self) -> std::io::Result<std::fs::File> {
        self.file.handle()
    }
}

pub(crate) fn failed_at(path: &Path) -> impl Fn(std::io::Error) -> JournalError + use<> {
    let path = path.to_owned();
    move |source| JournalError::Io { path: path.clone(), source }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events() -> Vec<Event<'static>> {
        vec![
            Event::Began { at: 1, decided_by: "lang:th" },
            Event::Seeds { at: 2, urls: vec!["http://a.example/"], given: true },
            Event::Next,
            Event::Asked { at: 3, host: 0 },
            Event::Passed { at: 4, page: 0, why: Passed::Forbidden },
        ]
    }

    fn written(path: &Path) {
        let mut journal = Journal::create(path, &Disk::default()).expect("created");
        for event in events() {
            journal.add(&event);
        }
        journal.put_down().expect("written");
    }

    fn read(path: &Path) -> Result<(Vec<String>, u64), JournalError> {
        let mut found = Vec::new();
        let (_, cut) = Journal::open(path, &Disk::default(), |frame| {
            found.push(format!("{:?}", frame.event().expect("an event")));
            Ok(())
        })?;
        Ok((found, cut))
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        written(&path);
        let expected: Vec<String> = events().iter().map(|event| format!("{event:?}")).collect();
        assert_eq!(read(&path).expect("read"), (expected, 0));
    }

    #[test]
    fn texts_can_be_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let mut journal = Journal::create(&path, &Disk::default()).expect("created");
        let seeds = Event::Seeds { at: 2, urls: vec!["http://a.example/", "b"], given: true };
        let frame = journal.add(&seeds);
        let Some(Event::Seeds { urls, .. }) = frame.event() else { panic!("seeds were written") };
        let places: Vec<(u64, usize)> =
            urls.iter().map(|url| (frame.place_of(url), url.len())).collect();
        let read = |journal: &Journal| {
            let texts = places.iter().map(|&(at, length)| journal.read(at, length).expect("there"));
            texts.collect::<Vec<_>>()
        };
        let expected = [b"http://a.example/".to_vec(), b"b".to_vec()];
        assert_eq!(read(&journal), expected);
        journal.put_down().expect("written");
        journal.add(&Event::Next);
        assert_eq!(read(&journal), expected);
        let beyond = journal.length();
        assert!(journal.read(beyond, 1).is_err() && journal.read(beyond - 1, 2).is_err());
    }

    proptest! {
        #[test]
        fn a_tail_is_cut_off_wherever_the_process_was_killed(kept in 16_usize..200) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("journal");
            written(&path);
            let whole = std::fs::read(&path).expect("there");
            let kept = kept.min(whole.len());
            std::fs::write(&path, &whole[..kept]).expect("cut");
            let (found, _) = read(&path).expect("opened");
            let expected: Vec<String> = events().iter().map(|event| format!("{event:?}")).collect();
            prop_assert_eq!(&found[..], &expected[..found.len()]);
            // What follows is written where the last whole event ends.
            prop_assert!(read(&path).expect("opened again").1 == 0);
        }

        #[test]
        fn damage_is_seen(at in 16_usize..200, bit in 0_u8..8) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("journal");
            written(&path);
            let mut whole = std::fs::read(&path).expect("there");
            let at = 16 + at % (whole.len() - 16);
            whole[at] ^= 1 << bit;
            std::fs::write(&path, &whole).expect("damaged");
            match read(&path) {
                // A length that is damaged looks like a tail: what comes before is right.
                Ok((found, cut)) => prop_assert!(cut > 0 && found.len() < events().len()),
                Err(JournalError::Damaged { .. }) => {}
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
    }
}
