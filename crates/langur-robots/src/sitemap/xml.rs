//! Sitemaps and feeds in XML.
//!
//! Elements are known by their names without prefix and by their place: an address stands directly in
//! the entry it is of, so that `image:loc` in `image:image` is none. The reader is told to forgive
//! what does not hinder it: tags that do not match, ampersands that begin nothing.

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

use super::{Problem, Sitemap, text_of};

/// Adds what a text in XML names.
pub(super) fn read(text: &[u8], most: usize, sitemap: &mut Sitemap) {
    let mut reader = Reader::from_reader(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    config.expand_empty_elements = true;
    let mut place = Place::default();
    loop {
        let room = match reader.read_event() {
            Ok(Event::Start(start)) => place.enter(&start, most, sitemap),
            Ok(Event::End(end)) => place.leave(end.local_name().as_ref(), most, sitemap),
            Ok(Event::Text(text)) => place.add(&String::from_utf8_lossy(&text)),
            Ok(Event::CData(text)) => place.add(&String::from_utf8_lossy(&text)),
            Ok(Event::GeneralRef(name)) => {
                let char_ref = name.resolve_char_ref().ok().flatten();
                let name = String::from_utf8_lossy(&name);
                match (char_ref, resolve_predefined_entity(&name)) {
                    (Some(letter), _) => place.add(letter.encode_utf8(&mut [0; 4])),
                    (None, Some(text)) => place.add(text),
                    // An ampersand that was not escaped.
                    (None, None) => place.add(&format!("&{name};")),
                }
            }
            Ok(Event::Eof) => {
                place.finish(most, sitemap);
                return;
            }
            Ok(_) => true,
            Err(_) => {
                sitemap.problems.push(Problem::BadXml { at: reader.error_position() });
                place.finish(most, sitemap);
                return;
            }
        };
        if !room {
            return;
        }
    }
}

/// Where the reader is.
#[derive(Default)]
struct Place {
    /// Elements that are open.
    depth: usize,
    entry: Option<Open>,
    /// Which text of the entry is being read.
    field: Option<Field>,
}

/// An entry that is being read.
struct Open {
    kind: Kind,
    /// The depth of its own element.
    depth: usize,
    url: String,
    lastmod: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    Sitemap,
    /// Of a feed.
    Item,
}

#[derive(Clone, Copy)]
enum Field {
    Url,
    LastMod,
}

impl Place {
    /// This and the others say whether there is room for more.
    fn enter(&mut self, start: &BytesStart<'_>, most: usize, sitemap: &mut Sitemap) -> bool {
        self.depth += 1;
        self.field = None;
        let name = start.local_name();
        if let Some(kind) = Kind::named(name.as_ref()) {
            let room = self.finish(most, sitemap);
            let depth = self.depth;
            self.entry = Some(Open { kind, depth, url: String::new(), lastmod: String::new() });
            return room;
        }
        if let Some(entry) = self.entry.as_mut().filter(|entry| entry.depth + 1 == self.depth) {
            self.field = entry.field(name.as_ref());
            if entry.kind == Kind::Item && name.as_ref() == b"link" && entry.url.trim().is_empty() {
                entry.url = href(start).unwrap_or_default();
            }
        }
        true
    }

    fn leave(&mut self, name: &[u8], most: usize, sitemap: &mut Sitemap) -> bool {
        self.depth = self.depth.saturating_sub(1);
        self.field = None;
        let ends = |entry: &Open| Kind::named(name) == Some(entry.kind);
        if self.entry.as_ref().is_some_and(ends) { self.finish(most, sitemap) } else { true }
    }

    fn add(&mut self, text: &str) -> bool {
        if let Some(entry) = &mut self.entry {
            match self.field {
                Some(Field::Url) => entry.url.push_str(text),
                Some(Field::LastMod) => entry.lastmod.push_str(text),
                None => {}
            }
        }
        true
    }

    /// Ends the entry, if there is one. One whose end is missing ends where the next begins.
    fn finish(&mut self, most: usize, sitemap: &mut Sitemap) -> bool {
        let Some(entry) = self.entry.take() else { return true };
        let url = entry.url.trim();
        if url.is_empty() {
            return true;
        }
        let lastmod = Some(entry.lastmod.trim()).filter(|text| !text.is_empty());
        match entry.kind {
            Kind::Sitemap => sitemap.add_sitemap(url.to_owned(), most),
            Kind::Page | Kind::Item => {
                sitemap.add_page(url.to_owned(), lastmod.map(str::to_owned), most)
            }
        }
    }
}

impl Kind {
    fn named(name: &[u8]) -> Option<Kind> {
        match name {
            b"url" => Some(Kind::Page),
            b"sitemap" => Some(Kind::Sitemap),
            b"item" | b"entry" => Some(Kind::Item),
            _ => None,
        }
    }
}

impl Open {
    /// The text an element directly in the entry holds. The first of its kind counts.
    fn field(&self, name: &[u8]) -> Option<Field> {
        let is_item = self.kind == Kind::Item;
        match name {
            b"loc" if !is_item && self.url.is_empty() => Some(Field::Url),
            b"link" if is_item && self.url.trim().is_empty() => Some(Field::Url),
            b"lastmod" if !is_item && self.lastmod.is_empty() => Some(Field::LastMod),
            b"updated" | b"pubDate" if is_item && self.lastmod.is_empty() => Some(Field::LastMod),
            _ => None,
        }
    }
}

/// The page an Atom link leads to; those that say they lead to something else lead to none. Names that
/// come twice are not looked for, which takes time quadratic in their number.
fn href(link: &BytesStart<'_>) -> Option<String> {
    let mut href = None;
    for attribute in link.attributes().with_checks(false).flatten() {
        let value = text_of(&attribute.value);
        match attribute.key.local_name().as_ref() {
            b"rel" if value.trim() != "alternate" => return None,
            b"href" => href = Some(unescape(&value).map(String::from).unwrap_or(value)),
            _ => {}
        }
    }
    href
}

#[cfg(test)]
mod tests {
    use super::super::{MOST, Problem, Sitemap, read};

    /// Pages as `url` or `url@lastmod`, then sitemaps in parentheses.
    fn shown(sitemap: &Sitemap) -> String {
        let pages = sitemap.pages.iter().map(|page| match &page.lastmod {
            Some(lastmod) => format!("{}@{lastmod}", page.url),
            None => page.url.clone(),
        });
        let sitemaps = sitemap.sitemaps.iter().map(|url| format!("({url})"));
        pages.chain(sitemaps).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(xml: &str, expected: &str) {
        let sitemap = read(xml.as_bytes(), MOST);
        assert_eq!(shown(&sitemap), expected);
        assert_eq!(sitemap.problems, []);
    }

    #[test]
    fn pages_with_namespaces_or_without() {
        check(
            "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
             <url><loc> http://a/?b&amp;c&#61;d </loc><lastmod>2020-01-02</lastmod></url>
             <url><priority>1</priority><loc><![CDATA[http://a/?e&f]]></loc></url></urlset>",
            "http://a/?b&c=d@2020-01-02 http://a/?e&f",
        );
        check("<s:urlset><s:url><s:loc>/a</s:loc></s:url><url/><url><loc/></url></s:urlset>", "/a");
    }

    #[test]
    fn pictures_are_no_pages() {
        check(
            "<url><image:image><image:loc>/a.png</image:loc></image:image><loc>/a</loc>\
             <xhtml:link rel='alternate' hreflang='th' href='/th'/></url>",
            "/a",
        );
    }

    #[test]
    fn sitemaps_of_sitemaps() {
        check(
            "<sitemapindex><sitemap><loc>http://a/1.xml.gz</loc><lastmod>2020</lastmod></sitemap>\
             <sitemap><loc>http://a/2.xml</loc></sitemap></sitemapindex>",
            "(http://a/1.xml.gz) (http://a/2.xml)",
        );
    }

    #[test]
    fn feeds_name_pages_too() {
        check(
            "<rss><channel><link>/</link><atom:link rel='self' href='/feed'/>\
             <item><atom:link rel='related' href='/r'/><link>/a</link><pubDate>Mon</pubDate></item>\
             </channel></rss>",
            "/a@Mon",
        );
        check(
            "<feed><link href='/'/><entry><link rel='edit' href='/e'/><link href='/a?b&amp;c'/>\
             <link href='/d'/><updated>2020</updated></entry></feed>",
            "/a?b&c@2020",
        );
    }

    #[test]
    fn what_is_broken_yields_what_was_understood() {
        check(
            "<urlset><url><loc>/a<url><loc>/b</url></loc><url><loc>/c?d&e=f&g;</loc>",
            "/a /b /c?d&e=f&g;",
        );
        let sitemap = read(b"<url><loc>/a</loc></url><url><loc>/b</loc><!-- ", MOST);
        assert_eq!(shown(&sitemap), "/a /b");
        assert!(matches!(sitemap.problems[..], [Problem::BadXml { .. }]), "{sitemap:?}");
    }

    #[test]
    fn time_grows_with_the_text_alone() {
        // Quadratic time would be minutes.
        for piece in ["<a ", "<a>", "&", "<link a='' ", "<![CDATA[", "</a>", "<!--"] {
            read(format!("<item>{}", piece.repeat(200_000)).as_bytes(), MOST);
        }
        let attributes: String = (0..50_000).map(|n| format!("a{n}='' ")).collect();
        read(format!("<item><link {attributes}href='/a'/></item>").as_bytes(), MOST);
    }
}
