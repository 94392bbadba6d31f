//! Events as bytes.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{Event, JournalError, MAGIC, failed_at};

/// Length and checksum.
pub(super) const HEAD: usize = 8;

/// An event as it lies in the journal.
#[derive(Clone, Copy)]
pub struct Frame<'j> {
    /// Where the frame starts.
    pub at: u64,
    /// The event.
    pub bytes: &'j [u8],
}

impl<'j> Frame<'j> {
    /// The event; `None` if it is none of this version's.
    pub fn event(&self) -> Option<Event<'j>> {
        postcard::from_bytes(self.bytes).ok()
    }

    /// Where in the journal a text of the event lies.
    pub fn place_of(&self, text: &'j str) -> u64 {
        let within = text.as_ptr() as usize - self.bytes.as_ptr() as usize;
        self.at + HEAD as u64 + within as u64
    }

    /// Where in the journal some bytes of the event lie.
    pub fn place_of_bytes(&self, bytes: &'j [u8]) -> u64 {
        let within = bytes.as_ptr() as usize - self.bytes.as_ptr() as usize;
        self.at + HEAD as u64 + within as u64
    }
}

/// Fills in the head of a frame.
pub(super) fn seal(frame: &mut [u8]) {
    let (head, bytes) = frame.split_at_mut(HEAD);
    head[..4].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    head[4..].copy_from_slice(&crc32fast::hash(bytes).to_le_bytes());
}

/// No more than this is written at once.
const LONGEST_END: u64 = 64 << 20;

fn read_head(head: &[u8; HEAD]) -> (u32, u32) {
    let number =
        |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    (number(0), number(4))
}

fn begins_with_event(bytes: &[u8]) -> bool {
    let Some((head, rest)) = bytes.split_first_chunk() else { return false };
    let (length, checksum) = read_head(head);
    let bytes = rest.get(..length as usize).filter(|bytes| !bytes.is_empty());
    bytes.is_some_and(|bytes| {
        crc32fast::hash(bytes) == checksum && Frame { at: 0, bytes }.event().is_some()
    })
}

/// Reads the frames of a journal.
pub struct Frames {
    file: BufReader<File>,
    path: PathBuf,
    bytes: Vec<u8>,
    position: u64,
    length: u64,
}

impl Frames {
    /// Opens a journal for reading.
    pub fn open(path: &Path) -> Result<Frames, JournalError> {
        let file = File::open(path).map_err(failed_at(path))?;
        let length = file.metadata().map_err(failed_at(path))?.len();
        let mut file = BufReader::with_capacity(1 << 20, file);
        let mut magic = [0; MAGIC.len()];
        if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err(JournalError::NotAJournal(path.to_owned()));
        }
        let (path, bytes) = (path.to_owned(), Vec::new());
        Ok(Frames { file, path, bytes, position: MAGIC.len() as u64, length })
    }

    /// Goes on from a place at which a frame starts.
    pub fn seek(&mut self, position: u64) -> Result<(), JournalError> {
        self.file.seek(SeekFrom::Start(position)).map_err(failed_at(&self.path))?;
        self.position = position;
        Ok(())
    }

    /// The next whole frame; `None` at the end, or where the rest was not written whole.
    #[expect(clippy::should_implement_trait, reason = "frames are borrowed from here")]
    pub fn next(&mut self) -> Result<Option<Frame<'_>>, JournalError> {
        let rest = self.length - self.position;
        let mut head = [0; HEAD];
        if rest < HEAD as u64 {
            return Ok(None);
        }
        self.file.read_exact(&mut head).map_err(failed_at(&self.path))?;
        let (length, checksum) = read_head(&head);
        let frame = HEAD as u64 + u64::from(length);
        if frame > rest {
            return self.end_or_damage();
        }
        self.bytes.resize(length as usize, 0);
        self.file.read_exact(&mut self.bytes).map_err(failed_at(&self.path))?;
        if crc32fast::hash(&self.bytes) != checksum {
            return self.end_or_damage();
        }
        let at = self.position;
        self.position += frame;
        Ok(Some(Frame { at, bytes: &self.bytes }))
    }

    /// What is no frame is the end of a journal that was not written whole, unless events follow: then it is damaged.
    fn end_or_damage(&mut self) -> Result<Option<Frame<'_>>, JournalError> {
        let mut rest = Vec::new();
        self.file.seek(SeekFrom::Start(self.position)).map_err(failed_at(&self.path))?;
        let (file, most) = (self.file.by_ref(), LONGEST_END);
        file.take(most).read_to_end(&mut rest).map_err(failed_at(&self.path))?;
        let has_event = (1..rest.len()).any(|at| begins_with_event(&rest[at..]));
        match has_event || self.length - self.position > most {
            true => Err(JournalError::Damaged { path: self.path.clone(), at: self.position }),
            false => Ok(None),
        }
    }

    /// Where the next frame starts.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// How long the file was when it was opened.
    pub fn length(&self) -> u64 {
        self.length
    }
}
