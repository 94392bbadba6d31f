//! The rules of robots.txt for one client.
//!
//! RFC 9309 as Google's matcher reads it: groups that name the client are one, and if there are none the
//! groups for `*` are; the longest pattern that matches decides, and of equal ones the one that allows.
//! A crawl keeps the rules of very many hosts, so they are one text and one small number a rule, in
//! the order in which they are tried: the first that matches is the longest.

use std::time::Duration;

use crate::lines::{Line, lines, starts_with, text};
use crate::pattern::{matches, path, pattern};

/// Longer delays than this are taken for it. A site that asks for weeks is told apart from one that asks
/// for nothing, and a delay can be added to a clock.
pub const LONGEST_DELAY: Duration = Duration::from_hours(24);

/// What a robots.txt asks of one client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    /// The patterns, one after the other.
    patterns: Box<str>,
    rules: Box<[Rule]>,
    delay: Option<Duration>,
    sitemaps: Box<[String]>,
}

/// A rule: where its pattern ends, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rule {
    end: u32,
    allows: bool,
}

impl Robots {
    /// Reads a robots.txt for a client of this product token, which is compared without regard to case.
    /// It never fails: what is not understood is left out, and so is all beyond [`READ`](crate::READ)
    /// bytes.
    pub fn parse(body: &[u8], product: &str) -> Robots {
        let text = text(body);
        let (mut named, mut any) = (Group::default(), Group::default());
        let mut sitemaps = Vec::new();
        let mut is_named = false;
        // For whom the lines are that come, and whether the names of their group are complete.
        let (mut for_named, mut for_any, mut complete) = (false, false, false);
        for line in lines(&text) {
            match line {
                Line::Agent(agent) => {
                    if complete {
                        (for_named, for_any, complete) = (false, false, false);
                    }
                    for_named |= names(agent, product);
                    for_any |= is_any(agent);
                    is_named |= for_named;
                    continue;
                }
                // Stands anywhere, and ends no group.
                Line::Sitemap(url) => {
                    if !url.is_empty() {
                        sitemaps.push(String::from_utf8_lossy(url).into_owned());
                    }
                    continue;
                }
                // Any other record must not interfere with the groups (RFC 9309, 2.2.4).
                Line::Delay(_) => {}
                Line::Allow(_) | Line::Disallow(_) => complete = true,
            }
            if for_named {
                named.add(line);
            } else if for_any {
                any.add(line);
            }
        }
        let group = if is_named { named } else { any };
        Robots { sitemaps: sitemaps.into(), ..group.compact() }
    }

    /// The rules of a host that has none.
    pub fn all_allowed() -> Robots {
        Robots::default()
    }

    /// The rules of a host that cannot be asked for them.
    pub fn all_forbidden() -> Robots {
        let mut group = Group::default();
        group.add(Line::Disallow(b"/"));
        group.compact()
    }

    /// Whether the client may ask for this URL. The URL must be of the host the rules are of; only its
    /// path and query are looked at. It may always ask for robots.txt.
    pub fn allows(&self, url: &str) -> bool {
        if self.rules.is_empty() {
            return true;
        }
        let path = path(url);
        if path == "/robots.txt" {
            return true;
        }
        let mut start = 0;
        for rule in &self.rules {
            let end = rule.end as usize;
            if matches(&path, &self.patterns[start..end]) {
                return rule.allows;
            }
            start = end;
        }
        true
    }

    /// How long the client is asked to wait between two requests; the longest if several are given.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.delay
    }

    /// The sitemaps the file names, for whichever client, as written: they should be whole URLs, and
    /// some are not.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

/// The name by which robots.txt calls a client: the first of its user agent, or, since browsers are
/// imitated, the one after "compatible".
pub fn product(user_agent: &str) -> &str {
    let named = user_agent.strip_prefix("Mozilla/").and_then(|rest| rest.split_once("compatible;"));
    let named = named.map_or(user_agent, |(_, named)| named).trim_start();
    let end = named.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'));
    &named[..end.unwrap_or(named.len())]
}

