//! The words of a page that are not ASCII, each once.
//!
//! A menu says »Read more« fifty times. That is one witness for the charset and not fifty, so every word is read where
//! it stands first, and nowhere else.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::multibyte::next_high;

/// The words with bytes that are not ASCII, in the order they come, each once, with what stands before and behind it.
/// Words are parted by bytes that are second to none in any charset.
pub(super) fn distinct(bytes: &[u8]) -> Vec<u8> {
    let mut known: HashSet<&[u8], _> = HashSet::with_hasher(RandomState::default());
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(high) = next_high(bytes, at) {
        let begin =
            bytes[at..high].iter().rposition(|byte| parts(*byte)).map_or(at, |to| at + to + 1);
        let end =
            bytes[high..].iter().position(|byte| parts(*byte)).map_or(bytes.len(), |to| high + to);
        if known.insert(&bytes[begin..end]) {
            let before = begin.saturating_sub(1);
            kept.extend_from_slice(&bytes[before..bytes.len().min(end + 1)]);
        }
        at = end;
    }
    kept
}

/// Whether a byte is the second of none: space and punctuation below the digits, and what is between them and `@`.
fn parts(byte: u8) -> bool {
    matches!(byte, ..b'0' | b':'..=b'?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_once_with_their_neighbours() {
        assert_eq!(distinct(b"plain"), b"");
        assert_eq!(distinct(b"<p>caf\xe9, caf\xe9 (caf\xe9s)"), b">caf\xe9,(caf\xe9s)");
        assert_eq!(distinct(b"\xe9"), b"\xe9");
        // The second byte of a character may be a letter or a digit.
        assert_eq!(distinct(b"\x83A\x83B \x83A\x83B \x83A"), b"\x83A\x83B  \x83A");
    }
}
