//! Visits answered from a library.

use langur_crawl::{
    DirectoryId, Failure, HostId, Language, Link, Outcome, Page, PageId, Web, score_of_byte,
};
use langur_extract::{Extract, Extractor, LABELS};
use langur_page::{Address, top_level_domain};

use crate::ahead::Ahead;
use crate::known::Known;
use crate::library::{Fetched, Library};

/// What becomes of a link to a page that the archive does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// It is queued, answered 404 and not counted as a fetch, as if the link did not exist (Gogar 2015).
    #[default]
    NotFound,
    /// It is not queued. The archive is asked about every link, so this suits an index that is near.
    Skip,
}

/// The archived web.
pub struct ArchivedWeb<'r, L, W> {
    ahead: &'r Ahead<'r, L>,
    extractor: Extractor,
    /// Which of [`LABELS`] tells the language of a page.
    label: usize,
    missing: Missing,
    known: Known,
    /// Whether the library holds a page, once it was asked.
    held: Vec<Option<bool>>,
    /// Pages that were fetched: nobody need read them ahead.
    fetched: Vec<bool>,
    watcher: W,
    page: Option<ThisPage>,
    lost: Lost,
}

/// Pages that should be in the library and cannot be read. The crawl goes on as if they were missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub count: u64,
    /// What went wrong with the first of them.
    pub first: Vec<String>,
}

impl Lost {
    fn add(&mut self, why: String) {
        self.count += 1;
        if self.first.len() < MOST_NAMED {
            self.first.push(why);
        }
    }
}

/// Lost pages that are named.
const MOST_NAMED: usize = 1000;

/// The page that was fetched last.
struct ThisPage {
    number: PageId,
    extract: Extract,
    /// The links that are offered: their targets, and their places among those of the extract.
    links: Vec<(PageId, usize)>,
}

/// What was fetched.
pub struct Visit<'v> {
    /// The number of the page.
    pub page: PageId,
    /// Its URL.
    pub address: &'v Address,
    /// The answer.
    pub fetched: &'v Fetched,
    /// What was made of it.
    pub extract: &'v Extract,
}

/// Is shown every page that is fetched.
pub trait Watcher {
    /// Shows a page.
    fn fetched(&mut self, visit: &Visit);

    /// Tells of a page that was asked for and is not there.
    fn missing(&mut self, page: PageId);
}

impl Watcher for () {
    fn fetched(&mut self, _: &Visit) {}

    fn missing(&mut self, _: PageId) {}
}

impl<'r, L: Library, W: Watcher> ArchivedWeb<'r, L, W> {
    /// A web of what a library with readers holds. The language of a page is told by the rule with the number `label`
    /// of [`LABELS`].
    pub fn new(
        ahead: &'r Ahead<'r, L>,
        extractor: Extractor,
        label: usize,
        missing: Missing,
        watcher: W,
    ) -> ArchivedWeb<'r, L, W> {
        assert!(label < LABELS.len(), "there is a rule of that number");
        ArchivedWeb {
            ahead,
            extractor,
            label,
            missing,
            known: Known::default(),
            held: Vec::new(),
            fetched: Vec::new(),
            watcher,
            page: None,
            lost: Lost::default(),
        }
    }

    /// A link from outside, as a seed.
    pub fn seed(&mut self, address: &Address) -> PageId {
        self.known.number(address)
    }

    /// A page as a link to it, for seeds.
    pub fn link_to(&self, page: PageId) -> ArchivedLink<'_> {
        ArchivedLink { known: &self.known, target: page, extract: None }
    }

    /// Who watches.
    pub fn watcher(&mut self) -> &mut W {
        &mut self.watcher
    }

    /// What has been heard of so far.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Ends the crawl: who watched, all pages that were heard of, and those that were lost.
    pub fn finish(self) -> (W, Known, Lost) {
        (self.watcher, self.known, self.lost)
    }

    /// Whether links to a page are queued.
    pub fn is_offered(&mut self, page: PageId) -> bool {
        if self.missing == Missing::NotFound {
            return true;
        }
        let at = page.0 as usize;
        if self.held.len() <= at {
            self.held.resize(at + 1, None);
        }
        *self.held[at].get_or_insert_with(|| {
            match self.ahead.library().holds(self.known.address(page)) {
                Ok(holds) => holds,
                Err(why) => {
                    self.lost.add(why);
                    false
                }
            }
        })
    }

    fn show(&mut self, number: PageId, fetched: &Fetched, extract: Extract) {
        let address = self.known.address(number);
        self.watcher.fetched(&Visit { page: number, address, fetched, extract: &extract });
        let mut links = Vec::with_capacity(extract.links.len());
        for (place, link) in extract.links.iter().enumerate() {
            let target = self.known.number(&link.target);
            if self.is_offered(target) {
                links.push((target, place));
            }
        }
        self.page = Some(ThisPage { number, extract, links });
    }
}

