//! Pages in any charset, with and without a header.
#![no_main]

use langur_page::decide;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: (&str, &[u8])| {
    let (header, bytes) = page;
    let decoding = decide(bytes, Some(header));
    let text = decoding.decode(bytes);
    assert!(text.len() <= 4 * bytes.len() + 4);
    decide(bytes, None);
});
