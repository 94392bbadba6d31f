//! What the charset tests share: the archives of ../shared/data, and when two decodings are one text.

#![allow(dead_code, reason = "every test uses a part of it")]

use langur_page::{Charset, decide};
use std::collections::BTreeMap;

/// Whether two charsets read the same text: equal characters, white space apart, but for one in a
/// thousand.
pub fn same_text(one: Charset, other: Charset, bytes: &[u8]) -> bool {
    if one.reads_like(other) {
        return true;
    }
    let characters = |charset: Charset| -> Vec<char> {
        charset.decode(bytes).chars().filter(|c| !c.is_whitespace()).collect()
    };
    let (one, other) = (characters(one), characters(other));
    let equal = one.iter().zip(&other).filter(|(a, b)| a == b).count();
    one.len().abs_diff(other.len()) * 1000 <= one.len() && equal * 1000 >= one.len() * 999
}

/// The page with its labels spoilt, so that only the bytes can tell.
pub fn hide_labels(bytes: &[u8]) -> Vec<u8> {
    let mut hidden = bytes.to_vec();
    for word in [&b"charset"[..], b"encoding"] {
        let mut at = 0;
        while at + word.len() <= hidden.len() {
            if hidden[at..at + word.len()].eq_ignore_ascii_case(word) {
                hidden[at] = b'x';
            }
            at += 1;
        }
    }
    hidden
}

/// What the library says that browsers use for pages without a label.
pub fn chardetng(bytes: &[u8]) -> Charset {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Allow).into()
}

/// Right answers by kind: ours, chardetng's, and all there are.
#[derive(Default)]
pub struct Tally(pub BTreeMap<String, [usize; 3]>);

impl Tally {
    /// Counts a document, and says whether ours is right.
    pub fn count(&mut self, kind: &str, document: &str, want: Charset, bytes: &[u8]) -> bool {
        let (ours, theirs) = (decide(bytes, None), chardetng(bytes));
        let right = same_text(want, ours.charset, bytes);
        let row = self.0.entry(kind.to_string()).or_default();
        row[0] += right as usize;
        row[1] += same_text(want, theirs, bytes) as usize;
        row[2] += 1;
        if !right {
            println!("miss: {document} is {want}, decided {}, chardetng {theirs}", ours.charset);
        }
        right
    }

    pub fn print(&self, title: &str) {
        println!("{title:24} ours chardetng of");
        for (kind, [ours, theirs, all]) in &self.0 {
            println!("{kind:24} {ours:4} {theirs:9} {all}");
        }
    }

    /// The share that is right, over the kinds that are asked for.
    pub fn share(&self, wanted: impl Fn(&str) -> bool) -> f64 {
        let rows = self.0.iter().filter(|(kind, _)| wanted(kind)).map(|(_, row)| row);
        let (right, all) = rows.fold((0, 0), |(r, a), row| (r + row[0], a + row[2]));
        right as f64 / all.max(1) as f64
    }
}
