//! `langur crawl --web live` and `langur resume`

use std::io::{ErrorKind, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use langur_lab::{Catalogue, Live, LiveMeasures, Target};
use langur_live::crawl::journal_path;
use langur_live::settings::{Settings, SettingsError, Size, Span, Stop};
use langur_live::{Begin, Finished, Limit, LiveCrawl, LiveError, Recovered, Status};
use langur_topic::Topic;
use serde_json::json;

use super::display::Display;
use super::languages::known_languages;
use super::signals::stop_on_signals;
use super::topics::{Wanted, topic_in, wanted};
use super::{Crawl, no_target, own, run_folder};
use crate::misuse::{Misuse, told};
use crate::space::read_addresses;
use crate::table::counted;

/// Options for the live web.
#[derive(Args)]
#[command(next_help_heading = "Options for the live web")]
pub struct LiveArgs {
    /// All settings, as a crawl.toml; options go before it. The run folder has one that says everything
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How you can be reached: a web page or a mail address, shown to every server
    #[arg(long, value_name = "ADDRESS")]
    contact: Option<String>,
    /// A sitemap, the pages of which are seeds; may be given several times
    #[arg(long, value_name = "URL")]
    sitemap: Vec<String>,
    /// Start from the relevant pages of an earlier crawl
    #[arg(long, value_name = "CRAWL")]
    seeds_from: Option<PathBuf>,
    /// Only URLs that match: host:, domain:, tld:, surt:, path: or regex: and a text; may be given several times. Seeds are
    /// fetched whatever the rules say
    #[arg(long, value_name = "RULE")]
    include: Vec<String>,
    /// No URLs that match, seeds apart; rules as above
    #[arg(long, value_name = "RULE")]
    exclude: Vec<String>,
    /// No pages more than so many links from a seed, by the way that they were first heard of
    #[arg(long)]
    max_depth: Option<u32>,
    #[command(flatten)]
    limits: Limits,
    /// Between the end of an answer and the next request to the same host, as in 2s
    #[arg(long, value_name = "TIME")]
    delay: Option<Span>,
    /// Between requests to the same address, which may serve many hosts, as in 500ms
    #[arg(long, value_name = "TIME")]
    address_delay: Option<Span>,
    /// Requests under way at once
    #[arg(long)]
    connections: Option<usize>,
    /// At most so many requests to a host
    #[arg(long, value_name = "PAGES")]
    per_host: Option<u64>,
    /// At most so many requests to a registrable domain
    #[arg(long, value_name = "PAGES")]
    per_domain: Option<u64>,
    /// A proxy: http://HOST:PORT or socks5://HOST:PORT
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// Ask private addresses too: those of your own network and machine
    #[arg(long)]
    allow_private: bool,
    /// Where a host is to be found: HOST=ADDRESS:PORT, with *.example or * for many; also a private address
    #[arg(long, value_name = "RULE")]
    resolve: Vec<String>,
    #[command(flatten)]
    operating: Operating,
}

/// When to stop, over all runs of a crawl together.
#[derive(Args)]
struct Limits {
    /// Stop after so many bytes altogether, as in 10GiB
    #[arg(long, value_name = "SIZE")]
    max_bytes: Option<Size>,
    /// Stop after so much time at work altogether, as in 8h
    #[arg(long, value_name = "TIME")]
    max_time: Option<Span>,
    /// Stop after so many relevant pages altogether
    #[arg(long)]
    max_relevant: Option<u64>,
    /// Stop when less than this share of the last thousand pages was relevant, as in 0.02
    #[arg(long, value_name = "SHARE")]
    min_harvest: Option<f64>,
}

impl Limits {
    fn apply(&self, stop: &mut Stop) {
        stop.bytes = self.max_bytes.or(stop.bytes);
        stop.time = self.max_time.or(stop.time);
        stop.relevant = self.max_relevant.or(stop.relevant);
        stop.harvest = self.min_harvest.or(stop.harvest);
    }
}

/// How it is watched.
#[derive(Args)]
pub struct Operating {
    /// Serve Prometheus metrics at this address, as in 127.0.0.1:9187
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<std::net::SocketAddr>,
    /// How to say what happens
    #[arg(long, value_enum, default_value_t)]
    log: LogFormat,
}

impl Operating {
    /// Takes the port for metrics.
    fn listen(&self) -> Result<Option<TcpListener>> {
        let bind = |address| {
            TcpListener::bind(address)
                .with_context(|| format!("cannot serve metrics at {address}: choose another port"))
        };
        self.metrics.map(bind).transpose()
    }

    /// Tells the user what he should know.
    fn warn(&self) -> Arc<dyn Fn(&str) + Send + Sync> {
        let log = self.log;
        Arc::new(move |what| log.tell(what))
    }
}

/// How to say what happens.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A display on a terminal, lines otherwise
    #[default]
    Text,
    /// A JSON object a line
    Json,
}

