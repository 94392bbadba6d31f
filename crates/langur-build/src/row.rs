//! What is kept of a capture until all captures are joined.
//!
//! A record for the sorter begins with the page's [key](crate::key) and goes on with the time and the
//! place of the capture, so that the captures of a page come together, the latest last, whatever file they
//! were found in. The rest is the [`Row`].

use langur_crawl::Language;
use langur_extract::Extract;
use serde::{Deserialize, Serialize};

use crate::key::{Keys, key_len};
use crate::links::Links;

/// What is kept of a capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// HTTP's status.
    pub status: u16,
    /// Whether it only says that the payload is that of an earlier capture, which has the same digest.
    pub revisit: bool,
    /// When the capture of the same URL was made that a revisit says it repeats, in seconds since 1970.
    pub repeats: Option<u32>,
    /// The key in an index of the URL whose capture a revisit says it repeats, and when that was made.
    pub names: Option<(String, Option<u32>)>,
    /// Whether only a description of the capture is there, as in WAT files.
    pub described: bool,
    /// Status and media type, and where it sends to, as its own head says them, where it has one. A revisit may differ in them
    /// from what it repeats.
    pub said: Option<(u16, String)>,
    /// Media type.
    pub media_type: String,
    /// Charset.
    pub charset: String,
    /// Length of the payload.
    pub bytes: u32,
    /// SHA-1 of the payload.
    pub digest: [u8; 20],
    /// What revisits know the payload by: its SHA-1, or that of another digest as it is written.
    pub known_as: [u8; 20],
    /// Whether it is what a revisit repeats, with the revisit's own head: it stands for that one alone.
    pub reread: bool,
    /// Whether the page is only a way in.
    pub gateway: bool,
    /// Languages by each rule; empty where unknown.
    pub languages: Vec<String>,
    /// Scores on each topic.
    pub topics: Vec<f32>,
    /// Links.
    pub links: Links,
}

/// When and where a capture was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Captured {
    /// Seconds since 1970.
    pub at: u32,
    /// The name of the file, without its folder.
    pub file: String,
    /// Where in the file.
    pub offset: u64,
}

impl Row {
    /// A row of a page.
    pub fn new(extract: Extract, status: u16, length: usize, digest: [u8; 20]) -> Row {
        let tag =
            |language: &Option<Language>| language.map_or_else(String::new, |tag| tag.to_string());
        let (mut links, mut keys) = (Links::default(), Keys::default());
        for link in &extract.links {
            let anchor = link.anchor_language.as_ref().map_or("", Language::as_str);
            links.push(&mut keys, &link.target, link.origin, anchor, &link.topics);
        }
        Row {
            status,
            revisit: false,
            repeats: None,
            names: None,
            described: false,
            said: None,
            media_type: extract.media_type,
            charset: extract.charset.to_owned(),
            bytes: u32::try_from(length).unwrap_or(u32::MAX),
            digest,
            known_as: digest,
            reread: false,
            gateway: extract.gateway,
            languages: extract.languages.iter().map(tag).collect(),
            topics: extract.topics,
            links,
        }
    }

    /// A row that stands for an earlier capture of the same payload.
    pub fn revisit(known_as: [u8; 20]) -> Row {
        Row {
            status: 0,
            revisit: true,
            repeats: None,
            names: None,
            described: false,
            said: None,
            media_type: String::new(),
            charset: String::new(),
            bytes: 0,
            digest: [0; 20],
            known_as,
            reread: false,
            gateway: false,
            languages: Vec::new(),
            topics: Vec::new(),
            links: Links::default(),
        }
    }
}

/// A record for the sorter.
pub fn record(key: &[u8], captured: &Captured, row: &Row) -> Vec<u8> {
    let place = place_bytes(captured);
    // Hardly any is copied as it grows.
    let mut record = Vec::with_capacity(key.len() + place.len() + row.links.bytes() + 256);
    record.extend_from_slice(key);
    record.extend_from_slice(&place);
    postcard::to_extend(row, record).expect("a row can be written into memory")
}

/// A record taken apart: the key, and the row with when and where; `None` if it is damaged.
pub fn read(record: &[u8]) -> Option<(&[u8], Captured, Row)> {
    let (key, rest) = record.split_at_checked(key_len(record))?;
    let (captured, row) = read_place(rest)?;
    let row: Row = postcard::from_bytes(row).ok()?;
    row.links.are_whole().then_some((key, captured, row))
}

/// When and where a capture was made, as bytes that sort alike.
pub fn place_bytes(captured: &Captured) -> Vec<u8> {
    let mut bytes = captured.at.to_be_bytes().to_vec();
    bytes.extend(captured.file.as_bytes());
    bytes.push(0);
    bytes.extend(captured.offset.to_be_bytes());
    bytes
}

/// Takes when and where from the beginning of some bytes, and leaves the rest.
pub fn read_place(bytes: &[u8]) -> Option<(Captured, &[u8])> {
    let (at, rest) = bytes.split_first_chunk::<4>()?;
    let end = rest.iter().position(|&byte| byte == 0)?;
    let file = String::from_utf8_lossy(&rest[..end]).into_owned();
    let (offset, rest) = rest[end + 1..].split_first_chunk::<8>()?;
    let (at, offset) = (u32::from_be_bytes(*at), u64::from_be_bytes(*offset));
    Some((Captured { at, file, offset }, rest))
}
