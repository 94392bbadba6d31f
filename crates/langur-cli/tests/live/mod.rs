//! A live crawl by the built binary, and what it leaves behind.

#![allow(dead_code, reason = "not every test looks at everything")]

pub mod archive;
pub mod pages;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use langur_live::journal::{Came, Event, Frames};
use langur_live::log::each_visit;
use langur_testkit::Loopback;
use serde_json::Value;
use tempfile::TempDir;

/// Whatever a crawl does here takes far less.
const PATIENCE: Duration = Duration::from_secs(120);

/// Hosts are asked as soon as they have answered.
pub const AT_ONCE: &str =
    "[manners]\ndelay = \"0ms\"\naddress_delay = \"0ms\"\nslow_factor = 0.0\n";

/// A folder with settings and seeds, in which a crawl is to run.
pub struct Live {
    folder: TempDir,
    resolve: Vec<String>,
    options: Vec<String>,
}

impl Live {
    /// All hosts are found on this web.
    pub fn on(web: &Loopback, settings: &str, seeds: &[&str]) -> Live {
        Live::new(&[format!("*={}", web.address())], settings, seeds)
    }

    /// Hosts are found where `resolve` says.
    pub fn new(resolve: &[String], settings: &str, seeds: &[&str]) -> Live {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("crawl.toml"), settings).expect("settings");
        fs::write(folder.path().join("seeds.txt"), seeds.join("\n")).expect("seeds");
        Live { folder, resolve: resolve.to_vec(), options: Vec::new() }
    }

    /// With further options on the command line.
    #[must_use]
    pub fn with(mut self, options: &[&str]) -> Live {
        self.options.extend(options.iter().map(|&option| option.to_owned()));
        self
    }

    /// Where everything lies.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The run folder.
    pub fn crawl(&self) -> PathBuf {
        self.path().join("crawl")
    }

    /// Begins the crawl.
    pub fn begin(&self) -> Running {
        let mut arguments = vec!["crawl", "--target", "lang:th", "--strategy", "breadth-first"];
        arguments.extend(["--config", "crawl.toml", "--seeds", "seeds.txt", "-o", "crawl"]);
        for rule in &self.resolve {
            arguments.extend(["--resolve", rule]);
        }
        // Options may be given once: the last ones count, in place of those above.
        let mut options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        for name in ["--target", "--strategy"] {
            if options.contains(&name) {
                let at = arguments.iter().position(|it| *it == name).expect("given above");
                arguments.drain(at..at + 2);
            }
        }
        arguments.append(&mut options);
        self.start(&arguments)
    }

    /// Takes it up again.
    pub fn resume(&self) -> Running {
        self.start(&["resume", "crawl"])
    }

    /// Runs the binary.
    pub fn start(&self, arguments: &[&str]) -> Running {
        Running::start(self.path(), arguments)
    }

    /// Begins the crawl and waits for its end, which is a good one.
    #[track_caller]
    pub fn run(&self) -> Ended {
        self.begin().succeed()
    }

    /// What `langur status --json` says.
    #[track_caller]
    pub fn status(&self) -> Value {
        let ended = self.start(&["status", "--json", "crawl"]).succeed();
        serde_json::from_str(&ended.stdout).expect("a status in JSON")
    }

    /// What `langur tell` says.
    #[track_caller]
    pub fn tell(&self, words: &[&str]) -> String {
        self.start(&[&["tell", "crawl"], words].concat()).succeed().stdout
    }

    /// Why hosts wait or were given up, by their names.
    #[track_caller]
    pub fn waits(&self) -> BTreeMap<String, String> {
        let status = self.status();
        let waits = status["waits"].as_array().expect("waits").iter();
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        waits.map(|wait| (text(&wait["host"]), text(&wait["why"]))).collect()
    }

    /// The visits that were made, in their order.
    pub fn visits(&self) -> Vec<Visit> {
        let mut visits = Vec::new();
        each_visit::<langur_live::LiveError>(&self.crawl(), |visited, urls| {
            visits.push(Visit {
                url: urls.url(visited.page).expect("a URL in the journal"),
                status: visited.status,
                at: visited.at,
                is_html: visited.outcome == Came::OkHtml,
                language: visited.languages.first().copied().unwrap_or_default().to_owned(),
            });
            Ok(())
        })
        .expect("a journal");
        visits
    }

    /// Shows every event of the journal.
    pub fn events(&self, mut show: impl FnMut(Event<'_>)) {
        let mut frames = Frames::open(&self.crawl().join("journal")).expect("a journal");
        while let Some(frame) = frames.next().expect("a sound journal") {
            show(frame.event().expect("an event"));
        }
    }
}

