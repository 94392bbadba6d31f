//! The captures in an archive file, as an index has them.

use std::io::{self, Read};

use data_encoding::BASE32;
use langur_store::Store;
use sha1::{Digest, Sha1};

use crate::Capture;
use crate::archive::CaptureError;
use crate::digest::canonical;
use crate::index::{Capture as IndexedCapture, Timestamp};
use crate::problem::{ArchiveError, Defect, Problem};
use crate::records::{Amount, Head, Kind, Record, Records};

/// A block is held up to so many bytes. Of a longer one that is in chunks and has no digest, that is left out.
const LONGEST_BLOCK: usize = 64 << 20;

/// Shows every capture in an archive file to `visit`, and gives back what is malformed. Records in members
/// with others cannot be read by range, and are passed over; those without a URL or a date are reported.
pub fn captures_of(
    store: &Store,
    name: &str,
    mut visit: impl FnMut(IndexedCapture) -> Result<(), CaptureError>,
) -> Result<Vec<Problem>, CaptureError> {
    let mut records = Records::new(store.reader(name)?, name)?;
    let (mut problems, mut block) = (Vec::new(), Vec::new());
    while let Some(mut record) = records.next()? {
        let (mut found, mut lacking, offset) = (None, None, record.offset());
        if matches!(record.head.kind(), Kind::Response | Kind::Resource | Kind::Revisit) {
            let failed = |source| ArchiveError::Read { file: store.at(name), source };
            let amount = record.read_block(&mut block, LONGEST_BLOCK).map_err(failed)?;
            let file = || name.into();
            if Capture::of(record.head, &block).is_some_and(|it| it.lacks_http(record.head)) {
                problems.push(Problem { file: file(), offset, defect: Defect::NoHttpHead });
            }
            match indexed(record.head, &block) {
                Ok(capture) => found = Some(capture),
                Err(missing) => {
                    let defect = Defect::NotToBeFound(missing);
                    problems.push(Problem { file: file(), offset, defect });
                    lacking = Some(missing);
                }
            }
            if let (Some(capture), Amount::Cut) = (&mut found, amount) {
                capture.digest = long_digest(&mut record, &block).map_err(failed)?;
            }
        }
        let extent = record.finish()?;
        if let (Some(mut capture), Some(extent)) = (found, extent) {
            capture.filename = Some(name.to_owned());
            capture.offset = Some(extent.offset);
            capture.length = Some(extent.length);
            visit(capture)?;
        }
        // That it lacks something is told with what follows from it.
        let is_told = |problem: &Problem| {
            problem.offset == offset
                && matches!(problem.defect, Defect::Missing(header) if Some(header) == lacking)
        };
        problems.extend(records.problems().into_iter().filter(|problem| !is_told(problem)));
    }
    problems.append(&mut records.problems());
    Ok(problems)
}

/// The digest of a capture of which only the beginning is at hand: as it says itself or, if it is not in chunks, counted.
fn long_digest(record: &mut Record<'_, impl Read>, block: &[u8]) -> io::Result<Option<String>> {
    let head = record.head;
    let said = head.payload_digest().map(canonical);
    let is_counted = said.is_none() && *head.kind() != Kind::Revisit;
    let Some(capture) = Capture::of(head, block).filter(|_| is_counted) else {
        return Ok(said);
    };
    if capture.http.as_ref().is_some_and(|http| http.is_chunked()) {
        return Ok(None);
    }
    let start = block.len() - capture.body.len();
    let (digest, _) = record.digest_from(&block[start..])?;
    Ok(Some(BASE32.encode(&digest)))
}

/// What an index says of a record, but for its place; or what it lacks.
fn indexed(head: &Head, block: &[u8]) -> Result<IndexedCapture, &'static str> {
    let capture = Capture::of(head, block).ok_or("WARC-Target-URI")?;
    let timestamp = capture.timestamp.as_deref().and_then(Timestamp::parse);
    let timestamp = timestamp.ok_or("WARC-Date")?;
    let is_revisit = *head.kind() == Kind::Revisit;
    let said = head.payload_digest().map(canonical);
    let content = || match &capture.http {
        Some(http) => http.content(capture.body),
        None => capture.body.into(),
    };
    let computed = || (!is_revisit).then(|| BASE32.encode(&Sha1::digest(content())));
    let digest = said.or_else(computed);
    Ok(IndexedCapture {
        mime: if is_revisit { Some("warc/revisit".to_owned()) } else { capture.mime() },
        status: capture.status,
        digest,
        ..IndexedCapture::new(capture.url, timestamp)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};
    use langur_store::StoreOptions;

    use super::*;

    /// A member with a response of so many zeros.
    fn member(headers: &str, zeros: usize) -> Vec<u8> {
        let http = "HTTP/1.1 200 OK\r\n\r\n";
        let mut member = GzEncoder::new(Vec::new(), Compression::fast());
        let length = http.len() + zeros;
        write!(
            member,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\n{headers}Content-Length: {length}\r\n\r\n{http}"
        )
        .expect("in memory");
        member.write_all(&vec![0; zeros]).expect("in memory");
        member.write_all(b"\r\n\r\n").expect("in memory");
        member.finish().expect("in memory")
    }

    /// The digests of what is indexed of these members, and what is malformed.
    fn index(members: &[Vec<u8>]) -> (Vec<Option<String>>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.warc.gz"), members.concat()).expect("room");
        let address = folder.path().display().to_string();
        let store = Store::open(&address, StoreOptions::default()).expect("a store");
        let mut digests = Vec::new();
        let add = |capture: IndexedCapture| {
            digests.push(capture.digest);
            Ok(())
        };
        let problems = captures_of(&store, "a.warc.gz", add).expect("readable");
        (digests, problems.iter().map(ToString::to_string).collect())
    }

    const FOUND: &str = "WARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n";

    #[test]
    fn digests_are_of_the_whole_content_however_long() {
        let lengths = [1000, 65 << 20, 70 << 20];
        let (digests, problems) = index(&lengths.map(|zeros| member(FOUND, zeros)));
        let of = |zeros| Some(BASE32.encode(&Sha1::digest(vec![0; zeros])));
        assert_eq!((digests, problems), (lengths.map(of).to_vec(), vec![]));
    }

    #[test]
    fn captures_that_cannot_be_asked_for_are_reported() {
        let nowhere = "WARC-Date: 2024-05-06T07:08:09Z\r\n";
        let never = "WARC-Target-URI: http://a.example/\r\nWARC-Date: yesterday\r\n";
        let undated = "WARC-Target-URI: http://a.example/\r\n";
        let members = [nowhere, never, undated, FOUND].map(|headers| member(headers, 10));
        let (digests, problems) = index(&members);
        assert_eq!((digests.len(), problems.len()), (1, 3), "{problems:?}");
        assert!(problems[0].ends_with("no WARC-Target-URI that can be read, and was left out"));
        let second = members[0].len();
        assert!(
            problems[1]
                .starts_with(&format!("a.warc.gz at byte {second}: a capture has no WARC-Date"))
        );
    }

    #[test]
    fn what_is_damaged_is_indexed_and_reported() {
        let mut wrong = member(FOUND, 10);
        let checksum = wrong.len() - 8;
        wrong[checksum] ^= 1;
        let (digests, problems) = index(&[wrong, member(FOUND, 20)]);
        assert_eq!((digests.len(), problems.len()), (2, 1), "{problems:?}");
    }
}
