//! The manifest of a web space: whatever it says, the space opens or is refused.
#![no_main]

use langur_sim::{Parts, Space};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|manifest: &[u8]| {
    let folder = tempfile::tempdir().expect("a scratch folder");
    std::fs::write(folder.path().join("manifest.json"), manifest).expect("writable");
    if let Ok(space) = Space::open(folder.path()) {
        let _ = space.verify(Parts::Everything);
    }
});
