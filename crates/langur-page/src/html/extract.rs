//! From tags and text to a document, in one pass.

mod head;

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use memchr::memchr;

use super::document::{Block, Document, Link, LinkKind, Span};
use super::gateway::Signs;
use super::spaces::collapse;
use super::tag::{Region, Tag};
use super::tokenizer::{Attribute, Sink, TextKind, tokenize};

/// Deeper than this, elements are no longer told apart; browsers stop there too.
const MAX_DEPTH: usize = 512;
/// How far up an end tag looks for its start: what keeps broken pages from costing their square.
const LOOK_BACK: usize = 48;
/// A page that declares more languages than this says nothing by it.
const MAX_LANGUAGES: usize = 64;
/// What is meant for readers without scripts is the text of a page that has hardly any other, and only if it is long: mostly
/// it asks to turn scripts on.
const HARDLY_ANY: usize = 100;
const LONG_NOSCRIPT: usize = 400;
/// No more of it is kept.
const MOST_NOSCRIPT: usize = 1 << 18;
/// No language is declared.
const UNDECLARED: u16 = u16::MAX;

impl Document {
    /// Takes a page apart. What lies beyond the first 4 GiB is not looked at.
    pub fn of(html: &str) -> Document {
        let mut end = html.len().min(u32::MAX as usize / 2);
        while !html.is_char_boundary(end) {
            end -= 1;
        }
        let document = Document::with_room(end);
        let mut extractor = Extractor { document, ..Extractor::default() };
        tokenize(&html[..end], &mut extractor);
        extractor.finish()
    }
}

#[derive(Default)]
struct Extractor {
    document: Document,
    open: Vec<Open>,
    /// Elements nested too deep to be kept.
    too_deep: usize,
    /// The head has been read.
    head_is_over: bool,
    /// The number of the link whose anchor is being read.
    anchor: Option<usize>,
    /// How many elements that anchor stands in.
    anchor_depth: usize,
    /// What stands for the anchor is the tooltip of its element, which says least.
    has_tooltip: bool,
    /// What is meant for readers without scripts, a piece a line.
    noscript: String,
    /// The title is being read, and it is the first.
    in_title: bool,
    /// Where the block being read begins, and its linked bytes.
    block_from: usize,
    block_linked: u32,
    /// White space was met since the last letter.
    space: bool,
    paths: HashMap<(u32, Tag), u32, RandomState>,
    signs: Signs,
}

/// An open element and what it says of all that it holds.
#[derive(Clone, Copy)]
struct Open {
    tag: Tag,
    region: Region,
    hidden: bool,
    noscript: bool,
    code: bool,
    language: u16,
    /// The number of its path, or 0 if nobody has asked.
    path: u32,
}

impl<'h> Sink<'h> for Extractor {
    fn start_tag(&mut self, name: &'h str, attributes: &[Attribute<'h>], self_closing: bool) {
        let tag = self.note_name(name);
        if tag.is_block() {
            self.end_block();
        }
        if !tag.is_of_head() {
            self.end_head();
        }
        self.close_implied(tag);
        self.read(tag, attributes);
        let foreign = matches!(tag, Tag::Other | Tag::Hidden) && self_closing;
        // There is one head, before all else, and the whole page is one.
        let is_late = match tag {
            Tag::Head => self.head_is_over || self.is_in_head(),
            Tag::Html => self.is_in_head(),
            _ => false,
        };
        if !tag.is_void() && !foreign && !is_late {
            self.push(tag, attributes);
        }
    }

    fn end_tag(&mut self, name: &'h str) {
        let tag = Tag::of(name);
        if tag.is_block() {
            self.end_block();
        }
        match tag {
            Tag::A => self.end_anchor(),
            Tag::Title => self.in_title = false,
            Tag::Head => self.head_is_over = true,
            _ => {}
        }
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let wall = |open: &Open| open.tag.is_wall() && !tag.is_wall();
        let above = self.open.iter().rev().take(LOOK_BACK);
        let found = above.take_while(|open| !wall(open)).position(|open| open.tag == tag);
        if let Some(up) = found {
            self.close(tag, up);
        }
    }

    fn text(&mut self, text: &'h str, kind: TextKind) {
        if kind == TextKind::Raw {
            self.signs.see_script(text);
        } else if self.in_title {
            self.read_title(text);
        } else {
            if self.is_in_head() && !text.trim_ascii().is_empty() {
                self.end_head();
            }
            self.read_text(text, kind);
        }
    }
}

