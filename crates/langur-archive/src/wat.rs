//! What Common Crawl's WAT files say of a record: metadata and links as JSON, without the page.
//!
//! A WAT file is a WARC file of `metadata` records, one for every record of the file it was made from.
//! Their JSON follows no schema, and fields come and go with the version of the extractor, so everything
//! is looked up where it is known to stand, and may be absent.

use serde_json::Value;

/// What is said of one record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The kind of the record: `response`, `request`, `warcinfo`, …
    pub kind: Option<String>,
    /// Its URL.
    pub url: Option<String>,
    /// When it was captured, as it stands in the record.
    pub date: Option<String>,
    /// The file it is in.
    pub filename: Option<String>,
    /// Where it starts in that file.
    pub offset: Option<u64>,
    /// The status of the response.
    pub status: Option<u16>,
    /// The type of the content, as the server said.
    pub content_type: Option<String>,
    /// Where a redirect leads.
    pub location: Option<String>,
    /// How long the content is.
    pub length: Option<u64>,
    /// Its digest, as in `sha1:…`.
    pub digest: Option<String>,
    /// The title of the page.
    pub title: Option<String>,
    /// What relative URLs on the page are relative to, if not to its own.
    pub base: Option<String>,
    /// META elements: `name`, `property` or `http-equiv`, and the content.
    pub metas: Vec<(String, String)>,
    /// Everything that points somewhere: links, images, scripts, style sheets.
    pub links: Vec<Link>,
}

/// A link of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Where it points, as it stands on the page: often relative.
    pub url: String,
    /// The element and attribute it stands in: `A@/href`, `IMG@/src`.
    pub path: String,
    /// The anchor text.
    pub text: Option<String>,
    /// Its `rel` attribute.
    pub rel: Option<String>,
}

impl Description {
    /// Reads the block of a WAT record; nothing if it is not what WAT files have.
    pub fn parse(block: &[u8]) -> Option<Description> {
        let json: Value = match serde_json::from_slice(block) {
            Ok(json) => json,
            // Titles and anchors are not always in UTF-8.
            Err(_) => serde_json::from_str(&String::from_utf8_lossy(block)).ok()?,
        };
        let envelope = json.get("Envelope").filter(|envelope| envelope.is_object())?;
        let warc = &envelope["WARC-Header-Metadata"];
        let arc = &envelope["ARC-Header-Metadata"];
        let response = &envelope["Payload-Metadata"]["HTTP-Response-Metadata"];
        let html = &response["HTML-Metadata"];
        let container = &json["Container"];
        Some(Description {
            kind: field(warc, "WARC-Type"),
            url: field(warc, "WARC-Target-URI").or_else(|| field(arc, "Target-URI")),
            date: field(warc, "WARC-Date").or_else(|| field(arc, "Date")),
            filename: field(container, "Filename"),
            offset: field(container, "Offset").and_then(|offset| offset.parse().ok()),
            status: field(&response["Response-Message"], "Status")
                .and_then(|status| status.parse().ok()),
            content_type: field(&response["Headers"], "Content-Type"),
            location: field(&response["Headers"], "Location"),
            length: field(response, "Entity-Length").and_then(|length| length.parse().ok()),
            digest: field(warc, "WARC-Payload-Digest").or_else(|| field(response, "Entity-Digest")),
            title: field(&html["Head"], "Title"),
            base: field(&html["Head"], "Base"),
            metas: entries(&html["Head"]["Metas"]).filter_map(meta).collect(),
            links: [&html["Head"]["Link"], &html["Head"]["Scripts"], &html["Links"]]
                .into_iter()
                .flat_map(entries)
                .filter_map(link)
                .collect(),
        })
    }
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn meta(entry: &Value) -> Option<(String, String)> {
    let name = ["name", "property", "http-equiv"].iter().find_map(|key| field(entry, key))?;
    Some((name, field(entry, "content")?))
}

fn link(entry: &Value) -> Option<Link> {
    Some(Link {
        url: field(entry, "url").or_else(|| field(entry, "href"))?,
        path: field(entry, "path").unwrap_or_default(),
        text: field(entry, "text"),
        rel: field(entry, "rel"),
    })
}

/// A field as text, its name in any case. Numbers stand there as text or as numbers, and headers that came
/// twice as a list, of which the first counts.
fn field(object: &Value, name: &str) -> Option<String> {
    let fields = object.as_object()?;
    let value = fields.get(name).or_else(|| {
        fields.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    })?;
    match value.as_array().map_or(Some(value), |list| list.first())? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_described() {
        let block = br#"{"Container":{"Filename":"a.warc.gz","Offset":"77"},"Envelope":{
            "WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"http://a.b/",
            "WARC-Date":"2024-05-18T01:58:10Z"},"Payload-Metadata":{"HTTP-Response-Metadata":{
            "Response-Message":{"Status":"200","Reason":"OK"},
            "Headers":{"content-type":["text/html","x"],"Location":"/l"},"Entity-Length":"12",
            "Entity-Digest":"sha1:A",
            "HTML-Metadata":{"Head":{"Title":"T","Base":"/b/","Metas":[{"name":"robots","content":"all"},
            {"charset":"utf-8"}],"Link":[{"path":"LINK@/href","url":"s.css","rel":"stylesheet"}]},
            "Links":[{"path":"A@/href","url":"/c","text":"here"},{"path":"IMG@/src","url":"i.png"},
            {"path":"A@/href","text":"nowhere"}]}}}}}"#;
        let page = Description::parse(block).expect("a description");
        assert_eq!(page.url.as_deref(), Some("http://a.b/"));
        assert_eq!((page.status, page.offset), (Some(200), Some(77)));
        assert_eq!(page.content_type.as_deref(), Some("text/html"));
        assert_eq!((page.location.as_deref(), page.length), (Some("/l"), Some(12)));
        assert_eq!(page.digest.as_deref(), Some("sha1:A"));
        assert_eq!((page.title.as_deref(), page.base.as_deref()), (Some("T"), Some("/b/")));
        assert_eq!(page.metas, [("robots".to_owned(), "all".to_owned())]);
        let links: Vec<_> =
            page.links.iter().map(|link| (&*link.path, &*link.url, link.text.as_deref())).collect();
        let expected = [
            ("LINK@/href", "s.css", None),
            ("A@/href", "/c", Some("here")),
            ("IMG@/src", "i.png", None),
        ];
        assert_eq!(links, expected);
    }

    #[test]
    fn other_things_are_not() {
        assert_eq!(Description::parse(b"[]"), None);
        assert_eq!(Description::parse(b"{\"Envelope\":3}"), None);
        assert_eq!(Description::parse(b"fetchTimeMs: 12"), None);
        let bare = Description::parse(b"{\"Envelope\":{}}").expect("a description");
        assert_eq!(bare, Description::default());
    }
}
