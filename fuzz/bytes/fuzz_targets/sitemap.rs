//! Sitemaps of any bytes, as text and compressed.
#![no_main]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use langur_robots::sitemap::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let sitemap = read(bytes, 100);
    assert!(sitemap.pages.len() + sitemap.sitemaps.len() <= 100);
    assert!(sitemap.pages.iter().all(|page| !page.url.trim().is_empty()));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes all");
    let packed = encoder.finish().expect("memory takes all");
    if !bytes.starts_with(b"\x1f\x8b") {
        assert_eq!(read(&packed, 100), sitemap);
    }
});
