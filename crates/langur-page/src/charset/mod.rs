//! From bytes to text: which charset a page is in.
//!
//! [`decide`] collects what is said about the charset (byte order mark, HTTP, META, XML declaration)
//! and what the bytes say themselves, keeps all of it as evidence, and chooses: what is said, in the
//! order of browsers, unless the bytes contradict it. The page is read as bytes only; text is made
//! once, by [`Decoding::decode`], and never stored.

mod detect;
mod distinct;
mod escapes;
mod frequency;
mod legacy;
mod legacy_tables;
mod meta;
mod multibyte;
mod name;
mod singlebyte;
#[cfg(test)]
mod tests;
mod wide;

pub use name::Charset;

use detect::{Ranking, rank, read_as};
use encoding_rs::{
    Encoding, GB18030, ISO_2022_JP, ISO_8859_2, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252,
    WINDOWS_1254,
};
use multibyte::Reading;
use std::borrow::Cow;

/// Which charset a page is in, and why.
#[derive(Clone, Debug)]
pub struct Decoding {
    /// The charset to decode the page with.
    pub charset: Charset,
    /// All that was said and found, in the order of browsers.
    pub evidence: Vec<CharsetEvidence>,
    /// Whether the label a browser would have followed gives another text, or none is a charset's.
    pub mislabelled: bool,
}

/// One thing that was said or found about the charset of a page.
#[derive(Clone, Debug)]
pub struct CharsetEvidence {
    /// Who says it.
    pub source: Source,
    /// As it was found: a label in the page's own words, or the name of what was detected.
    pub label: String,
    /// The charset it names, if it names one.
    pub charset: Option<Charset>,
    /// Whether the bytes are text in that charset, a few broken ones apart.
    pub fits: bool,
    /// How sure the detection is, from 0 to 1; labels do not say.
    pub certainty: Option<f32>,
}

/// Who says what charset a page is in, in the order of browsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The byte order mark.
    Bom,
    /// The `Content-Type` of the response.
    Http,
    /// A META element of the page.
    Meta,
    /// The XML declaration.
    Xml,
    /// The bytes themselves: UTF-8, escapes, zeros or statistics.
    Detected,
    /// Nobody; any would do, since the page is ASCII.
    Fallback,
}

impl Source {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Source::Bom => "bom",
            Source::Http => "http",
            Source::Meta => "meta",
            Source::Xml => "xml",
            Source::Detected => "detected",
            Source::Fallback => "fallback",
        }
    }
}

impl Decoding {
    /// The page as text, without its byte order mark. Borrowed when it is UTF-8 already.
    pub fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        let mark = bom(bytes).filter(|(charset, _)| charset.reads_like(self.charset));
        self.charset.decode(&bytes[mark.map_or(0, |(_, length)| length)..])
    }

    /// The encoding that queries of the page's links are written in.
    pub fn encoding(&self) -> &'static Encoding {
        self.charset.encoding()
    }
}

/// Chooses the charset of a page from its bytes and the `Content-Type` it came with.
pub fn decide(bytes: &[u8], content_type: Option<&str>) -> Decoding {
    let declared = meta::scan(bytes);
    let in_script = declared.in_script;
    let mut claims = claims(bytes, content_type, declared);
    let found = Found::of(bytes, &claims);
    if in_script {
        // Browsers believe it, but nobody said it of this page.
        claims.retain(|claim| claim.source != Source::Meta || found.agrees(claim.charset));
    }
    // A page may say the same thousands of times, and need not be read for each.
    let mut known: Vec<(Charset, bool)> = Vec::new();
    for claim in &mut claims {
        let Some(charset) = claim.charset else { continue };
        let before = known.iter().find(|(of, _)| *of == charset).map(|(_, fits)| *fits);
        claim.fits = before.unwrap_or_else(|| found.fits(bytes, charset));
        if before.is_none() {
            known.push((charset, claim.fits));
        }
    }
    let chosen = (claims.iter())
        .filter(|claim| claim.fits || found.is_broken())
        .find_map(|claim| claim.charset.filter(|charset| !found.contradicts(*charset)))
        .unwrap_or_else(|| found.charset());
    // A browser follows the first label that names a charset.
    let followed = claims.iter().find_map(|claim| claim.charset);
    let mislabelled = match followed {
        Some(charset) => !found.reads_same(charset, chosen),
        None => !claims.is_empty() && !matches!(found, Found::Ascii),
    };
    let mut evidence = claims;
    evidence.push(found.evidence());
    Decoding { charset: chosen, evidence, mislabelled }
}