impl Extractor {
    fn top(&self) -> Open {
        let nothing = Open {
            tag: Tag::Other,
            region: Region::Body,
            hidden: false,
            noscript: false,
            code: false,
            language: UNDECLARED,
            path: 0,
        };
        self.open.last().copied().unwrap_or(nothing)
    }

    /// Whether what comes next stands in the head itself.
    fn is_in_head(&self) -> bool {
        self.open.last().is_some_and(|open| open.tag == Tag::Head)
    }

    /// Ends a head that was not closed: what does not belong there begins the body.
    fn end_head(&mut self) {
        if self.is_in_head() {
            self.open.pop();
            self.head_is_over = true;
        }
    }

    /// Closes an element that so many others stand in. A link that was not closed ends with its cell.
    fn close(&mut self, tag: Tag, others: usize) {
        self.open.truncate(self.open.len() - others - 1);
        let is_of_table = matches!(tag, Tag::Cell | Tag::Row | Tag::Table);
        if is_of_table && self.open.len() <= self.anchor_depth {
            self.end_anchor();
        }
    }

    fn read_text(&mut self, text: &str, kind: TextKind) {
        let top = self.top();
        if !top.hidden {
            let has_references = kind == TextKind::Plain && memchr(b'&', text.as_bytes()).is_some();
            let text = if has_references { htmlize::unescape(text) } else { text.into() };
            return self.show(&text);
        }
        if top.noscript && self.noscript.len() < MOST_NOSCRIPT {
            let shown = htmlize::unescape(text);
            collapse(shown.trim_ascii(), &mut self.noscript);
            self.noscript.push('\n');
        }
        if let Some(anchor) = self.anchor {
            self.describe(anchor, text);
        }
    }

    /// Adds a name to the sequence of tags, and says whose it is.
    fn note_name(&mut self, name: &str) -> Tag {
        let tags = &mut self.document.tags;
        let from = tags.len();
        tags.extend_from_slice(name.as_bytes());
        let name = &mut tags[from..];
        name.make_ascii_lowercase();
        let tag = Tag::named(name);
        tags.push(b' ');
        tag
    }

    fn push(&mut self, tag: Tag, attributes: &[Attribute]) {
        if self.open.len() == MAX_DEPTH {
            self.too_deep += 1;
            return;
        }
        let around = self.top();
        let language = match value(attributes, "lang").or_else(|| value(attributes, "xml:lang")) {
            Some(tag) if !tag.trim().is_empty() => self.language(tag.trim()),
            _ => around.language,
        };
        let is_whole = matches!(tag, Tag::Html | Tag::Body);
        if is_whole && language != UNDECLARED && self.document.html_lang.is_none() {
            self.document.html_lang = Some(self.document.languages[language as usize].0);
        }
        // A page that hides all of itself is shown by its scripts.
        let hidden = tag.is_hidden() || !is_whole && attributes.iter().any(hides);
        // The body is shown even if the head was never closed.
        let inherits = around.hidden && tag != Tag::Body;
        let noscript = tag == Tag::Noscript || around.noscript && !tag.is_hidden();
        let code = tag.is_code() || around.code;
        let region = Region::of(tag).unwrap_or(around.region);
        let hidden = hidden || inherits;
        self.open.push(Open { tag, region, hidden, noscript, code, language, path: 0 });
        if tag == Tag::Body && self.open.iter().any(|open| open.tag == Tag::Head) {
            self.open.retain(|open| open.tag != Tag::Head);
        }
    }

    /// The number of a declared language.
    fn language(&mut self, tag: &str) -> u16 {
        let values = &self.document.values;
        let known = self.document.languages.iter().position(|(known, _)| known.of(values) == tag);
        if let Some(number) = known {
            return number as u16;
        }
        if self.document.languages.len() == MAX_LANGUAGES {
            return UNDECLARED;
        }
        let span = self.keep(tag);
        self.document.languages.push((span, 0));
        (self.document.languages.len() - 1) as u16
    }

    fn close_implied(&mut self, tag: Tag) {
        if tag == Tag::A {
            self.end_anchor();
        }
        let Some((closed, walls)) = tag.closes() else { return };
        let above = self.open.iter().rev().take(LOOK_BACK);
        let found =
            above.take_while(|open| !walls.contains(&open.tag)).position(|open| open.tag == closed);
        if let Some(up) = found {
            self.close(closed, up);
        }
    }

