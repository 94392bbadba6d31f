//! A record by itself, whole and in memory.

use memchr::memmem;

use super::Head;
use super::format::{self, Format, Start};

/// The end of a head's last line and the empty line, and what a record ends with.
const TWO_ENDS: &[u8] = b"\r\n\r\n";

/// The head and the block of a WARC record, if the bytes are just that, and nothing is odd about it. What is odd, and how
/// it is to be read nevertheless, [`Records`](super::Records) knows; this is the quick way for all others.
pub(crate) fn alone(record: &[u8]) -> Option<(Head, &[u8])> {
    if format::starts(record, None) != Start::Yes(Format::Warc) {
        return None;
    }
    let end = memmem::find(record, TWO_ENDS)? + 2;
    let (lines, block) = (&record[..end], record[end + 2..].strip_suffix(TWO_ENDS)?);
    let mut head = Head::default();
    let is_odd = memmem::find(lines, b"\nHTTP/").is_some() || !head.read_warc(lines).is_empty();
    (!is_odd && head.content_length() == Some(block.len() as u64)).then_some((head, block))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Records;

    const RECORD: &str = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
        WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\nWARC-Target-URI: http://a.example/\r\n\
        Content-Length: 5\r\n\r\nhello\r\n\r\n";

    #[test]
    fn a_record_by_itself_is_as_among_others() {
        let (head, block) = alone(RECORD.as_bytes()).expect("a record");
        let mut records = Records::new(RECORD.as_bytes(), "x.warc").expect("an archive");
        let mut record = records.next().expect("read").expect("a record");
        let mut other = Vec::new();
        record.read_block(&mut other, 100).expect("read");
        assert_eq!(
            (block, head.headers().collect::<Vec<_>>()),
            (&other[..], record.head.headers().collect())
        );
    }

    #[test]
    fn what_is_odd_is_left_to_others() {
        assert!(alone(RECORD.as_bytes()).is_some());
        for (from, to) in [
            ("WARC/1.0", "WURC/1.0"),
            ("Length: 5", "Length: 4"),
            ("Length: 5", "Length: 6"),
            ("Length: 5", "Length: five"),
            ("hello\r\n\r\n", "hello\r\n"),
            ("hello\r\n\r\n", "hello\r\n\r\n\r\n"),
            ("WARC-Date: 2024-01-01T00:00:00Z\r\n", ""),
            ("WARC-Type", "HTTP/1.1 200 OK\r\nWARC-Type"),
            ("\r\n", "\n"),
        ] {
            assert!(alone(RECORD.replace(from, to).as_bytes()).is_none(), "{from:?} to {to:?}");
        }
    }
}
