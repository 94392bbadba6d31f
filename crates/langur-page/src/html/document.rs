//! What a page says, taken from its markup.

use std::borrow::Cow;

use super::boilerplate;
use super::tag::{Region, Tag};

/// A stretch of one of a document's two buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Span {
    pub(super) fn new(from: usize, to: usize) -> Span {
        Span { from: from as u32, to: to as u32 }
    }

    pub(super) fn of(self, buffer: &str) -> &str {
        &buffer[self.from as usize..self.to as usize]
    }

    pub(super) fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// A page taken apart: its links, its text and what its head says. All strings lie in two buffers,
/// the visible text and the values of attributes; links and blocks are stretches of them.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub(super) text: String,
    pub(super) values: String,
    pub(super) title: Span,
    pub(super) base: Option<Span>,
    pub(super) canonical: Option<Span>,
    pub(super) html_lang: Option<Span>,
    pub(super) meta: Meta,
    pub(super) links: Vec<Link>,
    pub(super) images: Vec<Span>,
    pub(super) blocks: Vec<Block>,
    /// The stretches of text that are code.
    pub(super) code: Vec<Span>,
    pub(super) languages: Vec<(Span, u64)>,
    pub(super) paths: Vec<(u32, Tag)>,
    /// Names in lower case, with a space behind each. Text, since names are.
    pub(super) tags: Vec<u8>,
    pub(super) gateway: Option<Gateway>,
    /// Whom META elements ask for something, and what for.
    pub(super) wishes: Vec<(Span, Span)>,
}

/// What the META elements say that concerns a crawler.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meta {
    pub charset: Option<Span>,
    pub description: Option<Span>,
    pub content_language: Option<Span>,
    pub locale: Option<Span>,
    pub refresh: Option<Refresh>,
}

/// `<meta http-equiv=refresh>`: where the page sends its reader, and after how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refresh {
    /// Seconds until then.
    pub after_s: u32,
    pub(super) url: Span,
}

/// A link, with what stands around it.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// What kind of element it is.
    pub kind: LinkKind,
    /// Which part of the page it stands in.
    pub region: Region,
    /// How many elements it stands inside.
    pub depth: u16,
    pub(super) href: Span,
    pub(super) anchor: Span,
    pub(super) alt: Span,
    pub(super) rel: Span,
    pub(super) hreflang: Span,
    pub(super) path: u32,
}

/// The elements that link to other pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// `<a href>`
    Anchor,
    /// `<area href>` of an image map.
    Area,
    /// `<frame src>`
    Frame,
    /// `<iframe src>`
    Iframe,
    /// `<link rel="alternate next prev …" href>`
    Head,
    /// `<meta http-equiv=refresh>`
    Refresh,
}

/// A page that leads to the site's contents and shows next to nothing of them: the reason why the
/// nearest Thai page of S2 is so often two to four links away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gateway {
    /// Made of frames.
    Frames,
    /// A Flash animation.
    Flash,
    /// An image map.
    ImageMap,
    /// Sends its reader on.
    Refresh,
}

/// A stretch of text that stands on its own: a paragraph, a heading, a cell, an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub text: Span,
    /// Bytes of it inside links.
    pub linked: u32,
    pub region: Region,
}

/// Text that is marked as code has at least so many words if it is prose, and in a hundred letters not so many signs
/// of the kind that programs are full of.
const PROSE_WORDS: usize = 8;
const PROSE_SIGNS: usize = 4;

/// The signs that programs are full of, by their bytes.
const SIGNS: [bool; 128] = {
    let (mut signs, all) = ([false; 128], br"{}()[]<>=;$#|&*+\/_~^@%");
    let mut at = 0;
    while at < all.len() {
        signs[all[at] as usize] = true;
        at += 1;
    }
    signs
};

