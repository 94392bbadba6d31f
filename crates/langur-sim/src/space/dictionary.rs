//! Sorted strings, front-coded.
//!
//! Strings stand in blocks of sixteen. The first of a block is whole; each other one says how many
//! bytes it shares with the one before it, and what follows. Numbers to strings and strings to
//! numbers both cost one block.

use std::ops::Range;

use langur_folder::FolderError;

use super::column::Column;
use super::writer::{ColumnWriter, NewSpace};

const BLOCK: usize = 16;

/// A sorted list of strings that can be asked in both directions.
pub struct Dictionary {
    blocks: Column<u64>,
    bytes: Column<u8>,
    len: usize,
}

impl Dictionary {
    pub(super) fn new(blocks: Column<u64>, bytes: Column<u8>, len: usize) -> Dictionary {
        Dictionary { blocks, bytes, len }
    }

    /// The number of blocks that so many strings take.
    pub(super) fn blocks(len: usize) -> usize {
        len.div_ceil(BLOCK)
    }

    /// The numbers that strings have.
    pub fn numbers(&self) -> Range<usize> {
        0..self.len
    }

    /// The string with this number.
    pub fn get(&self, number: usize) -> Vec<u8> {
        assert!(number < self.len, "a dictionary is asked for strings it has");
        let mut string = Vec::new();
        let mut block = self.block(number / BLOCK);
        for _ in 0..=number % BLOCK {
            block.advance(&mut string);
        }
        string
    }

    /// The number of a string, looked for only among the numbers in `within`.
    pub fn find(&self, string: &[u8], within: Range<usize>) -> Option<usize> {
        if within.is_empty() {
            return None;
        }
        let (first, last) = (within.start / BLOCK, (within.end - 1) / BLOCK);
        // The first block may begin before the range and hold anything there; the others begin in it.
        let later = first + 1..last + 1;
        let before = partition_point(later, |block| self.head(block) <= string);
        let block = before - 1;
        let mut current = Vec::new();
        let mut strings = self.block(block);
        for number in block * BLOCK..within.end.min((block + 1) * BLOCK) {
            strings.advance(&mut current);
            if number >= within.start && current == string {
                return Some(number);
            }
        }
        None
    }

    /// Every string in order, through `visit`.
    pub fn for_each(&self, mut visit: impl FnMut(usize, &[u8])) {
        let mut string = Vec::new();
        for block in 0..Self::blocks(self.len) {
            let mut strings = self.block(block);
            for number in block * BLOCK..self.len.min((block + 1) * BLOCK) {
                strings.advance(&mut string);
                visit(number, &string);
            }
        }
    }

    fn block(&self, block: usize) -> Strings<'_> {
        Strings { bytes: &self.bytes.as_slice()[self.blocks.as_slice()[block] as usize..] }
    }

    fn head(&self, block: usize) -> &[u8] {
        let mut strings = self.block(block);
        let (_, len) = (strings.number(), strings.number());
        &strings.bytes[..len]
    }
}

fn partition_point(range: Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The strings of a block, from some point on.
struct Strings<'a> {
    bytes: &'a [u8],
}

impl Strings<'_> {
    /// Turns the string before into the next.
    fn advance(&mut self, string: &mut Vec<u8>) {
        let (shared, more) = (self.number(), self.number());
        string.truncate(shared);
        string.extend_from_slice(&self.bytes[..more]);
        self.bytes = &self.bytes[more..];
    }

    /// A number in seven bits a byte, lowest first.
    fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes[0];
            self.bytes = &self.bytes[1..];
            number |= usize::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return number;
            }
        }
    }
}

/// Writes a dictionary, string by string in ascending order.
pub struct DictionaryWriter {
    blocks: ColumnWriter,
    bytes: ColumnWriter,
    coder: FrontCoder,
}

impl DictionaryWriter {
    /// A dictionary whose files are called `name.blocks` and `name.bytes`.
    pub fn new(space: &NewSpace, name: &str) -> Result<DictionaryWriter, FolderError> {
        Ok(DictionaryWriter {
            blocks: space.column(&format!("{name}.blocks"))?,
            bytes: space.column(&format!("{name}.bytes"))?,
            coder: FrontCoder::default(),
        })
    }

    /// Appends a string.
    pub fn push(&mut self, string: &[u8]) -> Result<(), FolderError> {
        self.coder.push(string);
        if self.coder.encoded.len() >= 1 << 16 { self.flush() } else { Ok(()) }
    }

