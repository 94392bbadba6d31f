//! The same web as an archive.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use langur_archive::{About, Compression, WarcWriter, WriteError};
use langur_crawl::PageId;
use thiserror::Error;

use crate::Pages;

/// When everything was captured.
const DATE: &str = "2024-01-01T00:00:00Z";

/// Why an archive could not be written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The system said no.
    #[error("cannot write {}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A record could not be written.
    #[error("{}: {source}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        source: WriteError,
    },
}

/// Writes what would be answered for every page to a compressed WARC file, missing pages included, which a crawler would
/// be told are not there.
pub fn write_warc(pages: &Pages, path: &Path) -> Result<(), ArchiveError> {
    let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
    let refused = |source| ArchiveError::Record { path: path.to_owned(), source };
    let file = BufWriter::new(File::create(path).map_err(failed)?);
    let mut warc = WarcWriter::new(file, Compression::Gzip, 1);
    warc.warcinfo(DATE, None, &[("software", "langur")]).map_err(refused)?;
    let counts = pages.space().manifest().counts;
    let mut block = Vec::new();
    for page in (0..(counts.pages + counts.missing) as u32).map(PageId) {
        block.clear();
        pages.page(page).write(&mut block, true);
        let url = pages.space().url(page);
        let about = About { url: &url, date: DATE, ..About::default() };
        warc.response(&about, &block).map_err(refused)?;
    }
    warc.into_inner().flush().map_err(failed)
}
