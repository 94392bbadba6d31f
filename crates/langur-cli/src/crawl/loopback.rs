//! Live crawls of a web on loopback: everything that a crawl does, but for the waits.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::Result;
use langur_crawl::PageId;
use langur_lab::Catalogue;
use langur_live::settings::{Settings, Span};
use langur_live::{LiveCrawl, Status};
use langur_sim::Space;

use super::live::parts;
use super::{own, run_folder};

/// Settings for a crawl of a web space that is served at this address.
pub fn settings(address: SocketAddr, target: &str, space: &Space) -> Settings {
    let mut settings = Settings { target: target.to_owned(), ..Settings::default() };
    let seeds = space.manifest().seeds.iter();
    settings.seeds.urls = seeds.map(|seed| space.url(PageId(*seed))).collect();
    settings.manners.delay = Span::ms(0);
    settings.manners.address_delay = Span::ms(0);
    settings.manners.slow_factor = 0.0;
    settings.fetch.allow_private = true;
    settings.fetch.resolve = vec![format!("*={address}")];
    settings
}

/// Crawls into a folder, where an earlier crawl is replaced.
pub fn crawl(folder: &Path, settings: Settings, catalogue: &Catalogue) -> Result<Status> {
    own::remove(folder)?;
    let (begin, measures) = parts(folder.to_owned(), settings, catalogue)?;
    let mut live = LiveCrawl::begin(begin)?;
    let finished = live.run(|_| ())?;
    let status = live.status();
    drop(live);
    run_folder::write(folder, &measures.finish(!finished.can_resume)?)?;
    Ok(status)
}
