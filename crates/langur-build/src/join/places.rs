//! The second pass: links and pages side by side, in the order of keys.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use langur_sim::write::{AllColumns, FrontCoder};
use langur_sort::Sorted;

use super::hosts::{Hosts, HostsTaken};
use super::pages::PagesPass;
use super::targets::{LinkCounts, Targets};
use super::{JoinError, Joining, MOST_PAGES};
use crate::key::{directory, parts};

const STRETCH: usize = 1 << 16;
/// What the second pass leaves to the last, and what it counted.
pub struct PlacesPass<'a> {
    pub targets: Targets<'a>,
    pub hosts: Hosts,
    pub missing: u64,
    pub links: u64,
    pub missing_links: u64,
    pub directories: u64,
}

impl<'a> PlacesPass<'a> {
    pub fn run(
        joining: &'a Joining<'a>,
        pages: PagesPass,
        columns: &mut AllColumns,
    ) -> Result<PlacesPass<'a>, JoinError> {
        let mut walk = Walk::new(joining, pages.count, pages.link_counts)?;
        let (mut pages, mut links) = (pages.keys, pages.links);
        let mut page = next_into(&mut pages, Vec::new()).map_err(joining.sorting())?;
        while let Some(record) = links.next().map_err(joining.sorting())? {
            let (target, numbers) =
                record.split_last_chunk::<8>().ok_or_else(|| joining.damaged())?;
            // Pages that no link points to, up to the target, and the target itself if it is a page.
            while let Some(key) = &page
                && key.as_slice().cmp(target) != Ordering::Greater
            {
                walk.page(key, columns)?;
                page =
                    next_into(&mut pages, page.unwrap_or_default()).map_err(joining.sorting())?;
            }
            walk.link(target, u64::from_be_bytes(*numbers), columns)?;
        }
        while let Some(key) = page {
            walk.page(&key, columns)?;
            page = next_into(&mut pages, key).map_err(joining.sorting())?;
        }
        walk.finish(columns)
    }
}

/// The next record, copied into `buffer`.
fn next_into(records: &mut Sorted, mut buffer: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    Ok(records.next()?.map(|record| {
        buffer.clear();
        buffer.extend_from_slice(record);
        buffer
    }))
}

/// The walk along all keys.
struct Walk<'a> {
    joining: &'a Joining<'a>,
    /// Missing pages are numbered after all others.
    page_count: u32,
    hosts: HostsTaken,
    host: Vec<u8>,
    /// Directories of this host.
    directories: HashMap<Box<[u8]>, u32>,
    directory_count: u32,
    /// The last key that was a page, or a missing page, and its number.
    last_page: (Vec<u8>, u32),
    last_missing: (Vec<u8>, u32),
    pages: u32,
    missing: u32,
    page_places: [Vec<u32>; 2],
    missing_places: Spool,
    missing_urls: FrontCoder,
    targets: Targets<'a>,
    links: u64,
    missing_links: u64,
}