/// What is said about the charset, in the order of browsers.
fn claims(
    bytes: &[u8],
    content_type: Option<&str>,
    declared: meta::Declared,
) -> Vec<CharsetEvidence> {
    let claim = |source, label: String, charset| CharsetEvidence {
        source,
        label,
        charset,
        fits: false,
        certainty: None,
    };
    let mut claims = Vec::new();
    if let Some((charset, _)) = bom(bytes) {
        claims.push(claim(Source::Bom, charset.name().into(), Some(charset)));
    }
    if let Some(label) = content_type.and_then(|value| meta::charset_in(value.as_bytes())) {
        let charset = Charset::for_label(&label);
        claims.push(claim(Source::Http, label, charset));
    }
    for (source, label) in (declared.meta.into_iter().map(|label| (Source::Meta, label)))
        .chain(declared.xml.into_iter().map(|label| (Source::Xml, label)))
    {
        // The label was read as ASCII, so the page cannot be what it says (HTML § 13.2.3.2).
        // A whole Content-Type is a mistake for a charset, but a clear one.
        let charset = Charset::for_label(&label)
            .or_else(|| Charset::for_label(&meta::charset_in(label.as_bytes())?))
            .map(|charset| if charset.is_ascii_compatible() { charset } else { Charset::UTF_8 });
        claims.push(claim(source, label, charset));
    }
    claims
}

/// The charset of a byte order mark, and its length.
fn bom(bytes: &[u8]) -> Option<(Charset, usize)> {
    Some(match bytes {
        [0xef, 0xbb, 0xbf, ..] => (Charset::UTF_8, 3),
        // Before UTF-16, whose mark it begins with: no text begins with U+0000.
        [0xff, 0xfe, 0, 0, ..] => (Charset::UTF_32LE, 4),
        [0, 0, 0xfe, 0xff, ..] => (Charset::UTF_32BE, 4),
        [0xff, 0xfe, ..] => (UTF_16LE.into(), 2),
        [0xfe, 0xff, ..] => (UTF_16BE.into(), 2),
        [0x84, 0x31, 0x95, 0x33, ..] => (GB18030.into(), 4),
        _ => return None,
    })
}

/// What the bytes say.
enum Found {
    /// Nothing but ASCII, which most charsets read alike.
    Ascii,
    /// A charset that shows by its form: UTF-8, UTF-16, UTF-32, or one with escapes.
    Form(Charset),
    /// Statistics.
    Ranking(Box<Ranking>),
}

/// How much better another charset must read before a label that fits is not believed. In bits.
const CONTRADICTION: u64 = 30;
/// And in tenths of a bit for each byte that is not ASCII. Charsets of one script read alike but for
/// a few letters; another script, or two bytes a character, reads shorter by several bits a byte.
const CONTRADICTION_TENTHS: u64 = 8;

/// ISO-8859-1 and windows-1252 are what editors and servers write when nobody chose: against them
/// less is enough, in all and in the letters that are not shared, for the charsets whose pages are
/// labelled so by mistake every day. (Not for Baltic ones: they read Friulian and Sicilian well.)
const DEFAULT_CONTRADICTION: u64 = 14;
const DEFAULT_CONTRADICTION_OWN: u64 = 8;
const LABELLED_BY_DEFAULT: [&Encoding; 3] = [WINDOWS_1250, ISO_8859_2, WINDOWS_1254];

impl Found {
    fn of(bytes: &[u8], claims: &[CharsetEvidence]) -> Found {
        if let Some((charset, _)) = bom(bytes)
            && !charset.is_ascii_compatible()
        {
            return Found::Form(charset);
        }
        let escaped = memchr::memchr3(0x1b, 0x0e, b'~', bytes).is_some();
        if escaped && let Some(charset) = escapes::detect(bytes, detect::multibyte_tables) {
            return Found::Form(charset);
        }
        let valid = Encoding::utf8_valid_up_to(bytes);
        let has_zero = memchr::memchr(0, bytes).is_some();
        if (has_zero || valid < bytes.len())
            && let Some(charset) = wide::detect(bytes)
        {
            return Found::Form(charset);
        }
        if valid == bytes.len() {
            return match bytes.is_ascii() {
                true => Found::Ascii,
                // A word or two of Chinese may look like UTF-8 by chance; then the label counts.
                false if is_brief_double_byte(bytes, claims) => {
                    Found::Ranking(Box::new(rank(bytes)))
                }
                false => Found::Form(Charset::UTF_8),
            };
        }
        if wide::is_damaged_utf_8(&wide::read_utf_8(bytes)) {
            return Found::Form(Charset::UTF_8);
        }
        Found::Ranking(Box::new(rank(bytes)))
    }

