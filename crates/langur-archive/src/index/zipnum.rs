//! ZipNum clusters: sorted lines, compressed in blocks, and a summary of the blocks.
//!
//! Common Crawl's index is 300 files (`cdx-00000.gz`, …), each a row of gzip members of 3,000 lines.
//! The summary, `cluster.idx`, has a line for every block: its first key and timestamp, then between
//! tabs the file, where the block begins in it, its length, and its number. A URL is found by halving
//! in the summary, then by reading one block, seldom two.
//!
//! pywb's clusters name their parts in the summary without saying where they lie; a file beside it
//! (`.loc`) lists the places of each. In WACZ files the summary says place and length as JSON, and its
//! first line the one file.

use std::collections::{HashMap, VecDeque};
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use flate2::read::MultiGzDecoder;
use langur_store::{Store, StoreError};
use serde_json::Value;

use super::lines::{Position, is_note, parse_line, shortened};
use super::text::Text;
use super::{Capture, IndexError, Keys, WrongLine};

/// A ZipNum cluster.
pub struct ZipNum {
    store: Store,
    summary: Text,
    /// The folder of the summary, which names are relative to; empty or with a slash at its end.
    folder: String,
    /// Where each part may lie; `None` if the parts are named by their files.
    places: Option<HashMap<String, Vec<String>>>,
    /// The file of all blocks whose summary does not say it.
    only: Option<String>,
    /// The blocks used last, inflated. Pages of one host are neighbours.
    recent: Mutex<VecDeque<Inflated>>,
}

/// Where a block lies.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    part: String,
    offset: u64,
    length: u64,
}

type Inflated = (Block, Arc<Vec<u8>>);

/// How many inflated blocks are kept. Those of Common Crawl have about a megabyte.
const RECENT: usize = 16;

/// The largest blocks that are believed.
const LONGEST_BLOCK: u64 = 16 << 20;
const LONGEST_INFLATED: u64 = 256 << 20;

