//! Pages that are only a way in, and what they are known by.

use std::collections::HashSet;

use memchr::memmem;

use super::document::{Document, Gateway, LinkKind};
use super::extract::hides;
use super::tokenizer::Attribute;

/// A film or a map is a way in with fewer words than these around it, and no more links than these: "Enter" and where to
/// get a player. With more, it is the banner of an ordinary page.
const PICTURE_WORDS: usize = 20;
const PICTURE_LINKS: usize = 2;
/// Frames inside pages hold films, maps and advertisements more often than the site: all the page may have besides is a
/// short title.
const INNER_FRAME_WORDS: usize = 4;
/// A page that sends its reader on says so, and where to: fewer words than these, and no later than this.
const REFRESH_WORDS: usize = 50;
const SOON_S: u32 = 10;

/// What gateways are known by.
#[derive(Default)]
pub struct Signs {
    /// Frames that the page is made of.
    pub frames: bool,
    /// A map of an image.
    pub map: bool,
    flash: bool,
    /// A frame inside the page that can be seen.
    inner_frame: bool,
}

impl Signs {
    /// A frame inside the page. Counters of visitors come in frames that nobody sees.
    pub fn see_inner_frame(&mut self, attributes: &[Attribute]) {
        self.inner_frame |= !attributes.iter().any(is_tiny);
    }

    /// An object with these attributes, or a part of one.
    pub fn see_object(&mut self, attributes: &[Attribute]) {
        self.flash |= attributes
            .iter()
            .any(|attribute| is_film(attribute.value) || has(attribute.value, "shockwave-flash"));
    }

    /// A script: a film by its name, or by the call of Adobe's own script, which leaves the ending out.
    pub fn see_script(&mut self, script: &str) {
        self.flash |= is_film(script) || has(script, "AC_FL_RunContent");
    }

    /// What kind of gateway the page is, if it is one. A page can carry several signs: one that is not all there is to
    /// the page leaves the question to the next.
    pub fn gateway(&self, document: &Document) -> Option<Gateway> {
        if self.frames {
            return Some(Gateway::Frames);
        }
        let is_bare =
            |words, links| document.has_fewer_words_than(words) && own_links(document) <= links;
        if (self.flash || self.map) && is_bare(PICTURE_WORDS, PICTURE_LINKS) {
            return Some(if self.flash { Gateway::Flash } else { Gateway::ImageMap });
        }
        if self.inner_frame && is_bare(INNER_FRAME_WORDS, 0) {
            return Some(Gateway::Frames);
        }
        (sends_on_soon(document) && document.has_fewer_words_than(REFRESH_WORDS))
            .then_some(Gateway::Refresh)
    }
}

/// Whether the head sends its reader on before the page can be read. Later, it is a page that wants to stay fresh.
fn sends_on_soon(document: &Document) -> bool {
    document.meta.refresh.is_some_and(|to| !to.url.is_empty() && to.after_s <= SOON_S)
}

/// How many anchors lead elsewhere than the map of the image does. Maps are often repeated below in words, for readers
/// who see no images.
fn own_links(document: &Document) -> usize {
    let targets = |kind| {
        let of_kind = document.links().iter().filter(move |link| link.kind == kind);
        of_kind.map(|link| document.href(link))
    };
    let mapped: HashSet<&str> = targets(LinkKind::Area).collect();
    targets(LinkKind::Anchor).filter(|target| !mapped.contains(target)).count()
}

fn is_film(text: &str) -> bool {
    has(text, ".swf") || has(text, ".SWF")
}

fn has(text: &str, part: &str) -> bool {
    memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

fn is_tiny(attribute: &Attribute) -> bool {
    let is = |name: &str| attribute.name.eq_ignore_ascii_case(name);
    ((is("width") || is("height")) && matches!(attribute.value.trim(), "0" | "1" | "0px" | "1px"))
        || hides(attribute)
}
