//! Archives of any bytes: as they are, and as gzip members.
#![no_main]

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use langur_archive::digest::verify;
use langur_archive::{Capture, Records};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u16, &[u8])| {
    let (cut, bytes) = input;
    read(bytes);
    let cut = usize::from(cut).min(bytes.len());
    read(&[gzip(&bytes[..cut]), gzip(&bytes[cut..])].concat());
});

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

/// Reads blocks in one go, and again in small pieces: it must be the same.
fn read(file: &[u8]) {
    let mut once = Records::new(file, "fuzz").expect("in memory");
    let mut again = Records::new(file, "fuzz").expect("in memory");
    let (mut block, mut pieces) = (Vec::new(), Vec::new());
    while let Some(mut record) = once.next().expect("in memory") {
        record.read_block(&mut block, usize::MAX).expect("in memory");
        verify(record.head, &block[..]).expect("in memory");
        if let Some(capture) = Capture::of(record.head, &block) {
            assert!(capture.payload(5000).bytes.len() <= 5000);
        }
        let mut same = again.next().expect("in memory").expect("as many records");
        assert_eq!(same.offset(), record.offset());
        pieces.clear();
        let mut piece = [0; 7];
        loop {
            match same.read(&mut piece).expect("in memory") {
                0 => break,
                read => pieces.extend_from_slice(&piece[..read]),
            }
        }
        assert_eq!(pieces, block);
        let extent = record.finish().expect("in memory");
        assert_eq!(same.finish().expect("in memory"), extent);
        if let Some(extent) = extent {
            assert!(extent.offset + extent.length <= file.len() as u64);
        }
    }
    assert!(again.next().expect("in memory").is_none());
    assert_eq!(once.problems(), again.problems());
}
