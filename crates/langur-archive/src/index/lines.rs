//! Lines of any index, and what is wrong with some.
//!
//! Indexes are read leniently: comments and first lines are understood, and a wrong line is reported
//! with its place while the rest is read.

use std::fmt;
use std::io::{self, BufRead, Read};

use thiserror::Error;

use super::{Capture, Layout};

/// The longest line that is read. URLs are shorter; what is longer is not an index.
pub(super) const LONGEST_LINE: u64 = 1 << 20;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// No line of an index at all.
    #[error("it does not begin with a key and a timestamp")]
    Shape,
    /// No moment.
    #[error("\"{0}\" is not a timestamp of 4 to 17 digits")]
    Timestamp(String),
    /// Broken JSON.
    #[error("its JSON is broken: {0}")]
    Json(String),
    /// Too many fields, or too few.
    #[error("it has {found} fields instead of {expected}")]
    Fields {
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// Fields that nothing tells the meaning of.
    #[error("it has {0} fields, and no line \" CDX N b a …\" before it says which")]
    NoHeader(usize),
    /// Not UTF-8.
    #[error("it is not UTF-8")]
    NotText,
    /// Endless.
    #[error("it is longer than {LONGEST_LINE} bytes")]
    TooLong,
}

/// A line that could not be read, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// The file.
    pub at: String,
    /// Where in the file.
    pub position: Position,
    /// What is wrong.
    pub why: LineError,
}

/// Where a line stands. A search does not know how many lines it passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The number of the line, from 1.
    Line(u64),
    /// The offset of its first byte; within the uncompressed block in compressed indexes.
    Byte(u64),
}

impl fmt::Display for WrongLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Position::Line(line) => write!(f, "{}:{line}: {}", self.at, self.why),
            Position::Byte(byte) => write!(f, "{} at byte {byte}: {}", self.at, self.why),
        }
    }
}

/// Whether a line is a comment, a first line or empty: nothing that could be a capture.
pub(super) fn is_note(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.is_empty() || line.starts_with(b"!") || is_header(line)
}

pub(super) fn is_header(line: &[u8]) -> bool {
    // Asked of every line a search looks at, so that most are told by their first bytes.
    line.get(1..4).is_some_and(|word| word == b"CDX")
        && std::str::from_utf8(line).is_ok_and(|line| Layout::from_header(line).is_some())
}

/// Reads a line that is not a note: CDXJ, or CDX of this layout, or of one that can be guessed.
pub fn parse_line(line: &[u8], layout: Option<&Layout>) -> Result<Capture, LineError> {
    let line = std::str::from_utf8(line).map_err(|_| LineError::NotText)?;
    if line.splitn(3, ' ').nth(2).is_some_and(|rest| rest.starts_with('{')) {
        return Capture::from_cdxj(line);
    }
    match layout {
        Some(layout) => layout.capture(line),
        None => {
            let fields = line.split(' ').count();
            let second = line.split(' ').nth(1).unwrap_or_default();
            if fields < 3 || !second.bytes().all(|b| b.is_ascii_digit()) {
                return Err(LineError::Shape);
            }
            let layout = Layout::with_fields(fields).ok_or(LineError::NoHeader(fields))?;
            layout.capture(line)
        }
    }
}

/// The captures of an index from its first line to its last, in any of the line formats.
pub struct CaptureReader<R> {
    lines: R,
    at: String,
    number: u64,
    layout: Option<Layout>,
    line: Vec<u8>,
}

impl<R: BufRead> CaptureReader<R> {
    /// Reads lines; `at` names the file in reports.
    pub fn new(lines: R, at: &str) -> CaptureReader<R> {
        CaptureReader { lines, at: at.to_owned(), number: 0, layout: None, line: Vec::new() }
    }

    /// Takes the next line, without its end; false when there is none.
    fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.number += 1;
        let limit = LONGEST_LINE + 1;
        let read = self.lines.by_ref().take(limit).read_until(b'\n', &mut self.line)?;
        if read as u64 == limit && !self.line.ends_with(b"\n") {
            skip_line(&mut self.lines)?;
        }
        Ok(read > 0)
    }
}

impl<R: BufRead> Iterator for CaptureReader<R> {
    /// A capture or a wrong line; or nothing more than an error if the file cannot be read on.
    type Item = io::Result<Result<Capture, WrongLine>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
            let line = self.line.trim_ascii_end();
            if is_header(line) {
                self.layout = std::str::from_utf8(line).ok().and_then(Layout::from_header);
            }
            if is_note(line) {
                continue;
            }
            let parsed = match self.line.len() as u64 > LONGEST_LINE {
                true => Err(LineError::TooLong),
                false => parse_line(line, self.layout.as_ref()),
            };
            let position = Position::Line(self.number);
            let wrong = |why| WrongLine { at: self.at.clone(), position, why };
            return Some(Ok(parsed.map_err(wrong)));
        }
    }
}

/// Passes over the rest of a line without keeping it.
fn skip_line(lines: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = memchr::memchr(b'\n', buffer);
        let used = end.map_or(buffer.len(), |end| end + 1);
        lines.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

/// A piece of foreign text, short enough for a message.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
