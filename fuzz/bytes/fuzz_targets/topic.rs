//! Topic and idf files, and texts judged by them.
#![no_main]

use langur_topic::{Idf, Topic};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    let (file, text) = input;
    if let Ok(topic) = Topic::parse("fuzz", file) {
        let again = Topic::parse("fuzz", &topic.to_text()).expect("what was written can be read");
        assert_eq!(again.to_text(), topic.to_text());
        topic.judge(text);
    }
    let _ = Idf::parse("fuzz", file);
});