    /// What the start tag itself says.
    fn read(&mut self, tag: Tag, attributes: &[Attribute]) {
        match tag {
            Tag::A => {
                let href = value(attributes, "href").or_else(|| value(attributes, "xlink:href"));
                if let Some(href) = href {
                    self.link(LinkKind::Anchor, href, attributes);
                    self.anchor = Some(self.document.links.len() - 1);
                    self.anchor_depth = self.open.len();
                }
            }
            Tag::Area => {
                self.signs.map = true;
                if let Some(href) = value(attributes, "href") {
                    self.link(LinkKind::Area, href, attributes);
                }
            }
            Tag::Frame | Tag::Iframe => {
                let kind = if tag == Tag::Frame { LinkKind::Frame } else { LinkKind::Iframe };
                match kind {
                    LinkKind::Frame => self.signs.frames = true,
                    _ => self.signs.see_inner_frame(attributes),
                }
                if let Some(source) = value(attributes, "src") {
                    self.link(kind, source, attributes);
                }
            }
            Tag::Frameset => self.signs.frames = true,
            Tag::Img => self.image(attributes),
            Tag::Object | Tag::Embed | Tag::Param => self.signs.see_object(attributes),
            Tag::Base if self.document.base.is_none() => {
                if let Some(href) = value(attributes, "href") {
                    self.document.base = Some(self.keep_decoded(href));
                }
            }
            Tag::Link => self.head_link(attributes),
            Tag::Meta => self.meta(attributes),
            Tag::Title => {
                self.in_title = self.document.title.is_empty() && self.open_hidden_alike();
            }
            _ => {}
        }
    }

    /// A title belongs to the page unless it stands inside a drawing.
    fn open_hidden_alike(&self) -> bool {
        !self.open.iter().rev().take(LOOK_BACK).any(|open| open.tag == Tag::Hidden)
    }

    fn link(&mut self, kind: LinkKind, href: &str, attributes: &[Attribute]) {
        let href = self.keep_decoded(href.trim_matches([' ', '\t', '\n', '\r', '\x0c']));
        let mut keep = |name| value(attributes, name).map(|value| self.keep_decoded(value));
        let rel = keep("rel").unwrap_or_default();
        let hreflang = keep("hreflang").unwrap_or_default();
        let alt = keep("alt").or_else(|| keep("aria-label"));
        let tooltip = if alt.is_none() { keep("title") } else { None };
        self.has_tooltip = tooltip.is_some();
        let alt = alt.or(tooltip).unwrap_or_default();
        let here = Span::new(self.document.text.len(), self.document.text.len());
        let (region, depth, path) = (self.top().region, self.open.len() as u16, self.path());
        let link = Link { kind, region, depth, href, anchor: here, alt, rel, hreflang, path };
        self.document.links.push(link);
    }

    /// The number of the path to what is open.
    fn path(&mut self) -> u32 {
        let known = self.open.iter().rposition(|open| open.path != 0);
        let mut path = known.map_or(0, |at| self.open[at].path);
        for open in &mut self.open[known.map_or(0, |at| at + 1)..] {
            let next = self.document.paths.len() as u32 + 1;
            let number = *self.paths.entry((path, open.tag)).or_insert(next);
            if number == next {
                self.document.paths.push((path, open.tag));
            }
            open.path = number;
            path = number;
        }
        path
    }

    /// Words of an anchor that are not shown, inside a drawing or for those without scripts, stand for one without others.
    fn describe(&mut self, anchor: usize, raw: &str) {
        let words = raw.trim_ascii();
        if !words.is_empty() && self.document.links[anchor].alt.is_empty() {
            self.document.links[anchor].alt = self.keep_decoded(words);
        }
    }

    fn end_anchor(&mut self) {
        self.anchor = None;
    }

    fn image(&mut self, attributes: &[Attribute]) {
        if let Some(source) = value(attributes, "src") {
            let source = self.keep_decoded(source);
            self.document.images.push(source);
        }
        self.signs.map |= ["usemap", "ismap"].iter().any(|map| value(attributes, map).is_some());
        if let (Some(anchor), Some(alt)) = (self.anchor, value(attributes, "alt"))
            && (self.document.links[anchor].alt.is_empty() || self.has_tooltip)
            && !alt.trim().is_empty()
        {
            self.document.links[anchor].alt = self.keep_decoded(alt);
            self.has_tooltip = false;
        }
    }

