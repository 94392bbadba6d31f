//! How a crawler did, by its request log.
//!
//! What counts as a fetch follows Gogar's rule: a URL that the archive does not hold is answered 404
//! and not counted, as if the link did not exist. A URL counts once, the first time it was answered
//! from the archive. Which pages are relevant is for the caller to say, who knows the archive.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::log::{RequestLog, Row};

/// What a crawler fetched, in its order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Fetches<'l> {
    /// Pages and all else that a harvest counts, each once.
    pub pages: Vec<&'l Row>,
    /// Every robots.txt, once.
    pub robots: Vec<&'l Row>,
    /// Every sitemap, once: what ends in `.xml`, `.xml.gz` or `.txt` and has "sitemap" in its name.
    pub sitemaps: Vec<&'l Row>,
    /// URLs that the archive does not hold, each once. They are not counted.
    pub missing: Vec<&'l Row>,
}

/// What a crawler fetched. HEAD does not fetch.
pub fn fetches(log: &RequestLog) -> Fetches<'_> {
    let mut fetches = Fetches::default();
    let (mut fetched, mut missed) = (HashSet::new(), HashSet::new());
    for row in log.rows.iter().filter(|row| row.method == "GET") {
        let missing = !row.archived && row.status == 404;
        if missing && missed.insert(&row.url) {
            fetches.missing.push(row);
        }
        if row.archived && fetched.insert(&row.url) {
            match Kind::of(row) {
                Kind::Page => fetches.pages.push(row),
                Kind::Robots => fetches.robots.push(row),
                Kind::Sitemap => fetches.sitemaps.push(row),
            }
        }
    }
    fetches
}

enum Kind {
    Page,
    Robots,
    Sitemap,
}

impl Kind {
    fn of(row: &Row) -> Kind {
        let path = row.url.split_once("://").map_or("", |(_, rest)| rest);
        let path = path.find('/').map_or("", |slash| &path[slash..]);
        let path = path.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or_default();
        let listing = [".xml", ".xml.gz", ".txt"].iter().any(|end| name.ends_with(end));
        match path.as_str() {
            "/robots.txt" => Kind::Robots,
            _ if listing && name.contains("sitemap") => Kind::Sitemap,
            _ => Kind::Page,
        }
    }
}

/// How politely a crawler asked. All requests count, also those that were not answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Politeness {
    /// All requests.
    pub requests: u64,
    /// Requests for a URL that had been answered from the archive before.
    pub repeated: u64,
    /// Requests that the archived robots.txt forbids.
    pub disallowed: u64,
    /// The interval by which `too_soon` was counted, in milliseconds.
    pub interval_ms: u64,
    /// Requests that came to a host in less than the interval after the client's last.
    pub too_soon: u64,
    /// The shortest interval of all.
    pub shortest_ms: Option<u64>,
    /// The median, over hosts, of a host's median interval.
    pub median_ms: Option<u64>,
    /// The most requests that any host had at a time.
    pub most_concurrent: u32,
    /// How many hosts were asked.
    pub hosts: u64,
    /// Requests by user agent.
    pub user_agents: BTreeMap<String, u64>,
    /// The same by host, those with the most requests first.
    pub by_host: Vec<HostPoliteness>,
}

/// How politely a crawler asked one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HostPoliteness {
    /// The host.
    pub host: String,
    /// Requests to it.
    pub requests: u64,
    /// Requests that its robots.txt forbids.
    pub disallowed: u64,
    /// Requests that came too soon.
    pub too_soon: u64,
    /// The shortest interval.
    pub shortest_ms: Option<u64>,
    /// The median interval; of an even number, the lower of the two in the middle.
    pub median_ms: Option<u64>,
    /// The most requests at a time.
    pub most_concurrent: u32,
}

impl Politeness {
    /// The politeness of a log, by an interval that need not be the one the server checked.
    pub fn of(log: &RequestLog, interval_ms: u64) -> Politeness {
        let mut hosts: HashMap<&str, Vec<&Row>> = HashMap::new();
        let mut user_agents: BTreeMap<String, u64> = BTreeMap::new();
        let (mut answered, mut repeated) = (HashSet::new(), 0);
        for row in &log.rows {
            *user_agents.entry(row.user_agent.clone()).or_default() += 1;
            repeated += u64::from(answered.contains(&row.url));
            if row.archived {
                answered.insert(&row.url);
            }
            // A bad request has no host to be impolite to.
            if !row.host.is_empty() {
                hosts.entry(&row.host).or_default().push(row);
            }
        }
        let hosts = hosts.into_iter().map(|(host, rows)| of_host(host, &rows, interval_ms));
        let mut by_host: Vec<HostPoliteness> = hosts.collect();
        by_host.sort_by(|a, b| b.requests.cmp(&a.requests).then_with(|| a.host.cmp(&b.host)));
        Politeness {
            requests: log.rows.len() as u64,
            repeated,
            disallowed: by_host.iter().map(|host| host.disallowed).sum(),
            interval_ms,
            too_soon: by_host.iter().map(|host| host.too_soon).sum(),
            shortest_ms: by_host.iter().filter_map(|host| host.shortest_ms).min(),
            median_ms: median(log.rows.iter().filter_map(|row| row.since_ms).collect()),
            most_concurrent: by_host.iter().map(|host| host.most_concurrent).max().unwrap_or(0),
            hosts: by_host.len() as u64,
            user_agents,
            by_host,
        }
    }
}