impl LogFormat {
    /// Says something that is not how the crawl stands.
    pub fn tell(self, what: &str) {
        match self {
            LogFormat::Text => say(&format!("langur: {what}")),
            LogFormat::Json => say(&json!({ "at": seconds_now(), "message": what }).to_string()),
        }
    }
}

/// Says something, if anybody listens: a crawl goes on when nobody does any more.
pub fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}

/// Seconds since 1970.
pub fn seconds_now() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0.0, |since| (since.as_secs_f64() * 1000.0).round() / 1000.0)
}

/// Begins a crawl.
pub(super) fn begin(crawl: Crawl, catalogue: &Catalogue) -> Result<()> {
    let Some(folder) = crawl.output.clone() else {
        bail!(Misuse("say where the crawl should lie with -o, as in -o crawl/".to_owned()));
    };
    let mut settings = settings(&crawl)?;
    let wanted = wanted(&settings.target.parse()?, &topics_from(&crawl))?;
    let (topic, kept) = match wanted {
        Some(Wanted { target, topic, kept }) => {
            settings.target = target.to_string();
            (Some(topic), vec![kept])
        }
        None => (None, Vec::new()),
    };
    settings.target = known_languages(&settings.target.parse()?, &settings.labels.0)?.to_string();
    let (begin, measures) = parts_about(folder.clone(), settings, topic, catalogue)?;
    let operating = &crawl.live.options.operating;
    let begin = Begin { kept, warn: operating.warn(), ..begin };
    // Nothing is written, or removed, before all is known to be well.
    begin.check().map_err(as_misuse)?;
    let metrics = operating.listen()?;
    own::make_way(&folder, crawl.force)?;
    let live = LiveCrawl::begin(begin).map_err(as_misuse)?;
    run(live, measures, None, metrics, operating, crawl.json)
}

/// Takes a crawl up again. Limits that are given replace those it was stopped by.
pub fn resume(folder: &Path, changes: &Changes, catalogue: &Catalogue) -> Result<()> {
    if !journal_path(folder).exists() {
        bail!(LiveError::NotACrawl(folder.to_owned()));
    }
    let mut settings = read_settings(&folder.join(Settings::FILE))?;
    changes.apply(&mut settings);
    let (begin, measures) = parts(folder.to_owned(), settings, catalogue)?;
    let begin = Begin { warn: changes.operating.warn(), ..begin };
    let metrics = changes.operating.listen()?;
    let (mut live, recovered) = LiveCrawl::resume(begin).map_err(as_misuse)?;
    if changes.retry_given_up {
        let hosts = live.retry_all()?;
        changes.operating.log.tell(&format!("hosts that are asked again: {hosts}"));
    }
    run(live, measures, Some(recovered), metrics, &changes.operating, changes.json)
}

/// How a crawl stands that nobody is at. What decided it is in the journal too, if the settings cannot be read.
pub fn status_at_rest(folder: &Path, catalogue: &Catalogue) -> Result<Status> {
    let settings = match read_settings(&folder.join(Settings::FILE)) {
        Ok(settings) => settings,
        Err(error) => {
            let why = told(&error);
            eprintln!("langur: {why}\n  this is how it stood when it was last at work");
            LiveCrawl::settings_in_journal(folder)?
        }
    };
    let (begin, _) = parts(folder.to_owned(), settings, catalogue)?;
    Ok(LiveCrawl::at_rest(begin)?)
}

