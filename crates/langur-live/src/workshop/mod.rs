//! Everything that touches bytes: fetching, decoding, judging, packing records.
//!
//! Jobs come from the one who owns the crawl and run here side by side. What goes back is small: facts, links, and
//! records that need only be put at the end of a file.

mod cookies;
mod crash;
mod packing;
mod reading;

use std::fs::File;
use std::net::IpAddr;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use langur_archive::{HttpResponse, Oddity};
use langur_extract::Extractor;
use langur_fetch::{Failed, FailureKind, Fetcher, Request, Response, Truncated};
use langur_page::{ip_address, without_port};
use langur_robots::sitemap::{self, Sitemap};
use langur_scope::Scope;
use tokio::task::block_in_place;
use xxhash_rust::xxh3::xxh3_128;

use crate::archiving::Packed;
use crate::journal::Moment;
use crate::known::{Fingerprint, Text};
use crate::repeated::{Digest, Payloads};

pub use cookies::Cookies;
pub(crate) use crash::words;
pub use packing::Provenance;
pub(crate) use packing::date;

/// A robots.txt is read up to so many bytes; RFC 9309 asks for 500 KiB at least.
const LONGEST_ROBOTS: u64 = 512 << 10;

/// A sitemap may have so many bytes, decompressed.
const LONGEST_SITEMAP: usize = 50 << 20;

/// Bodies from this size on are read where waiting does not hold up others.
const LARGE: usize = 256 << 10;

/// What is shared by all who work.
pub struct Workshop {
    /// Who fetches.
    pub fetcher: Fetcher,
    /// Cookies, if they are kept.
    pub cookies: Option<Cookies>,
    /// Which links belong to the crawl.
    pub scope: Scope,
    /// What the crawler is called in robots.txt.
    pub product: String,
    /// Whether links that say nofollow are left alone.
    pub obey_nofollow: bool,
    /// Whether pages that say noindex are not archived.
    pub obey_noindex: bool,
    /// Whether names are looked up by a proxy.
    pub by_proxy: bool,
    /// Whether the addresses of hosts are archived.
    pub keep_addresses: bool,
    /// Payloads that are archived already, if they are referred to.
    pub payloads: Option<Arc<Payloads>>,
    /// The journal, which has the texts of URLs.
    pub texts: File,
    /// What the records say of the crawl.
    pub provenance: Provenance,
    /// Who does the work.
    pub workers: Workers,
}

/// One who reads pages and packs records.
struct Worker {
    extractor: Extractor,
    packer: packing::Packer,
}

/// Those who read pages and pack records: as many as are ever needed at once.
pub struct Workers(Mutex<Staff>);

struct Staff {
    idle: Vec<Worker>,
    extractor: Extractor,
    seed: u128,
    hired: u64,
}

impl Workers {
    /// Workers who read pages like this one. No two crawls may have the same seed, for their records would have the same
    /// ids.
    pub fn new(extractor: Extractor, seed: u128) -> Workers {
        Workers(Mutex::new(Staff { idle: Vec::new(), extractor, seed, hired: 0 }))
    }

    fn staff(&self) -> std::sync::MutexGuard<'_, Staff> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call(&self) -> Worker {
        let mut staff = self.staff();
        if let Some(worker) = staff.idle.pop() {
            return worker;
        }
        staff.hired += 1;
        let seed = xxh3_128(format!("{} {}", staff.seed, staff.hired).as_bytes());
        Worker { extractor: staff.extractor.clone(), packer: packing::Packer::new(seed) }
    }
}

/// What is known of a host's place.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Its addresses; none where a proxy knows better.
    pub addresses: Vec<IpAddr>,
    /// A record of them, if they are archived.
    pub packed: Option<Packed>,
}

/// A page that is to be visited.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Its URL.
    pub url: String,
    /// The page with the link to it.
    pub via: Option<String>,
    /// Links from a seed.
    pub depth: u8,
    /// How soon it was wanted.
    pub priority: u32,
    /// Irrelevant pages in a row before it.
    pub crossed: Option<u32>,
    /// How long its host rests between requests.
    pub rest: Duration,
}

/// What came of a request.
pub struct Came {
    /// HTTP's status.
    pub status: u16,
    /// When the request was sent.
    pub began: Moment,
    /// How long the host took, in milliseconds.
    pub lasted_ms: u32,
    /// Bytes that were received.
    pub received: u64,
    /// How long the host asks to be left alone.
    pub retry_after: Option<Duration>,
    /// Where it sends to.
    pub location: Option<String>,
    /// What is archived of it.
    pub archived: Archived,
    /// What was read.
    pub read: Read,
}

/// An answer on its way into the archive.
#[derive(Default)]
pub struct Archived {
    /// Its records; none if it is not to be kept.
    pub packed: Packed,
    /// SHA-1 of the content.
    pub digest: Digest,
    /// Whether it is archived as a repetition.
    pub repeats: bool,
}