impl ZipNum {
    /// Opens a cluster by its summary (`cluster.idx`).
    pub fn open(store: &Store, name: &str) -> Result<ZipNum, IndexError> {
        let summary = Text::open(store, name)?;
        let folder = name.rfind('/').map_or("", |slash| &name[..=slash]).to_owned();
        let stem = name.strip_suffix(".idx").unwrap_or(name);
        let places = match store.read_whole(&format!("{stem}.loc")) {
            Ok(text) => Some(places(&String::from_utf8_lossy(&text))),
            // Buckets that may not be listed say so of everything that is not there.
            Err(StoreError::NotThere { .. } | StoreError::Denied { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let only = summary.line_from(0)?.and_then(|line| only_file(&line.bytes));
        let recent = Mutex::default();
        Ok(ZipNum { store: store.clone(), summary, folder, places, only, recent })
    }

    pub(super) fn summary(&self) -> &Text {
        &self.summary
    }

    /// One of the captures of the block that a line of the summary names, chosen by a random number, and
    /// how many the block has. A wrong line is none.
    pub(super) fn draw(
        &self,
        line: &[u8],
        random: u64,
    ) -> Result<(Option<Capture>, u64), IndexError> {
        let lines = self.inflated(&self.block(line)?)?;
        let lines: Vec<&[u8]> =
            lines.split(|&b| b == b'\n').filter(|line| !is_note(line)).collect();
        let count = lines.len() as u64;
        let chosen = random.checked_rem(count).map(|at| lines[at as usize].trim_ascii_end());
        Ok((chosen.and_then(|line| parse_line(line, None).ok()), count))
    }

    /// The full address of its summary.
    pub fn at(&self) -> &str {
        &self.summary.at
    }

    /// Whether this file is one of its parts, as far as can be told from its name.
    pub(super) fn holds(&self, name: &str) -> Result<bool, IndexError> {
        if let Some(places) = &self.places {
            return Ok(places.values().flatten().any(|place| self.within(place) == name));
        }
        let first = self.summary.entry_from(0)?;
        let block = first.map(|line| self.block(&line.bytes)).transpose()?;
        Ok(block.is_some_and(|block| alike(&self.within(&block.part), name)))
    }

    /// Gives the captures with these keys to `visit`, in order, until it says to stop; wrong lines
    /// among them too.
    pub fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Result<Capture, WrongLine>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        let (from, until) = keys.lines();
        let (mut place, before) = self.summary.search(&from)?;
        // A block is known by its first line, so that what is wanted may begin in the one before.
        let mut block = before.map(|line| self.block(&line.bytes)).transpose()?;
        loop {
            if let Some(block) = block
                && self.scan_block(&block, (&from, &until), visit)?.is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            match self.summary.entry_from(place)? {
                Some(line) if *line.bytes < *until => {
                    place = line.next;
                    block = Some(self.block(&line.bytes)?);
                }
                _ => return Ok(ControlFlow::Continue(())),
            }
        }
    }

    fn scan_block(
        &self,
        block: &Block,
        (from, until): (&[u8], &[u8]),
        visit: &mut dyn FnMut(Result<Capture, WrongLine>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        let lines = self.inflated(block)?;
        let mut offset = 0;
        for line in lines.split_inclusive(|&b| b == b'\n') {
            let start = offset;
            offset += line.len() as u64;
            let line = line.trim_ascii_end();
            if line < from || line >= until || is_note(line) {
                continue;
            }
            let wrong = |why| WrongLine {
                at: format!("{}{} (block {})", self.store.address(), block.part, block.offset),
                position: Position::Byte(start),
                why,
            };
            if visit(parse_line(line, None).map_err(wrong)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The place of a block, from its line in the summary.
    fn block(&self, line: &[u8]) -> Result<Block, IndexError> {
        let line = String::from_utf8_lossy(line);
        let block = match line.split_once('\t') {
            Some((_, rest)) => {
                let mut fields = rest.trim_end().split('\t');
                let part = fields.next().map(str::to_owned);
                let mut number = || fields.next().and_then(|field| field.parse().ok());
                (part, number(), number())
            }
            None => {
                let json = line.find('{').map_or("", |start| &line[start..]);
                let json: Value = serde_json::from_str(json).unwrap_or_default();
                let part = json["filename"].as_str().map(str::to_owned).or(self.only.clone());
                (part, json["offset"].as_u64(), json["length"].as_u64())
            }
        };
        match block {
            (Some(part), Some(offset), Some(length)) if length <= LONGEST_BLOCK => {
                Ok(Block { part, offset, length })
            }
            _ => Err(IndexError::Damaged {
                at: self.summary.at.clone(),
                why: format!("\"{}\" does not say where a block lies", shortened(&line)),
            }),
        }
    }

    fn inflated(&self, block: &Block) -> Result<Arc<Vec<u8>>, IndexError> {
        {
            let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, lines)) = recent.iter().find(|(held, _)| held == block) {
                return Ok(Arc::clone(lines));
            }
        }
        let lines = Arc::new(self.read(block)?);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.truncate(RECENT - 1);
        recent.push_front((block.clone(), Arc::clone(&lines)));
        Ok(lines)
    }

    fn read(&self, block: &Block) -> Result<Vec<u8>, IndexError> {
        let bytes = self.read_part(block)?;
        let damaged = |why: String| IndexError::Damaged {
            at: self.store.at(&self.within(&block.part)),
            why: format!("the block of {} bytes at {}: {why}", block.length, block.offset),
        };
        let mut lines = Vec::new();
        MultiGzDecoder::new(&bytes[..])
            .take(LONGEST_INFLATED + 1)
            .read_to_end(&mut lines)
            .map_err(|error| damaged(error.to_string()))?;
        if lines.len() as u64 > LONGEST_INFLATED {
            return Err(damaged(format!("it inflates to more than {LONGEST_INFLATED} bytes")));
        }
        Ok(lines)
    }

    /// The bytes of a block, from the first place that has them.
    fn read_part(&self, block: &Block) -> Result<bytes::Bytes, IndexError> {
        let Some(end) = block.offset.checked_add(block.length) else {
            let why = "its place is beyond all files".to_owned();
            return Err(IndexError::Damaged { at: self.summary.at.clone(), why });
        };
        let Some(places) = &self.places else {
            return Ok(self.store.read(&self.within(&block.part), block.offset..end)?);
        };
        let missing = |why: String| IndexError::Part {
            at: self.summary.at.clone(),
            part: block.part.clone(),
            why,
        };
        let mut why = "the file of places (.loc) does not name one".to_owned();
        for place in places.get(&block.part).into_iter().flatten() {
            match self.store.read(&self.within(place), block.offset..end) {
                Ok(bytes) => return Ok(bytes),
                Err(error) => why = error.to_string(),
            }
        }
        Err(missing(why))
    }

    fn within(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }
}

/// The places of each part: `part`, then its places, with tabs between.
fn places(text: &str) -> HashMap<String, Vec<String>> {
    let mut places = HashMap::new();
    for line in text.lines() {
        let mut fields = line.split('\t').map(|field| field.trim().to_owned());
        if let Some(part) = fields.next().filter(|part| !part.is_empty()) {
            places.insert(part, fields.collect());
        }
    }
    places
}

/// `!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}`
fn only_file(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?.strip_prefix("!meta")?;
    let json: Value = serde_json::from_str(&line[line.find('{')?..]).ok()?;
    json["filename"].as_str().map(str::to_owned)
}

/// Whether two names differ in their digits alone, as those of the parts of one cluster do.
fn alike(one: &str, other: &str) -> bool {
    let no_digit = |b: &u8| !b.is_ascii_digit();
    one.bytes().filter(no_digit).eq(other.bytes().filter(no_digit))
}
