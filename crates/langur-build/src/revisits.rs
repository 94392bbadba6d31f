//! Revisits that repeat the capture of another URL.
//!
//! A revisit says that a payload was the same as an earlier one, which is known by its digest. Mostly that was of
//! the same URL, and its row is at hand when the two are joined. Where it was of another, which the revisit names, its row will
//! not do, since links are relative to the URL: the record is read once more, as a page of the revisit's URL and with the
//! revisit's own head. So it is where that says another status or media type. Which capture it is, is decided as the archive
//! does it (`langur_archive::Archive`), so that crawls of the archive and of the web space see the same.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use langur_archive::{ArchiveError, Capture, Head, Kind, Records, answer_of_revisit};
use langur_extract::Extractor;
use langur_page::canon::archive::cdx_key;
use langur_sort::{Sorted, Sorter};
use serde::{Deserialize, Serialize};

use crate::batches::LONGEST_BLOCK;
use crate::file::{FileError, FileSummary, digest_of, known_as, row_of};
use crate::key::{address_of, key_len};
use crate::row::{Captured, Row, place_bytes, read, read_place, record as record_of};

type Digest = [u8; 20];

/// What came of revisits that repeat captures of other URLs.
#[derive(Default)]
pub struct Resolved {
    /// What was met in those that were read; there are rows if there are captures.
    pub summary: FileSummary,
    /// What revisits repeat, but cannot be read where it is said to lie.
    pub unread: BTreeSet<Captured>,
}

/// Finds the content of revisits that repeat captures of other URLs among the archives, and writes rows for them.
pub fn resolve(
    rows: &[PathBuf],
    archives: &[PathBuf],
    extractor: &mut Extractor,
    scratch: &Path,
    memory: usize,
    output: &Path,
) -> Result<Resolved, FileError> {
    let (mut wanted, there) = sorted_by_url(rows, scratch, memory)?;
    let mut there = Originals { sorted: there, next: None, url: Vec::new(), of_url: Vec::new() };
    let files = Files::of(archives);
    let mut found = Sorter::new(scratch, "revisits", memory / 4);
    let Resolved { mut summary, mut unread } = Resolved::default();
    while let Some(record) = wanted.next()? {
        let Some(revisit) = Revisit::read(record) else { continue };
        let Some(original) = revisit.original(there.of(revisit.url)?) else { continue };
        let Some(address) = address_of(revisit.key) else { continue };
        let is_it = |head: &Head, block: &[u8]| {
            let found = |it: Capture| known_as(head).unwrap_or_else(|| digest_of(head, it.body));
            Capture::of(head, block).is_some_and(|it| found(it) == original.known_as)
        };
        let Some((head, block)) = files.record(&original.captured, is_it)? else {
            unread.insert(original.captured.clone());
            continue;
        };
        let own = files.record(&revisit.captured, |head, _| *head.kind() == Kind::Revisit)?;
        let content = Capture::of(&head, &block).map(|it| digest_of(&head, it.body));
        let block = own.and_then(|(_, own)| answer_of_revisit(&own, &block)).unwrap_or(block);
        let Some(capture) = Capture::of(&head, &block) else { continue };
        let page = (&address, original.captured.offset);
        let row = row_of(extractor, page, &capture, content.unwrap_or_default(), &mut summary);
        let row = Row { reread: true, ..row };
        summary.met(&row);
        summary.captures += 1;
        found.push(&record_of(revisit.key, &revisit.captured, &row))?;
    }
    if summary.captures > 0 {
        found.write_to(output)?;
    }
    Ok(Resolved { summary, unread })
}

/// From all rows, by the URL that is to be looked for, as indexes have it: revisits whose content cannot be had from another
/// row; and all whole captures.
fn sorted_by_url(
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
            let url = address_of(key).map_or_else(String::new, |it| cdx_key(&it.to_string()));
            page = Page { key: key.to_vec(), url, ..Page::default() };
        }
        if row.revisit {
            page.revisits.push((captured, row));
        } else if !row.described {
            let place = place_bytes(&captured);
            there.push(&[page.url.as_bytes(), &[0], &place, &row.known_as, key].concat())?;
            page.whole.push(Whole { digest: row.known_as, at: captured.at, said: row.said });
        }
    }
    page.finish(&mut wanted)?;
    Ok((wanted.sorted()?, there.sorted()?))
}

/// The captures of one URL.
#[derive(Default)]
struct Page {
    key: Vec<u8>,
    /// Its key in an index.
    url: String,
    whole: Vec<Whole>,
    revisits: Vec<(Captured, Row)>,
}

/// Status and media type, and where to go, as heads say them.
type Said = Option<(u16, String)>;

