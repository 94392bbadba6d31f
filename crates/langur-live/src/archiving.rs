//! The WARC files of a crawl, and their indexes.
//!
//! Whoever fetches a page also compresses its records, each a gzip member of its own; here they are only put at the
//! end of the file, and put down before the journal is. So a file ends with a whole page, or with a piece that
//! the journal knows nothing of, which is cut off when the crawl is taken up again. A file that is full gets a sorted
//! CDXJ index beside it, and so does the last one when the crawl stops; until then its lines are in a file of their own,
//! in the order in which they came.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use langur_archive::index::{Capture, IndexError, IndexWriter, WriteOptions, parse_line};
use langur_archive::{CaptureError, Compression, WarcWriter, WriteError, captures_of};
use langur_store::{Store, StoreOptions};
use thiserror::Error;

use crate::disk::{self, Disk, GrowingFile};
use crate::journal::Place;

/// Memory for the lines of an index; more are put aside on disk.
const INDEX_MEMORY: usize = 8 << 20;

/// Why nothing can be archived.
#[derive(Debug, Error)]
pub enum ArchivingError {
    /// The system said no.
    #[error("cannot write the archive file {}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A record could not be made.
    #[error(transparent)]
    Record(#[from] WriteError),
    /// The index could not be written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// What was archived cannot be read.
    #[error(transparent)]
    Capture(#[from] CaptureError),
}

/// The records of one page, compressed.
#[derive(Debug, Default)]
pub struct Packed {
    /// The records.
    pub bytes: Vec<u8>,
    /// Where among them the answer's is, and its length.
    pub answer: (u64, u64),
    /// What an index says of the answer, but for its place.
    pub capture: Option<Capture>,
}

/// What all files of a crawl have in common.
#[derive(Clone, Debug)]
pub struct FileFacts {
    /// The folder.
    pub folder: PathBuf,
    /// What their names begin with.
    pub name: String,
    /// A new one is begun when one is as long.
    pub rotate: u64,
    /// What the first record of each says.
    pub fields: Vec<(String, String)>,
}

impl FileFacts {
    fn file_name(&self, number: u32) -> String {
        format!("{}-{number:05}.warc.gz", self.name)
    }

    fn path(&self, number: u32) -> PathBuf {
        self.folder.join(self.file_name(number))
    }

    fn index_path(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{}-{number:05}.cdxj", self.name))
    }

    /// Where the lines of an index are until they are sorted.
    fn lines_path(&self, number: u32) -> PathBuf {
        self.folder.join(format!(".{}-{number:05}.lines", self.name))
    }
}

/// The files.
pub struct Archiving {
    facts: FileFacts,
    disk: Disk,
    /// The number of the next file.
    next: u32,
    open: Option<Open>,
}

struct Open {
    number: u32,
    file: GrowingFile,
    lines: GrowingFile,
}

impl Archiving {
    /// Nothing is archived yet.
    pub fn new(facts: FileFacts, disk: Disk) -> Archiving {
        Archiving { facts, disk, next: 0, open: None }
    }

    /// Goes on where the journal says: its last file ends at `end`, and what comes after is cut off. Says how many bytes
    /// that were.
    pub fn recover(
        facts: FileFacts,
        disk: Disk,
        last: Option<(u32, u64)>,
    ) -> Result<(Archiving, u64), ArchivingError> {
        let mut archiving = Archiving::new(facts, disk);
        let cut = archiving.remove_what_is_half_done(last.map(|(number, _)| number))?;
        let Some((number, end)) = last else { return Ok((archiving, cut)) };
        archiving.next = number + 1;
        let path = archiving.facts.path(number);
        let failed = failed_at(&path);
        let length = fs::metadata(&path).map_err(&failed)?.len();
        let file = GrowingFile::open(&path, end, &archiving.disk).map_err(&failed)?;
        let lines = archiving.lines_of(number, end)?;
        archiving.open = Some(Open { number, file, lines });
        Ok((archiving, cut + (length - end)))
    }

    /// Removes files that the journal knows nothing of, and what was put aside for indexes.
    fn remove_what_is_half_done(&self, last: Option<u32>) -> Result<u64, ArchivingError> {
        let mut cut = 0;
        let folder = &self.facts.folder;
        for number in last.map_or(0, |last| last + 1).. {
            let path = self.facts.path(number);
            if !path.exists() {
                break;
            }
            let index = self.facts.index_path(number);
            match fs::remove_file(&index) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(failed_at(&index)(error));
                }
                _ => {}
            }
            let failed = failed_at(&path);
            cut += fs::metadata(&path).map_err(&failed)?.len();
            fs::remove_file(&path).map_err(&failed)?;
        }
        let ours = last.map(|last| self.facts.lines_path(last));
        for entry in fs::read_dir(folder).map_err(failed_at(folder))? {
            let path = entry.map_err(failed_at(folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(".index-") {
                fs::remove_dir_all(&path).map_err(failed_at(&path))?;
            } else if name.starts_with(".langur-")
                && name.ends_with(".lines")
                && Some(&path) != ours.as_ref()
            {
                fs::remove_file(&path).map_err(failed_at(&path))?;
            }
        }
        Ok(cut)
    }

    /// The lines for what is in a file up to `end`: those that were written as it grew, or those of its index, if it
    /// was closed meanwhile.
    fn lines_of(&self, number: u32, end: u64) -> Result<GrowingFile, ArchivingError> {
        let path = self.facts.lines_path(number);
        let written = [&path, &self.facts.index_path(number)].map(|path| fs::read(path).ok());
        let lines = match written.into_iter().flatten().next() {
            Some(lines) => lines,
            None => self.read_lines(number)?,
        };
        let before = lines_before(&lines, end).concat();
        if before != lines || !path.exists() {
            self.write(&path, &before)?;
        }
        GrowingFile::open(&path, before.len() as u64, &self.disk).map_err(failed_at(&path))
    }

    /// Makes the lines anew from the archive file itself.
    fn read_lines(&self, number: u32) -> Result<Vec<u8>, ArchivingError> {
        let folder = self.facts.folder.display().to_string();
        let store = Store::open(&folder, StoreOptions::default()).map_err(CaptureError::from)?;
        let mut lines = String::new();
        captures_of(&store, &self.facts.file_name(number), |capture| {
            lines.push_str(&capture.to_cdxj());
            lines.push('\n');
            Ok(())
        })?;
        Ok(lines.into_bytes())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), ArchivingError> {
        let written = self.disk.retry(disk::is_full, || langur_folder::write_file(path, bytes));
        written.map_err(failed_at(path))
    }

    /// Sorts the lines into an index.
    fn sort_lines(&self, number: u32) -> Result<(), ArchivingError> {
        let path = self.facts.lines_path(number);
        let options = WriteOptions { memory: INDEX_MEMORY };
        let index = IndexWriter::create(&self.facts.index_path(number), options)?;
        let mut lines = BufReader::new(fs::File::open(&path).map_err(failed_at(&path))?);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).map_err(failed_at(&path))? > 0 {
            index.add_line(line.strip_suffix(b"\n").unwrap_or(&line))?;
            line.clear();
        }
        index.finish()?;
        fs::remove_file(&path).map_err(failed_at(&path))
    }

    /// Puts the records of a page at the end, to be [put down](Archiving::put_down). `date` is that of a file that is begun.
    pub fn add(&mut self, packed: &Packed, date: &str) -> Result<Place, ArchivingError> {
        if self.open.as_ref().is_some_and(|open| open.file.length() >= self.facts.rotate) {
            self.close()?;
        }
        if self.open.is_none() {
            self.begin(date)?;
        }
        let open = self.open.as_mut().expect("a file was just begun");
        let at = open.file.add(&packed.bytes);
        let (offset, length) = packed.answer;
        if let Some(capture) = &packed.capture {
            let capture = Capture {
                filename: Some(self.facts.file_name(open.number)),
                offset: Some(at + offset),
                length: Some(length),
                ..capture.clone()
            };
            let line = capture.to_cdxj() + "\n";
            open.lines.add(line.as_bytes());
        }
        Ok(Place {
            file: open.number,
            offset: at + offset,
            length: u32::try_from(length).unwrap_or(u32::MAX),
            end: open.file.length(),
        })
    }

    fn begin(&mut self, date: &str) -> Result<(), ArchivingError> {
        let number = self.next;
        let (name, path) = (self.facts.file_name(number), self.facts.path(number));
        let fields: Vec<(&str, &str)> =
            self.facts.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let seed = xxhash_rust::xxh3::xxh3_128(name.as_bytes());
        let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, seed);
        writer.warcinfo(date, Some(&name), &fields)?;
        let failed = failed_at(&path);
        let mut file = GrowingFile::create(&path, &self.disk).map_err(&failed)?;
        file.add(&writer.into_inner());
        let path = self.facts.lines_path(number);
        let lines = GrowingFile::create(&path, &self.disk).map_err(failed_at(&path))?;
        self.next = number + 1;
        self.open = Some(Open { number, file, lines });
        Ok(())
    }