    /// Appends strings that were front-coded elsewhere, starting at the number where this
    /// dictionary has arrived.
    pub fn append(&mut self, part: &FrontCoder) -> Result<(), FolderError> {
        debug_assert_eq!(part.start, self.coder.len, "parts follow each other");
        self.flush()?;
        let base = self.bytes.written();
        let starts: Vec<u64> = part.starts.iter().map(|start| base + start).collect();
        self.blocks.write(&starts)?;
        self.bytes.write(&part.encoded)?;
        self.coder.len = part.len;
        self.coder.last.clone_from(&part.last);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), FolderError> {
        let base = self.bytes.written();
        self.coder.starts.iter_mut().for_each(|start| *start += base);
        self.blocks.write(&self.coder.starts)?;
        self.bytes.write(&self.coder.encoded)?;
        self.coder.starts.clear();
        self.coder.encoded.clear();
        Ok(())
    }

    /// Closes the dictionary.
    pub fn finish(mut self) -> Result<(), FolderError> {
        self.flush()?;
        self.blocks.finish()?;
        self.bytes.finish()
    }
}

/// Front-codes strings into memory. A part of a dictionary can be made before the parts ahead of it
/// are, if it is known how many strings they hold: a part's first string is then written whole.
#[derive(Clone, Debug, Default)]
pub struct FrontCoder {
    starts: Vec<u64>,
    encoded: Vec<u8>,
    last: Vec<u8>,
    start: usize,
    len: usize,
}

impl FrontCoder {
    /// A coder whose first string has the number `start`.
    pub fn starting_at(start: usize) -> FrontCoder {
        FrontCoder { start, len: start, ..FrontCoder::default() }
    }

    /// Appends a string.
    pub fn push(&mut self, string: &[u8]) {
        let mut shared = 0;
        if self.len.is_multiple_of(BLOCK) {
            self.starts.push(self.encoded.len() as u64);
        } else {
            shared = self.last.iter().zip(string).take_while(|(a, b)| a == b).count();
        }
        number(&mut self.encoded, shared);
        number(&mut self.encoded, string.len() - shared);
        self.encoded.extend_from_slice(&string[shared..]);
        self.last.clear();
        self.last.extend_from_slice(string);
        self.len += 1;
    }
}

fn number(into: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        into.push(number as u8 | 128);
        number >>= 7;
    }
    into.push(number as u8);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::open::Space;
    use crate::exchange::{Assembly, LinkRow, PageRow, Tables, assemble};

    fn space_of(addresses: &BTreeSet<String>, folder: &std::path::Path) -> Space {
        let page = |url: &String| PageRow {
            address: langur_page::Address::parse(url).expect("a URL"),
            status: 200,
            mime: 1,
            bytes: 0,
            charset: 0,
            latency_ms: 0,
            gateway: false,
            seed: false,
            languages: vec![0],
        };
        let tables = Tables {
            labels: vec!["none".to_owned()],
            mimes: vec!["text/html".to_owned()],
            ..Tables::default()
        };
        let assembly = Assembly {
            pages: addresses.iter().map(page).collect(),
            missing: Vec::new(),
            links: Vec::<LinkRow>::new(),
            tables,
            scores: Default::default(),
            provenance: serde_json::Value::Null,
        };
        let place = folder.join("space");
        assemble(assembly, &place, true).expect("a web space");
        Space::open(&place).expect("the web space")
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        /// Numbers lead to strings and strings to numbers, within every range and for none that is not there.
        #[test]
        fn dictionaries_answer_in_both_directions(
            paths in prop::collection::btree_set("[ab]{0,3}(/[abc]{1,40}){0,2}", 1..80),
            hosts in prop::collection::vec("[a-c]{1,2}\\.(com|co\\.th)", 1..4),
            other in "[a-d]{1,4}",
        ) {
            let scratch = tempfile::tempdir().expect("a scratch folder");
            let urls: BTreeSet<String> = paths
                .iter()
                .enumerate()
                .map(|(i, path)| format!("http{}://{}/{path}", if i % 3 == 0 { "s" } else { "" }, hosts[i % hosts.len()]))
                .collect();
            let space = space_of(&urls, scratch.path());
            prop_assert_eq!(space.pages(), urls.len());
            for url in &urls {
                let page = space.find(url).expect("a URL").expect("a page");
                prop_assert_eq!(&space.url(page), url);
            }
            let absent = format!("http://{}/{other}", hosts[0]);
            prop_assert_eq!(space.find(&absent).expect("a URL").is_some(), urls.contains(&absent));
        }
    }
}
