//! What only web spaces made from archives have: digests, times, where links come from, and scores on
//! topics.
//!
//! A crawl log that was imported or made up has none of these, so the columns are there or not.

use langur_folder::FolderError;

use super::column::Column;
use super::open::{Files, OpenError};
use super::writer::{ColumnWriter, NewSpace};

/// The length of a digest (SHA-1).
pub const DIGEST: usize = 20;

/// What is known of pages and links that were taken from an archive.
pub struct Captures {
    /// The SHA-1 of every page's payload, 20 bytes each; zeros where it is unknown.
    pub digest: Column<u8>,
    /// When every page was fetched, in seconds since 1970; 0 where it is unknown.
    pub fetched_at: Column<u32>,
    /// Where every link comes from, as [`LinkOrigin`] numbers it.
    pub link_origin: Column<u8>,
}

/// The scores on one topic.
pub struct TopicColumns {
    /// Of every page.
    pub page: Column<f32>,
    /// Of every link's anchor, as [`langur_crawl::score_byte`] has it.
    pub anchor: Column<u8>,
    /// Of the words around every link's anchor, as [`langur_crawl::score_byte`] has it.
    pub context: Column<u8>,
}

/// What makes a link of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LinkOrigin {
    /// `<a href>`
    Anchor = 1,
    /// `<area href>`
    Area = 2,
    /// `<frame src>`
    Frame = 3,
    /// `<iframe src>`
    Iframe = 4,
    /// `<link rel="alternate next prev …" href>`
    Head = 5,
    /// `<meta http-equiv=refresh>`
    Refresh = 6,
    /// HTTP's `Location`, of a redirect.
    Redirect = 7,
    /// `<link rel=canonical>`
    Canonical = 8,
}

impl Captures {
    pub(super) fn open(
        files: &Files,
        pages: usize,
        links: usize,
    ) -> Result<Option<Captures>, OpenError> {
        if !files.has("pages.digest") {
            return Ok(None);
        }
        Ok(Some(Captures {
            digest: files.column("pages.digest", pages * DIGEST)?,
            fetched_at: files.column("pages.fetched_at", pages)?,
            link_origin: files.column("links.origin", links)?,
        }))
    }
}

impl TopicColumns {
    pub(super) fn open(
        files: &Files,
        topic: usize,
        pages: usize,
        links: usize,
    ) -> Result<TopicColumns, OpenError> {
        Ok(TopicColumns {
            page: files.column(&format!("pages.topic.{topic}"), pages)?,
            anchor: files.column(&format!("links.anchor_topic.{topic}"), links)?,
            context: files.column(&format!("links.context_topic.{topic}"), links)?,
        })
    }
}

/// What is written of a stretch of pages and their links.
pub struct CaptureSlices<'a> {
    /// Digests of the pages, one after the other.
    pub digest: &'a [u8],
    /// Times of the pages.
    pub fetched_at: &'a [u32],
    /// Origins of the links.
    pub link_origin: &'a [u8],
    /// Scores on each topic.
    pub topics: &'a [TopicSlices],
}

/// What is written of one topic.
#[derive(Clone, Debug, Default)]
pub struct TopicSlices {
    /// Scores of pages.
    pub page: Vec<f32>,
    /// Scores of anchors.
    pub anchor: Vec<u8>,
    /// Scores of the words around them.
    pub context: Vec<u8>,
}

/// Writes the columns of [`Captures`] and [`TopicColumns`], stretch by stretch.
pub struct CapturesWriter {
    digest: ColumnWriter,
    fetched_at: ColumnWriter,
    link_origin: ColumnWriter,
    topics: Vec<[ColumnWriter; 3]>,
}

impl CapturesWriter {
    /// Begins the columns, for so many topics.
    pub fn new(space: &NewSpace, topics: usize) -> Result<CapturesWriter, FolderError> {
        let topic = |number: usize| {
            Ok::<_, FolderError>([
                space.column(&format!("pages.topic.{number}"))?,
                space.column(&format!("links.anchor_topic.{number}"))?,
                space.column(&format!("links.context_topic.{number}"))?,
            ])
        };
        Ok(CapturesWriter {
            digest: space.column("pages.digest")?,
            fetched_at: space.column("pages.fetched_at")?,
            link_origin: space.column("links.origin")?,
            topics: (0..topics).map(topic).collect::<Result<_, _>>()?,
        })
    }

    /// Appends a stretch.
    pub fn write(&mut self, captures: &CaptureSlices) -> Result<(), FolderError> {
        self.digest.write(captures.digest)?;
        self.fetched_at.write(captures.fetched_at)?;
        self.link_origin.write(captures.link_origin)?;
        for ([page, anchor, context], slices) in self.topics.iter_mut().zip(captures.topics) {
            page.write(&slices.page)?;
            anchor.write(&slices.anchor)?;
            context.write(&slices.context)?;
        }
        Ok(())
    }

    /// Closes the columns.
    pub fn finish(self) -> Result<(), FolderError> {
        let columns = [self.digest, self.fetched_at, self.link_origin];
        columns
            .into_iter()
            .chain(self.topics.into_iter().flatten())
            .try_for_each(ColumnWriter::finish)
    }
}
