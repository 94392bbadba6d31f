//! What an index knows of one capture.

use langur_page::canon::archive::cdx_key;
use serde_json::{Map, Value};

use super::Timestamp;

/// What an index knows of one capture: a page as it was at one moment, and where it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// What the index is sorted by: the URL in the form of the Internet Archive, its host reversed.
    pub key: String,
    /// When it was made.
    pub timestamp: Timestamp,
    /// The URL as it was asked for.
    pub url: String,
    /// The media type; `warc/revisit` if the content is that of another capture.
    pub mime: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The digest of the content, as the index writes it.
    pub digest: Option<String>,
    /// Where it redirects to.
    pub redirect: Option<String>,
    /// The archive it is kept in.
    pub filename: Option<String>,
    /// Where its record begins in the archive.
    pub offset: Option<u64>,
    /// How long its record is in the archive, compressed.
    pub length: Option<u64>,
    /// Whatever else the index says.
    pub more: Map<String, Value>,
}

/// Where the record of a capture lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace<'a> {
    /// The archive.
    pub filename: &'a str,
    /// Where the record begins.
    pub offset: u64,
    /// How long it is, compressed, where the index says so.
    pub length: Option<u64>,
}

impl Capture {
    /// A capture of which only URL and time are known so far.
    pub fn new(url: &str, timestamp: Timestamp) -> Capture {
        Capture {
            key: cdx_key(url),
            timestamp,
            url: url.to_owned(),
            mime: None,
            status: None,
            digest: None,
            redirect: None,
            filename: None,
            offset: None,
            length: None,
            more: Map::new(),
        }
    }

    /// Where its record lies; `None` if the index does not say, as those of archives kept in other
    /// ways do not.
    pub fn place(&self) -> Option<RecordPlace<'_>> {
        Some(RecordPlace {
            filename: self.filename.as_deref()?,
            offset: self.offset?,
            length: self.length,
        })
    }

    /// Whether its content is that of another capture with the same digest.
    pub fn is_revisit(&self) -> bool {
        self.mime.as_deref() == Some("warc/revisit")
    }

    /// The order of captures with the same key.
    #[cfg(feature = "store")]
    pub(super) fn order(&self) -> (Timestamp, &str, Option<&str>, Option<u64>) {
        (self.timestamp, &self.url, self.filename.as_deref(), self.offset)
    }
}

/// The URL, without its scheme, that a key was made of: `com,example)/a` becomes `example.com/a`.
pub(super) fn plain_key(key: &str) -> Option<String> {
    let (host, path) = key.split_once(')')?;
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) => (host, format!(":{port}")),
        None => (host, String::new()),
    };
    let labels: Vec<&str> = host.rsplit(',').collect();
    Some(format!("{}{port}{path}", labels.join(".")))
}

/// Which of the captures stands nearest to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Near {
    /// The nearest, before or after. Of two equally near, the earlier.
    #[default]
    Either,
    /// The last one that is not later.
    NotAfter,
}

/// The capture nearest to a moment, as replay chooses it. Of captures of the same second, the first.
pub fn closest(captures: &[Capture], at: Timestamp, near: Near) -> Option<&Capture> {
    let allowed = |capture: &&Capture| near == Near::Either || capture.timestamp <= at;
    let distance = |capture: &&Capture| (capture.timestamp.distance(at), capture.timestamp);
    captures.iter().filter(allowed).min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(captures: &[&str], at: &str, near: Near, expected: Option<&str>) {
        let timestamp = |text: &str| Timestamp::parse(text).expect("a timestamp");
        let captures: Vec<Capture> =
            captures.iter().map(|at| Capture::new("http://a/", timestamp(at))).collect();
        let found = closest(&captures, timestamp(at), near);
        assert_eq!(found.map(|found| found.timestamp), expected.map(timestamp), "{at}");
    }

    #[test]
    fn the_closest_is_exact_or_nearest_or_not_after() {
        let all = ["2010", "2014", "20150101", "20150103"];
        check(&all, "2014", Near::Either, Some("2014"));
        check(&all, "20141230", Near::Either, Some("20150101"));
        check(&all, "20150102", Near::Either, Some("20150101"));
        check(&all, "2030", Near::Either, Some("20150103"));
        check(&all, "20141230", Near::NotAfter, Some("2014"));
        check(&all, "2009", Near::NotAfter, None);
        check(&all, "2009", Near::Either, Some("2010"));
        check(&[], "2009", Near::Either, None);
    }

    #[test]
    fn a_key_becomes_a_plain_one() {
        assert_eq!(plain_key("com,example)/?a=(b)").as_deref(), Some("example.com/?a=(b)"));
        assert_eq!(plain_key("th,co,a:81)/").as_deref(), Some("a.co.th:81/"));
        assert_eq!(plain_key("dns:a"), None);
    }
}
