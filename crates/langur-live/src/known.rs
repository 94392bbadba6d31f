//! All pages that were heard of, in few bytes each.
//!
//! A page is known by a fingerprint of its URL: 96 bits, so that any two of a billion pages share one with a
//! probability of one in 10¹¹. The text of the URL is in the journal and only its place is kept. So asking whether a
//! page is known never touches the disk, and memory is about fifty bytes a page however long its URL.

use std::hash::BuildHasherDefault;
use std::ops::Range;

use hashbrown::HashTable;
use indexmap::IndexSet;
use langur_crawl::{DirectoryId, HostId, PageId};
use langur_page::{directory, registrable_domain};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use crate::repeated::Digest;

/// What a URL, or a payload, is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint([u32; 3]);

impl Fingerprint {
    /// That of a canonical URL.
    pub fn of(url: &str) -> Fingerprint {
        Fingerprint::of_bytes(&xxh3_128(url.as_bytes()).to_le_bytes())
    }

    /// That of a payload: of its SHA-1 so much tells a billion of them apart as surely as URLs.
    pub fn of_payload(digest: &Digest) -> Fingerprint {
        Fingerprint::of_bytes(digest)
    }

    fn of_bytes(bytes: &[u8]) -> Fingerprint {
        let (parts, _) = bytes.as_chunks::<4>();
        Fingerprint([0, 1, 2].map(|at: usize| u32::from_le_bytes(parts[at])))
    }

    fn hash(self) -> u64 {
        u64::from(self.0[1]) << 32 | u64::from(self.0[0])
    }
}

/// Where the text of a URL lies in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(u64);

/// Bits for the length of a text; URLs that are longer are not followed.
const LENGTH_BITS: u32 = 16;

impl Text {
    /// A text of this length at this place.
    pub fn new(at: u64, length: usize) -> Text {
        debug_assert!(length < 1 << LENGTH_BITS, "the limits on URLs are far below");
        Text(at << LENGTH_BITS | length as u64)
    }

    /// Where it starts.
    pub fn at(self) -> u64 {
        self.0 >> LENGTH_BITS
    }

    /// How long it is.
    pub fn length(self) -> usize {
        (self.0 & ((1 << LENGTH_BITS) - 1)) as usize
    }
}

/// How a page was first heard of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The page with the link; `None` for a seed.
    pub via: Option<PageId>,
    /// Links from a seed, redirects not counted; no more than 255.
    pub depth: u8,
}

const SEED: u32 = u32::MAX;

/// All pages, hosts, directories and domains that were heard of, numbered in the order in which they were.
#[derive(Default)]
pub struct Known {
    pages: Numbers,
    texts: Vec<Text>,
    places: Vec<(u32, u32)>,
    ways: Vec<u32>,
    depths: Vec<u8>,
    directories: Numbers,
    hosts: IndexSet<Box<str>, BuildHasherDefault<Xxh3Default>>,
    domains: IndexSet<Box<str>, BuildHasherDefault<Xxh3Default>>,
    domain_of_host: Vec<u32>,
}

impl Known {
    /// The number of a page, if it is known.
    pub fn find(&self, fingerprint: Fingerprint) -> Option<PageId> {
        self.pages.find(fingerprint).map(PageId)
    }

    /// Takes note of a page. One that is known keeps its number, its text and its way.
    pub fn add(&mut self, url: &str, text: Text, way: Way) -> Option<PageId> {
        let fingerprint = Fingerprint::of(url);
        if let Some(page) = self.find(fingerprint) {
            return Some(page);
        }
        let (host, directory) = host_and_directory(url)?;
        // Schemes make no difference to directories, as in web spaces.
        let directory = Fingerprint::of(&url[directory]);
        let (host, directory) = (self.add_host(&url[host]), self.directories.number(directory));
        let page = self.pages.number(fingerprint);
        self.texts.push(text);
        self.places.push((host, directory));
        self.ways.push(way.via.map_or(SEED, |via| via.0));
        self.depths.push(way.depth);
        Some(PageId(page))
    }

    /// A page is a seed from now on, however many links it was away.
    pub fn begin_with(&mut self, page: PageId) {
        self.depths[page.0 as usize] = 0;
    }

    /// The host of a canonical URL, if it is known.
    pub fn host_of(&self, url: &str) -> Option<HostId> {
        let (host, _) = host_and_directory(url)?;
        self.hosts.get_index_of(&url[host]).map(|host| HostId(host as u32))
    }

    /// Takes note of the host of a canonical URL.
    pub fn add_host_of(&mut self, url: &str) -> Option<HostId> {
        let (host, _) = host_and_directory(url)?;
        Some(HostId(self.add_host(&url[host])))
    }

