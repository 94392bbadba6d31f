//! A crawl of the live web.
//!
//! One thread owns the crawl: it alone writes the journal and the archive, and changes the state. It hands jobs to the
//! [`Workshop`], in which many requests are under way, and takes what comes of them one after the other. Everything that
//! happens becomes an event, which is put down before anything that others can see follows from it: before requests are
//! sent, and before whoever gave a command is answered.

mod came;
mod dispatch;
mod errands;
mod open;
#[cfg(test)]
mod tests;
mod watching;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use langur_crawl::HostId;
use langur_fetch::Failed;
use langur_robots::Robots;
use thiserror::Error;
use tokio::runtime::Runtime;

use crate::archiving::{Archiving, ArchivingError};
use crate::control::{Command, Control};
use crate::journal::{Event, Journal, JournalError, Moment};
use crate::lookout::Lookout;
use crate::settings::{Settings, SettingsError};
use crate::state::State;
use crate::status::Status;
use crate::workbench::Job;
use crate::workshop::{Came, Resolved, Workshop, moment};

pub use open::{Begin, Recovered, journal_path, lock};

/// Those who watch are told this often.
const TICK: Duration = Duration::from_millis(500);

/// With so many requests under way, whoever owns the crawl lets answers gather before it takes them: waking it for each
/// takes longer than what it does with one.
const BUSY: usize = 16;

/// So long they gather. There is enough under way meanwhile.
const GATHER: Duration = Duration::from_micros(500);

/// With more bytes of events and answers, these are put down at once.
const MOST_IN_MEMORY: usize = 1 << 20;

/// A crawl that was asked to stop waits so long for requests under way.
const GRACE: Duration = Duration::from_secs(20);

/// Why a crawl cannot go on.
#[derive(Debug, Error)]
pub enum LiveError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The archive.
    #[error(transparent)]
    Archiving(#[from] ArchivingError),
    /// The settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The settings for fetching.
    #[error(transparent)]
    Fetch(#[from] langur_fetch::SettingsError),
    /// The scope.
    #[error(transparent)]
    Scope(#[from] langur_scope::ScopeError),
    /// A setting that makes no sense.
    #[error("{0}")]
    Wrong(String),
    /// Somebody else is at it.
    #[error("\"{}\" is being crawled by another process\n  see what it does with: langur status {}", .0.display(), .0.display())]
    Taken(PathBuf),
    /// There is no crawl.
    #[error("\"{}\" is not a crawl of the live web: it has no journal\n  begin one with: langur crawl --target lang:th --seeds seeds.txt -o {}", .0.display(), .0.display())]
    NotACrawl(PathBuf),
    /// The system said no.
    #[error("cannot use {}: {source}", .path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
}

/// How a crawl ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Why.
    pub why: String,
    /// Whether anything is left to do, so that it can be taken up again.
    pub can_resume: bool,
    /// The limits that have to be moved before.
    pub limits: Vec<Limit>,
    /// Requests that were under way for so long that they were dropped. They are made again when it is taken up.
    pub dropped: usize,
}

/// What stops a crawl before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Enough pages.
    Pages,
    /// Enough bytes.
    Bytes,
    /// Enough time.
    Time,
    /// Enough relevant pages.
    Relevant,
    /// Too few relevant pages.
    Harvest,
}

/// What reaches the one who owns the crawl.
pub enum Message {
    /// A job has ended.
    Done(Job, Result<Done, Failed>),
    /// Somebody wants something.
    Command(Command, Sender<String>),
    /// The user wants it to stop.
    Stop,
}

/// What came of a job.
pub enum Done {
    /// A host was looked up.
    Resolved(Box<Resolved>),
    /// Something was fetched.
    Came(Box<Came>),
}

/// A crawl of the live web.
pub struct LiveCrawl {
    folder: PathBuf,
    settings: Settings,
    state: State,
    journal: Journal,
    archiving: Archiving,
    workshop: Arc<Workshop>,
    /// There until the crawl is dropped.
    runtime: Option<Runtime>,
    inbox: Receiver<Message>,
    outbox: Sender<Message>,
    under_way: HashMap<u32, UnderWay>,
    /// Jobs that begin once what led to them is put down.
    beginning: Vec<Work>,
    /// The rules of hosts that were asked lately.
    rules: HashMap<u32, (u64, Arc<Robots>)>,
    control: Option<Control>,
    paused: Option<String>,
    /// Why there is no room on the disk, if there is none.
    no_room: Option<String>,
    stopping: Option<(String, Instant)>,
    lookout: Arc<Lookout>,
    rate: watching::Rate,
    /// When pages last went to a workbench that was full.
    trickled: Instant,
    last_moment: Moment,
    /// Kept open as long as the crawl is ours.
    _lock: std::fs::File,
}

/// A job being done.
type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

struct UnderWay {
    url: String,
    since: Instant,
}

impl LiveCrawl {
    /// Crawls until there is nothing left, a limit is reached or somebody says stop. `watch` is told how it stands about
    /// twice a second.
    pub fn run(&mut self, mut watch: impl FnMut(&Status)) -> Result<Finished, LiveError> {
        let (mut told, mut next_told) = (Instant::now(), TICK);
        let mut synced = Instant::now();
        loop {
            self.look_around()?;
            if self.stopping.is_none() && self.is_going_on() {
                self.dispatch()?;
            }
            if self.is_over() {
                break;
            }
            self.take_messages(TICK)?;
            if told.elapsed() >= next_told {
                let looking = Instant::now();
                let status = self.status();
                self.lookout.note(&status);
                watch(&status);
                told = Instant::now();
                // In a large crawl looking takes time; no more than a fiftieth of it.
                next_told = TICK.max(looking.elapsed() * 50);
            }
            if synced.elapsed() >= SYNC {
                synced = Instant::now();
                self.sync();
            }
        }
        self.finish(watch)
    }

