//! Every strategy against a plain reading of the papers.
//!
//! The crawl below was written from `algorithms.md` and the rulings on what the papers leave open,
//! without a look at the strategies and frontiers that it checks. It is as slow and as plain as it
//! can be: the frontier is an unsorted list, and what a strategy must know is asked anew every time.
//! Both crawl the same random webs, under every policy, and must visit the same pages in the same
//! order. A failure prints the smallest web that was found, ready to be a golden trace.

use langur_frontier::{Keep, Order, Policy};
use langur_testkit::toy;
use proptest::prelude::*;

/// Settings that no strategy names as its variants: the switches, alone and together.
const SWITCHES: &str = "
    limited-distance limited-distance(n=0) limited-distance(n=0,strict)
    limited-distance(n=2,strict) limited-distance(n=3,prioritized,strict)
    lswc lswc(s=1,t=0) lswc(s=1,t=0,distance_origin=0) lswc(s=2,t=3,distance_origin=0)
    lswc(s=1,t=5) lswc(s=2,t=9) lswc(s=9,t=4,english_step=false) lswc(s=2,t=4,count=all)
    lswc(s=1,t=4,revive) lswc(s=2,t=6,revive) lswc(s=1,t=4,demote) lswc(s=2,t=6,revive,demote)
    lswc(s=1,t=5,count=all,english_step=false,revive,demote)
    server-filter server-filter(aggressive,theta=0.5) server-filter(conservative,theta=0.3)
    server-filter(aggressive,count=all) server-filter(conservative,theta=0.5,count=all)
    server-filter(conservative,theta=0.8) server-filter(filter=tld) directory-filter(theta=0.8)
    directory-filter(theta=0.5) directory-filter(count=all) directory-filter(theta=0.3,count=all)
    tld-anchor(abstain=follow) tld-anchor(tlds=com+jp) tld-anchor(tlds=com,abstain=follow)
";

/// No paper describes it; `ceilings.rs` holds it against the best of all orders.
const ELSEWHERE: &str = "greedy-tree";

/// Strategies under which a visited page is never opened again, whatever the policy.
const NEVER_REOPEN: [&str; 2] = ["depth-first", "directory-filter"];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 250,
        max_shrink_iters: 5000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn variants_crawl_as_the_reference_does(web in webs()) {
        let entries = langur_strategy::ALL.iter().filter(|entry| entry.name != ELSEWHERE);
        check(&web, entries.flat_map(|entry| entry.written_variants()))?;
    }

    #[test]
    fn switches_work_as_in_the_reference(web in webs()) {
        check(&web, SWITCHES.split_whitespace())?;
    }
}

#[test]
fn every_strategy_has_a_reference() {
    let web = Web { pages: vec![page(0, Kind::Thai, 0, 0)] };
    for entry in langur_strategy::ALL.iter().filter(|entry| entry.name != ELSEWHERE) {
        assert!(rule(entry.name, &web).is_some(), "{} has no reference", entry.name);
        assert!(entry.written_variants().count() > 0, "{} is never checked", entry.name);
    }
}

fn check(web: &Web, specs: impl Iterator<Item = impl AsRef<str>>) -> Result<(), TestCaseError> {
    let toy = toy(&format!("{web:?}"));
    let policies =
        [(Keep::Better, false), (Keep::Better, true), (Keep::First, false), (Keep::First, true)];
    for spec in specs {
        let spec = spec.as_ref();
        for (keep, reopen) in policies {
            let trace = toy.crawl_with(spec, Order::Fifo, Policy { keep, reopen });
            let rule = rule(spec, web).expect("a strategy that has a reference");
            let reopens = reopen && !NEVER_REOPEN.contains(&name(spec));
            let expected = Reference::crawl(web, rule, keep, reopens);
            prop_assert_eq!(trace, expected, "{}, {:?}, reopen: {}", spec, keep, reopen);
        }
    }
    Ok(())
}

// ---- Webs -------------------------------------------------------------------------------------

const HOSTS: [&str; 5] = ["th", "jp", "com", "net", "x"];
const DIRECTORIES: [&str; 3] = ["", "d/", "e/"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Thai,
    English,
    Unknown,
    File,
    /// In Thai, and still not relevant: only HTML is judged.
    ThaiFile,
}

