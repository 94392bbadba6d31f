//! Beginning a crawl, and taking one up again.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use langur_crawl::HostId;
use langur_extract::Extractor;
use langur_fetch::{FetchSettings, Fetcher, Override};
use langur_page::{Address, ip_address, without_port};
use langur_robots::product;
use langur_scope::Scope;

use super::watching::Rate;
use super::{LiveCrawl, LiveError};
use crate::archiving::{Archiving, FileFacts};
use crate::control::Control;
use crate::decisions::Decisions;
use crate::disk::{Disk, is_full};
use crate::journal::{ErrandKind, Event, Frames, Journal, Moment};
use crate::known::Fingerprint;
use crate::lookout::Lookout;
use crate::settings::{Obedience, Settings};
use crate::state::{State, StateSetting};
use crate::workshop::{Cookies, Provenance, Workers, Workshop, moment};

/// What a crawl needs besides its settings.
pub struct Begin {
    /// Where it lies.
    pub folder: PathBuf,
    /// Everything that can be chosen.
    pub settings: Settings,
    /// Strategy and frontier, in which nothing has happened yet.
    pub decisions: Box<dyn Decisions>,
    /// Who reads pages.
    pub extractor: Extractor,
    /// Which of a page's languages is the one.
    pub label: usize,
    /// Files that the settings name and that are kept in the folder, by name.
    pub kept: Vec<(String, String)>,
    /// Is told what the user should know.
    pub warn: Arc<dyn Fn(&str) + Send + Sync>,
}

/// What was found when a crawl was taken up again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recovered {
    /// Events in the journal.
    pub events: u64,
    /// Seconds that it took to go through them.
    pub seconds: f64,
    /// Bytes at the end of the journal that were half an event.
    pub journal_cut: u64,
    /// Bytes at the end of the archive that no event knows of.
    pub archive_cut: u64,
}

impl Begin {
    /// Whether it can be begun, before anything is written.
    pub fn check(&self) -> Result<(), LiveError> {
        let settings = &self.settings;
        settings.check()?;
        check_contact(settings, &seeds_of(settings)?)?;
        sitemaps_of(settings)?;
        Scope::new(&settings.scope)?;
        Fetcher::new(fetch_settings(settings)?)?;
        Ok(())
    }
}

impl LiveCrawl {
    /// Begins a crawl in a folder that has none.
    pub fn begin(begin: Begin) -> Result<LiveCrawl, LiveError> {
        begin.check()?;
        let folder = begin.folder.clone();
        let seeds = seeds_of(&begin.settings)?;
        let archive = folder.join("archive");
        fs::create_dir_all(&archive).map_err(failed_at(&archive))?;
        let lock = lock(&folder)?;
        let settings = (Settings::FILE.to_owned(), begin.settings.written());
        for (name, text) in begin.kept.iter().chain([&settings]) {
            let path = folder.join(name);
            langur_folder::write_file(&path, text).map_err(failed_at(&path))?;
        }
        let lookout = Arc::new(Lookout::default());
        let disk = disk(&begin, &lookout);
        // A journal is there with its seeds or not at all.
        let partial = folder.join("journal.partial");
        if partial.exists() {
            fs::remove_file(&partial).map_err(failed_at(&partial))?;
        }
        let journal = Journal::create(&partial, &disk)?;
        let state = State::new(begin.decisions, state_setting(&begin.settings, begin.label));
        let at = moment(SystemTime::now());
        let archiving = Archiving::new(file_facts(&folder, &begin.settings, at), disk);
        let mut crawl = assemble(
            folder,
            begin.settings,
            begin.extractor,
            Parts { state, journal, archiving, lock, lookout },
        )?;
        let decided_by = crawl.settings.decided_by();
        crawl.record(&Event::Began { at, decided_by: &decided_by })?;
        crawl.seed(&seeds, at)?;
        crawl.put_down()?;
        let path = journal_path(&crawl.folder);
        fs::rename(&partial, &path).map_err(failed_at(&path))?;
        crawl.listen();
        Ok(crawl)
    }

