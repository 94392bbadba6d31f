//! Server by server.

use langur_crawl::{
    Asks, HostId, Language, Lead, Link, Outcome, Page, Priority, Standing, Strategy, Trail,
    Visited, prefetch,
};

use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// The language-specific crawler LSWC(S, T) of Somboonviwat, Tamura and Kitsuregawa (2006).
///
/// A server is relevant for good at its first relevant page, and irrelevant after `s` downloads in a
/// row without one. Links are discarded if they lead to an irrelevant server, or further than `t`
/// from the last relevant page. The rest leave in this order: (1) to a relevant server; (2) from a
/// relevant page; (3) from irrelevant pages, the nearest to relevance first, and one step higher if
/// the last two pages on the way were a relevant one and then an English one.
///
/// The paper puts links within one server before others in (2). That class is always empty: a
/// relevant page makes its own server relevant, so such a link is already in (1).
pub struct Lswc {
    switches: Switches,
    hosts: Vec<Host>,
}

struct Switches {
    misses_allowed: u16,
    /// The most irrelevant pages in a row that a link may have behind it, if any link may be followed.
    crossings_allowed: Option<u8>,
    count_all: bool,
    english_step: bool,
    revive: bool,
    demote: bool,
}

#[derive(Clone, Copy, Default)]
struct Host {
    misses: u16,
    standing: Option<Standing>,
}

/// What LSWC remembers of the way to a page, in one byte since every waiting page has one: irrelevant
/// pages in a row, and in the highest bit whether the page is linked from a relevant one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way(u8);

const AFTER_RELEVANT: u8 = 1 << 7;

impl Way {
    fn new(crossed: u8, after_relevant: bool) -> Way {
        Way(crossed | if after_relevant { AFTER_RELEVANT } else { 0 })
    }

    fn is_after_relevant(self) -> bool {
        self.0 & AFTER_RELEVANT != 0
    }

    fn count(self) -> u8 {
        self.0 & !AFTER_RELEVANT
    }
}

impl Trail for Way {
    fn crossed(self) -> Option<u32> {
        Some(u32::from(self.count()))
    }
}

impl Strategy for Lswc {
    type Trail = Way;
    const ASKS: Asks = Asks::Host;
    const RANKS_HOSTS: bool = true;

    fn tiers(&self) -> Option<u8> {
        let crossings = self.switches.crossings_allowed.unwrap_or(0);
        (crossings <= 14).then_some(crossings + 2)
    }

    fn standing(&mut self, visited: &Visited<Way>, _: &impl Page) -> Option<Standing> {
        let switches = &self.switches;
        let host = at(&mut self.hosts, visited.host);
        let standing = if visited.is_relevant() {
            host.misses = 0;
            Standing::Raised
        } else {
            let is_demotable = switches.demote || host.standing != Some(Standing::Raised);
            let counts = switches.count_all || visited.outcome == Outcome::OkHtml;
            host.misses = host.misses.saturating_add(u16::from(counts));
            if !counts || !is_demotable || host.misses < switches.misses_allowed {
                return None;
            }
            Standing::Abandoned
        };
        let changed = host.standing.replace(standing) != Some(standing);
        changed.then_some(standing)
    }

    #[inline]
    fn outlook(&self, from: &Visited<Way>) -> Option<Priority> {
        let crossed = crossed(from);
        let allowed = self.switches.crossings_allowed.is_some_and(|most| crossed <= most);
        allowed.then(|| Priority::tier(1 + crossed - self.step(from)))
    }

    #[inline]
    fn consider(&mut self, from: &Visited<Way>, link: &impl Link) -> Option<Lead<Way>> {
        let unraised = self.outlook(from)?;
        let host = at(&mut self.hosts, link.host());
        let priority = match host.standing {
            Some(Standing::Raised) => Priority::BEST,
            Some(Standing::Abandoned) if !(self.switches.revive && from.is_relevant()) => {
                return None;
            }
            Some(Standing::Abandoned) => {
                *host = Host::default();
                unraised
            }
            None => unraised,
        };
        Some(Lead { priority, trail: Way::new(crossed(from), from.is_relevant()) })
    }

    #[inline]
    fn hint_host(&self, host: HostId) {
        prefetch(&self.hosts, host.0 as usize);
    }

    fn redirected(&mut self, from: &Visited<Way>, link: &impl Link) -> Option<Lead<Way>> {
        match at(&mut self.hosts, link.host()).standing {
            Some(Standing::Raised) => Some(Lead { priority: Priority::BEST, ..from.lead }),
            Some(Standing::Abandoned) => None,
            None => Some(from.lead),
        }
    }
}

/// Irrelevant pages in a row behind the links of a page.
#[inline]
fn crossed(from: &Visited<Way>) -> u8 {
    if from.is_relevant() { 0 } else { from.lead.trail.count() + 1 }
}

impl Lswc {
    /// One if the way here was a relevant page and then an English one that is not relevant itself.
    fn step(&self, from: &Visited<Way>) -> u8 {
        let may = self.switches.english_step
            && from.lead.trail.is_after_relevant()
            && !from.is_relevant();
        let is_english = || {
            from.judgement.language.is_some_and(|language| language.is_within(Language::ENGLISH))
        };
        u8::from(may && is_english())
    }
}

#[inline]
fn at(hosts: &mut Vec<Host>, host: HostId) -> &mut Host {
    let index = host.0 as usize;
    if index >= hosts.len() {
        hosts.resize(index + 1, Host::default());
    }
    &mut hosts[index]
}

impl Named for Lswc {
    const NAME: &'static str = "lswc";
    const ABOUT: &'static str = "favours servers that have shown a relevant page and gives up on those that have not (Somboonviwat et al. 2006)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "s",
            kind: Kind::Number(1, 65535),
            default: "3",
            about: "downloads in a row without a relevant page that make a server irrelevant",
        },
        Parameter {
            name: "t",
            kind: Kind::Number(0, 100),
            default: "5",
            about: "greatest distance from the last relevant page",
        },
        Parameter {
            name: "distance_origin",
            kind: Kind::Choice(&["1", "0"]),
            default: "1",
            about: "distance of a link straight from a relevant page: 1 as in the paper's Fig. 1, or 0 as in the 2005 paper",
        },
        Parameter {
            name: "count",
            kind: Kind::Choice(&["html", "all"]),
            default: "html",
            about: "which downloads count towards s; the paper does not say",
        },
        Parameter {
            name: "english_step",
            kind: Kind::Switch,
            default: "true",
            about: "whether links reached through a relevant page and then an English one go one step higher",
        },
        Parameter {
            name: "revive",
            kind: Kind::Switch,
            default: "false",
            about: "whether a link from a relevant page gives an irrelevant server a new start; the paper does not say",
        },
        Parameter {
            name: "demote",
            kind: Kind::Switch,
            default: "false",
            about: "whether a relevant server can become irrelevant again; the paper does not say",
        },
    ];
    const VARIANTS: &'static [&'static str] = &["s=1,t=1", "s=3,t=5"];

    fn build(arguments: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        let (t, origin) = (arguments.number("t"), arguments.number("distance_origin"));
        let switches = Switches {
            misses_allowed: arguments.number("s") as u16,
            crossings_allowed: t.checked_sub(origin).map(|most| most as u8),
            count_all: arguments.word("count") == "all",
            english_step: arguments.switch("english_step"),
            revive: arguments.switch("revive"),
            demote: arguments.switch("demote"),
        };
        Ok(Lswc { switches, hosts: Vec::new() })
    }
}
