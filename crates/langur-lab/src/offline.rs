//! Crawling an archive.

use std::collections::HashSet;
use std::path::Path;
use std::thread;

use langur_archive::Archive;
use langur_archive::index::Timestamp;
use langur_crawl::{Crawl, Frontier, PageId, Strategy, run};
use langur_extract::{BadProfiles, Extractor, LABELS, PAPERS, Wants};
use langur_frontier::{Bands, Extent, Heap, MAX_TIERS, Order, Policy};
use langur_observe::{
    Coverage, CrawlLog, Curve, Harvest, LoggedPage, QueueSize, Relevancy, RelevantHosts, VisitLog,
};
use langur_offline::{Ahead, ArchiveLibrary, ArchivedWeb, Lost, Missing, Visit, Watcher};
use langur_page::Address;
use langur_sim::Space;
use langur_strategy::{Named, Runner, Setting, Spec};
use langur_topic::Topic;

use crate::judge::wanted;
use crate::measure::{Crawled, Measured, Measures, measured};
use crate::{Contender, LabError, Switches, Target};

/// Readers of an archive that lies far away.
const FAR_READERS: usize = 4;

/// Seeds that are named in a message.
const SEEDS_NAMED: usize = 5;

/// An archive, a target and switches: everything but the strategy.
pub struct Offline<'a> {
    archive: &'a Archive,
    target: Target,
    switches: Switches,
    seeds: Vec<Address>,
    setting: OfflineSetting<'a>,
    extractor: Extractor,
}

/// What is chosen for crawls of archives only.
#[derive(Clone, Default)]
pub struct OfflineSetting<'a> {
    /// The labelling rule, one of [`LABELS`]; the first by default.
    pub labels: Option<String>,
    /// Which capture of a page is taken: the nearest to this moment, or the latest.
    pub at: Option<Timestamp>,
    /// The topic that is wanted, where the target is one.
    pub topic: Option<Topic>,
    /// What is known of all pages of the archive, if anything is: then coverage is known too.
    pub whole: Option<Whole<'a>>,
}

/// What is known of all pages of an archive.
#[derive(Clone, Copy)]
pub struct Whole<'a> {
    /// The web space built from it.
    pub space: &'a Space,
    /// How many of its pages are relevant.
    pub relevant: u64,
}

impl Whole<'_> {
    fn holds(&self, url: &str) -> bool {
        matches!(self.space.find(url), Ok(Some(_)))
    }
}

impl OfflineSetting<'_> {
    /// The number of the rule that tells the language of a page.
    fn label(&self) -> usize {
        let asked = self.labels.as_deref();
        asked.and_then(|asked| LABELS.iter().position(|label| *label == asked)).unwrap_or(0)
    }
}

/// What came of a crawl of an archive.
pub struct OfflineResult {
    /// What was measured.
    pub measured: Measured,
    /// Pages that could not be read.
    pub lost: Lost,
    /// Pages and hosts that were heard of.
    pub heard_of: (u64, u64),
    /// Fetches of pages that the web space does not have. It is of another archive then, and coverage is not known.
    pub strangers: u64,
    /// Seeds that were asked for and that the archive does not have.
    pub missing_seeds: Vec<String>,
}

