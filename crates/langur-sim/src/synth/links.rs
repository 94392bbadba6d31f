//! Who links to whom.

use super::plan::{Host, Plan, class};
use super::preset::{Locality, Preset};
use super::random::{Curve, Purpose, Random};

/// Where a link leads, seen from its page. Scope and class together make a cell.
pub(crate) const SERVER: usize = 0;
pub(crate) const DOMAIN: usize = 1;
pub(crate) const AWAY: usize = 2;

/// Shares of links by cell: [`SERVER`], [`DOMAIN`] or [`AWAY`], each to the target language or not.
pub(crate) type Cells = [f64; 6];

/// The cell of a scope and a class.
pub(crate) fn cell(scope: usize, to_target: bool) -> usize {
    scope * 2 + usize::from(!to_target)
}

/// What published locality says of the shares by cell.
pub(crate) fn published_cells(from: &Locality, server_stay: Option<f64>) -> Cells {
    let stay = |inside: f64, outside: f64| (from.all - outside) / (inside - outside);
    let domain = stay(from.same_domain, from.other_domain);
    let server =
        server_stay.unwrap_or_else(|| stay(from.same_server, from.other_server)).min(domain);
    let between =
        (from.same_domain * domain - from.same_server * server) / (domain - server).max(1e-9);
    let mut cells = [0.0; 6];
    for (scope, share, percent) in [
        (SERVER, server, from.same_server),
        (DOMAIN, domain - server, between),
        (AWAY, 1.0 - domain, from.other_domain),
    ] {
        let to_target = (percent / 100.0).clamp(0.0, 1.0);
        cells[cell(scope, true)] = share * to_target;
        cells[cell(scope, false)] = share * (1.0 - to_target);
    }
    cells
}

/// How pages of one kind link.
#[derive(Clone, Debug)]
pub(crate) struct Habit {
    /// Mean number of links to crawled pages, before what cannot be placed is dropped.
    pub degree: f64,
    /// Shares of the links that are drawn, discovery links apart; they add up to 1.
    pub cells: Cells,
}

impl Habit {
    #[inline]
    fn draw(&self, random: &mut Random) -> usize {
        let mut left = random.unit();
        for (cell, share) in self.cells.iter().enumerate() {
            left -= share;
            if left < 0.0 {
                return cell;
            }
        }
        cell(SERVER, false)
    }
}

/// The kinds of pages that link.
pub(crate) const FROM_TARGET: usize = 0;
pub(crate) const FROM_REST_OF_TARGET_SITE: usize = 1;
pub(crate) const FROM_OTHER_SITE: usize = 2;

/// Everything that is fixed while links are made.
pub(crate) struct Linker<'a> {
    pub preset: &'a Preset,
    pub plan: &'a Plan,
    pub classes: &'a [u8],
    pub habits: [Habit; 3],
    pub seed: u64,
    rank: Curve,
    host_rank: Curve,
    degree: Curve,
    /// Further links to a missing page that was linked already, per such link.
    missing_again: f64,
}

