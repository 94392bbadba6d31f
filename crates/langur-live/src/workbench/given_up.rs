//! Hosts that will not be asked any more, unless the user wants them to be.
//!
//! What made a host be given up may have been our own network. So its pages are passed over and kept, and it can be had back.

use langur_crawl::{HostId, PageId};

use super::{Parked, Workbench};
use crate::journal::Moment;

impl Workbench {
    /// A host will not be asked any more; its pages are given out to be passed over. So are its errands, but for what others
    /// wait for: those are given up, too.
    pub fn give_up(&mut self, host: HostId, why: &str, at: Moment) {
        let it = self.host(host);
        let is_new = it.given_up.replace(why.into()).is_none();
        it.busy = false;
        let errands = it.errands.len();
        it.errands.retain(|errand| !errand.kind.is_for_robots());
        self.errands -= if is_new { errands } else { 0 };
        self.line_up(host, at);
    }

    /// A page of a host that is given up is passed over. It is kept, in case the host is asked again.
    pub fn set_aside(&mut self, host: HostId, page: PageId, at: Moment) {
        if let Some((priority, _)) = self.take_off(host, page) {
            self.host(host).aside.push((priority, page));
        }
        self.spared(host, at);
    }

    /// A host that was given up is asked again, from the beginning: its address may have changed. How many of its pages had
    /// been passed over is given back.
    pub fn retry(&mut self, host: HostId, at: Moment) -> usize {
        let it = self.host(host);
        it.given_up = None;
        (it.failures, it.is_resolved, it.robots_elsewhere) = (0, false, false);
        let (aside, errands) = (std::mem::take(&mut it.aside), it.errands.len());
        self.parked += aside.len();
        self.errands += errands;
        for &(priority, page) in &aside {
            self.entered += 1;
            let place = (priority, self.entered);
            self.host(host).queue.insert(place, Parked { page, attempts: 0 });
        }
        self.line_up(host, at);
        aside.len()
    }

    /// Why a host will not be asked any more, if it will not.
    pub fn given_up(&self, host: HostId) -> Option<&str> {
        self.known(host)?.given_up.as_deref()
    }

    /// The hosts that are given up.
    pub fn all_given_up(&self) -> Vec<HostId> {
        let hosts = (0..).map(HostId).take(self.hosts.len());
        hosts.filter(|host| self.given_up(*host).is_some()).collect()
    }
}
