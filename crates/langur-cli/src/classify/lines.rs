//! Texts that come a line each, perhaps from a stream without an end.
//!
//! Whatever one read brings is a batch: whoever writes a line gets its verdict before the next one is
//! waited for, and memory holds a block and the line it ends in. A line that is valid UTF-8 is read as
//! such; the others are in the charset that they are found to be in together, as far as they have come.

use std::io::{ErrorKind, Read};

use anyhow::{Context, Result, bail};
use langur_page::{Charset, decide};

/// What is read at once, the most that a pipe holds; and as much is looked at for the charset.
const BLOCK: usize = 64 << 10;
/// Whatever is longer is not meant to be a line.
const LONGEST: usize = 64 << 20;

/// Reads lines in batches.
pub struct Lines<'l, R> {
    from: R,
    /// Where they come from, for messages.
    name: &'l str,
    content_type: Option<&'l str>,
    /// What was read and given to no batch yet: the beginning of a line.
    pending: Vec<u8>,
    has_begun: bool,
    /// The charset of all lines, if it has more than a byte for a line's end.
    wide: Option<Charset>,
    /// Lines that are not valid UTF-8.
    other: Sample,
    /// Lines of ASCII with what may be escapes of a charset in seven bits.
    escaped: Sample,
}

/// Lines of one kind, of which the charset is to be found.
#[derive(Default)]
struct Sample {
    bytes: Vec<u8>,
    charset: Option<Charset>,
}

impl<'l, R: Read> Lines<'l, R> {
    pub fn new(from: R, name: &'l str, content_type: Option<&'l str>) -> Lines<'l, R> {
        Lines {
            from,
            name,
            content_type,
            pending: Vec::new(),
            has_begun: false,
            wide: None,
            other: Sample::default(),
            escaped: Sample::default(),
        }
    }

    /// The lines that have come meanwhile, at least one; none at the end.
    pub fn batch(&mut self) -> Result<Option<Vec<String>>> {
        loop {
            let known = self.pending.len();
            let at_end = self.read_block()? == 0;
            let is_first = !self.has_begun;
            if is_first {
                self.has_begun = true;
                let charset = decide(&self.pending, self.content_type).charset;
                self.wide = Some(charset).filter(|charset| !charset.is_ascii_compatible());
                self.tell(self.wide);
            }
            let end = if at_end { self.pending.len() } else { self.end_of_lines(known) };
            if end > 0 {
                let bytes: Vec<u8> = self.pending.drain(..end).collect();
                let mut lines = self.decode(&bytes);
                if is_first && let Some(rest) = lines[0].strip_prefix('\u{feff}') {
                    lines[0] = rest.to_owned();
                }
                return Ok(Some(lines));
            }
            if at_end {
                return Ok(None);
            }
            if self.pending.len() > LONGEST {
                bail!(
                    "{} has a line of more than {} MiB\n  without --lines it is judged as a whole",
                    self.name,
                    LONGEST >> 20
                );
            }
        }
    }

    /// Reads what there is, and waits if there is nothing.
    fn read_block(&mut self) -> Result<usize> {
        let known = self.pending.len();
        self.pending.resize(known + BLOCK, 0);
        let read = loop {
            match self.from.read(&mut self.pending[known..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.pending.truncate(known + read.as_ref().map_or(0, |read| *read));
        read.with_context(|| format!("{} cannot be read", self.name))
    }

    /// Where the last whole line ends, if one does after `known` bytes.
    fn end_of_lines(&self, known: usize) -> usize {
        let newline = self.newline();
        let width = newline.len();
        let from = known / width * width;
        let mut units = self.pending[from..].chunks_exact(width);
        units.rposition(|unit| unit == newline).map_or(0, |at| from + (at + 1) * width)
    }

    /// A line's end in bytes.
    fn newline(&self) -> &'static [u8] {
        match self.wide.map_or("UTF-8", Charset::name) {
            "UTF-16LE" => b"\n\0",
            "UTF-16BE" => b"\0\n",
            "UTF-32LE" => b"\n\0\0\0",
            "UTF-32BE" => b"\0\0\0\n",
            _ => b"\n",
        }
    }

    fn decode(&mut self, bytes: &[u8]) -> Vec<String> {
        let lines = split(bytes, self.newline());
        if self.wide.is_none() {
            self.look_at(&lines);
        }
        let text = |line: &&[u8]| {
            let text = self.charset_of(line).decode(line);
            text.strip_suffix('\r').unwrap_or(&text).to_owned()
        };
        lines.iter().map(text).collect()
    }

    /// Finds the charsets of lines that are not UTF-8, and says which.
    fn look_at(&mut self, lines: &[&[u8]]) {
        let others = lines.iter().filter(|line| !is_utf_8(line));
        let other = self.other.add(others, self.content_type);
        let escaped = lines.iter().filter(|line| may_be_escaped(line));
        let escaped = self.escaped.add(escaped, self.content_type);
        self.tell(other);
        self.tell(escaped);
    }

    fn charset_of(&self, line: &[u8]) -> Charset {
        let found = match self.wide {
            Some(charset) => Some(charset),
            None if may_be_escaped(line) => self.escaped.charset,
            None if is_utf_8(line) => None,
            None => self.other.charset,
        };
        found.unwrap_or(Charset::UTF_8)
    }

    fn tell(&self, charset: Option<Charset>) {
        if let Some(charset) = charset {
            eprintln!("langur: what is not UTF-8 in {} is read in {charset}", self.name);
        }
    }
}

impl Sample {
    /// Looks at more lines, until a block is full; the charset, if it is another than before.
    fn add<'b>(
        &mut self,
        lines: impl Iterator<Item = &'b &'b [u8]>,
        content_type: Option<&str>,
    ) -> Option<Charset> {
        let known = self.bytes.len();
        for line in lines {
            if self.bytes.len() >= BLOCK {
                break;
            }
            self.bytes.extend(*line);
            self.bytes.push(b'\n');
        }
        if self.bytes.len() == known {
            return None;
        }
        let found = decide(&self.bytes, content_type).charset;
        let found = Some(found).filter(|found| *found != Charset::UTF_8);
        let is_new = found != self.charset;
        self.charset = found;
        found.filter(|_| is_new)
    }
}

