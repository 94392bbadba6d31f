//! Where a record starts.
//!
//! In a good file a record starts where the one before it ends. In others it has to be looked for: a
//! WARC record by its first line, an ARC record by a line that could be its head.

use memchr::{memchr, memmem};

use super::arc;

/// The two kinds of archive files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Warc,
    Arc,
}

/// Whether a record starts at the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Yes(Format),
    No,
    /// More bytes are needed to tell.
    Unsure,
}

/// Where a record starts in some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    Found(usize),
    /// Nowhere in so many bytes; the rest is to be looked at again when more have come.
    Clear(usize),
}

const MAGIC: &[u8] = b"WARC/";

/// `WARC/0.18`, blanks and a line end fit in here.
const LONGEST_VERSION_LINE: usize = 32;

/// Whether a record starts at the first of these bytes. A file's format is known after its first record.
pub(crate) fn starts(bytes: &[u8], known: Option<Format>) -> Start {
    let warc = if known == Some(Format::Arc) { Start::No } else { starts_warc(bytes) };
    if warc != Start::No || known == Some(Format::Warc) { warc } else { arc::starts(bytes) }
}

fn starts_warc(bytes: &[u8]) -> Start {
    let seen = bytes.len().min(MAGIC.len());
    if bytes[..seen] != MAGIC[..seen] {
        return Start::No;
    }
    let line = &bytes[seen..bytes.len().min(LONGEST_VERSION_LINE)];
    match memchr(b'\n', line) {
        Some(end) if is_version(line[..end].trim_ascii()) => Start::Yes(Format::Warc),
        None if bytes.len() < LONGEST_VERSION_LINE => Start::Unsure,
        _ => Start::No,
    }
}

fn is_version(text: &[u8]) -> bool {
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let dot = memchr(b'.', text);
    dot.is_some_and(|dot| digits(&text[..dot]) && digits(&text[dot + 1..]))
}

/// Looks for a record in bytes that are not known to hold one. With `lines`, only where a line starts,
/// the first byte excepted: inside a block, text that looks like a record is not rare enough.
pub(crate) fn search(bytes: &[u8], known: Option<Format>, lines: bool) -> Search {
    let warc = match known {
        Some(Format::Arc) => Search::Clear(bytes.len()),
        _ => search_warc(bytes, lines),
    };
    let arc = match known {
        Some(Format::Warc) => Search::Clear(bytes.len()),
        _ => search_arc(bytes),
    };
    match (warc, arc) {
        (Search::Found(one), Search::Found(other)) => Search::Found(one.min(other)),
        (Search::Found(at), Search::Clear(clear)) | (Search::Clear(clear), Search::Found(at)) => {
            if at <= clear {
                Search::Found(at)
            } else {
                Search::Clear(clear)
            }
        }
        (Search::Clear(one), Search::Clear(other)) => Search::Clear(one.min(other)),
    }
}

fn search_warc(bytes: &[u8], lines: bool) -> Search {
    for at in memmem::find_iter(bytes, MAGIC) {
        if lines && (at == 0 || bytes[at - 1] != b'\n') {
            continue;
        }
        match starts_warc(&bytes[at..]) {
            Start::Yes(_) => return Search::Found(at),
            Start::Unsure => return Search::Clear(at.saturating_sub(SEPARATOR)),
            Start::No => {}
        }
    }
    Search::Clear(bytes.len().saturating_sub(SEPARATOR + MAGIC.len() - 1))
}

fn search_arc(bytes: &[u8]) -> Search {
    for newline in memchr::memchr_iter(b'\n', bytes) {
        let at = newline + 1;
        match arc::starts(&bytes[at..]) {
            Start::Yes(_) => return Search::Found(at),
            Start::Unsure => return Search::Clear(at.saturating_sub(SEPARATOR)),
            Start::No => {}
        }
    }
    Search::Clear(bytes.len().saturating_sub(SEPARATOR))
}

/// The longest separator: two line ends.
const SEPARATOR: usize = 4;

/// Where a block ends that is followed by the next record at `next`: before the separator.
pub(crate) fn before_separator(bytes: &[u8], next: usize, format: Option<Format>) -> usize {
    let line_ends = if format == Some(Format::Arc) { 1 } else { 2 };
    let mut end = next;
    for _ in 0..line_ends {
        end = match &bytes[..end] {
            [.., b'\r', b'\n'] if line_ends == 2 => end - 2,
            [.., b'\n'] => end - 1,
            _ => end,
        };
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_known_by_their_first_line() {
        let check =
            |bytes: &str, start| assert_eq!(starts(bytes.as_bytes(), None), start, "{bytes}");
        check("WARC/1.1\r\nWARC-Type", Start::Yes(Format::Warc));
        check("WARC/0.18\nWARC-Type", Start::Yes(Format::Warc));
        check("WARC/1.0 \r\n", Start::Yes(Format::Warc));
        check("WAR", Start::Unsure);
        check("WARC/1.0", Start::Unsure);
        check("WARC/one\r\n", Start::No);
        check("WARC/1.0 is the name of a format, as everybody knows", Start::No);
        check("http://a.b/c d 127.0.0.1 20200101000000 text/html 12\n", Start::Yes(Format::Arc));
        check("http://a.b/", Start::Unsure);
        check("<html>\n", Start::No);
        check("GET http://a.b/ HTTP/1.1 x y z\n", Start::No);
    }

    #[test]
    fn a_record_is_found_after_garbage() {
        let find = |bytes: &str, lines| search(bytes.as_bytes(), Some(Format::Warc), lines);
        assert_eq!(find("</p>WARC/1.0\r\nWARC-Type: x", false), Search::Found(4));
        assert_eq!(find("</p>WARC/1.0\r\nWARC-Type: x and more", true), Search::Clear(27));
        assert_eq!(find("</p>\nWARC/1.0\r\n", true), Search::Found(5));
        assert_eq!(find("0123456789\r\n\r\nWARC/1", true), Search::Clear(10));
        let arc = b"x\n\ndns:a.b 1.1.1.1 20200101000000 text/dns 1\n";
        assert_eq!(search(arc, Some(Format::Arc), true), Search::Found(3));
        assert_eq!(search(arc, None, false), Search::Found(3));
    }
}