impl<'a> Linker<'a> {
    pub fn new(
        preset: &'a Preset,
        plan: &'a Plan,
        classes: &'a [u8],
        seed: u64,
        habits: [Habit; 3],
    ) -> Linker<'a> {
        let sigma = preset.free.out_degree_sigma;
        let degree = Curve::lognormal(1.0, sigma);
        let mean = degree.mean();
        let missing_links = preset.published.links - super::crawled_links(preset);
        Linker {
            preset,
            plan,
            classes,
            habits,
            seed,
            rank: Curve::power(preset.free.rank_bias),
            host_rank: Curve::power(preset.free.host_bias),
            degree: Curve::lognormal(1.0 / mean, sigma),
            missing_again: (missing_links / preset.published.uncrawled - 1.0).max(0.0),
        }
    }

    /// Makes the links of the pages of a host, every `stride`th from the `start`th on, and hands each
    /// page's to `visit` with the page's place on the host.
    pub fn host_links(
        &self,
        bench: &mut Bench,
        index: usize,
        start: usize,
        stride: usize,
        mut visit: impl FnMut(usize, &[u32], &mut Random),
    ) {
        let host = &self.plan.hosts[index];
        if host.known() as usize <= start {
            return;
        }
        let mut random = Random::new(self.seed, Purpose::Links, index);
        bench.prepare(self, index, &mut random);
        for rank in (start..bench.known.len()).step_by(stride) {
            let page = bench.known[rank] as usize;
            // A stream of its own for each page, so that a sample makes the same links as the whole.
            let mut random =
                Random::new(self.seed ^ 0x5eed, Purpose::Links, host.first_page as usize + page);
            self.page_links(bench, host, index, page, &mut random);
            self.missing_links(bench, host, rank, &mut random);
            shuffle(&mut bench.links, &mut random);
            visit(page, &bench.links, &mut random);
        }
    }

    fn page_links(
        &self,
        bench: &mut Bench,
        host: &Host,
        index: usize,
        page: usize,
        random: &mut Random,
    ) {
        bench.begin(page);
        bench.add_obligations(host, page);
        let is_target = self.class(host, page) == class::TARGET;
        let habit = &self.habits[match (is_target, host.is_target_site) {
            (true, _) => FROM_TARGET,
            (false, true) => FROM_REST_OF_TARGET_SITE,
            (false, false) => FROM_OTHER_SITE,
        }];
        let wanted = (habit.degree * self.degree.draw(random) + random.unit()) as usize;
        for _ in bench.links.len()..wanted {
            let cell = habit.draw(random);
            let (scope, to_target) = (cell / 2, cell.is_multiple_of(2));
            if scope == SERVER && !bench.has_room(to_target) {
                continue;
            }
            // A link that was there already is drawn again a few times, and then left out.
            for _ in 0..4 {
                let target = match scope {
                    SERVER => self.on_server(bench, host, page, to_target, random),
                    DOMAIN => self.in_domain(host, index, to_target, random),
                    _ => self.away(host, to_target, random),
                };
                if target.is_none_or(|target| bench.add(host, target)) {
                    break;
                }
            }
        }
    }

    fn class(&self, host: &Host, page: usize) -> u8 {
        self.classes[host.first_page as usize + page]
    }

    fn on_server(
        &self,
        bench: &Bench,
        host: &Host,
        page: usize,
        to_target: bool,
        random: &mut Random,
    ) -> Option<u32> {
        if page > 0 && random.chance(self.preset.free.reciprocity) {
            return Some(host.first_page + bench.parents[page]);
        }
        let list = if to_target { &bench.target } else { &bench.rest };
        let place = (self.rank.draw(random) * list.len() as f64) as usize;
        list.get(place).map(|&page| host.first_page + page)
    }

    fn in_domain(
        &self,
        host: &Host,
        index: usize,
        to_target: bool,
        random: &mut Random,
    ) -> Option<u32> {
        let domain = &self.plan.domains[host.domain as usize];
        if domain.hosts < 2 {
            return None;
        }
        let other = domain.first_host as usize + random.below(domain.hosts as usize - 1);
        self.on_host(if other < index { other } else { other + 1 }, to_target, random)
    }

    fn away(&self, host: &Host, to_target: bool, random: &mut Random) -> Option<u32> {
        let list = if to_target { &self.plan.target_hosts } else { &self.plan.all_hosts };
        let place = (self.host_rank.draw(random) * list.len() as f64) as usize;
        let other = *list.get(place)? as usize;
        if self.plan.hosts[other].domain == host.domain {
            None
        } else {
            self.on_host(other, to_target, random)
        }
    }

    /// A page of another host: its home page or, more rarely, one inside.
    fn on_host(&self, index: usize, to_target: bool, random: &mut Random) -> Option<u32> {
        let host = &self.plan.hosts[index];
        let fits = |class: u8| (class == class::TARGET) == to_target;
        if !random.chance(self.preset.free.deep_link_share) && fits(host.home) {
            return Some(host.first_page);
        }
        let wanted = if to_target { host.counts[0] } else { host.pages - host.counts[0] };
        if wanted == 0 {
            return None;
        }
        for _ in 0..6 {
            let page = (self.rank.draw(random) * f64::from(host.pages)) as usize;
            if fits(self.class(host, page)) {
                return Some(host.first_page + page as u32);
            }
        }
        None
    }

    /// Every missing page is linked from one page of its host, and some from another too.
    fn missing_links(&self, bench: &mut Bench, host: &Host, rank: usize, random: &mut Random) {
        let (missing, known) = (u64::from(host.missing), u64::from(host.known()));
        let own = |rank: u64| (missing * rank / known) as u32;
        let first = self.plan.pages as u32 + host.first_missing;
        for number in own(rank as u64)..own(rank as u64 + 1) {
            bench.links.push(first + number);
            if random.chance(self.missing_again) {
                let again = first + random.below(host.missing as usize) as u32;
                // Its own are linked from here in any case.
                if !(own(rank as u64)..own(rank as u64 + 1)).contains(&(again - first))
                    && !bench.links.contains(&again)
                {
                    bench.links.push(again);
                }
            }
        }
    }
}

fn shuffle(links: &mut [u32], random: &mut Random) {
    for i in (1..links.len()).rev() {
        links.swap(i, random.below(i + 1));
    }
}

