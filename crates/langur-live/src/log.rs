//! The crawl log and the link database, read from a journal.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use langur_crawl::PageId;

use crate::crawl::{LiveError, journal_path};
use crate::journal::{Event, Frames, Visited, failed_at};
use crate::known::{Known, Text, Way};

/// Pages that were heard of, by number.
pub struct Urls {
    known: Known,
    journal: File,
}

impl Urls {
    /// The URL of a page.
    pub fn url(&self, page: u32) -> std::io::Result<String> {
        let text = self.known.text(PageId(page));
        let mut bytes = vec![0; text.length()];
        self.journal.read_exact_at(&mut bytes, text.at())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// What a crawl was begun with, besides its settings.
#[derive(Default)]
pub struct Given {
    /// The seeds that the user gave.
    pub seeds: Vec<String>,
}

/// Shows every visit of a crawl, in order. The crawl may be running; what is being written just now is left out.
pub fn each_visit<E: From<LiveError>>(
    folder: &Path,
    mut show: impl FnMut(&Visited, &Urls) -> Result<(), E>,
) -> Result<Given, E> {
    let path = journal_path(folder);
    if !path.exists() {
        return Err(LiveError::NotACrawl(folder.to_owned()).into());
    }
    let mut frames = Frames::open(&path).map_err(LiveError::from)?;
    let journal = File::open(&path).map_err(|source| LiveError::from(failed_at(&path)(source)))?;
    let mut urls = Urls { known: Known::default(), journal };
    let mut given = Given::default();
    while let Some(frame) = frames.next().map_err(LiveError::from)? {
        match frame.event() {
            Some(Event::Seeds { urls: seeds, given: by_user, .. }) => {
                for url in seeds {
                    let text = Text::new(frame.place_of(url), url.len());
                    urls.known.add(url, text, Way { via: None, depth: 0 });
                    if by_user {
                        given.seeds.push(url.to_owned());
                    }
                }
            }
            Some(Event::Visited(visited)) => {
                for url in &visited.new {
                    let text = Text::new(frame.place_of(url), url.len());
                    let way = Way { via: Some(PageId(visited.page)), depth: 0 };
                    urls.known.add(url, text, way);
                }
                show(&visited, &urls)?;
            }
            _ => {}
        }
    }
    Ok(given)
}
