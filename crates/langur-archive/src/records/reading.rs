//! The way from one record to the next.
//!
//! A record is *begun* at its first byte and its head is read; its block is handed out piece by piece, in
//! [`block`](super::block); and it is *finished*: what is left is skipped, and the reader *settles* on the
//! next record or at the end of the member.

use std::io::{self, Read};

use memchr::memchr;

use super::block::{Crossing, Open};
use super::format::{self, Format, Search, Start};
use super::{Extent, Head, Kind};
use crate::members::Members;
use crate::problem::Defect;

/// Heads are some hundred bytes long. What has a larger one is taken for garbage.
const LONGEST_HEAD: usize = 1 << 20;

/// Where several records follow each other without members between them, the length of a block up to this
/// size is checked against what follows it before the block is handed out.
pub const LOOK_AHEAD: usize = 1 << 20;

pub(super) struct Reading<R> {
    pub members: Members<R>,
    /// Known after the first record.
    pub format: Option<Format>,
    /// The record whose block is being read.
    pub open: Option<Open>,
    extent: Option<Extent>,
    /// Records follow each other without members between them.
    shared: bool,
    /// The record that was last begun is a capture.
    is_capture: bool,
    /// Captures without a member of their own, and where the first of them lies.
    crowded: Option<(u64, u64)>,
    file_end: Option<u64>,
    /// Where the last record started.
    offset: u64,
    /// The block just read was shorter than its head says.
    pub cut: bool,
}

enum Settled {
    AtRecord,
    AtMemberEnd,
}

impl<R: Read> Reading<R> {
    pub fn new(members: Members<R>) -> Reading<R> {
        let shared = members.is_plain();
        Reading {
            members,
            format: None,
            open: None,
            extent: None,
            shared,
            is_capture: false,
            crowded: None,
            file_end: None,
            offset: 0,
            cut: false,
        }
    }

    pub fn file_ends_at(&mut self, size: u64) {
        self.file_end = Some(size);
    }

    pub fn extent(&self) -> Option<Extent> {
        self.extent
    }

    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes on to the next record and reads its head; `false` after the last one.
    pub fn next(&mut self, head: &mut Head) -> io::Result<bool> {
        self.finish()?;
        loop {
            if self.members.window().is_empty() && !self.members.fill()? && !self.members.enter()? {
                self.report_crowded();
                return Ok(false);
            }
            if let Settled::AtRecord = self.settle()?
                && self.begin(head)?
            {
                return Ok(true);
            }
        }
    }

    /// Skips what is left of the record, and finds out where it lies.
    pub fn finish(&mut self) -> io::Result<()> {
        loop {
            let ready = self.ready()?.len();
            if ready == 0 {
                break;
            }
            self.consume(ready);
        }
        let Some(open) = self.open.take() else { return Ok(()) };
        let end = self.members.offset();
        let settled = self.settle()?;
        let members = &self.members;
        let ends_with_member = match settled {
            Settled::AtMemberEnd => true,
            // The next member was entered to see whether the record goes on in it, and it does not.
            Settled::AtRecord => members.is_fresh(),
        };
        let end = if members.is_plain() { end } else { members.last_end() };
        self.extent = (open.first && ends_with_member)
            .then(|| Extent { offset: open.offset, length: end - open.offset });
        self.shared |= !ends_with_member && matches!(settled, Settled::AtRecord);
        if self.shared && self.extent.is_none() && self.is_capture {
            self.crowded.get_or_insert((0, open.offset)).0 += 1;
        }
        Ok(())
    }

    /// How many there are is known at the end of the file.
    fn report_crowded(&mut self) {
        if let Some((captures, offset)) = self.crowded.take() {
            self.members.problems.report(offset, Defect::SharedMember(captures));
        }
    }

    /// Passes empty lines and garbage, up to the next record or the end of the member.
    fn settle(&mut self) -> io::Result<Settled> {
        loop {
            let window = self.members.window();
            let blank = window.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.members.discard(blank);
            if self.members.window().is_empty() {
                if self.members.fill()? {
                    continue;
                }
                return Ok(Settled::AtMemberEnd);
            }
            match format::starts(self.members.window(), self.format) {
                Start::Yes(format) => {
                    self.format = Some(format);
                    return Ok(Settled::AtRecord);
                }
                Start::Unsure if self.members.fill()? => {}
                Start::Unsure | Start::No => self.skip_garbage()?,
            }
        }
    }