impl<'a> Offline<'a> {
    /// Sets up crawls of an archive.
    pub fn new(
        archive: &'a Archive,
        target: Target,
        switches: Switches,
        seeds: Vec<Address>,
        setting: OfflineSetting<'a>,
    ) -> Result<Offline<'a>, OfflineError> {
        if let Some(asked) = &setting.labels
            && !LABELS.contains(&asked.as_str())
        {
            let there = LABELS.map(str::to_owned).to_vec();
            let space = archive.store().address().to_owned();
            return Err(LabError::Labels { space, asked: asked.clone(), there }.into());
        }
        if seeds.is_empty() {
            return Err(OfflineError::NoSeeds);
        }
        let mut known = HashSet::new();
        let seeds: Vec<Address> =
            seeds.into_iter().filter(|seed| known.insert(seed.clone())).collect();
        let place = archive.store().address().trim_end_matches('/').to_owned();
        // What cannot be looked up is for the crawl to lose.
        let is_there =
            |seed| archive.choose(seed, setting.at).map_or(true, |chosen| chosen.is_some());
        if !seeds.iter().any(is_there) {
            return Err(OfflineError::NoSeedThere { archive: place, seeds: first_of(&seeds) });
        }
        if let Some(whole) = &setting.whole
            && !seeds.iter().any(|seed| whole.holds(&seed.to_string()))
        {
            return Err(OfflineError::OtherSpace { space: whole.space.name(), archive: place });
        }
        // Those rules are asked for only where they decide.
        let wants = Wants { all_labels: setting.label() >= PAPERS, ..Wants::ALL };
        let extractor = Extractor::new(setting.topic.iter().cloned().collect(), wants)?;
        Ok(Offline { archive, target, switches, seeds, setting, extractor })
    }

    /// The number of seeds, each counted once.
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// Crawls with one strategy. Every visit, the crawl log and the link database are written into `folder`.
    pub fn run(
        &self,
        contender: &Contender,
        folder: Option<&Path>,
        progress: &dyn Fn(u64),
    ) -> Result<OfflineResult, OfflineError> {
        (contender.crawl_offline)(self, &contender.spec, folder, progress)
    }

    /// Crawls with the strategy of this type.
    pub(crate) fn crawl_with<S: Named>(
        &self,
        spec: &Spec,
        folder: Option<&Path>,
        progress: &dyn Fn(u64),
    ) -> Result<OfflineResult, OfflineError> {
        let setting = Setting { languages: self.target.languages(), foresight: None };
        let strategy = S::build(spec.arguments(), &setting).map_err(LabError::from)?;
        let labels = self.labels_in_order();
        let visits = folder.map(|folder| VisitLog::create(&folder.join("visits.parquet"), false));
        let log = folder.map(|folder| CrawlLog::create(folder, &labels));
        let crawl = CrawlArchive {
            of: self,
            visits: visits.transpose().map_err(LabError::from)?,
            log: log.transpose().map_err(LabError::from)?,
            progress,
        };
        let Came { crawled, log, lost, heard_of, strangers, missing_seeds } = crawl.run(strategy);
        log.map(CrawlLog::finish).transpose().map_err(LabError::from)?;
        // That of a simulation, so that areas can be compared.
        let pages =
            self.setting.whole.map_or(crawled.measures.0.fetched, |it| it.space.pages() as u64);
        let budget = self.switches.max_pages.map_or(pages, |most| most.min(pages));
        let mut measured = measured(spec, crawled, budget)?;
        // Captures of other times than those the web space was built from may be relevant where its own are not.
        let found = measured.result.relevant;
        let is_known = self.setting.whole.is_some_and(|whole| found <= whole.relevant);
        if !is_known || strangers > 0 {
            measured.result.coverage = f64::NAN;
            measured.result.area = f64::NAN;
            measured.result.pages_at_coverage.values_mut().for_each(|fetched| *fetched = None);
        }
        Ok(OfflineResult { measured, lost, heard_of, strangers, missing_seeds })
    }

    /// Threads that read ahead of the crawl, which reads too. What is far away is waited for most of the time.
    fn readers(&self) -> usize {
        let others = thread::available_parallelism().map_or(1, usize::from) - 1;
        if self.archive.store().is_local() { others } else { others.max(FAR_READERS) }
    }

    /// The rules that pages are labelled by, the one that is used first.
    fn labels_in_order(&self) -> Vec<String> {
        self.label_numbers().map(|number| LABELS[number].to_owned()).collect()
    }

    fn label_numbers(&self) -> impl Iterator<Item = usize> {
        let first = self.setting.label();
        let computed = if first < PAPERS { PAPERS } else { LABELS.len() };
        [first].into_iter().chain((0..computed).filter(move |&number| number != first))
    }
}

/// Why an archive cannot be crawled.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// What any crawl can fail of.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// There is nothing to start from.
    #[error("there are no seeds: give a file of URLs with --seeds")]
    NoSeeds,
    /// There is nothing to start from in the archive.
    #[error(
        "none of the seeds is in {archive}: {seeds}\n  look for others with: langur archive get {archive} URL --list"
    )]
    NoSeedThere {
        /// The archive.
        archive: String,
        /// The seeds, or the first of them.
        seeds: String,
    },
    /// The web space is not of this archive.
    #[error(
        "none of the seeds is in web space {space}, which was probably not built from {archive}\n  build one with: langur space build {archive} -o NEW.space, or leave out --space: then coverage is not known"
    )]
    OtherSpace {
        /// The web space.
        space: String,
        /// The archive.
        archive: String,
    },
    /// The models that come with Langur are damaged.
    #[error(transparent)]
    Model(#[from] BadProfiles),
}

