//! One archive file becomes rows.
//!
//! A pure function of the file and the settings, whatever the number of threads: no other file is looked at, and
//! nothing is remembered.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use langur_archive::digest::{canonical, sha1_bytes};
use langur_archive::index::Timestamp;
use langur_archive::wat::{self, Description};
use langur_archive::{ArchiveError, Capture, Defect, Head, Kind, Oddity};
use langur_extract::{Answer, Described, Extractor, LONGEST_PAYLOAD, Origin};
use langur_page::Address;
use langur_page::canon::archive::cdx_key;
use langur_page::html::{LinkKind, parse_refresh};
use langur_sim::parallel::in_order;
use langur_sort::Sorter;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use crate::batches::{Batches, Held, is_description};
use crate::key::key_of;
use crate::row::{Captured, Row, record};

/// Problems of a file that are kept word for word.
const MOST_PROBLEMS: usize = 20;

/// What came of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSummary {
    /// The name of the file.
    pub file: String,
    /// Records by kind.
    pub records: BTreeMap<String, u64>,
    /// Captures of pages.
    pub captures: u64,
    /// Of these, pages of HTML that came with status 200.
    pub ok_html: u64,
    /// What was left out, by reason.
    pub left_out: BTreeMap<String, u64>,
    /// What is malformed in the file, as far as it is kept.
    pub problems: Vec<String>,
    /// How much is malformed.
    pub problem_count: u64,
    /// Languages that were met.
    pub languages: BTreeSet<String>,
    /// Media types that were met.
    pub media_types: BTreeSet<String>,
    /// Charsets that were met.
    pub charsets: BTreeSet<String>,
}

/// Takes a file apart and puts its rows into the sorter. `progress` is told how many bytes of the file have
/// been read.
pub fn rows_of(
    path: &Path,
    extractor: &Extractor,
    threads: usize,
    rows: &mut Sorter,
    progress: &mut dyn FnMut(u64),
) -> Result<FileSummary, FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let empty = FileSummary { file: name, ..FileSummary::default() };
    let mut summary = empty.clone();
    in_order(
        threads,
        Batches::open(path)?,
        || extractor.clone(),
        |extractor, batch| {
            let batch = batch?;
            let mut taking = Taking { extractor, rows: Vec::new(), summary: empty.clone() };
            batch.records.iter().for_each(|record| taking.take(record));
            batch.problems.iter().for_each(|problem| taking.summary.note(problem));
            taking.summary.leave_out_kinds(&batch.kinds);
            taking.summary.records = batch.kinds;
            Ok((batch.read, taking.rows, taking.summary))
        },
        |taken: Result<_, FileError>| {
            let (read, records, part) = taken?;
            progress(read);
            records.iter().try_for_each(|record| rows.push(record))?;
            summary.add(part);
            Ok::<(), FileError>(())
        },
    )?;
    Ok(summary)
}

/// Why a file could not be taken apart.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It could not be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Its rows could not be kept.
    #[error("cannot keep rows: {0}")]
    Rows(#[from] std::io::Error),
}

impl FileSummary {
    pub(crate) fn note(&mut self, problem: &str) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem.to_owned());
        }
    }

    fn leave_out(&mut self, why: &str) {
        *self.left_out.entry(why.to_owned()).or_default() += 1;
    }

    /// Counts records that have something of pages, and are not read.
    fn leave_out_kinds(&mut self, kinds: &BTreeMap<String, u64>) {
        for (kind, why) in [
            ("conversion", "texts of pages without their markup, as in WET files"),
            ("continuation", "parts of pages in records of their own"),
        ] {
            if let Some(number) = kinds.get(kind) {
                *self.left_out.entry(why.to_owned()).or_default() += number;
            }
        }
    }

    /// Adds what came of another part of the file, which follows.
    fn add(&mut self, part: FileSummary) {
        let count = |into: &mut BTreeMap<String, u64>, from: BTreeMap<String, u64>| {
            from.into_iter().for_each(|(what, count)| *into.entry(what).or_default() += count);
        };
        count(&mut self.records, part.records);
        count(&mut self.left_out, part.left_out);
        self.captures += part.captures;
        self.ok_html += part.ok_html;
        self.problems.extend(part.problems);
        self.problems.truncate(MOST_PROBLEMS);
        self.problem_count += part.problem_count;
        self.languages.extend(part.languages);
        self.media_types.extend(part.media_types);
        self.charsets.extend(part.charsets);
    }

    /// Notes the words of a row.
    pub(crate) fn met(&mut self, row: &Row) {
        let mut meet = |words: fn(&mut FileSummary) -> &mut BTreeSet<String>, word: &str| {
            let words = words(self);
            if !word.is_empty() && !words.contains(word) {
                words.insert(word.to_owned());
            }
        };
        meet(|summary| &mut summary.media_types, &row.media_type);
        meet(|summary| &mut summary.charsets, &row.charset);
        for language in row.languages.iter().chain(row.links.languages()) {
            meet(|summary| &mut summary.languages, language);
        }
    }
}

