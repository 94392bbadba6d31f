//! A sorted run on disk: each record says how many bytes it shares with the one before, and what follows;
//! all of it compressed.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

/// Little work for the compressor: sorted records leave it little to find.
const LEVEL: i32 = 1;

/// A run that was written.
pub struct Run {
    path: PathBuf,
    /// Whether its file stays when it is no longer used.
    stays: bool,
}

impl Run {
    /// A run that someone else keeps.
    pub fn kept_at(path: PathBuf) -> Run {
        Run { path, stays: true }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.stays {
            // If it cannot be removed it stays behind in a scratch folder, which goes later.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes a run.
pub struct Writer {
    path: PathBuf,
    file: zstd::Encoder<'static, BufWriter<File>>,
    last: Vec<u8>,
}

impl Writer {
    pub fn create(path: PathBuf) -> io::Result<Writer> {
        let file = zstd::Encoder::new(BufWriter::new(File::create(&path)?), LEVEL)?;
        Ok(Writer { path, file, last: Vec::new() })
    }

    /// Appends a record, which must not sort before the last.
    pub fn write(&mut self, record: &[u8]) -> io::Result<()> {
        let shared = self.last.iter().zip(record).take_while(|(a, b)| a == b).count();
        write_number(&mut self.file, shared)?;
        write_number(&mut self.file, record.len() - shared)?;
        self.file.write_all(&record[shared..])?;
        self.last.truncate(shared);
        self.last.extend_from_slice(&record[shared..]);
        Ok(())
    }

    /// Ends the run and makes sure that it is on the disk.
    pub fn keep(self) -> io::Result<Run> {
        let mut file = self.file.finish()?;
        file.flush()?;
        file.get_ref().sync_all()?;
        Ok(Run::kept_at(self.path))
    }

    /// Ends the run, which goes when it has been read.
    pub fn finish(self) -> io::Result<Run> {
        self.file.finish()?.flush()?;
        Ok(Run { path: self.path, stays: false })
    }
}

/// Reads a run.
pub struct Reader {
    file: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    /// The record it stands at.
    pub record: Vec<u8>,
    _run: Run,
}

impl Reader {
    pub fn open(run: Run) -> io::Result<Reader> {
        let file = BufReader::new(zstd::Decoder::new(File::open(&run.path)?)?);
        Ok(Reader { file, record: Vec::new(), _run: run })
    }

    /// Goes on to the next record; false at the end.
    pub fn advance(&mut self) -> io::Result<bool> {
        let Some(shared) = read_number(&mut self.file)? else { return Ok(false) };
        let more = read_number(&mut self.file)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.record.truncate(shared);
        self.record.resize(shared + more, 0);
        self.file.read_exact(&mut self.record[shared..])?;
        Ok(true)
    }
}

/// A number in seven bits a byte, lowest first.
fn write_number(file: &mut impl Write, mut number: usize) -> io::Result<()> {
    let mut bytes = [0; 10];
    let mut len = 0;
    loop {
        bytes[len] = (number & 127) as u8 | if number > 127 { 128 } else { 0 };
        number >>= 7;
        len += 1;
        if number == 0 {
            return file.write_all(&bytes[..len]);
        }
    }
}

/// Reads such a number; `None` at the end of the file.
fn read_number(file: &mut impl Read) -> io::Result<Option<usize>> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let mut byte = [0];
        if file.read(&mut byte)? == 0 {
            return if shift == 0 { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        number |= usize::from(byte[0] & 127) << shift;
        shift += 7;
        if byte[0] < 128 {
            return Ok(Some(number));
        }
    }
}