fn is_prose(marked: &str) -> bool {
    let is_long = || marked.split_whitespace().nth(PROSE_WORDS - 1).is_some();
    // Programs are in ASCII, and most of what is marked is a word or two of them.
    if marked.is_ascii() && !is_long() {
        return false;
    }
    let (mut letters, mut foreign, mut signs, mut all) = (0, 0, 0, 0);
    for character in marked.chars().filter(|character| !character.is_whitespace()) {
        all += 1;
        letters += usize::from(character.is_alphabetic());
        foreign += usize::from(!character.is_ascii());
        signs += usize::from(SIGNS.get(character as usize).is_some_and(|is_sign| *is_sign));
    }
    let is_foreign = foreign * 2 > letters;
    is_foreign && letters > 0 || signs * 100 < PROSE_SIGNS * all && is_long()
}

impl Document {
    /// An empty one, with room for what a page of so many bytes mostly holds.
    pub(super) fn with_room(bytes: usize) -> Document {
        let bytes = bytes.min(1 << 20);
        Document {
            text: String::with_capacity(bytes / 3),
            values: String::with_capacity(bytes / 4),
            tags: Vec::with_capacity(bytes / 12),
            links: Vec::with_capacity(bytes >> 8),
            blocks: Vec::with_capacity(bytes >> 8),
            ..Document::default()
        }
    }

    /// The visible text, one block a line, white space collapsed.
    pub fn text(&self) -> &str {
        self.text.trim_end()
    }

    /// The visible text without menus, footers and lists of links, one block a line.
    pub fn main_text(&self) -> String {
        boilerplate::main_text(&self.text, &self.blocks)
    }

    /// Whether there is less text than so many words; no more of it is read than it takes to tell.
    pub(super) fn has_fewer_words_than(&self, limit: usize) -> bool {
        let mut words = 0;
        self.blocks.iter().all(|block| {
            words += boilerplate::words(block.text.of(&self.text));
            words < limit
        })
    }

