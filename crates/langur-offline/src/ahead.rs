//! Pages that are read before they are asked for.
//!
//! What a page says follows from its capture alone, so it makes no difference by whom it is read, and when: while the
//! crawl considers one page, other threads read those that will probably come next. The crawl is the same for
//! any number of readers, and so is what it loses: pages that are read in vain are forgotten.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use langur_crawl::PageId;
use langur_extract::{Answer, Extract, Extractor};
use langur_page::Address;

use crate::library::{Fetched, Library};

/// Pages that are read, or to be read, before the crawl asks for them.
const MOST: usize = 64;

/// What came of a page: nothing if the library does not hold it.
pub type Read = Result<Option<(Fetched, Extract)>, String>;

/// A library with readers.
pub struct Ahead<'l, L> {
    library: &'l L,
    desk: Mutex<Desk>,
    changed: Condvar,
}

#[derive(Default)]
struct Desk {
    /// What nobody reads yet, the next first.
    asked: VecDeque<(PageId, Address)>,
    /// Everything that was asked for, with what came of it.
    pages: HashMap<PageId, Option<Read>>,
    /// The same in the order in which it was asked for, and some that is gone.
    order: VecDeque<PageId>,
    is_closed: bool,
}

impl<'l, L: Library + Sync> Ahead<'l, L> {
    /// Crawls with so many readers at work.
    pub fn with_readers<T>(
        library: &'l L,
        extractor: &Extractor,
        readers: usize,
        crawl: impl FnOnce(&Ahead<'l, L>) -> T,
    ) -> T {
        let ahead = Ahead { library, desk: Mutex::default(), changed: Condvar::new() };
        thread::scope(|scope| {
            // However the crawl ends, the readers go home.
            let closing = Closing(&ahead);
            for _ in 0..readers {
                let extractor = extractor.clone();
                scope.spawn(|| closing.0.work(extractor));
            }
            crawl(closing.0)
        })
    }

    fn work(&self, mut extractor: Extractor) {
        let mut desk = self.desk();
        while !desk.is_closed {
            match desk.asked.pop_front() {
                Some((page, address)) => {
                    drop(desk);
                    self.read_for_later(page, &address, &mut extractor);
                    desk = self.desk();
                }
                None => desk = self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl<L: Library> Ahead<'_, L> {
    /// The library.
    pub fn library(&self) -> &L {
        self.library
    }

    /// A page will probably be taken soon.
    pub fn ask(&self, page: PageId, address: &Address) {
        let mut desk = self.desk();
        if desk.pages.contains_key(&page) || !desk.has_room() {
            return;
        }
        desk.pages.insert(page, None);
        desk.order.push_back(page);
        desk.asked.push_back((page, address.clone()));
        drop(desk);
        self.changed.notify_one();
    }

    /// What comes of a page. Whoever takes it reads, too: this page, or others while somebody reads this one.
    pub fn take(&self, page: PageId, address: &Address, extractor: &mut Extractor) -> Read {
        let mut desk = self.desk();
        loop {
            match desk.pages.get(&page) {
                None => break,
                Some(Some(_)) => {
                    if let Some(Some(read)) = desk.pages.remove(&page) {
                        return read;
                    }
                }
                Some(None) => {
                    if let Some(at) = desk.asked.iter().position(|(asked, _)| *asked == page) {
                        desk.asked.remove(at);
                        desk.pages.remove(&page);
                        break;
                    }
                    desk = match desk.asked.pop_front() {
                        Some((other, address)) => {
                            drop(desk);
                            self.read_for_later(other, &address, extractor);
                            self.desk()
                        }
                        None => self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner),
                    };
                }
            }
        }
        drop(desk);
        self.read(address, extractor)
    }

    fn read_for_later(&self, page: PageId, address: &Address, extractor: &mut Extractor) {
        // Should reading fail, whoever wants the page finds nothing and reads it for themselves.
        let mut leaving = Leaving { ahead: self, page, read: None };
        leaving.read = Some(self.read(address, extractor));
    }

    fn read(&self, address: &Address, extractor: &mut Extractor) -> Read {
        let Some(fetched) = self.library.fetch(address)? else { return Ok(None) };
        let extract = extractor.extract(&Answer {
            address,
            status: fetched.status,
            content_type: fetched.content_type.as_deref(),
            content_language: fetched.content_language.as_deref(),
            location: fetched.location.as_deref(),
            link: fetched.link.as_deref(),
            refresh: fetched.refresh.as_deref(),
            payload: &fetched.payload,
        });
        Ok(Some((fetched, extract)))
    }
}

impl<L> Ahead<'_, L> {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk {
    /// Whether one more page can be asked for. What was read long ago and never taken makes room.
    fn has_room(&mut self) -> bool {
        while self.pages.len() >= MOST {
            let Some(oldest) = self.order.front() else { return false };
            if matches!(self.pages.get(oldest), Some(None)) {
                return false;
            }
            self.pages.remove(oldest);
            self.order.pop_front();
        }
        if self.order.len() > 2 * MOST {
            self.order.retain(|page| self.pages.contains_key(page));
        }
        true
    }
}

/// Puts what was read on the desk, or that nothing was.
struct Leaving<'a, 'l, L> {
    ahead: &'a Ahead<'l, L>,
    page: PageId,
    read: Option<Read>,
}

impl<L> Drop for Leaving<'_, '_, L> {
    fn drop(&mut self) {
        let mut desk = self.ahead.desk();
        match self.read.take() {
            Some(read) => desk.pages.insert(self.page, Some(read)),
            None => desk.pages.remove(&self.page),
        };
        drop(desk);
        self.ahead.changed.notify_all();
    }
}

/// Sends the readers home.
struct Closing<'a, 'l, L>(&'a Ahead<'l, L>);

impl<L> Drop for Closing<'_, '_, L> {
    fn drop(&mut self) {
        self.0.desk().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use langur_extract::Wants;

    use super::*;

    /// Holds pages with even numbers, cannot read every tenth, and counts what it is asked for.
    #[derive(Default)]
    struct Numbered(AtomicUsize);

    impl Library for Numbered {
        fn fetch(&self, address: &Address) -> Result<Option<Fetched>, String> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let number: u32 = address.path[1..].parse().expect("a number");
            match number {
                _ if number.is_multiple_of(10) => Err(format!("{number} is damaged")),
                _ if number.is_multiple_of(2) => {
                    let payload = format!("<a href=/{}>next</a>", number + 1).into_bytes();
                    Ok(Some(Fetched { status: 200, payload, ..Fetched::default() }))
                }
                _ => Ok(None),
            }
        }

        fn holds(&self, _: &Address) -> Result<bool, String> {
            Ok(true)
        }
    }

    fn address(number: u32) -> Address {
        Address::parse(&format!("http://a.example/{number}")).expect("a URL")
    }

    fn all(readers: usize) -> (Vec<Read>, usize) {
        let library = Numbered::default();
        let wants = Wants { all_labels: false, anchor_languages: false, evidence: false };
        let mut extractor = Extractor::new(Vec::new(), wants).expect("an extractor");
        let readings = Ahead::with_readers(&library, &extractor.clone(), readers, |ahead| {
            let take = |number: u32| {
                // Some are announced and never taken, some are taken without being announced.
                for soon in (number + 1..number + 9).filter(|soon| soon % 7 != 0) {
                    ahead.ask(PageId(soon), &address(soon));
                }
                ahead.take(PageId(number), &address(number), &mut extractor)
            };
            (0..400).filter(|number| number % 13 != 0).map(take).collect()
        });
        (readings, library.0.into_inner())
    }

    #[test]
    fn what_is_read_does_not_depend_on_who_reads_it() {
        let (alone, asked) = all(0);
        assert_eq!(asked, alone.len(), "without readers nothing is read in vain");
        for readers in [1, 3] {
            let (together, asked) = all(readers);
            assert!(together == alone);
            assert!(asked >= alone.len() && asked <= alone.len() + 40, "{asked} were read");
        }
    }

    #[test]
    fn readers_go_home_when_the_crawl_panics() {
        let crawl = || {
            let wants = Wants { all_labels: false, anchor_languages: false, evidence: false };
            let extractor = Extractor::new(Vec::new(), wants).expect("an extractor");
            Ahead::with_readers(&Numbered::default(), &extractor, 2, |_| panic!("as a test"));
        };
        assert!(std::panic::catch_unwind(crawl).is_err());
    }
}