    fn read_title(&mut self, text: &str) {
        let title = htmlize::unescape(text);
        let from = self.document.values.len();
        collapse(title.trim_ascii(), &mut self.document.values);
        self.document.title = Span::new(from, self.document.values.len());
    }

    /// Adds to the visible text.
    fn show(&mut self, text: &str) {
        let before = self.document.text.len();
        self.space |= text.starts_with(|c: char| c.is_ascii_whitespace());
        let shown = text.trim_ascii();
        if shown.is_empty() {
            return;
        }
        let in_block = self.document.text.len() > self.block_from;
        if in_block && self.space {
            self.document.text.push(' ');
        }
        let from = self.document.text.len();
        collapse(shown, &mut self.document.text);
        self.space = text.ends_with(|c: char| c.is_ascii_whitespace());
        self.attribute(from, before);
    }

    /// Counts what was added for the anchor and for the declared language.
    fn attribute(&mut self, from: usize, before: usize) {
        let to = self.document.text.len();
        if let Some(anchor) = self.anchor {
            let span = &mut self.document.links[anchor].anchor;
            if span.is_empty() {
                span.from = from as u32;
            }
            span.to = to as u32;
            self.block_linked += (to - before) as u32;
        }
        if self.top().code {
            self.document.add_code(before, to);
        }
        let language = self.top().language as usize;
        if let Some((_, bytes)) = self.document.languages.get_mut(language) {
            *bytes += (to - before) as u64;
        }
    }

    fn end_block(&mut self) {
        let to = self.document.text.len();
        self.space = false;
        if to > self.block_from {
            let text = Span::new(self.block_from, to);
            let block = Block { text, linked: self.block_linked, region: self.top().region };
            self.document.blocks.push(block);
            self.document.text.push('\n');
            self.block_from = to + 1;
            self.block_linked = 0;
        }
    }

    /// Shows what readers without scripts see.
    fn show_noscript(&mut self) {
        self.open.clear();
        self.anchor = None;
        for piece in std::mem::take(&mut self.noscript).lines().filter(|piece| !piece.is_empty()) {
            let from = self.document.text.len();
            self.document.text.push_str(piece);
            self.attribute(from, from);
            self.end_block();
        }
    }

    /// Keeps a string as it is.
    fn keep(&mut self, value: &str) -> Span {
        let from = self.document.values.len();
        self.document.values.push_str(value);
        Span::new(from, self.document.values.len())
    }

    /// Keeps the value of an attribute, its character references resolved.
    fn keep_decoded(&mut self, raw: &str) -> Span {
        self.keep(&decoded_attribute(raw))
    }

    fn finish(mut self) -> Document {
        self.end_block();
        if self.document.text.len() < HARDLY_ANY && self.noscript.len() >= LONG_NOSCRIPT {
            self.show_noscript();
        }
        self.document.gateway = self.signs.gateway(&self.document);
        self.document
    }
}

fn decoded_attribute(raw: &str) -> Cow<'_, str> {
    match memchr(b'&', raw.as_bytes()) {
        Some(_) => htmlize::unescape_attribute(raw),
        None => Cow::Borrowed(raw),
    }
}

/// The value of the first attribute with this name.
fn value<'h>(attributes: &[Attribute<'h>], name: &str) -> Option<&'h str> {
    let mut found = attributes.iter().filter(|attribute| attribute.name.eq_ignore_ascii_case(name));
    found.next().map(|attribute| attribute.value)
}

/// Whether a style says `display: none`.
fn is_not_displayed(style: &str) -> bool {
    style.split(';').filter_map(|rule| rule.split_once(':')).any(|(name, value)| {
        let begins = |with: &str| {
            let value = value.trim_start().get(..with.len());
            value.is_some_and(|value| value.eq_ignore_ascii_case(with))
        };
        let is = |of: &str| name.trim().eq_ignore_ascii_case(of);
        is("display") && begins("none") || is("visibility") && begins("hidden")
    })
}

/// Whether an attribute keeps its element from being shown.
pub(super) fn hides(attribute: &Attribute) -> bool {
    let Attribute { name, value } = attribute;
    match name.len() {
        6 => name.eq_ignore_ascii_case("hidden"),
        5 if name.eq_ignore_ascii_case("style") => is_not_displayed(value),
        _ => false,
    }
}
