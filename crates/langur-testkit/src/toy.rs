//! Webs small enough to write down.

use std::collections::HashMap;

use langur_classify::{AboutTopic, InLanguage, Wanted};
use langur_crawl::{
    Crawl, DirectoryId, Failure, Foresight, HostId, Language, Link, Observer, Outcome, Pace, Page,
    PageId, Strategy, Time, TimedWeb, Transfer, Visited, Web, run, run_politely,
};
use langur_frontier::{Bands, Extent, Heap, Order, Policy};
use langur_strategy::{Runner, Setting, Spec};

/// A web from a string.
///
/// `A -> b -> c; A -> d, e` are links, in document order. Capitals are relevant (in Thai), the rest
/// is not; `b*` is in English; `b!` is not HTML; `b^` redirects to the page it links to; the host of `b~`
/// never answers. `x.b` lives on host `x`, whose top-level domain is
/// `x` too, and `x.d/b` in its directory `d`. `A -th> b` has an anchor in Thai. `?b` is not in the
/// web. `b=0.3` has that score on the topic, if the web is crawled by topic; without one, relevant pages have 1
/// and others 0. `A -0.5> b` has an anchor of that score, and `A -0.5/0.2> b` words around it that score 0.2. Marks stand wherever the page is named first. The first page is the seed.
///
/// # Panics
/// If the string does not read so.
pub fn toy(text: &str) -> Toy {
    let mut toy = Toy::default();
    for statement in text.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        toy.read_chain(statement);
    }
    toy
}

/// See [`toy`].
#[derive(Clone, Debug, Default)]
pub struct Toy {
    pages: Vec<ToyPage>,
    numbers: HashMap<String, u32>,
    hosts: Vec<String>,
    directories: Vec<String>,
    by_topic: bool,
}

#[derive(Clone, Debug)]
struct ToyPage {
    name: String,
    host: u32,
    directory: u32,
    outcome: Outcome,
    missing: bool,
    silent: bool,
    language: Option<Language>,
    score: f32,
    links: Vec<(u32, Anchor)>,
}

/// What a link of a toy web says of itself.
#[derive(Clone, Copy, Debug, Default)]
struct Anchor {
    language: Option<Language>,
    score: f32,
    context: f32,
}

impl Anchor {
    fn read(tag: &str) -> Anchor {
        let number = |text: &str| text.parse().expect("a score");
        match tag.split_once('/') {
            Some((score, context)) => {
                Anchor { score: number(score), context: number(context), language: None }
            }
            None if tag.is_empty() => Anchor::default(),
            None if tag.starts_with(|c: char| c.is_ascii_digit()) => {
                Anchor { score: number(tag), ..Anchor::default() }
            }
            None => {
                let language = Some(Language::parse(tag).expect("an anchor's language"));
                Anchor { language, ..Anchor::default() }
            }
        }
    }
}

/// The threshold of Gogar (2015).
const THRESHOLD: f32 = 0.4;

fn thai() -> Language {
    Language::parse("th").expect("a tag")
}

impl Toy {
    fn read_chain(&mut self, statement: &str) {
        let mut sources: Vec<u32> = Vec::new();
        let mut anchor = Anchor::default();
        let mut rest = statement;
        loop {
            let arrow = rest.find('-').unwrap_or(rest.len());
            let targets: Vec<u32> =
                rest[..arrow].split(',').map(|name| self.number(name.trim())).collect();
            for &source in &sources {
                for &target in &targets {
                    self.pages[source as usize].links.push((target, anchor));
                }
            }
            if arrow == rest.len() {
                return;
            }
            let end = arrow + rest[arrow..].find('>').expect("an arrow ends with >");
            anchor = Anchor::read(&rest[arrow + 1..end]);
            sources = targets;
            rest = &rest[end + 1..];
        }
    }

