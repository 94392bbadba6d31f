//! Gzip members, one after the other, with one compressor.

use flate2::{Compress, Compression, FlushCompress};

pub(super) struct Gzip {
    deflate: Compress,
    sum: crc32fast::Hasher,
    out: Vec<u8>,
}

/// The head of a member: deflate, no flags, no time, system unknown.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

impl Gzip {
    pub fn new() -> Gzip {
        let deflate = Compress::new(Compression::default(), false);
        Gzip { deflate, sum: crc32fast::Hasher::new(), out: Vec::new() }
    }

    /// Begins a member.
    pub fn start(&mut self) {
        self.deflate.reset();
        self.sum.reset();
        self.out.clear();
        self.out.extend_from_slice(&HEAD);
    }

    /// A member that was just begun, with all that is in it.
    pub fn whole(&mut self, bytes: &[u8]) -> &[u8] {
        self.sum.update(bytes);
        self.compress(bytes, FlushCompress::Finish);
        self.end()
    }

    /// Compresses some more; gives what can be written already.
    pub fn part(&mut self, bytes: &[u8]) -> &[u8] {
        // What is there was written, unless it is the head of the member.
        if self.deflate.total_in() > 0 {
            self.out.clear();
        }
        self.sum.update(bytes);
        self.compress(bytes, FlushCompress::None);
        &self.out
    }

    /// Ends the member; gives the last bytes of it.
    pub fn finish(&mut self) -> &[u8] {
        self.out.clear();
        self.compress(&[], FlushCompress::Finish);
        self.end()
    }

    fn end(&mut self) -> &[u8] {
        self.out.extend_from_slice(&self.sum.clone().finalize().to_le_bytes());
        self.out.extend_from_slice(&(self.deflate.total_in() as u32).to_le_bytes());
        &self.out
    }

    fn compress(&mut self, mut bytes: &[u8], flush: FlushCompress) {
        const ROOM: usize = 32 << 10;
        loop {
            self.out.reserve(ROOM);
            let taken = self.deflate.total_in();
            let status = self
                .deflate
                .compress_vec(bytes, &mut self.out, flush)
                .expect("a compressor in a good state");
            bytes = &bytes[(self.deflate.total_in() - taken) as usize..];
            let is_over = match flush {
                FlushCompress::Finish => status == flate2::Status::StreamEnd,
                _ => bytes.is_empty(),
            };
            if is_over {
                return;
            }
        }
    }
}
