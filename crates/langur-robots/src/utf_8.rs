//! Texts in UTF-8.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

/// The text without the mark of its encoding, and in UTF-8 if that says that it is in UTF-16, as some
/// editors save it. Other charsets are not looked for: robots.txt and sitemaps are to be in UTF-8.
pub(crate) fn utf_8(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(bytes) {
        None => Cow::Borrowed(bytes),
        Some((encoding, mark)) if encoding == UTF_8 => Cow::Borrowed(&bytes[mark..]),
        Some((encoding, mark)) => {
            let (text, _) = encoding.decode_without_bom_handling(&bytes[mark..]);
            Cow::Owned(text.into_owned().into_bytes())
        }
    }
}
