//! What a web space looks like.
//!
//! The analyses of the founding papers over a crawl log and its link database: languages by
//! top-level domain (Somboonviwat et al. 2006, Table 2), linguistic locality (Table 3), distances
//! between nearest relevant pages (Fig. 1), degrees, hosts, strongly connected components and the
//! bow-tie (Broder et al. 2000; Gogar 2015, Fig. 1). Links out of the web space are left out.

mod bowtie;
mod components;
mod degrees;
mod distances;
mod graph;
mod histogram;
mod hosts;
mod languages;
mod locality;

use langur_crawl::Language;
use langur_sim::Space;
use serde::Serialize;

pub use bowtie::BowTie;
pub use components::Components;
pub use degrees::{Degrees, degrees};
pub use distances::{Distances, distances};
pub use graph::Graph;
pub use histogram::Bin;
pub use hosts::{Hosts, LargeHost, ShareBin, SizeBin};
pub use languages::{LanguageByTld, LanguageRow};
pub use locality::{Locality, Ratio, Ratios, locality};

/// All analyses of a web space.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The web space's name.
    pub space: String,
    /// What is wanted.
    pub target: String,
    /// The labelling rule that told the languages of pages.
    pub labels: String,
    /// Pages in the crawl log.
    pub pages: u64,
    /// OK HTML pages.
    pub ok_html: u64,
    /// Links between them.
    pub links: u64,
    /// Relevant pages.
    pub relevant: u64,
    /// Pages by language and top-level domain.
    pub language_by_tld: LanguageByTld,
    /// Which share of the links leads to relevant pages.
    pub locality: Locality,
    /// How far relevant pages are from each other.
    pub distances: Distances,
    /// Links a page has, and links to a page.
    pub degrees: InAndOut,
    /// Hosts by size and by share of relevant pages.
    pub hosts: Hosts,
    /// Strongly connected components.
    pub components: Components,
}

/// Degrees both ways.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InAndOut {
    /// Links a page has.
    pub out: Degrees,
    /// Links to a page.
    #[serde(rename = "in")]
    pub into: Degrees,
}

/// Analyses a web space for pages in `languages`, told by the labelling rule with number `label`.
pub fn analyze(space: &Space, languages: &[Language], label: usize) -> Analysis {
    let targets: Vec<&str> = languages.iter().map(Language::as_str).collect();
    let target = format!("lang:{}", targets.join(","));
    let relevant = graph::relevant(space, languages, label, &graph::ok_html(space));
    analyze_relevant(space, target, relevant, label)
}

/// Analyses a web space for a target to which these pages are relevant.
pub fn analyze_relevant(
    space: &Space,
    target: String,
    relevant: Vec<bool>,
    label: usize,
) -> Analysis {
    let ok_html = graph::ok_html(space);
    let graph = Graph::of(space);
    // The long walks run beside each other; the rest is quick and uses all cores itself.
    let (components, distances) =
        rayon::join(|| Components::of(&graph), || distances(&graph, &relevant));
    let (out, into) = degrees(&graph);
    Analysis {
        space: space.name(),
        target,
        labels: space.manifest().labels[label].clone(),
        pages: space.manifest().counts.pages,
        ok_html: count(&ok_html),
        links: space.manifest().counts.links,
        relevant: count(&relevant),
        language_by_tld: LanguageByTld::of(space, label, &ok_html),
        locality: locality(space, &graph, &relevant),
        distances,
        degrees: InAndOut { out, into },
        hosts: Hosts::of(space, &ok_html, &relevant),
        components,
    }
}

fn count(flags: &[bool]) -> u64 {
    flags.iter().filter(|&&flag| flag).count() as u64
}
