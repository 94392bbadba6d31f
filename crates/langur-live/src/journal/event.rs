//! What happens in a crawl.

use langur_crawl::Outcome;
use serde::{Deserialize, Serialize};

/// Milliseconds since the beginning of 1970.
pub type Moment = u64;

/// Something that happened. The state of a crawl is what its events made of it, in their order; nothing else
/// changes it. Texts are borrowed from the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event<'j> {
    /// The crawl was begun, or taken up again.
    Began {
        /// When.
        at: Moment,
        /// Target, strategy and labels: whoever replays the journal must decide by the same.
        decided_by: &'j str,
    },
    /// Pages to start from were given: by the user, or by the sitemap of a host that has shown a relevant page.
    Seeds {
        /// When.
        at: Moment,
        /// Their canonical URLs.
        #[serde(borrow)]
        urls: Vec<&'j str>,
        /// Whether the user gave them.
        given: bool,
    },
    /// The crawl was asked for its next page, which now waits until its host may be asked.
    Next,
    /// A request is about to be sent to a host.
    Asked {
        /// When.
        at: Moment,
        /// Whom.
        host: u32,
    },
    /// The addresses of a host were looked up.
    Resolved {
        /// When.
        at: Moment,
        /// Whose.
        host: u32,
        /// The first of them; `None` where a proxy knows better.
        address: Option<std::net::IpAddr>,
        /// Where they are archived.
        archived: Option<Place>,
    },
    /// A robots.txt was fetched, or is known not to be there.
    #[serde(borrow)]
    Robots(Robots<'j>),
    /// A robots.txt or a sitemap is elsewhere, or a sitemap is to be read.
    Errand {
        /// When.
        at: Moment,
        /// The host that it is for.
        host: u32,
        /// What is to be fetched.
        url: &'j str,
        /// What for.
        kind: ErrandKind,
    },
    /// An errand was run; what came of it is in the events that follow.
    ErrandDone {
        /// When.
        at: Moment,
        /// The host that was asked.
        host: u32,
        /// What for.
        kind: ErrandKind,
        /// Where it is archived.
        archived: Option<Place>,
        /// How long the host took, in milliseconds.
        lasted_ms: u32,
    },
    /// A host has answered something that is no page, and sends elsewhere.
    Answered {
        /// When.
        at: Moment,
        /// The host that was asked.
        host: u32,
        /// Where it is archived.
        archived: Option<Place>,
        /// How long the host took, in milliseconds.
        lasted_ms: u32,
    },
    /// A visit has ended: the page was fetched, or it is certain that it cannot be.
    #[serde(borrow)]
    Visited(Box<Visited<'j>>),
    /// A visit was not made.
    Passed {
        /// When.
        at: Moment,
        /// Which page.
        page: u32,
        /// Why.
        why: Passed,
    },
    /// A request failed, and will be made again.
    Postponed {
        /// When.
        at: Moment,
        /// The host that was asked.
        host: u32,
        /// The page, if it was asked for one.
        page: Option<u32>,
        /// The host is left alone until then.
        until: Moment,
        /// What happened.
        why: &'j str,
        /// Where the answer is archived, if there was one.
        archived: Option<Place>,
    },
    /// A host is given up, for a reason.
    GivenUp {
        /// When.
        at: Moment,
        /// Which host.
        host: u32,
        /// Why.
        why: &'j str,
    },
    /// The user wants nothing more from a host or a domain.
    Blocked {
        /// When.
        at: Moment,
        /// Its name.
        name: &'j str,
    },
    /// The crawl was stopped.
    Ended {
        /// When.
        at: Moment,
        /// Why.
        why: &'j str,
    },
    /// The user wants something from a host or a domain again.
    Unblocked {
        /// When.
        at: Moment,
        /// Its name.
        name: &'j str,
    },
    /// Nothing is asked for a while: the user wants it so, or the disk has no room.
    Paused {
        /// When.
        at: Moment,
    },
    /// The while is over.
    WentOn {
        /// When.
        at: Moment,
    },
    /// A host has answered, and asks to be left alone.
    LeftAlone {
        /// When.
        at: Moment,
        /// Which host.
        host: u32,
        /// Until when.
        until: Moment,
        /// What it said.
        why: &'j str,
    },
    /// Something came that is no visit: a robots.txt, a sitemap, an answer that asks for patience.
    Received {
        /// When.
        at: Moment,
        /// Its bytes.
        bytes: u64,
    },
    /// The user wants a host to be asked again that was given up.
    Retried {
        /// When.
        at: Moment,
        /// Which host.
        host: u32,
    },
}

/// What an errand is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrandKind {
    /// A robots.txt that was redirected so many times.
    Robots(u8),
    /// A sitemap, reached through so many others.
    Sitemap(u8),
    /// The same, redirected so many times.
    MovedSitemap {
        /// Sitemaps that led to it.
        depth: u8,
        /// Redirects that it was behind.
        hops: u8,
    },
    /// One that the user named, or that such a one led to.
    NamedSitemap {
        /// Sitemaps that led to it.
        depth: u8,
        /// Redirects that it was behind.
        hops: u8,
    },
}

impl ErrandKind {
    /// Whether it is for a robots.txt, without which a host is asked for nothing else.
    pub fn is_for_robots(self) -> bool {
        matches!(self, ErrandKind::Robots(_))
    }

    /// How often what it is for was redirected.
    pub fn hops(self) -> u8 {
        match self {
            ErrandKind::Robots(hops)
            | ErrandKind::MovedSitemap { hops, .. }
            | ErrandKind::NamedSitemap { hops, .. } => hops,
            ErrandKind::Sitemap(_) => 0,
        }
    }

