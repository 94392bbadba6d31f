//! What a live crawl shows: a display on a terminal, lines otherwise.

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use langur_live::{Recovered, Status};

use super::live::{LogFormat, say, seconds_now};
use crate::table::{count, counted};

/// Between plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Waits that are shown.
const WAITS: usize = 5;

/// Shows how a crawl stands.
pub struct Display {
    format: LogFormat,
    /// On a terminal.
    bar: Option<ProgressBar>,
    is_silent: bool,
    spoke: Option<Instant>,
}

impl Display {
    /// Nothing is shown where the result is wanted as JSON and no JSON log is.
    pub fn new(format: LogFormat, result_is_json: bool) -> Display {
        let is_terminal = std::io::stderr().is_terminal();
        let is_silent = result_is_json && format == LogFormat::Text;
        let wants_bar = is_terminal && format == LogFormat::Text && !is_silent;
        let bar = wants_bar.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4));
            let style = ProgressStyle::with_template("{spinner} {msg}").expect("a sound template");
            bar.set_style(style);
            bar
        });
        Display { format, bar, is_silent, spoke: None }
    }

    /// Says what was found in a folder that is taken up again.
    pub fn begin(&self, folder: &Path, recovered: Option<&Recovered>) {
        let Some(recovered) = recovered.filter(|_| !self.is_silent) else { return };
        let (folder, events) = (folder.display(), count(recovered.events));
        self.format
            .tell(&format!("{folder}: {events} events replayed in {:.1} s", recovered.seconds));
        let cut = recovered.journal_cut + recovered.archive_cut;
        if cut > 0 {
            let cut = HumanBytes(cut);
            self.format.tell(&format!("{folder}: {cut} of what was half-written were cut off"));
        }
    }

    /// Shows how it stands.
    pub fn show(&mut self, status: &Status) {
        if self.is_silent {
            return;
        }
        if let Some(bar) = &self.bar {
            bar.set_message(paragraph(status, false));
            bar.tick();
            return;
        }
        // What it stands at when it has stopped is said at the end.
        let is_soon = self.spoke.is_some_and(|then| then.elapsed() < PLAIN_INTERVAL);
        if is_soon || status.phase == "stopped" {
            return;
        }
        self.spoke = Some(Instant::now());
        self.say(status);
    }

    fn say(&self, status: &Status) {
        match self.format {
            LogFormat::Json => {
                let mut said = serde_json::to_value(status).expect("a status can be written");
                said["at"] = seconds_now().into();
                say(&said.to_string());
            }
            LogFormat::Text => say(&line(status)),
        }
    }

    /// Shows how it stood at the end.
    pub fn end(&mut self, status: &Status) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if self.is_silent {
            return;
        }
        if self.format == LogFormat::Json {
            return self.say(status);
        }
        say(&paragraph(status, false));
    }
}

/// In one line. If no host is asked and none may be, it says what the first is waiting for.
fn line(status: &Status) -> String {
    let idle = status.hosts.ready + status.hosts.asked == 0;
    let wait = status.waits.first().filter(|_| idle);
    let wait = wait.map(|wait| format!("; {}: {}", wait.host, wait.why));
    format!(
        "{}{}: {} fetched ({:.1}/s), {} relevant, harvest {:.1}%, {} waiting{}, hosts {} ready {} asked {} waiting, {}, {} unanswered{}",
        status.phase,
        status.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default(),
        count(status.fetched),
        status.rate,
        count(status.relevant),
        status.harvest * 100.0,
        count(status.waiting),
        tiers(status),
        count(status.hosts.ready),
        count(status.hosts.asked),
        count(status.hosts.waiting),
        HumanBytes(status.received),
        count(status.troubles.unanswered),
        wait.unwrap_or_default(),
    )
}

/// How many pages wait in each tier.
fn tiers(status: &Status) -> String {
    let tiers: Vec<String> = status
        .tiers
        .iter()
        .map(|(tier, pages)| format!("tier {tier}: {}", count(*pages)))
        .collect();
    if tiers.is_empty() { String::new() } else { format!(" ({})", tiers.join(", ")) }
}

/// As much as a person wants to see, or all the waits too.
pub fn paragraph(status: &Status, all: bool) -> String {
    let mut lines = Vec::new();
    let why = status.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let time = HumanDuration(Duration::from_secs_f64(status.seconds));
    lines.push(format!("{}{why}   {} {}   {time}", status.phase, status.target, status.strategy));
    let recent = status.recent_harvest.map(|recent| format!(", lately {:.1}%", recent * 100.0));
    lines.push(format!(
        "fetched   {} ({:.1}/s, {}), {} HTML, {} relevant on {} hosts: harvest {:.1}%{}",
        count(status.fetched),
        status.rate,
        HumanBytes(status.received),
        count(status.ok_html),
        count(status.relevant),
        count(status.hosts.relevant),
        status.harvest * 100.0,
        recent.unwrap_or_default(),
    ));
    lines.push(format!(
        "waiting   {} pages{}; {} heard of",
        count(status.waiting),
        tiers(status),
        count(status.known)
    ));
    let hosts = &status.hosts;
    lines.push(format!(
        "hosts     {} being asked, {} ready, {} waiting, {} given up; {} heard of",
        count(hosts.asked),
        count(hosts.ready),
        count(hosts.waiting),
        count(hosts.given_up),
        count(hosts.known),
    ));
    let it = &status.troubles;
    lines.push(format!(
        "troubles  {} unanswered, {} refused, {} requests postponed so far; passed over: {} by robots.txt, {} of dead hosts, {} over budget, {} blocked, {} found before the scope was changed; {} links not followed (scope or nofollow), {} links of traps",
        count(it.unanswered),
        count(it.refused),
        count(it.postponed),
        count(it.forbidden),
        count(it.host_given_up),
        count(it.over_budget),
        count(it.blocked),
        count(it.out_of_scope),
        count(it.not_followed),
        count(it.trapped),
    ));
    if !status.blocked.is_empty() {
        lines.push(format!("blocked   {}", status.blocked.join(", ")));
    }
    let shown = if all { status.waits.len() } else { WAITS.min(status.waits.len()) };
    for wait in &status.waits[..shown] {
        lines.push(format!("  {} ({}): {}", wait.host, counted(wait.pages, "page"), wait.why));
    }
    let more = (status.waits.len() - shown) as u64 + status.more_waits;
    if more > 0 {
        lines.push(format!(
            "  and {} (langur status --all tells of them)",
            counted(more, "more host")
        ));
    }
    lines.join("\n")
}