fn of_host(host: &str, rows: &[&Row], interval_ms: u64) -> HostPoliteness {
    let intervals: Vec<u64> = rows.iter().filter_map(|row| row.since_ms).collect();
    HostPoliteness {
        host: host.to_owned(),
        requests: rows.len() as u64,
        disallowed: rows.iter().filter(|row| row.disallowed).count() as u64,
        too_soon: intervals.iter().filter(|&&since| since < interval_ms).count() as u64,
        shortest_ms: intervals.iter().copied().min(),
        most_concurrent: rows.iter().map(|row| row.concurrent).max().unwrap_or(0),
        median_ms: median(intervals),
    }
}

fn median(mut numbers: Vec<u64>) -> Option<u64> {
    numbers.sort_unstable();
    numbers.get(numbers.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Conditions;
    use crate::log::Header;

    /// A log from lines of `at_ms method url status`; a status of 404 is of what is not archived.
    fn log(lines: &str) -> RequestLog {
        let mut last: HashMap<String, u64> = HashMap::new();
        let rows = lines.lines().zip(1..).map(|(line, number)| {
            let mut words = line.split_whitespace();
            let mut word = || words.next().expect("four words");
            let at_ms = word().parse().expect("a time");
            let (method, url) = (word().to_owned(), word().to_owned());
            let status = word().parse().expect("a status");
            let host = url.split('/').nth(2).unwrap_or_default().to_owned();
            let since_ms = last.insert(host.clone(), at_ms).map(|last| at_ms - last);
            Row {
                number,
                at_ms,
                client: "0a".to_owned(),
                method,
                disallowed: url.contains("/private"),
                url,
                host,
                status,
                bytes: 1,
                archived: status == 200,
                user_agent: "toy".to_owned(),
                since_ms,
                concurrent: 1,
                too_soon: false,
                too_many: false,
            }
        });
        let header = Header {
            format: "langur request log".to_owned(),
            version: 1,
            started_at: 0,
            conditions: Conditions::default(),
        };
        RequestLog { header, rows: rows.collect(), damage: None }
    }

    const CRAWL: &str = "0 GET http://a/robots.txt 200
        100 GET http://a/ 200
        1100 GET http://a/gone 404
        2100 HEAD http://a/head 200
        3100 GET http://b/Sitemap_1.xml.gz?x=1 200
        3150 GET http://b/late 503
        4150 GET http://b/late 200
        5150 GET http://a/ 200
        5160 GET http://a/private/sitemap.html 200
        5170 GET http://a/gone 404";

    fn urls<'l>(rows: &[&'l Row]) -> Vec<&'l str> {
        rows.iter().map(|row| row.url.as_str()).collect()
    }

    #[test]
    fn a_page_counts_once_when_it_was_first_answered() {
        let log = log(CRAWL);
        let fetches = fetches(&log);
        let pages = ["http://a/", "http://b/late", "http://a/private/sitemap.html"];
        assert_eq!(urls(&fetches.pages), pages);
        assert_eq!(fetches.pages[1].at_ms, 4150);
        assert_eq!(urls(&fetches.robots), ["http://a/robots.txt"]);
        assert_eq!(urls(&fetches.sitemaps), ["http://b/Sitemap_1.xml.gz?x=1"]);
        assert_eq!(urls(&fetches.missing), ["http://a/gone"]);
    }

    #[test]
    fn politeness_is_by_host() {
        let polite = Politeness::of(&log(CRAWL), 1000);
        assert_eq!((polite.requests, polite.repeated, polite.disallowed), (10, 1, 1));
        assert_eq!((polite.hosts, polite.too_soon, polite.shortest_ms), (2, 4, Some(10)));
        // Intervals of a: 100, 1000, 1000, 3050, 10, 10; of b: 50, 1000.
        let hosts: Vec<_> =
            polite.by_host.iter().map(|h| (h.host.as_str(), h.requests, h.median_ms)).collect();
        assert_eq!(hosts, [("a", 7, Some(100)), ("b", 3, Some(50))]);
        assert_eq!(polite.median_ms, Some(100));
        assert_eq!(polite.user_agents["toy"], 10);
    }
}
