//! Adjusting how pages link until the published locality comes out.
//!
//! Some links cannot be placed (a page has the link already, a domain has one server), and discovery
//! links are given. So what is drawn must differ from what is wanted. A few rounds of making the
//! links of a sample of pages and correcting by the difference are enough. Only published inputs
//! are looked at, never the outcome of a crawl.

use rayon::prelude::*;

use super::links::{
    AWAY, Bench, Cells, DOMAIN, FROM_OTHER_SITE, FROM_REST_OF_TARGET_SITE, FROM_TARGET, Habit,
    Linker, SERVER, cell, published_cells,
};
use super::plan::{Plan, class};
use super::preset::Preset;

/// Pages in the sample, about.
const SAMPLE: usize = 200_000;
const ROUNDS: usize = 5;
/// Small hosts of which one is in the sample, with as many times more pages.
const TURNS: usize = 16;

/// Links counted by cell, from target pages and from the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    pub pages: [u64; 2],
    pub cells: [[u64; 6]; 2],
}

impl Census {
    /// Counts the links of one page.
    pub fn count(&mut self, linker: &Linker, index: usize, page: usize, links: &[u32]) {
        let plan = linker.plan;
        let host = &plan.hosts[index];
        let from = usize::from(linker.classes[host.first_page as usize + page] != class::TARGET);
        let domain = &plan.domains[host.domain as usize];
        let (first, last) =
            (domain.first_host as usize, (domain.first_host + domain.hosts - 1) as usize);
        let domain_end = plan.hosts[last].first_page + plan.hosts[last].pages;
        let domain_start = plan.hosts[first].first_page;
        self.pages[from] += 1;
        for &target in links.iter().filter(|&&target| (target as usize) < plan.pages) {
            let scope = if (host.first_page..host.first_page + host.pages).contains(&target) {
                SERVER
            } else if (domain_start..domain_end).contains(&target) {
                DOMAIN
            } else {
                AWAY
            };
            let to_target = linker.classes[target as usize] == class::TARGET;
            self.cells[from][cell(scope, to_target)] += 1;
        }
    }

    /// Both together.
    pub fn and(mut self, other: Census) -> Census {
        for from in 0..2 {
            self.pages[from] += other.pages[from];
            (0..6).for_each(|cell| self.cells[from][cell] += other.cells[from][cell]);
        }
        self
    }

    /// Links from one of the two kinds of pages.
    pub fn links(&self, from: usize) -> u64 {
        self.cells[from].iter().sum()
    }
}

/// Links to crawled pages that a page has in the mean: target pages, and others whose language is known.
pub(crate) fn published_degrees(preset: &Preset) -> [f64; 2] {
    let published = &preset.published;
    let pages = published.tld.iter().fold([0.0, 0.0], |[target, rest], row| {
        [target + row.target, rest + row.second + row.other]
    });
    [(&published.from_target, pages[0]), (&published.from_rest, pages[1])]
        .map(|(from, pages)| from.links_to_target / (from.all / 100.0) / pages)
}

/// A linker whose links have the published locality.
pub(crate) fn calibrated<'a>(
    preset: &'a Preset,
    plan: &'a Plan,
    classes: &'a [u8],
    seed: u64,
) -> Linker<'a> {
    let degrees = published_degrees(preset);
    let wanted = [
        published_cells(&preset.published.from_target, None),
        published_cells(&preset.published.from_rest, Some(preset.free.rest_server_stay)),
    ];
    let habit = |from: usize| Habit { degree: degrees[from], cells: wanted[from] };
    let mut linker = Linker::new(preset, plan, classes, seed, [habit(0), habit(1), habit(1)]);
    let stride = match plan.pages / SAMPLE {
        stride @ ..TURNS => stride.max(1),
        stride => stride / TURNS * TURNS,
    };
    for _ in 0..ROUNDS {
        let census = sample(&linker, stride);
        for (kind, from) in [(FROM_TARGET, 0), (FROM_REST_OF_TARGET_SITE, 1), (FROM_OTHER_SITE, 1)]
        {
            correct(&mut linker.habits[kind], &census, from, wanted[from], degrees[from]);
        }
        // A site without target pages cannot link to its own.
        let cells = &mut linker.habits[FROM_OTHER_SITE].cells;
        cells[cell(SERVER, false)] += std::mem::take(&mut cells[cell(SERVER, true)]);
    }
    linker
}

fn sample(linker: &Linker, stride: usize) -> Census {
    let chunks = linker.plan.chunks(1 << 16);
    let count = |hosts: std::ops::Range<usize>| {
        let (mut census, mut bench) = (Census::default(), Bench::default());
        for index in hosts {
            // Preparing a host costs time whatever the stride, so hosts with few pages in the sample
            // take turns.
            let known = linker.plan.hosts[index].known() as usize;
            let turns = stride.min(TURNS);
            let stride = match known {
                known if known >= stride * TURNS => stride,
                _ if index % turns == 0 => stride / turns,
                _ => continue,
            };
            // Each host begins at another page, so that every page is as likely to be in the sample.
            let start = index / turns % stride;
            linker.host_links(&mut bench, index, start, stride, |page, links, _| {
                census.count(linker, index, page, links);
            });
        }
        census
    };
    chunks.into_par_iter().map(count).reduce(Census::default, Census::and)
}

fn correct(habit: &mut Habit, census: &Census, from: usize, wanted: Cells, degree: f64) {
    let links = census.links(from) as f64;
    if links == 0.0 {
        return;
    }
    for (cell, share) in habit.cells.iter_mut().enumerate() {
        let found = census.cells[from][cell] as f64 / links;
        *share = (*share + (wanted[cell] - found)).max(1e-6);
    }
    let sum: f64 = habit.cells.iter().sum();
    habit.cells.iter_mut().for_each(|share| *share /= sum);
    let found = links / census.pages[from] as f64;
    habit.degree *= (degree / found).clamp(0.5, 2.0);
}
