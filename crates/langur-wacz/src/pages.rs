//! The list of pages: what a reader of a WACZ file shows to choose from.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use data_encoding::HEXLOWER;
use langur_archive::index::{Capture, CaptureReader};
use langur_archive::{Archive, Capture as RecordedCapture, CaptureError};
use langur_page::decide;
use langur_page::html::Document;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::WaczError;

/// The first line.
const HEADER: &str = r#"{"format":"json-pages-1.0","id":"pages","title":"All Pages"}"#;

/// A title is looked for in so many bytes. All but a few pages have theirs in the first kilobytes.
const LOOKED_AT: usize = 64 << 10;

/// Writes a line for every page of an index, in its order, and counts them: captures of HTML that came with
/// status 200, revisits among them. Of each the record is read, for its title.
pub(crate) fn write(
    archive: &Archive,
    index: &Path,
    place: &Path,
    read: &mut dyn FnMut(u64),
) -> Result<u64, WaczError> {
    let lines = BufReader::new(File::open(index).map_err(WaczError::reading(index))?);
    let failed = WaczError::writing(place);
    let mut out = BufWriter::new(File::create(place).map_err(&failed)?);
    writeln!(out, "{HEADER}").map_err(&failed)?;
    let mut pages = 0;
    for capture in CaptureReader::new(lines, "") {
        let capture = capture.map_err(WaczError::reading(index))?;
        // We wrote the lines ourselves; one so long that it is not read again is not a page's.
        let Ok(capture) = capture else { continue };
        let may_be_page = capture.is_revisit() || is_html(capture.mime.as_deref());
        if capture.status != Some(200) || !may_be_page {
            continue;
        }
        let Some(title) = title(archive, &capture)? else { continue };
        read(capture.length.unwrap_or(0));
        let mut page =
            json!({ "id": id(&capture), "url": capture.url, "ts": capture.timestamp.rfc3339() });
        if !title.is_empty() {
            page["title"] = title.into();
        }
        writeln!(out, "{page}").map_err(&failed)?;
        pages += 1;
    }
    out.flush().map_err(failed)?;
    Ok(pages)
}

fn is_html(mime: Option<&str>) -> bool {
    let mime = mime.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let html = ["text/html", "application/xhtml+xml"];
    html.iter().any(|html| mime.eq_ignore_ascii_case(html))
}

/// What a page is called by. It is made of what tells a capture from all others, so that it is the same
/// whenever the archive is packed, and another in another archive.
fn id(capture: &Capture) -> String {
    let file = capture.filename.as_deref().unwrap_or_default();
    let offset = capture.offset.unwrap_or_default();
    let text = format!("{} {} {file} {offset}", capture.url, capture.timestamp);
    HEXLOWER.encode(&Sha256::digest(text)[..8])
}

/// The title of a page, which may be empty; nothing if it turns out to be no HTML, or repeats what is not there.
fn title(archive: &Archive, capture: &Capture) -> Result<Option<String>, CaptureError> {
    let record = match capture.is_revisit() {
        false => archive.record(capture)?,
        true => match archive.resolve(capture)? {
            Some(chosen) => archive.content(&chosen)?,
            None => return Ok(None),
        },
    };
    let Some(recorded) = RecordedCapture::of(&record.head, &record.block) else { return Ok(None) };
    if capture.is_revisit() && !is_html(recorded.content_type.as_deref()) {
        return Ok(None);
    }
    let payload = recorded.payload(LOOKED_AT);
    let html = whole_tags(&payload.bytes);
    let html = decide(html, recorded.content_type.as_deref()).decode(html);
    let document = Document::of(&html);
    Ok(Some(document.title().trim().to_owned()))
}

/// The bytes up to the end of the last tag. Half a character at the end would tell against the charset
/// that the page is really in.
fn whole_tags(bytes: &[u8]) -> &[u8] {
    if bytes.len() < LOOKED_AT {
        return bytes;
    }
    let end = bytes.iter().rposition(|&byte| byte == b'>').map_or(bytes.len(), |last| last + 1);
    &bytes[..end]
}
