//! Whether the archived robots.txt of a host forbids a URL.
//!
//! What the archive does not hold, or holds with a status other than success, forbids nothing;
//! redirects are followed as RFC 9309 asks.

use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, Uri};
use langur_robots::{Robots, product};

use crate::answer::{Answer, Answers};
use crate::asked::{Asked, Door};
use crate::recent::Recent;

/// Hosts whose rules are kept, counted once for every client.
const KEPT: usize = 256;
/// As many redirects as RFC 9309 asks to be followed.
const REDIRECTS: usize = 5;

/// The rules of the hosts asked lately, by the URL of robots.txt and the client's name.
pub(crate) struct Rules {
    kept: Mutex<Recent<(String, String), Arc<Robots>>>,
}

impl Rules {
    pub fn new() -> Rules {
        Rules { kept: Mutex::new(Recent::new(KEPT)) }
    }

    /// Whether a client with this user agent should not have asked.
    pub fn forbid(&self, answers: &dyn Answers, asked: &Asked, user_agent: &str) -> bool {
        let robots_txt = asked.robots_txt();
        if asked.url == robots_txt {
            return false;
        }
        !self.rules(answers, robots_txt, product(user_agent)).allows(&asked.url)
    }

    fn rules(&self, answers: &dyn Answers, url: String, product: &str) -> Arc<Robots> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (url, product.to_owned());
        if let Some(rules) = kept().get(&key) {
            return rules;
        }
        // Two requests may both look it up, which does no harm; waiting under the lock would. An
        // archive that could not be read is asked again by the next.
        let Ok(rules) = archived(answers, &key.0, product) else { return Arc::default() };
        let rules = Arc::new(rules);
        kept().insert(key, Arc::clone(&rules));
        rules
    }
}

/// The rules of an archived robots.txt for a client.
fn archived(answers: &dyn Answers, url: &str, product: &str) -> Result<Robots, String> {
    let mut next = Some(url.to_owned());
    for _ in 0..=REDIRECTS {
        let Some(url) = next else { break };
        let Some(answer) = answers.answer(&url)? else { break };
        match answer.status {
            200..=299 => return Ok(Robots::parse(&answer.body, product)),
            300..=399 => next = redirected(&url, &answer),
            _ => break,
        }
    }
    Ok(Robots::all_allowed())
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let rules = Rules::new();
        for (host, forbidden) in [("a.example", true), ("loop.example", false), ("c", false)] {
            let asked = Asked { url: format!("http://{host}/b"), host: host.to_owned() };
            assert_eq!(rules.forbid(&Moved, &asked, "toy/1"), forbidden, "{host}");
        }
    }
}