/// A whole capture of a URL, as its revisits know it.
struct Whole {
    digest: Digest,
    at: u32,
    said: Said,
}

impl Page {
    fn finish(&mut self, wanted: &mut Sorter) -> Result<(), FileError> {
        for (captured, revisit) in self.revisits.drain(..) {
            let find = |is_it: &dyn Fn(&&Whole) -> bool| self.whole.iter().rev().find(is_it);
            // Without a digest, it is known by its date.
            let own = match revisit.known_as == Digest::default() {
                false => find(&|whole| whole.digest == revisit.known_as),
                true => find(&|whole| Some(whole.at) == revisit.repeats),
            };
            if own.is_some_and(|own| revisit.said.is_none() || revisit.said == own.said) {
                continue;
            }
            let own = own.filter(|_| revisit.known_as != Digest::default());
            // No index finds what has the same digest among all other URLs: it has to be named.
            let (url, date) = match (own, revisit.names) {
                (Some(_), _) => (self.url.clone(), None),
                (None, Some(named)) => named,
                (None, None) => continue,
            };
            let facts = Facts { digest: revisit.known_as, date, is_own: own.is_some() };
            let record = [url.as_bytes(), &[0], &self.key, &place_bytes(&captured)].concat();
            wanted.push(&postcard::to_extend(&facts, record).expect("in memory"))?;
        }
        Ok(())
    }
}

/// What a revisit says of what it repeats.
#[derive(Serialize, Deserialize)]
struct Facts {
    digest: Digest,
    /// When that was captured.
    date: Option<u32>,
    /// Whether that is a capture of its own URL.
    is_own: bool,
}

/// A revisit that is looked for.
struct Revisit<'r> {
    /// The URL whose capture it repeats, as indexes have it.
    url: &'r [u8],
    /// The key of its own page.
    key: &'r [u8],
    captured: Captured,
    facts: Facts,
}

impl Revisit<'_> {
    fn read(record: &[u8]) -> Option<Revisit<'_>> {
        let (url, rest) = split_url(record)?;
        let (key, rest) = rest.split_at_checked(key_len(rest))?;
        let (captured, facts) = read_place(rest)?;
        Some(Revisit { url, key, captured, facts: postcard::from_bytes(facts).ok()? })
    }

    /// Of the captures of the URL that it names, the one with the same digest, and of several that of the date it names, or the
    /// latest; where none has the digest, the one of that date.
    fn original<'o>(&self, there: &'o [Original]) -> Option<&'o Original> {
        let Facts { digest, date, is_own } = self.facts;
        let same = |it: &&Original| it.known_as == digest && digest != Digest::default();
        let dated = |it: &&Original| Some(it.captured.at) == date;
        let latest = || there.iter().rev();
        if is_own {
            return latest().find(|it| same(it) && it.key == self.key);
        }
        let both = latest().find(|it| same(it) && dated(it));
        both.or_else(|| latest().find(same)).or_else(|| latest().find(dated))
    }
}

/// A whole capture.
struct Original {
    captured: Captured,
    known_as: Digest,
    /// The key of its page.
    key: Vec<u8>,
}

/// All whole captures, by the URL that indexes have them under.
struct Originals {
    sorted: Sorted,
    /// The first of another URL.
    next: Option<Vec<u8>>,
    url: Vec<u8>,
    of_url: Vec<Original>,
}

impl Originals {
    /// The captures of a URL, the earliest first. URLs are asked for in order.
    fn of(&mut self, wanted: &[u8]) -> Result<&[Original], FileError> {
        while self.url.as_slice() < wanted {
            let first = match self.next.take() {
                Some(first) => Some(first),
                None => self.sorted.next()?.map(<[u8]>::to_vec),
            };
            self.of_url.clear();
            let Some((url, original)) = first.as_deref().and_then(split_url) else {
                self.url = wanted.to_vec();
                break;
            };
            self.url = url.to_vec();
            self.of_url.extend(Original::read(original));
            while let Some(record) = self.sorted.next()? {
                match split_url(record) {
                    Some((url, original)) if url == self.url => {
                        self.of_url.extend(Original::read(original));
                    }
                    _ => {
                        self.next = Some(record.to_vec());
                        break;
                    }
                }
            }
        }
        Ok(if self.url == wanted { &self.of_url } else { &[] })
    }
}

impl Original {
    fn read(record: &[u8]) -> Option<Original> {
        let (captured, rest) = read_place(record)?;
        let (known_as, key) = rest.split_first_chunk::<20>()?;
        Some(Original { captured, known_as: *known_as, key: key.to_vec() })
    }
}

fn split_url(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = record.iter().position(|byte| *byte == 0)?;
    Some((&record[..end], &record[end + 1..]))
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
