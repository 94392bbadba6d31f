//! HTML as a stream of tags and text.
//!
//! The tokenization of the HTML standard (section 13.2.5), as far as it decides where tags, their
//! attributes and text begin and end; comments and doctypes are passed over. Everything is a slice of
//! the input, nothing is copied, and every byte is looked at a bounded number of times, so that no
//! page, however broken, costs more than time in proportion to its length.
//!
//! It is written by hand because the pass is mostly skipping: `memchr` finds the next `<` at many
//! times the speed of a state machine that steps from byte to byte (docs/decisions/0007). It is held
//! to what html5gum makes of the same bytes, on the html5lib suite, real pages and random ones.
//!
//! Two differences are on purpose: `noscript` and `noframes` hold ordinary markup, since a crawler
//! runs no scripts and shows no frames, and what they hold is meant for it.

use memchr::{memchr, memmem};

/// Receives the tags and text of a page in the order of the document.
pub trait Sink<'h> {
    /// `<name attribute=value …>`. Names are as written, not in lower case; values still hold their
    /// character references.
    fn start_tag(&mut self, name: &'h str, attributes: &[Attribute<'h>], self_closing: bool);
    /// `</name>`
    fn end_tag(&mut self, name: &'h str);
    /// Text between tags; what is `Plain` still holds its character references.
    fn text(&mut self, text: &'h str, kind: TextKind);
}

/// An attribute as written: its name may be in any case, its value may hold character references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'h> {
    /// The name.
    pub name: &'h str,
    /// The value without its quotes; empty where there is none.
    pub value: &'h str,
}

/// What a run of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Text with character references: ordinary, or in `title` and `textarea`.
    Plain,
    /// The inside of `script`, `style` and the like, in which `&` means itself.
    Raw,
    /// The inside of `xmp` and all behind `plaintext`: text in which `&` and `<` mean themselves.
    Verbatim,
}

/// Takes a page apart.
pub fn tokenize<'h>(html: &'h str, sink: &mut impl Sink<'h>) {
    let mut rest = Tokenizer { html, at: 0, attributes: Vec::new() };
    rest.run(sink);
}

struct Tokenizer<'h> {
    html: &'h str,
    at: usize,
    /// Those of the tag being read; kept to be used again.
    attributes: Vec<Attribute<'h>>,
}

impl<'h> Tokenizer<'h> {
    fn run(&mut self, sink: &mut impl Sink<'h>) {
        let bytes = self.html.as_bytes();
        let mut text_from = 0;
        while let Some(open) = self.next_open() {
            let Some(&next) = bytes.get(open + 1) else { break };
            let is_markup = match next {
                b'/' => bytes.get(open + 2).is_some(),
                b'!' | b'?' => true,
                letter => letter.is_ascii_alphabetic(),
            };
            if !is_markup {
                self.at = open + 1;
                continue;
            }
            self.flush(sink, text_from, open);
            self.at = open + 1;
            match next {
                b'/' => self.end_tag(sink),
                b'!' => self.declaration(),
                b'?' => self.bogus_comment(),
                _ => self.start_tag(sink),
            }
            text_from = self.at;
        }
        self.at = bytes.len();
        self.flush(sink, text_from, bytes.len());
    }

    /// Where the next `<` stands. Tags often follow each other at once.
    fn next_open(&self) -> Option<usize> {
        let rest = &self.html.as_bytes()[self.at..];
        match rest.first() {
            Some(b'<') => Some(self.at),
            _ => memchr(b'<', rest).map(|found| self.at + found),
        }
    }

    fn flush(&self, sink: &mut impl Sink<'h>, from: usize, to: usize) {
        if from < to {
            sink.text(&self.html[from..to], TextKind::Plain);
        }
    }

    /// At the first letter of a name.
    fn start_tag(&mut self, sink: &mut impl Sink<'h>) {
        let name = self.tag_name();
        let Some(self_closing) = self.attributes() else { return };
        sink.start_tag(name, &self.attributes, self_closing);
        match Content::of(name) {
            Content::Markup => {}
            Content::Script => self.script(sink),
            Content::Text(kind) => {
                let end = self.closing_tag(name, self.at).unwrap_or(self.html.len());
                self.inside(sink, end, kind);
            }
            Content::RestOfPage => self.inside(sink, self.html.len(), TextKind::Verbatim),
        }
    }

