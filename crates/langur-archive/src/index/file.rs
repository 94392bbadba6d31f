//! A sorted file of CDX or CDXJ lines.

use std::ops::ControlFlow;

use bytes::Bytes;
use langur_page::canon::archive::cdx_key;
use langur_store::Store;

use super::capture::plain_key;
use super::lines::{Position, is_note, parse_line, shortened};
use super::text::Text;
use super::{Capture, IndexError, Keys, Layout, LineError, WrongLine};

/// A sorted file of CDX or CDXJ lines, searched by halving.
///
/// Small files that are not sorted, as some are that were written by one archive's reader, are sorted
/// in memory; large ones are refused. Files whose keys are URLs as they are, with hosts in order, are
/// understood as well.
pub struct IndexFile {
    text: Text,
    layout: Option<Layout>,
    /// Whether keys are plain: `example.com/` instead of `com,example)/`.
    plain: bool,
}

/// Files up to this size are looked through when opened.
const SMALL: u64 = 16 << 20;

/// Lines that are looked at for one that makes sense.
const FIRST_LINES: usize = 1000;

impl IndexFile {
    /// Opens an index. It is mapped if it lies on this machine, read by ranges if not, and inflated in
    /// memory if its name ends in `.gz`.
    pub fn open(store: &Store, name: &str) -> Result<IndexFile, IndexError> {
        let compressed = name.ends_with(".gz");
        let text = if compressed { Text::inflate(store, name)? } else { Text::open(store, name)? };
        IndexFile::over(text)
    }

    /// An index in memory; `at` names it in reports.
    pub fn in_memory(at: &str, bytes: Bytes) -> Result<IndexFile, IndexError> {
        IndexFile::over(Text::of(at.to_owned(), bytes))
    }

    fn over(text: Text) -> Result<IndexFile, IndexError> {
        let text = sorted(text)?;
        let mut index = IndexFile { text, layout: None, plain: false };
        let mut place = 0;
        while let Some(line) = index.text.line_from(place)? {
            place = line.next;
            if !is_note(&line.bytes) {
                index.plain = is_plain(&line.bytes);
                break;
            }
            let note = String::from_utf8_lossy(&line.bytes);
            index.layout = Layout::from_header(&note).or(index.layout);
        }
        Ok(index)
    }

    /// What is wrong with its first line, if there are lines and none of the first makes sense.
    pub(super) fn wrong_throughout(&self) -> Result<Option<LineError>, IndexError> {
        let (mut place, mut wrong) = (0, None);
        for _ in 0..FIRST_LINES {
            let Some(line) = self.text.entry_from(place)? else { break };
            place = line.next;
            match parse_line(line.bytes.trim_ascii_end(), self.layout.as_ref()) {
                Ok(_) => return Ok(None),
                Err(why) => wrong = wrong.or(Some(why)),
            }
        }
        Ok(wrong)
    }

    pub(super) fn text(&self) -> &Text {
        &self.text
    }

    pub(super) fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// Its full address.
    pub fn at(&self) -> &str {
        &self.text.at
    }

    /// Gives the captures with these keys to `visit`, in order, until it says to stop; wrong lines
    /// among them too.
    pub fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Result<Capture, WrongLine>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        if !self.plain {
            return self.scan_lines(keys, visit);
        }
        let mut surt = |found: Result<Capture, WrongLine>| match found {
            Ok(capture) => {
                let capture = Capture { key: cdx_key(&capture.url), ..capture };
                if keys.contains(&capture.key) {
                    visit(Ok(capture))
                } else {
                    ControlFlow::Continue(())
                }
            }
            wrong => visit(wrong),
        };
        match keys {
            Keys::Exact(key) => match plain_key(key) {
                Some(plain) => self.scan_lines(Keys::Exact(&plain), &mut surt),
                None => Ok(ControlFlow::Continue(())),
            },
            // Neighbours by reversed host are strewn over an index with hosts in order.
            Keys::Prefix(_) => self.scan_lines(Keys::Prefix(""), &mut surt),
        }
    }

    fn scan_lines(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Result<Capture, WrongLine>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        let (from, until) = keys.lines();
        let (mut place, _) = self.text.search(&from)?;
        while let Some(line) = self.text.entry_from(place)? {
            if *line.bytes >= *until {
                break;
            }
            place = line.next;
            let parsed = parse_line(line.bytes.trim_ascii_end(), self.layout.as_ref());
            let wrong = |why: LineError| WrongLine {
                at: self.text.at.clone(),
                position: Position::Byte(line.start),
                why,
            };
            if visit(parsed.map_err(wrong)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn is_plain(line: &[u8]) -> bool {
    let key = line.split(|&b| b == b' ').next().unwrap_or(line);
    let host = key.split(|&b| b == b'/').next().unwrap_or(key);
    // Keys of other things than web pages (`warcinfo:/…`, `dns:…`) say nothing of the order.
    !host.contains(&b')') && !host.contains(&b':') && host.contains(&b'.')
}

/// The text, if it is sorted or small enough to be sorted here.
fn sorted(text: Text) -> Result<Text, IndexError> {
    let small = text.len() <= if text.is_remote() { SMALL / 16 } else { SMALL };
    // Large files are looked at in some places. Those of a remote one are where every search begins.
    let steps = match text.is_remote() {
        _ if small => text.len(),
        true => 8,
        false => 64,
    };
    let Some(late) = first_late(&text, steps)? else { return Ok(text) };
    if !small {
        return Err(IndexError::NotSorted { at: text.at, line: late });
    }
    let whole = text.slice(0, text.len())?;
    let mut lines: Vec<&[u8]> = whole.split(|&b| b == b'\n').filter(|l| !l.is_empty()).collect();
    // First lines and comments come first; they are notes of the file, not captures.
    lines.sort_by_key(|line| (!is_note(line), *line));
    let mut bytes = lines.join(&b'\n');
    bytes.push(b'\n');
    Ok(Text::of(text.at.clone(), bytes.into()))
}

/// A line that should stand before one that was looked at earlier, if there is one. Looks at the first
/// line and at so many places behind it.
fn first_late(text: &Text, steps: u64) -> Result<Option<String>, IndexError> {
    let mut last: Option<Vec<u8>> = None;
    let mut place = 0;
    for step in 0..steps {
        place = place.max((u128::from(text.len()) * u128::from(step) / u128::from(steps)) as u64);
        let Some(line) = text.entry_from(place)? else { break };
        place = line.next;
        if last.is_some_and(|last| *last.as_slice() > *line.bytes) {
            return Ok(Some(shortened(&String::from_utf8_lossy(&line.bytes))));
        }
        last = Some(line.bytes.into_owned());
    }
    Ok(None)
}
