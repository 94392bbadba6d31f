//! Crawl logs and link lists as CSV: whatever they hold, they are imported or refused.
#![no_main]

use langur_sim::Space;
use langur_sim::exchange::{Sources, import};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|files: (&[u8], &[u8])| {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("pages.csv"), files.0).expect("writable");
    std::fs::write(at("links.csv"), files.1).expect("writable");
    let sources = Sources { pages: at("pages.csv"), links: vec![at("links.csv")], ..Sources::default() };
    if import(&sources, &at("space"), false).is_ok() {
        Space::open(&at("space")).expect("what was imported opens");
    } else {
        assert!(!at("space").exists(), "nothing is written when a row is wrong");
    }
});