#[derive(Clone)]
struct Page {
    name: String,
    kind: Kind,
    host: usize,
    directory: usize,
    links: Vec<Link>,
}

#[derive(Clone)]
struct Link {
    target: usize,
    anchor: &'static str,
}

/// The first page is the seed.
#[derive(Clone)]
struct Web {
    pages: Vec<Page>,
}

fn page(number: usize, kind: Kind, host: usize, directory: usize) -> Page {
    let letter = if matches!(kind, Kind::Thai | Kind::ThaiFile) { 'P' } else { 'p' };
    let name = format!("{}.{}{letter}{number}", HOSTS[host], DIRECTORIES[directory]);
    Page { name, kind, host, directory, links: Vec::new() }
}

impl Page {
    fn is_html(&self) -> bool {
        !matches!(self.kind, Kind::File | Kind::ThaiFile)
    }
    fn is_relevant(&self) -> bool {
        self.kind == Kind::Thai
    }
    fn tld(&self) -> &'static str {
        HOSTS[self.host]
    }
    /// Adds a link before the last `before` links, unless there is one to that page.
    fn link(&mut self, target: usize, anchor: &'static str, before: usize) {
        if self.links.iter().all(|link| link.target != target) {
            let place = self.links.len() - before % (self.links.len() + 1);
            self.links.insert(place, Link { target, anchor });
        }
    }
}

/// As `langur_testkit::toy` reads it: first every page with its marks, then every link. Pages that
/// nothing links to are left out, which makes the webs that proptest finds small to read.
impl std::fmt::Debug for Web {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_linked =
            |number| self.pages.iter().any(|page| page.links.iter().any(|l| l.target == number));
        let pages = self.pages.iter().enumerate();
        let found: Vec<&Page> =
            pages.filter(|at| at.0 == 0 || is_linked(at.0)).map(|at| at.1).collect();
        for page in &found {
            let english = if page.kind == Kind::English { "*" } else { "" };
            let file = if page.is_html() { "" } else { "!" };
            write!(f, "{}{english}{file}; ", page.name)?;
        }
        for page in &found {
            for link in &page.links {
                write!(f, "{} -{}> {}; ", page.name, link.anchor, self.pages[link.target].name)?;
            }
        }
        Ok(())
    }
}

/// A tree from the seed, so that most pages can be reached, and other links anywhere among it.
fn webs() -> impl Strategy<Value = Web> {
    let kind = prop_oneof![
        6 => Just(Kind::Unknown),
        6 => Just(Kind::Thai),
        4 => Just(Kind::English),
        2 => Just(Kind::File),
        1 => Just(Kind::ThaiFile),
    ];
    let anchor = || prop_oneof![2 => Just(""), 1 => Just("th"), 1 => Just("en")];
    let parent = prop::option::weighted(0.9, 0..100_usize);
    let page_and_parent = (kind, 0..60_usize, 0..60_usize, parent, anchor());
    let other_link = (0..100_usize, 0..100_usize, anchor(), 0..10_usize);
    let parts = (
        (1..=HOSTS.len(), 1..=DIRECTORIES.len()),
        prop::collection::vec(page_and_parent, 1..=25),
        prop::collection::vec(other_link, 0..=46),
    );
    parts.prop_map(|((hosts, directories), descriptions, others)| {
        let mut pages: Vec<Page> = Vec::new();
        for (kind, host, directory, parent, anchor) in descriptions {
            let number = pages.len();
            if let Some(parent) = parent.filter(|_| number > 0) {
                pages[parent % number].link(number, anchor, 0);
            }
            pages.push(page(number, kind, host % hosts, directory % directories));
        }
        let count = pages.len();
        for (from, target, anchor, before) in others {
            if from % count != target % count {
                pages[from % count].link(target % count, anchor, before);
            }
        }
        Web { pages }
    })
}

// ---- The crawl --------------------------------------------------------------------------------

/// What is remembered of the way to a page: the irrelevant pages in a row before it. Nothing is
/// before a seed.
type Trail = Option<i64>;