impl Came {
    fn new(
        response: &Response,
        http: Option<&HttpResponse>,
        archived: Archived,
        read: Read,
    ) -> Came {
        let retry_after = header(http, "retry-after");
        Came {
            status: response.status,
            began: moment(response.began),
            lasted_ms: u32::try_from(response.lasted.as_millis()).unwrap_or(u32::MAX),
            received: response.received.len() as u64,
            retry_after: retry_after.and_then(|text| self::retry_after(&text, response.began)),
            location: header(http, "location"),
            archived,
            read,
        }
    }

    /// An answer that could not be read. It is not archived, for whoever reads the archive would fail over it too.
    fn unread(response: &Response, why: String) -> Came {
        Came::new(response, None, Archived::default(), Read::Failed(why))
    }
}

fn header(http: Option<&HttpResponse>, name: &str) -> Option<String> {
    Some(http?.headers.text(name)?.into_owned())
}

/// What was read, depending on what was wanted.
pub enum Read {
    /// A page.
    Page(Box<PageRead>),
    /// A robots.txt.
    Robots(Vec<u8>),
    /// A sitemap.
    Sitemap(Sitemap),
    /// Nothing, for whoever read it has failed; with the reason.
    Failed(String),
}

/// What was read in a page.
pub struct PageRead {
    /// What a crawl needs of it, without its links.
    pub extract: langur_extract::Extract,
    /// Length of the payload.
    pub bytes: u64,
    /// Whether it asks not to be kept.
    pub noindex: bool,
    /// Its links.
    pub links: FoundLinks,
}

/// The links of a page. Their URLs lie in one piece of memory, since another thread gives it back.
#[derive(Default)]
pub struct FoundLinks {
    urls: String,
    links: Vec<FoundLink>,
}

impl FoundLinks {
    /// All of them with their URLs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&FoundLink, &str)> {
        let mut from = 0;
        self.links.iter().map(move |link| {
            let url = &self.urls[from..link.url_end];
            from = link.url_end;
            (link, url)
        })
    }
}

/// A link that was found.
pub struct FoundLink {
    /// Where its URL ends, among those of all links.
    url_end: usize,
    /// By which it is known.
    pub fingerprint: Fingerprint,
    /// Whether it belongs to the crawl.
    pub offered: bool,
    /// What makes it a link.
    pub origin: u8,
    /// The language of its anchor.
    pub anchor: Option<langur_crawl::Language>,
    /// Scores on the topic.
    pub scores: (u8, u8),
}

impl Workshop {
    /// Looks up a host. Behind a proxy there is nothing to look up.
    pub async fn resolve(&self, host: &str) -> Result<Resolved, Failed> {
        if self.by_proxy {
            return Ok(Resolved::default());
        }
        // The port makes no difference to which addresses there are.
        let name = without_port(host);
        let addresses = self.fetcher.resolve(name, 80).await?;
        let addresses: Vec<IpAddr> = addresses.iter().map(std::net::SocketAddr::ip).collect();
        let at = moment(SystemTime::now());
        let pack = |worker: &mut Worker| worker.packer.pack_addresses(name, &addresses, at);
        // What is an address was not looked up. And a host can be asked though its addresses could not be packed.
        let is_kept = self.keep_addresses && ip_address(name).is_none();
        let packed = if is_kept { self.work(0, pack).ok() } else { None };
        Ok(Resolved { addresses, packed })
    }

    /// Fetches and reads a page.
    pub async fn page(&self, ask: &Ask) -> Result<Came, Failed> {
        let request = Request { respite: ask.rest, ..Request::of(ask.url.as_str()) };
        let response = self.fetch(request).await?;
        let read = |worker: &mut Worker| self.read_page(worker, ask, &response);
        Ok(self.read(&response, response.received.len(), read))
    }

    /// Fetches a robots.txt from a host that rests so long between requests.
    pub async fn robots(&self, url: &str, rest: Duration) -> Result<Came, Failed> {
        let max_bytes = Some(LONGEST_ROBOTS);
        let request = Request { max_bytes, respite: rest, ..Request::of(url) };
        let response = self.fetch(request).await?;
        Ok(self.read(&response, 0, |worker| {
            let mut came =
                self.read_other(worker, url, &response, LONGEST_ROBOTS as usize, Read::Robots);
            // Rules of which a part is missing may forbid what the others do not.
            if (200..300).contains(&came.status)
                && let Some(why) = broken_off(&response)
            {
                came.read = Read::Failed(why.to_owned());
            }
            came
        }))
    }

    /// Fetches a sitemap, in the same way.
    pub async fn sitemap(&self, url: &str, rest: Duration) -> Result<Came, Failed> {
        let response = self.fetch(Request { respite: rest, ..Request::of(url) }).await?;
        let read = |bytes: Vec<u8>| Read::Sitemap(sitemap::read(&bytes, sitemap::MOST));
        Ok(self.read(&response, response.received.len(), |worker| {
            self.read_other(worker, url, &response, LONGEST_SITEMAP, read)
        }))
    }

