//! Looking at the crawl from outside: when to stop, how it stands, what it is told.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use langur_crawl::HostId;
use langur_page::Address;

use super::open::{check_deciders, journal_path, state_setting};
use super::{Begin, Limit, LiveCrawl, LiveError};
use crate::control::{Command, host_named};
use crate::journal::{Event, Frames, Moment};
use crate::known::Fingerprint;
use crate::settings::Settings;
use crate::state::State;
use crate::status::{HostCounts, Status, Troubles, UnderWay, Wait};
use crate::workshop::moment;

/// Hosts whose waits are listed, unless all are asked for: those who watch do so all the time.
const MOST_WAITS: usize = 20;

/// Room on the disk is looked at this often, and whenever an eighth of what is to be left was received.
const ROOM: Duration = Duration::from_secs(2);

/// How fast it went lately.
pub(super) struct Rate {
    samples: VecDeque<(Instant, u64)>,
    /// Pages a second, when that was last looked at.
    pub lately: f64,
    /// When room was looked for, and what had been received until then.
    looked_for_room: Option<(Instant, u64)>,
}

impl Rate {
    /// From now on, when so many were fetched.
    pub fn new(fetched: u64) -> Rate {
        let samples = VecDeque::from([(Instant::now(), fetched)]);
        Rate { samples, lately: 0.0, looked_for_room: None }
    }

    fn sample(&mut self, fetched: u64) -> f64 {
        const WINDOW: Duration = Duration::from_secs(30);
        let now = Instant::now();
        self.samples.push_back((now, fetched));
        while self.samples.front().is_some_and(|(then, _)| now - *then > WINDOW) {
            self.samples.pop_front();
        }
        let (then, before) = self.samples.front().copied().unwrap_or((now, fetched));
        let seconds = (now - then).as_secs_f64();
        self.lately = if seconds > 0.0 { (fetched - before) as f64 / seconds } else { 0.0 };
        self.lately
    }
}

impl LiveCrawl {
    /// Whether a limit is reached, and whether there is room on the disk.
    pub(super) fn look_around(&mut self) -> Result<(), LiveError> {
        let now = self.now();
        let reached = self.reached(now).next();
        if let Some((_, why)) = reached {
            self.stop(&why);
        }
        let received = self.state.tally.received;
        let much = self.settings.archive.least_free.0 / 8;
        let is_long_ago = |(then, before): (Instant, u64)| {
            then.elapsed() > ROOM || received.saturating_sub(before) > much
        };
        if self.rate.looked_for_room.is_none_or(is_long_ago) {
            self.rate.looked_for_room = Some((Instant::now(), received));
            self.look_for_room();
            self.note_pause()?;
        }
        Ok(())
    }

    /// The limits that are reached, each in words, too.
    pub(super) fn reached(&self, now: Moment) -> impl Iterator<Item = (Limit, String)> {
        let (stop, tally) = (&self.settings.stop, &self.state.tally);
        let pages = stop.pages.filter(|pages| tally.fetched >= *pages);
        let pages = pages.map(|_| (Limit::Pages, format!("{} pages were fetched", tally.fetched)));
        let bytes = stop.bytes.filter(|bytes| tally.received >= bytes.0);
        let bytes = bytes.map(|bytes| (Limit::Bytes, format!("{bytes} were received")));
        let relevant = stop.relevant.filter(|relevant| tally.relevant >= *relevant);
        let relevant = relevant
            .map(|_| (Limit::Relevant, format!("{} relevant pages were found", tally.relevant)));
        let time = stop.time.filter(|time| self.state.busy_ms(now) >= time.as_ms());
        let time = time.map(|time| (Limit::Time, format!("it ran for {time}")));
        let harvest = stop.harvest.zip(tally.recent_harvest());
        let harvest = harvest.filter(|(least, harvest)| harvest < least).map(|(least, harvest)| {
            let (least, harvest) = (least * 100.0, harvest * 100.0);
            (Limit::Harvest, format!("harvest fell to {harvest:.1}%, below {least:.1}%"))
        });
        [pages, bytes, relevant, time, harvest].into_iter().flatten()
    }

    fn look_for_room(&mut self) {
        let least = self.settings.archive.least_free.0;
        let free = rustix::fs::statvfs(&self.folder).map(|it| it.f_bavail * it.f_frsize);
        // A file system that cannot say how much room there is says so when there is none.
        self.no_room = match free {
            Ok(free) if free < least => Some(format!(
                "the disk has {} left and archive.least_free is {}; it goes on when there is room",
                in_mib(free),
                self.settings.archive.least_free
            )),
            _ => None,
        };
    }

    /// How it stands.
    pub fn status(&mut self) -> Status {
        self.status_with(MOST_WAITS)
    }

    fn status_with(&mut self, waits: usize) -> Status {
        let now = self.now();
        let rate = self.rate.sample(self.state.tally.fetched);
        let (phase, why) = self.phase();
        let under_way = self.under_way();
        let seconds = self.state.busy_ms(now) as f64 / 1000.0;
        Status {
            phase,
            why,
            rate,
            under_way,
            seconds,
            ..status_of(&self.state, &self.settings, now, waits)
        }
    }

