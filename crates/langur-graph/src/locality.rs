//! Whether relevant pages link to relevant pages.

use langur_sim::Space;
use rayon::prelude::*;
use serde::Serialize;

use crate::Graph;

/// Links to relevant pages, by where they come from (Somboonviwat et al. 2006, Table 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Locality {
    /// From relevant pages.
    pub from_relevant: Ratios,
    /// From all others.
    pub from_irrelevant: Ratios,
}

/// Links to relevant pages, by how far they lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Ratios {
    /// All links.
    pub all: Ratio,
    /// Within a registrable domain.
    pub same_domain: Ratio,
    /// Between domains.
    pub other_domain: Ratio,
    /// Within a host.
    pub same_host: Ratio,
    /// Between hosts.
    pub other_host: Ratio,
}

/// How many of some links lead to relevant pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Ratio {
    /// The links.
    pub links: u64,
    /// Those that lead to relevant pages.
    pub to_relevant: u64,
    /// Their share.
    pub share: f64,
}

/// Counts every link of the web space.
pub fn locality(space: &Space, graph: &Graph, relevant: &[bool]) -> Locality {
    let (hosts, domains) = (space.host.as_slice(), space.host_domain.as_slice());
    // The number of links and of those to relevant pages, by source, same host and same domain.
    let counts = (0..graph.pages() as u32)
        .into_par_iter()
        .fold(Counts::default, |mut counts, page| {
            let host = hosts[page as usize];
            for link in graph.links(page) {
                let there = hosts[link as usize];
                let place = if there == host {
                    0
                } else if domains[there as usize] == domains[host as usize] {
                    1
                } else {
                    2
                };
                let row = &mut counts.0[usize::from(relevant[page as usize])][place];
                row[0] += 1;
                row[1] += u64::from(relevant[link as usize]);
            }
            counts
        })
        .reduce(Counts::default, Counts::add);
    let [from_irrelevant, from_relevant] = counts.0.map(ratios);
    Locality { from_relevant, from_irrelevant }
}

#[derive(Clone, Copy, Default)]
struct Counts([[[u64; 2]; 3]; 2]);

impl Counts {
    fn add(mut self, other: Counts) -> Counts {
        let rows = self.0.iter_mut().flatten().flatten();
        rows.zip(other.0.iter().flatten().flatten()).for_each(|(sum, count)| *sum += count);
        self
    }
}

fn ratios([same_host, same_domain, elsewhere]: [[u64; 2]; 3]) -> Ratios {
    let sum = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
    let within = sum(same_host, same_domain);
    Ratios {
        all: ratio(sum(within, elsewhere)),
        same_domain: ratio(within),
        other_domain: ratio(elsewhere),
        same_host: ratio(same_host),
        other_host: ratio(sum(same_domain, elsewhere)),
    }
}

fn ratio([links, to_relevant]: [u64; 2]) -> Ratio {
    let share = if links == 0 { 0.0 } else { to_relevant as f64 / links as f64 };
    Ratio { links, to_relevant, share }
}