    /// Fetches, with the cookies that belong to it.
    async fn fetch(&self, mut request: Request) -> Result<Response, Failed> {
        let Some(cookies) = &self.cookies else { return self.fetcher.get(&request).await };
        let sent = cookies.header(&request.url, moment(SystemTime::now()));
        request.headers.extend(sent.map(|value| ("Cookie".to_owned(), value)));
        let response = self.fetcher.get(&request).await?;
        if let Some(http) = HttpResponse::parse(&response.received[..response.head]) {
            let given = http.headers.all("set-cookie");
            cookies.keep(&request.url, given, moment(SystemTime::now()));
        }
        Ok(response)
    }

    /// Has someone read an answer.
    fn read(
        &self,
        response: &Response,
        bytes: usize,
        read: impl FnOnce(&mut Worker) -> Came,
    ) -> Came {
        self.work(bytes, read).unwrap_or_else(|why| Came::unread(response, why))
    }

    /// Has someone do the work, aside if it will take long. Pages are written by anyone, and one that our code cannot
    /// bear is one page less: the reason is given back.
    fn work<T>(&self, bytes: usize, job: impl FnOnce(&mut Worker) -> T) -> Result<T, String> {
        let mut worker = self.workers.call();
        let job = AssertUnwindSafe(|| job(&mut worker));
        let done = match bytes >= LARGE {
            true => block_in_place(|| catch_unwind(job)),
            false => catch_unwind(job),
        };
        // Who failed may have half a page in mind, and is not called again.
        let done = done.map_err(|panic| format!("reading it failed: {}", words(&*panic)))?;
        self.workers.staff().idle.push(worker);
        Ok(done)
    }

    /// Anything but a page.
    fn read_other(
        &self,
        worker: &mut Worker,
        url: &str,
        response: &Response,
        longest: usize,
        read: impl FnOnce(Vec<u8>) -> Read,
    ) -> Came {
        let http = HttpResponse::parse(&response.received);
        let body = http.as_ref().map_or(&[][..], |http| &response.received[http.body_at..]);
        let payload = http.as_ref().map(|http| http.payload(body, longest).bytes.into_owned());
        let digest = packing::digest(http.as_ref(), body);
        let packed = worker.packer.pack(url, response, http.as_ref(), (&digest, None), &[]);
        let archived = Archived { packed, digest, repeats: false };
        Came::new(response, http.as_ref(), archived, read(payload.unwrap_or_default()))
    }

    /// A URL that stands in the journal.
    fn text(&self, text: Text) -> Option<String> {
        let mut bytes = vec![0; text.length()];
        self.texts.read_exact_at(&mut bytes, text.at()).ok()?;
        String::from_utf8(bytes).ok()
    }
}

/// Whether an answer has no end, and why; not if it was we who ended it, for its length.
fn broken_off(response: &Response) -> Option<&'static str> {
    match response.truncated {
        Some(Truncated::Length) => None,
        Some(Truncated::Time) => Some("it came too slowly"),
        Some(Truncated::Disconnect) => Some("it broke off"),
        None => {
            let http = HttpResponse::parse(&response.received)?;
            let payload = http.payload(&response.received[http.body_at..], LONGEST_ROBOTS as usize);
            let is_cut =
                |oddity: &Oddity| oddity.is_loss() && !matches!(oddity, Oddity::Limited(_));
            payload.oddities.iter().any(is_cut).then_some("it broke off")
        }
    }
}

/// Seconds, or a date.
fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that is too large for us still says that it is to be long.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    httpdate::parse_http_date(text).ok()?.duration_since(now).ok()
}

/// As the journal has it.
pub fn moment(time: SystemTime) -> Moment {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Whether another attempt may end otherwise.
pub fn is_temporary(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Dns
        | FailureKind::Connect
        | FailureKind::Timeout
        | FailureKind::Closed
        | FailureKind::Proxy => true,
        FailureKind::NoSuchHost
        | FailureKind::PrivateAddress
        | FailureKind::Tls
        | FailureKind::BadResponse
        | FailureKind::BadUrl
        | FailureKind::Crashed => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retry_after_is_seconds_however_many_or_a_date() {
        let after = |text: &str| retry_after(text, UNIX_EPOCH).map(|wait| wait.as_secs());
        assert_eq!(after(" 120 "), Some(120));
        assert_eq!(after("99999999999999999999"), Some(u64::MAX));
        assert_eq!(after("Thu, 01 Jan 1970 00:01:00 GMT"), Some(60));
        for nonsense in ["", "-1", "soon", "1.5"] {
            assert_eq!(after(nonsense), None, "{nonsense}");
        }
    }
}