    /// How a crawl stands that nobody is at.
    pub fn at_rest(begin: Begin) -> Result<Status, LiveError> {
        let path = journal_path(&begin.folder);
        if !path.exists() {
            return Err(LiveError::NotACrawl(begin.folder));
        }
        check_deciders(&begin.folder, &begin.settings.decided_by())?;
        let mut state = State::new(begin.decisions, state_setting(&begin.settings, begin.label));
        let mut frames = Frames::open(&path)?;
        while let Some(frame) = frames.next()? {
            state.apply(frame);
        }
        let (phase, why) = match state.ended.take() {
            Some(why) => ("stopped", why),
            None => (
                "not running",
                "it was stopped at once or killed, or the machine went down".to_owned(),
            ),
        };
        let now = moment(SystemTime::now());
        let status = status_of(&state, &begin.settings, now, usize::MAX);
        Ok(Status { phase: phase.to_owned(), why: Some(why), ..status })
    }

    /// What decided a crawl, by its journal; everything else is as by default.
    pub fn settings_in_journal(folder: &Path) -> Result<Settings, LiveError> {
        let mut settings = Settings::default();
        let mut frames = Frames::open(&journal_path(folder))?;
        if let Some(frame) = frames.next()?
            && let Some(Event::Began { decided_by, .. }) = frame.event()
            && let [labels, strategy, target] = decided_by.rsplitn(3, ' ').collect::<Vec<_>>()[..]
        {
            labels.clone_into(&mut settings.labels.0);
            strategy.clone_into(&mut settings.strategy.0);
            target.clone_into(&mut settings.target);
        }
        Ok(settings)
    }

    fn phase(&self) -> (String, Option<String>) {
        let (phase, why) = match (&self.stopping, &self.paused, &self.no_room) {
            (Some((why, _)), ..) if self.under_way.is_empty() => ("stopped", Some(why.clone())),
            (Some((why, _)), ..) => ("stopping", Some(why.clone())),
            (_, Some(why), _) | (_, _, Some(why)) => ("paused", Some(why.clone())),
            _ => ("running", None),
        };
        (phase.to_owned(), why)
    }

    fn under_way(&self) -> Vec<UnderWay> {
        let requests = self.under_way.values();
        let mut requests: Vec<UnderWay> = requests
            .map(|it| UnderWay { url: it.url.clone(), seconds: it.since.elapsed().as_secs_f64() })
            .collect();
        requests.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        requests
    }

    /// Does what it is told, and says what came of it.
    pub(super) fn obey(&mut self, command: Command) -> Result<String, LiveError> {
        let at = self.now();
        Ok(match command {
            Command::Status { all } => {
                let waits = if all { usize::MAX } else { MOST_WAITS };
                let status = self.status_with(waits);
                self.lookout.note(&status);
                serde_json::to_string(&status).expect("a status can be written")
            }
            Command::Pause => {
                self.paused = Some("paused by the operator".to_owned());
                self.note_pause()?;
                done("it pauses; requests under way are finished".to_owned())
            }
            Command::Resume => {
                self.paused = None;
                self.note_pause()?;
                match &self.no_room {
                    None => done("it goes on".to_owned()),
                    Some(why) => done(why.clone()),
                }
            }
            Command::Stop => {
                self.stop("stopped by the operator");
                done("it stops; requests under way are finished".to_owned())
            }
            Command::AddSeeds { urls } => return self.add_seeds(&urls, at),
            Command::Block { host } => match host_named(&host) {
                Ok(name) => {
                    self.record(&Event::Blocked { at, name: &name })?;
                    done(format!("nothing more is fetched from {name} and hosts below it"))
                }
                Err(why) => refused(&why),
            },
            Command::Unblock { host } => match host_named(&host) {
                Ok(name) if self.state.blocked.contains(&name) => {
                    self.record(&Event::Unblocked { at, name: &name })?;
                    done(format!(
                        "{name} is no longer blocked; pages that were passed over stay so"
                    ))
                }
                Ok(name) if self.state.blocked.is_empty() => {
                    refused(&format!("{name} is not blocked, and no other host is"))
                }
                Ok(name) => refused(&format!(
                    "{name} is not blocked; blocked are: {}",
                    self.state.blocked.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
                )),
                Err(why) => refused(&why),
            },
            Command::Retry { host: None } => match self.retry_all()? {
                0 => refused("no host is given up"),
                hosts => done(format!("hosts that are asked again: {hosts}")),
            },
            Command::Retry { host: Some(host) } => match host_named(&host) {
                Ok(name) => return self.retry(&name, at),
                Err(why) => refused(&why),
            },
        })
    }

    /// Asks all hosts again that were given up; says how many.
    pub fn retry_all(&mut self) -> Result<usize, LiveError> {
        let (at, hosts) = (self.now(), self.state.workbench.all_given_up());
        for host in &hosts {
            self.record(&Event::Retried { at, host: host.0 })?;
        }
        Ok(hosts.len())
    }

