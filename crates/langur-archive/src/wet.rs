//! The text of a page, as Common Crawl's WET files have it: `conversion` records.

use std::borrow::Cow;

use crate::records::{Head, Kind};

/// The text of a page without its markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainText<'b> {
    /// The URL of the page.
    pub url: &'b str,
    /// When it was captured, as 14 digits.
    pub timestamp: Option<String>,
    /// Its languages as Common Crawl found them, the main one first: ISO 639-3 codes.
    pub languages: Vec<&'b str>,
    /// The text.
    pub text: Cow<'b, str>,
}

impl<'b> PlainText<'b> {
    /// Reads a conversion record; nothing if it is another, or not of plain text.
    pub fn of(head: &'b Head, block: &'b [u8]) -> Option<PlainText<'b>> {
        let is_text = head.content_type().is_some_and(|kind| kind.starts_with("text/plain"));
        if *head.kind() != Kind::Conversion || !is_text {
            return None;
        }
        let languages = head.get("WARC-Identified-Content-Language").unwrap_or_default();
        Some(PlainText {
            url: head.url()?,
            timestamp: head.timestamp(),
            languages: languages
                .split(',')
                .map(str::trim)
                .filter(|code| !code.is_empty())
                .collect(),
            text: String::from_utf8_lossy(block),
        })
    }
}
