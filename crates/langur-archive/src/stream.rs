//! Captures that are too long to be held in memory.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use crate::archive::{Archive, CaptureError};
use crate::capture::Capture;
use crate::index::Capture as Indexed;
use crate::problem::{ArchiveError, Problem};
use crate::records::Records;

/// The head of an HTTP message is in so many bytes.
const LONGEST_HEAD: u64 = 1 << 20;

impl Archive {
    /// Copies the content of a capture piece by piece, however long it is, and gives back what is malformed in its record.
    /// Content in chunks or in a coding has to be held as a whole, and is refused.
    pub fn copy(
        &self,
        capture: &Indexed,
        into: &mut dyn Write,
    ) -> Result<Vec<Problem>, CaptureError> {
        let nowhere = || CaptureError::NoPlace { url: capture.url.clone(), at: capture.timestamp };
        let place = capture.place().ok_or_else(nowhere)?;
        let name = self.name_of(place.filename);
        let file = self.store().at(&name);
        let failed = |source| ArchiveError::Read { file: file.clone(), source };
        let dictionary = self.dictionary(&name)?;
        let mut records =
            Records::at(self.from(&name, place.offset)?, file.clone(), place.offset, &dictionary)?;
        let Some(mut record) = records.next()? else {
            return Err(CaptureError::NoRecord { file, offset: place.offset });
        };
        let mut start = Vec::new();
        record.by_ref().take(LONGEST_HEAD).read_to_end(&mut start).map_err(failed)?;
        let head = record.head.clone();
        let Some(found) = Capture::of(&head, &start) else {
            return Err(CaptureError::NoRecord { file, offset: place.offset });
        };
        if found.http.as_ref().is_some_and(|http| http.is_coded()) {
            return Err(CaptureError::TooLong { url: capture.url.clone() });
        }
        into.write_all(found.body).map_err(CaptureError::Write)?;
        io::copy(&mut record, into).map_err(CaptureError::Write)?;
        record.finish()?;
        Ok(records.problems())
    }

    /// A file from some place on.
    fn from(&self, name: &str, offset: u64) -> Result<Box<dyn Read>, CaptureError> {
        let Some(path) = self.store().local(name) else {
            let bytes = self.store().read(name, offset..self.store().len(name)?)?;
            return Ok(Box::new(Cursor::new(bytes)));
        };
        let failed = |source| ArchiveError::Read { file: path.display().to_string(), source };
        let mut file = File::open(&path).map_err(failed)?;
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        Ok(Box::new(file))
    }
}

#[cfg(test)]
mod tests {
    use flate2::{Compression, write::GzEncoder};
    use langur_page::Address;
    use langur_store::StoreOptions;

    use super::*;

    const LENGTH: usize = 70 << 20;

    /// An archive of one capture, of this many zeros, with these headers of HTTP; the index may be wrong by some bytes.
    fn archive(headers: &str, off: u64) -> (tempfile::TempDir, Archive) {
        let folder = tempfile::tempdir().expect("a folder");
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: video/x\r\n{headers}\r\n");
        let mut member = GzEncoder::new(Vec::new(), Compression::fast());
        write!(
            member,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
             WARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: {}\r\n\r\n{http}",
            http.len() + LENGTH
        )
        .expect("in memory");
        member.write_all(&vec![0; LENGTH]).expect("in memory");
        member.write_all(b"\r\n\r\n").expect("in memory");
        let member = member.finish().expect("in memory");
        let line = format!(
            r#"example,a)/ 20240506070809 {{"url":"http://a.example/","status":"200","filename":"a.warc.gz","offset":"0","length":"{}"}}"#,
            member.len() as u64 - off
        );
        std::fs::write(folder.path().join("a.warc.gz"), member).expect("room");
        std::fs::write(folder.path().join("index.cdxj"), line + "\n").expect("room");
        let address = folder.path().display().to_string();
        let archive = Archive::open(&address, &[], StoreOptions::default()).expect("an archive");
        (folder, archive)
    }

    fn copied(archive: &Archive) -> Result<Vec<u8>, CaptureError> {
        let address = Address::parse("http://a.example/").expect("a URL");
        let chosen = archive.choose(&address, None)?.expect("a capture");
        assert!(!archive.record(&chosen.content)?.is_whole);
        let mut copy = Vec::new();
        assert_eq!(archive.copy(&chosen.content, &mut copy)?.len(), 0);
        Ok(copy)
    }

    #[test]
    fn what_does_not_fit_into_memory_is_copied_whole_also_where_the_index_is_wrong() {
        for off in [0, 5000] {
            let (_folder, archive) = archive("", off);
            let copy = copied(&archive).expect("a copy");
            assert!(copy.len() == LENGTH && copy.iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn what_would_have_to_be_decoded_in_memory_is_refused() {
        let (_folder, archive) = archive("Content-Encoding: gzip\r\n", 0);
        assert!(matches!(copied(&archive), Err(CaptureError::TooLong { .. })));
    }
}
