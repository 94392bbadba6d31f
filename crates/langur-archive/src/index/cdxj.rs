//! Lines of CDXJ: a key, a timestamp, and a JSON object.
//!
//! ```text
//! com,example)/ 20140103030321 {"url": "http://example.com/", "mime": "text/html", "status": "200", …}
//! ```
//!
//! The format has many writers and no standard. Numbers are strings in most and numbers in some; ipwb
//! has names of its own for the usual fields. What is not understood is kept as it is.

use std::borrow::Cow;

use langur_page::canon::archive::cdx_key;
use serde::Serialize;
use serde_json::{Map, Value};

use super::capture::plain_key;
use super::{Capture, LineError, Timestamp};

impl Capture {
    /// Reads a line of CDXJ.
    pub fn from_cdxj(line: &str) -> Result<Capture, LineError> {
        let mut parts = line.trim_end().splitn(3, ' ');
        let (Some(key), Some(timestamp), Some(json)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(LineError::Shape);
        };
        let timestamp = Timestamp::parse(timestamp)
            .ok_or_else(|| LineError::Timestamp(super::lines::shortened(timestamp)))?;
        let more: Map<String, Value> =
            serde_json::from_str(json).map_err(|error| LineError::Json(error.to_string()))?;
        let mut fields = Fields(more);
        let url = fields
            .text(&["url", "original_uri"])
            .or_else(|| plain_key(key).map(|plain| format!("http://{plain}")))
            .unwrap_or_else(|| key.to_owned());
        Ok(Capture {
            key: key.to_owned(),
            timestamp,
            url,
            mime: fields.text(&["mime", "mime_type"]),
            status: fields.number(&["status", "status_code"]),
            digest: fields.text(&["digest"]),
            redirect: fields.text(&["redirect"]),
            filename: fields.text(&["filename"]),
            offset: fields.number(&["offset"]),
            length: fields.number(&["length"]),
            more: fields.0,
        })
    }

    /// The line of CDXJ, without its end, in the manner of pywb: the usual fields in their usual
    /// order, numbers as strings, a space after commas and colons.
    pub fn to_cdxj(&self) -> String {
        // A space within the key would be its end.
        let key = if self.key.contains(char::is_whitespace) || self.key.is_empty() {
            cdx_key(&self.url).replace(char::is_whitespace, "%20").into()
        } else {
            Cow::Borrowed(&*self.key)
        };
        let mut line = format!("{key} {} {{", self.timestamp).into_bytes();
        let number = |number: Option<u64>| number.map(|number| Cow::from(number.to_string()));
        for (name, value) in [
            ("url", Some(Cow::Borrowed(&*self.url))),
            ("mime", self.mime.as_deref().map(Cow::Borrowed)),
            ("status", number(self.status.map(u64::from))),
            ("digest", self.digest.as_deref().map(Cow::Borrowed)),
            ("redirect", self.redirect.as_deref().map(Cow::Borrowed)),
            ("length", number(self.length)),
            ("offset", number(self.offset)),
            ("filename", self.filename.as_deref().map(Cow::Borrowed)),
        ] {
            value.iter().for_each(|value| put(&mut line, name, value));
        }
        self.more.iter().for_each(|(name, value)| put(&mut line, name, value));
        line.push(b'}');
        String::from_utf8(line).expect("JSON is UTF-8")
    }
}

/// Adds a field to an object that is open.
fn put(line: &mut Vec<u8>, name: &str, value: &impl Serialize) {
    let memory = "memory takes every field";
    if !line.ends_with(b"{") {
        line.extend_from_slice(b", ");
    }
    serde_json::to_writer(&mut *line, name).expect(memory);
    line.extend_from_slice(b": ");
    serde_json::to_writer(line, value).expect(memory);
}

/// What is left of a line's object.
struct Fields(Map<String, Value>);

impl Fields {
    /// Takes the first of these that is a text. `-` says that there is none.
    fn text(&mut self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| match self.0.get(*name) {
            Some(Value::String(_)) => match self.0.shift_remove(*name) {
                Some(Value::String(text)) if text != "-" => Some(text),
                _ => None,
            },
            _ => None,
        })
    }

    /// Takes the first of these that is a number, or a text that says one.
    fn number<N: TryFrom<u64>>(&mut self, names: &[&str]) -> Option<N> {
        names.iter().find_map(|name| {
            let number = match self.0.get(*name)? {
                Value::String(text) if text == "-" => {
                    self.0.shift_remove(*name);
                    return None;
                }
                Value::String(text) => text.parse().ok(),
                value => value.as_u64(),
            };
            let number = N::try_from(number?).ok()?;
            self.0.shift_remove(*name);
            Some(number)
        })
    }
}
