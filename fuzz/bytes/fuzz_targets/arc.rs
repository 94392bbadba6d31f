//! ARC files of any bytes after a good first record.
#![no_main]

use langur_archive::{Capture, Records};
use libfuzzer_sys::fuzz_target;

const FIRST: &[u8] = b"filedesc://fuzz.arc 0.0.0.0 20240101000000 text/plain 5\n1 0 X\n";

fuzz_target!(|bytes: &[u8]| {
    let file = [FIRST, bytes].concat();
    let mut records = Records::new(&file[..], "fuzz").expect("in memory");
    let mut block = Vec::new();
    let mut last = 0;
    while let Some(mut record) = records.next().expect("in memory") {
        assert!(record.head.is_arc());
        record.read_block(&mut block, usize::MAX).expect("in memory");
        if let Some(capture) = Capture::of(record.head, &block) {
            capture.payload(5000);
        }
        let extent = record.finish().expect("in memory").expect("a plain file has extents");
        assert!(extent.offset >= last, "records do not overlap");
        last = extent.offset + extent.length;
        assert!(last <= file.len() as u64);
    }
});
