//! Revisits that repeat the capture of another URL.
//!
//! A revisit says that a payload was the same as an earlier one, which is known by its digest. Mostly that was of
//! the same URL, and its row is at hand when the two are joined. Where it was of another, its row will not do,
//! since links are relative to the URL: the record is read once more, as a page of the revisit's URL and with the
//! revisit's own head. So it is where that says another status or media type.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use langur_archive::{ArchiveError, Capture, Head, Kind, Records, answer_of_revisit};
use langur_extract::Extractor;
use langur_sort::{Sorted, Sorter};

use crate::batches::LONGEST_BLOCK;
use crate::file::{FileError, FileSummary, digest_of, known_as, row_of};
use crate::key::{address_of, key_len};
use crate::row::{Captured, Row, place_bytes, read, read_place, record};

type Digest = [u8; 20];

/// Finds the content of revisits that repeat captures of other URLs among the archives, and writes rows for
/// them. The summary tells what was met in them; without any there is none.
pub fn resolve(
    rows: &[PathBuf],
    archives: &[PathBuf],
    extractor: &mut Extractor,
    scratch: &Path,
    memory: usize,
    output: &Path,
) -> Result<Option<FileSummary>, FileError> {
    let (mut wanted, mut there) = sorted_by_digest(rows, scratch, memory)?;
    let files = Files::of(archives);
    let mut found = Sorter::new(scratch, "revisits", memory / 4);
    let mut summary = FileSummary::default();
    let mut place = there.next()?.and_then(digest_and_place);
    while let Some(revisit) = wanted.next()? {
        let Some((digest, revisit)) = revisit.split_first_chunk::<20>() else { continue };
        while place.as_ref().is_some_and(|(other, _)| other < digest) {
            place = there.next()?.and_then(digest_and_place);
        }
        let Some((_, original)) = place.as_ref().filter(|(other, _)| other == digest) else {
            continue;
        };
        let Some((key, captured, is_own)) = key_and_place(revisit) else { continue };
        let Some(address) = address_of(key) else { continue };
        let is_it = |head: &Head, block: &[u8]| {
            let found = |it: Capture| known_as(head).unwrap_or_else(|| digest_of(head, it.body));
            Capture::of(head, block).is_some_and(|it| found(it) == *digest)
        };
        let Some((head, block)) = files.record(original, is_it)? else { continue };
        let own = files.record(&captured, |head, _| *head.kind() == Kind::Revisit)?;
        // No index finds what has the same digest among all other URLs: it has to be named.
        let names_another = own.as_ref().is_some_and(|(head, _)| head.refers_to_url().is_some());
        if !is_own && !names_another {
            continue;
        }
        let content = Capture::of(&head, &block).map(|it| digest_of(&head, it.body));
        let block = own.and_then(|(_, own)| answer_of_revisit(&own, &block)).unwrap_or(block);
        let Some(capture) = Capture::of(&head, &block) else { continue };
        let page = (&address, original.offset);
        let row = row_of(extractor, page, &capture, content.unwrap_or_default(), &mut summary);
        let row = Row { reread: true, ..row };
        summary.met(&row);
        summary.captures += 1;
        found.push(&record(key, &captured, &row))?;
    }
    if summary.captures == 0 {
        return Ok(None);
    }
    found.write_to(output)?;
    Ok(Some(summary))
}

/// From all rows, by digest: revisits whose content is no capture of their own URL, each with its key and its
/// place; and the places of all whole captures.
fn sorted_by_digest(
    rows: &[PathBuf],
    scratch: &Path,
    memory: usize,
) -> Result<(Sorted, Sorted), FileError> {
    let mut all = Sorter::new(scratch, "all", memory);
    all.add_files(rows.iter().cloned());
    let mut all = all.sorted()?;
    let mut wanted = Sorter::new(scratch, "wanted", memory / 4);
    let mut there = Sorter::new(scratch, "there", memory / 4);
    let mut page = Page::default();
    while let Some(bytes) = all.next()? {
        // A damaged row is reported where rows are joined.
        let Some((key, captured, row)) = read(bytes) else { continue };
        if key != page.key {
            page.finish(&mut wanted)?;
            page.key = key.to_vec();
        }
        let place = place_bytes(&captured);
        if row.revisit {
            let (digest, repeats, said) = (row.known_as, row.repeats, row.said);
            page.revisits.push(Revisit { digest, repeats, said, place });
        } else if !row.described {
            page.whole.push((row.known_as, captured.at, row.said));
            there.push(&[&row.known_as[..], &place].concat())?;
        }
    }
    page.finish(&mut wanted)?;
    Ok((wanted.sorted()?, there.sorted()?))
}