fn split<'b>(bytes: &'b [u8], newline: &[u8]) -> Vec<&'b [u8]> {
    let width = newline.len();
    let mut lines = Vec::new();
    let mut begin = 0;
    for (at, unit) in bytes.chunks_exact(width).enumerate() {
        if unit == newline {
            lines.push(&bytes[begin..at * width]);
            begin = (at + 1) * width;
        }
    }
    if begin < bytes.len() {
        lines.push(&bytes[begin..]);
    }
    lines
}

fn is_utf_8(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok()
}

/// Whether a line of ASCII may be in a charset of seven bits: ISO-2022 or HZ.
fn may_be_escaped(line: &[u8]) -> bool {
    line.is_ascii() && line.iter().any(|byte| matches!(byte, 0x1b | 0x0e | b'~'))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use super::*;

    /// A stream that brings what it is given, piece by piece.
    struct Pieces(VecDeque<Vec<u8>>);

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Some(piece) = self.0.pop_front() else { return Ok(0) };
            into[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }

    #[track_caller]
    fn check(pieces: &[&[u8]], batches: &[&[&str]]) {
        let from = Pieces(pieces.iter().map(|piece| piece.to_vec()).collect());
        let mut lines = Lines::new(from, "a test", None);
        let mut found = Vec::new();
        while let Some(batch) = lines.batch().expect("readable") {
            found.push(batch);
        }
        assert_eq!(found, batches);
    }

    #[test]
    fn lines_come_as_soon_as_they_are_whole() {
        check(&[b"a\nb", b"c\n", b"d"], &[&["a"], &["bc"], &["d"]]);
        check(&[b"a\r\n\nb\n"], &[&["a", "", "b"]]);
        check(&[], &[]);
        check(&["\u{feff}a\n\u{feff}b\n".as_bytes()], &[&["a", "\u{feff}b"]]);
    }

    #[test]
    fn a_line_of_utf_8_stays_one_among_others() {
        let thai = "ประเทศไทยมีภาษาไทยเป็นภาษาราชการ";
        let legacy: Vec<u8> = thai.chars().map(|c| (c as u32 - 0xe00 + 0xa0) as u8).collect();
        let mixed = [thai.as_bytes(), b"\n", &legacy, b"\n"].concat();
        check(&[b"only ASCII\n", &mixed], &[&["only ASCII"], &[thai, thai]]);
    }

    #[test]
    fn charsets_of_seven_bits_and_of_wide_units_are_read() {
        let escaped = b"plain ~ text\n\x1b$BF|K\\8l$N%Z!<%8$r=8$a$k\x1b(B\n";
        check(&[escaped], &[&["plain ~ text", "日本語のページを集める"]]);
        let wide: Vec<u8> =
            "\u{feff}ein\nzwei\r\nĊ".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (first, rest) = wide.split_at(11);
        check(&[first, rest], &[&["ein"], &["zwei"], &["Ċ"]]);
    }

    #[test]
    fn a_line_without_end_is_no_line() {
        let mut lines = Lines::new(io::repeat(b'a'), "a test", None);
        let error = lines.batch().expect_err("too long").to_string();
        assert!(error.contains("a line of more than 64 MiB"), "{error}");
    }
}
