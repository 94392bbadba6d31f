//! Whether the archived robots.txt of a host forbids a URL.
//!
//! RFC 9309 by Google's matcher. What the archive does not hold, or holds with a status other than
//! success, forbids nothing; redirects are followed as the RFC asks. The parser is given ASCII only
//! and the patterns are matched here, since the crate's parser cuts long lines inside a character,
//! and its matching takes cubic time and misses `/aa` for `*a$`.

use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, Uri};
use robotstxt::matcher::{RobotsMatchStrategy, RobotsMatcher};

use crate::answer::{Answer, Answers};
use crate::asked::{Asked, Door};
use crate::recent::Recent;

/// Hosts whose rules are kept.
const KEPT: usize = 256;
/// As many bytes as RFC 9309 asks to be read.
const READ: usize = 500 << 10;
/// As many redirects as RFC 9309 asks to be followed.
const REDIRECTS: usize = 5;

/// The rules of the hosts asked lately.
pub(crate) struct Robots {
    kept: Mutex<Recent<String, Arc<str>>>,
}

impl Robots {
    pub fn new() -> Robots {
        Robots { kept: Mutex::new(Recent::new(KEPT)) }
    }

    /// Whether a client with this user agent should not have asked.
    pub fn forbid(&self, answers: &dyn Answers, asked: &Asked, user_agent: &str) -> bool {
        let robots_txt = asked.robots_txt();
        if asked.url == robots_txt {
            return false;
        }
        let rules = self.rules(answers, robots_txt);
        !rules.is_empty() && forbids(&rules, product(user_agent), &asked.url)
    }

    fn rules(&self, answers: &dyn Answers, url: String) -> Arc<str> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = kept().get(&url) {
            return rules;
        }
        // Two requests may both look it up, which does no harm; waiting under the lock would. An
        // archive that could not be read is asked again by the next.
        let Ok(rules) = archived(answers, &url) else { return Arc::default() };
        let rules: Arc<str> = rules.unwrap_or_default().into();
        kept().insert(url, Arc::clone(&rules));
        rules
    }
}

/// The rules of an archived robots.txt, without comments.
fn archived(answers: &dyn Answers, url: &str) -> Result<Option<String>, String> {
    let mut next = Some(url.to_owned());
    for _ in 0..=REDIRECTS {
        let Some(url) = next else { break };
        let Some(answer) = answers.answer(&url)? else { break };
        match answer.status {
            200..=299 => return Ok(Some(rules(&answer.body))),
            300..=399 => next = redirected(&url, &answer),
            _ => break,
        }
    }
    Ok(None)
}

fn redirected(from: &str, answer: &Answer) -> Option<String> {
    let location = answer.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
    let location = std::str::from_utf8(&location.1).ok()?.trim();
    let from: Uri = from.parse().ok()?;
    if location.starts_with('/') && !location.starts_with("//") {
        return Some(format!("{}://{}{location}", from.scheme_str()?, from.authority()?));
    }
    let to: Uri = location.parse().ok()?;
    Some(Asked::read(&Door::Plain, &to, &HeaderMap::new()).ok()?.url)
}

fn rules(body: &[u8]) -> String {
    let body = &body[..body.len().min(READ)];
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let mut rules = String::new();
    for line in body.split(|&byte| byte == b'\n' || byte == b'\r') {
        let rule = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
        if !rule.is_empty() {
            rules.push_str(&escaped(rule));
            rules.push('\n');
        }
    }
    rules
}

