//! The captures in an archive file, as an index has them.

use data_encoding::BASE32;
use langur_store::Store;
use sha1::{Digest, Sha1};

use crate::Capture;
use crate::archive::CaptureError;
use crate::index::{Capture as IndexedCapture, Timestamp};
use crate::problem::{ArchiveError, Problem};
use crate::records::{Head, Kind, Records};

/// A block is looked at up to so many bytes; the digest of a longer one that has none is left out.
const LONGEST_BLOCK: usize = 64 << 20;

/// Shows every capture in an archive file to `visit`, and gives back what is malformed. Records in members
/// with others cannot be read by range, and are passed over.
pub fn captures_of(
    store: &Store,
    name: &str,
    mut visit: impl FnMut(IndexedCapture) -> Result<(), CaptureError>,
) -> Result<Vec<Problem>, CaptureError> {
    let mut records = Records::new(store.reader(name)?, name)?;
    let (mut problems, mut block) = (Vec::new(), Vec::new());
    while let Some(mut record) = records.next()? {
        let mut found = None;
        if matches!(record.head.kind(), Kind::Response | Kind::Resource | Kind::Revisit) {
            let failed = |source| ArchiveError::Read { file: store.at(name), source };
            record.read_block(&mut block, LONGEST_BLOCK).map_err(failed)?;
            found = indexed(record.head, &block);
        }
        let extent = record.finish()?;
        if let (Some(mut capture), Some(extent)) = (found, extent) {
            capture.filename = Some(name.to_owned());
            capture.offset = Some(extent.offset);
            capture.length = Some(extent.length);
            visit(capture)?;
        }
        problems.append(&mut records.problems());
    }
    problems.append(&mut records.problems());
    Ok(problems)
}

/// What an index says of a record, but for its place.
fn indexed(head: &Head, block: &[u8]) -> Option<IndexedCapture> {
    let capture = Capture::of(head, block)?;
    let timestamp = Timestamp::parse(capture.timestamp.as_deref()?)?;
    let is_revisit = *head.kind() == Kind::Revisit;
    let said = head.payload_digest().map(str::to_owned);
    let content = || match &capture.http {
        Some(http) => http.content(capture.body),
        None => capture.body.into(),
    };
    let computed = || (!is_revisit).then(|| BASE32.encode(&Sha1::digest(content())));
    let digest = said.or_else(computed);
    Some(IndexedCapture {
        mime: if is_revisit { Some("warc/revisit".to_owned()) } else { capture.mime() },
        status: capture.status,
        // As in all indexes, SHA-1 goes without saying.
        digest: digest.map(|text| text.strip_prefix("sha1:").map(str::to_owned).unwrap_or(text)),
        ..IndexedCapture::new(capture.url, timestamp)
    })
}
