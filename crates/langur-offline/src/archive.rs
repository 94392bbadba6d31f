//! A library that is an archive.

use langur_archive::index::Timestamp;
use langur_archive::{Archive, Capture, CaptureError};
use langur_extract::LONGEST_PAYLOAD;
use langur_page::Address;

use crate::library::{Fetched, Library};

/// The captures of an archive: of every page the one nearest to a moment, or the latest.
pub struct ArchiveLibrary<'a> {
    /// The archive.
    pub archive: &'a Archive,
    /// The moment.
    pub at: Option<Timestamp>,
}

impl ArchiveLibrary<'_> {
    fn read(&self, address: &Address) -> Result<Option<Fetched>, CaptureError> {
        let Some(chosen) = self.archive.choose(address, self.at)? else { return Ok(None) };
        let record = self.archive.content(&chosen)?;
        let Some(capture) = Capture::of(&record.head, &record.block) else { return Ok(None) };
        let header = |name| {
            let text = capture.http.as_ref().and_then(|http| http.headers.text(name));
            text.map(|text| text.into_owned())
        };
        Ok(Some(Fetched {
            status: capture.status.unwrap_or(0),
            content_type: capture.content_type.as_deref().map(str::to_owned),
            content_language: header("content-language"),
            location: header("location"),
            link: capture.http.as_ref().and_then(|http| http.headers.list("link")),
            refresh: header("refresh"),
            payload: capture.payload(LONGEST_PAYLOAD).bytes.into_owned(),
        }))
    }
}

impl Library for ArchiveLibrary<'_> {
    fn fetch(&self, address: &Address) -> Result<Option<Fetched>, String> {
        self.read(address).map_err(|error| format!("{address}: {error}"))
    }

    fn holds(&self, address: &Address) -> Result<bool, String> {
        // A revisit of what is nowhere is no capture.
        let chosen = self.archive.choose(address, self.at);
        chosen.map(|chosen| chosen.is_some()).map_err(|error| format!("{address}: {error}"))
    }
}
