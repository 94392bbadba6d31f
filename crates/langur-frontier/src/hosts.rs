//! The pages of a host in the order in which they were found.

use langur_crawl::{HostId, PageId};

const NONE: u32 = u32::MAX;

/// For every host a chain through its pages, four bytes a page. A chain may hold pages that have
/// left the frontier since; they are dropped when it is walked, so that each page put on a chain is
/// passed over at most once, and changing a host's standing costs amortised constant time a page.
pub(crate) struct HostChains {
    ends: Vec<Ends>,
    next: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Ends {
    first: u32,
    last: u32,
}

impl HostChains {
    pub fn new(pages: usize, hosts: usize) -> HostChains {
        let next = if hosts == 0 { Vec::new() } else { vec![0; pages] };
        HostChains { ends: vec![Ends { first: NONE, last: NONE }; hosts], next }
    }

    /// Whether hosts are kept track of at all.
    #[inline]
    pub fn are_kept(&self) -> bool {
        !self.ends.is_empty()
    }

    /// Puts a page that was just found at the end of its host's chain. The page must not be on it.
    #[inline]
    pub fn append(&mut self, host: HostId, page: PageId) {
        let ends = &mut self.ends[host.0 as usize];
        self.next[page.0 as usize] = NONE;
        match ends.last {
            NONE => ends.first = page.0,
            last => self.next[last as usize] = page.0,
        }
        ends.last = page.0;
    }

    /// Announces that the page will probably soon be appended.
    #[inline]
    pub fn hint(&self, page: PageId) {
        langur_crawl::prefetch(&self.next, page.0 as usize);
    }

    /// Walks a host's chain from the page found first, keeping those for which `keep` says yes.
    pub fn retain(&mut self, host: HostId, mut keep: impl FnMut(PageId) -> bool) {
        let ends = &mut self.ends[host.0 as usize];
        let mut page = std::mem::replace(&mut ends.first, NONE);
        ends.last = NONE;
        while page != NONE {
            let following = self.next[page as usize];
            if keep(PageId(page)) {
                self.append(host, PageId(page));
            }
            page = following;
        }
    }
}
