//! Gzip members that are decoded at once are read as they are piece by piece, whatever is wrong with them.

use std::io::{Read, Result, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use langur_archive::Records;
use proptest::collection::vec;
use proptest::prelude::*;

/// Gives a byte at a time, so that there is never a whole member at hand.
struct Trickle<'b>(&'b [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let most = into.len().min(1);
        self.0.read(&mut into[..most])
    }
}

/// What is read of an archive: every record with its place and its block, and every problem.
fn read(source: impl Read) -> Vec<String> {
    let mut records = Records::new(source, "test").expect("in memory");
    let (mut found, mut block) = (Vec::new(), Vec::new());
    while let Some(mut record) = records.next().expect("in memory") {
        record.read_block(&mut block, usize::MAX).expect("in memory");
        found.push(format!("{} {:?}", record.offset(), block.escape_ascii().to_string()));
    }
    let problems = records.problems();
    let mut problems: Vec<_> =
        problems.iter().map(|p| format!("{}: {}", p.offset, p.defect)).collect();
    // That the end of a member is damaged may be found before its head is read, or after.
    problems.sort();
    found.extend(problems);
    found
}

/// A member with a record, packed or as it is, so that what looks like the start of another is found in it.
fn member(content: &[u8], level: u32) -> Vec<u8> {
    let head = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/\r\nContent-Length: ";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    write!(encoder, "{head}{}\r\n\r\n", content.len()).expect("in memory");
    encoder.write_all(content).expect("in memory");
    encoder.write_all(b"\r\n\r\n").expect("in memory");
    encoder.finish().expect("in memory")
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    let magic = Just(b"\x1f\x8b\x08\0\0".to_vec());
    let pieces = prop_oneof![magic, vec(any::<u8>(), 0..40), Just(b"words and words ".to_vec())];
    vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn decoded_at_once_or_in_pieces_is_the_same(
        contents in vec((content(), prop_oneof![Just(0_u32), Just(6)]), 1..6),
        between in vec(prop_oneof![3 => Just(Vec::new()), 1 => content(), 1 => Just(vec![0; 5])], 6),
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let members = contents.iter().zip(&between);
        let mut archive: Vec<u8> = members
            .flat_map(|((content, level), junk)| [member(content, *level), junk.clone()].concat())
            .collect();
        for (at, byte) in damage {
            let at = at.index(archive.len());
            archive[at] = byte;
        }
        archive.truncate(cut.map_or(archive.len(), |cut| cut.index(archive.len())));
        prop_assert_eq!(read(&archive[..]), read(Trickle(&archive)));
    }
}