struct Taking<'a> {
    extractor: &'a mut Extractor,
    /// Rows as the sorter wants them.
    rows: Vec<Vec<u8>>,
    summary: FileSummary,
}

impl Taking<'_> {
    fn take(&mut self, record: &Held) {
        let Held { head, block, .. } = record;
        if is_description(head) {
            return self.take_description(record);
        }
        let Some(capture) = Capture::of(head, block) else {
            return self.summary.leave_out("records about no URL");
        };
        let Ok(address) = Address::parse(capture.url) else {
            return self.summary.leave_out("URLs that are not of the web");
        };
        if capture.timestamp.is_none() {
            // No index can have it, and so no crawl of the archive can come to it. Where there is none, who read
            // the record has said so.
            if let Some(date) = head.date() {
                let file = self.summary.file.clone();
                let offset = record.offset;
                self.summary.note(&format!("{file} at byte {offset}: \"{date}\" is no date"));
            }
            return self.summary.leave_out("captures without a date");
        }
        if capture.lacks_http(head) {
            let (file, offset) = (self.summary.file.clone(), record.offset);
            self.summary.note(&format!("{file} at byte {offset}: {}", Defect::NoHttpHead));
        }
        // Of a revisit it only says that the content is elsewhere.
        if head.truncated().is_some() && *head.kind() != Kind::Revisit {
            self.summary.leave_out("ends of pages that were not archived");
        }
        let digest = match record.long.filter(|_| *head.kind() != Kind::Revisit) {
            Some((digest, _)) => said_digest(head).unwrap_or(digest),
            None => digest_of(head, capture.body),
        };
        let known_as = known_as(head);
        let mut row = match head.kind() {
            Kind::Revisit => {
                let repeats = repeated(head, &address);
                let date = head.refers_to_date().and_then(seconds);
                let names = head.refers_to_url().map(|url| (cdx_key(url), date));
                Row { repeats, names, ..Row::revisit(known_as.unwrap_or_default()) }
            }
            _ => {
                let (page, summary) = ((&address, record.offset), &mut self.summary);
                let row = row_of(self.extractor, page, &capture, digest, summary);
                Row { known_as: known_as.unwrap_or(digest), ..row }
            }
        };
        if let Some((_, length)) = record.long.filter(|_| !is_coded(&capture)) {
            row.bytes = u32::try_from(length).unwrap_or(u32::MAX);
        }
        row.said = said(&capture);
        self.keep(&address, capture.timestamp.as_deref(), record.offset, &row);
    }

    /// Takes what a WAT file says of a capture.
    fn take_description(&mut self, record: &Held) {
        let Some(wat) = Description::parse(&record.block) else {
            let file = self.summary.file.clone();
            return self.summary.note(&format!(
                "{file} at byte {}: the description is not as in WAT files",
                record.offset
            ));
        };
        if wat.kind.as_deref() != Some("response") {
            return;
        }
        let Some(Ok(address)) = wat.url.as_deref().map(Address::parse) else {
            return self.summary.leave_out("URLs that are not of the web");
        };
        let meta = wat.metas.iter().find(|(name, _)| name.eq_ignore_ascii_case("description"));
        let extract = self.extractor.described(
            &address,
            &Described {
                status: wat.status.unwrap_or(0),
                content_type: wat.content_type.as_deref(),
                location: wat.location.as_deref(),
                title: wat.title.as_deref().unwrap_or_default(),
                description: meta.map_or("", |(_, text)| text),
                base: wat.base.as_deref(),
                links: wat.links.iter().filter_map(described_link).chain(refreshed(&wat)).collect(),
            },
        );
        self.summary.ok_html += u64::from(extract.outcome == langur_crawl::Outcome::OkHtml);
        let digest = wat.digest.as_deref().and_then(sha1_of).unwrap_or_default();
        let row = Row {
            described: true,
            bytes: wat.length.map_or(0, |length| u32::try_from(length).unwrap_or(u32::MAX)),
            ..Row::new(extract, wat.status.unwrap_or(0), 0, digest)
        };
        let date = wat.date.as_deref().or(record.head.date());
        self.keep(&address, date, record.offset, &row);
    }

    fn keep(&mut self, address: &Address, date: Option<&str>, offset: u64, row: &Row) {
        let at = date.and_then(seconds).unwrap_or(0);
        let captured = Captured { at, file: self.summary.file.clone(), offset };
        self.summary.captures += 1;
        self.summary.met(row);
        self.rows.push(record(&key_of(address), &captured, row));
    }
}