    fn add_host(&mut self, name: &str) -> u32 {
        if let Some(host) = self.hosts.get_index_of(name) {
            return host as u32;
        }
        let (host, _) = self.hosts.insert_full(name.into());
        let domain = registrable_domain(name);
        let domain = match self.domains.get_index_of(domain) {
            Some(domain) => domain,
            None => self.domains.insert_full(domain.into()).0,
        };
        self.domain_of_host.push(domain as u32);
        host as u32
    }

    /// Where the text of a page's URL lies.
    pub fn text(&self, page: PageId) -> Text {
        self.texts[page.0 as usize]
    }

    /// The host that a page lives on.
    pub fn host(&self, page: PageId) -> HostId {
        HostId(self.places[page.0 as usize].0)
    }

    /// The directory that a page lies in.
    pub fn directory(&self, page: PageId) -> DirectoryId {
        DirectoryId(self.places[page.0 as usize].1)
    }

    /// How a page was first heard of.
    pub fn way(&self, page: PageId) -> Way {
        let via = self.ways[page.0 as usize];
        Way { via: (via != SEED).then_some(PageId(via)), depth: self.depths[page.0 as usize] }
    }

    /// The name of a host.
    pub fn host_name(&self, host: HostId) -> &str {
        &self.hosts[host.0 as usize]
    }

    /// The host of this name.
    pub fn host_named(&self, name: &str) -> Option<HostId> {
        self.hosts.get_index_of(name).map(|host| HostId(host as u32))
    }

    /// The number of a host's registrable domain.
    pub fn domain(&self, host: HostId) -> u32 {
        self.domain_of_host[host.0 as usize]
    }

    /// The name of a domain.
    pub fn domain_name(&self, domain: u32) -> &str {
        &self.domains[domain as usize]
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.texts.len()
    }

    /// The number of hosts.
    pub fn hosts(&self) -> usize {
        self.hosts.len()
    }
}

/// Where in a canonical URL its host is, and where its host and directory are.
fn host_and_directory(url: &str) -> Option<(Range<usize>, Range<usize>)> {
    let host = url.find("://")? + 3;
    let path = host + url[host..].find('/')?;
    let directory = path + directory(&url[path..]).len();
    Some((host..path, host..directory))
}

/// Numbers for fingerprints, in the order in which they come.
#[derive(Default)]
pub(crate) struct Numbers {
    fingerprints: Vec<Fingerprint>,
    table: HashTable<u32>,
}

impl Numbers {
    /// The number of a fingerprint, if it has one.
    pub fn find(&self, fingerprint: Fingerprint) -> Option<u32> {
        let is_it = |number: &u32| self.fingerprints[*number as usize] == fingerprint;
        self.table.find(fingerprint.hash(), is_it).copied()
    }

    /// The number of a fingerprint, which may be new.
    pub fn number(&mut self, fingerprint: Fingerprint) -> u32 {
        if let Some(number) = self.find(fingerprint) {
            return number;
        }
        let number = self.fingerprints.len() as u32;
        self.fingerprints.push(fingerprint);
        let fingerprints = &self.fingerprints;
        self.table.insert_unique(fingerprint.hash(), number, |number| {
            fingerprints[*number as usize].hash()
        });
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_their_numbers_places_and_ways() {
        let mut known = Known::default();
        let seed = Way { via: None, depth: 0 };
        let add = |known: &mut Known, url: &str, way| {
            known.add(url, Text::new(7, url.len()), way).expect("a URL")
        };
        let first = add(&mut known, "http://www.a.co.th/x/1", seed);
        let second = add(&mut known, "http://b.a.co.th/", Way { via: Some(first), depth: 1 });
        let third = add(&mut known, "http://www.a.co.th/x/2?q", Way { via: Some(first), depth: 1 });
        assert_eq!(add(&mut known, "http://www.a.co.th/x/1", seed), first);
        assert_eq!((first, second, third), (PageId(0), PageId(1), PageId(2)));
        assert_eq!(known.host(first), known.host(third));
        assert_eq!(known.directory(first), known.directory(third));
        assert_ne!(known.directory(first), known.directory(second));
        assert_eq!(known.domain(known.host(first)), known.domain(known.host(second)));
        assert_eq!(known.domain_name(0), "a.co.th");
        assert_eq!(known.way(third), Way { via: Some(first), depth: 1 });
        assert_eq!(known.way(first), seed);
        assert_eq!(known.find(Fingerprint::of("http://b.a.co.th/")), Some(second));
        assert_eq!(known.find(Fingerprint::of("http://c/")), None);
        assert_eq!(known.text(second), Text::new(7, "http://b.a.co.th/".len()));
        assert_eq!((known.pages(), known.hosts()), (3, 2));
    }
}