/// A page whose links are considered.
struct Source<'w> {
    page: &'w Page,
    trail: Trail,
    visits_so_far: i64,
}

impl Source<'_> {
    /// Irrelevant pages in a row ending with this one: the papers' r(p).
    fn crossed(&self) -> i64 {
        if self.page.is_relevant() { 0 } else { self.trail.unwrap_or(0) + 1 }
    }
}

/// What a host turns out to be.
#[derive(Clone, Copy, PartialEq)]
enum Standing {
    Relevant,
    Irrelevant,
}

/// What sets one strategy apart from the others.
trait Rule {
    /// Called for every visit before its links are considered: what its host becomes by it.
    fn visited(&mut self, _page: &Page) -> Option<Standing> {
        None
    }
    /// The priority at which a link is followed (smaller is sooner), if it is.
    fn follow(&mut self, from: &Source, link: &Link, target: &Page) -> Option<i64>;
}

struct Waiting {
    page: usize,
    priority: i64,
    trail: Trail,
    /// When it was put at the end of its priority.
    queued: usize,
    /// When it began to wait.
    found: usize,
}

struct Reference<'w> {
    web: &'w Web,
    rule: Box<dyn Rule>,
    keep: Keep,
    reopen: bool,
    waiting: Vec<Waiting>,
    visited: Vec<usize>,
    /// The best priority at which each page ever waited, unless it was discarded unvisited.
    best: Vec<Option<i64>>,
    clock: usize,
}

impl<'w> Reference<'w> {
    fn crawl(web: &'w Web, rule: Box<dyn Rule>, keep: Keep, reopen: bool) -> String {
        let (waiting, visited) = (Vec::new(), Vec::new());
        let best = vec![None; web.pages.len()];
        let mut crawl = Reference { web, rule, keep, reopen, waiting, visited, best, clock: 0 };
        crawl.offer(0, i64::MIN, None);
        while let Some(next) = crawl.take_next() {
            crawl.visit(&next);
        }
        let names = crawl.visited.iter().map(|&page| web.pages[page].name.as_str());
        names.collect::<Vec<_>>().join(" ")
    }

    fn visit(&mut self, next: &Waiting) {
        let page = &self.web.pages[next.page];
        if !self.visited.contains(&next.page) {
            self.visited.push(next.page);
            match self.rule.visited(page) {
                Some(Standing::Relevant) => self.raise(page.host),
                Some(Standing::Irrelevant) => self.discard(page.host),
                None => {}
            }
        }
        if page.is_html() {
            self.consider_links(page, next.trail);
        }
    }

    fn take_next(&mut self) -> Option<Waiting> {
        let key = |at: &usize| (self.waiting[*at].priority, self.waiting[*at].queued);
        let first = (0..self.waiting.len()).min_by_key(key)?;
        Some(self.waiting.remove(first))
    }

    fn consider_links(&mut self, page: &Page, trail: Trail) {
        let from = Source { page, trail, visits_so_far: self.visited.len() as i64 };
        for link in &page.links {
            let target = &self.web.pages[link.target];
            if !self.is_settled(link.target)
                && let Some(priority) = self.rule.follow(&from, link, target)
            {
                self.offer(link.target, priority, Some(from.crossed()));
            }
        }
    }

    /// Whether no link can change anything about a visited page, so that the strategy is not asked.
    /// It matters where asking has consequences (`revive`).
    fn is_settled(&self, page: usize) -> bool {
        self.visited.contains(&page)
            && (!self.reopen || self.best[page].is_some_and(|best| best <= 0))
    }

