//! What a record says of itself.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::memchr;

use super::arc;
use crate::index::Timestamp;
use crate::problem::Defect;

/// What a record is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// About the file.
    Warcinfo,
    /// What a server answered, with its HTTP head. ARC records are responses too, and need not have one.
    Response,
    /// A document without an HTTP head.
    Resource,
    /// What a server was asked.
    Request,
    /// About another record.
    Metadata,
    /// A capture whose content was the same as an earlier one's.
    Revisit,
    /// Another record in another form: the text of a page, say.
    Conversion,
    /// The rest of a record.
    Continuation,
    /// The first record of an ARC file, about the file.
    ArcHeader,
    /// Anything else, in lower case; empty if the record does not say.
    Other(String),
}

impl Default for Kind {
    fn default() -> Kind {
        Kind::Other(String::new())
    }
}

impl Kind {
    fn named(name: &str) -> Kind {
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "warcinfo" => Kind::Warcinfo,
            "response" => Kind::Response,
            "resource" => Kind::Resource,
            "request" => Kind::Request,
            "metadata" => Kind::Metadata,
            "revisit" => Kind::Revisit,
            "conversion" => Kind::Conversion,
            "continuation" => Kind::Continuation,
            _ => Kind::Other(name),
        }
    }

    /// Its name in a `WARC-Type` header; `arc_header` for what begins an ARC file.
    pub fn name(&self) -> &str {
        match self {
            Kind::Warcinfo => "warcinfo",
            Kind::Response => "response",
            Kind::Resource => "resource",
            Kind::Request => "request",
            Kind::Metadata => "metadata",
            Kind::Revisit => "revisit",
            Kind::Conversion => "conversion",
            Kind::Continuation => "continuation",
            Kind::ArcHeader => "arc_header",
            Kind::Other(name) => name,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The head of a record: its kind and its headers.
///
/// The line before an ARC record is given as the headers that a WARC record would have, with the date as
/// it stands there (14 digits) and the *content's* type, where a WARC response has `application/http`.
#[derive(Clone, Debug, Default)]
pub struct Head {
    kind: Kind,
    version: String,
    url: Option<String>,
    /// All names and values, one after the other.
    text: String,
    fields: Vec<Field>,
}

#[derive(Clone, Debug)]
struct Field {
    name: Range<usize>,
    value: Range<usize>,
}

impl Head {
    /// What the record is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The format and its version: `WARC/1.0`, `ARC/1`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the record is about. Without the angle brackets that Wget put around URLs, and with `%20` for
    /// the spaces that others left in them; [`Head::get`] has it as it stands there.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// When it was captured, as it stands there.
    pub fn date(&self) -> Option<&str> {
        self.get("WARC-Date")
    }

    /// When it was captured, in UTC, as 14 digits, `20240523143003`; a short date is filled up with the first there is,
    /// and a thirteenth month or a thirty-second day is no date.
    pub fn timestamp(&self) -> Option<String> {
        let date = self.date()?;
        let digits = || date.chars().filter(char::is_ascii_digit).take(14).collect::<String>();
        let moment = Timestamp::parse(date).or_else(|| Timestamp::parse(&digits()));
        moment.filter(|moment| moment.is_possible()).map(|moment| moment.to_string())
    }

    /// The record's own name, without angle brackets: `urn:uuid:…`.
    pub fn id(&self) -> Option<&str> {
        self.get("WARC-Record-ID").map(bare)
    }

    /// How long the block should be.
    pub fn content_length(&self) -> Option<u64> {
        self.get("Content-Length")?.parse().ok()
    }

    /// The type of the block; of the content in an ARC file.
    pub fn content_type(&self) -> Option<&str> {
        self.get("Content-Type")
    }

    /// Why the block is not all there was, if it is not: `length`, `time`, `disconnect`.
    pub fn truncated(&self) -> Option<&str> {
        self.get("WARC-Truncated")
    }

    /// The digest of the content: `sha1:…`.
    pub fn payload_digest(&self) -> Option<&str> {
        self.get("WARC-Payload-Digest")
    }

    /// The digest of the block: `sha1:…`.
    pub fn block_digest(&self) -> Option<&str> {
        self.get("WARC-Block-Digest")
    }

    /// The record that a revisit or a conversion is about, without angle brackets.
    pub fn refers_to(&self) -> Option<&str> {
        self.get("WARC-Refers-To").map(bare)
    }

    /// The URL of the capture that a revisit repeats.
    pub fn refers_to_url(&self) -> Option<&str> {
        self.get("WARC-Refers-To-Target-URI").map(bare)
    }

    /// The date of the capture that a revisit repeats.
    pub fn refers_to_date(&self) -> Option<&str> {
        self.get("WARC-Refers-To-Date")
    }

    /// In what way a revisit repeats another capture: a URL.
    pub fn profile(&self) -> Option<&str> {
        self.get("WARC-Profile")
    }

    /// The server's address.
    pub fn ip(&self) -> Option<&str> {
        self.get("WARC-IP-Address")
    }

    /// The first header of this name, in any case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.headers().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// All headers with their names, in the order they stand there.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields
            .iter()
            .map(|field| (&self.text[field.name.clone()], &self.text[field.value.clone()]))
    }

    /// Whether the record is of an ARC file.
    pub fn is_arc(&self) -> bool {
        self.version.starts_with("ARC/")
    }

    /// Reads the head of a WARC record: its first line and all others, the empty one excepted. Says what is
    /// wrong with it.
    pub(super) fn read_warc(&mut self, head: &[u8]) -> Vec<Defect> {
        let mut defects = Vec::new();
        self.clear();
        let mut lines = Lines(head);
        let version = lines.next().unwrap_or_default();
        self.version.push_str(&decoded(version.trim_ascii()));
        for line in lines {
            if matches!(line, [b' ' | b'\t', ..]) {
                self.fold(line);
            } else if let Some(colon) = memchr(b':', line) {
                self.push(line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
            } else if defects.is_empty() {
                let start = &line[..line.len().min(60)];
                let start = decoded(start.trim_ascii_end()).into_owned();
                defects.push(Defect::NotAHeader(start));
            }
        }
        self.kind = Kind::named(self.get("WARC-Type").unwrap_or_default());
        self.url = self.get("WARC-Target-URI").map(tidy_url);
        for name in ["WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length"] {
            if self.get(name).is_none() {
                defects.push(Defect::Missing(name));
            }
        }
        defects
    }

    /// Reads the line before an ARC record, with which nothing can be wrong: it would be none.
    pub(super) fn read_arc(&mut self, line: &[u8]) -> Vec<Defect> {
        self.clear();
        let fields = arc::fields(line).unwrap_or_default();
        self.version.push_str(if fields.len() > 5 { "ARC/2" } else { "ARC/1" });
        for (name, value) in fields {
            self.push(name.as_bytes(), value);
        }
        self.url = self.get("WARC-Target-URI").map(tidy_url);
        let is_about_file = self.url().is_some_and(|url| url.starts_with("filedesc:"));
        self.kind = if is_about_file { Kind::ArcHeader } else { Kind::Response };
        Vec::new()
    }

    fn clear(&mut self) {
        self.text.clear();
        self.fields.clear();
        self.version.clear();
    }

    fn push(&mut self, name: &[u8], value: &[u8]) {
        let start = self.text.len();
        self.text.push_str(&decoded(name));
        let colon = self.text.len();
        self.text.push_str(&decoded(value));
        self.fields.push(Field { name: start..colon, value: colon..self.text.len() });
    }

    /// A line that goes on with the value before it. That value is the last thing in `text`.
    fn fold(&mut self, line: &[u8]) {
        if let Some(field) = self.fields.last_mut() {
            if !field.value.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(&decoded(line.trim_ascii()));
            field.value.end = self.text.len();
        }
    }
}

/// Headers should be UTF-8. What is not was Latin-1 when it was written, most of the time.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// The lines of a head, without the bytes that end them.
pub(crate) struct Lines<'b>(pub &'b [u8]);

impl<'b> Iterator for Lines<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        if self.0.is_empty() {
            return None;
        }
        let end = memchr(b'\n', self.0);
        let (line, rest) = match end {
            Some(end) => (&self.0[..end], &self.0[end + 1..]),
            None => (self.0, &[][..]),
        };
        self.0 = rest;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// Without the angle brackets around it.
fn bare(text: &str) -> &str {
    text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text)
}

fn tidy_url(url: &str) -> String {
    bare(url).replace(' ', "%20")
}
