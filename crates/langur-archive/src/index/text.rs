//! A large text, line by line, from anywhere.
//!
//! On this machine it is mapped into memory; elsewhere it is read in blocks, which the store keeps. A
//! text sorted by its bytes is searched by halving, not line by line: a step looks at the first line
//! that begins behind the middle.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use bytes::Bytes;
use flate2::bufread::GzDecoder;
use langur_store::{Store, StoreError};
use memmap2::Mmap;

use super::IndexError;
use super::lines::{LONGEST_LINE, is_note};

/// A large text.
pub(super) struct Text {
    /// Its full address.
    pub(super) at: String,
    bytes: Source,
}

enum Source {
    Map(Mmap),
    Memory(Bytes),
    Ranged { store: Store, name: String, length: u64 },
}

/// A line, without its end.
pub(super) struct Line<'a> {
    pub(super) start: u64,
    /// Where the next one begins.
    pub(super) next: u64,
    pub(super) bytes: Cow<'a, [u8]>,
}

/// How much is read at once from elsewhere.
const BLOCK: u64 = 64 << 10;

/// The largest compressed index that is taken into memory, once inflated.
const LARGEST_INFLATED: u64 = 1 << 30;

impl Text {
    pub(super) fn open(store: &Store, name: &str) -> Result<Text, IndexError> {
        let at = store.at(name);
        let Some(path) = store.local(name) else {
            let length = store.len(name)?;
            let bytes = Source::Ranged { store: store.clone(), name: name.to_owned(), length };
            return Ok(Text { at, bytes });
        };
        // The store knows best how to say that it is not there.
        let length = store.len(name)?;
        if length == 0 {
            return Ok(Text::of(at, Bytes::new()));
        }
        let failed = |source| StoreError::Read { path: path.clone(), source };
        let file = File::open(&path).map_err(failed)?;
        // SAFETY: the map is only read. Indexes are replaced as a whole, by us and by others, and not
        // written in place, so that the bytes under the map do not change.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        Ok(Text { at, bytes: Source::Map(map) })
    }

    /// A text in memory.
    pub(super) fn of(at: String, bytes: Bytes) -> Text {
        Text { at, bytes: Source::Memory(bytes) }
    }

    /// A compressed text, inflated in memory.
    pub(super) fn inflate(store: &Store, name: &str) -> Result<Text, IndexError> {
        let at = store.at(name);
        let mut members = BufReader::new(store.reader(name)?);
        let mut text = Vec::new();
        let damaged =
            |error: io::Error| IndexError::Damaged { at: at.clone(), why: error.to_string() };
        while !members.fill_buf().map_err(damaged)?.is_empty() {
            let left = LARGEST_INFLATED.saturating_sub(text.len() as u64);
            let mut member = GzDecoder::new(&mut members).take(left + 1);
            member.read_to_end(&mut text).map_err(damaged)?;
            if text.len() as u64 > LARGEST_INFLATED {
                let why = "a compressed index this large cannot be searched\n  decompress it, or make it anew with: langur archive index";
                return Err(IndexError::Unusable { at, why: why.to_owned() });
            }
            // The blocks of some clusters end without an end of their last line.
            if text.last().is_some_and(|&last| last != b'\n') {
                text.push(b'\n');
            }
        }
        Ok(Text::of(at, text.into()))
    }

    pub(super) fn len(&self) -> u64 {
        match &self.bytes {
            Source::Map(map) => map.len() as u64,
            Source::Memory(bytes) => bytes.len() as u64,
            Source::Ranged { length, .. } => *length,
        }
    }

    pub(super) fn is_remote(&self) -> bool {
        matches!(self.bytes, Source::Ranged { .. })
    }

