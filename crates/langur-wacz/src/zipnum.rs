//! A large index in compressed blocks, with a summary of them: ZipNum, as WACZ files have it.
//!
//! A reader takes the summary into memory, and reads the one block that a URL can be in. The first line of
//! the summary names the file of the blocks; every other one has the key and the timestamp of a block's
//! first line, and its place, length and digest as JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use serde_json::json;

use crate::WaczError;
use crate::package::sha256;

/// The lines of a block: few enough that one is read at once over a network, as many as py-wacz puts in one.
const LINES: usize = 1024;

/// Compresses a sorted index. The name is that of the blocks in the WACZ file.
pub(crate) fn compress(
    index: &Path,
    blocks: &Path,
    summary: &Path,
    name: &str,
) -> Result<(), WaczError> {
    let lines = File::open(index).map_err(WaczError::reading(index))?;
    let failed = WaczError::writing(blocks);
    let blocks = File::create(blocks).map_err(&failed)?;
    let text = Blocks::new(blocks, name).of(BufReader::new(lines)).map_err(failed)?;
    std::fs::write(summary, text).map_err(WaczError::writing(summary))
}

struct Blocks {
    out: BufWriter<File>,
    written: u64,
    summary: String,
}

impl Blocks {
    fn new(out: File, name: &str) -> Blocks {
        let first = json!({ "format": "cdxj-gzip-1.0", "filename": name });
        let summary = format!("!meta 0 {first}\n");
        Blocks { out: BufWriter::new(out), written: 0, summary }
    }

    /// Writes the blocks, and gives back their summary.
    fn of(mut self, mut lines: impl BufRead) -> io::Result<String> {
        let mut block = Vec::new();
        loop {
            block.clear();
            for _ in 0..LINES {
                lines.by_ref().read_until(b'\n', &mut block)?;
            }
            if block.is_empty() {
                self.out.flush()?;
                return Ok(self.summary);
            }
            self.block(&block)?;
        }
    }

    fn block(&mut self, lines: &[u8]) -> io::Result<()> {
        // No name and no time, so that equal lines make equal bytes.
        let mut member = GzBuilder::new().write(Vec::new(), Compression::default());
        member.write_all(lines)?;
        let member = member.finish()?;
        let first = lines.splitn(3, |&b| b == b' ').take(2).collect::<Vec<_>>().join(&b' ');
        let place =
            json!({ "offset": self.written, "length": member.len(), "digest": sha256(&member) });
        self.summary += &format!("{} {place}\n", String::from_utf8_lossy(&first));
        self.written += member.len() as u64;
        self.out.write_all(&member)
    }
}