    /// Skips at least one byte, up to what looks like a record, or to the end of the member.
    fn skip_garbage(&mut self) -> io::Result<()> {
        let offset = self.members.offset();
        let mut skipped = 1;
        self.members.consume(1);
        loop {
            match format::search(self.members.window(), self.format, false) {
                Search::Found(at) => {
                    self.members.consume(at);
                    skipped += at;
                    break;
                }
                Search::Clear(clear) => {
                    self.members.consume(clear);
                    skipped += clear;
                    if !self.members.fill()? {
                        let rest = self.members.window().len();
                        self.members.consume(rest);
                        skipped += rest;
                        break;
                    }
                }
            }
        }
        // After damage it is the damaged record's rest, and that is reported already.
        if !self.members.is_damaged() {
            self.members.problems.report(offset, Defect::Garbage(skipped as u64));
        }
        Ok(())
    }

    /// Reads the head of the record that starts here; `false` if it is none after all.
    fn begin(&mut self, head: &mut Head) -> io::Result<bool> {
        self.offset = self.members.offset();
        self.cut = false;
        let first = self.members.is_fresh();
        let Some(end) = self.head_end()? else { return Ok(false) };
        let bytes = &self.members.window()[..end.head];
        let defects = match self.format {
            Some(Format::Warc) => head.read_warc(bytes),
            _ => head.read_arc(bytes),
        };
        for defect in defects {
            self.members.problems.report(self.offset, defect);
        }
        self.members.consume(end.block);
        self.is_capture = matches!(head.kind(), Kind::Response | Kind::Resource | Kind::Revisit);
        self.open(head, first)?;
        Ok(true)
    }

    fn open(&mut self, head: &Head, first: bool) -> io::Result<()> {
        let declared = head.content_length();
        if declared.is_none()
            && let Some(text) = head.get("Content-Length")
        {
            let text = text.chars().take(60).collect();
            self.members.problems.report(self.offset, Defect::NotALength(text));
        }
        let doubted = self.shared && self.is_doubtful(declared)?;
        self.open = Some(Open::new(self.offset, first, declared, doubted));
        Ok(())
    }

    /// Whether a length cannot be right, or is not followed by what must follow a block.
    fn is_doubtful(&mut self, declared: Option<u64>) -> io::Result<bool> {
        let Some(length) = declared else { return Ok(true) };
        if self.members.is_plain()
            && self.file_end.is_some_and(|end| self.members.offset().saturating_add(length) > end)
        {
            return Ok(true);
        }
        if length > LOOK_AHEAD as u64 {
            return Ok(false);
        }
        // Enough to see two line ends and the start of a record.
        let (length, beyond) = (length as usize, 40);
        while self.members.window().len() < length + beyond && self.members.fill()? {}
        let Some(rest) = self.members.window().get(length..) else { return Ok(true) };
        let rest = &rest[rest.iter().take(4).take_while(|b| matches!(b, b'\r' | b'\n')).count()..];
        Ok(!rest.is_empty() && format::starts(rest, self.format) == Start::No)
    }

    /// Finds where the head ends that starts at the window's first byte, and the block starts. If there
    /// is no such place the record is passed over.
    fn head_end(&mut self) -> io::Result<Option<HeadEnd>> {
        let mut line = 0;
        loop {
            let window = self.members.window();
            let end = memchr(b'\n', &window[line..]).map(|end| line + end + 1);
            if let Some(end) = end {
                let text = window[line..end].trim_ascii();
                if self.format == Some(Format::Arc) {
                    return Ok(Some(HeadEnd { head: end, block: end }));
                }
                if text.is_empty() {
                    return Ok(Some(HeadEnd { head: line, block: end }));
                }
                if text.starts_with(b"HTTP/") {
                    self.members.problems.report(self.offset, Defect::NoEmptyLine);
                    return Ok(Some(HeadEnd { head: line, block: line }));
                }
                line = end;
            }
            if line > LONGEST_HEAD || (end.is_none() && window.len() > LONGEST_HEAD) {
                self.members.problems.report(self.offset, Defect::LongHead(LONGEST_HEAD));
                self.members.consume(line.max(1));
                return Ok(None);
            }
            if end.is_none() && !self.members.fill()? {
                let before = self.members.window().len();
                if matches!(self.cross()?, Crossing::Ends) {
                    if !self.members.is_damaged() {
                        self.members.problems.report(self.offset, Defect::CutHead);
                    }
                    self.members.discard(before);
                    return Ok(None);
                }
            }
        }
    }
}

struct HeadEnd {
    head: usize,
    block: usize,
}
