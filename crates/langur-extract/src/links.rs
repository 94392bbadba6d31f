//! Where the links of a page lead.

use std::collections::HashSet;

use encoding_rs::UTF_8;
use foldhash::fast::RandomState;
use langur_crawl::score_byte;
use langur_page::html::{Document, Link, LinkKind, parse_refresh};
use langur_page::{Address, Base, Limits};
use langur_reader::{Reader, Reading};
use langur_topic::Words;

use crate::extractor::{Answer, Origin};

/// Words on each side of an anchor that are taken for its context.
const CONTEXT: usize = 10;

/// The targets of a page have no more bytes than this together. A short link can lead to a long URL, and a page of 16 MiB has room
/// for a million of them.
const MOST_BYTES: usize = 32 << 20;

/// The links of a page.
pub struct Found<'d> {
    pub links: Vec<(Address, Origin, Option<&'d Link>)>,
    pub trapped: u32,
    /// What links say that repeat another one, and are not `nofollow`.
    pub plain: HashSet<&'d str, RandomState>,
}

/// The links of a page in the order of the document, each target once, none to the page itself.
pub fn of<'d>(answer: &Answer<'d>, reading: &'d Reading, limits: &Limits) -> Found<'d> {
    let (page, document) = (answer.address, &reading.document);
    let own = Base::new(page, reading.decoding.encoding());
    let mut base = match document.base() {
        Some(href) => own.with_href(href),
        None => own,
    };
    // The head comes before the body. What HTTP says is resolved as what the page says.
    let canonical = document.canonical().or_else(|| canonical_in(answer.link?));
    let canonical = canonical.map(|href| (href, Origin::Canonical, None));
    let refresh = answer.refresh.and_then(parse_refresh).map(|(_, url)| url);
    let refresh = refresh.filter(|url| !url.is_empty());
    let refresh = refresh.map(|href| (href, Origin::Element(LinkKind::Refresh), None));
    let elements = document.links().iter();
    let elements =
        elements.map(|link| (document.href(link), Origin::Element(link.kind), Some(link)));
    let most = document.links().len() + 2;
    let mut hrefs: HashSet<&str, _> =
        HashSet::with_capacity_and_hasher(most, RandomState::default());
    let mut links = Vec::with_capacity(most);
    let mut plain = HashSet::default();
    let has_nofollow = document.links().iter().any(|link| document.is_nofollow(link));
    let (mut bytes, mut trapped) = (0, 0);
    for (href, origin, link) in canonical.into_iter().chain(refresh).chain(elements) {
        // Most repetitions are written alike: they are known without resolving them.
        if !hrefs.insert(href) {
            if has_nofollow && link.is_some_and(|link| !document.is_nofollow(link)) {
                plain.insert(href);
            }
            continue;
        }
        let Ok(target) = base.resolve(href) else { continue };
        // These are not even kept to be compared with one another.
        if target.path.len() > limits.length || bytes > MOST_BYTES {
            trapped += 1;
            continue;
        }
        bytes += target.path.len();
        links.push((target, origin, link));
    }
    let mut targets = HashSet::with_capacity_and_hasher(links.len() + 1, RandomState::default());
    targets.insert(page);
    let is_new: Vec<bool> = links.iter().map(|(target, ..)| targets.insert(target)).collect();
    let mut found = Found { links: Vec::with_capacity(links.len()), trapped, plain };
    for (link, _) in links.into_iter().zip(is_new).filter(|(_, is_new)| *is_new) {
        match limits.check(&link.0) {
            Ok(()) => found.links.push(link),
            Err(_) => found.trapped += 1,
        }
    }
    found
}

/// The canonical URL among the values of HTTP's `Link` (RFC 8288): `<https://a.example/>; rel="canonical", …`.
fn canonical_in(links: &str) -> Option<&str> {
    links.split('<').skip(1).find_map(|link| {
        let (url, parameters) = link.split_once('>')?;
        let is_canonical = |parameter: &str| {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            // The comma before the next link.
            let value = value.trim().trim_end_matches(',').trim_matches('"');
            name.trim().eq_ignore_ascii_case("rel")
                && value.split_ascii_whitespace().any(|kind| kind.eq_ignore_ascii_case("canonical"))
        };
        parameters.split(';').any(is_canonical).then_some(url)
    })
}

