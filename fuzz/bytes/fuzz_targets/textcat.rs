//! TextCat's fingerprint files, and texts judged by them.
#![no_main]

use langur_textcat::{Categories, Options, Profile, parse_conf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &[u8])| {
    let (file, text) = input;
    let profile = Profile::parse(file);
    Profile::parse(&profile.to_bytes());
    parse_conf(&String::from_utf8_lossy(file));
    Categories::new([("a".to_owned(), profile)], Options::EXTTEXTCAT).classify(text);
});