/// What can be changed when a crawl is taken up again.
#[derive(Args)]
pub struct Changes {
    /// Stop after so many fetches altogether; 0 for no limit
    #[arg(long)]
    max_pages: Option<u64>,
    #[command(flatten)]
    limits: Limits,
    /// Ask the hosts again that were given up, for all their pages that were passed over
    #[arg(long)]
    retry_given_up: bool,
    /// Fetch from private addresses, too: this machine and one's own network
    #[arg(long)]
    allow_private: bool,
    #[command(flatten)]
    operating: Operating,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Changes {
    fn apply(&self, settings: &mut Settings) {
        let stop = &mut settings.stop;
        match self.max_pages {
            Some(0) => stop.pages = None,
            pages => stop.pages = pages.or(stop.pages),
        }
        self.limits.apply(stop);
        settings.fetch.allow_private |= self.allow_private;
    }
}

fn read_settings(path: &Path) -> Result<Settings> {
    Settings::open(path).map_err(|error| match error {
        SettingsError::Read { .. } => error.into(),
        _ => Misuse(error.to_string()).into(),
    })
}

/// A settings file that the call names; one that is gone from a crawl is no fault of the call.
fn read_config(path: &Path) -> Result<Settings> {
    Settings::open(path).map_err(|error| match &error {
        SettingsError::Read { source, .. } if source.kind() != ErrorKind::NotFound => error.into(),
        _ => Misuse(error.to_string()).into(),
    })
}

/// The settings file, with the options put in.
fn settings(crawl: &Crawl) -> Result<Settings> {
    let live = &crawl.live.options;
    let mut settings = live.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
    if let Some(target) = &crawl.target {
        settings.target = target.to_string();
    }
    if settings.target.is_empty() {
        bail!(no_target());
    }
    if let Some(strategy) = &crawl.strategy {
        settings.strategy.0.clone_from(strategy);
    }
    if let Some(labels) = &crawl.labels {
        settings.labels.0.clone_from(labels);
    }
    for file in &crawl.seeds {
        settings.seeds.urls.extend(read_addresses(file)?.iter().map(ToString::to_string));
    }
    settings.seeds.sitemaps.extend(live.sitemap.iter().cloned());
    if let Some(earlier) = &live.seeds_from {
        let found = run_folder::relevant_pages(earlier)?;
        if found.is_empty() {
            let earlier = earlier.display();
            bail!(Misuse(format!(
                "the crawl in {earlier} has found no relevant page to begin with"
            )));
        }
        settings.seeds.urls.extend(found);
    }
    settings.scope.include.extend(live.include.iter().cloned());
    settings.scope.exclude.extend(live.exclude.iter().cloned());
    settings.scope.max_depth = live.max_depth.or(settings.scope.max_depth);
    let stop = &mut settings.stop;
    stop.pages = crawl.max_pages.or(stop.pages);
    live.limits.apply(stop);
    settings.budget.per_host = live.per_host.unwrap_or(settings.budget.per_host);
    settings.budget.per_domain = live.per_domain.unwrap_or(settings.budget.per_domain);
    settings.manners.delay = live.delay.unwrap_or(settings.manners.delay);
    settings.manners.address_delay = live.address_delay.unwrap_or(settings.manners.address_delay);
    let fetch = &mut settings.fetch;
    fetch.connections = live.connections.unwrap_or(fetch.connections);
    fetch.contact = live.contact.clone().or(fetch.contact.take());
    fetch.proxy = live.proxy.clone().or(fetch.proxy.take());
    fetch.allow_private |= live.allow_private;
    fetch.resolve.extend(live.resolve.iter().cloned());
    Ok(settings)
}

/// Where the topic is looked for: beside the settings if they name it.
fn topics_from(crawl: &Crawl) -> PathBuf {
    let config = crawl.live.options.config.as_deref().filter(|_| crawl.target.is_none());
    config.and_then(Path::parent).unwrap_or(Path::new("")).to_owned()
}

/// A crawl as its settings say, and what will be measured of it.
pub fn parts(
    folder: PathBuf,
    settings: Settings,
    catalogue: &Catalogue,
) -> Result<(Begin, LiveMeasures)> {
    let topic = topic_in(&folder, &settings.target.parse()?)?;
    parts_about(folder, settings, topic, catalogue)
}

fn parts_about(
    folder: PathBuf,
    settings: Settings,
    topic: Option<Topic>,
    catalogue: &Catalogue,
) -> Result<(Begin, LiveMeasures)> {
    let contender = catalogue.parse(&settings.strategy.0)?;
    let target: Target = settings.target.parse()?;
    let live = Live::new(target, topic, &settings.labels.0, settings.stop.pages)?;
    let (extractor, label) = (live.extractor()?, live.label());
    let parts = live.parts(&contender, None)?;
    let warn = Arc::new(|what: &str| LogFormat::Text.tell(what));
    let (decisions, kept) = (parts.decisions, Vec::new());
    let begin = Begin { folder, settings, decisions, extractor, label, kept, warn };
    Ok((begin, parts.measures))
}

/// Settings that make no sense are misuse.
fn as_misuse(error: LiveError) -> anyhow::Error {
    match error {
        LiveError::Wrong(_)
        | LiveError::Fetch(_)
        | LiveError::Scope(_)
        | LiveError::Settings(SettingsError::Toml { .. } | SettingsError::Value(_)) => {
            Misuse(error.to_string()).into()
        }
        error => error.into(),
    }
}

fn run(
    mut live: LiveCrawl,
    measures: LiveMeasures,
    recovered: Option<Recovered>,
    metrics: Option<TcpListener>,
    operating: &Operating,
    is_json: bool,
) -> Result<()> {
    let unread = crate::outlive_readers();
    let folder = live.folder().to_owned();
    stop_on_signals(&live, operating.log)?;
    let mut display = Display::new(operating.log, is_json);
    display.begin(&folder, recovered.as_ref());
    if let Some(listener) = metrics {
        let address = langur_live::metrics::serve(listener, live.outbox(), live.lookout())
            .context("cannot serve metrics")?;
        operating.log.tell(&format!("metrics are at http://{address}/metrics"));
    }
    let finished = live.run(|status| display.show(status))?;
    let Finished { why, can_resume, limits, dropped } = finished;
    let status = live.status();
    let resume =
        can_resume.then(|| how_to_resume(&folder, &limits, &live.settings().stop, &status));
    drop(live);
    let measured = measures.finish(!can_resume)?;
    run_folder::write(&folder, &measured)?;
    display.end(&status);
    drop(unread);
    let troubles = &status.troubles;
    let nobody_answered = !can_resume
        && status.fetched == troubles.unanswered
        && troubles.unanswered + troubles.host_given_up > 0;
    if is_json {
        let ended = json!({ "ended": why, "dropped": dropped, "resume": resume, "status": status });
        println!("{ended}");
    } else {
        println!("ended: {why}");
        if dropped > 0 {
            let requests = counted(dropped as u64, "request");
            println!("dropped: {requests} that took too long; made again when the crawl goes on");
        }
        println!(
            "archive: {}   next: langur report {}",
            folder.join("archive").display(),
            quoted(&folder)
        );
        if let Some(resume) = resume {
            println!("go on with: {resume}");
        } else if status.hosts.given_up > 0 {
            let pages = match troubles.host_given_up {
                0 => String::new(),
                pages => format!(", with {},", counted(pages, "page")),
            };
            let resume = how_to_resume(&folder, &[], &Stop::default(), &status);
            println!(
                "hosts that were given up{pages} are asked again with: {resume} --retry-given-up"
            );
        }
    }
    ensure!(!nobody_answered, "nobody has answered; why is in: langur log {}", folder.display());
    let is_nothing = !can_resume && status.fetched == 0;
    ensure!(!is_nothing, "nothing was fetched; why is in: langur log {}", folder.display());
    Ok(())
}

/// A path as a shell takes it.
pub fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    match !path.is_empty() && path.chars().all(is_plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// How to go on. Every limit that is reached has to be moved, or the crawl would stop at once: here to twice as much, as often as
/// it takes to be beyond what there is.
fn how_to_resume(folder: &Path, limits: &[Limit], stop: &Stop, status: &Status) -> String {
    let beyond = |limit: u64, reached: u64| {
        let doubled = std::iter::successors(Some(limit.max(1)), |limit| limit.checked_mul(2));
        doubled.skip(1).find(|limit| *limit > reached).unwrap_or(u64::MAX)
    };
    let further = limits.iter().map(|limit| match limit {
        Limit::Pages => {
            format!(" --max-pages {}", beyond(stop.pages.unwrap_or(0), status.fetched))
        }
        Limit::Bytes => {
            let bytes = beyond(stop.bytes.unwrap_or_default().0, status.received);
            format!(" --max-bytes {}", Size(bytes))
        }
        Limit::Time => {
            let busy_ms = (status.seconds * 1000.0) as u64;
            let time = beyond(stop.time.unwrap_or_default().as_ms(), busy_ms);
            format!(" --max-time {}", Span::ms(time))
        }
        Limit::Relevant => {
            format!(" --max-relevant {}", beyond(stop.relevant.unwrap_or(0), status.relevant))
        }
        Limit::Harvest => " --min-harvest 0".to_owned(),
    });
    format!("langur resume {}{}", quoted(folder), further.collect::<String>())
}