/// The row of a capture that is a page of this URL, and lies there in its file.
pub fn row_of(
    extractor: &mut Extractor,
    (address, offset): (&Address, u64),
    capture: &Capture,
    digest: [u8; 20],
    summary: &mut FileSummary,
) -> Row {
    let payload = capture.payload(LONGEST_PAYLOAD);
    let is_limit = |oddity: &&Oddity| matches!(oddity, Oddity::Limited(_));
    if payload.oddities.iter().any(|oddity| is_limit(&oddity)) {
        summary.leave_out("ends of pages longer than 16 MiB");
    }
    for oddity in payload.oddities.iter().filter(|oddity| !is_limit(oddity)) {
        summary.note(&format!("{} at byte {offset}: {address}: {oddity}", summary.file.clone()));
    }
    let header = |name| capture.http.as_ref().and_then(|http| http.headers.text(name));
    let (content_language, location) = (header("content-language"), header("location"));
    let refresh = header("refresh");
    let link = capture.http.as_ref().and_then(|http| http.headers.list("link"));
    let status = capture.status.unwrap_or(0);
    let extract = extractor.extract(&Answer {
        address,
        status,
        content_type: capture.content_type.as_deref(),
        content_language: content_language.as_deref(),
        location: location.as_deref(),
        link: link.as_deref(),
        refresh: refresh.as_deref(),
        payload: &payload.bytes,
    });
    summary.ok_html += u64::from(extract.outcome == langur_crawl::Outcome::OkHtml);
    if extract.trapped > 0 {
        *summary.left_out.entry("links that look like traps".to_owned()).or_default() +=
            u64::from(extract.trapped);
    }
    // What is not coded is as long as it is stored.
    let length = if is_coded(capture) { payload.bytes.len() } else { capture.body.len() };
    Row::new(extract, status, length, digest)
}

fn is_coded(capture: &Capture) -> bool {
    capture.http.as_ref().is_some_and(|http| http.is_coded())
}

/// Status and media type, and where it sends to, if the capture has a head of its own that tells them: 304 only says that
/// there is nothing new.
fn said(capture: &Capture) -> Option<(u16, String)> {
    let http = capture.http.as_ref()?;
    let status = http.status.filter(|status| *status != 304)?;
    let location = http.headers.text("location").unwrap_or_default();
    Some((status, format!("{} {location}", capture.mime().unwrap_or_default())))
}

/// When the capture of this URL was made that a revisit repeats, if it names one.
fn repeated(revisit: &Head, address: &Address) -> Option<u32> {
    let of = Address::parse(revisit.refers_to_url()?).ok()?;
    revisit.refers_to_date().and_then(seconds).filter(|_| of == *address)
}

/// The moment that a date tells, in seconds since 1970; the first or the last that there is, if it lies outside.
fn seconds(date: &str) -> Option<u32> {
    Some(Timestamp::parse(date)?.unix().clamp(0, u32::MAX.into()) as u32)
}

/// Where a META of a WAT file sends to.
fn refreshed(wat: &Description) -> Option<(&str, Origin, &str)> {
    let meta = wat.metas.iter().find(|(name, _)| name.eq_ignore_ascii_case("refresh"));
    let (_, url) = parse_refresh(&meta?.1).filter(|(_, url)| !url.is_empty())?;
    Some((url, Origin::Element(LinkKind::Refresh), ""))
}