/// What a worker needs to make the links of one host after the other.
#[derive(Default)]
pub(crate) struct Bench {
    /// The page from which each page of the host was found.
    parents: Vec<u32>,
    /// Pages that link, pages in the target language and all others, by place on the host.
    known: Vec<u32>,
    target: Vec<u32>,
    rest: Vec<u32>,
    /// The pages found from each page, and where each page's begin.
    children: Vec<u32>,
    child_offsets: Vec<u32>,
    /// Links to other hosts that must be made, by place of the source page.
    discoveries: Vec<(u32, u32)>,
    /// The last page that linked to each page of the host, plus one.
    linked_from: Vec<u32>,
    links: Vec<u32>,
    page: usize,
    /// Those of the page's links that lead to other hosts.
    elsewhere: Vec<u32>,
    /// How many of the page's links stay on the host.
    inside: usize,
}

impl Bench {
    fn prepare(&mut self, linker: &Linker, index: usize, random: &mut Random) {
        let host = &linker.plan.hosts[index];
        let classes = &linker.classes[host.first_page as usize..][..host.pages as usize];
        for list in [&mut self.known, &mut self.target, &mut self.rest] {
            list.clear();
        }
        for (page, &class) in (0..).zip(classes) {
            if class != class::UNKNOWN {
                self.known.push(page);
            }
            if class == class::TARGET { self.target.push(page) } else { self.rest.push(page) }
        }
        self.find_parents(host, classes, random);
        self.linked_from.clear();
        self.linked_from.resize(classes.len(), 0);
        let range = linker.plan.discovery_offsets[index] as usize
            ..linker.plan.discovery_offsets[index + 1] as usize;
        self.discoveries.clear();
        for discovery in &linker.plan.discoveries[range] {
            let list = if discovery.from_target && !self.target.is_empty() {
                &self.target
            } else {
                &self.known
            };
            self.discoveries.push((list[discovery.draw as usize % list.len()], discovery.page));
        }
        self.discoveries.sort_unstable();
    }

    /// Every page is found from a page before it: one of its directory or, for the first page of a
    /// directory, any.
    fn find_parents(&mut self, host: &Host, classes: &[u8], random: &mut Random) {
        self.parents.clear();
        self.parents.push(0);
        self.child_offsets.clear();
        self.child_offsets.resize(classes.len() + 1, 0);
        for page in 1..classes.len() {
            let first =
                1 + (page - 1) / host.directory_size as usize * host.directory_size as usize;
            let mut parent =
                if page == first { random.below(page) } else { first + random.below(page - first) };
            while classes[parent] == class::UNKNOWN {
                parent -= 1; // ends at the home page, which is known where any page is
            }
            self.parents.push(parent as u32);
            self.child_offsets[parent + 1] += 1;
        }
        for page in 0..classes.len() {
            self.child_offsets[page + 1] += self.child_offsets[page];
        }
        self.children.clear();
        self.children.resize(classes.len().saturating_sub(1), 0);
        // Filled from the end, which turns each offset from the end of its row into the beginning.
        for page in (1..classes.len()).rev() {
            let end = &mut self.child_offsets[self.parents[page] as usize + 1];
            *end -= 1;
            self.children[*end as usize] = page as u32;
        }
        // Row `p` now begins at entry p + 1 and ends where row p + 1 begins.
        self.child_offsets.push(classes.len() as u32 - 1);
    }

    fn begin(&mut self, page: usize) {
        self.page = page;
        self.links.clear();
        self.elsewhere.clear();
        self.inside = 0;
        self.linked_from[page] = page as u32 + 1;
    }

    fn add_obligations(&mut self, host: &Host, page: usize) {
        for child in self.child_offsets[page + 1]..self.child_offsets[page + 2] {
            let target = host.first_page + self.children[child as usize];
            self.add(host, target);
        }
        let start = self.discoveries.partition_point(|&(source, _)| (source as usize) < page);
        for i in start..self.discoveries.len() {
            let (source, target) = self.discoveries[i];
            if source as usize != page {
                break;
            }
            self.add(host, target);
        }
    }

    /// Whether the host may still have pages of this class that the page does not link to. It does not
    /// count by class, so it may say yes too often.
    fn has_room(&self, to_target: bool) -> bool {
        let pages = self.target.len() + self.rest.len() - 1;
        let list = if to_target { &self.target } else { &self.rest };
        !list.is_empty() && self.inside < pages
    }

    /// Adds a link unless the page has it already, and says whether it did.
    fn add(&mut self, host: &Host, target: u32) -> bool {
        match target.checked_sub(host.first_page).filter(|&page| page < host.pages) {
            Some(page) => {
                let mark = self.page as u32 + 1;
                if std::mem::replace(&mut self.linked_from[page as usize], mark) == mark {
                    return false;
                }
                self.inside += 1;
            }
            None => {
                if self.elsewhere.contains(&target) {
                    return false;
                }
                self.elsewhere.push(target);
            }
        }
        self.links.push(target);
        true
    }
}
