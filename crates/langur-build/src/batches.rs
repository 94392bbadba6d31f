//! The records of an archive file, so many at a time.
//!
//! One after the other can read a file, but several can take apart what was read.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use langur_archive::{Amount, ArchiveError, Capture, Head, Kind, Records};

/// A block is read up to so many bytes; pages that long are not written by people.
pub const LONGEST_BLOCK: usize = 32 << 20;
/// A batch is full with so many bytes. It depends on nothing but the file, as the result must.
const FULL: usize = 1 << 20;

/// Records that follow one another.
#[derive(Default)]
pub struct Batch {
    /// Those that may be about pages.
    pub records: Vec<Held>,
    /// How many there are, by kind, the others among them.
    pub kinds: BTreeMap<String, u64>,
    /// What is malformed in the file up to here.
    pub problems: Vec<String>,
    /// Up to where the file has been read.
    pub read: u64,
}

/// A record with its block.
pub struct Held {
    pub head: Head,
    pub block: Vec<u8>,
    /// Where it starts in the file.
    pub offset: u64,
    /// SHA-1 and length of the body, of which the block has only the beginning.
    pub long: Option<([u8; 20], u64)>,
}

/// The records of a file.
pub struct Batches {
    file: String,
    records: Records<File>,
    over: bool,
}

impl Batches {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Batches, ArchiveError> {
        let file = path.display().to_string();
        Ok(Batches { file, records: Records::open(path)?, over: false })
    }

    fn batch(&mut self) -> Result<Batch, ArchiveError> {
        let (mut batch, mut bytes) = (Batch::default(), 0);
        while bytes < FULL {
            let Some(mut record) = self.records.next()? else {
                self.over = true;
                break;
            };
            batch.read = record.offset();
            *batch.kinds.entry(record.head.kind().name().to_owned()).or_default() += 1;
            if may_be_about_a_page(record.head) {
                let mut block = Vec::new();
                let failed = |source| ArchiveError::Read { file: self.file.clone(), source };
                let amount = record.read_block(&mut block, LONGEST_BLOCK).map_err(failed)?;
                let long = match amount {
                    Amount::Whole => None,
                    Amount::Cut => {
                        let body = Capture::of(record.head, &block).map_or(0, |it| it.body.len());
                        let start = &block[block.len() - body..];
                        Some(record.digest_from(start).map_err(failed)?)
                    }
                };
                bytes += block.len();
                let offset = record.offset();
                batch.records.push(Held { head: record.head.clone(), block, offset, long });
            }
        }
        batch.problems.extend(self.records.problems().iter().map(ToString::to_string));
        Ok(batch)
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let batch = self.batch();
        self.over |= batch.is_err();
        Some(batch)
    }
}

fn may_be_about_a_page(head: &Head) -> bool {
    matches!(head.kind(), Kind::Response | Kind::Resource | Kind::Revisit) || is_description(head)
}

/// Whether a record describes another in JSON, as those of WAT files do.
pub fn is_description(head: &Head) -> bool {
    let json = |text: &str| text.trim_start().starts_with("application/json");
    *head.kind() == Kind::Metadata && head.content_type().is_some_and(json)
}
