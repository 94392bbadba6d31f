//! How a crawl stands, for people and for programs.

use serde::{Deserialize, Serialize};

/// How a crawl stands.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Status {
    /// What it is doing: `running`, `pausing`, `stopping`, `stopped`.
    pub phase: String,
    /// Why, if there is a reason.
    pub why: Option<String>,
    /// What is wanted.
    pub target: String,
    /// The strategy.
    pub strategy: String,
    /// Seconds at work, pauses between runs not counted.
    pub seconds: f64,
    /// Visits that were made.
    pub fetched: u64,
    /// Of these, OK HTML.
    pub ok_html: u64,
    /// Of these, relevant.
    pub relevant: u64,
    /// Relevant ÷ fetched.
    pub harvest: f64,
    /// The same over the last thousand fetches.
    pub recent_harvest: Option<f64>,
    /// Bytes received.
    pub received: u64,
    /// Visits that were made, a second, lately.
    pub rate: f64,
    /// Pages that were heard of.
    pub known: u64,
    /// Pages found and not yet visited.
    pub waiting: u64,
    /// The same by priority, best first, where the frontier has tiers.
    pub tiers: Vec<(u32, u64)>,
    /// Requests under way.
    pub under_way: Vec<UnderWay>,
    /// Hosts with pages on the workbench: how many may be asked now, are being asked, and wait.
    pub hosts: HostCounts,
    /// Hosts that wait and why, those with most pages first.
    pub waits: Vec<Wait>,
    /// Hosts that wait too and are not listed.
    #[serde(default)]
    pub more_waits: u64,
    /// Hosts and domains that the user wants nothing more from.
    #[serde(default)]
    pub blocked: Vec<String>,
    /// What went wrong or was left out, by kind.
    pub troubles: Troubles,
}

/// A request under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnderWay {
    /// What is fetched.
    pub url: String,
    /// For how many seconds.
    pub seconds: f64,
}

/// Hosts, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostCounts {
    /// Heard of.
    pub known: u64,
    /// May be asked now.
    pub ready: u64,
    /// Being asked.
    pub asked: u64,
    /// Waiting, each for a reason.
    pub waiting: u64,
    /// Given up.
    pub given_up: u64,
    /// With a relevant page.
    pub relevant: u64,
}

/// A host that waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// Its name.
    pub host: String,
    /// Its pages on the workbench.
    pub pages: u64,
    /// Why it waits.
    pub why: String,
}

/// What went wrong or was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Troubles {
    /// Visits without an answer.
    pub unanswered: u64,
    /// Answers with a status from 400 on.
    pub refused: u64,
    /// Requests that will be made again.
    pub postponed: u64,
    /// Pages that robots.txt forbids.
    pub forbidden: u64,
    /// Pages of hosts that were given up.
    pub host_given_up: u64,
    /// Pages of hosts or domains that have had enough.
    pub over_budget: u64,
    /// Pages of hosts that the user wants nothing more from.
    pub blocked: u64,
    /// Pages that were found before the scope was changed.
    #[serde(default)]
    pub out_of_scope: u64,
    /// Links that lead out of the scope, or that their page asks not to follow.
    #[serde(default)]
    pub not_followed: u64,
    /// Links that looked like a trap's.
    pub trapped: u64,
}