    fn offer(&mut self, page: usize, priority: i64, trail: Trail) {
        self.clock += 1;
        let now = self.clock;
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.page == page) {
            if self.keep == Keep::First || priority >= waiting.priority {
                return;
            }
            *waiting = Waiting { page, priority, trail, queued: now, found: waiting.found };
        } else {
            let better = self.best[page].is_none_or(|best| priority < best);
            if self.visited.contains(&page) && !(self.reopen && better) {
                return;
            }
            self.waiting.push(Waiting { page, priority, trail, queued: now, found: now });
        }
        self.best[page] = Some(self.best[page].map_or(priority, |best| best.min(priority)));
    }

    fn raise(&mut self, host: usize) {
        self.waiting.sort_by_key(|waiting| waiting.found);
        for waiting in &mut self.waiting {
            if self.web.pages[waiting.page].host == host {
                self.clock += 1;
                (waiting.priority, waiting.queued) = (0, self.clock);
                self.best[waiting.page] = Some(0);
            }
        }
    }

    fn discard(&mut self, host: usize) {
        self.waiting.retain(|waiting| self.web.pages[waiting.page].host != host);
        for (number, page) in self.web.pages.iter().enumerate() {
            if page.host == host && !self.visited.contains(&number) {
                self.best[number] = None;
            }
        }
    }
}

// ---- The strategies ---------------------------------------------------------------------------

/// The rule of a strategy as it is written on the command line.
fn rule(spec: &str, web: &Web) -> Option<Box<dyn Rule>> {
    let number = |name, default| setting(spec, name, default).parse::<i64>().expect("a number");
    let is_on = |name, default| setting(spec, name, default) == "true";
    let count_all = setting(spec, "count", "html") == "all";
    let all = i64::MAX;
    Some(match name(spec) {
        "breadth-first" => distance(all, 1),
        "hard-focused" => distance(0, 1),
        "soft-focused" | "best-first" => distance(all, 2),
        "limited-distance" => {
            let limit = number("n", "2") - i64::from(is_on("strict", "false"));
            distance(limit, if is_on("prioritized", "false") { all } else { 1 })
        }
        "depth-first" => plain(|from, _, _| Some(-from.visits_so_far)),
        "perfect" => {
            let wanted = leads_to_relevant(web);
            plain(move |_, link, _| wanted[link.target].then_some(0))
        }
        "target-peek" => plain(|_, _, target| Some(i64::from(!target.is_relevant()))),
        "lswc" => Box::new(Lswc {
            s: number("s", "3"),
            t: number("t", "5"),
            distance_origin: number("distance_origin", "1"),
            count_all,
            english_step: is_on("english_step", "true"),
            revive: is_on("revive", "false"),
            demote: is_on("demote", "false"),
            hosts: [(None, 0); HOSTS.len()],
        }),
        "server-filter" | "directory-filter" => Box::new(Filter {
            by_directory: name(spec) == "directory-filter",
            by_tld: setting(spec, "filter", "server") == "tld",
            aggressive: spec.contains("aggressive"),
            theta: setting(spec, "theta", "0").parse().expect("a fraction"),
            count_all,
            counted: Vec::new(),
        }),
        "tld-anchor" => {
            let tlds: Vec<_> = setting(spec, "tlds", "th").split('+').map(str::to_owned).collect();
            let follow_unknown = setting(spec, "abstain", "drop") == "follow";
            plain(move |_, link, target| {
                let by_tld = tlds.iter().any(|tld| tld == target.tld());
                let by_anchor = link.anchor == "th" || (link.anchor.is_empty() && follow_unknown);
                (by_tld || by_anchor).then_some(0)
            })
        }
        _ => return None,
    })
}

fn name(spec: &str) -> &str {
    spec.split('(').next().expect("a strategy's name")
}

/// The value of `name=value` between the brackets; a name alone is switched on.
fn setting<'s>(spec: &'s str, name: &str, default: &'s str) -> &'s str {
    let arguments = spec.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let mut pairs = arguments.split(',').map(|word| word.split_once('=').unwrap_or((word, "true")));
    pairs.find(|pair| pair.0 == name).map_or(default, |pair| pair.1)
}

/// A rule that learns nothing from visits.
impl<F: Fn(&Source, &Link, &Page) -> Option<i64>> Rule for F {
    fn follow(&mut self, from: &Source, link: &Link, target: &Page) -> Option<i64> {
        self(from, link, target)
    }
}

fn plain(follow: impl Fn(&Source, &Link, &Page) -> Option<i64> + 'static) -> Box<dyn Rule> {
    Box::new(follow)
}