impl<L: Library, W: Watcher> Web for ArchivedWeb<'_, L, W> {
    type Page<'w>
        = ArchivedPage<'w>
    where
        Self: 'w;
    /// Far enough to keep readers busy, and near enough for most of it to come true.
    const HINTS_AHEAD: &'static [usize] = &[0, 1, 2, 3, 4, 5, 6, 7];

    fn hint(&self, page: PageId, _: usize) -> Option<HostId> {
        if !self.fetched.get(page.0 as usize).is_some_and(|fetched| *fetched) {
            self.ahead.ask(page, self.known.address(page));
        }
        None
    }

    fn fetch(&mut self, page: PageId) -> Result<ArchivedPage<'_>, Failure> {
        let at = page.0 as usize;
        if self.fetched.len() <= at {
            self.fetched.resize(at + 1, false);
        }
        self.fetched[at] = true;
        // A page that is opened again is most often not the last, so it is read again.
        let address = self.known.address(page);
        match self.ahead.take(page, address, &mut self.extractor) {
            Ok(Some((fetched, extract))) => self.show(page, &fetched, extract),
            Ok(None) => {
                self.watcher.missing(page);
                return Err(Failure::Missing);
            }
            Err(why) => {
                self.lost.add(why);
                return Err(Failure::Missing);
            }
        }
        let this = self.page.as_ref().expect("a page was just read");
        Ok(ArchivedPage { known: &self.known, this, label: self.label })
    }
}

/// A page that was fetched from the archive.
#[derive(Clone, Copy)]
pub struct ArchivedPage<'w> {
    known: &'w Known,
    this: &'w ThisPage,
    label: usize,
}

impl<'w> Page for ArchivedPage<'w> {
    type Link<'a>
        = ArchivedLink<'w>
    where
        Self: 'a;

    fn outcome(&self) -> Outcome {
        // A redirect out of the archive leads nowhere.
        match self.this.extract.outcome {
            Outcome::Redirect if self.this.extract.links.is_empty() => Outcome::Other,
            outcome => outcome,
        }
    }

    fn host(&self) -> HostId {
        self.known.host(self.this.number)
    }

    fn directory(&self) -> Option<DirectoryId> {
        Some(self.known.directory(self.this.number))
    }

    fn language(&self) -> Option<Language> {
        self.this.extract.languages[self.label]
    }

    fn topic_score(&self) -> Option<f32> {
        self.this.extract.topics.first().copied()
    }

    fn links(&self) -> impl Iterator<Item = ArchivedLink<'w>> {
        let (known, extract) = (self.known, &self.this.extract);
        let links = self.this.links.iter();
        links.map(move |&(target, place)| ArchivedLink {
            known,
            target,
            extract: Some((extract, place)),
        })
    }
}

/// A link of such a page.
#[derive(Clone, Copy)]
pub struct ArchivedLink<'w> {
    known: &'w Known,
    target: PageId,
    /// The page it is on, and its place there; a seed has none.
    extract: Option<(&'w Extract, usize)>,
}

impl Link for ArchivedLink<'_> {
    fn page(&self) -> PageId {
        self.target
    }

    fn host(&self) -> HostId {
        self.known.host(self.target)
    }

    fn directory(&self) -> Option<DirectoryId> {
        Some(self.known.directory(self.target))
    }

    fn tld(&self) -> Option<&str> {
        top_level_domain(&self.known.address(self.target).host)
    }

    fn anchor_language(&self) -> Option<Language> {
        let (extract, place) = self.extract?;
        extract.links[place].anchor_language
    }

    fn anchor_score(&self) -> Option<f32> {
        self.scores().map(|(anchor, _)| score_of_byte(anchor))
    }

    fn context_score(&self) -> Option<f32> {
        self.scores().map(|(_, context)| score_of_byte(context))
    }
}

impl ArchivedLink<'_> {
    /// The scores on the crawl's topic, if it has one. A seed has the score that says nothing.
    fn scores(&self) -> Option<(u8, u8)> {
        match self.extract {
            Some((extract, place)) => extract.links[place].topics.first().copied(),
            None => Some((0, 0)),
        }
    }
}
