//! The pages of a host in the order in which they were found.

use langur_crawl::{HostId, PageId};

const NONE: u32 = u32::MAX;

/// For every host a chain through its pages, four bytes a page, from the page found last to the one
/// found first: so a page is put on it without touching another. A chain may hold pages that have
/// left the frontier since; they are dropped when it is walked, so that each page put on a chain is
/// passed over at most once, and changing a host's standing costs amortised constant time a page.
pub(crate) struct HostChains {
    /// The page of each host that was found last.
    last: Vec<u32>,
    /// The page found before each.
    before: Vec<u32>,
    /// The chain being walked, in the order in which its pages were found.
    walked: Vec<u32>,
}

impl HostChains {
    pub fn new(pages: usize, hosts: usize) -> HostChains {
        let before = if hosts == 0 { Vec::new() } else { vec![0; pages] };
        HostChains { last: vec![NONE; hosts], before, walked: Vec::new() }
    }

    /// Whether hosts are kept track of at all.
    #[inline]
    pub fn are_kept(&self) -> bool {
        !self.last.is_empty()
    }

    /// Puts a page that was just found at the end of its host's chain. The page must not be on it.
    #[inline]
    pub fn append(&mut self, host: HostId, page: PageId) {
        if host.0 as usize >= self.last.len() || page.0 as usize >= self.before.len() {
            self.grow(host, page);
        }
        let last = &mut self.last[host.0 as usize];
        self.before[page.0 as usize] = std::mem::replace(last, page.0);
    }

    #[cold]
    fn grow(&mut self, host: HostId, page: PageId) {
        self.last.resize(self.last.len().max(host.0 as usize + 1), NONE);
        self.before.resize(self.before.len().max(page.0 as usize + 1), 0);
    }

    /// Announces that the page will probably soon be appended.
    #[inline]
    pub fn hint(&self, page: PageId) {
        langur_crawl::prefetch(&self.before, page.0 as usize);
    }

    /// Announces that pages of the host will probably soon be appended.
    #[inline]
    pub fn hint_host(&self, host: HostId) {
        langur_crawl::prefetch(&self.last, host.0 as usize);
    }

    /// Walks a host's chain from the page found first, keeping those for which `keep` says yes.
    pub fn retain(&mut self, host: HostId, mut keep: impl FnMut(PageId) -> bool) {
        let Some(last) = self.last.get_mut(host.0 as usize) else { return };
        let mut page = std::mem::replace(last, NONE);
        let mut walked = std::mem::take(&mut self.walked);
        while page != NONE {
            walked.push(page);
            page = self.before[page as usize];
        }
        for page in walked.drain(..).rev().map(PageId) {
            if keep(page) {
                self.append(host, page);
            }
        }
        self.walked = walked;
    }
}