    /// Writes what was added.
    pub fn put_down(&mut self) -> Result<(), ArchivingError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let (facts, number) = (&self.facts, open.number);
        open.file.put_down().map_err(|error| failed_at(&facts.path(number))(error))?;
        open.lines.put_down().map_err(|error| failed_at(&facts.lines_path(number))(error))
    }

    /// How many bytes are in memory alone.
    pub fn in_memory(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.file.in_memory())
    }

    /// Ends the file that is being written, and writes its index.
    pub fn close(&mut self) -> Result<(), ArchivingError> {
        self.put_down()?;
        let Some(open) = self.open.take() else { return Ok(()) };
        let path = self.facts.path(open.number);
        let synced = open.file.handle().and_then(|file| file.sync_all());
        synced.map_err(failed_at(&path))?;
        // An index for which there was no room is made again when there is.
        self.disk.retry(is_full, || self.sort_lines(open.number))
    }

    /// Handles for having what was written to the disk itself.
    pub fn syncers(&self) -> Vec<fs::File> {
        let files = self.open.iter().flat_map(|open| [open.file.handle(), open.lines.handle()]);
        files.filter_map(Result::ok).collect()
    }
}

/// The lines of an index, sorted or not, for what lies before `end` in the file; not one that was half-written.
fn lines_before(index: &[u8], end: u64) -> Vec<&[u8]> {
    let is_before = |line: &&[u8]| {
        let capture = line.strip_suffix(b"\n").and_then(|line| parse_line(line, None).ok());
        capture.and_then(|capture| capture.offset).is_some_and(|offset| offset < end)
    };
    index.split_inclusive(|byte| *byte == b'\n').filter(is_before).collect()
}

