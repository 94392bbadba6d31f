//! `crawl.toml`: everything that can be chosen about a crawl of the live web.
//!
//! What is left out has a default that does no harm. What is misspelt is refused. The file with all defaults filled
//! in is written into the run folder, so that every crawl can be run again.

mod check;
mod units;

use std::path::{Path, PathBuf};

use langur_scope::ScopeRules;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::workbench::Manners;

pub use units::{NotAQuantity, Size, Span};

/// All settings of a crawl.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What is wanted: `lang:th`, `lang:lo,km` or `topic:bikes.topic`.
    pub target: String,
    /// Which links are followed, and how soon.
    pub strategy: StrategySetting,
    /// The labelling rule that tells the languages of pages.
    pub labels: Labels,
    /// Where to start.
    pub seeds: Seeds,
    /// Which URLs belong to the crawl.
    pub scope: ScopeRules,
    /// How much is fetched from one place.
    pub budget: Budget,
    /// When to stop.
    pub stop: Stop,
    /// How hosts are treated.
    pub manners: MannersSetting,
    /// How pages are fetched.
    pub fetch: Fetch,
    /// How pages are archived.
    pub archive: ArchiveSetting,
}

/// A strategy with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StrategySetting(pub String);

impl Default for StrategySetting {
    /// The best of the founding papers' that needs no oracle.
    fn default() -> Self {
        StrategySetting("lswc(s=3,t=5)".to_owned())
    }
}

/// The name of a labelling rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Labels(pub String);

impl Default for Labels {
    fn default() -> Self {
        Labels("langur".to_owned())
    }
}

/// Where a crawl starts. All of these are put together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Seeds {
    /// URLs.
    pub urls: Vec<String>,
    /// Sitemaps, the pages of which are seeds.
    pub sitemaps: Vec<String>,
}

/// How much is fetched from one place: traps without end are left after so many pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Requests to a host.
    pub per_host: u64,
    /// Requests to a registrable domain, which bounds host names without end.
    pub per_domain: u64,
}

impl Default for Budget {
    /// More than nearly every site has, and far less than a trap would give.
    fn default() -> Self {
        Budget { per_host: 100_000, per_domain: 1_000_000 }
    }
}

/// When to stop. Whatever comes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stop {
    /// After so many fetches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// After so many bytes received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Size>,
    /// After so much time, pauses between runs not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Span>,
    /// After so many relevant pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevant: Option<u64>,
    /// When less than this share of the last [`Stop::HARVEST_WINDOW`] fetches was relevant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harvest: Option<f64>,
}

impl Stop {
    /// Fetches over which a falling harvest is measured.
    pub const HARVEST_WINDOW: usize = 1000;
}

/// Whether a site's wishes count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Obedience {
    /// They do.
    #[default]
    Obey,
    /// They do not: for libraries that have a legal mandate, and for one's own sites.
    Ignore,
}

/// Which sitemaps are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sitemaps {
    /// Those of hosts that have shown a relevant page.
    #[default]
    Relevant,
    /// None.
    Off,
}

/// How hosts are treated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MannersSetting {
    /// From the end of an answer to the next request to the same host.
    pub delay: Span,
    /// From one request to the next to the same address, which may serve many hosts.
    pub address_delay: Span,
    /// A host is left alone for so many times as long as it took to answer,
    pub slow_factor: f64,
    /// but no longer than this.
    pub longest_slow: Span,
    /// A longer Crawl-delay counts as this one.
    pub longest_crawl_delay: Span,
    /// Whether robots.txt counts (RFC 9309).
    pub robots: Obedience,
    /// How long a robots.txt is good; RFC 9309 says a day.
    pub robots_cache: Span,
    /// Whether links that say `nofollow`, or are on pages that do, are not followed.
    pub nofollow: Obedience,
    /// Whether pages that say `noindex` are not archived; their links are followed.
    pub noindex: Obedience,
    /// Which sitemaps are read.
    pub sitemaps: Sitemaps,
}

