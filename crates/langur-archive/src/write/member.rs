//! Gzip members, one after the other, with one compressor.
//!
//! A record that is in memory is compressed at once, by libdeflate: three times as fast as a compressor that is
//! fed piece by piece, for a twentieth more bytes (docs/decisions/0013).

use flate2::{Compress, Compression, FlushCompress};
use libdeflater::{CompressionLvl, Compressor};

use super::short::Short;

pub(super) struct Gzip {
    /// For records in memory.
    at_once: Compressor,
    /// For those of them that are short and like others.
    short: Short,
    /// For those that come in parts.
    deflate: Compress,
    sum: crc32fast::Hasher,
    out: Vec<u8>,
    /// What went into the member so far.
    taken: u64,
}

/// The head of a member: deflate, no flags, no time, system unknown.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The fastest at which libdeflate compresses at all.
const LEVEL: i32 = 1;

impl Gzip {
    pub fn new() -> Gzip {
        Gzip {
            at_once: Compressor::new(CompressionLvl::new(LEVEL).expect("a level that there is")),
            short: Short::new(),
            deflate: Compress::new(Compression::default(), false),
            sum: crc32fast::Hasher::new(),
            out: Vec::new(),
            taken: 0,
        }
    }

    /// Begins a member.
    pub fn start(&mut self) {
        self.taken = 0;
        self.sum.reset();
        self.out.clear();
        self.out.extend_from_slice(&HEAD);
    }

    /// A member that was just begun, with all that is in it. One that is like others is packed with their code.
    pub fn whole(&mut self, bytes: &[u8], is_like_others: bool) -> &[u8] {
        self.sum.update(bytes);
        self.taken = bytes.len() as u64;
        if is_like_others && self.short.pack(bytes, &mut self.out) {
            return self.end();
        }
        let from = self.out.len();
        self.out.resize(from + self.at_once.deflate_compress_bound(bytes.len()), 0);
        let room = &mut self.out[from..];
        let length =
            self.at_once.deflate_compress(bytes, room).expect("there is room for any bytes");
        self.out.truncate(from + length);
        self.end()
    }

    /// Compresses some more; gives what can be written already.
    pub fn part(&mut self, bytes: &[u8]) -> &[u8] {
        // What is there was written, unless it is the head of the member.
        match self.taken {
            0 => self.deflate.reset(),
            _ => self.out.clear(),
        }
        self.sum.update(bytes);
        self.taken += bytes.len() as u64;
        compress(&mut self.deflate, bytes, FlushCompress::None, &mut self.out);
        &self.out
    }

    /// Ends the member; gives the last bytes of it.
    pub fn finish(&mut self) -> &[u8] {
        self.out.clear();
        compress(&mut self.deflate, &[], FlushCompress::Finish, &mut self.out);
        self.end()
    }

    fn end(&mut self) -> &[u8] {
        self.out.extend_from_slice(&self.sum.clone().finalize().to_le_bytes());
        self.out.extend_from_slice(&(self.taken as u32).to_le_bytes());
        &self.out
    }
}

fn compress(deflate: &mut Compress, mut bytes: &[u8], flush: FlushCompress, out: &mut Vec<u8>) {
    const ROOM: usize = 32 << 10;
    loop {
        out.reserve(ROOM);
        let taken = deflate.total_in();
        let status = deflate.compress_vec(bytes, out, flush).expect("a compressor in a good state");
        bytes = &bytes[(deflate.total_in() - taken) as usize..];
        let is_over = match flush {
            FlushCompress::Finish => status == flate2::Status::StreamEnd,
            _ => bytes.is_empty(),
        };
        if is_over {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn members_that_are_like_others_are_read_as_they_were_written() {
        let mut gzip = Gzip::new();
        for times in [1, 3, 1000] {
            let record = "WARC/1.1\r\nWARC-Type: request\r\n".repeat(times).into_bytes();
            gzip.start();
            let member = gzip.whole(&record, true);
            let mut read = Vec::new();
            flate2::read::GzDecoder::new(member).read_to_end(&mut read).expect("gzip");
            assert_eq!(read, record);
        }
    }

    #[test]
    fn members_are_read_as_they_were_written_and_are_short() {
        let text = "what a page says, a page says again; ".repeat(100).into_bytes();
        let mut gzip = Gzip::new();
        for parts in [false, true] {
            gzip.start();
            let mut member = Vec::new();
            match parts {
                false => member.extend_from_slice(gzip.whole(&text, false)),
                true => {
                    text.chunks(1000).for_each(|part| member.extend_from_slice(gzip.part(part)));
                    member.extend_from_slice(gzip.finish());
                }
            }
            assert!(member.len() < text.len() / 10, "{} bytes", member.len());
            let mut read = Vec::new();
            flate2::read::GzDecoder::new(&member[..]).read_to_end(&mut read).expect("gzip");
            assert_eq!(read, text);
        }
    }
}
