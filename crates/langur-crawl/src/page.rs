//! Pages and links, as anyone who decides may see them.
//!
//! [`Page`] and [`Link`] answer questions. The answer is recorded in one web, parsed in another and
//! computed in a third; who asks cannot tell, and what is not asked costs nothing.

use crate::{Asks, Language};

/// A page of one web: a small number that stands for its URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

/// A host (scheme-less authority) of one web; the founding papers' *server*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(pub u32);

/// A directory of one web: a host and a path up to its last slash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectoryId(pub u32);

/// A moment of the crawl's own clock, which is given to it and never read. The step clock of the
/// founding papers counts fetches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub u64);

/// What came back from a fetch that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Status 200 and HTML: may be relevant, and has links.
    OkHtml,
    /// Sends its reader on to another page, its one link: counts as a fetch and is never relevant. The
    /// page it sends to takes its place in the frontier.
    Redirect,
    /// Anything else: counts as a fetch, is never relevant and has no links.
    Other,
}

/// Why a page was not fetched at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The web does not hold the page. Answered 404 and not counted as a fetch, as if the link did
    /// not exist (Gogar 2015).
    Missing,
    /// Nobody was asked: a site does not want it, its host does not answer, or it has had enough visits.
    Unasked,
}

/// A fetched page.
pub trait Page {
    /// How the page's links are handed out.
    type Link<'a>: Link + Copy
    where
        Self: 'a;
    /// Whether the page is OK HTML.
    fn outcome(&self) -> Outcome;
    /// The host the page lives on.
    fn host(&self) -> HostId;
    /// The directory the page lies in, where the web knows directories.
    fn directory(&self) -> Option<DirectoryId>;
    /// The page's language under the labelling rule of this web, if it is known.
    fn language(&self) -> Option<Language>;
    /// The page's score on the target's topic, from 0 to 1, where the target is a topic.
    fn topic_score(&self) -> Option<f32> {
        None
    }
    /// The links in document order: each target once, no link to the page itself.
    fn links(&self) -> impl Iterator<Item = Self::Link<'_>>;
}

/// A link of a fetched page, with the evidence it carries about a page not fetched yet.
pub trait Link {
    /// Where the link points.
    fn page(&self) -> PageId;
    /// The host it points to.
    fn host(&self) -> HostId;
    /// The directory it points into, where the web knows directories.
    fn directory(&self) -> Option<DirectoryId>;
    /// The top-level domain it points into, without the dot and in lower case.
    fn tld(&self) -> Option<&str>;
    /// The language of the anchor text; `None` when there is nothing to tell.
    fn anchor_language(&self) -> Option<Language>;
    /// The score of the anchor text on the target's topic, from 0 to 1, where the target is a topic.
    fn anchor_score(&self) -> Option<f32> {
        None
    }
    /// The score of the words around the anchor on the target's topic, from 0 to 1, where the target is
    /// a topic.
    fn context_score(&self) -> Option<f32> {
        None
    }
    /// Announces that this evidence will be asked for.
    fn hint(&self, _asks: Asks) {}
}
