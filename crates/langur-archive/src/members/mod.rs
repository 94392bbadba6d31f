//! The bytes of an archive, decompressed, and where in the file they come from.
//!
//! An archive is a row of members: gzip members or zstd frames, as a rule one a record. A plain file
//! counts as a single member. [`Members`] decodes into a window that others look into; it stops at the
//! end of every member, and whoever reads says when to enter the next one. That is how the place of a
//! record in the file is known to the byte.
//!
//! Where compressed data is damaged, the member ends there with a [`Defect`], and the next one is found
//! by the bytes it must start with.

mod gzip;
mod input;
mod whole;
mod zstd;

use std::io::{self, Read};

use crate::problem::{Defect, Problems};
use gzip::Gunzip;
use input::Input;
pub(crate) use whole::Whole;
use zstd::Unzstd;

/// The window at first. It grows when someone has to see more at once.
const WINDOW: usize = 128 << 10;

/// Decoded at first of a member: the heads of a record and of the response in it.
const HEAD_ROOM: usize = 32 << 10;

/// With less room than this after the last byte, decoding goes on at the start of the window.
const LEAST_ROOM: usize = 32 << 10;

/// Looked at again in search of members, at most, besides the length of the file.
const MOST_BACK: u64 = 16 << 20;

/// The decompressed bytes of a file.
pub(crate) struct Members<R> {
    input: Input<R>,
    coding: Coding,
    window: Vec<u8>,
    start: usize,
    end: usize,
    /// Where the current member starts in the file.
    member: u64,
    last_end: u64,
    state: State,
    /// Something of the current member was decoded.
    begun: bool,
    /// Nothing of the current member was used yet.
    fresh: bool,
    /// The current member, or the one that just ended, is damaged.
    damaged: bool,
    /// So many bytes were looked at again, in search of members.
    gone_back: u64,
    pub problems: Problems,
}

enum Coding {
    Plain,
    Gzip(Gunzip),
    Zstd(Unzstd),
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Between,
    Inside,
    Over,
}

/// What a decoder did.
pub(crate) struct Step {
    made: usize,
    end: Option<Result<(), Defect>>,
}

impl Step {
    fn failed(defect: Defect) -> Step {
        Step { made: 0, end: Some(Err(defect)) }
    }
}

/// Whether these are the first bytes of a WARC or ARC file that is not compressed.
fn is_plain(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.is_empty() || start.starts_with(b"WARC/") || start.starts_with(b"filedesc")
}

fn damaged(why: &str) -> Defect {
    Defect::DamagedMember(why.to_owned())
}

impl<R: Read> Members<R> {
    /// Looks at the first bytes to see how the file is compressed. The first byte lies at `offset` of
    /// the file called `name`.
    pub fn new(source: R, name: String, offset: u64, dictionary: &[u8]) -> io::Result<Members<R>> {
        let mut input = Input::new(source, offset);
        input.at_least(8)?;
        let bytes = input.bytes();
        // Where the first bytes are damaged, the name tells; what lies before the first good member is stray.
        let is_named = |ending: &str| !is_plain(bytes) && name.ends_with(ending);
        let coding = if bytes.starts_with(&gzip::MAGIC) {
            Coding::Gzip(Gunzip::new())
        } else if bytes.starts_with(&zstd::MAGIC) || zstd::is_skippable(bytes) {
            Coding::Zstd(Unzstd::new(dictionary)?)
        } else if is_named(".gz") {
            Coding::Gzip(Gunzip::new())
        } else if is_named(".zst") {
            Coding::Zstd(Unzstd::new(dictionary)?)
        } else {
            Coding::Plain
        };
        let mut members = Members {
            input,
            coding,
            window: vec![0; WINDOW],
            start: 0,
            end: 0,
            member: offset,
            last_end: offset,
            state: State::Between,
            begun: false,
            fresh: true,
            damaged: false,
            gone_back: 0,
            problems: Problems::new(name),
        };
        if let Coding::Zstd(decoder) = &mut members.coding
            && let Some(defect) = decoder.read_dictionary(&mut members.input)?
        {
            members.problems.report(offset, defect);
        }
        Ok(members)
    }

    /// The dictionary that a single frame of this file needs.
    pub fn dictionary(&self) -> Option<&[u8]> {
        match &self.coding {
            Coding::Zstd(decoder) if !decoder.dictionary().is_empty() => Some(decoder.dictionary()),
            _ => None,
        }
    }

    /// A plain file is one member, in which records have places of their own.
    pub fn is_plain(&self) -> bool {
        matches!(self.coding, Coding::Plain)
    }

    /// The bytes that are decoded and not used yet.
    pub fn window(&self) -> &[u8] {
        &self.window[self.start..self.end]
    }

    /// Where in the file the first byte of the window is: the byte itself in a plain file, otherwise
    /// the member.
    pub fn offset(&self) -> u64 {
        if self.is_plain() { self.input.offset() - self.window().len() as u64 } else { self.member }
    }

    /// Where in the file the last member ended that is over.
    pub fn last_end(&self) -> u64 {
        self.last_end
    }

    /// Whether nothing but empty lines was used of the current member. In a plain file every record
    /// stands for itself.
    pub fn is_fresh(&self) -> bool {
        self.fresh || self.is_plain()
    }

