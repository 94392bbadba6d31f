//! Numbers for pages, hosts and directories, given out as they are found.

use foldhash::fast::RandomState;
use indexmap::IndexSet;
use langur_crawl::{DirectoryId, HostId, PageId};
use langur_page::{Address, HostName};

type Set<T> = IndexSet<T, RandomState>;

/// All pages that have been heard of.
#[derive(Default)]
pub struct Known {
    pages: Set<Address>,
    hosts: Set<HostName>,
    directories: Set<(u32, Box<str>)>,
    /// The host and the directory of every page.
    places: Vec<(HostId, DirectoryId)>,
}

impl Known {
    /// The number of a page, which may be new.
    pub fn number(&mut self, address: &Address) -> PageId {
        if let Some(number) = self.pages.get_index_of(address) {
            return PageId(number as u32);
        }
        let host = self.hosts.insert_full(address.host.clone()).0;
        let address = Address { host: self.hosts[host].clone(), ..address.clone() };
        let host = host as u32;
        let (directory, _) = self.directories.insert_full((host, address.directory().into()));
        self.places.push((HostId(host), DirectoryId(directory as u32)));
        PageId(self.pages.insert_full(address).0 as u32)
    }

    /// The URL of a page.
    pub fn address(&self, page: PageId) -> &Address {
        &self.pages[page.0 as usize]
    }

    /// The host that a page lives on.
    pub fn host(&self, page: PageId) -> HostId {
        self.places[page.0 as usize].0
    }

    /// The name of a host.
    pub fn host_name(&self, host: HostId) -> &str {
        &self.hosts[host.0 as usize]
    }

    /// The directory that a page lies in.
    pub fn directory(&self, page: PageId) -> DirectoryId {
        self.places[page.0 as usize].1
    }

    /// The number of pages that have been heard of.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The number of their hosts.
    pub fn hosts(&self) -> usize {
        self.hosts.len()
    }
}
