//! From an answer to what a crawl needs of it.

use std::sync::{Arc, OnceLock};

#[cfg(doc)]
use langur_crawl::score_byte;
use langur_crawl::{Language, Outcome};
use langur_language::Memory;
use langur_page::html::{Document, LinkKind};
use langur_page::{Address, Limits};
use langur_reader::{BadProfiles, Reader, Reading, Rule, Said, profiles};
use langur_topic::Topic;

use crate::anchors::Anchors;
use crate::{evidence, links, sniff};

/// The labelling rules under which the language of a page is told, in this order: the default judge, the
/// language that it found beside the first one on a mixed page, and the two rules of the founding papers.
pub const LABELS: [&str; 4] = ["langur", "langur-second", "meta-charset", "meta+textcat"];

/// From this number on, [`LABELS`] are the rules of the founding papers, which take as long as all else together.
pub const PAPERS: usize = 2;

/// A payload is decompressed up to so many bytes, in all webs alike: what is longer is a bomb, or no page.
pub const LONGEST_PAYLOAD: usize = 16 << 20;

/// A language beside the first counts from this share of the letters on.
const SECOND_SHARE: f32 = 0.2;

/// An answer as a server gave it, with what is transferred decoded.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// What was asked for.
    pub address: &'a Address,
    /// HTTP's status.
    pub status: u16,
    /// The value of HTTP's `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The value of HTTP's `Content-Language`.
    pub content_language: Option<&'a str>,
    /// The value of HTTP's `Location`.
    pub location: Option<&'a str>,
    /// All values of HTTP's `Link`.
    pub link: Option<&'a str>,
    /// The value of HTTP's `Refresh`.
    pub refresh: Option<&'a str>,
    /// The body, decompressed.
    pub payload: &'a [u8],
}

/// What is wanted of a page. What nobody asks for costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wants {
    /// The language by every rule of [`LABELS`], and not only by the default judge.
    pub all_labels: bool,
    /// The language of every link's text.
    pub anchor_languages: bool,
    /// Why charset and language are what they are, in words.
    pub evidence: bool,
}

impl Wants {
    /// Everything that is known of pages and links; not the reasons.
    pub const ALL: Wants = Wants { all_labels: true, anchor_languages: true, evidence: false };
}

/// What a crawl needs of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Extract {
    /// Whether it is a page with links, a redirect, or neither.
    pub outcome: Outcome,
    /// The media type; empty where it is unknown.
    pub media_type: String,
    /// The charset it was read in; empty for what is not HTML.
    pub charset: &'static str,
    /// Whether it is only a way in: frames, Flash, an image map, a refresh.
    pub gateway: bool,
    /// The language by each rule of [`LABELS`], those not asked for being unknown.
    pub languages: [Option<Language>; LABELS.len()],
    /// The score on each topic.
    pub topics: Vec<f32>,
    /// The links in the order of the document: each target once, none to the page itself.
    pub links: Vec<ExtractedLink>,
    /// Links that were left out because their URLs look like a trap's.
    pub trapped: u32,
    /// What META elements ask of crawlers, and of which.
    pub wishes: Vec<(String, String)>,
    /// Why charset and language are what they are, by name, if that was asked for.
    pub evidence: Vec<(&'static str, String)>,
}

/// A link.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractedLink {
    /// Where it points.
    pub target: Address,
    /// What makes it a link.
    pub origin: Origin,
    /// The language of its text.
    pub anchor_language: Option<Language>,
    /// The scores of its text and of the words around it on each topic, as [`score_byte`] has them.
    pub topics: Vec<(u8, u8)>,
    /// Whether the page asks not to follow it.
    pub nofollow: bool,
}

/// What makes a link of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An element of the page.
    Element(LinkKind),
    /// HTTP's `Location`, of a redirect.
    Redirect,
    /// `<link rel=canonical>`, or the same in HTTP's `Link`
    Canonical,
}

/// All of them; their places here are their numbers in crawl logs.
const ORIGINS: [Origin; 8] = [
    Origin::Element(LinkKind::Anchor),
    Origin::Element(LinkKind::Area),
    Origin::Element(LinkKind::Frame),
    Origin::Element(LinkKind::Iframe),
    Origin::Element(LinkKind::Head),
    Origin::Element(LinkKind::Refresh),
    Origin::Redirect,
    Origin::Canonical,
];

impl Origin {
    /// Its number in crawl logs.
    pub fn number(self) -> u8 {
        let place = ORIGINS.iter().position(|origin| *origin == self);
        place.expect("all origins are numbered") as u8
    }

    /// The origin of this number.
    pub fn numbered(number: u8) -> Option<Origin> {
        ORIGINS.get(usize::from(number)).copied()
    }
}

/// Whether an answer with this status leads elsewhere.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Makes extracts. It remembers what it has judged, so each thread has a clone of its own; the models are
/// shared.
pub struct Extractor {
    shared: Arc<Shared>,
    wants: Wants,
    anchors: Anchors,
    memory: Memory,
}

pub(crate) struct Shared {
    pub reader: Reader,
    /// The rules of the founding papers, made when they are first asked for.
    papers: OnceLock<[Rule; 2]>,
    pub limits: Limits,
}

impl Shared {
    fn papers(&self) -> &[Rule; 2] {
        let whole = "the profiles that come with Langur are whole";
        self.papers.get_or_init(|| papers().expect(whole))
    }
}