    fn inside(&mut self, sink: &mut impl Sink<'h>, end: usize, kind: TextKind) {
        if self.at < end {
            sink.text(&self.html[self.at..end], kind);
        }
        self.at = end;
    }

    /// At the slash.
    fn end_tag(&mut self, sink: &mut impl Sink<'h>) {
        let bytes = self.html.as_bytes();
        self.at += 1;
        match bytes[self.at] {
            b'>' => self.at += 1,
            letter if letter.is_ascii_alphabetic() => {
                let name = self.tag_name();
                // Hardly any end tag has more than a name.
                if bytes.get(self.at) == Some(&b'>') {
                    self.at += 1;
                    sink.end_tag(name);
                } else if self.attributes().is_some() {
                    sink.end_tag(name);
                }
            }
            _ => self.bogus_comment(),
        }
    }

    fn tag_name(&mut self) -> &'h str {
        let from = self.at;
        let bytes = &self.html.as_bytes()[from..];
        let len = bytes.iter().position(|&b| is(b, ENDS_TAG_NAME));
        self.at += len.unwrap_or(bytes.len());
        &self.html[from..self.at]
    }

    /// Reads to the end of the tag and says whether it closes itself; `None` where the page ends
    /// before the tag does, which then is no tag.
    fn attributes(&mut self) -> Option<bool> {
        let bytes = self.html.as_bytes();
        self.attributes.clear();
        loop {
            self.skip_spaces();
            match *bytes.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    return Some(false);
                }
                b'/' => {
                    self.at += 1;
                    if bytes.get(self.at) == Some(&b'>') {
                        self.at += 1;
                        return Some(true);
                    }
                }
                _ => {
                    let attribute = self.attribute()?;
                    self.attributes.push(attribute);
                }
            }
        }
    }

    fn attribute(&mut self) -> Option<Attribute<'h>> {
        let bytes = self.html.as_bytes();
        let from = self.at;
        // A name may begin with an equals sign, and with nothing else that ends one.
        let rest = &bytes[from + 1..];
        let len = rest.iter().position(|&b| is(b, ENDS_NAME)).unwrap_or(rest.len());
        self.at = from + 1 + len;
        let name = &self.html[from..self.at];
        self.skip_spaces();
        if bytes.get(self.at) != Some(&b'=') {
            return Some(Attribute { name, value: "" });
        }
        self.at += 1;
        self.skip_spaces();
        let value = match *bytes.get(self.at)? {
            quote @ (b'"' | b'\'') => {
                let from = self.at + 1;
                let len = memchr(quote, &bytes[from..]).or_else(|| self.cut_off())?;
                self.at = from + len + 1;
                &self.html[from..from + len]
            }
            b'>' => "",
            _ => {
                let from = self.at;
                let len = bytes[from..].iter().position(|&b| is(b, ENDS_VALUE));
                self.at += len.or_else(|| self.cut_off())?;
                &self.html[from..self.at]
            }
        };
        Some(Attribute { name, value })
    }

    /// The page ends inside a tag: nothing is left to read.
    fn cut_off<T>(&mut self) -> Option<T> {
        self.at = self.html.len();
        None
    }

    /// At the exclamation mark: a comment, a doctype, or neither.
    fn declaration(&mut self) {
        let bytes = self.html.as_bytes();
        if !bytes[self.at..].starts_with(b"!--") {
            return self.bogus_comment();
        }
        let from = self.at + 3;
        let rest = &bytes[from..];
        if rest.starts_with(b">") {
            self.at = from + 1;
        } else if rest.starts_with(b"->") {
            self.at = from + 2;
        } else {
            self.at = comment_end(bytes, from);
        }
    }

    fn bogus_comment(&mut self) {
        let bytes = self.html.as_bytes();
        self.at = memchr(b'>', &bytes[self.at..]).map_or(bytes.len(), |end| self.at + end + 1);
    }

    /// Where `</name` stands, as a whole name, at `from` or later.
    fn closing_tag(&self, name: &str, mut from: usize) -> Option<usize> {
        let bytes = self.html.as_bytes();
        loop {
            let open = from + memchr(b'<', &bytes[from..])?;
            if is_tag(&bytes[open..], b"</", name) {
                return Some(open);
            }
            from = open + 1;
        }
    }

    /// The inside of a script, in which a comment may hide a script within the script.
    fn script(&mut self, sink: &mut impl Sink<'h>) {
        let bytes = self.html.as_bytes();
        let mut at = self.at;
        let mut hidden = None;
        let end = loop {
            let Some(found) = memchr(b'<', &bytes[at..]) else { break bytes.len() };
            at += found;
            let rest = &bytes[at..];
            hidden = hidden.filter(|hidden: &Hidden| at < hidden.ends);
            if is_tag(rest, b"</", "script") {
                match &mut hidden {
                    Some(hidden) if hidden.nested => hidden.nested = false,
                    _ => break at,
                }
            } else if let Some(hidden) = &mut hidden {
                hidden.nested |= is_tag(rest, b"<", "script");
            } else if rest.starts_with(b"<!--") {
                // The dashes that open may also close: `<!-->` hides nothing.
                let ends = memmem::find(&bytes[at + 2..], b"-->");
                let ends = ends.map_or(bytes.len(), |len| at + 2 + len);
                hidden = Some(Hidden { ends, nested: false });
            }
            at += 1;
        };
        // A page may end inside a hidden script; what stands before is script all the same.
        self.inside(sink, end, TextKind::Raw);
    }

    fn skip_spaces(&mut self) {
        let rest = &self.html.as_bytes()[self.at..];
        self.at += rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len());
    }
}

