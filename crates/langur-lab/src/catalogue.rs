//! Everything that can be asked to crawl.

use std::fmt;
use std::path::Path;

use langur_strategy::{Entry, Named, Runner, Setting, Spec, SpecError, Visitor};

use crate::{
    LabError, Live, LiveParts, Measured, Offline, OfflineError, OfflineResult, Progress, Simulation,
};

/// The strategies that can be asked for by name: the founding ones, the upper bound, and whatever
/// others were added.
#[derive(Clone)]
pub struct Catalogue {
    lines: Vec<Line>,
}

/// A strategy, and how it is run in each web.
#[derive(Clone, Copy)]
struct Line {
    entry: Entry,
    crawl: Crawl,
    crawl_offline: CrawlOffline,
    crawl_live: CrawlLive,
}

/// How one of them is run. Behind the pointer all code is generic.
type Crawl = fn(&Simulation, &Spec, Option<&Path>, Progress) -> Result<Measured, LabError>;
type CrawlOffline =
    fn(&Offline, &Spec, Option<&Path>, &dyn Fn(u64)) -> Result<OfflineResult, OfflineError>;

type CrawlLive = fn(&Live, &Spec, Option<&Path>) -> Result<LiveParts, LabError>;

/// A strategy as asked for, that can be run.
#[derive(Clone)]
pub struct Contender {
    /// What was asked for.
    pub spec: Spec,
    pub(crate) crawl: Crawl,
    pub(crate) crawl_offline: CrawlOffline,
    pub(crate) crawl_live: CrawlLive,
    /// Whether it is no crawl at all but a bound on what any crawl can do.
    pub bound: bool,
}

const UPPER_BOUND: Entry = Entry {
    name: "upper-bound",
    about: "no crawl but a bound: the most relevant pages that any crawl can have found; an oracle",
    oracle: true,
    parameters: &[],
    variants: &[""],
};

impl Catalogue {
    /// All strategies of the founding papers, the oracles and the upper bound.
    pub fn founding() -> Catalogue {
        let bound: Crawl = |simulation, spec, _, progress| simulation.upper_bound(spec, progress);
        let mut catalogue = Catalogue { lines: Vec::new() };
        langur_strategy::visit_all(&mut catalogue);
        catalogue.lines.push(Line {
            entry: UPPER_BOUND,
            crawl: bound,
            crawl_offline: |_, spec, _, _| Err(refused(spec).into()),
            crawl_live: |_, spec, _| Err(refused(spec)),
        });
        catalogue
    }

    /// Adds a strategy from elsewhere.
    ///
    /// # Panics
    /// If there is one of that name.
    pub fn add<S: Named>(&mut self) {
        let is_new = self.entries().all(|entry| entry.name != S::NAME);
        assert!(is_new, "there is a strategy {} already", S::NAME);
        self.lines.push(Line {
            entry: Entry::of::<S>(),
            crawl: |simulation, spec, visits, progress| {
                simulation.crawl_with::<S>(spec, visits, progress)
            },
            crawl_offline: |offline, spec, folder, progress| {
                offline.crawl_with::<S>(spec, folder, progress)
            },
            crawl_live: |live, spec, visits| live.parts_with::<S>(spec, visits),
        });
    }

    /// Its lines.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> + Clone {
        self.lines.iter().map(|line| &line.entry)
    }

    /// Reads a strategy such as `soft-focused` or `limited-distance(n=2, prioritized)`.
    pub fn parse(&self, text: &str) -> Result<Contender, SpecError> {
        let spec = Spec::parse_one_of("strategy", self.entries(), text)?;
        let line = self.lines.iter().find(|line| line.entry.name == spec.name());
        let Line { entry, crawl, crawl_offline, crawl_live } =
            *line.expect("a spec names one of the entries it was read from");
        let bound = entry.name == UPPER_BOUND.name;
        Ok(Contender { spec, crawl, crawl_offline, crawl_live, bound })
    }

    /// Every one of them in the settings that stand for it in comparisons.
    pub fn all(&self) -> Vec<Contender> {
        let written = self.entries().flat_map(Entry::written_variants);
        written.map(|text| self.parse(&text).expect("the table's variants are sound")).collect()
    }
}

fn refused(spec: &Spec) -> LabError {
    SpecError(format!("{spec} is an oracle: it runs on a simulated web only")).into()
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}

impl Visitor for Catalogue {
    fn visit<S: Named>(&mut self) {
        self.add::<S>();
    }
}

impl Simulation<'_> {
    fn crawl_with<S: Named>(
        &self,
        spec: &Spec,
        visits: Option<&Path>,
        progress: Progress,
    ) -> Result<Measured, LabError> {
        let crawl = self.crawl(visits, progress)?;
        let setting = Setting { languages: self.target.languages(), foresight: Some(self) };
        let strategy = S::build(spec.arguments(), &setting)?;
        self.measured(spec, crawl.run(strategy))
    }
}