    /// Bytes of the text, which must be there.
    pub(super) fn slice(&self, start: u64, end: u64) -> Result<Cow<'_, [u8]>, IndexError> {
        match &self.bytes {
            Source::Map(map) => Ok(Cow::Borrowed(&map[start as usize..end as usize])),
            Source::Memory(bytes) => Ok(Cow::Borrowed(&bytes[start as usize..end as usize])),
            Source::Ranged { store, name, .. } => {
                Ok(Cow::Owned(store.read(name, start..end)?.to_vec()))
            }
        }
    }

    /// The first line that begins at this place or behind it.
    pub(super) fn line_from(&self, place: u64) -> Result<Option<Line<'_>>, IndexError> {
        let start = match place.checked_sub(1) {
            None => 0,
            Some(before) => self.line_end(before)? + 1,
        };
        if start >= self.len() {
            return Ok(None);
        }
        let end = self.line_end(start)?;
        Ok(Some(Line { start, next: (end + 1).min(self.len()), bytes: self.slice(start, end)? }))
    }

    /// The first line that begins at this place or behind it and is not a note. Notes stand outside the
    /// order of the lines.
    pub(super) fn entry_from(&self, place: u64) -> Result<Option<Line<'_>>, IndexError> {
        let mut place = place;
        while let Some(line) = self.line_from(place)? {
            if !is_note(&line.bytes) {
                return Ok(Some(line));
            }
            place = line.next;
        }
        Ok(None)
    }

    /// Where the first end of a line stands at this place or behind it: a line feed, or the text's end.
    fn line_end(&self, from: u64) -> Result<u64, IndexError> {
        let mut place = from;
        while place < self.len() && place - from <= LONGEST_LINE {
            // Memory is looked through as far as a line may reach, what is elsewhere block by block.
            let reach = if self.is_remote() {
                (place / BLOCK + 1) * BLOCK
            } else {
                from + LONGEST_LINE + 1
            };
            let reach = reach.min(self.len());
            if let Some(end) = memchr::memchr(b'\n', &self.slice(place, reach)?) {
                return Ok(place + end as u64);
            }
            place = reach;
        }
        if place >= self.len() {
            return Ok(self.len());
        }
        let why = format!("from byte {from} on it has no end of a line in {LONGEST_LINE} bytes");
        Err(IndexError::Unusable { at: self.at.clone(), why })
    }

    /// Where the line begins that a place lies in, between that of another line and it. From the middle of a line the same
    /// next line would be found many times; but what is elsewhere is read forwards only.
    fn line_start(&self, low: u64, place: u64) -> u64 {
        let before = match &self.bytes {
            Source::Map(map) => &map[low as usize..place as usize],
            Source::Memory(bytes) => &bytes[low as usize..place as usize],
            Source::Ranged { .. } => return place,
        };
        memchr::memrchr(b'\n', before).map_or(low, |end| low + end as u64 + 1)
    }

    /// The place of the first line that is not less than this one, and the line before it. Notes do not
    /// count.
    pub(super) fn search(&self, wanted: &[u8]) -> Result<(u64, Option<Line<'_>>), IndexError> {
        // The lines that begin before `low` are less; the first line behind `high` is not, if any.
        let (mut low, mut high) = (0, self.len());
        let mut before = None;
        while low < high {
            let middle = self.line_start(low, low + (high - low) / 2);
            match self.entry_from(middle)? {
                Some(line) if *line.bytes < *wanted => {
                    low = line.next;
                    before = Some(line);
                }
                _ => high = middle,
            }
        }
        Ok((low, before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_finds_the_first_line_that_is_not_less() {
        let texts =
            ["", "b", "b\n", "\n", "b\nd\nd\nf", "b\nd\nd\nf\n", "bbbbbbbbbbbbbbbbbbbb\nd\n"];
        for text in texts.into_iter().chain(["!a\n CDX b\nb\nd\n\n\nf\n\n\n\n\n"]) {
            let lines: Vec<&str> = text.lines().filter(|line| !is_note(line.as_bytes())).collect();
            let whole = Text::of("a text".to_owned(), Bytes::copy_from_slice(text.as_bytes()));
            for wanted in ["", "a", "b", "c", "d", "e", "f", "g"] {
                let (place, before) = whole.search(wanted.as_bytes()).expect("searched");
                let less = lines.iter().take_while(|line| **line < wanted).count();
                let found = whole.entry_from(place).expect("read").map(|line| line.bytes.to_vec());
                assert_eq!(found.as_deref(), lines.get(less).map(|line| line.as_bytes()));
                let expected = less.checked_sub(1).map(|last| lines[last].as_bytes());
                assert_eq!(
                    before.map(|line| line.bytes.to_vec()).as_deref(),
                    expected,
                    "{text:?} {wanted}"
                );
            }
        }
    }

    #[test]
    fn a_text_without_lines_is_refused() {
        let endless = vec![b'x'; LONGEST_LINE as usize * 2];
        let text = Text::of("endless".to_owned(), endless.into());
        let error = text.search(b"a").err().expect("refused").to_string();
        assert!(error.contains("endless") && error.contains("no end of a line"), "{error}");
    }
}
