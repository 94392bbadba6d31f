//! The bytes of a file as they lie in it, the current member's kept at hand.
//!
//! A member that was cut off and is followed by a good one is found out late: the decoder takes the
//! good one for the rest of the bad, and stumbles over it some kilobytes on. To find where the good
//! one starts, the bytes of a member are kept until it is over, or until they are too many.

use std::io::{self, Read};

/// Room for compressed bytes at first, and the most that grows for going back.
const ROOM: usize = 128 << 10;
const MOST: usize = 1 << 20;

pub(super) struct Input<R> {
    source: R,
    buffer: Vec<u8>,
    /// Bytes before this one are not needed any more.
    kept: usize,
    at: usize,
    end: usize,
    /// Where in the file the buffer starts.
    base: u64,
}

impl<R: Read> Input<R> {
    pub fn new(source: R, offset: u64) -> Input<R> {
        Input { source, buffer: vec![0; ROOM], kept: 0, at: 0, end: 0, base: offset }
    }

    /// The bytes at hand, from where reading stands.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Where in the file reading stands.
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Bytes that were made use of.
    pub fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        debug_assert!(self.at <= self.end);
    }

    /// Keeps what comes from here on.
    pub fn keep(&mut self) {
        self.kept = self.at;
    }

    /// Goes to `offset`, which is in the current member, or as near to it as bytes are kept.
    pub fn go_to(&mut self, offset: u64) {
        let wanted = offset.saturating_sub(self.base) as usize;
        self.at = wanted.max(self.kept).min(self.end);
    }

    /// Gets more bytes; `false` if there are none.
    pub fn more(&mut self) -> io::Result<bool> {
        if self.end == self.buffer.len() {
            self.make_room();
        }
        let read = read(&mut self.source, &mut self.buffer[self.end..])?;
        self.end += read;
        Ok(read > 0)
    }

    /// Gets bytes until there are `wanted`, or no more; says how many there are.
    pub fn at_least(&mut self, wanted: usize) -> io::Result<usize> {
        while self.bytes().len() < wanted && self.more()? {}
        Ok(self.bytes().len())
    }

    /// Reads past the buffer, as far as it is empty, straight into `into`.
    pub fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let ready = self.bytes();
        if ready.is_empty() {
            let read = read(&mut self.source, into)?;
            self.base += read as u64;
            return Ok(read);
        }
        let taken = ready.len().min(into.len());
        into[..taken].copy_from_slice(&ready[..taken]);
        self.advance(taken);
        Ok(taken)
    }

    fn make_room(&mut self) {
        if self.kept == 0 && self.buffer.len() < MOST {
            self.buffer.resize(self.buffer.len() * 2, 0);
            return;
        }
        if self.kept == 0 {
            self.kept = self.at;
        }
        self.buffer.copy_within(self.kept..self.end, 0);
        self.base += self.kept as u64;
        self.at -= self.kept;
        self.end -= self.kept;
        self.kept = 0;
        if self.end == self.buffer.len() {
            // Someone looks far ahead without using anything; heads of members are bounded, so this
            // ends.
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }
}

fn read(source: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
