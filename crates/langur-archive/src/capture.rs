//! The page in a record, whatever kind of record it is.

use std::borrow::Cow;

use crate::http::{HttpResponse, Payload};
use crate::records::{Head, Kind};

/// What a record captured of the web: a response, with or without an HTTP head; a resource; a conversion;
/// or a revisit, whose content is in another record.
#[derive(Clone, Debug)]
pub struct Capture<'b> {
    /// Whose content it is.
    pub url: &'b str,
    /// When, as 14 digits.
    pub timestamp: Option<String>,
    /// The status of the response. What is stored without an HTTP head was there when it was stored, so
    /// it counts as 200 if its URL is of the web; other URLs (`dns:`, `metadata:`) have no status.
    pub status: Option<u16>,
    /// The type of the content.
    pub content_type: Option<Cow<'b, str>>,
    /// The HTTP head, if there is one.
    pub http: Option<HttpResponse<'b>>,
    /// The content as it is stored.
    pub body: &'b [u8],
}

impl<'b> Capture<'b> {
    /// What a record with this head and this block captured; nothing if it is of another kind, or about
    /// no URL.
    pub fn of(head: &'b Head, block: &'b [u8]) -> Option<Capture<'b>> {
        let has_http_head = match head.kind() {
            Kind::Response | Kind::Revisit => true,
            Kind::Resource | Kind::Conversion => false,
            _ => return None,
        };
        let url = head.url()?;
        let http = if has_http_head { HttpResponse::parse(block) } else { None };
        let is_web = url.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
        let (status, content_type) = match &http {
            Some(http) => {
                let said = http.headers.text("content-type");
                let of_line = head.content_type().filter(|_| head.is_arc());
                let content_type = said.map(|text| Cow::Owned(text.into_owned()));
                (http.status, content_type.or(of_line.map(Cow::Borrowed)))
            }
            None if *head.kind() == Kind::Revisit => (None, None),
            None => (is_web.then_some(200), head.content_type().map(Cow::Borrowed)),
        };
        let body = &block[http.as_ref().map_or(0, |http| http.body_at)..];
        Some(Capture { url, timestamp: head.timestamp(), status, content_type, http, body })
    }

    /// Whether an HTTP head is said to be there, and is not.
    pub fn lacks_http(&self, head: &Head) -> bool {
        let says_so =
            |of: &str| of.trim_start().to_ascii_lowercase().starts_with("application/http");
        let is_response = *head.kind() == Kind::Response && !head.is_arc();
        is_response && self.http.is_none() && head.content_type().is_some_and(says_so)
    }

    /// The content without the codings it was sent in, and `most` bytes of it at most.
    pub fn payload(&self, most: usize) -> Payload<'b> {
        match &self.http {
            Some(http) => http.payload(self.body, most),
            None => {
                let bytes = &self.body[..self.body.len().min(most)];
                let limited = bytes.len() < self.body.len();
                let oddities =
                    if limited { vec![crate::Oddity::Limited(most)] } else { Vec::new() };
                Payload { bytes: Cow::Borrowed(bytes), oddities }
            }
        }
    }

    /// The type of the content without its parameters, in lower case: `text/html`.
    pub fn mime(&self) -> Option<String> {
        let mime = self.content_type.as_deref()?.split(';').next()?.trim();
        (!mime.is_empty()).then(|| mime.to_ascii_lowercase())
    }
}