/// The captures of one URL.
#[derive(Default)]
struct Page {
    key: Vec<u8>,
    /// Whole ones, each with when it was made and what its head says.
    whole: Vec<(Digest, u32, Said)>,
    revisits: Vec<Revisit>,
}

/// Status and media type, and where to go, as heads say them.
type Said = Option<(u16, String)>;

struct Revisit {
    /// What it repeats.
    digest: Digest,
    /// When that was captured, if it says so.
    repeats: Option<u32>,
    said: Said,
    place: Vec<u8>,
}

impl Page {
    fn finish(&mut self, wanted: &mut Sorter) -> Result<(), FileError> {
        for revisit in self.revisits.drain(..) {
            let has_digest = |(digest, ..): &&(Digest, u32, Said)| *digest == revisit.digest;
            let has_date = |(_, at, _): &&(Digest, u32, Said)| Some(*at) == revisit.repeats;
            // The latest with the same digest; where none has it, the capture that it names by its date.
            let latest = || self.whole.iter().rev();
            let own = latest().find(has_digest).or_else(|| latest().find(has_date));
            if own.is_some_and(|(.., said)| revisit.said.is_none() || revisit.said == *said) {
                continue;
            }
            let digest = own.map_or(revisit.digest, |(digest, ..)| *digest);
            if digest != Digest::default() {
                let is_own = u8::from(own.is_some());
                wanted.push(&[&digest[..], &self.key, &revisit.place, &[is_own]].concat())?;
            }
        }
        self.whole.clear();
        Ok(())
    }
}

fn digest_and_place(record: &[u8]) -> Option<(Digest, Captured)> {
    let (digest, place) = record.split_first_chunk::<20>()?;
    Some((*digest, read_place(place)?.0))
}

/// Of a revisit: its key, its place, and whether what it repeats is a capture of its own URL.
fn key_and_place(record: &[u8]) -> Option<(&[u8], Captured, bool)> {
    let (key, place) = record.split_at_checked(key_len(record))?;
    let (captured, rest) = read_place(place)?;
    Some((key, captured, rest == [1]))
}

/// The archive files, by name.
struct Files<'a>(HashMap<String, Vec<&'a PathBuf>>);

impl<'a> Files<'a> {
    fn of(archives: &'a [PathBuf]) -> Files<'a> {
        let mut by_name: HashMap<String, Vec<&PathBuf>> = HashMap::new();
        for path in archives {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            by_name.entry(name).or_default().push(path);
        }
        Files(by_name)
    }

    /// The record at a place, in the file of that name in which it is the one that is looked for.
    fn record(
        &self,
        place: &Captured,
        is_it: impl Fn(&Head, &[u8]) -> bool,
    ) -> Result<Option<(Head, Vec<u8>)>, FileError> {
        for path in self.0.get(&place.file).into_iter().flatten() {
            let found = record_at(path, place.offset)?;
            if let Some((head, block)) = found.filter(|(head, block)| is_it(head, block)) {
                return Ok(Some((head, block)));
            }
        }
        Ok(None)
    }
}

/// The record at a place.
fn record_at(path: &Path, offset: u64) -> Result<Option<(Head, Vec<u8>)>, FileError> {
    let name = path.display().to_string();
    let failed = |source| ArchiveError::Read { file: name.clone(), source };
    let dictionary = Records::open(path)?.dictionary().map(<[u8]>::to_vec).unwrap_or_default();
    let mut file = File::open(path).map_err(failed)?;
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    let mut records = Records::at(file, name.clone(), offset, &dictionary)?;
    let Some(mut record) = records.next()? else { return Ok(None) };
    let mut block = Vec::new();
    record.read_block(&mut block, LONGEST_BLOCK).map_err(failed)?;
    Ok(Some((record.head.clone(), block)))
}