/// Where a redirect leads, if it leads anywhere else.
pub fn redirect_target(answer: &Answer, limits: &Limits) -> Option<Address> {
    let target = Base::new(answer.address, UTF_8).resolve(answer.location?).ok()?;
    (target != *answer.address && limits.check(&target).is_ok()).then_some(target)
}

/// How much a link's text, and the words around it, are about each topic.
pub fn scores(reader: &Reader, document: &Document, link: Option<&Link>) -> Vec<(u8, u8)> {
    let topics = reader.topics();
    let Some(link) = link.filter(|_| !topics.is_empty()) else {
        return vec![(0, 0); topics.len()];
    };
    let (before, behind) = document.around(link, CONTEXT);
    let context = format!("{before} {behind}");
    let (anchor, context) = (Words::of(document.anchor(link)), Words::of(&context));
    let score = |words: &Words, topic: &langur_topic::Topic| score_byte(topic.score_phrase(words));
    topics.iter().map(|topic| (score(&anchor, topic), score(&context, topic))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extractor, Wants};

    #[test]
    fn links_to_long_urls_take_no_memory_without_end() {
        let wants = Wants { all_labels: false, anchor_languages: false, evidence: false };
        let mut extractor = Extractor::new(Vec::new(), wants).expect("an extractor");
        let address = Address::parse("http://a.example/").expect("a URL");
        let mut found = |base: usize, links: usize| {
            let hrefs: String = (0..links).map(|n| format!("<a href=\"{n}\">")).collect();
            let page = format!("<base href=\"/{}/\">{hrefs}", "x".repeat(base));
            let extract = extractor.extract(&Answer {
                address: &address,
                status: 200,
                content_type: Some("text/html"),
                content_language: None,
                location: None,
                link: None,
                refresh: None,
                payload: page.as_bytes(),
            });
            let bytes: usize = extract.links.iter().map(|link| link.target.path.len()).sum();
            (bytes, extract.links.len() + extract.trapped as usize)
        };
        let (bytes, counted) = found(2000, 20_000);
        assert!(bytes > 30 << 20 && bytes < 34 << 20, "{bytes}");
        assert_eq!(counted, 20_000);
        assert_eq!(found(3000, 1000), (0, 1000), "beyond what a URL may have");
        assert_eq!(found(1 << 20, 20_000), (0, 0), "beyond what a base may have");
    }

    #[test]
    fn http_may_refresh() {
        let wants = Wants { all_labels: false, anchor_languages: false, evidence: false };
        let mut extractor = Extractor::new(Vec::new(), wants).expect("an extractor");
        let address = Address::parse("http://a.example/in/").expect("a URL");
        let mut targets = |refresh, payload: &str| {
            let extract = extractor.extract(&Answer {
                address: &address,
                status: 200,
                content_type: Some("text/html"),
                content_language: None,
                location: None,
                link: None,
                refresh: Some(refresh),
                payload: payload.as_bytes(),
            });
            let links = extract.links.iter().map(|link| (link.origin, link.target.to_string()));
            links.collect::<Vec<_>>()
        };
        let link = |kind, url: &str| (Origin::Element(kind), url.to_owned());
        let next = link(LinkKind::Refresh, "http://a.example/in/next");
        assert_eq!(targets("0; url=next", "<p>Wait"), std::slice::from_ref(&next));
        let other = link(LinkKind::Anchor, "http://a.example/");
        assert_eq!(targets("5;next", "<a href=/>Home</a><a href=next>Next</a>"), [next, other]);
        assert_eq!(targets("60", "<p>News"), []);
    }

    #[test]
    fn the_canonical_url_is_found_among_links_of_http() {
        for (links, canonical) in [
            ("<https://a.example/>; rel=\"canonical\"", Some("https://a.example/")),
            ("</b>;REL=canonical", Some("/b")),
            (
                "</s.css>; rel=preload; as=style, <c?d,e;f>; title=\"x\"; rel=\"alternate canonical\"",
                Some("c?d,e;f"),
            ),
            ("</s.css>; rel=preload, <d>; rel=canonical, <e>; rel=next", Some("d")),
            ("<a>; rel=next", None),
            ("<a", None),
            ("canonical", None),
            ("", None),
        ] {
            assert_eq!(canonical_in(links), canonical, "{links}");
        }
    }
}