    fn retry(&mut self, name: &str, at: Moment) -> Result<String, LiveError> {
        let host = self.state.known.host_named(name);
        let Some(host) = host.filter(|host| self.state.workbench.given_up(*host).is_some()) else {
            return Ok(refused(&format!("{name} is not given up")));
        };
        self.record(&Event::Retried { at, host: host.0 })?;
        let pages = self.state.workbench.pages_of(host);
        Ok(done(format!("{name} is asked again; its pages that were passed over: {pages}")))
    }

    fn add_seeds(&mut self, urls: &[String], at: Moment) -> Result<String, LiveError> {
        let mut seeds = Vec::new();
        for url in urls {
            match Address::parse(url) {
                Ok(address) => seeds.push(address.to_string()),
                Err(error) => return Ok(refused(&error.to_string())),
            }
        }
        let is_known = |url: &&String| self.state.known.find(Fingerprint::of(url)).is_some();
        let known = seeds.iter().filter(is_known).count();
        // Some of these were perhaps found out of the scope, and not wanted until now.
        let urls = seeds.iter().map(String::as_str).collect();
        self.record(&Event::Seeds { at, urls, given: true })?;
        let added = seeds.len() - known;
        let known = match known {
            0 => String::new(),
            known => format!("; {known} were known already, and are seeds now"),
        };
        Ok(done(format!("{added} seeds were added{known}")))
    }
}

fn done(what: String) -> String {
    serde_json::json!({ "done": what }).to_string()
}

fn refused(why: &str) -> String {
    serde_json::json!({ "error": why }).to_string()
}

fn in_mib(bytes: u64) -> String {
    format!("{:.1}MiB", bytes as f64 / f64::from(1 << 20))
}

/// What the state of a crawl says.
fn status_of(state: &State, settings: &Settings, now: Moment, most_waits: usize) -> Status {
    let tally = &state.tally;
    let (hosts, mut waits) = hosts_of(state, now);
    let more_waits = waits.len().saturating_sub(most_waits) as u64;
    waits.truncate(most_waits);
    let wait_of = |(host, pages, why)| {
        let host = state.known.host_name(host).to_owned();
        Wait { host, pages, why }
    };
    let [forbidden, host_given_up, over_budget, blocked, out_of_scope] = tally.passed;
    Status {
        target: settings.target.clone(),
        strategy: settings.strategy.0.clone(),
        seconds: tally.busy_ms as f64 / 1000.0,
        fetched: tally.fetched,
        ok_html: tally.ok_html,
        relevant: tally.relevant,
        harvest: tally.relevant as f64 / tally.fetched.max(1) as f64,
        recent_harvest: tally.recent_harvest(),
        received: tally.received,
        known: state.known.pages() as u64,
        waiting: (state.decisions.waiting() + state.workbench.len()) as u64,
        tiers: tiers_of(state),
        hosts,
        waits: waits.into_iter().map(wait_of).collect(),
        more_waits,
        blocked: state.blocked.iter().cloned().collect(),
        troubles: Troubles {
            unanswered: tally.unanswered,
            refused: tally.refused,
            postponed: tally.postponed,
            forbidden,
            host_given_up,
            over_budget,
            blocked,
            out_of_scope,
            not_followed: tally.not_followed,
            trapped: tally.trapped,
        },
        ..Status::default()
    }
}

/// Pages that wait, by tier: in the frontier, and with their hosts.
fn tiers_of(state: &State) -> Vec<(u32, u64)> {
    let Some(waiting) = state.decisions.waiting_by_priority() else { return Vec::new() };
    let mut tiers: BTreeMap<u32, u64> = BTreeMap::new();
    for (priority, pages) in waiting {
        *tiers.entry(priority.0).or_default() += pages as u64;
    }
    state.workbench.each_host(|_, it| {
        it.priorities().for_each(|priority| *tiers.entry(priority.0).or_default() += 1);
    });
    tiers.into_iter().collect()
}

/// Hosts counted, and those that wait with their pages and the reason.
fn hosts_of(state: &State, now: Moment) -> (HostCounts, Vec<(HostId, u64, String)>) {
    let mut counts = HostCounts {
        known: state.known.hosts() as u64,
        relevant: state.tally.relevant_hosts.len() as u64,
        ..HostCounts::default()
    };
    let mut waits = Vec::new();
    let manners = state.workbench.manners();
    state.workbench.each_host(|host, it| {
        // Requests that were under way when the crawl ended are not any more.
        let is_asked = it.is_busy() && state.ended.is_none();
        counts.given_up += u64::from(it.given_up().is_some());
        counts.asked += u64::from(is_asked);
        let why = it.why(manners, now).map(|why| match state.is_blocked(host) {
            true => "blocked; its pages are passed over".to_owned(),
            false => why,
        });
        match why {
            Some(why) => {
                counts.waiting += u64::from(it.given_up().is_none());
                waits.push((host, it.pages() as u64, why));
            }
            None => counts.ready += u64::from(it.pages() > 0 && !is_asked),
        }
    });
    waits.sort_by_key(|(_, pages, _)| std::cmp::Reverse(*pages));
    (counts, waits)
}
