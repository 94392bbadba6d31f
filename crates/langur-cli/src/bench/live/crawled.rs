//! The whole crawl, with everything on.

use std::net::TcpListener;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, ensure};
use langur_lab::Catalogue;
use langur_live::{LiveCrawl, LiveError, Settings, log};

use crate::crawl::parts;
use crate::memory::{peak_resident, resident};

/// What was measured of a crawl.
pub struct Crawled {
    pub seconds: f64,
    pub fetched: u64,
    pub known: u64,
    pub hosts: u64,
    pub received: u64,
    /// How much more memory was in use at most than before.
    pub growth: Option<u64>,
    /// Bytes of memory for every page that was heard of in the second half of the crawl.
    pub bytes_a_known_page: Option<f64>,
}

/// Crawls into a folder.
pub fn crawl(folder: &Path, settings: &Settings, catalogue: &Catalogue) -> Result<Crawled> {
    let before = resident();
    let (begin, _measures) = parts(folder.to_owned(), settings.clone(), catalogue)?;
    let mut live = LiveCrawl::begin(begin)?;
    let metrics = TcpListener::bind(("127.0.0.1", 0))?;
    langur_live::metrics::serve(metrics, live.outbox(), live.lookout())?;
    let half = settings.stop.pages.unwrap_or(0) / 2;
    let (mut at_half, mut at_end) = (None, None);
    let began = Instant::now();
    live.run(|status| {
        let sample = resident().map(|bytes| (bytes, status.known));
        if status.fetched >= half && at_half.is_none() {
            at_half = sample;
        }
        at_end = sample;
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let status = live.status();
    let slope = at_half.zip(at_end).and_then(|((bytes, known), (later, more))| {
        (more > known).then(|| (later as f64 - bytes as f64) / (more - known) as f64)
    });
    Ok(Crawled {
        seconds,
        fetched: status.fetched,
        known: status.known,
        hosts: status.hosts.known,
        received: status.received,
        growth: peak_resident().zip(before).map(|(peak, before)| peak.saturating_sub(before)),
        bytes_a_known_page: slope,
    })
}

/// Seconds to take a crawl up again, and the events that were gone through.
pub fn resume(folder: &Path, settings: &Settings, catalogue: &Catalogue) -> Result<(f64, u64)> {
    let (begin, _measures) = parts(folder.to_owned(), settings.clone(), catalogue)?;
    let (_live, recovered) = LiveCrawl::resume(begin)?;
    Ok((recovered.seconds, recovered.events))
}

/// The URLs that a crawl has visited, in order.
pub fn visited(folder: &Path) -> Result<Vec<String>> {
    let mut visited = Vec::new();
    log::each_visit(folder, |visit, urls| {
        let path = langur_live::crawl::journal_path(folder);
        let url = urls.url(visit.page).map_err(|source| LiveError::Io { path, source })?;
        visited.push(url);
        Ok::<_, LiveError>(())
    })?;
    ensure!(!visited.is_empty(), "the crawl visited nothing");
    Ok(visited)
}