impl Default for MannersSetting {
    /// A page every two seconds is what a quick reader would ask for.
    fn default() -> Self {
        MannersSetting {
            delay: Span::seconds(2),
            address_delay: Span::ms(500),
            slow_factor: 5.0,
            longest_slow: Span::seconds(60),
            longest_crawl_delay: Span::seconds(120),
            robots: Obedience::Obey,
            robots_cache: Span::seconds(86_400),
            // An archive of what is there needs links and pages that a search engine should not rank.
            nofollow: Obedience::Ignore,
            noindex: Obedience::Ignore,
            sitemaps: Sitemaps::Relevant,
        }
    }
}

impl MannersSetting {
    /// As the workbench has it.
    pub fn manners(&self) -> Manners {
        Manners {
            delay_ms: self.delay.as_ms(),
            address_delay_ms: self.address_delay.as_ms(),
            slow_factor: self.slow_factor,
            longest_slow_ms: self.longest_slow.as_ms(),
            longest_crawl_delay_ms: self.longest_crawl_delay.as_ms(),
            robots_ms: self.robots_cache.as_ms(),
            obey_robots: self.robots == Obedience::Obey,
        }
    }
}

/// How pages are fetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fetch {
    /// How the operator can be reached: a web page or a mail address. It stands in every request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// What the crawler calls itself, `{version}` and `{contact}` filled in. A contact that it does not name is added.
    pub user_agent: String,
    /// Requests under way at once, to as many hosts.
    pub connections: usize,
    /// For reaching a host.
    pub connect_timeout: Span,
    /// For the head of an answer.
    pub head_timeout: Span,
    /// For a whole answer; what has come by then is kept.
    pub total_timeout: Span,
    /// Without a byte of the body.
    pub idle_timeout: Span,
    /// A body that comes more slowly is cut off, after ten seconds.
    pub slowest: Size,
    /// A longer body is cut off.
    pub longest: Size,
    /// How often a request that failed is made again.
    pub retries: u8,
    /// The wait before the first of these; then four times as long each time.
    pub retry_after: Span,
    /// Redirects in a row that are followed; what comes after so many is taken for a trap.
    pub redirects: u8,
    /// The longest Retry-After that is waited for.
    pub longest_retry_after: Span,
    /// A host that has not answered for so many pages in a row is given up.
    pub give_up_after: u8,
    /// Whether HTTP/2 is spoken to hosts that offer it. An archive wants the bytes as received, and HTTP/1.1 has them.
    pub http2: bool,
    /// Whether hosts get back the cookies that they give, by RFC 6265. Off, so that every page is what a first visitor
    /// sees, whatever was visited before. They are kept in memory: after a restart there are none.
    pub cookies: bool,
    /// `http://HOST:PORT` or `socks5://HOST:PORT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
    /// Whether addresses that are not reachable from everywhere may be asked: one's own network.
    pub allow_private: bool,
    /// `HOST=ADDRESS:PORT`, where a host is to be found; `*.example` and `*` stand for many.
    pub resolve: Vec<String>,
    /// PEM files of authorities that are trusted besides the system's.
    pub trust: Vec<PathBuf>,
}

impl Default for Fetch {
    fn default() -> Self {
        Fetch {
            contact: None,
            user_agent: "Mozilla/5.0 (compatible; langur/{version}; +{contact})".to_owned(),
            // A small machine reads the pages of so many hosts without falling behind. With half as many, its cores had nothing to
            // do for a twentieth of the time where answers come at once.
            connections: 128,
            connect_timeout: Span::seconds(10),
            head_timeout: Span::seconds(30),
            total_timeout: Span::seconds(300),
            idle_timeout: Span::seconds(30),
            slowest: Size(500),
            longest: Size(16 << 20),
            retries: 3,
            // Browsers follow twenty; no site has been seen to need ten.
            redirects: 10,
            retry_after: Span::seconds(30),
            longest_retry_after: Span::seconds(3600),
            give_up_after: 5,
            http2: false,
            cookies: false,
            proxy: None,
            allow_private: false,
            resolve: Vec::new(),
            trust: Vec::new(),
        }
    }
}