    fn number(&mut self, written: &str) -> u32 {
        let (written, score) = match written.split_once('=') {
            Some((written, score)) => (written, Some(score.parse().expect("a score"))),
            None => (written, None),
        };
        let name = written.trim_matches(['*', '!', '^', '?', '~']);
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let (host, path) = name.split_once('.').unwrap_or(("", name));
        let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
        let relevant = file.starts_with(|c: char| c.is_ascii_uppercase());
        let language =
            if written.ends_with('*') { Some(Language::ENGLISH) } else { relevant.then(thai) };
        let page = ToyPage {
            name: name.to_owned(),
            host: position(&mut self.hosts, host),
            directory: position(&mut self.directories, &format!("{host}/{directory}")),
            outcome: match written.as_bytes().last() {
                Some(b'!' | b'~') => Outcome::Other,
                Some(b'^') => Outcome::Redirect,
                _ => Outcome::OkHtml,
            },
            missing: written.starts_with('?'),
            silent: written.ends_with('~'),
            language,
            score: score.unwrap_or(f32::from(relevant)),
            links: Vec::new(),
        };
        let number = self.pages.len() as u32;
        self.pages.push(page);
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The same web, in which pages about the topic are wanted, those that score more than 0.4, and not
    /// Thai ones.
    pub fn by_topic(self) -> Toy {
        Toy { by_topic: true, ..self }
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The number of hosts.
    pub fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Crawls with the named strategy, for Thai pages or by topic, and gives the names in the order of the visits.
    pub fn crawl(&self, strategy: &str) -> String {
        self.crawl_with(strategy, Order::Fifo, Policy::default())
    }

    /// Crawls in simulated time and gives the names as they came, each with when: `A@0 b@1000`.
    pub fn crawl_politely(&self, strategy: &str, pace: Pace) -> String {
        self.run(strategy, CrawlToy { pace: Some(pace), ..CrawlToy::new(self) })
    }

    /// The same with switches.
    pub fn crawl_with(&self, strategy: &str, order: Order, policy: Policy) -> String {
        self.run(strategy, CrawlToy { order, policy, ..CrawlToy::new(self) })
    }

    fn run(&self, strategy: &str, crawl: CrawlToy) -> String {
        let spec = Spec::parse(strategy).expect("a strategy");
        let languages = if self.by_topic { Vec::new() } else { vec![thai()] };
        let setting = Setting { languages: &languages, foresight: Some(self) };
        langur_strategy::with(&spec, &setting, crawl).expect("a strategy that fits")
    }
}

fn position(names: &mut Vec<String>, name: &str) -> u32 {
    let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    at as u32
}

struct CrawlToy<'t> {
    toy: &'t Toy,
    order: Order,
    policy: Policy,
    pace: Option<Pace>,
}

impl<'t> CrawlToy<'t> {
    fn new(toy: &'t Toy) -> CrawlToy<'t> {
        CrawlToy { toy, order: Order::Fifo, policy: Policy::default(), pace: None }
    }
}

impl Runner for CrawlToy<'_> {
    type Output = String;

    fn run<S: Strategy>(self, strategy: S) -> String {
        let mut names = Names { toy: self.toy, order: Vec::new(), with_time: self.pace.is_some() };
        let ranked_hosts = if S::RANKS_HOSTS { self.toy.hosts() } else { 0 };
        let extent = Extent { pages: self.toy.pages(), ranked_hosts };
        let policy = Policy { reopen: self.policy.reopen && S::REOPENS, ..self.policy };
        let trail = strategy.seed().trail;
        let classifier = match self.toy.by_topic {
            true => Wanted::AboutTopic(AboutTopic { threshold: THRESHOLD }),
            false => Wanted::InLanguage(InLanguage::new(vec![thai()])),
        };
        match (self.order, strategy.tiers()) {
            (Order::Fifo, Some(tiers)) => {
                let frontier = Bands::new(tiers, extent, policy, trail);
                crawl(Crawl::new(strategy, frontier, classifier, &mut names), self.toy, self.pace);
            }
            (order, _) => {
                let frontier = Heap::new(order, extent, policy, trail);
                crawl(Crawl::new(strategy, frontier, classifier, &mut names), self.toy, self.pace);
            }
        }
        names.order.join(" ")
    }
}

fn crawl<S, F, O>(mut crawl: Crawl<S, F, Wanted, O>, toy: &Toy, pace: Option<Pace>)
where
    S: Strategy,
    F: langur_crawl::Frontier<S::Trail>,
    O: Observer<S::Trail>,
{
    crawl.seed(&ToyLink { toy, page: 0, anchor: Anchor::default() });
    match pace {
        None => {
            run(&mut crawl, &mut toy.clone(), u64::MAX, |_| ());
        }
        Some(pace) => {
            run_politely(&mut crawl, &mut toy.clone(), &pace, u64::MAX, |_, _| ());
        }
    }
}

struct Names<'t> {
    toy: &'t Toy,
    order: Vec<String>,
    with_time: bool,
}