/// Crosses up to `limit` irrelevant pages in a row; the further, the later, in so many tiers.
fn distance(limit: i64, tiers: i64) -> Box<dyn Rule> {
    plain(move |from, _, _| (from.crossed() <= limit).then_some(from.crossed().min(tiers - 1)))
}

/// Marks the relevant pages and their ancestors in the breadth-first tree from the seed.
fn leads_to_relevant(web: &Web) -> Vec<bool> {
    let mut tree = vec![(0, None)]; // page and parent, in the order of discovery
    let mut next = 0;
    while next < tree.len() {
        let page = &web.pages[tree[next].0];
        for link in page.links.iter().filter(|_| page.is_html()) {
            if tree.iter().all(|known| known.0 != link.target) {
                tree.push((link.target, Some(tree[next].0)));
            }
        }
        next += 1;
    }
    let mut marked = vec![false; web.pages.len()];
    for &(page, parent) in tree.iter().rev() {
        marked[page] |= web.pages[page].is_relevant();
        if let Some(parent) = parent {
            marked[parent] |= marked[page];
        }
    }
    marked
}

struct Lswc {
    s: i64,
    t: i64,
    distance_origin: i64,
    count_all: bool,
    english_step: bool,
    revive: bool,
    demote: bool,
    /// Each host's standing, and its downloads in a row without a relevant page.
    hosts: [(Option<Standing>, i64); HOSTS.len()],
}

impl Rule for Lswc {
    fn visited(&mut self, page: &Page) -> Option<Standing> {
        let (standing, misses) = &mut self.hosts[page.host];
        let before = *standing;
        if page.is_relevant() {
            (*standing, *misses) = (Some(Standing::Relevant), 0);
        } else if page.is_html() || self.count_all {
            *misses += 1;
            if *misses >= self.s && (before != Some(Standing::Relevant) || self.demote) {
                *standing = Some(Standing::Irrelevant);
            }
        }
        if *standing == before { None } else { *standing }
    }

    fn follow(&mut self, from: &Source, _: &Link, target: &Page) -> Option<i64> {
        let crossed = from.crossed();
        if crossed + self.distance_origin > self.t {
            return None;
        }
        let host = &mut self.hosts[target.host];
        if host.0 == Some(Standing::Irrelevant) && self.revive && from.page.is_relevant() {
            *host = (None, 0);
        }
        let thai_then_english = from.page.kind == Kind::English && from.trail == Some(0);
        match host.0 {
            Some(Standing::Relevant) => Some(0),
            Some(Standing::Irrelevant) => None,
            None if self.english_step && thai_then_english => Some(crossed),
            None => Some(1 + crossed),
        }
    }
}

/// The server-based and directory-based filters.
struct Filter {
    by_directory: bool,
    by_tld: bool,
    aggressive: bool,
    theta: f64,
    count_all: bool,
    /// The visits that count.
    counted: Vec<Page>,
}

impl Filter {
    /// Whether a page's server or directory is relevant, if any visit there counted.
    fn is_known_relevant(&self, page: &Page) -> Option<bool> {
        let mut there: Vec<&Page> = self.counted.iter().collect();
        there.retain(|visit| visit.host == page.host);
        there.retain(|visit| visit.directory == page.directory || !self.by_directory);
        let relevant = there.iter().filter(|visit| visit.is_relevant()).count();
        let is_relevant = relevant >= 1 && relevant as f64 >= self.theta * there.len() as f64;
        (!there.is_empty()).then_some(is_relevant)
    }
}

impl Rule for Filter {
    fn visited(&mut self, page: &Page) -> Option<Standing> {
        if self.count_all || page.is_html() {
            self.counted.push(page.clone());
        }
        None
    }

    fn follow(&mut self, from: &Source, _: &Link, target: &Page) -> Option<i64> {
        let from_relevant = from.page.is_relevant();
        let from_relevant_on_relevant =
            from_relevant && self.is_known_relevant(from.page) == Some(true);
        let follows = match self.is_known_relevant(target) {
            _ if self.by_tld => target.tld() == "th",
            None => self.aggressive || from_relevant_on_relevant,
            Some(relevant) => relevant,
        };
        follows.then_some(i64::from(!from_relevant))
    }
}