impl<'a> Walk<'a> {
    fn new(
        joining: &'a Joining<'a>,
        page_count: u64,
        counts: LinkCounts,
    ) -> Result<Walk<'a>, JoinError> {
        Ok(Walk {
            joining,
            page_count: page_count as u32,
            hosts: HostsTaken::default(),
            host: Vec::new(),
            directories: HashMap::new(),
            directory_count: 0,
            last_page: (Vec::new(), 0),
            last_missing: (Vec::new(), 0),
            pages: 0,
            missing: 0,
            page_places: Default::default(),
            missing_places: Spool::new(joining).map_err(joining.sorting())?,
            missing_urls: FrontCoder::default(),
            targets: Targets::new(joining, counts),
            links: 0,
            missing_links: 0,
        })
    }

    fn page(&mut self, key: &[u8], columns: &mut AllColumns) -> Result<(), JoinError> {
        let (host, directory) = self.place(key);
        self.page_places[0].push(host);
        self.page_places[1].push(directory);
        if self.page_places[0].len() == STRETCH {
            self.write_page_places(columns)?;
        }
        self.last_page.0.clear();
        self.last_page.0.extend_from_slice(key);
        self.last_page.1 = self.pages;
        self.pages += 1;
        Ok(())
    }

    fn link(
        &mut self,
        target: &[u8],
        numbers: u64,
        columns: &mut AllColumns,
    ) -> Result<(), JoinError> {
        let number = if self.last_page.0 == target {
            self.links += 1;
            self.last_page.1
        } else {
            if self.last_missing.0 != target || self.missing == 0 {
                self.missing_page(target, columns)?;
            }
            self.missing_links += 1;
            self.last_missing.1
        };
        self.targets.push((numbers >> 32) as u32, numbers as u32, number)
    }

    fn missing_page(&mut self, key: &[u8], columns: &mut AllColumns) -> Result<(), JoinError> {
        let (host, directory) = self.place(key);
        self.missing_places.push([host, directory]).map_err(self.joining.sorting())?;
        self.missing_urls.push(parts(key).1);
        self.last_missing.0.clear();
        self.last_missing.0.extend_from_slice(key);
        self.last_missing.1 = self.page_count + self.missing;
        self.missing += 1;
        if (self.missing as usize).is_multiple_of(STRETCH) {
            let next = FrontCoder::starting_at(self.missing as usize);
            let urls = std::mem::replace(&mut self.missing_urls, next);
            columns.write_missing_urls(&urls)?;
        }
        let known = u64::from(self.page_count + self.missing);
        if known > MOST_PAGES { Err(JoinError::TooMany) } else { Ok(()) }
    }

    /// The host and the directory of a key, which must not sort before those asked for already.
    fn place(&mut self, key: &[u8]) -> (u32, u32) {
        let (host, entry) = parts(key);
        if self.host != host || self.pages + self.missing == 0 {
            self.hosts.take(host, self.pages, self.missing);
            self.host.clear();
            self.host.extend_from_slice(host);
            self.directories.clear();
        }
        let directory = directory(entry);
        let number = self.directories.get(directory).copied().unwrap_or_else(|| {
            let next = self.directory_count;
            self.directory_count += 1;
            self.directories.insert(directory.into(), next);
            next
        });
        (self.hosts.last(), number)
    }

    fn write_page_places(&mut self, columns: &mut AllColumns) -> Result<(), JoinError> {
        let [host, directory] = &mut self.page_places;
        columns.write_places(host, directory)?;
        host.clear();
        directory.clear();
        Ok(())
    }

    fn finish(mut self, columns: &mut AllColumns) -> Result<PlacesPass<'a>, JoinError> {
        self.write_page_places(columns)?;
        columns.write_missing_urls(&self.missing_urls)?;
        self.missing_places.write_to(self.joining, columns)?;
        Ok(PlacesPass {
            targets: self.targets,
            hosts: self.hosts.finish(),
            missing: u64::from(self.missing),
            links: self.links,
            missing_links: self.missing_links,
            directories: u64::from(self.directory_count),
        })
    }
}

/// Pairs of numbers on disk, in the order in which they came.
struct Spool {
    file: BufWriter<File>,
}

impl Spool {
    fn new(joining: &Joining) -> io::Result<Spool> {
        let path = joining.scratch.join("missing-places");
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Spool { file: BufWriter::new(file) })
    }

    fn push(&mut self, pair: [u32; 2]) -> io::Result<()> {
        pair.iter().try_for_each(|number| self.file.write_all(&number.to_le_bytes()))
    }

    fn write_to(self, joining: &Joining, columns: &mut AllColumns) -> Result<(), JoinError> {
        let rewound = self.file.into_inner().map_err(io::IntoInnerError::into_error);
        let mut file = rewound.map_err(joining.sorting())?;
        file.seek(SeekFrom::Start(0)).map_err(joining.sorting())?;
        let mut file = BufReader::new(file);
        loop {
            let mut stretch = Vec::new();
            let most = (STRETCH * 8) as u64;
            file.by_ref().take(most).read_to_end(&mut stretch).map_err(joining.sorting())?;
            if stretch.is_empty() {
                return Ok(());
            }
            let (pairs, _) = stretch.as_chunks::<8>();
            let number = |pair: &[u8; 8], at: usize| {
                u32::from_le_bytes([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]])
            };
            let host: Vec<u32> = pairs.iter().map(|pair| number(pair, 0)).collect();
            let directory: Vec<u32> = pairs.iter().map(|pair| number(pair, 4)).collect();
            columns.write_places(&host, &directory)?;
        }
    }
}