/// How pages are archived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ArchiveSetting {
    /// A new file is begun when one is as long.
    pub rotate: Size,
    /// Whether a payload that is archived already is only referred to.
    pub revisits: bool,
    /// Whether the addresses of hosts are archived.
    pub dns: bool,
    /// The crawl pauses when there is less room on the disk.
    pub least_free: Size,
}

impl Default for ArchiveSetting {
    fn default() -> Self {
        ArchiveSetting {
            // What most archives have.
            rotate: Size(1 << 30),
            revisits: true,
            dns: false,
            least_free: Size(256 << 20),
        }
    }
}

/// Why settings cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read the settings {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not TOML, or a key or value that is not known.
    #[error("{place}: {message}")]
    Toml {
        /// The file.
        place: String,
        /// What is wrong, and where.
        message: String,
    },
    /// A value that makes no sense.
    #[error("{0}")]
    Value(String),
}

impl Settings {
    /// What the file is called in the folder of a crawl.
    pub const FILE: &str = "crawl.toml";

    /// The settings of the crawl in a folder.
    pub fn of(crawl: &Path) -> Result<Settings, SettingsError> {
        Settings::open(&crawl.join(Settings::FILE))
    }

    /// Opens a `crawl.toml`. The files that it names lie where it does, unless it says where they lie.
    pub fn open(path: &Path) -> Result<Settings, SettingsError> {
        let failed = |source| SettingsError::Read { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let mut settings = Settings::read(&text, &path.display().to_string())?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for file in &mut settings.fetch.trust {
            *file = std::path::absolute(folder.join(&*file)).map_err(failed)?;
        }
        Ok(settings)
    }

    /// Reads a `crawl.toml`.
    pub fn read(text: &str, place: &str) -> Result<Settings, SettingsError> {
        let wrong = |error: toml::de::Error| SettingsError::Toml {
            place: place.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        };
        toml::from_str(text).map_err(wrong)
    }

    /// As a `crawl.toml` that says everything.
    pub fn written(&self) -> String {
        toml::to_string(self).expect("settings can be written")
    }

    /// What makes the decisions: they are the same for the same pages as long as this is.
    pub fn decided_by(&self) -> String {
        format!("{} {} {}", self.target, self.strategy.0, self.labels.0)
    }

    /// Whether those who are asked learn whom to complain to.
    pub fn says_who_asks(&self) -> bool {
        self.fetch.contact.is_some()
    }

    /// What the crawler calls itself.
    pub fn user_agent(&self) -> String {
        let named = self.fetch.user_agent.replace("{version}", env!("CARGO_PKG_VERSION"));
        match &self.fetch.contact {
            Some(contact) if named.contains("{contact}") => named.replace("{contact}", contact),
            Some(contact) if !named.contains(contact) => format!("{named} (+{contact})"),
            Some(_) => named,
            None => named.replace("; +{contact}", "").replace("{contact}", "nobody"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let settings = Settings { target: "lang:th".to_owned(), ..Settings::default() };
        let text = settings.written();
        assert_eq!(Settings::read(&text, "crawl.toml").expect("read"), settings, "{text}");
        assert_eq!(Settings::read("", "x").expect("all defaults"), Settings::default());
    }

    #[test]
    fn what_is_misspelt_is_refused_with_its_place() {
        for (text, said) in [
            ("[manners]\ndelai = \"2s\"", "unknown field `delai`"),
            ("[manners]\ndelay = \"2\"", "\"2\" is not a stretch of time"),
            ("[manners]\ndelay = 2", "\"2\" is not a stretch of time: write 500ms, 2s"),
            ("[fetch]\nlongest = \"16 megs\"", "is not a number of bytes"),
            ("[fetch]\ncookies = \"yes\"", "invalid type: string \"yes\", expected a boolean"),
            ("speed = 3", "unknown field `speed`"),
        ] {
            let error = Settings::read(text, "crawl.toml").expect_err(text).to_string();
            assert!(error.starts_with("crawl.toml: ") && error.contains(said), "{error}");
        }
    }
}