    fn charset(&self) -> Charset {
        match self {
            Found::Ascii => Charset::UTF_8,
            Found::Form(charset) => *charset,
            Found::Ranking(ranking) => ranking.best().charset,
        }
    }

    fn evidence(&self) -> CharsetEvidence {
        let (source, certainty) = match self {
            Found::Ascii => (Source::Fallback, None),
            Found::Form(_) => (Source::Detected, Some(1.0)),
            Found::Ranking(ranking) => (Source::Detected, Some(ranking.certainty())),
        };
        let charset = self.charset();
        CharsetEvidence {
            source,
            label: charset.name().into(),
            charset: Some(charset),
            fits: true,
            certainty,
        }
    }

    /// Whether the bytes are text in a charset.
    fn fits(&self, bytes: &[u8], charset: Charset) -> bool {
        match self {
            Found::Ascii => charset.is_ascii_compatible(),
            Found::Form(found) if found.reads_like(charset) => true,
            Found::Form(found) if !found.is_ascii_compatible() => false,
            _ if !charset.is_ascii_compatible() => false,
            Found::Ranking(ranking) if charset != Charset::UTF_8 => match ranking.of(charset) {
                Some(ranked) => ranked.reading.fits(),
                None => read_as(bytes, charset).fits(),
            },
            _ => read_as(bytes, charset).fits(),
        }
    }

    /// Whether the bytes are no text in any charset: pages are patched together from several. Then
    /// a label is as good as statistics.
    fn is_broken(&self) -> bool {
        matches!(self, Found::Ranking(ranking) if !ranking.best().reading.fits())
    }

    /// Whether the bytes speak against a charset though they are valid in it.
    fn contradicts(&self, charset: Charset) -> bool {
        match self {
            Found::Ascii => false,
            Found::Form(found) => !found.reads_like(charset),
            Found::Ranking(ranking) => {
                let Some(said) = ranking.of(charset) else { return false };
                let best = ranking.best();
                let excess = said.bits.saturating_sub(best.bits);
                let by_default = charset.is(WINDOWS_1252)
                    && LABELLED_BY_DEFAULT.iter().any(|encoding| best.charset.is(encoding));
                let (enough, enough_own) = match by_default {
                    true => (DEFAULT_CONTRADICTION, DEFAULT_CONTRADICTION_OWN),
                    false => (CONTRADICTION, CONTRADICTION),
                };
                excess > enough
                    && excess * 10 > CONTRADICTION_TENTHS * ranking.high()
                    // Else the languages differ, not the charsets.
                    && ranking.excess(said, best) > enough_own as i64
            }
        }
    }

    /// Whether the bytes alone give the text that a charset gives.
    fn agrees(&self, charset: Option<Charset>) -> bool {
        charset.is_some_and(|charset| self.reads_same(charset, self.charset()))
    }

    fn reads_same(&self, said: Charset, chosen: Charset) -> bool {
        match self {
            Found::Ascii => said.is_ascii_compatible() == chosen.is_ascii_compatible(),
            Found::Form(_) => said.reads_like(chosen),
            Found::Ranking(ranking) => ranking.difference(said, chosen) == 0,
        }
    }
}

/// At most two characters of UTF-8, in a page said to be in a charset of two bytes a character.
fn is_brief_double_byte(bytes: &[u8], claims: &[CharsetEvidence]) -> bool {
    let said = claims.iter().find_map(|claim| claim.charset);
    let Some(said) = said.filter(|said| !said.is(ISO_2022_JP)) else { return false };
    detect::multibyte_tables().iter().any(|table| table.charset.reads_like(said))
        && wide::read_utf_8(bytes).characters <= 2
        && {
            let reading: Reading = read_as(bytes, said);
            reading.odd == 0 && reading.bits <= 12 * reading.characters
        }
}