fn papers() -> Result<[Rule; 2], BadProfiles> {
    Ok([Rule::MetaCharset, Rule::MetaTextcat(Box::new(profiles()?))])
}

impl Clone for Extractor {
    fn clone(&self) -> Extractor {
        Extractor {
            shared: Arc::clone(&self.shared),
            wants: self.wants,
            anchors: Anchors::default(),
            memory: Memory::default(),
        }
    }
}

impl Extractor {
    /// An extractor that scores pages on these topics.
    pub fn new(topics: Vec<Topic>, wants: Wants) -> Result<Extractor, BadProfiles> {
        let papers = match wants.all_labels {
            true => OnceLock::from(papers()?),
            false => OnceLock::new(),
        };
        let reader = Reader::new(Rule::Langur, topics);
        let shared = Arc::new(Shared { reader, papers, limits: Limits::default() });
        Ok(Extractor { shared, wants, anchors: Anchors::default(), memory: Memory::default() })
    }

    /// The same, with other things wanted.
    #[must_use]
    pub fn wanting(self, wants: Wants) -> Extractor {
        Extractor { wants, ..self }
    }

    /// The topics that pages and links are scored on.
    pub fn topics(&self) -> &[Topic] {
        self.shared.reader.topics()
    }

    /// What is needed of an answer.
    pub fn extract(&mut self, answer: &Answer) -> Extract {
        let media_type = sniff::media_type(answer.content_type, answer.payload);
        let is_html = matches!(media_type.as_str(), "text/html" | "application/xhtml+xml");
        match answer.status {
            200 if is_html => self.page(answer, media_type),
            status if is_redirect(status) => self.redirect(answer, media_type),
            _ => self.bare(Outcome::Other, media_type),
        }
    }

    /// What all clones share, and what this one remembers.
    pub(crate) fn parts(&mut self) -> (&Shared, &mut Anchors, &mut Memory) {
        (&self.shared, &mut self.anchors, &mut self.memory)
    }

    /// Nothing but what its head says.
    pub(crate) fn bare(&self, outcome: Outcome, media_type: String) -> Extract {
        Extract {
            outcome,
            media_type,
            charset: "",
            gateway: false,
            languages: [None; LABELS.len()],
            topics: vec![0.0; self.topics().len()],
            links: Vec::new(),
            trapped: 0,
            wishes: Vec::new(),
            evidence: Vec::new(),
        }
    }

    pub(crate) fn redirect(&self, answer: &Answer, media_type: String) -> Extract {
        let target = links::redirect_target(answer, &self.shared.limits);
        let outcome = if target.is_some() { Outcome::Redirect } else { Outcome::Other };
        let link = |target| ExtractedLink {
            target,
            origin: Origin::Redirect,
            anchor_language: None,
            topics: vec![(0, 0); self.topics().len()],
            nofollow: false,
        };
        Extract { links: target.map(link).into_iter().collect(), ..self.bare(outcome, media_type) }
    }

    fn page(&mut self, answer: &Answer, media_type: String) -> Extract {
        let Shared { reader, limits, .. } = &*self.shared;
        let Answer { address, content_type, content_language, payload, .. } = *answer;
        let said = Said { content_type, content_language };
        let reading = reader.read_with(payload, said, Some(address), &mut self.memory);
        let document = &reading.document;
        let found = links::of(answer, &reading, limits);
        let mut links = Vec::with_capacity(found.links.len());
        for (target, origin, link) in found.links {
            let anchor = link.map(|link| document.anchor(link)).unwrap_or_default();
            let anchor_language = match self.wants.anchor_languages {
                true => self.anchors.language(reader, anchor, &mut self.memory),
                false => None,
            };
            let topics = links::scores(reader, document, link);
            let nofollow = link.is_some_and(|link| {
                document.is_nofollow(link) && !found.plain.contains(document.href(link))
            });
            links.push(ExtractedLink { target, origin, anchor_language, topics, nofollow });
        }
        let evidence = if self.wants.evidence { evidence::of(&reading) } else { Vec::new() };
        Extract {
            charset: reading.decoding.charset.name(),
            gateway: document.gateway().is_some(),
            languages: self.languages(&reading, document),
            topics: reading.topics.iter().map(|topic| topic.score as f32).collect(),
            links,
            trapped: found.trapped,
            wishes: document.wishes().map(|(of, wish)| (of.to_owned(), wish.to_owned())).collect(),
            evidence,
            ..self.bare(Outcome::OkHtml, media_type)
        }
    }

    fn languages(
        &self,
        reading: &Reading,
        document: &Document,
    ) -> [Option<Language>; LABELS.len()] {
        let first = reading.verdict.language;
        let others = reading.verdict.languages.iter().filter(|share| Some(share.language) != first);
        let second = others.max_by(|a, b| a.share.total_cmp(&b.share));
        let second = second.filter(|share| first.is_some() && share.share >= SECOND_SHARE);
        let [charset, textcat] = match self.wants.all_labels {
            true => {
                let charset = reading.decoding.charset;
                self.shared.papers().each_ref().map(|rule| rule.language(document, charset))
            }
            false => [None; 2],
        };
        [first, second.map(|share| share.language), charset, textcat]
    }
}