/// A visit that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    pub url: String,
    pub status: u16,
    /// Its end, in milliseconds since 1970.
    pub at: u64,
    pub is_html: bool,
    /// What the judge takes it for; empty if that is not known.
    pub language: String,
}

/// A process. It is killed when dropped.
pub struct Running {
    pid: i32,
    ended: Receiver<ExitStatus>,
    over: bool,
    output: [PathBuf; 2],
    what: String,
}

/// How a process ended.
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Running {
    fn start(folder: &Path, arguments: &[&str]) -> Running {
        let output = ["stdout", "stderr"].map(|name| {
            let file = tempfile::Builder::new().prefix(name).tempfile_in(folder).expect("a file");
            file.into_temp_path().keep().expect("a file that stays")
        });
        let [stdout, stderr] = output.each_ref().map(|path| File::create(path).expect("a file"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_langur"));
        command.current_dir(folder).args(arguments).stdout(stdout).stderr(stderr);
        let mut child = command.spawn().expect("the binary");
        let pid = i32::try_from(child.id()).expect("a process id");
        let (sender, ended) = channel();
        thread::spawn(move || sender.send(child.wait().expect("it was started here")));
        Running { pid, ended, over: false, output, what: arguments.join(" ") }
    }

    /// Sends a signal.
    pub fn signal(&self, signal: i32) {
        // SAFETY: a process is only sent a signal; if it has ended, that is said and does not matter.
        unsafe { libc::kill(self.pid, signal) };
    }

    /// `kill -9`; false if it had ended by itself.
    pub fn kill(mut self) -> bool {
        self.signal(libc::SIGKILL);
        self.over = true;
        let status = self.ended.recv().expect("it ends");
        status.signal() == Some(libc::SIGKILL)
    }

    /// Whether it ends within this time.
    pub fn ends_within(&mut self, most: Duration) -> Option<Ended> {
        match self.ended.recv_timeout(most) {
            Ok(status) => {
                self.over = true;
                Some(Ended { status, stdout: self.said(0), stderr: self.said(1) })
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("a process ends once"),
        }
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(mut self) -> Ended {
        match self.ends_within(PATIENCE) {
            Some(ended) => ended,
            None => panic!("langur {} goes on and on: {}", self.what, self.stderr()),
        }
    }

    /// Waits for its end, which is a good one.
    #[track_caller]
    pub fn succeed(self) -> Ended {
        let what = self.what.clone();
        let ended = self.wait();
        assert!(ended.status.success(), "langur {what} failed: {}", ended.stderr);
        ended
    }

    /// Waits for its end, which has this exit code.
    #[track_caller]
    pub fn fail(self, code: i32) -> Ended {
        let what = self.what.clone();
        let ended = self.wait();
        assert_eq!(ended.status.code(), Some(code), "langur {what}: {}", ended.stderr);
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        ended
    }

    /// What it has said so far to those who watch.
    pub fn stderr(&self) -> String {
        self.said(1)
    }

    fn said(&self, output: usize) -> String {
        fs::read_to_string(&self.output[output]).expect("text")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.over {
            self.signal(libc::SIGKILL);
            let _ = self.ended.recv();
        }
    }
}
