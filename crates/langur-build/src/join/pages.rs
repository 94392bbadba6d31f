//! The first pass: pages in the order of their keys.

use std::collections::HashMap;

use langur_sim::UNKNOWN;
use langur_sim::parallel::in_order;
use langur_sim::write::{
    AllColumns, CaptureSlices, CapturesWriter, CodeSlice, Facts, FrontCoder, TopicSlices,
};
use langur_sort::{PairSorter, Sorted, Sorter};

use super::choose::Choice;
use super::targets::LinkCounts;
use super::{JoinError, Joined, Joining, MOST_PAGES};
use crate::key::parts;
use crate::row::{Captured, Row, read};

/// Pages are written in stretches of so many.
const STRETCH: usize = 1 << 13;

/// What the first pass leaves to the others.
pub struct PagesPass {
    pub count: u64,
    /// The keys of all pages.
    pub keys: Sorted,
    /// Every link as the key of its target, and the numbers of its source and of itself.
    pub links: Sorted,
    pub link_counts: LinkCounts,
    /// The pages that crawls start from.
    pub seeds: Vec<u32>,
    pub joined: Joined,
}

impl PagesPass {
    pub fn run(
        joining: &Joining,
        columns: &mut AllColumns,
        captures: &mut CapturesWriter,
        progress: &mut impl FnMut(u64),
    ) -> Result<PagesPass, JoinError> {
        let mut rows = joining.sorter("rows");
        rows.add_files(joining.rows.iter().cloned());
        let sorted = rows.sorted().map_err(joining.sorting())?;
        let mut writing = Writing::new(joining);
        let mut choice = Choice::new(joining.at);
        let mut current: Vec<u8> = Vec::new();
        let mut last = None;
        let take = |rows: Result<Vec<Read>, JoinError>| {
            for (key, captured, row) in rows? {
                if key != current {
                    writing.page(&current, &mut choice)?;
                    writing.write_if_due(columns, captures, progress)?;
                    (current, last) = (key, None);
                }
                // A revisit whose content was found elsewhere has two rows, and is one capture.
                if last.as_ref() != Some(&captured) {
                    writing.captures += 1;
                    last = Some(captured.clone());
                }
                choice.add(captured, row);
            }
            Ok::<(), JoinError>(())
        };
        // Another thread reads ahead while this one writes.
        in_order(1, Rows { joining, sorted, over: false }, || (), |(), rows| rows, take)?;
        writing.page(&current, &mut choice)?;
        writing.write(columns, captures, progress)?;
        writing.finish()
    }
}

/// A row with its page's key, and when and where it was captured.
type Read = (Vec<u8>, Captured, Row);

/// Rows are read so many at a time, or fewer with so many bytes.
const AT_A_TIME: usize = 256;
const BYTES_AT_A_TIME: usize = 1 << 20;

/// All rows, in the order of their keys.
struct Rows<'a> {
    joining: &'a Joining<'a>,
    sorted: Sorted,
    over: bool,
}

impl Rows<'_> {
    fn next_few(&mut self) -> Result<Vec<Read>, JoinError> {
        let (mut few, mut bytes) = (Vec::with_capacity(AT_A_TIME), 0);
        while few.len() < AT_A_TIME && bytes < BYTES_AT_A_TIME {
            let Some(record) = self.sorted.next().map_err(self.joining.sorting())? else {
                self.over = true;
                break;
            };
            bytes += record.len();
            let (key, captured, row) = read(record).ok_or_else(|| self.joining.damaged())?;
            few.push((key.to_vec(), captured, row));
        }
        Ok(few)
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Vec<Read>, JoinError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let few = self.next_few();
        self.over |= few.is_err();
        Some(few)
    }
}

/// Pages being collected and written.
struct Writing<'a> {
    joining: &'a Joining<'a>,
    codes: Codes<'a>,
    keys: Sorter,
    links: PairSorter,
    link_counts: LinkCounts,
    stretch: Stretch,
    count: u64,
    captures: u64,
    /// Each with its place among those asked for.
    seeds: Vec<(usize, u32)>,
    joined: Joined,
}