/// In ASCII, with the digits of percent-encoded bytes in upper case.
fn escaped(text: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut digits = 0;
    for &byte in text {
        if byte.is_ascii() {
            let digit = digits > 0 && byte.is_ascii_hexdigit();
            escaped.push(char::from(if digit { byte.to_ascii_uppercase() } else { byte }));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
        digits = if byte == b'%' { 2 } else { digits.max(1) - 1 };
    }
    escaped
}

fn forbids(rules: &str, product: &str, url: &str) -> bool {
    let url = escaped(url.as_bytes());
    !RobotsMatcher::<Linear>::default().one_agent_allowed_by_robots(rules, product, &url)
}

/// The name by which robots.txt calls a client: the first of its user agent, or, since browsers are
/// imitated, the one after "compatible".
fn product(user_agent: &str) -> &str {
    let named = user_agent.strip_prefix("Mozilla/").and_then(|rest| rest.split_once("compatible;"));
    let named = named.map_or(user_agent, |(_, named)| named).trim_start();
    let end = named.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'));
    &named[..end.unwrap_or(named.len())]
}

/// The longest pattern wins, as in Google's matcher, in time linear in the path.
#[derive(Default)]
struct Linear;

impl RobotsMatchStrategy for Linear {
    fn match_allow(&self, path: &str, pattern: &str) -> i32 {
        let length = i32::try_from(pattern.len()).unwrap_or(i32::MAX);
        if pattern_matches(path, pattern) { length } else { -1 }
    }

    fn match_disallow(&self, path: &str, pattern: &str) -> i32 {
        self.match_allow(path, pattern)
    }
}

/// Whether the path begins as the pattern says. `*` is any text; `$` is the end, at the end.
fn pattern_matches(path: &str, pattern: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let Some((first, others)) = pattern.split_once('*') else {
        return if to_the_end { path == pattern } else { path.starts_with(pattern) };
    };
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let (between, last) = others.rsplit_once('*').unwrap_or(("", others));
    // Taking each piece where it first occurs leaves the most room for the next.
    for piece in between.split('*') {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    if to_the_end { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(robots_txt: &str, user_agent: &str, path: &str, forbidden: bool) {
        let rules = rules(robots_txt.as_bytes());
        let url = format!("http://a.example{path}");
        assert_eq!(forbids(&rules, product(user_agent), &url), forbidden, "{path}");
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
    }

    struct Moved;

    impl Answers for Moved {
        fn answer(&self, url: &str) -> Result<Option<Answer>, String> {
            let (status, location, body) = match url {
                "http://a.example/robots.txt" => (301, "https://a.example/robots.txt", ""),
                "https://a.example/robots.txt" => (302, "/rules", ""),
                "https://a.example/rules" => (200, "", "user-agent: *\ndisallow: /b"),
                "http://loop.example/robots.txt" => (301, "/robots.txt", ""),
                _ => return Ok(None),
            };
            let headers = vec![("Location".to_owned(), location.as_bytes().to_vec())];
            Ok(Some(Answer { status, headers, body: body.into(), fetched_at: None }))
        }
    }

    #[test]
    fn redirects_are_followed_and_not_for_ever() {
        let robots = Robots::new();
        for (host, forbidden) in [("a.example", true), ("loop.example", false), ("c", false)] {
            let asked = Asked { url: format!("http://{host}/b"), host: host.to_owned() };
            assert_eq!(robots.forbid(&Moved, &asked, "toy/1"), forbidden, "{host}");
        }
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

    /// What the documentation of the matcher says, letter by letter.
    fn by_letters(path: &[u8], pattern: &[u8]) -> bool {
        match (pattern, path) {
            ([], _) => true,
            ([b'$'], path) => path.is_empty(),
            ([b'*', rest @ ..], path) => (0..=path.len()).any(|at| by_letters(&path[at..], rest)),
            ([one, rest @ ..], [first, path @ ..]) => one == first && by_letters(path, rest),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn no_robots_txt_panics(body: Vec<u8>, line: String, path: String) {
            forbids(&rules(&body), "a", &path);
            forbids(&rules(format!("user-agent: *\ndisallow: {line}").as_bytes()), "a", &path);
        }

        #[test]
        fn patterns_match_as_documented(path in "/[ab$]{0,8}", pattern in "[/*ab$]{0,8}") {
            let expected = by_letters(path.as_bytes(), pattern.as_bytes());
            prop_assert_eq!(pattern_matches(&path, &pattern), expected);
        }
    }
}
