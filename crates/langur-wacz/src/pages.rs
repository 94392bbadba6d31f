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
/// status 200. Of each the record is read, for its title.
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
        if !is_page(&capture) {
            continue;
        }
        let title = title(archive, &capture)?;
        read(capture.length.unwrap_or(0));
        let mut page =
            json!({ "id": id(&capture), "url": capture.url, "ts": capture.timestamp.rfc3339() });
        if let Some(title) = title {
            page["title"] = title.into();
        }
        writeln!(out, "{page}").map_err(&failed)?;
        pages += 1;
    }
    out.flush().map_err(failed)?;
    Ok(pages)
}

fn is_page(capture: &Capture) -> bool {
    let mime = capture.mime.as_deref().unwrap_or_default();
    let mime = mime.split(';').next().unwrap_or_default().trim();
    let html = ["text/html", "application/xhtml+xml"];
    capture.status == Some(200) && html.iter().any(|html| mime.eq_ignore_ascii_case(html))
}

/// What a page is called by. It is made of what tells a capture from all others, so that it is the same
/// whenever the archive is packed, and another in another archive.
fn id(capture: &Capture) -> String {
    let file = capture.filename.as_deref().unwrap_or_default();
    let offset = capture.offset.unwrap_or_default();
    let text = format!("{} {} {file} {offset}", capture.url, capture.timestamp);
    HEXLOWER.encode(&Sha256::digest(text)[..8])
}

fn title(archive: &Archive, capture: &Capture) -> Result<Option<String>, CaptureError> {
    let record = archive.record(capture)?;
    let Some(recorded) = RecordedCapture::of(&record.head, &record.block) else { return Ok(None) };
    let payload = recorded.payload(LOOKED_AT);
    let html = whole_tags(&payload.bytes);
    let html = decide(html, recorded.content_type.as_deref()).decode(html);
    let document = Document::of(&html);
    let title = document.title().trim();
    Ok((!title.is_empty()).then(|| title.to_owned()))
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
