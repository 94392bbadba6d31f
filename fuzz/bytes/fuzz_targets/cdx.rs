//! Lines of indexes of any bytes.
#![no_main]

use langur_archive::index::{Capture, CaptureReader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for capture in CaptureReader::new(bytes, "fuzz").flatten().flatten() {
        let written = capture.to_cdxj();
        let again = Capture::from_cdxj(&written).expect("what was written is read");
        assert_eq!(again.to_cdxj(), written);
    }
});
