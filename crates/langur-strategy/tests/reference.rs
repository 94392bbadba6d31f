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
    fish(width=2) fish(width=1,depth=0) fish(width=1,depth=1,exhausted=drop)
    fish(width=3,depth=2,prefer=document) fish(depth=0,exhausted=drop)
    shark(depth=1,exhausted=drop) shark(depth=0) shark(delta=0.9,gamma=0.8,depth=2)
    opic(original,max_links=2) opic(nutch,max_links=1)
";

/// What goes by scores, for webs that are crawled by topic.
const BY_SCORE: &str = "
    best-first hard-focused soft-focused breadth-first target-peek
    fish fish(width=1,depth=1) fish(width=2,depth=1,exhausted=drop)
    shark shark(gamma=1) shark(gamma=0) shark(delta=0.7,beta=0.3,gamma=0.8)
    shark(inherit=above-threshold,gamma=0.9) shark(depth=0,exhausted=drop) shark(depth=1)
    opic pvalue pvalue(all)
";

/// No paper describes it; `ceilings.rs` holds it against the best of all orders.
const ELSEWHERE: &str = "greedy-tree";

/// Strategies under which a visited page is never opened again, whatever the policy.
const NEVER_REOPEN: [&str; 4] = ["depth-first", "directory-filter", "opic", "pvalue"];

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

    #[test]
    fn scores_work_as_in_the_reference(web in webs_by_topic()) {
        check(&web, BY_SCORE.split_whitespace())?;
    }
}

#[test]
fn every_strategy_has_a_reference() {
    let web = Web { pages: vec![page(0, Kind::Thai, 0, 0)], by_topic: false };
    for entry in langur_strategy::ALL.iter().filter(|entry| entry.name != ELSEWHERE) {
        assert!(rule(entry.name, &web).is_some(), "{} has no reference", entry.name);
        assert!(entry.written_variants().count() > 0, "{} is never checked", entry.name);
    }
}

fn check(web: &Web, specs: impl Iterator<Item = impl AsRef<str>>) -> Result<(), TestCaseError> {
    let toy = toy(&format!("{web:?}"));
    let toy = if web.by_topic { toy.by_topic() } else { toy };
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
    /// On the topic; by language, all or nothing.
    score: f32,
    links: Vec<Link>,
}

#[derive(Clone)]
struct Link {
    target: usize,
    anchor: &'static str,
    /// Of the anchor and of the words around it, for webs that are crawled by topic.
    scores: [f32; 2],
}

/// The first page is the seed.
#[derive(Clone)]
struct Web {
    pages: Vec<Page>,
    by_topic: bool,
}

fn page(number: usize, kind: Kind, host: usize, directory: usize) -> Page {
    let letter = if matches!(kind, Kind::Thai | Kind::ThaiFile) { 'P' } else { 'p' };
    let name = format!("{}.{}{letter}{number}", HOSTS[host], DIRECTORIES[directory]);
    let score = f32::from(kind == Kind::Thai);
    Page { name, kind, host, directory, score, links: Vec::new() }
}

impl Page {
    fn is_html(&self) -> bool {
        !matches!(self.kind, Kind::File | Kind::ThaiFile)
    }
    fn is_relevant(&self) -> bool {
        self.is_html() && self.score > 0.4
    }
    fn tld(&self) -> &'static str {
        HOSTS[self.host]
    }
    /// Adds a link before the last `before` links, unless there is one to that page.
    fn link(&mut self, target: usize, anchor: &'static str, before: usize) {
        if self.links.iter().all(|link| link.target != target) {
            let place = self.links.len() - before % (self.links.len() + 1);
            self.links.insert(place, Link { target, anchor, scores: [0.0; 2] });
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
            let score = if self.by_topic { format!("={}", page.score) } else { String::new() };
            write!(f, "{}{english}{file}{score}; ", page.name)?;
        }
        for page in &found {
            for link in &page.links {
                let [anchor, context] = link.scores;
                let scores = format!("{anchor}/{context}");
                let tag = if self.by_topic { &scores } else { link.anchor };
                write!(f, "{} -{tag}> {}; ", page.name, self.pages[link.target].name)?;
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
        Web { pages, by_topic: false }
    })
}