    /// Takes a crawl up again.
    pub fn resume(begin: Begin) -> Result<(LiveCrawl, Recovered), LiveError> {
        let folder = begin.folder.clone();
        if !journal_path(&folder).exists() {
            return Err(LiveError::NotACrawl(folder));
        }
        begin.check()?;
        let lock = lock(&folder)?;
        let lookout = Arc::new(Lookout::default());
        let disk = disk(&begin, &lookout);
        let started = Instant::now();
        let mut recovered = Recovered::default();
        let mut state = State::new(begin.decisions, state_setting(&begin.settings, begin.label));
        let decided_by = begin.settings.decided_by();
        check_deciders(&folder, &decided_by)?;
        let (journal, cut) = Journal::open(&journal_path(&folder), &disk, |frame| {
            recovered.events += 1;
            state.apply(frame);
            Ok(())
        })?;
        recovered.journal_cut = cut;
        let now = moment(SystemTime::now());
        let facts = file_facts(&folder, &begin.settings, state.began.unwrap_or(now));
        let (archiving, cut) = Archiving::recover(facts, disk.clone(), state.archive_end)?;
        recovered.archive_cut = cut;
        recovered.seconds = started.elapsed().as_secs_f64();
        let mut crawl = assemble(
            folder,
            begin.settings,
            begin.extractor,
            Parts { state, journal, archiving, lock, lookout },
        )?;
        crawl.record(&Event::Began { at: now, decided_by: &decided_by })?;
        // It may have been killed before it had all its seeds, and more may have been written down since.
        let seeds = seeds_of(&crawl.settings)?;
        crawl.seed(&seeds, now)?;
        // Or before it had asked for the sitemaps of a host.
        let mut relevant: Vec<u32> = crawl.state.tally.relevant_hosts.iter().copied().collect();
        relevant.sort_unstable();
        for host in relevant {
            crawl.look_for_sitemaps(HostId(host), now)?;
        }
        crawl.put_down()?;
        crawl.keep_settings(&disk)?;
        crawl.listen();
        Ok((crawl, recovered))
    }

    /// Writes down what was changed since it was begun.
    fn keep_settings(&self, disk: &Disk) -> Result<(), LiveError> {
        let (path, text) = (self.folder.join(Settings::FILE), self.settings.written());
        let written = disk.retry(is_full, || langur_folder::write_file(&path, &text));
        written.map_err(failed_at(&path))
    }

    /// Starts from the seeds that were not given yet. Some of them were perhaps found out of the scope, and not wanted until now.
    fn seed(&mut self, seeds: &[Address], at: Moment) -> Result<(), LiveError> {
        let urls = seeds.iter().map(ToString::to_string);
        let is_new = |url: &String| {
            let known = self.state.known.find(Fingerprint::of(url));
            known.is_none_or(|page| !self.state.given.contains(&page.0))
        };
        let urls: Vec<String> = urls.filter(is_new).collect();
        for urls in urls.chunks(1000) {
            let urls = urls.iter().map(String::as_str).collect();
            self.record(&Event::Seeds { at, urls, given: true })?;
        }
        for url in sitemaps_of(&self.settings)? {
            let url = url.to_string();
            if self.state.has_sitemap(&url) {
                continue;
            }
            let host = self.state.known.add_host_of(&url).map_or(0, |host| host.0);
            let kind = ErrandKind::NamedSitemap { depth: 0, hops: 0 };
            self.record(&Event::Errand { at, host, url: &url, kind })?;
        }
        Ok(())
    }

    /// Takes commands, if the system lets it.
    fn listen(&mut self) {
        self.control = Control::listen(&self.folder, self.outbox.clone(), self.lookout()).ok();
    }
}

/// Connections are files, and the usual limit for them is meant for programs that have few: asks for as many as the system
/// lets anybody ask for. Where it does not, there are fewer connections.
fn open_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

struct Parts {
    state: State,
    journal: Journal,
    archiving: Archiving,
    lock: File,
    lookout: Arc<Lookout>,
}

