//! White space.

use super::tokenizer::is_space;

/// Texts are looked at in stretches of so many bytes, a length that the compiler knows: it compares many at a time.
const STRETCH: usize = 32;

/// Adds a text that neither begins nor ends with white space, and makes one space of all that is inside.
pub(super) fn collapse(text: &str, into: &mut String) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        at = plain_until(bytes, at);
        let end = bytes.len().min(at + STRETCH);
        while at < end {
            let byte = bytes[at];
            at += 1;
            if is_space(byte) && (byte != b' ' || is_space(bytes[at])) {
                into.push_str(&text[from..at - 1]);
                into.push(' ');
                while is_space(bytes[at]) {
                    at += 1;
                }
                from = at;
            }
        }
    }
    into.push_str(&text[from..]);
}

/// The beginning of the first stretch, from this place on, with white space other than single spaces, which is all that
/// most texts have.
fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    let is_odd = |byte: u8, next: u8| (byte < b' ') | (byte == b' ') & (next <= b' ');
    while let Some(stretch) = bytes.get(at..at + STRETCH + 1) {
        let pairs = stretch[..STRETCH].iter().zip(&stretch[1..]);
        if pairs.fold(false, |odd, (&byte, &next)| odd | is_odd(byte, next)) {
            break;
        }
        at += STRETCH;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn white_space_becomes_single_spaces(text in "[a\u{e0} \n\t\u{1}]{0,120}|([ab]{1,8} ){0,30}( \n?[ab]{1,8} ){0,3}([ab]{1,8} ){0,30}") {
            let mut collapsed = String::new();
            collapse(text.trim_ascii(), &mut collapsed);
            let words: Vec<_> = text.split_ascii_whitespace().collect();
            prop_assert_eq!(collapsed, words.join(" "));
        }
    }
}