impl<T> Observer<T> for Names<'_> {
    fn visited(&mut self, visited: &Visited<T>, _: usize, now: Time) {
        let name = &self.toy.pages[visited.page.0 as usize].name;
        self.order.push(match self.with_time {
            true => format!("{name}@{}", now.0),
            false => name.clone(),
        });
    }
}

impl Web for Toy {
    type Page<'w> = FetchedToy<'w>;
    fn fetch(&mut self, page: PageId) -> Result<FetchedToy<'_>, Failure> {
        let fetched = FetchedToy { toy: self, page: &self.pages[page.0 as usize] };
        if fetched.page.missing { Err(Failure::Missing) } else { Ok(fetched) }
    }
}

/// Every page of a toy web is as large.
const TOY_BYTES: u64 = 1000;

impl TimedWeb for Toy {
    fn hosts(&self) -> usize {
        self.hosts.len()
    }
    fn host(&self, page: PageId) -> HostId {
        HostId(self.pages[page.0 as usize].host)
    }
    fn transfer(&self, page: PageId) -> Transfer {
        let page = &self.pages[page.0 as usize];
        Transfer { latency_ms: None, bytes: TOY_BYTES, answered: !page.silent }
    }
}

impl Foresight for Toy {
    fn pages(&self) -> usize {
        self.pages.len()
    }
    fn seeds(&self) -> &[PageId] {
        &[PageId(0)]
    }
    fn is_relevant(&self, page: PageId) -> bool {
        let page = &self.pages[page.0 as usize];
        let is_wanted = match self.by_topic {
            true => page.score > THRESHOLD,
            false => page.language == Some(thai()),
        };
        page.outcome == Outcome::OkHtml && !page.missing && is_wanted
    }
    fn links(&self, page: PageId, into: &mut Vec<PageId>) {
        let page = &self.pages[page.0 as usize];
        if page.outcome != Outcome::Other && !page.missing {
            into.extend(page.links.iter().map(|&(target, _)| PageId(target)));
        }
    }
}

/// A page of a toy web.
pub struct FetchedToy<'t> {
    toy: &'t Toy,
    page: &'t ToyPage,
}

impl Page for FetchedToy<'_> {
    type Link<'a>
        = ToyLink<'a>
    where
        Self: 'a;
    fn outcome(&self) -> Outcome {
        self.page.outcome
    }
    fn host(&self) -> HostId {
        HostId(self.page.host)
    }
    fn directory(&self) -> Option<DirectoryId> {
        Some(DirectoryId(self.page.directory))
    }
    fn language(&self) -> Option<Language> {
        self.page.language
    }
    fn topic_score(&self) -> Option<f32> {
        self.toy.by_topic.then_some(self.page.score)
    }
    fn links(&self) -> impl Iterator<Item = ToyLink<'_>> {
        self.page.links.iter().map(|&(page, anchor)| ToyLink { toy: self.toy, page, anchor })
    }
}

/// A link of a toy web.
#[derive(Clone, Copy)]
pub struct ToyLink<'t> {
    toy: &'t Toy,
    page: u32,
    anchor: Anchor,
}

impl ToyLink<'_> {
    fn target(&self) -> &ToyPage {
        &self.toy.pages[self.page as usize]
    }
}

impl Link for ToyLink<'_> {
    fn page(&self) -> PageId {
        PageId(self.page)
    }
    fn host(&self) -> HostId {
        HostId(self.target().host)
    }
    fn directory(&self) -> Option<DirectoryId> {
        Some(DirectoryId(self.target().directory))
    }
    fn tld(&self) -> Option<&str> {
        Some(&self.toy.hosts[self.target().host as usize])
    }
    fn anchor_language(&self) -> Option<Language> {
        self.anchor.language
    }
    fn anchor_score(&self) -> Option<f32> {
        self.toy.by_topic.then_some(self.anchor.score)
    }
    fn context_score(&self) -> Option<f32> {
        self.toy.by_topic.then_some(self.anchor.context)
    }
}
