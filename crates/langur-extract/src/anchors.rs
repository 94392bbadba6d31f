//! The languages of anchors, remembered.
//!
//! A site says the same on every page: "Home", "Contact", the names of its sections. Judging a few words
//! costs as much as judging a paragraph, so what was judged is kept.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use langur_crawl::Language;
use langur_language::Memory;
use langur_reader::Reader;

/// Anchors remembered before all are forgotten.
const MOST: usize = 1 << 14;
/// Longer ones seldom come twice.
const LONGEST: usize = 120;

/// Tells the languages of anchors.
#[derive(Default)]
pub struct Anchors {
    known: HashMap<Box<str>, Option<Language>, RandomState>,
}

impl Anchors {
    /// The language of an anchor, where there is anything to tell it by.
    pub fn language(
        &mut self,
        reader: &Reader,
        anchor: &str,
        memory: &mut Memory,
    ) -> Option<Language> {
        // Numbers and signs have no letters that could tell anything.
        if !anchor.bytes().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()) {
            return None;
        }
        let mut judge = || reader.judge().anchor_with(anchor, memory).map(|(language, _)| language);
        if anchor.len() > LONGEST {
            return judge();
        }
        if let Some(&language) = self.known.get(anchor) {
            return language;
        }
        let language = judge();
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.insert(anchor.into(), language);
        language
    }
}
