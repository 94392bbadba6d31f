//! What stands on the command line and in crawl logs: strategies, clocks, targets, tags, URLs.
#![no_main]

use langur_lab::{Clock, Identifier, Target};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(spec) = langur_strategy::Spec::parse(text) {
        let again = langur_strategy::Spec::parse(&spec.to_string());
        assert_eq!(again.as_ref(), Ok(&spec), "a strategy reads back as it is written");
    }
    if let Ok(language) = langur_crawl::Language::parse(text) {
        assert_eq!(langur_crawl::Language::parse(language.as_str()), Ok(language));
    }
    let _ = text.parse::<Clock>();
    let _ = text.parse::<Identifier>();
    let _ = text.parse::<Target>();
    if let Ok(address) = langur_page::Address::parse(text) {
        let url = address.to_string();
        let again = langur_page::Address::parse(&url).expect("a canonical form is a URL");
        assert_eq!(again.to_string(), url, "a canonical form is its own canonical form");
    }
});