/// A comment inside a script.
struct Hidden {
    ends: usize,
    /// A `<script>` was opened inside, so that the next `</script>` closes that one.
    nested: bool,
}

/// Where the comment ends whose inside begins at `from`: behind `-->` or `--!>`.
fn comment_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(found) = memmem::find(&bytes[at..], b"--") {
        let mut after = at + found + 2;
        while bytes.get(after) == Some(&b'-') {
            after += 1;
        }
        if bytes.get(after) == Some(&b'>') {
            return after + 1;
        }
        if bytes[after..].starts_with(b"!>") {
            return after + 2;
        }
        at = after;
    }
    bytes.len()
}

/// What a start tag makes of the text that follows it.
enum Content {
    Markup,
    Text(TextKind),
    Script,
    RestOfPage,
}

impl Content {
    fn of(name: &str) -> Content {
        // Most names are ruled out by their first letter and length.
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        match (name.as_bytes()[0] | 0x20, name.len()) {
            (b's', 6) if is("script") => Content::Script,
            (b's', 5) if is("style") => Content::Text(TextKind::Raw),
            (b't', 5) if is("title") => Content::Text(TextKind::Plain),
            (b't', 8) if is("textarea") => Content::Text(TextKind::Plain),
            (b'i', 6) if is("iframe") => Content::Text(TextKind::Raw),
            (b'n', 7) if is("noembed") => Content::Text(TextKind::Raw),
            (b'x', 3) if is("xmp") => Content::Text(TextKind::Verbatim),
            (b'p', 9) if is("plaintext") => Content::RestOfPage,
            _ => Content::Markup,
        }
    }
}

/// Whether `bytes` begin with `open`, the name in any case, and what ends a name.
fn is_tag(bytes: &[u8], open: &[u8], name: &str) -> bool {
    let len = open.len() + name.len();
    bytes.len() > len
        && bytes.starts_with(open)
        && bytes[open.len()..len].eq_ignore_ascii_case(name.as_bytes())
        && (is_space(bytes[len]) || matches!(bytes[len], b'/' | b'>'))
}

/// White space as HTML has it.
pub fn is_space(byte: u8) -> bool {
    is(byte, SPACE)
}

const SPACE: u8 = 1;
const ENDS_TAG_NAME: u8 = 2;
/// Of an attribute.
const ENDS_NAME: u8 = 4;
/// Without quotes.
const ENDS_VALUE: u8 = 8;

/// What each byte means in a tag. Looked up, since it is asked of every byte of every tag.
const MEANINGS: [u8; 256] = {
    let mut meanings = [0; 256];
    let spaces = [b' ', b'\t', b'\n', b'\r', 0x0c];
    let mut at = 0;
    while at < spaces.len() {
        meanings[spaces[at] as usize] = SPACE | ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
        at += 1;
    }
    meanings[b'>' as usize] = ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
    meanings[b'/' as usize] = ENDS_TAG_NAME | ENDS_NAME;
    meanings[b'=' as usize] = ENDS_NAME;
    meanings
};

fn is(byte: u8, meaning: u8) -> bool {
    MEANINGS[usize::from(byte)] & meaning != 0
}
