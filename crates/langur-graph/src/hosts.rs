//! Hosts by size and by what they hold.

use langur_sim::Space;
use serde::Serialize;

use crate::histogram::{bin, bounds};

/// The largest hosts that are named.
const NAMED: usize = 10;
/// Bins of the share of relevant pages, above none at all.
const SHARES: u32 = 10;

/// Hosts by size and by share of relevant pages.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hosts {
    /// Hosts with pages in the crawl log.
    pub count: u64,
    /// By number of pages.
    pub by_size: Vec<SizeBin>,
    /// By relevant ÷ OK HTML pages: none, then up to 10%, up to 20%, …
    pub by_share: Vec<ShareBin>,
    /// Those with the most pages.
    pub largest: Vec<LargeHost>,
}

/// Hosts with `from` to `to` pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SizeBin {
    /// The least.
    pub from: u64,
    /// The most.
    pub to: u64,
    /// Hosts.
    pub hosts: u64,
    /// Their pages.
    pub pages: u64,
}

/// Hosts on which more than `from` and at most `to` of the OK HTML pages are relevant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ShareBin {
    /// More than this.
    pub from: f64,
    /// At most this.
    pub to: f64,
    /// Hosts.
    pub hosts: u64,
    /// Their pages.
    pub pages: u64,
    /// Their relevant pages.
    pub relevant: u64,
}

/// A host with many pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LargeHost {
    /// Its name.
    pub host: String,
    /// Its pages.
    pub pages: u64,
    /// The relevant ones.
    pub relevant: u64,
}

impl Hosts {
    pub(crate) fn of(space: &Space, ok_html: &[bool], relevant: &[bool]) -> Hosts {
        let starts = space.host_pages.as_slice();
        let mut by_size: Vec<SizeBin> = Vec::new();
        let mut by_share: Vec<ShareBin> = (0..=SHARES)
            .map(|number| ShareBin {
                from: f64::from(number.saturating_sub(1)) / f64::from(SHARES),
                to: f64::from(number) / f64::from(SHARES),
                ..ShareBin::default()
            })
            .collect();
        let mut sizes: Vec<(u64, u64, u32)> = Vec::new();
        for (host, ends) in starts.windows(2).enumerate() {
            let range = ends[0] as usize..ends[1] as usize;
            let pages = range.len() as u64;
            if pages == 0 {
                continue;
            }
            let [ok_html, relevant] =
                [ok_html, relevant].map(|flags| crate::count(&flags[range.clone()]));
            let number = bin(pages);
            while by_size.len() <= number {
                let (from, to) = bounds(by_size.len());
                by_size.push(SizeBin { from, to, hosts: 0, pages: 0 });
            }
            by_size[number].hosts += 1;
            by_size[number].pages += pages;
            let share = (relevant * u64::from(SHARES)).div_ceil(ok_html.max(1));
            let share = &mut by_share[share as usize];
            share.hosts += 1;
            share.pages += pages;
            share.relevant += relevant;
            sizes.push((pages, relevant, host as u32));
        }
        let count = sizes.len() as u64;
        sizes.sort_by_key(|&(pages, _, host)| (std::cmp::Reverse(pages), host));
        sizes.truncate(NAMED);
        let named =
            |(pages, relevant, host)| LargeHost { host: space.host_name(host), pages, relevant };
        Hosts { count, by_size, by_share, largest: sizes.into_iter().map(named).collect() }
    }
}
