//! The line before every record of an ARC file.
//!
//! Version 1: URL, IP address, date, type, length. Version 2 has result code, checksum, location,
//! offset and file name between type and length. URLs with spaces occur, so lines are taken apart from
//! the right ([Internet Archive, "ARC file format"](https://archive.org/web/researcher/ArcFileFormat.php)).

use memchr::memchr;

use super::format::{Format, Start};

/// URLs are shorter.
const LONGEST_LINE: usize = 16 << 10;

/// The names of a line's fields, as a WARC record would call them where it has a name for them.
const FIELDS_1: [&str; 5] =
    ["WARC-Target-URI", "WARC-IP-Address", "WARC-Date", "Content-Type", "Content-Length"];
const FIELDS_2: [&str; 10] = [
    "WARC-Target-URI",
    "WARC-IP-Address",
    "WARC-Date",
    "Content-Type",
    "Result-Code",
    "Checksum",
    "Location",
    "Offset",
    "Filename",
    "Content-Length",
];

/// Whether these bytes start with the line of a record.
pub(super) fn starts(bytes: &[u8]) -> Start {
    if !bytes.first().is_none_or(u8::is_ascii_alphabetic) {
        return Start::No;
    }
    let seen = &bytes[..bytes.len().min(LONGEST_LINE)];
    let scheme = seen.iter().take_while(|byte| is_of_scheme(**byte)).count();
    if seen.get(scheme).is_some_and(|&byte| byte != b':') {
        return Start::No;
    }
    match memchr(b'\n', seen) {
        Some(end) if fields(&seen[..end]).is_some() => Start::Yes(Format::Arc),
        None if seen.len() < LONGEST_LINE => Start::Unsure,
        _ => Start::No,
    }
}

fn is_of_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The fields of a line with their names, or nothing if it is no such line.
pub(super) fn fields(line: &[u8]) -> Option<Vec<(&'static str, &[u8])>> {
    let line = line.trim_ascii_end();
    // A line of version 2 can look like one of version 1, but not the other way round.
    split(line, &FIELDS_2)
        .filter(|fields| fields[2].1.iter().all(u8::is_ascii_digit))
        .or_else(|| split(line, &FIELDS_1))
}

fn split<'l>(line: &'l [u8], names: &[&'static str]) -> Option<Vec<(&'static str, &'l [u8])>> {
    let mut parts: Vec<&[u8]> = line.rsplitn(names.len(), |&byte| byte == b' ').collect();
    parts.reverse();
    let is_line = parts.len() == names.len() && !parts[0].is_empty() && is_address(parts[1]);
    is_line.then(|| names.iter().copied().zip(parts).collect())
}

/// IP addresses; some writers put a dash where they know none.
fn is_address(text: &[u8]) -> bool {
    let of_address = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':');
    text == b"-"
        || (text.len() > 2
            && text.iter().all(of_address)
            && text.iter().any(|b| !b.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(line: &str) -> Vec<&str> {
        let fields = fields(line.as_bytes()).unwrap_or_default();
        fields.iter().map(|(_, value)| std::str::from_utf8(value).expect("text")).collect()
    }

    #[test]
    fn lines_are_taken_apart_from_the_right() {
        assert_eq!(
            values("http://a.b/c d.html 127.0.0.1 20200101000000 text/html 12\r"),
            ["http://a.b/c d.html", "127.0.0.1", "20200101000000", "text/html", "12"]
        );
        assert_eq!(
            values("http://a.b/ 1.2.3.4 20200101000000 text/html 200 ab12 - 77 x.arc 5"),
            "http://a.b/ 1.2.3.4 20200101000000 text/html 200 ab12 - 77 x.arc 5"
                .split(' ')
                .collect::<Vec<_>>()
        );
        assert!(values("http://a.b/ somewhere 20200101000000 text/html 12").is_empty());
    }
}
