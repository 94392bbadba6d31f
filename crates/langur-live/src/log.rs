//! What happened in a crawl, read from its journal: all of it, or the visits alone, which are the crawl log and the link
//! database.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use langur_crawl::{HostId, PageId};

use crate::crawl::{LiveError, journal_path};
use crate::journal::{Event, Frame, Frames, Visited, failed_at};
use crate::known::{Known, Text, Way};

/// The names of pages and hosts that were heard of, by number.
pub struct Names {
    known: Known,
    journal: File,
}

impl Names {
    /// The URL of a page.
    pub fn url(&self, page: u32) -> std::io::Result<String> {
        let text = self.known.text(PageId(page));
        let mut bytes = vec![0; text.length()];
        self.journal.read_exact_at(&mut bytes, text.at())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The name of a host.
    pub fn host(&self, host: u32) -> &str {
        self.known.host_name(HostId(host))
    }

    /// Takes note of what an event names for the first time.
    fn hear(&mut self, frame: Frame<'_>, event: &Event<'_>) {
        let (urls, way) = match event {
            Event::Seeds { urls, .. } => (urls, Way { via: None, depth: 0 }),
            Event::Visited(visited) => {
                (&visited.new, Way { via: Some(PageId(visited.page)), depth: 0 })
            }
            Event::Errand { url, .. } => {
                self.known.add_host_of(url);
                return;
            }
            _ => return,
        };
        for url in urls {
            self.known.add(url, Text::new(frame.place_of(url), url.len()), way);
        }
    }
}

/// Shows every event of a crawl, in order. The crawl may be running; what is being written just now is left out.
pub fn each_event<E: From<LiveError>>(
    folder: &Path,
    mut show: impl FnMut(&Event, &Names) -> Result<(), E>,
) -> Result<(), E> {
    let path = journal_path(folder);
    if !path.exists() {
        return Err(LiveError::NotACrawl(folder.to_owned()).into());
    }
    let mut frames = Frames::open(&path).map_err(LiveError::from)?;
    let journal = File::open(&path).map_err(|source| LiveError::from(failed_at(&path)(source)))?;
    let mut names = Names { known: Known::default(), journal };
    while let Some(frame) = frames.next().map_err(LiveError::from)? {
        if let Some(event) = frame.event() {
            names.hear(frame, &event);
            show(&event, &names)?;
        }
    }
    Ok(())
}

/// Shows every visit of a crawl, in order, and gives back the seeds: those that the user gave, and pages of sitemaps, to
/// many of which no link leads.
pub fn each_visit<E: From<LiveError>>(
    folder: &Path,
    mut show: impl FnMut(&Visited, &Names) -> Result<(), E>,
) -> Result<Vec<String>, E> {
    let mut seeds = Vec::new();
    each_event::<E>(folder, |event, names| {
        match event {
            Event::Seeds { urls, .. } => {
                seeds.extend(urls.iter().map(ToString::to_string));
            }
            Event::Visited(visited) => show(visited, names)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(seeds)
}