fn is_full(error: &ArchivingError) -> bool {
    match error {
        ArchivingError::Io { source, .. } => disk::is_full(source),
        ArchivingError::Index(IndexError::Write { source, .. }) => disk::is_full(source),
        _ => false,
    }
}

fn failed_at(path: &Path) -> impl Fn(io::Error) -> ArchivingError + use<> {
    let path = path.to_owned();
    move |source| ArchivingError::Io { path: path.clone(), source }
}

#[cfg(test)]
mod tests {
    use langur_archive::index::Timestamp;
    use langur_archive::{About, Records};

    use super::*;

    fn facts(folder: &Path, rotate: u64) -> FileFacts {
        let fields = vec![("software".to_owned(), "a test".to_owned())];
        FileFacts { folder: folder.to_owned(), name: "t".to_owned(), rotate, fields }
    }

    fn packed(number: u32) -> Packed {
        let url = format!("http://a.example/{number}");
        let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, u128::from(number) + 9);
        let about = About { url: &url, date: DATE, ..About::default() };
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{number}");
        let written = writer.response(&about, block.as_bytes()).expect("memory");
        let digest = written.payload_digest.expect("it has content");
        let capture = Capture {
            mime: Some("text/html".to_owned()),
            status: Some(200),
            digest: digest.strip_prefix("sha1:").map(str::to_owned),
            ..Capture::new(&url, Timestamp::parse(DATE).expect("a date"))
        };
        let answer = (0, written.extent.length);
        Packed { bytes: writer.into_inner(), answer, capture: Some(capture) }
    }

    const DATE: &str = "2026-11-15T12:00:00Z";

    /// All files of the folder, by name.
    fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
        let read = |entry: fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        };
        let mut files: Vec<_> = entries.map(read).collect();
        files.sort();
        files
    }

    #[test]
    fn files_follow_each_other_and_each_has_an_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archiving = Archiving::new(facts(folder.path(), 900), Disk::default());
        let places: Vec<Place> =
            (0..6).map(|n| archiving.add(&packed(n), DATE).expect("added")).collect();
        archiving.close().expect("closed");
        assert!(places.last().expect("some").file >= 1, "{places:?}");
        let names: Vec<String> = files(folder.path()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names[..2], ["t-00000.cdxj", "t-00000.warc.gz"]);
        let mut found = 0;
        for (name, bytes) in files(folder.path()).iter().filter(|(name, _)| name.ends_with(".gz")) {
            let mut records = Records::new(&bytes[..], name).expect("an archive");
            while let Some(record) = records.next().expect("readable") {
                found += u32::from(record.head.url().is_some());
                record.finish().expect("readable");
            }
            assert!(records.problems().is_empty());
        }
        assert_eq!(found, 6);
    }

    #[test]
    fn what_no_event_knows_of_is_cut_off_and_the_rest_is_as_if_nothing_had_happened() {
        let whole = tempfile::tempdir().expect("a folder");
        let mut archiving = Archiving::new(facts(whole.path(), 1 << 20), Disk::default());
        for n in 0..5 {
            archiving.add(&packed(n), DATE).expect("added");
        }
        archiving.close().expect("closed");

        let killed = tempfile::tempdir().expect("a folder");
        let mut archiving = Archiving::new(facts(killed.path(), 1 << 20), Disk::default());
        let known = (0..3).map(|n| archiving.add(&packed(n), DATE).expect("added")).last();
        archiving.add(&packed(77), DATE).expect("added, put down, and then killed");
        archiving.put_down().expect("written");
        std::mem::forget(archiving);
        fs::write(killed.path().join("t-00001.warc.gz"), b"half").expect("written");
        let last = known.map(|place| (place.file, place.end));
        let recovered = Archiving::recover(facts(killed.path(), 1 << 20), Disk::default(), last);
        let (mut archiving, cut) = recovered.expect("recovered");
        assert!(cut > 4);
        for n in 3..5 {
            archiving.add(&packed(n), DATE).expect("added");
        }
        archiving.close().expect("closed");
        assert_eq!(files(killed.path()), files(whole.path()));
    }

    /// What a loss of power may leave: the journal lacks its last events, and the files were closed already.
    #[test]
    fn an_index_of_a_longer_file_loses_what_the_file_does() {
        let archived = |folder: &Path, pages: u32| {
            let mut archiving = Archiving::new(facts(folder, 2000), Disk::default());
            let add = |n| archiving.add(&packed(n), DATE).expect("added");
            let places: Vec<Place> = (0..pages).map(add).collect();
            archiving.close().expect("closed");
            places
        };
        let whole = tempfile::tempdir().expect("a folder");
        archived(whole.path(), 3);
        let cut = tempfile::tempdir().expect("a folder");
        let places = archived(cut.path(), 12);
        assert!(places[11].file > places[2].file, "{places:?}");
        let last = Some((places[2].file, places[2].end));
        let recovered = Archiving::recover(facts(cut.path(), 2000), Disk::default(), last);
        recovered.expect("recovered").0.close().expect("closed");
        assert_eq!(files(cut.path()), files(whole.path()));
    }
}
