//! The head of an HTTP message.

use std::borrow::Cow;

use super::Oddity;
use crate::records::{Lines, decoded};

/// The headers of a message, in the order and with the bytes they came in.
#[derive(Clone, Debug, Default)]
pub struct Headers<'b> {
    fields: Vec<(&'b [u8], Cow<'b, [u8]>)>,
}

impl<'b> Headers<'b> {
    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'b [u8], &[u8])> {
        self.fields.iter().map(|(name, value)| (*name, value.as_ref()))
    }

    /// The first value of this name, in any case.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.all(name).next()
    }

    /// All values of this name, in any case.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.iter()
            .filter(move |(other, _)| other.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| value)
    }

    /// The first value of this name as text: UTF-8 if it is, else Latin-1.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(decoded)
    }

    /// All values of this name as one list, as HTTP has it: a header may come in several lines.
    pub fn list(&self, name: &str) -> Option<String> {
        let values: Vec<_> = self.all(name).map(decoded).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The words of a list of codings, in lower case. `identity` is no coding.
    pub(super) fn codings(&self, name: &str) -> Vec<String> {
        let words = self.all(name).flat_map(|value| value.split(|&byte| byte == b','));
        let words = words.map(|word| decoded(word.trim_ascii()).to_ascii_lowercase());
        words.filter(|word| !matches!(word.as_str(), "" | "identity" | "none")).collect()
    }
}

/// Takes a head apart: its first line, its headers, what was odd, and how long it is.
pub(super) fn parse(block: &[u8]) -> (&[u8], Headers<'_>, Vec<Oddity>, usize) {
    let mut lines = Lines(block);
    let first = lines.next().unwrap_or_default();
    let mut headers = Headers::default();
    let mut oddities = Vec::new();
    loop {
        let at = block.len() - lines.0.len();
        let Some(line) = lines.next() else {
            oddities.push(Oddity::NoEmptyLine);
            return (first, headers, oddities, block.len());
        };
        if line.trim_ascii().is_empty() {
            return (first, headers, oddities, block.len() - lines.0.len());
        }
        if let [b' ' | b'\t', ..] = line
            && let Some((_, value)) = headers.fields.last_mut()
        {
            fold(value, line.trim_ascii());
        } else if let Some(colon) = memchr::memchr(b':', line).filter(|_| line[0] != b'<') {
            let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
            headers.fields.push((name, Cow::Borrowed(value)));
        } else if line[0] == b'<' {
            // Markup starts, so the headers are over.
            oddities.push(Oddity::NoEmptyLine);
            return (first, headers, oddities, at);
        } else if !oddities.contains(&Oddity::NotAHeader) {
            oddities.push(Oddity::NotAHeader);
        }
    }
}

/// A line that goes on with the value before it.
fn fold(value: &mut Cow<'_, [u8]>, line: &[u8]) {
    let value = value.to_mut();
    if !value.is_empty() {
        value.push(b' ');
    }
    value.extend_from_slice(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_all_kinds() {
        let head = b"HTTP/1.1 200 OK\nA : 1\r\nnonsense\r\na:\t2\n  and 3\r\nB:\xe4\r\n \r\nbody";
        let (first, headers, oddities, length) = parse(head);
        assert_eq!(first, b"HTTP/1.1 200 OK");
        assert_eq!(headers.all("a").collect::<Vec<_>>(), [&b"1"[..], b"2 and 3"]);
        assert_eq!(headers.get("b"), Some(&b"\xe4"[..]));
        assert_eq!(headers.text("b").as_deref(), Some("ä"));
        assert_eq!(oddities, [Oddity::NotAHeader]);
        assert_eq!(&head[length..], b"body");
    }

    #[test]
    fn heads_without_an_end() {
        let (_, _, oddities, length) = parse(b"HTTP/1.1 200 OK\r\nA: b\r\n<html>");
        assert_eq!((oddities, length), (vec![Oddity::NoEmptyLine], 23));
        let (_, headers, oddities, length) = parse(b"HTTP/1.1 200 OK\r\nA: b");
        assert_eq!((oddities, length), (vec![Oddity::NoEmptyLine], 21));
        assert_eq!(headers.get("A"), Some(&b"b"[..]));
    }
}