    /// The visible text without the code in it, which is in no language that people speak. What is marked as code
    /// and does not look like it is no code: mail archives and old pages have all their text in `<pre>`.
    pub fn prose(&self) -> Cow<'_, str> {
        if self.code.is_empty() {
            return Cow::Borrowed(self.text());
        }
        let mut prose = String::with_capacity(self.text.len());
        let mut from = 0;
        for code in self.code.iter().filter(|code| !is_prose(code.of(&self.text))) {
            prose.push_str(&self.text[from..code.from as usize]);
            prose.push(' ');
            from = code.to as usize;
        }
        prose.push_str(&self.text[from..]);
        Cow::Owned(prose)
    }

    pub(super) fn add_code(&mut self, from: usize, to: usize) {
        match self.code.last_mut() {
            Some(last) if last.to as usize == from => last.to = to as u32,
            _ => self.code.push(Span::new(from, to)),
        }
    }

    /// The title; empty where there is none.
    pub fn title(&self) -> &str {
        self.title.of(&self.values)
    }

    /// What `<base href>` says.
    pub fn base(&self) -> Option<&str> {
        self.base.map(|span| span.of(&self.values))
    }

    /// What `<link rel=canonical>` says.
    pub fn canonical(&self) -> Option<&str> {
        self.canonical.map(|span| span.of(&self.values))
    }

    /// The charset that META declares, as written.
    pub fn meta_charset(&self) -> Option<&str> {
        self.meta.charset.map(|span| span.of(&self.values))
    }

    /// What META elements ask of crawlers, and of which: `robots` is all of them. Of the others, those are here that may be
    /// names of crawlers, since they ask for the same.
    pub fn wishes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.wishes.iter().map(|(name, content)| (name.of(&self.values), content.of(&self.values)))
    }

    /// `<meta name=description>`, as written.
    pub fn description(&self) -> Option<&str> {
        self.meta.description.map(|span| span.of(&self.values))
    }

    /// `<meta http-equiv=refresh>` and its URL, which is empty where it only reloads.
    pub fn refresh(&self) -> Option<(Refresh, &str)> {
        self.meta.refresh.map(|refresh| (refresh, refresh.url.of(&self.values)))
    }

    /// `<html lang>`, as written.
    pub fn html_lang(&self) -> Option<&str> {
        self.html_lang.map(|span| span.of(&self.values))
    }

    /// `<meta http-equiv=content-language>`, as written.
    pub fn content_language(&self) -> Option<&str> {
        self.meta.content_language.map(|span| span.of(&self.values))
    }

    /// `<meta property="og:locale">`, as written.
    pub fn locale(&self) -> Option<&str> {
        self.meta.locale.map(|span| span.of(&self.values))
    }

    /// The languages declared by `lang` on elements, as written, with the bytes of visible text that
    /// each covers.
    pub fn declared_languages(&self) -> impl Iterator<Item = (&str, u64)> {
        self.languages.iter().map(|&(tag, bytes)| (tag.of(&self.values), bytes))
    }

    /// The links in the order of the document.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Where a link points, as written.
    pub fn href(&self, link: &Link) -> &str {
        link.href.of(&self.values)
    }

    /// A link's text, or else what stands for its image.
    pub fn anchor(&self, link: &Link) -> &str {
        let anchor = link.anchor.of(&self.text);
        if anchor.is_empty() { link.alt.of(&self.values) } else { anchor }
    }

    /// A link's `rel`, as written.
    pub fn rel(&self, link: &Link) -> &str {
        link.rel.of(&self.values)
    }

    /// A link's `hreflang`, as written.
    pub fn hreflang(&self, link: &Link) -> Option<&str> {
        Some(link.hreflang.of(&self.values)).filter(|tag| !tag.is_empty())
    }

    /// Whether a link's `rel` has `nofollow`.
    pub fn is_nofollow(&self, link: &Link) -> bool {
        self.rel(link).split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("nofollow"))
    }

    /// The text before and behind a link's own, up to so many words on each side, or so many times
    /// six letters where words are not set apart.
    pub fn around(&self, link: &Link, words: usize) -> (&str, &str) {
        let before = &self.text[..link.anchor.from as usize];
        let behind = &self.text[link.anchor.to as usize..];
        (last_words(before, words), first_words(behind, words))
    }

    /// The elements a link stands in, from the outermost: `html/body/ul/li`. Of very many, the innermost.
    pub fn path(&self, link: &Link) -> String {
        let mut names = Vec::new();
        let mut at = link.path;
        while names.len() < DEEPEST_PATH
            && let Some(&(parent, tag)) = (at as usize).checked_sub(1).map(|at| &self.paths[at])
        {
            names.push(tag.name());
            at = parent;
        }
        names.reverse();
        names.join("/")
    }

    /// The sources of the images, in the order of the document.
    pub fn images(&self) -> impl Iterator<Item = &str> {
        self.images.iter().map(|span| span.of(&self.values))
    }

    /// The names of the start tags, in the order of the document, in lower case.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        std::str::from_utf8(&self.tags).unwrap_or_default().split_ascii_whitespace()
    }

    /// What kind of gateway the page is, if it is one.
    pub fn gateway(&self) -> Option<Gateway> {
        self.gateway
    }
}

/// Elements of a path that are told.
const DEEPEST_PATH: usize = 32;

/// About as many bytes as so many words have: they are found without walking all of the text.
const LETTERS: usize = 6;

fn first_words(text: &str, words: usize) -> &str {
    let mut end = 0;
    for (letters, (at, letter)) in text.char_indices().enumerate() {
        if letters > words * LETTERS {
            // Without the word that is cut; where words are not parted, nobody sees the cut.
            let whole = text[..end].rfind(char::is_whitespace);
            return text[..whole.filter(|_| !letter.is_whitespace()).unwrap_or(end)].trim();
        }
        if letter == '\n' && end > 0 {
            break;
        }
        end = at + letter.len_utf8();
    }
    text[..end].trim()
}

fn last_words(text: &str, words: usize) -> &str {
    let mut start = text.len();
    for (letters, (at, letter)) in text.char_indices().rev().enumerate() {
        if letters > words * LETTERS {
            let whole = text[start..].find(char::is_whitespace).map(|space| start + space);
            return text[whole.filter(|_| !letter.is_whitespace()).unwrap_or(start)..].trim();
        }
        if letter == '\n' && start < text.len() {
            break;
        }
        start = at;
    }
    text[start..].trim()
}