    /// Whether nothing is under way and nothing more will be.
    fn is_over(&self) -> bool {
        match &self.stopping {
            Some((_, since)) => self.under_way.is_empty() || since.elapsed() > GRACE,
            None => self.under_way.is_empty() && self.is_going_on() && self.is_exhausted(),
        }
    }

    fn is_going_on(&self) -> bool {
        self.paused.is_none() && self.no_room.is_none()
    }

    fn is_exhausted(&self) -> bool {
        self.state.decisions.waiting() == 0
            && self.state.workbench.is_empty()
            && !self.state.workbench.has_errands()
    }

    fn finish(&mut self, mut watch: impl FnMut(&Status)) -> Result<Finished, LiveError> {
        let can_resume = !self.is_exhausted() || !self.under_way.is_empty();
        let why = match &self.stopping {
            Some((why, _)) => why.clone(),
            None => "nothing is left to visit".to_owned(),
        };
        let at = self.now();
        self.record(&Event::Ended { at, why: &why })?;
        self.put_down()?;
        self.archiving.close()?;
        self.sync();
        self.stopping = Some((why.clone(), Instant::now()));
        let dropped = std::mem::take(&mut self.under_way).len();
        watch(&self.status());
        let limits = self.reached(at).map(|(limit, _)| limit).collect();
        Ok(Finished { why, can_resume, limits, dropped })
    }

    /// Takes what has come, waiting until something does or it is time for something else.
    fn take_messages(&mut self, most: Duration) -> Result<(), LiveError> {
        let now = self.now();
        let may_ask = self.stopping.is_none()
            && self.is_going_on()
            && self.under_way.len() < self.settings.fetch.connections;
        let wake = if may_ask { self.state.workbench.next_wake() } else { None };
        let until = wake.map(|wake| Duration::from_millis(wake.saturating_sub(now)));
        match self.inbox.recv_timeout(until.unwrap_or(most).min(most)) {
            Ok(message) => self.take(message)?,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if self.under_way.len() >= BUSY {
            thread::sleep(GATHER);
        }
        // What is there already is taken at once, but not so much that hosts are kept waiting.
        for _ in 0..self.settings.fetch.connections {
            match self.inbox.try_recv() {
                Ok(message) => self.take(message)?,
                Err(_) => break,
            }
        }
        self.put_down()
    }

    fn take(&mut self, message: Message) -> Result<(), LiveError> {
        match message {
            Message::Done(job, result) => self.came(job, result),
            Message::Command(command, reply) => {
                let answer = self.obey(command)?;
                self.put_down()?;
                // Whoever asked may have left.
                let _ = reply.send(answer);
                Ok(())
            }
            Message::Stop => {
                self.stop("stopped by the user");
                Ok(())
            }
        }
    }

    fn stop(&mut self, why: &str) {
        self.stopping.get_or_insert_with(|| (why.to_owned(), Instant::now()));
    }

    /// Writes down what happened, and lets it take effect.
    fn record(&mut self, event: &Event) -> Result<(), LiveError> {
        self.note_wait();
        let frame = self.journal.add(event);
        self.state.apply(frame);
        let in_memory = self.journal.in_memory() + self.archiving.in_memory();
        if in_memory > MOST_IN_MEMORY { self.put_down() } else { Ok(()) }
    }

    /// Makes what happened last beyond the process: the archive first, so that the journal never knows of more than there is.
    fn put_down(&mut self) -> Result<(), LiveError> {
        self.archiving.put_down()?;
        self.journal.put_down()?;
        self.note_wait();
        Ok(())
    }

    /// Writes down that there was a wait for room on the disk, before anything else is: that is no time at work.
    fn note_wait(&mut self) {
        if let Some((from, until)) = self.lookout.waited()
            && !self.state.paused
        {
            let from = from.max(self.state.last);
            self.state.apply(self.journal.add(&Event::Paused { at: from }));
            self.state.apply(self.journal.add(&Event::WentOn { at: until.max(from) }));
        }
    }

    /// Writes down that nothing is asked for a while, or again.
    fn note_pause(&mut self) -> Result<(), LiveError> {
        let at = self.now();
        match (self.is_going_on(), self.state.paused) {
            (false, false) => self.record(&Event::Paused { at }),
            (true, true) => self.record(&Event::WentOn { at }),
            _ => Ok(()),
        }
    }

    /// A moment not before any other that was given out, whatever the system's clock does.
    fn now(&mut self) -> Moment {
        self.last_moment = self.last_moment.max(moment(SystemTime::now()));
        self.last_moment
    }

    /// Has everything written to the disk itself, the archive first, so that the journal never knows of more than there
    /// is. Done aside, since disks take their time.
    fn sync(&self) {
        let mut files = self.archiving.syncers();
        files.extend(self.journal.syncer());
        let Some(runtime) = &self.runtime else { return };
        runtime.spawn_blocking(move || {
            for file in files {
                // A disk that cannot do this says so on the next write.
                let _ = file.sync_data();
            }
        });
    }

    /// Where to send what the crawl should know of.
    pub fn outbox(&self) -> Sender<Message> {
        self.outbox.clone()
    }

    /// Whom to ask while the disk is full.
    pub fn lookout(&self) -> Arc<Lookout> {
        Arc::clone(&self.lookout)
    }

    /// The run folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The name of a host.
    fn host_name(&self, host: HostId) -> String {
        self.state.known.host_name(host).to_owned()
    }
}

impl Drop for LiveCrawl {
    /// Names that are still being looked up are not waited for.
    fn drop(&mut self) {
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

/// What was written is on the disk itself after this time.
const SYNC: Duration = Duration::from_secs(2);