/// A link of a WAT file as a link of a page. Images, scripts and forms are none.
fn described_link(link: &wat::Link) -> Option<(&str, Origin, &str)> {
    let rel = || link.rel.as_deref().unwrap_or_default().to_ascii_lowercase();
    let origin = match link.path.split('@').next().unwrap_or_default() {
        "A" => Origin::Element(LinkKind::Anchor),
        "AREA" => Origin::Element(LinkKind::Area),
        "FRAME" => Origin::Element(LinkKind::Frame),
        "IFRAME" => Origin::Element(LinkKind::Iframe),
        "LINK" if rel() == "canonical" => Origin::Canonical,
        "LINK" if ["alternate", "next", "prev"].contains(&rel().as_str()) => {
            Origin::Element(LinkKind::Head)
        }
        _ => return None,
    };
    Some((&link.url, origin, link.text.as_deref().unwrap_or_default()))
}

/// The SHA-1 that the record says, or else that of the body as it is stored.
pub fn digest_of(head: &Head, body: &[u8]) -> [u8; 20] {
    said_digest(head).unwrap_or_else(|| Sha1::digest(body).into())
}

fn said_digest(head: &Head) -> Option<[u8; 20]> {
    head.payload_digest().and_then(sha1_of)
}

/// What a record says that its content is known as: its SHA-1, or the SHA-1 of another digest's text.
pub fn known_as(head: &Head) -> Option<[u8; 20]> {
    let digest = canonical(head.payload_digest()?);
    Some(sha1_bytes(&digest).unwrap_or_else(|| Sha1::digest(&digest).into()))
}

/// A digest as archives write it, if it is a SHA-1.
fn sha1_of(digest: &str) -> Option<[u8; 20]> {
    sha1_bytes(&canonical(digest))
}

#[cfg(test)]
mod tests {
    use langur_extract::Wants;

    use super::*;

