//! The block of a record, handed out piece by piece.
//!
//! As a rule a block is as long as its head says. Where that cannot be, the length is *doubted*, and the
//! block ends where the next record starts, if one starts inside it.

use std::io::{self, Read};

use super::format::{self, Search, Start};
use super::reading::Reading;
use crate::problem::Defect;

/// A large block is decoded in pieces of this size, so that memory grows with what is there and not with
/// what a head says.
const PIECE: usize = 256 << 10;

/// The record whose block is being read.
pub(super) struct Open {
    pub offset: u64,
    /// It is the first of its member.
    pub first: bool,
    declared: Option<u64>,
    given: u64,
    left: u64,
    /// The length is missing or wrong: the next record may start inside the block.
    doubted: bool,
    /// So many bytes of the window are known to hold no start of a record.
    clear: usize,
}

impl Open {
    pub fn new(offset: u64, first: bool, declared: Option<u64>, doubted: bool) -> Open {
        let left = declared.unwrap_or(u64::MAX);
        Open { offset, first, declared, given: 0, left, doubted, clear: 0 }
    }

    fn used(&mut self, bytes: usize) {
        self.given += bytes as u64;
        self.left -= bytes as u64;
        self.clear = self.clear.saturating_sub(bytes);
    }
}

/// What is found in the next member.
pub(super) enum Crossing {
    /// The rest of the record.
    Continues,
    /// A record of its own; or there is none.
    Ends,
}

impl<R: Read> Reading<R> {
    /// The bytes of the block that can be handed out now; none at its end.
    pub fn ready(&mut self) -> io::Result<&[u8]> {
        let length = self.ready_length()?;
        Ok(&self.members.window()[..length])
    }

    fn ready_length(&mut self) -> io::Result<usize> {
        loop {
            self.look_for_next()?;
            let Some(open) = &self.open else { return Ok(0) };
            let sure = if open.doubted { open.clear } else { self.members.window().len() };
            let ready = usize::try_from(open.left).map_or(sure, |left| sure.min(left));
            if ready > 0 || open.left == 0 {
                return Ok(ready);
            }
            if !self.members.fill()? && matches!(self.cross()?, Crossing::Ends) {
                self.cut_short();
            }
        }
    }

    /// Looks for the next record in a block of doubted length, until some bytes are known to be of the
    /// block, or there is no doubt any more.
    fn look_for_next(&mut self) -> io::Result<()> {
        loop {
            let Some(open) = self.open.as_mut().filter(|open| open.doubted && open.clear == 0)
            else {
                return Ok(());
            };
            let window = self.members.window();
            match format::search(window, self.format, true) {
                Search::Clear(0) => open.doubted = self.members.fill()?,
                Search::Clear(clear) => open.clear = clear,
                Search::Found(next) => {
                    open.doubted = false;
                    let end = format::before_separator(window, next, self.format) as u64;
                    if end < open.left {
                        open.left = end;
                        let found = open.given + end;
                        self.report_short(found);
                    }
                }
            }
        }
    }

    /// Appends some of the block, at most `most` bytes; `false` at its end. What is not in the window is
    /// decoded straight into its place.
    pub fn read_into(&mut self, into: &mut Vec<u8>, most: usize) -> io::Result<bool> {
        let left = self.open.as_ref().filter(|open| !open.doubted).map_or(0, |open| open.left);
        if left == 0 || !self.members.window().is_empty() {
            let ready = self.ready()?;
            let taken = ready.len().min(most);
            into.extend_from_slice(&ready[..taken]);
            self.consume(taken);
            return Ok(taken > 0);
        }
        let room = left.min(most.min(PIECE) as u64) as usize;
        let start = into.len();
        into.resize(start + room, 0);
        let made = self.members.decode(&mut into[start..])?;
        into.truncate(start + made);
        self.open.iter_mut().for_each(|open| open.used(made));
        // At the end of a member, `ready` finds out whether the record goes on.
        Ok(made > 0 || !self.ready()?.is_empty())
    }

    /// Bytes that were handed out and used.
    pub fn consume(&mut self, bytes: usize) {
        self.members.consume(bytes);
        self.open.iter_mut().for_each(|open| open.used(bytes));
    }

    /// The file has no more of this block.
    fn cut_short(&mut self) {
        let Some(open) = &mut self.open else { return };
        open.left = 0;
        let given = open.given;
        self.report_short(given);
    }

    /// A block without a length is as long as it is. One in a damaged member is reported with it.
    fn report_short(&mut self, found: u64) {
        let Some(open) = &self.open else { return };
        if let Some(declared) = open.declared {
            self.cut = true;
            if !self.members.is_damaged() {
                self.members.problems.report(open.offset, Defect::ShortBlock { declared, found });
            }
        }
    }

    /// At the end of a member, in the middle of a record: enters the next member, and sees whether it goes
    /// on with this record. A record without a length ends with its member.
    pub fn cross(&mut self) -> io::Result<Crossing> {
        let endless = self.open.as_ref().is_some_and(|open| open.declared.is_none());
        let before = self.members.window().len();
        if endless || self.members.is_damaged() || !self.members.enter()? {
            return Ok(Crossing::Ends);
        }
        loop {
            let window = &self.members.window()[before..];
            let blank = window.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            match format::starts(&window[blank..], self.format) {
                Start::Yes(_) => return Ok(Crossing::Ends),
                Start::No => return Ok(Crossing::Continues),
                Start::Unsure => {
                    if !self.members.fill()? {
                        return Ok(Crossing::Continues);
                    }
                }
            }
        }
    }
}