fn assemble(
    folder: PathBuf,
    settings: Settings,
    extractor: Extractor,
    parts: Parts,
) -> Result<LiveCrawl, LiveError> {
    let Parts { state, journal, archiving, lock, lookout } = parts;
    open_many_files();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("langur")
        .build()
        .map_err(failed_at(&folder))?;
    let texts = journal.syncer().map_err(failed_at(&journal_path(&folder)))?;
    let user_agent = settings.user_agent();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let workshop = Workshop {
        fetcher: Fetcher::new(fetch_settings(&settings)?)?,
        cookies: settings.fetch.cookies.then(Cookies::default),
        scope: Scope::new(&settings.scope)?,
        product: product(&user_agent).to_owned(),
        obey_nofollow: settings.manners.nofollow == Obedience::Obey,
        obey_noindex: settings.manners.noindex == Obedience::Obey,
        by_proxy: settings.fetch.proxy.is_some(),
        keep_addresses: settings.archive.dns,
        payloads: settings.archive.revisits.then(|| Arc::clone(&state.payloads)),
        texts,
        provenance: Provenance {
            target: settings.target.clone(),
            strategy: settings.strategy.0.clone(),
        },
        workers: Workers::new(extractor, since.as_nanos()),
    };
    let (outbox, inbox) = channel();
    let fetched = state.tally.fetched;
    Ok(LiveCrawl {
        folder,
        settings,
        state,
        journal,
        archiving,
        workshop: Arc::new(workshop),
        runtime: Some(runtime),
        inbox,
        outbox,
        under_way: HashMap::new(),
        beginning: Vec::new(),
        rules: HashMap::new(),
        control: None,
        paused: None,
        no_room: None,
        stopping: None,
        lookout,
        rate: Rate::new(fetched),
        trickled: Instant::now(),
        last_moment: 0,
        _lock: lock,
    })
}

/// The journal of a run folder.
pub fn journal_path(folder: &Path) -> PathBuf {
    folder.join("journal")
}

pub(super) fn state_setting(settings: &Settings, label: usize) -> StateSetting {
    StateSetting {
        label,
        manners: settings.manners.manners(),
        product: product(&settings.user_agent()).to_owned(),
    }
}

/// A journal can only be replayed by who decides as it was decided then.
pub(super) fn check_deciders(folder: &Path, decided_by: &str) -> Result<(), LiveError> {
    let mut frames = Frames::open(&journal_path(folder))?;
    let Some(frame) = frames.next()? else { return Ok(()) };
    match frame.event() {
        Some(Event::Began { decided_by: then, .. }) if then != decided_by => {
            Err(LiveError::Wrong(format!(
                "{} says \"{decided_by}\" and the crawl was begun with \"{then}\"\n  a crawl goes on as it was begun; for another target or strategy begin another, with --seeds-from {}",
                folder.join(Settings::FILE).display(),
                folder.display()
            )))
        }
        _ => Ok(()),
    }
}

/// Only one process may write to a crawl: the one that has this file, as long as it has it.
pub fn lock(folder: &Path) -> Result<File, LiveError> {
    let path = folder.join("lock");
    let file = File::create(&path).map_err(failed_at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LiveError::Taken(folder.to_owned())),
        Err(TryLockError::Error(source)) => Err(LiveError::Io { path, source }),
    }
}

/// A disk that is full is waited for, and the user is told so.
fn disk(begin: &Begin, lookout: &Arc<Lookout>) -> Disk {
    let (warn, lookout) = (Arc::clone(&begin.warn), Arc::clone(lookout));
    Disk::patient(move |full| match (lookout.disk_is_full(full, moment(SystemTime::now())), full) {
        (false, true) => warn("the disk is full: the crawl waits until there is room"),
        (true, false) => warn("there is room on the disk again: the crawl goes on"),
        _ => {}
    })
}

fn file_facts(folder: &Path, settings: &Settings, began: Moment) -> FileFacts {
    let digits = crate::workshop::date(began / 1000).replace(|c: char| !c.is_ascii_digit(), "");
    let robots = match settings.manners.robots {
        Obedience::Obey => "obey",
        Obedience::Ignore => "ignore",
    };
    let fields = [
        ("software", concat!("langur/", env!("CARGO_PKG_VERSION")).to_owned()),
        ("format", "WARC File Format 1.1".to_owned()),
        (
            "conformsTo",
            "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
                .to_owned(),
        ),
        ("http-header-user-agent", settings.user_agent()),
        ("robots", robots.to_owned()),
        ("description", format!("target {}, strategy {}", settings.target, settings.strategy.0)),
    ];
    let operator = settings.fetch.contact.clone().map(|contact| ("operator".to_owned(), contact));
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    FileFacts {
        folder: folder.join("archive"),
        name: format!("langur-{digits}"),
        rotate: settings.archive.rotate.0,
        fields: fields.chain(operator).collect(),
    }
}

