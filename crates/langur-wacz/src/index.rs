//! The index of a WACZ file: all captures of its WARC files, sorted.

use std::ops::ControlFlow;
use std::path::Path;

use langur_archive::Archive;
use langur_archive::index::{Capture, IndexWriter, Keys, WriteOptions};

use crate::WaczError;
use crate::files::{WarcFiles, last_name};

/// What became of the lines of the archive's indexes.
pub(crate) struct Gathered {
    /// Captures in the new index.
    pub(crate) captures: u64,
    /// Lines that lead to no record of a WARC file, or make no sense.
    pub(crate) left_out: u64,
}

/// Puts the captures of all indexes of an archive into one. A capture that several of them know stands in
/// it once.
pub(crate) fn gather(
    archive: &Archive,
    files: &mut WarcFiles,
    place: &Path,
) -> Result<Gathered, WaczError> {
    let writer = IndexWriter::create(place, WriteOptions::default())?;
    let mut left_out = 0;
    let mut trouble = None;
    archive.index().scan(Keys::Prefix(""), &mut |capture| match add(&writer, files, capture) {
        Ok(true) => ControlFlow::Continue(()),
        Ok(false) => {
            left_out += 1;
            ControlFlow::Continue(())
        }
        Err(error) => {
            trouble = Some(error);
            ControlFlow::Break(())
        }
    })?;
    if let Some(error) = trouble {
        return Err(error);
    }
    files.check_indexed()?;
    left_out += archive.index().wrong_lines().len() as u64;
    Ok(Gathered { captures: writer.finish()?, left_out })
}

/// Whether the capture is one of these files.
fn add(
    writer: &IndexWriter,
    files: &mut WarcFiles,
    mut capture: Capture,
) -> Result<bool, WaczError> {
    let Some(place) = capture.place() else { return Ok(false) };
    if !files.holds(place.filename, place.offset, place.length)? {
        return Ok(false);
    }
    capture.filename = Some(last_name(place.filename).to_owned());
    writer.add(&capture)?;
    Ok(true)
}