/// Whether a group's name is this product, with or without a version or anything else after it.
fn names(agent: &[u8], product: &str) -> bool {
    let ends = |byte: &u8| !(byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
    !product.is_empty() && starts_with(agent, product) && agent.get(product.len()).is_none_or(ends)
}

/// Whether a group is for all who have no other.
fn is_any(agent: &[u8]) -> bool {
    matches!(agent, [b'*'] | [b'*', b' ' | b'\t', ..])
}

/// The lines of a group, as they come.
#[derive(Default)]
struct Group {
    rules: Vec<(String, bool)>,
    delay: Option<Duration>,
}

impl Group {
    fn add(&mut self, line: Line<'_>) {
        match line {
            Line::Allow(text) => {
                self.rule(text, true);
                // Who allows a folder's first page allows the folder, as Google has it.
                let slash = text.iter().rposition(|&byte| byte == b'/');
                if let Some(slash) = slash.filter(|&at| text[at..].starts_with(b"/index.htm")) {
                    self.rule(&[&text[..=slash], b"$"].concat(), true);
                }
            }
            Line::Disallow(text) => self.rule(text, false),
            Line::Delay(text) => self.delay = self.delay.max(delay(text)),
            Line::Agent(_) | Line::Sitemap(_) => {}
        }
    }

    fn rule(&mut self, text: &[u8], allows: bool) {
        if !text.is_empty() {
            self.rules.push((pattern(text), allows));
        }
    }

    fn compact(mut self) -> Robots {
        self.rules.sort_unstable_by(|(a, a_allows), (b, b_allows)| {
            (b.len(), b_allows, b).cmp(&(a.len(), a_allows, a))
        });
        self.rules.dedup();
        let mut patterns =
            String::with_capacity(self.rules.iter().map(|(text, _)| text.len()).sum());
        let mut rules = Vec::with_capacity(self.rules.len());
        for (pattern, allows) in self.rules {
            patterns.push_str(&pattern);
            let end = u32::try_from(patterns.len()).expect("little is read of a robots.txt");
            rules.push(Rule { end, allows });
        }
        let (patterns, rules) = (patterns.into_boxed_str(), rules.into_boxed_slice());
        Robots { patterns, rules, delay: self.delay, sitemaps: Box::default() }
    }
}

/// A number of seconds, whatever comes after it.
fn delay(text: &[u8]) -> Option<Duration> {
    let end = text.iter().position(|&byte| !(byte.is_ascii_digit() || byte == b'.'));
    let number = std::str::from_utf8(&text[..end.unwrap_or(text.len())]).ok()?;
    let seconds: f64 = number.parse().ok()?;
    Some(Duration::from_secs_f64(seconds.min(LONGEST_DELAY.as_secs_f64())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(robots_txt: &str, user_agent: &str, path: &str, forbidden: bool) {
        let robots = Robots::parse(robots_txt.as_bytes(), product(user_agent));
        assert_eq!(!robots.allows(&format!("http://a.example{path}")), forbidden, "{path}");
    }

    #[test]
    fn the_longest_rule_of_the_most_specific_group_decides() {
        let robots_txt = "User-agent: *\nDisallow: /\n\n\
            User-agent: Wget # and no other\nDisallow: /private\nAllow: /private/not\n";
        check(robots_txt, "Wget/1.21.3", "/private/a", true);
        check(robots_txt, "Wget/1.21.3", "/private/not/a", false);
        check(robots_txt, "Wget/1.21.3", "/", false);
        check(robots_txt, "Scrapy/2.11 (+https://scrapy.org)", "/", true);
        check(robots_txt, "Mozilla/5.0 (compatible; Wget/2)", "/a", false);
        check("User-agent: *\nDisallow:", "", "/a", false);
    }

    #[test]
    fn encodings_of_one_text_are_one() {
        let robots_txt = "\u{feff}User-agent: *\nDisallow: /ไทย\n";
        check(robots_txt, "a", "/%e0%b9%84%E0%B8%97%e0%b8%a2/b", true);
        check(robots_txt, "a", "/ไทย", true);
        check("User-agent: *\nDisallow: /%e0a%", "a", "/%E0a%", true);
        check("User-agent: *\nDisallow: /%7ea", "a", "/~a", true);
    }

    #[test]
    fn rules_for_all_or_none() {
        assert!(Robots::all_allowed().allows("http://a.example/"));
        assert!(!Robots::all_forbidden().allows("http://a.example/"));
        assert!(Robots::all_forbidden().allows("http://a.example/robots.txt"));
        assert!(!Robots::all_forbidden().allows("http://a.example/robots.txt?a"));
    }

    #[test]
    fn the_delay_is_that_of_the_group() {
        let robots_txt = "User-agent: toy\nCrawl-delay: 0.5\nDisallow:\n\n\
            User-agent: *\nCrawl-delay: 7s\nDisallow:\n\n\
            User-agent: toy/2\nDisallow: /a\ncrawl-delay: 1.5 # patience\n";
        let of = |product| Robots::parse(robots_txt.as_bytes(), product).crawl_delay();
        assert_eq!(of("Toy"), Some(Duration::from_millis(1500)));
        assert_eq!(of("other"), Some(Duration::from_secs(7)));
    }

    #[test]
    fn delays_that_make_no_sense_are_none_or_the_longest() {
        for (text, expected) in [
            ("-1", None),
            ("NaN", None),
            ("inf", None),
            ("", None),
            (".", None),
            ("1.2.3", None),
            ("0", Some(Duration::ZERO)),
            ("604800", Some(LONGEST_DELAY)),
            (&"9".repeat(400), Some(LONGEST_DELAY)),
        ] {
            assert_eq!(delay(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_delay_is_for_those_named_above_and_ends_no_group() {
        let robots_txt = "User-agent: a\nCrawl-delay: 9\n\nUser-agent: b\nDisallow: /\n";
        check(robots_txt, "a", "/", true);
        check(robots_txt, "b", "/", true);
        let of = |product| Robots::parse(robots_txt.as_bytes(), product).crawl_delay();
        assert_eq!((of("a"), of("b")), (Some(Duration::from_secs(9)), None));
    }

    #[test]
    fn sitemaps_are_for_all_and_end_no_group() {
        let robots_txt = b"Sitemap: http://a.example/1.xml\nUser-agent: a\nsite-map: /2.xml\n\
            User-agent: b\nDisallow: /\nSitemap:\n";
        let robots = Robots::parse(robots_txt, "a");
        assert_eq!(robots.sitemaps(), ["http://a.example/1.xml", "/2.xml"]);
        assert!(!robots.allows("/"));
    }

    #[test]
    fn a_costly_pattern_is_answered_at_once() {
        let path = format!("/{}", "a".repeat(60_000));
        check(&format!("user-agent: *\ndisallow: /{}b", "*a".repeat(2_000)), "a", &path, false);
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_is_read() {
        let long = format!("disallow: /{}", "é".repeat(20_000));
        check(&format!("user-agent: *\n{long}\ndisallow: /b"), "a", "/b", true);
    }

    #[test]
    fn no_more_is_read_than_agreed() {
        let long = "#".repeat(crate::READ);
        check(&format!("user-agent: *\n{long}\ndisallow: /b"), "a", "/b", false);
    }

    proptest! {
        #[test]
        fn no_robots_txt_panics(body: Vec<u8>, line: String, url: String) {
            Robots::parse(&body, "a").allows(&url);
            Robots::parse(format!("user-agent: *\ndisallow: {line}").as_bytes(), "a").allows(&url);
            Robots::parse(format!("user-agent: a{line}\nallow: {line}").as_bytes(), &line).allows(&url);
        }

        /// The order of trial is the rule of the longest match.
        #[test]
        fn the_longest_match_decides(
            rules in proptest::collection::vec(("[/*ab$]{1,5}", any::<bool>()), 0..8),
            path in "/[ab]{0,5}",
        ) {
            let mut robots_txt = "user-agent: *\n".to_owned();
            let mut best = (0, true);
            for (text, allows) in &rules {
                let name = if *allows { "allow" } else { "disallow" };
                robots_txt += &format!("{name}: {text}\n");
                let text = pattern(text.as_bytes());
                if matches(&path, &text) {
                    best = best.max((text.len(), *allows));
                }
            }
            prop_assert_eq!(Robots::parse(robots_txt.as_bytes(), "a").allows(&path), best.1);
        }
    }
}