fn fetch_settings(settings: &Settings) -> Result<FetchSettings, LiveError> {
    let fetch = &settings.fetch;
    let overrides = fetch.resolve.iter().map(|text| read_override(text));
    let roots = fetch.trust.iter().map(|path| {
        fs::read(path).map_err(|error| {
            LiveError::Wrong(format!("cannot read {} in fetch.trust: {error}", path.display()))
        })
    });
    Ok(FetchSettings {
        user_agent: settings.user_agent(),
        from: fetch.contact.clone().filter(|contact| contact.contains('@')),
        connect_timeout: fetch.connect_timeout.0,
        head_timeout: fetch.head_timeout.0,
        total_timeout: fetch.total_timeout.0,
        idle_timeout: fetch.idle_timeout.0,
        min_bytes_per_second: fetch.slowest.0,
        max_bytes: fetch.longest.0,
        allow_private: fetch.allow_private,
        overrides: overrides.collect::<Result<_, _>>()?,
        proxy: fetch.proxy.clone(),
        extra_roots: roots.collect::<Result<_, _>>()?,
        http2: fetch.http2,
        // Longer than a host rests, so that its next page comes over the same connection.
        idle_connections: settings.manners.delay.0 * 2 + Duration::from_secs(10),
        ..FetchSettings::default()
    })
}

fn read_override(text: &str) -> Result<Override, LiveError> {
    let wrong = || {
        LiveError::Wrong(format!(
            "\"{text}\" in fetch.resolve should be HOST=ADDRESS:PORT, as in *.example=127.0.0.1:8080"
        ))
    };
    let (host, address) = text.split_once('=').ok_or_else(wrong)?;
    let address: SocketAddr = address.trim().parse().map_err(|_| wrong())?;
    Ok(Override { host: host.trim().to_owned(), address })
}

fn seeds_of(settings: &Settings) -> Result<Vec<Address>, LiveError> {
    let seeds = settings.seeds.urls.iter();
    let seeds = seeds.map(|url| {
        Address::parse(url).map_err(|error| LiveError::Wrong(format!("a seed: {error}")))
    });
    let seeds: Vec<Address> = seeds.collect::<Result<_, _>>()?;
    if seeds.is_empty() && settings.seeds.sitemaps.is_empty() {
        return Err(LiveError::Wrong(
            "there are no seeds: give a file of URLs with --seeds".to_owned(),
        ));
    }
    Ok(seeds)
}

fn sitemaps_of(settings: &Settings) -> Result<Vec<Address>, LiveError> {
    let wrong = |error| LiveError::Wrong(format!("a sitemap: {error}"));
    settings.seeds.sitemaps.iter().map(|url| Address::parse(url).map_err(wrong)).collect()
}

/// Strangers are to know whom to complain to. Seeds on this machine need not.
fn check_contact(settings: &Settings, seeds: &[Address]) -> Result<(), LiveError> {
    let overrides = settings.fetch.resolve.iter().filter_map(|text| read_override(text).ok());
    let is_all_here = overrides.filter(|it| it.host == "*").any(|it| it.address.ip().is_loopback());
    let is_here = |seed: &Address| {
        let name = without_port(&seed.host);
        name == "localhost" || ip_address(name).is_some_and(|ip| ip.is_loopback())
    };
    if settings.says_who_asks() || is_all_here || seeds.iter().all(is_here) {
        return Ok(());
    }
    Err(LiveError::Wrong(
        "a crawl of the live web needs a contact address, which every server is shown\n  give a web page or a mail address with --contact, as in --contact https://library.example/crawls".to_owned(),
    ))
}

fn failed_at(path: &Path) -> impl Fn(std::io::Error) -> LiveError + use<> {
    let path = path.to_owned();
    move |source| LiveError::Io { path: path.clone(), source }
}