/// The same with scores.
fn webs_by_topic() -> impl Strategy<Value = Web> {
    let score = || prop::sample::select(vec![0.0_f32, 0.0, 0.125, 0.4, 0.5, 0.75, 1.0]);
    (webs(), prop::collection::vec(score(), 1..60)).prop_map(|(mut web, scores)| {
        let mut scores = scores.iter().copied().cycle();
        let mut draw = || scores.next().expect("they come again and again");
        for page in &mut web.pages {
            page.score = draw();
            page.links.iter_mut().for_each(|link| link.scores = [draw(), draw()]);
        }
        Web { by_topic: true, ..web }
    })
}

// ---- The crawl --------------------------------------------------------------------------------

/// What is remembered of the way to a page. Nothing is before a seed.
#[derive(Clone, Copy, Default)]
struct Trail {
    /// The irrelevant pages in a row before it.
    crossed: Option<i64>,
    /// What shark-search has it inherit.
    inherited: f32,
}

/// A page whose links are considered.
struct Source<'w> {
    page: &'w Page,
    trail: Trail,
    visits_so_far: i64,
}

impl Source<'_> {
    /// Irrelevant pages in a row ending with this one: the papers' r(p).
    fn crossed(&self) -> i64 {
        if self.page.is_relevant() { 0 } else { self.trail.crossed.unwrap_or(0) + 1 }
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
    /// Called before the links of a page are considered.
    fn opened(&mut self, _from: &Source, _web: &Web) {}
    /// What the links of a page inherit.
    fn inherited(&self, _from: &Source) -> f32 {
        0.0
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
        crawl.offer(0, i64::MIN, Trail::default());
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
        self.rule.opened(&from, self.web);
        let passed_on =
            Trail { crossed: Some(from.crossed()), inherited: self.rule.inherited(&from) };
        for link in &page.links {
            let target = &self.web.pages[link.target];
            if !self.is_settled(link.target)
                && let Some(priority) = self.rule.follow(&from, link, target)
            {
                self.offer(link.target, priority, passed_on);
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
        "soft-focused" => distance(all, 2),
        "best-first" => plain(|from, _, _| Some(by_score(from.page.score))),
        "fish" => Box::new(Fish {
            width: number("width", "10"),
            prefer_document: setting(spec, "prefer", "elsewhere") == "document",
            depths: Depths::new(spec),
            visited: Vec::new(),
            front: Vec::new(),
        }),
        "shark" => {
            let fraction = |name, default| -> f32 {
                setting(spec, name, default).parse().expect("a fraction")
            };
            Box::new(Shark {
                by_topic: web.by_topic,
                above_threshold: setting(spec, "inherit", "above-zero") == "above-threshold",
                delta: fraction("delta", "0.5"),
                beta: fraction("beta", "0.8"),
                gamma: fraction("gamma", "0.5"),
                depths: Depths::new(spec),
            })
        }
        "opic" => {
            let nutch = spec.contains("nutch");
            let most = number("max_links", if nutch { "100" } else { "1000000" }) as usize;
            Box::new(Opic {
                virtual_pages: usize::from(!nutch),
                most,
                cash: Vec::new(),
                cut: Vec::new(),
            })
        }
        "pvalue" => Box::new(Pvalue { all: spec.contains("all"), known: Vec::new() }),
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
        let thai_then_english = from.page.kind == Kind::English && from.trail.crossed == Some(0);
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

/// A priority that sorts as scores from 0 do, the best first.
fn by_score(score: f32) -> i64 {
    i64::from(u32::MAX) - i64::from(score.to_bits())
}

/// The depth of every page that was ever listed, the greatest it was listed with.
struct Depths {
    greatest: i64,
    drop: bool,
    listed: Vec<(String, i64)>,
}

impl Depths {
    fn new(spec: &str) -> Depths {
        Depths {
            greatest: setting(spec, "depth", "3").parse().expect("a number"),
            drop: setting(spec, "exhausted", "end") == "drop",
            listed: Vec::new(),
        }
    }

    fn of(&self, page: &Page) -> i64 {
        let listed = self.listed.iter().filter(|(name, _)| *name == page.name);
        listed.map(|(_, depth)| *depth).max().unwrap_or(self.greatest)
    }

    fn is_end(&self, page: &Page) -> bool {
        !page.is_relevant() && self.of(page) == 0
    }

    fn opened(&mut self, page: &Page, web: &Web) {
        let depth = if page.is_relevant() { self.greatest } else { self.of(page) - 1 };
        if !(self.is_end(page) && self.drop) {
            let children = page.links.iter().map(|link| web.pages[link.target].name.clone());
            self.listed.extend(children.map(|name| (name, depth.max(0))));
        }
    }
}

struct Fish {
    width: i64,
    prefer_document: bool,
    depths: Depths,
    visited: Vec<String>,
    /// Targets of the page's links that are not put last.
    front: Vec<usize>,
}

impl Rule for Fish {
    fn visited(&mut self, page: &Page) -> Option<Standing> {
        self.visited.push(page.name.clone());
        None
    }

    fn opened(&mut self, from: &Source, web: &Web) {
        // Whether it is the end of its branch is a matter of the depth it had before.
        let is_end = self.depths.is_end(from.page);
        self.depths.opened(from.page, web);
        let mut candidates: Vec<usize> = from.page.links.iter().map(|link| link.target).collect();
        candidates.retain(|&target| !self.visited.contains(&web.pages[target].name));
        if !self.prefer_document {
            candidates.sort_by_key(|&target| web.pages[target].host == from.page.host);
        }
        let width = self.width as f64 * if from.page.is_relevant() { 1.5 } else { 1.0 };
        candidates.truncate(if is_end { 0 } else { width.ceil() as usize });
        self.front = candidates;
    }

    fn follow(&mut self, from: &Source, link: &Link, _: &Page) -> Option<i64> {
        if self.depths.is_end(from.page) && self.depths.drop {
            return None;
        }
        Some(match (self.front.contains(&link.target), from.page.is_relevant()) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        })
    }
}

struct Shark {
    by_topic: bool,
    above_threshold: bool,
    delta: f32,
    beta: f32,
    gamma: f32,
    depths: Depths,
}

impl Rule for Shark {
    fn opened(&mut self, from: &Source, web: &Web) {
        self.depths.opened(from.page, web);
    }

    fn inherited(&self, from: &Source) -> f32 {
        let page = from.page;
        let from_page = if self.above_threshold { page.is_relevant() } else { page.score > 0.0 };
        self.delta * if from_page { page.score } else { from.trail.inherited }
    }

    fn follow(&mut self, from: &Source, link: &Link, _: &Page) -> Option<i64> {
        if self.depths.is_end(from.page) {
            return (!self.depths.drop).then(|| by_score(0.0));
        }
        let by_language = [f32::from(link.anchor == "th"), 0.0];
        let [anchor, around] = if self.by_topic { link.scores } else { by_language };
        let context = if anchor > 0.0 { 1.0 } else { around };
        let neighbourhood = self.beta * anchor + (1.0 - self.beta) * context;
        Some(by_score(self.gamma * self.inherited(from) + (1.0 - self.gamma) * neighbourhood))
    }
}

struct Opic {
    virtual_pages: usize,
    most: usize,
    /// What each page was ever given and by whom.
    cash: Vec<(usize, f64)>,
    cut: Vec<usize>,
}

impl Opic {
    fn of(&self, page: usize) -> f64 {
        self.cash.iter().filter(|(to, _)| *to == page).map(|(_, cash)| *cash).sum()
    }
}

impl Rule for Opic {
    fn opened(&mut self, from: &Source, web: &Web) {
        let number = web.pages.iter().position(|page| page.name == from.page.name);
        let number = number.expect("a page of the web");
        let cash = self.of(number) + if number == 0 { 1.0 } else { 0.0 };
        let targets: Vec<usize> = from.page.links.iter().map(|link| link.target).collect();
        let (paid, cut) = targets.split_at(self.most.min(targets.len()));
        let share = cash / (paid.len() + self.virtual_pages).max(1) as f64;
        self.cash.extend(paid.iter().map(|&target| (target, share)));
        self.cut = cut.to_vec();
    }

    fn follow(&mut self, _: &Source, link: &Link, _: &Page) -> Option<i64> {
        (!self.cut.contains(&link.target)).then(|| by_score(self.of(link.target) as f32))
    }
}

struct Pvalue {
    all: bool,
    /// The targets of all links seen.
    known: Vec<usize>,
}

impl Rule for Pvalue {
    fn opened(&mut self, from: &Source, _: &Web) {
        self.known.extend(from.page.links.iter().map(|link| link.target));
    }

    fn follow(&mut self, from: &Source, link: &Link, _: &Page) -> Option<i64> {
        let forward = from.page.links.len() as i64;
        let backward = self.known.iter().filter(|&&target| target == link.target).count() as i64;
        // Any number that makes it positive, as priorities are here.
        (self.all || from.page.is_relevant()).then_some(1_000_000 - (forward - backward))
    }
}
