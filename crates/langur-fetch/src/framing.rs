//! Where a body ends.
//!
//! RFC 9112, section 6.3: by its length, by its last chunk, or with the connection. The bytes stay where
//! they are; a [`Framing`] is shown them as they come and says when the message is over. What is
//! malformed it says too, and there the reading ends, since nothing after it can be trusted.

use memchr::memchr;

/// Where a body ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// After so many bytes more.
    Length(u64),
    /// After the last chunk and the trailer.
    Chunked(Chunk),
    /// When the connection is closed.
    Close,
}

/// Where in a chunk the reading stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chunk {
    /// In the size; none if no digit has come yet.
    Size(Option<u64>),
    /// After the size, before the line's end.
    Extension(u64),
    /// In the bytes, with so many to come.
    Bytes(u64),
    /// In the line end after the bytes.
    End,
    /// In the trailer, in a line with something in it or not.
    Trailer { blank: bool },
}

/// What is known after more bytes came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The message ended after so many of them.
    Ended(usize),
    /// All of them are part of it, and it goes on.
    More,
    /// They make no sense.
    Malformed,
}

impl Framing {
    pub(crate) fn chunked() -> Framing {
        Framing::Chunked(Chunk::Size(None))
    }

    /// Takes the bytes that follow those of the last call.
    pub(crate) fn advance(&mut self, bytes: &[u8]) -> Progress {
        match self {
            Framing::Close => Progress::More,
            Framing::Length(left) => match usize::try_from(*left) {
                Ok(left) if left <= bytes.len() => Progress::Ended(left),
                _ => {
                    *left -= bytes.len() as u64;
                    Progress::More
                }
            },
            Framing::Chunked(chunk) => chunk.advance(bytes),
        }
    }
}

impl Chunk {
    fn advance(&mut self, bytes: &[u8]) -> Progress {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match *self {
                Chunk::Bytes(left) => {
                    let taken = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len() - at);
                    at += taken;
                    let left = left - taken as u64;
                    *self = if left == 0 { Chunk::End } else { Chunk::Bytes(left) };
                    continue;
                }
                // Extensions mean nothing to us, and can be long.
                Chunk::Extension(size) => {
                    let Some(end) = memchr(b'\n', &bytes[at..]) else { return Progress::More };
                    at += end;
                    *self = Chunk::after_line(size);
                }
                Chunk::Size(size) => match (byte, size) {
                    (b'\r' | b';' | b' ' | b'\t', Some(size)) => *self = Chunk::Extension(size),
                    (b'\n', Some(size)) => *self = Chunk::after_line(size),
                    _ => match push_digit(size.unwrap_or(0), byte) {
                        Some(size) => *self = Chunk::Size(Some(size)),
                        None => return Progress::Malformed,
                    },
                },
                Chunk::End => match byte {
                    b'\r' => {}
                    b'\n' => *self = Chunk::Size(None),
                    _ => return Progress::Malformed,
                },
                Chunk::Trailer { blank } => match byte {
                    b'\n' if blank => return Progress::Ended(at + 1),
                    b'\n' => *self = Chunk::Trailer { blank: true },
                    b'\r' => {}
                    _ => *self = Chunk::Trailer { blank: false },
                },
            }
            at += 1;
        }
        Progress::More
    }

    fn after_line(size: u64) -> Chunk {
        if size == 0 { Chunk::Trailer { blank: true } } else { Chunk::Bytes(size) }
    }
}

fn push_digit(size: u64, byte: u8) -> Option<u64> {
    let digit = char::from(byte).to_digit(16)?;
    size.checked_mul(16)?.checked_add(u64::from(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the bytes are cut, the answer is the same.
    #[track_caller]
    fn check(framing: Framing, bytes: &[u8], expected: Progress) {
        for step in 1..=bytes.len().max(1) {
            let mut framing = framing.clone();
            let mut before = 0;
            let mut progress = Progress::More;
            for part in bytes.chunks(step) {
                progress = framing.advance(part);
                if let Progress::Ended(at) = &mut progress {
                    *at += before;
                }
                if progress != Progress::More {
                    break;
                }
                before += part.len();
            }
            assert_eq!(progress, expected, "{step} at a time");
        }
    }

    #[test]
    fn a_length_ends_where_it_says() {
        check(Framing::Length(5), b"12345", Progress::Ended(5));
        check(Framing::Length(5), b"12345HTTP/1.1", Progress::Ended(5));
        check(Framing::Length(6), b"12345", Progress::More);
        check(Framing::Length(u64::MAX), b"12345", Progress::More);
        assert_eq!(Framing::Length(0).advance(b""), Progress::Ended(0));
    }

    #[test]
    fn without_either_the_connection_ends_it() {
        check(Framing::Close, b"0\r\n\r\n", Progress::More);
    }

    #[test]
    fn chunks_end_after_the_trailer() {
        let check = |bytes: &[u8], expected| check(Framing::chunked(), bytes, expected);
        check(b"0\r\n\r\n", Progress::Ended(5));
        check(b"3\r\nabc\r\n0\r\n\r\nmore", Progress::Ended(13));
        check(b"003;a=\"b\"\r\nabc\r\nA \r\n0123456789\r\n0;z\r\n\r\n", Progress::Ended(39));
        check(b"0\r\nExpires: never\r\nX: y\r\n\r\n", Progress::Ended(27));
        check(b"3\nabc\n0\n\n", Progress::Ended(9));
        check(b"3\r\nabc\r\n0\r\n", Progress::More);
        check(b"ffffffffffffffff\r\nabc", Progress::More);
    }

    #[test]
    fn what_is_no_chunk_is_malformed() {
        let check = |bytes: &[u8]| check(Framing::chunked(), bytes, Progress::Malformed);
        check(b"<html>");
        check(b"\r\n");
        check(b"-1\r\n");
        check(b"10000000000000000\r\n");
        check(b"3\r\nabcd\r\n");
    }
}
