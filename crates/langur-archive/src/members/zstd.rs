//! Zstd frames, with or without a dictionary.
//!
//! A compressed WARC in zstd has a frame a record. It may start with a skippable frame that holds the
//! dictionary all others need, itself compressed or not ([IIPC, "WARC files compressed with
//! Zstandard"](https://iipc.github.io/warc-specifications/specifications/warc-zstd/)).

use std::io::{self, Read};

use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use super::input::Input;
use super::{Step, damaged};
use crate::problem::Defect;

pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The skippable frame that holds a dictionary.
const DICTIONARY: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// Dictionaries are some 100 kB; one of more than this is none.
const LARGEST_DICTIONARY: usize = 16 << 20;

pub(super) struct Unzstd {
    decoder: Decoder<'static>,
    dictionary: Vec<u8>,
}

impl Unzstd {
    pub fn new(dictionary: &[u8]) -> io::Result<Unzstd> {
        let decoder = Decoder::with_dictionary(dictionary)?;
        Ok(Unzstd { decoder, dictionary: dictionary.to_vec() })
    }

    pub fn dictionary(&self) -> &[u8] {
        &self.dictionary
    }

    pub fn start(&mut self) -> io::Result<()> {
        self.decoder.reinit()
    }

    /// Takes the dictionary from the skippable frame that starts here, if it is one.
    pub fn read_dictionary(&mut self, input: &mut Input<impl Read>) -> io::Result<Option<Defect>> {
        if input.at_least(8)? < 8 || input.bytes()[..4] != DICTIONARY {
            return Ok(None);
        }
        let length = skippable_length(input.bytes());
        if length > LARGEST_DICTIONARY {
            return Ok(None);
        }
        if input.at_least(8 + length)? < 8 + length {
            return Ok(Some(Defect::CutMember));
        }
        let content = &input.bytes()[8..8 + length];
        let dictionary = if content.starts_with(&MAGIC) {
            let mut plain = Vec::new();
            let decoder = zstd::Decoder::with_buffer(content)?;
            match decoder.take(LARGEST_DICTIONARY as u64).read_to_end(&mut plain) {
                Ok(_) => plain,
                Err(error) => return Ok(Some(damaged(&format!("its dictionary: {error}")))),
            }
        } else {
            content.to_vec()
        };
        match Unzstd::new(&dictionary) {
            Ok(decoder) => *self = decoder,
            Err(error) => return Ok(Some(damaged(&format!("its dictionary: {error}")))),
        }
        input.advance(8 + length);
        Ok(None)
    }

    /// Decodes some more.
    pub fn step(&mut self, input: &mut Input<impl Read>, into: &mut [u8]) -> io::Result<Step> {
        loop {
            if input.bytes().is_empty() && !input.more()? {
                return Ok(Step::failed(Defect::CutMember));
            }
            let mut from = InBuffer::around(input.bytes());
            let mut out = OutBuffer::around(&mut *into);
            let result = self.decoder.run(&mut from, &mut out);
            let (taken, made) = (from.pos(), out.pos());
            input.advance(taken);
            match result {
                Err(error) => {
                    return Ok(Step { made, end: Some(Err(damaged(&error.to_string()))) });
                }
                Ok(0) => return Ok(Step { made, end: Some(Ok(())) }),
                Ok(_) if made > 0 => return Ok(Step { made, end: None }),
                Ok(_) if taken > 0 => {}
                Ok(_) => {
                    if !input.more()? {
                        return Ok(Step::failed(Defect::CutMember));
                    }
                }
            }
        }
    }
}

/// Whether these bytes start a frame to be skipped.
pub(super) fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The length of a skippable frame's content; eight bytes of head come before it.
pub(super) fn skippable_length(bytes: &[u8]) -> usize {
    bytes
        .get(4..8)
        .map_or(0, |length| u32::from_le_bytes(length.try_into().expect("four bytes")) as usize)
}
