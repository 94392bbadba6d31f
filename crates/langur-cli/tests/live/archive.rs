//! The archive of a crawl, read record by record and by its indexes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use langur_archive::{Capture, Kind, Records};

/// A record that answers a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archived {
    pub url: String,
    pub status: u16,
    pub is_revisit: bool,
    pub payload: Vec<u8>,
}

/// The answers in the archive of a crawl. Every file is without fault, and its index leads to every answer in it.
#[track_caller]
pub fn archived(crawl: &Path) -> Vec<Archived> {
    let mut all = Vec::new();
    for path in files(crawl, "warc.gz") {
        let (answers, places) = answers(&path);
        assert_eq!(indexed(&path), places, "the index of {}", path.display());
        all.extend(answers);
    }
    all
}

/// The URLs that are archived.
#[track_caller]
pub fn archived_urls(crawl: &Path) -> BTreeSet<String> {
    archived(crawl).into_iter().map(|it| it.url).collect()
}

/// Files of the archive with this ending.
pub fn files(crawl: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(crawl.join("archive")).expect("an archive");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    paths.sort();
    paths
}

/// Where each answer lies.
type Places = BTreeMap<(u64, u64), String>;

#[track_caller]
fn answers(path: &Path) -> (Vec<Archived>, Places) {
    let mut records = Records::open(path).expect("an archive file");
    let (mut answers, mut places, mut block) = (Vec::new(), Places::new(), Vec::new());
    let mut is_first = true;
    while let Some(mut record) = records.next().expect("a record") {
        assert_eq!(
            is_first,
            *record.head.kind() == Kind::Warcinfo,
            "a file begins with what it is"
        );
        is_first = false;
        record.read_block(&mut block, 64 << 20).expect("a block");
        let mut answer = None;
        if matches!(record.head.kind(), Kind::Response | Kind::Revisit) {
            let capture = Capture::of(record.head, &block).expect("a capture");
            answer = Some(Archived {
                url: capture.url.to_owned(),
                status: capture.status.unwrap_or(0),
                is_revisit: *record.head.kind() == Kind::Revisit,
                payload: capture.payload(64 << 20).bytes.into_owned(),
            });
        }
        let extent = record.finish().expect("a place").expect("a member of its own");
        if let Some(answer) = answer {
            places.insert((extent.offset, extent.length), answer.url.clone());
            answers.push(answer);
        }
    }
    assert_eq!(records.problems(), [], "{}", path.display());
    (answers, places)
}

/// What the index beside an archive file says, every line of which leads to its record.
#[track_caller]
fn indexed(path: &Path) -> Places {
    let name = path.to_string_lossy().replace(".warc.gz", ".cdxj");
    let text = fs::read_to_string(&name).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text.lines().is_sorted(), "{name} is sorted");
    let file = fs::read(path).expect("an archive file");
    let captures = text.lines().map(|line| {
        let capture = langur_archive::index::Capture::from_cdxj(line).expect("a line of CDXJ");
        let place = capture.place().expect("a place");
        assert!(path.ends_with(place.filename), "{line}");
        let length = place.length.expect("a length");
        let part = &file[place.offset as usize..(place.offset + length) as usize];
        let mut records = Records::at(part, name.clone(), place.offset, &[]).expect("a record");
        let record = records.next().expect("a record").expect("one record");
        assert_eq!(record.head.url(), Some(capture.url.as_str()), "{line}");
        ((place.offset, length), capture.url)
    });
    captures.collect()
}
