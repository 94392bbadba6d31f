//! What a web space says of itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the format that this Langur writes, and the only one it reads.
pub const VERSION: u32 = 1;

/// `manifest.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `langur web space`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// How much there is.
    pub counts: Counts,
    /// The pages to start from, if nothing else is said.
    pub seeds: Vec<u32>,
    /// The labelling rules under which the languages of pages are recorded; the first is used if
    /// nothing else is said.
    pub labels: Vec<String>,
    /// What the codes for languages mean, from 1.
    pub languages: Vec<String>,
    /// What the codes for character sets mean, from 1.
    pub charsets: Vec<String>,
    /// What the codes for media types mean, from 1.
    pub mimes: Vec<String>,
    /// What the codes for top-level domains mean, from 1.
    pub tlds: Vec<String>,
    /// The topics on which every page and every link is scored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<TopicFacts>,
    /// Where the web space comes from.
    pub provenance: serde_json::Value,
    /// For a synthetic web: what was asked for beside what came out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<Statistic>,
    /// Every column with its length and checksum.
    pub files: BTreeMap<String, FileEntry>,
}

/// A topic on which the pages of a web space are scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TopicFacts {
    /// Its name, as in the target `topic:NAME`.
    pub name: String,
    /// A page is about it if its score is greater than this.
    pub threshold: f64,
    /// The XXH3 checksum of the file that describes it, 64 bits in hexadecimal.
    pub xxh3: String,
}

/// How much there is in a web space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pages of the crawl log.
    pub pages: u64,
    /// Pages that are linked to and not in the crawl log.
    pub missing: u64,
    /// Hosts of either.
    pub hosts: u64,
    /// Registrable domains.
    pub domains: u64,
    /// Directories.
    pub directories: u64,
    /// Links between pages of the crawl log.
    pub links: u64,
    /// Links to missing pages.
    pub missing_links: u64,
}

/// One statistic of a synthetic web.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistic {
    /// What it belongs to, such as a table of a paper.
    pub group: String,
    /// What it says.
    pub name: String,
    /// What was asked for; `None` where nothing was published.
    pub target: Option<f64>,
    /// What came out.
    pub generated: f64,
    /// `%`, or empty.
    pub unit: String,
}

/// One column in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its length.
    pub bytes: u64,
    /// Its XXH3 checksum, 64 bits in hexadecimal.
    pub xxh3: String,
}

impl Manifest {
    /// A manifest with nothing in it.
    pub fn new(provenance: serde_json::Value) -> Manifest {
        Manifest {
            format: "langur web space".to_owned(),
            version: VERSION,
            counts: Counts::default(),
            seeds: Vec::new(),
            labels: Vec::new(),
            languages: Vec::new(),
            charsets: Vec::new(),
            mimes: Vec::new(),
            tlds: Vec::new(),
            topics: Vec::new(),
            provenance,
            statistics: Vec::new(),
            files: BTreeMap::new(),
        }
    }
}