/// As many URLs as fit into a message.
pub fn first_of(seeds: &[impl ToString]) -> String {
    let named: Vec<String> = seeds.iter().take(SEEDS_NAMED).map(ToString::to_string).collect();
    match seeds.len().saturating_sub(SEEDS_NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// A crawl of an archive that lacks only its strategy.
struct CrawlArchive<'a> {
    of: &'a Offline<'a>,
    visits: Option<VisitLog>,
    log: Option<CrawlLog>,
    progress: &'a dyn Fn(u64),
}

/// What came of it.
struct Came {
    crawled: Crawled,
    log: Option<CrawlLog>,
    lost: Lost,
    heard_of: (u64, u64),
    strangers: u64,
    missing_seeds: Vec<String>,
}

impl Runner for CrawlArchive<'_> {
    type Output = Came;

    fn run<S: Strategy>(self, strategy: S) -> Came {
        let switches = &self.of.switches;
        // Pages and hosts are found out as the crawl goes; frontiers grow.
        let extent = Extent { pages: 0, ranked_hosts: usize::from(S::RANKS_HOSTS) };
        let policy = Policy { keep: switches.lead, reopen: switches.reopen && S::REOPENS };
        let trail = strategy.seed().trail;
        match (switches.order, strategy.tiers()) {
            (Order::Fifo, Some(tiers)) if tiers <= MAX_TIERS => {
                self.crawl(strategy, Bands::new(tiers, extent, policy, trail))
            }
            (order, _) => self.crawl(strategy, Heap::new(order, extent, policy, trail)),
        }
    }
}

impl CrawlArchive<'_> {
    fn crawl<S: Strategy>(self, strategy: S, frontier: impl Frontier<S::Trail>) -> Came {
        let offline = self.of;
        let budget = offline.switches.max_pages.unwrap_or(u64::MAX);
        let relevant = offline.setting.whole.map_or(0, |whole| whole.relevant);
        let coverage = Coverage::new(relevant);
        let relevancy = offline.setting.topic.as_ref().map(|_| Relevancy::new(budget));
        let curves = (Curve::new(budget), relevancy);
        let measures: Measures = (
            Harvest::default(),
            (coverage, (QueueSize::default(), (RelevantHosts::new(0), curves))),
        );
        let mut crawl = Crawl::new(
            strategy,
            frontier,
            wanted(&offline.target, offline.setting.topic.as_ref()),
            (measures, self.visits),
        );
        let logging = Logging { log: self.log, offline, strangers: 0, missing_seeds: Vec::new() };
        let library = ArchiveLibrary { archive: offline.archive, at: offline.setting.at };
        let (readers, progress) = (offline.readers(), self.progress);
        Ahead::with_readers(&library, &offline.extractor, readers, |ahead| {
            let missing = match offline.switches.missing {
                langur_sim::Missing::Skip => Missing::Skip,
                langur_sim::Missing::NotFound => Missing::NotFound,
            };
            let (extractor, label) = (offline.extractor.clone(), offline.setting.label());
            let mut web = ArchivedWeb::new(ahead, extractor, label, missing, logging);
            for seed in &offline.seeds {
                let page = web.seed(seed);
                match web.is_offered(page) {
                    true => crawl.seed(&web.link_to(page)),
                    false => web.watcher().missing(page),
                }
            }
            let ended = run(&mut crawl, &mut web, budget, progress);
            let (measures, visits) = crawl.into_observer();
            let (logging, known, lost) = web.finish();
            Came {
                crawled: Crawled { measures, visits, ended, passed: None },
                log: logging.log,
                lost,
                heard_of: (known.pages() as u64, known.hosts() as u64),
                strangers: logging.strangers,
                missing_seeds: logging.missing_seeds,
            }
        })
    }
}

/// Writes what was fetched into the crawl log, and counts what the web space does not have.
struct Logging<'a> {
    log: Option<CrawlLog>,
    offline: &'a Offline<'a>,
    strangers: u64,
    missing_seeds: Vec<String>,
}

impl Logging<'_> {
    /// A seed, if the page is one: they are what a crawl hears of first.
    fn seed(&self, page: PageId) -> Option<&Address> {
        self.offline.seeds.get(page.0 as usize)
    }
}

impl Watcher for Logging<'_> {
    fn fetched(&mut self, visit: &Visit) {
        let (extract, page) = (visit.extract, visit.page);
        let url = visit.address.to_string();
        let whole = &self.offline.setting.whole;
        self.strangers += u64::from(whole.is_some_and(|whole| !whole.holds(&url)));
        let is_seed = self.seed(page).is_some();
        let Some(log) = &mut self.log else { return };
        let logged = LoggedPage {
            id: page.0,
            url: &url,
            status: visit.fetched.status,
            mime: &extract.media_type,
            bytes: u32::try_from(visit.fetched.payload.len()).unwrap_or(u32::MAX),
            charset: extract.charset,
            gateway: extract.gateway,
            seed: is_seed,
        };
        let tag = |number: usize| extract.languages[number].as_ref().map_or("", |tag| tag.as_str());
        log.page(&logged, self.offline.label_numbers().map(tag));
        let mut target = url;
        for (position, link) in (1..).zip(&extract.links) {
            let anchor = link.anchor_language.as_ref().map_or("", |tag| tag.as_str());
            target.clear();
            link.target.write_to(&mut target);
            log.link(page.0, &target, position, anchor);
        }
    }

    fn missing(&mut self, page: PageId) {
        let seed = self.seed(page).map(ToString::to_string);
        self.missing_seeds.extend(seed);
    }
}
