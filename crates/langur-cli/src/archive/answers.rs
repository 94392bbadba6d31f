//! Answers from an archive, for the proxy.

use langur_archive::index::Timestamp;
use langur_archive::{Archive, Capture, LONGEST_BLOCK, Oddity};
use langur_page::Address;
use langur_serve::{Answer, Answers};

/// The longest body that is served, decoded.
const LONGEST: usize = 256 << 20;

/// An archive that answers with the capture nearest to a moment, or the latest.
pub struct ArchiveAnswers {
    pub archive: Archive,
    pub at: Option<Timestamp>,
}

impl Answers for ArchiveAnswers {
    fn answer(&self, url: &str) -> Result<Option<Answer>, String> {
        let Ok(address) = Address::parse(url) else { return Ok(None) };
        self.find(&address)
    }
}

impl ArchiveAnswers {
    fn find(&self, address: &Address) -> Result<Option<Answer>, String> {
        let chosen = self.archive.choose(address, self.at).map_err(|error| error.to_string())?;
        let Some(chosen) = chosen else { return Ok(None) };
        let record = self.archive.content(&chosen).map_err(|error| error.to_string())?;
        if !record.is_whole {
            return Err(too_long(address, LONGEST_BLOCK, ""));
        }
        let Some(capture) = Capture::of(&record.head, &record.block) else { return Ok(None) };
        let payload = capture.payload(LONGEST);
        if payload.oddities.iter().any(|oddity| matches!(oddity, Oddity::Limited(_))) {
            return Err(too_long(address, LONGEST, ", decoded"));
        }
        let is_coded =
            |oddity: &Oddity| matches!(oddity, Oddity::UnknownCoding(_) | Oddity::BrokenCoding(_));
        // What could not be decoded is served as it was sent, and says so.
        let still_coded = payload.oddities.iter().any(is_coded);
        let mut headers: Vec<(String, Vec<u8>)> = Vec::new();
        if let Some(http) = &capture.http {
            for (name, value) in http.headers.iter() {
                let name = String::from_utf8_lossy(name).into_owned();
                if still_coded || !name.eq_ignore_ascii_case("content-encoding") {
                    headers.push((name, value.to_vec()));
                }
            }
        } else if let Some(content_type) = &capture.content_type {
            headers.push(("content-type".to_owned(), content_type.as_bytes().to_vec()));
        }
        let seconds = u64::try_from(chosen.capture.timestamp.unix()).unwrap_or(0);
        let fetched_at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        Ok(Some(Answer {
            status: capture.status.unwrap_or(200),
            headers,
            body: payload.bytes.into_owned().into(),
            fetched_at: Some(fetched_at),
        }))
    }
}

fn too_long(address: &Address, most: usize, how: &str) -> String {
    let most = most >> 20;
    format!(
        "{address} is longer than {most} MiB{how}, the most that is served\n  langur archive get writes it to a file"
    )
}
