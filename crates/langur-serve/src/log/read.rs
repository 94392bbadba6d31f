//! Reading a request log.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{FORMAT, Header, Row, VERSION};

/// The longest line that can be a row: a URL of the longest head, all of it escaped.
const LINE: u64 = 1 << 20;

/// A request log, in the order in which the requests came in.
#[derive(Clone, Debug)]
pub struct RequestLog {
    /// What its first line says.
    pub header: Header,
    /// The requests.
    pub rows: Vec<Row>,
    /// How many lines could not be read, and the first of them.
    pub damage: Option<Damage>,
}

/// Lines that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// How many.
    pub lines: u64,
    /// The number of the first, from 1.
    pub first: u64,
    /// Why the first could not be read.
    pub why: String,
    /// Whether the file ends within a line, as after a full disk or a copy made too early.
    pub cut_short: bool,
}

/// Why a request log could not be written or read.
#[derive(Debug, Error)]
pub enum LogError {
    /// Something is already there.
    #[error("\"{}\" is already there\n  choose another name for the request log, or remove it", .0.display())]
    Exists(PathBuf),
    /// The system did not let it be written.
    #[error("cannot write the request log {}: {}", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
    /// The system did not let it be read.
    #[error("cannot read the request log {}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    /// It is something else.
    #[error("\"{}\" is not a request log: its first line does not say so\n  request logs are written by: langur archive serve --log FILE", .0.display())]
    NotALog(PathBuf),
    /// It was written by a later Langur.
    #[error("request log \"{}\" has format version {found}, and this langur reads version {VERSION}\n  use the langur that wrote it", .path.display())]
    Version {
        /// The log.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
}

impl RequestLog {
    /// Reads a log. Lines that are no rows are counted and left out.
    pub fn read(path: &Path) -> Result<RequestLog, LogError> {
        let unreadable = |error| LogError::Read(path.to_owned(), error);
        let mut lines = BufReader::new(File::open(path).map_err(unreadable)?);
        let first = Line::next(&mut lines).map_err(unreadable)?.unwrap_or_default();
        let mut log = RequestLog { header: header(path, &first)?, rows: vec![], damage: None };
        let mut number = 1;
        while let Some(line) = Line::next(&mut lines).map_err(unreadable)? {
            number += 1;
            match serde_json::from_slice(&line.bytes) {
                Ok(row) => log.rows.push(row),
                Err(error) => log.note(number, &error.to_string(), !line.ended),
            }
        }
        log.rows.sort_by_key(|row| row.number);
        Ok(log)
    }

    fn note(&mut self, line: u64, why: &str, cut_short: bool) {
        let damage = self.damage.get_or_insert_with(|| Damage {
            lines: 0,
            first: line,
            why: why.to_owned(),
            cut_short: false,
        });
        damage.lines += 1;
        damage.cut_short |= cut_short;
    }
}

fn header(path: &Path, line: &Line) -> Result<Header, LogError> {
    let not_a_log = || LogError::NotALog(path.to_owned());
    let object: serde_json::Value = serde_json::from_slice(&line.bytes).map_err(|_| not_a_log())?;
    if object["format"] != FORMAT {
        return Err(not_a_log());
    }
    match object["version"].as_u64() {
        Some(version) if version == u64::from(VERSION) => {}
        Some(found) => return Err(LogError::Version { path: path.to_owned(), found }),
        None => return Err(not_a_log()),
    }
    serde_json::from_value(object).map_err(|_| not_a_log())
}

/// A line, as much of it as can be a row.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    ended: bool,
}

impl Line {
    fn next(lines: &mut impl BufRead) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        if lines.by_ref().take(LINE).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let mut ended = bytes.last() == Some(&b'\n');
        if !ended && bytes.len() as u64 == LINE {
            ended = skip_line(lines)?;
        }
        Ok(Some(Line { bytes, ended }))
    }
}

/// Skips the rest of a line; whether it ends.
fn skip_line(lines: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        lines.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::conditions::{Conditions, Latency};
    use crate::log::LogWriter;

    fn row(number: u64, url: &str) -> Row {
        Row {
            number,
            at_ms: number * 10,
            client: "0a".to_owned(),
            method: "GET".to_owned(),
            url: url.to_owned(),
            host: "a.example".to_owned(),
            status: 200,
            bytes: 5,
            archived: true,
            user_agent: "Wget \"quoted\"".to_owned(),
            since_ms: (number > 1).then_some(10),
            concurrent: 1,
            too_soon: false,
            too_many: false,
            disallowed: false,
        }
    }

    #[test]
    fn what_is_written_is_read_in_the_order_of_arrival() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let path = scratch.path().join("requests.jsonl");
        let conditions = Conditions { latency: Latency::Spread(1, 2), ..Conditions::default() };
        let log = LogWriter::create(&path, &conditions).expect("a new log");
        let rows = [row(1, "http://a.example/"), row(2, "http://a.example/\u{e9}\n")];
        log.write(&rows[1]).expect("written");
        log.write(&rows[0]).expect("written");
        let read = RequestLog::read(&path).expect("a log");
        assert_eq!(read.header.conditions, conditions);
        assert_eq!(read.rows, rows);
        assert_eq!(read.damage, None);
        assert!(matches!(LogWriter::create(&path, &conditions), Err(LogError::Exists(_))));
    }

    #[test]
    fn a_damaged_log_gives_the_rows_it_has() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let path = scratch.path().join("requests.jsonl");
        let log = LogWriter::create(&path, &Conditions::default()).expect("a new log");
        log.write(&row(1, "http://a.example/")).expect("written");
        let mut text = fs::read_to_string(&path).expect("the log");
        text.push_str(&"x".repeat(2 << 20));
        text.push_str("\n{\"number\":2,\"at_");
        fs::write(&path, text).expect("written");
        let read = RequestLog::read(&path).expect("a log");
        assert_eq!(read.rows.len(), 1);
        let damage = read.damage.expect("damage");
        assert_eq!((damage.lines, damage.first, damage.cut_short), (2, 3, true));
    }

    #[test]
    fn another_file_is_not_a_log() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let path = scratch.path().join("other");
        for text in ["", "text", "{}", "[1]", "{\"format\":\"langur request log\"}"] {
            fs::write(&path, text).expect("written");
            assert!(matches!(RequestLog::read(&path), Err(LogError::NotALog(_))), "{text}");
        }
        fs::write(&path, "{\"format\":\"langur request log\",\"version\":2}").expect("written");
        assert!(matches!(RequestLog::read(&path), Err(LogError::Version { found: 2, .. })));
    }
}
