//! Web spaces from rows that come from elsewhere: the log of a live crawl.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use langur_page::Address;
use langur_sim::TopicFacts;
use langur_sort::Sorter;

use crate::join::{JoinError, Joined, Joining, Words, join};
use crate::key::key_of;
use crate::row::{Captured, Row, record};
use crate::{MOST_WORDS, places};

/// Rows that are being gathered.
pub struct Rows {
    sorter: Sorter,
    folder: PathBuf,
    memory: usize,
    languages: BTreeSet<String>,
    media_types: BTreeSet<String>,
    charsets: BTreeSet<String>,
}

/// What is said of a web space made from rows.
pub struct About {
    /// Names of the labelling rules, in the order of the rows' languages.
    pub labels: Vec<String>,
    /// The topics that pages were scored on.
    pub topics: Vec<TopicFacts>,
    /// The pages that crawls start from.
    pub seeds: Vec<Address>,
    /// Where it comes from.
    pub provenance: serde_json::Value,
}

impl Rows {
    /// Gathers rows with so much memory, the rest in `folder`.
    pub fn new(folder: &Path, memory: usize) -> Rows {
        Rows {
            sorter: Sorter::new(folder, "rows", memory),
            folder: folder.to_owned(),
            memory,
            languages: BTreeSet::new(),
            media_types: BTreeSet::new(),
            charsets: BTreeSet::new(),
        }
    }

    /// Adds a visit to a page.
    pub fn add(&mut self, page: &Address, at: u32, offset: u64, row: &Row) -> io::Result<()> {
        note(&mut self.languages, row.languages.iter().chain(row.links.languages()));
        note(&mut self.media_types, [&row.media_type]);
        note(&mut self.charsets, [&row.charset]);
        let captured = Captured { at, file: String::new(), offset };
        self.sorter.push(&record(&key_of(page), &captured, row))
    }

    /// Writes the web space. `progress` is told the pages written.
    pub fn join(
        self,
        about: &About,
        place: &Path,
        replace: bool,
        progress: impl FnMut(u64),
    ) -> Result<Joined, JoinError> {
        let rows = self.folder.join("all.rows");
        let sorted = self.sorter.write_to(&rows);
        sorted.map_err(|source| JoinError::Sort { folder: self.folder.clone(), source })?;
        let joining = Joining {
            rows: vec![rows],
            words: Words {
                languages: self.languages.into_iter().take(MOST_WORDS).collect(),
                media_types: self.media_types.into_iter().take(MOST_WORDS).collect(),
                charsets: self.charsets.into_iter().take(MOST_WORDS).collect(),
            },
            labels: about.labels.clone(),
            topics: about.topics.clone(),
            seeds: places(about.seeds.iter().map(key_of)),
            at: None,
            provenance: about.provenance.clone(),
            scratch: &self.folder,
            memory: self.memory,
        };
        join(&joining, place, replace, progress)
    }
}

fn note<'t>(words: &mut BTreeSet<String>, texts: impl IntoIterator<Item = &'t String>) {
    for text in texts {
        if !text.is_empty() && !words.contains(text) {
            words.insert(text.clone());
        }
    }
}