    /// Pages of some kilobytes, so that there are several batches, with junk between two of them.
    fn archive(pages: u32) -> String {
        let mut warc = String::new();
        for page in 0..pages {
            let text = format!("มนุษย์ทั้งหลายเกิดมามีอิสระ {page} ").repeat(100);
            let block = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
                 <p>{text}<a href=/{}>next page</a>",
                page + 1
            );
            let kind = if page % 7 == 3 { "request" } else { "response" };
            warc += &format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/{page}\r\n\
                 WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
                block.len()
            );
            if page == pages / 2 {
                warc += "junk\r\n";
            }
        }
        warc
    }

    /// The rows of a file with these records, by URL, and what came of it.
    fn rows(records: &[(&str, &str, &str)]) -> (BTreeMap<String, Row>, FileSummary) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.warc");
        let warc = records.iter().map(|(url, kind, block)| {
            let content = if *kind == "metadata" { "application/json" } else { "application/http" };
            format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: {content}\r\n\
                 WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
                block.len()
            )
        });
        std::fs::write(&file, warc.collect::<String>()).expect("room");
        let extractor = Extractor::new(Vec::new(), Wants::ALL).expect("whole profiles");
        let mut sorter = Sorter::new(folder.path(), "rows", 1 << 20);
        let summary = rows_of(&file, &extractor, 1, &mut sorter, &mut |_| ()).expect("readable");
        let (mut sorted, mut rows) = (sorter.sorted().expect("in memory"), BTreeMap::new());
        while let Some(record) = sorted.next().expect("in memory") {
            let (key, _, row) = crate::row::read(record).expect("just written");
            let url = crate::key::address_of(key).expect("a key").to_string();
            rows.insert(url, row);
        }
        (rows, summary)
    }

    #[test]
    fn descriptions_tell_of_redirects_lengths_and_charsets() {
        let wat = |url: &str, status: u16, headers: &str| {
            format!(
                r#"{{"Envelope":{{"WARC-Header-Metadata":{{"WARC-Type":"response","WARC-Target-URI":"{url}",
                "WARC-Payload-Digest":"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"}},"Payload-Metadata":
                {{"HTTP-Response-Metadata":{{"Response-Message":{{"Status":"{status}"}},"Entity-Length":"900",
                "HTML-Metadata":{{"Head":{{"Metas":[{{"http-equiv":"Refresh","content":"0; url=/next"}}]}}}},
                "Headers":{{"Content-Type":"text/html; charset=tis-620"{headers}}}}}}}}}}}"#
            )
        };
        let (page, moved) = ("http://a.example/", "http://a.example/old");
        let (rows, summary) = rows(&[
            (page, "metadata", &wat(page, 200, "")),
            (moved, "metadata", &wat(moved, 302, r#","Location":"/""#)),
            (page, "metadata", r#"{"Envelope": {no JSON"#),
        ]);
        assert_eq!((rows[page].bytes, &*rows[page].charset), (900, "windows-874"));
        assert_ne!(rows[page].digest, [0; 20]);
        let next = key_of(&Address::parse("http://a.example/next").expect("a URL"));
        assert!(rows[page].links.iter().map(|link| link.target).eq([next]), "META refresh");
        assert_eq!((rows[moved].status, rows[moved].links.len()), (302, 1));
        let link = rows[moved].links.iter().next().expect("a link");
        assert_eq!(link.target, key_of(&Address::parse(page).expect("a URL")));
        assert!(summary.problems.iter().any(|problem| problem.contains("not as in WAT files")));
    }

    /// What is there of a revisit is not what it repeats.
    #[test]
    fn a_revisit_that_is_cut_and_names_no_digest_has_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.warc");
        let warc = "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.example/\r\n\
            WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: 500\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhalf";
        std::fs::write(&file, warc).expect("room");
        let extractor = Extractor::new(Vec::new(), Wants::ALL).expect("whole profiles");
        let mut sorter = Sorter::new(folder.path(), "rows", 1 << 20);
        rows_of(&file, &extractor, 1, &mut sorter, &mut |_| ()).expect("readable");
        let mut sorted = sorter.sorted().expect("in memory");
        let record = sorted.next().expect("in memory").expect("a row");
        let (.., row) = crate::row::read(record).expect("just written");
        assert_eq!((row.revisit, row.known_as), (true, [0; 20]));
    }

    #[test]
    fn long_pages_have_their_own_length_and_digest() {
        let body = |bytes: usize| "x".repeat(bytes);
        let block =
            |bytes| format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{}", body(bytes));
        let (one, other) = ("http://a.example/1", "http://a.example/2");
        let lengths = [(one, 17 << 20), (other, (33 << 20) + 5)];
        let blocks = lengths.map(|(url, bytes)| (url, block(bytes)));
        let records = blocks.each_ref().map(|(url, block)| (*url, "response", block.as_str()));
        let (rows, summary) = rows(&records);
        for (url, bytes) in lengths {
            let digest: [u8; 20] = Sha1::digest(body(bytes)).into();
            assert_eq!((rows[url].bytes as usize, rows[url].digest), (bytes, digest));
        }
        assert!(!summary.problems.iter().any(|problem| problem.contains("longer than")));
        assert_eq!(summary.left_out["ends of pages longer than 16 MiB"], 2);
    }

    #[test]
    fn a_revisit_remembers_when_what_it_repeats_was_captured() {
        let warc = "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.example/\r\n\
            WARC-Refers-To-Target-URI: http://a.example/\r\nWARC-Refers-To-Date: 1970-01-01T00:01:00Z\r\n\r\n";
        let mut records = langur_archive::Records::new(warc.as_bytes(), "a").expect("a WARC");
        let record = records.next().expect("readable").expect("a record");
        let address = |url| Address::parse(url).expect("a URL");
        assert_eq!(repeated(record.head, &address("http://a.example/")), Some(60));
        assert_eq!(repeated(record.head, &address("http://b.example/")), None);
    }

    #[test]
    fn threads_do_not_show_in_the_rows() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.warc");
        std::fs::write(&file, archive(700)).expect("room");
        let extractor = Extractor::new(Vec::new(), Wants::ALL).expect("whole profiles");
        let taken = |threads| {
            let mut sorter = Sorter::new(folder.path(), "rows", 1 << 20);
            let (mut read, rows) = (Vec::new(), folder.path().join("rows"));
            let summary = rows_of(&file, &extractor, threads, &mut sorter, &mut |at| read.push(at));
            sorter.write_to(&rows).expect("room");
            (summary.expect("a readable file"), read, std::fs::read(&rows).expect("just written"))
        };
        let (summary, read, rows) = taken(1);
        assert_eq!((summary.captures, summary.ok_html), (600, 600));
        assert_eq!(
            summary.records,
            BTreeMap::from([("request".into(), 100), ("response".into(), 600)])
        );
        assert!(summary.problem_count > 0 && summary.languages.contains("th"));
        assert!(read.len() > 3 && read.is_sorted());
        assert_eq!(taken(3), (summary, read, rows));
    }
}
