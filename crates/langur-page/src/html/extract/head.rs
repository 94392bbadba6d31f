//! What the elements of a head say of the page: `link` and `meta`.

use super::super::document::{Document, LinkKind, Refresh};
use super::super::refresh;
use super::{Attribute, Extractor, decoded_attribute, value};

impl Extractor {
    pub(super) fn head_link(&mut self, attributes: &[Attribute]) {
        let (Some(rel), Some(href)) = (value(attributes, "rel"), value(attributes, "href")) else {
            return;
        };
        let is = |word: &str| rel.split_ascii_whitespace().any(|r| r.eq_ignore_ascii_case(word));
        if is("canonical") && self.document.canonical.is_none() {
            self.document.canonical = Some(self.keep_decoded(href.trim()));
        }
        let other_page = ["alternate", "next", "prev", "contents", "start", "home", "index"];
        let is_feed = value(attributes, "type").is_some_and(|kind| {
            kind.contains("rss") || kind.contains("atom") || kind.contains("json")
        });
        if other_page.into_iter().any(is) && !is("stylesheet") && !is_feed {
            self.link(LinkKind::Head, href, attributes);
        }
    }

    pub(super) fn meta(&mut self, attributes: &[Attribute]) {
        if let Some(charset) = value(attributes, "charset") {
            let charset = self.keep_decoded(charset.trim());
            self.document.meta.charset.get_or_insert(charset);
        }
        let Some(content) = value(attributes, "content") else { return };
        let kind =
            ["name", "http-equiv", "property"].into_iter().find_map(|n| value(attributes, n));
        let Some(kind) = kind else { return };
        let is = |other: &str| kind.trim().eq_ignore_ascii_case(other);
        if is("refresh") {
            return self.refresh(content, attributes);
        }
        if asks_crawlers(content) {
            let wish = (self.keep_decoded(kind.trim()), self.keep_decoded(content.trim()));
            self.document.wishes.push(wish);
        }
        if is("content-type") {
            let Some(at) = content.to_ascii_lowercase().find("charset") else { return };
            let Some(label) = content[at + 7..].trim_start().strip_prefix('=') else { return };
            let label = label.trim_matches(['"', '\'', ' ']).split([';', ' ']).next();
            let charset = self.keep_decoded(label.unwrap_or_default());
            self.document.meta.charset.get_or_insert(charset);
            return;
        }
        let field = |document: &mut Document, span| {
            let meta = &mut document.meta;
            let field = match () {
                () if is("description") => &mut meta.description,
                () if is("content-language") || is("language") => &mut meta.content_language,
                () => &mut meta.locale,
            };
            field.get_or_insert(span);
        };
        if ["description", "content-language", "language", "og:locale"].into_iter().any(is) {
            let span = self.keep_decoded(content.trim());
            field(&mut self.document, span);
        }
    }

    fn refresh(&mut self, content: &str, attributes: &[Attribute]) {
        let content = decoded_attribute(content);
        let Some((after_s, url)) = refresh::parse(&content) else { return };
        if self.document.meta.refresh.is_some() {
            return;
        }
        let span = self.keep(url);
        self.document.meta.refresh = Some(Refresh { after_s, url: span });
        if !url.is_empty() {
            self.link(LinkKind::Refresh, "", attributes);
            let link = self.document.links.last_mut().expect("it was just pushed");
            link.href = span;
        }
    }
}

/// Whether the content of a META element asks for what crawlers are asked for.
fn asks_crawlers(content: &str) -> bool {
    let wishes = ["noindex", "nofollow", "noarchive", "none"];
    let mut words = content.split([',', ' ']).take(wishes.len() * 4);
    words.any(|word| wishes.into_iter().any(|wish| word.eq_ignore_ascii_case(wish)))
}