    /// Sitemaps that led to it.
    pub fn depth(self) -> u8 {
        match self {
            ErrandKind::Sitemap(depth)
            | ErrandKind::MovedSitemap { depth, .. }
            | ErrandKind::NamedSitemap { depth, .. } => depth,
            ErrandKind::Robots(_) => 0,
        }
    }

    /// The same after another redirect.
    #[must_use]
    pub fn moved(self) -> ErrandKind {
        let hops = self.hops() + 1;
        match self {
            ErrandKind::Robots(_) => ErrandKind::Robots(hops),
            ErrandKind::NamedSitemap { depth, .. } => ErrandKind::NamedSitemap { depth, hops },
            _ => ErrandKind::MovedSitemap { depth: self.depth(), hops },
        }
    }

    /// A sitemap that this one lists.
    #[must_use]
    pub fn listed(self) -> ErrandKind {
        let depth = self.depth() + 1;
        match self {
            ErrandKind::NamedSitemap { .. } => ErrandKind::NamedSitemap { depth, hops: 0 },
            _ => ErrandKind::Sitemap(depth),
        }
    }

    /// Whether the user wants all that is in it, whatever the host.
    pub fn is_named(self) -> bool {
        matches!(self, ErrandKind::NamedSitemap { .. })
    }
}

/// A robots.txt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Robots<'j> {
    /// When it was fetched.
    pub at: Moment,
    /// The host whose it is.
    pub host: u32,
    /// The host that was asked for it last.
    pub asked: u32,
    /// Whether that was an errand, the first answer having been a redirect.
    pub errand: bool,
    /// The status of the last answer.
    pub status: u16,
    /// What it says; empty if there is none, which allows everything.
    #[serde(borrow)]
    pub body: &'j [u8],
    /// Where the last answer is archived.
    pub archived: Option<Place>,
    /// How long the host took, in milliseconds.
    pub lasted_ms: u32,
}

/// Where something is archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The number of the WARC file.
    pub file: u32,
    /// Where the record of the answer starts.
    pub offset: u64,
    /// Its length.
    pub length: u32,
    /// Where the last record that belongs to it ends.
    pub end: u64,
}

/// How a visit ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visited<'j> {
    /// When it ended.
    pub at: Moment,
    /// When the request was sent.
    pub began: Moment,
    /// How long the host took, in milliseconds.
    pub lasted_ms: u32,
    /// The page.
    pub page: u32,
    /// HTTP's status; 0 if there was no answer, or none that could be read.
    pub status: u16,
    /// Why there was none; empty if there was one.
    pub failure: &'j str,
    /// Media type.
    pub media_type: &'j str,
    /// Length of the payload.
    pub bytes: u64,
    /// Bytes that were received, also of an answer that could not be read.
    pub received: u64,
    /// Charset.
    pub charset: &'j str,
    /// SHA-1 of the payload.
    pub digest: [u8; 20],
    /// Where it is archived.
    pub archived: Option<Place>,
    /// Whether it is archived as a repetition of an earlier answer.
    pub repeats: bool,
    /// What it is to the crawl.
    pub outcome: Came,
    /// Whether it is only a way in.
    pub gateway: bool,
    /// Whether it asks not to be kept (`noindex`).
    pub noindex: bool,
    /// The language by each rule; empty where unknown.
    #[serde(borrow)]
    pub languages: Vec<&'j str>,
    /// The score on the topic, where one is wanted.
    pub topic: Option<f32>,
    /// Pages that were heard of for the first time. They get the numbers that follow those in use.
    #[serde(borrow)]
    pub new: Vec<&'j str>,
    /// Links.
    #[serde(borrow)]
    pub links: Vec<LinkRow<'j>>,
    /// Links that were left out because their URLs look like a trap's.
    pub trapped: u32,
}

/// What a page is to the crawl: [`Outcome`] as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Came {
    /// OK HTML.
    OkHtml,
    /// A redirect.
    Redirect,
    /// Anything else.
    Other,
}

impl From<Came> for Outcome {
    fn from(came: Came) -> Outcome {
        match came {
            Came::OkHtml => Outcome::OkHtml,
            Came::Redirect => Outcome::Redirect,
            Came::Other => Outcome::Other,
        }
    }
}

impl From<Outcome> for Came {
    fn from(outcome: Outcome) -> Came {
        match outcome {
            Outcome::OkHtml => Came::OkHtml,
            Outcome::Redirect => Came::Redirect,
            Outcome::Other => Came::Other,
        }
    }
}

/// A link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkRow<'j> {
    /// The page it points to.
    pub page: u32,
    /// Whether it is within the scope of the crawl. Others are only recorded.
    pub offered: bool,
    /// What makes it a link, as web spaces number it.
    pub origin: u8,
    /// The language of its anchor; empty where unknown.
    pub anchor: &'j str,
    /// The scores of its anchor and of the words around it on the topic.
    pub scores: (u8, u8),
}

/// Why a visit was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passed {
    /// robots.txt forbids it.
    Forbidden,
    /// Its host is given up.
    HostGivenUp,
    /// Its host or domain has had all the visits that it may have.
    OverBudget,
    /// The user wants nothing more from its host.
    Blocked,
    /// It does not belong to the crawl any more.
    OutOfScope,
}

impl Passed {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Passed::Forbidden => "forbidden by robots.txt",
            Passed::HostGivenUp => "the host is given up",
            Passed::OverBudget => "the budget of the host or domain is spent",
            Passed::Blocked => "blocked by the operator",
            Passed::OutOfScope => "out of the scope, which was changed",
        }
    }
}