impl<'a> Writing<'a> {
    fn new(joining: &'a Joining<'a>) -> Writing<'a> {
        Writing {
            joining,
            codes: Codes::new(joining),
            keys: joining.sorter("keys"),
            links: PairSorter::new(joining.scratch, "links", joining.memory),
            link_counts: LinkCounts::new(joining),
            stretch: Stretch::new(joining, 0),
            count: 0,
            captures: 0,
            seeds: Vec::new(),
            joined: Joined::default(),
        }
    }

    /// Ends a page whose captures have all been shown.
    fn page(&mut self, key: &[u8], choice: &mut Choice) -> Result<(), JoinError> {
        let captures = std::mem::take(&mut self.captures);
        let (chosen, stands_in) = choice.take();
        let Some((captured, row)) = chosen else {
            self.joined.revisits_alone += u64::from(stands_in);
            return Ok(());
        };
        self.joined.stand_ins += u64::from(stands_in);
        self.joined.other_captures += captures.saturating_sub(1);
        if self.count >= MOST_PAGES {
            return Err(JoinError::TooMany);
        }
        if let Some(&place) = self.joining.seeds.get(key) {
            self.seeds.push((place, self.count as u32));
            self.joined.seeds += 1;
        }
        self.keys.push(key).map_err(self.joining.sorting())?;
        for (place, link) in (0_u64..).zip(row.links.iter()) {
            let number = self.count << 32 | place;
            self.links.push(link.target, number).map_err(self.joining.sorting())?;
        }
        self.link_counts.push(row.links.len());
        self.stretch.push(key, &captured, &row, &self.codes);
        self.count += 1;
        Ok(())
    }

    fn write_if_due(
        &mut self,
        columns: &mut AllColumns,
        captures: &mut CapturesWriter,
        progress: &mut impl FnMut(u64),
    ) -> Result<(), JoinError> {
        if self.stretch.status.len() < STRETCH {
            return Ok(());
        }
        self.write(columns, captures, progress)
    }

    fn write(
        &mut self,
        columns: &mut AllColumns,
        captures: &mut CapturesWriter,
        progress: &mut impl FnMut(u64),
    ) -> Result<(), JoinError> {
        columns.write_facts(&self.stretch.facts())?;
        captures.write(&self.stretch.captures())?;
        self.stretch = Stretch::new(self.joining, self.count as usize);
        progress(self.count);
        Ok(())
    }

    fn finish(mut self) -> Result<PagesPass, JoinError> {
        self.seeds.sort_unstable();
        Ok(PagesPass {
            count: self.count,
            keys: self.keys.sorted().map_err(self.joining.sorting())?,
            links: self.links.sorted().map_err(self.joining.sorting())?,
            link_counts: self.link_counts,
            seeds: self.seeds.into_iter().map(|(_, page)| page).collect(),
            joined: self.joined,
        })
    }
}

/// The codes of words.
struct Codes<'a> {
    languages: HashMap<&'a str, u16>,
    media_types: HashMap<&'a str, u16>,
    charsets: HashMap<&'a str, u16>,
}

impl<'a> Codes<'a> {
    fn new(joining: &'a Joining) -> Codes<'a> {
        let codes = |words: &'a [String]| words.iter().map(String::as_str).zip(1..).collect();
        let words = &joining.words;
        Codes {
            languages: codes(&words.languages),
            media_types: codes(&words.media_types),
            charsets: codes(&words.charsets),
        }
    }
}

fn code(codes: &HashMap<&str, u16>, word: &str) -> u16 {
    codes.get(word).copied().unwrap_or(UNKNOWN)
}

/// A stretch of pages, column by column.
struct Stretch {
    status: Vec<u16>,
    media_type: Vec<u16>,
    bytes: Vec<u32>,
    charset: Vec<u16>,
    gateway: Vec<u8>,
    language: Vec<Vec<u16>>,
    urls: FrontCoder,
    link_counts: Vec<u32>,
    anchors: Vec<u16>,
    digest: Vec<u8>,
    fetched_at: Vec<u32>,
    origin: Vec<u8>,
    topics: Vec<TopicSlices>,
    /// Nobody measured how long a page took.
    latency_ms: Vec<u16>,
}

impl Stretch {
    /// A stretch that begins with the page of this number.
    fn new(joining: &Joining, first: usize) -> Stretch {
        Stretch {
            status: Vec::new(),
            media_type: Vec::new(),
            bytes: Vec::new(),
            charset: Vec::new(),
            gateway: Vec::new(),
            language: vec![Vec::new(); joining.labels.len()],
            urls: FrontCoder::starting_at(first),
            link_counts: Vec::new(),
            anchors: Vec::new(),
            digest: Vec::new(),
            fetched_at: Vec::new(),
            origin: Vec::new(),
            topics: vec![TopicSlices::default(); joining.topics.len()],
            latency_ms: Vec::new(),
        }
    }

    fn push(&mut self, key: &[u8], captured: &Captured, row: &Row, codes: &Codes) {
        self.status.push(row.status);
        self.media_type.push(code(&codes.media_types, &row.media_type));
        self.bytes.push(row.bytes);
        self.charset.push(code(&codes.charsets, &row.charset));
        self.gateway.push(u8::from(row.gateway));
        for (column, tag) in self.language.iter_mut().zip(&row.languages) {
            column.push(code(&codes.languages, tag));
        }
        self.urls.push(parts(key).1);
        self.link_counts.push(row.links.len() as u32);
        self.digest.extend(row.digest);
        self.fetched_at.push(captured.at);
        self.latency_ms.push(0);
        for (topic, &score) in self.topics.iter_mut().zip(&row.topics) {
            topic.page.push(score);
        }
        self.anchors.extend(row.links.anchor_codes(|language| code(&codes.languages, language)));
        for link in row.links.iter() {
            self.origin.push(link.origin);
            for (topic, &(anchor, context)) in self.topics.iter_mut().zip(link.topics) {
                topic.anchor.push(anchor);
                topic.context.push(context);
            }
        }
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            status: &self.status,
            mime: CodeSlice::Wide(&self.media_type),
            bytes: &self.bytes,
            charset: CodeSlice::Wide(&self.charset),
            latency_ms: &self.latency_ms,
            gateway: &self.gateway,
            language: self.language.iter().map(|codes| CodeSlice::Wide(codes)).collect(),
            urls: &self.urls,
            link_counts: &self.link_counts,
            anchors: CodeSlice::Wide(&self.anchors),
        }
    }

    fn captures(&self) -> CaptureSlices<'_> {
        CaptureSlices {
            digest: &self.digest,
            fetched_at: &self.fetched_at,
            link_origin: &self.origin,
            topics: &self.topics,
        }
    }
}