    /// Whether the current member, or the one that just ended, is damaged.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Bytes of the window that were used.
    pub fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.fresh &= bytes == 0;
        debug_assert!(self.start <= self.end);
    }

    /// Bytes that do not count: empty lines, or what is left of a member before the current one.
    pub fn discard(&mut self, bytes: usize) {
        let fresh = self.fresh;
        self.consume(bytes);
        self.fresh = fresh;
    }

    /// Decodes more bytes of the current member into the window; `false` if it has no more.
    pub fn fill(&mut self) -> io::Result<bool> {
        self.make_room();
        // The first bytes of a member are a head, and who reads the block after it may want the rest
        // elsewhere than in the window.
        let room = if self.begun { self.window.len() - self.end } else { HEAD_ROOM };
        let mut window = std::mem::take(&mut self.window);
        let made = self.decode(&mut window[self.end..self.end + room]);
        self.window = window;
        self.end += *made.as_ref().unwrap_or(&0);
        Ok(made? > 0)
    }

    /// Decodes more bytes of the current member, past the window, which must be empty; 0 if it has no
    /// more.
    pub fn decode(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.state != State::Inside {
            return Ok(0);
        }
        self.begun = true;
        let step = match &mut self.coding {
            Coding::Plain => {
                let made = self.input.read(into)?;
                Step { made, end: (made == 0).then_some(Ok(())) }
            }
            Coding::Gzip(decoder) => decoder.step(&mut self.input, into)?,
            Coding::Zstd(decoder) => decoder.step(&mut self.input, into)?,
        };
        if let Some(end) = step.end {
            self.state = if self.is_plain() { State::Over } else { State::Between };
            self.last_end = self.input.offset();
            if let Err(defect) = end {
                self.fail(defect);
            }
        }
        Ok(step.made)
    }

    /// Enters the next member; `false` if there is none. What is left of the member before stays in the
    /// window.
    pub fn enter(&mut self) -> io::Result<bool> {
        loop {
            if self.state != State::Between {
                return Ok(self.state == State::Inside);
            }
            if !self.is_plain() && !self.find_member()? {
                self.state = State::Over;
                return Ok(false);
            }
            self.member = self.input.offset();
            self.input.keep();
            (self.begun, self.fresh, self.damaged) = (false, true, false);
            self.state = State::Inside;
            let defect = match &mut self.coding {
                Coding::Plain => None,
                Coding::Gzip(decoder) => decoder.start(&mut self.input)?,
                Coding::Zstd(decoder) => decoder.start().map(|()| None)?,
            };
            let Some(defect) = defect else { return Ok(true) };
            self.state = State::Between;
            self.fail(defect);
        }
    }

    /// The member ends here, and not well. The next one may have started before the decoder noticed.
    fn fail(&mut self, defect: Defect) {
        self.damaged = true;
        self.problems.report(self.member, defect);
        // No file makes the reader go over it again and again.
        let here = self.input.offset();
        let back = here.saturating_sub(self.member + 1);
        if self.gone_back + back <= here + MOST_BACK || here == self.member {
            self.gone_back += back;
            self.input.go_to(self.member + 1);
        }
    }

    /// Finds the first byte of the next member. Zeros at the end of the file are not worth a word: tapes and disks
    /// are filled up with them.
    fn find_member(&mut self) -> io::Result<bool> {
        let mut from = self.input.offset();
        let mut is_blank = true;
        loop {
            self.input.at_least(8)?;
            let bytes = self.input.bytes();
            let found = match &self.coding {
                Coding::Zstd(_) if zstd::is_skippable(bytes) => {
                    self.report_stray(from);
                    self.skip(8 + zstd::skippable_length(self.input.bytes()))?;
                    from = self.input.offset();
                    continue;
                }
                Coding::Zstd(_) => memchr::memmem::find(bytes, &zstd::MAGIC),
                _ => memchr::memmem::find(bytes, &gzip::MAGIC),
            };
            if let Some(at) = found {
                self.skip_stray(at);
                self.report_stray(from);
                return Ok(true);
            }
            let rest = bytes.len();
            if rest > 3 {
                // The last three bytes may begin what is looked for.
                is_blank &= self.skip_stray(rest - 3);
            } else if !self.input.more()? {
                is_blank &= self.skip_stray(rest);
                if !is_blank {
                    self.report_stray(from);
                }
                return Ok(false);
            }
        }
    }

    /// Passes bytes that belong to no member, and says whether all are zero.
    fn skip_stray(&mut self, bytes: usize) -> bool {
        let is_blank = self.input.bytes()[..bytes].iter().all(|&byte| byte == 0);
        self.input.advance(bytes);
        self.input.keep();
        is_blank
    }

    fn report_stray(&mut self, from: u64) {
        let stray = self.input.offset() - from;
        // After a damaged member they are its own rest, and it is reported already.
        if stray > 0 && !self.damaged {
            self.problems.report(from, Defect::StrayBytes(stray));
        }
    }

    fn skip(&mut self, mut bytes: usize) -> io::Result<()> {
        while bytes > 0 {
            let ready = self.input.at_least(1)?.min(bytes);
            if ready == 0 {
                return Ok(());
            }
            self.input.advance(ready);
            self.input.keep();
            bytes -= ready;
        }
        Ok(())
    }

    fn make_room(&mut self) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.window.len() - self.end >= LEAST_ROOM {
            return;
        }
        if self.start >= self.window.len() / 2 {
            self.window.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        } else {
            self.window.resize(self.window.len() * 2, 0);
        }
    }
}
