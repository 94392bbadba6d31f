//! Pages of which only a description is there, as in WAT files.

use std::collections::HashSet;

use encoding_rs::UTF_8;
use langur_crawl::Outcome;
use langur_language::Evidence;
use langur_page::{Address, Base, decide, top_level_domain};

use crate::extractor::{Answer, Extract, ExtractedLink, Extractor, LABELS, Origin, is_redirect};

/// What is told of a page without its bytes.
#[derive(Clone, Debug, Default)]
pub struct Described<'a> {
    /// HTTP's status.
    pub status: u16,
    /// The value of HTTP's `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The value of HTTP's `Location`.
    pub location: Option<&'a str>,
    /// The title.
    pub title: &'a str,
    /// `<meta name=description>`
    pub description: &'a str,
    /// What `<base href>` says.
    pub base: Option<&'a str>,
    /// The links in the order of the document: where they point as written, what makes them links, and
    /// their texts.
    pub links: Vec<(&'a str, Origin, &'a str)>,
}

impl Extractor {
    /// What is needed of a page, as far as its description tells. Its language is judged by its title, its
    /// description and the texts of its links; the papers' rules, and topics, need the page itself.
    pub fn described(&mut self, address: &Address, page: &Described) -> Extract {
        let Described { status, content_type, location, .. } = *page;
        let media_type = crate::sniff::media_type(content_type, b"");
        if is_redirect(status) {
            let answer = Answer {
                address,
                status,
                content_type,
                content_language: None,
                location,
                link: None,
                refresh: None,
                payload: b"",
            };
            return self.redirect(&answer, media_type);
        }
        let is_html = matches!(media_type.as_str(), "text/html" | "application/xhtml+xml");
        if page.status != 200 || !is_html {
            return self.bare(Outcome::Other, media_type);
        }
        let mut text = format!("{}\n{}\n", page.title, page.description);
        page.links.iter().for_each(|(_, _, anchor)| text.extend([anchor, "\n"]));
        let (shared, anchors, memory) = self.parts();
        let evidence = Evidence {
            text: &text,
            top_level_domain: top_level_domain(&address.host),
            ..Evidence::default()
        };
        let verdict = shared.reader.judge().page_with(evidence, memory);
        let own = Base::new(address, UTF_8);
        let mut base = match page.base {
            Some(href) => own.with_href(href),
            None => own,
        };
        let (mut links, mut trapped) = (Vec::new(), 0);
        let mut targets: HashSet<Address> = HashSet::new();
        for &(href, origin, anchor) in &page.links {
            let Ok(target) = base.resolve(href) else { continue };
            if target == *address || !targets.insert(target.clone()) {
                continue;
            }
            if shared.limits.check(&target).is_err() {
                trapped += 1;
                continue;
            }
            let anchor_language = anchors.language(&shared.reader, anchor, memory);
            let topics = vec![(0, 0); shared.reader.topics().len()];
            links.push(ExtractedLink { target, origin, anchor_language, topics, nofollow: false });
        }
        let mut languages = [None; LABELS.len()];
        languages[0] = verdict.language;
        // What the server said: there is nothing to tell it by.
        let said = decide(b"", content_type).evidence.first().and_then(|said| said.charset);
        let charset = said.map_or("", |charset| charset.name());
        Extract { charset, languages, links, trapped, ..self.bare(Outcome::OkHtml, media_type) }
    }
}
