//! Cookies, for crawls that keep them: RFC 6265, and the public suffix list.
//!
//! They are kept in memory alone, so after a restart there are none, and hosts meet a new visitor. The times at which
//! they were given and used decide who goes when there are too many; a host can crowd out the cookies of its own domain
//! only, until all domains together have too many.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use cookie::Cookie;
use langur_page::{Address, Scheme, ip_address, registrable, registrable_domain, without_port};

use crate::journal::Moment;

/// Cookies of a registrable domain.
const MOST_OF_DOMAIN: usize = 50;

/// Cookies of all domains.
const MOST: usize = 3000;

/// Name, value and attributes of a cookie. Longer ones are not kept; RFC 6265, 6.1, asks for as many.
const LONGEST: usize = 4096;

/// Bytes of cookies in a request. Servers refuse heads that are much longer; what is over is left out.
const LONGEST_HEADER: usize = 8192;

/// Cookies that were given, by those who may have them back.
#[derive(Debug, Default)]
pub struct Cookies(Mutex<Jar>);

impl Cookies {
    /// What the request for a canonical URL says, if there is anything to say.
    pub fn header(&self, url: &str, now: Moment) -> Option<String> {
        let asked = Asked::of(url)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).header(&asked, now)
    }

    /// Keeps what the answer from a canonical URL gives: the values of its `Set-Cookie`.
    pub fn keep<'h>(&self, url: &str, given: impl Iterator<Item = &'h [u8]>, now: Moment) {
        let mut given = given.peekable();
        if given.peek().is_none() {
            return;
        }
        let Some(asked) = Asked::of(url) else { return };
        let mut jar = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for bytes in given {
            let text = std::str::from_utf8(bytes).ok().filter(|text| is_plain(text));
            if let Some(kept) = text.and_then(|text| Kept::read(text, &asked, now)) {
                jar.keep(registrable_domain(&asked.host), kept, now);
            }
        }
    }
}

/// Whether it can be sent back as it came.
fn is_plain(text: &str) -> bool {
    text.len() <= LONGEST && text.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte))
}

/// Where a request goes.
struct Asked {
    secure: bool,
    /// Without the port, which makes no difference (RFC 6265, 8.5).
    host: String,
    /// Without the query.
    path: String,
}

impl Asked {
    fn of(url: &str) -> Option<Asked> {
        let address = Address::parse(url).ok()?;
        let path = address.path.split('?').next().unwrap_or_default();
        Some(Asked {
            secure: address.scheme == Scheme::Https,
            host: without_port(&address.host).to_owned(),
            path: path.to_owned(),
        })
    }

    /// Whether the host is a domain or below it (5.1.3). Nothing is below an address.
    fn is_of(&self, domain: &str) -> bool {
        let below = self.host.strip_suffix(domain);
        below.is_some_and(|below| {
            below.is_empty() || (below.ends_with('.') && ip_address(&self.host).is_none())
        })
    }

    /// Whether the path is another or below it (5.1.4).
    fn is_under(&self, path: &str) -> bool {
        let below = self.path.strip_prefix(path);
        below.is_some_and(|below| below.is_empty() || path.ends_with('/') || below.starts_with('/'))
    }

    /// Up to the last slash, and without it (5.1.4).
    fn default_path(&self) -> &str {
        match self.path.rfind('/') {
            Some(slash) if slash > 0 => &self.path[..slash],
            _ => "/",
        }
    }
}

/// A cookie that is kept.
#[derive(Debug)]
struct Kept {
    name: String,
    value: String,
    domain: String,
    /// Whether it is for this host and none below it.
    host_only: bool,
    path: String,
    secure: bool,
    until: Option<Moment>,
    /// Counts uses: when it was first given, and when it was last given or sent.
    first: u64,
    used: u64,
}

impl Kept {
    /// Reads a cookie, unless whoever gives it may not (5.3).
    fn read(text: &str, asked: &Asked, now: Moment) -> Option<Kept> {
        let cookie = Cookie::parse(text).ok()?;
        let domain = cookie.domain().map(str::to_ascii_lowercase);
        let (domain, host_only) = match domain.filter(|domain| *domain != asked.host) {
            // Where others have their own domains, nobody speaks for all of them.
            Some(domain) if registrable(&domain).is_none() || !asked.is_of(&domain) => return None,
            Some(domain) => (domain, false),
            // A host that names itself speaks for those below it too, if it may.
            None => {
                let names_itself = cookie.domain().is_some() && registrable(&asked.host).is_some();
                (asked.host.clone(), !names_itself)
            }
        };
        let path = cookie.path().filter(|path| path.starts_with('/'));
        let after = |seconds: i64| {
            now.saturating_add(u64::try_from(seconds).unwrap_or(0).saturating_mul(1000))
        };
        let date = |seconds: i64| u64::try_from(seconds).unwrap_or(0).saturating_mul(1000);
        let until = match (cookie.max_age(), cookie.expires_datetime()) {
            (Some(age), _) => Some(after(age.whole_seconds())),
            (None, Some(expires)) => Some(date(expires.unix_timestamp())),
            (None, None) => None,
        };
        Some(Kept {
            name: cookie.name().to_owned(),
            value: cookie.value().to_owned(),
            domain,
            host_only,
            path: path.unwrap_or(asked.default_path()).to_owned(),
            secure: cookie.secure().unwrap_or(false),
            until,
            first: 0,
            used: 0,
        })
    }

    fn is_same(&self, other: &Kept) -> bool {
        (&self.name, &self.domain, &self.path) == (&other.name, &other.domain, &other.path)
    }

    fn is_over(&self, now: Moment) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    /// Whether it is to be sent with a request (5.4).
    fn is_for(&self, asked: &Asked) -> bool {
        let is_host =
            if self.host_only { self.domain == asked.host } else { asked.is_of(&self.domain) };
        is_host && asked.is_under(&self.path) && (asked.secure || !self.secure)
    }
}

#[derive(Debug, Default)]
struct Jar {
    /// By registrable domain.
    domains: HashMap<String, Vec<Kept>>,
    cookies: usize,
    uses: u64,
}

impl Jar {
    fn header(&mut self, asked: &Asked, now: Moment) -> Option<String> {
        let kept = self.domains.get_mut(registrable_domain(&asked.host))?;
        self.uses += 1;
        let mut sent: Vec<&mut Kept> =
            kept.iter_mut().filter(|it| !it.is_over(now) && it.is_for(asked)).collect();
        // The longest path first, and then the oldest (5.4).
        sent.sort_by_key(|it| (std::cmp::Reverse(it.path.len()), it.first));
        let mut header = String::new();
        for it in sent {
            it.used = self.uses;
            let length = header.len() + it.name.len() + it.value.len() + 3;
            if length <= LONGEST_HEADER {
                let before = if header.is_empty() { "" } else { "; " };
                header.extend([before, &it.name, "=", &it.value]);
            }
        }
        (!header.is_empty()).then_some(header)
    }

    fn keep(&mut self, domain: &str, mut new: Kept, now: Moment) {
        self.uses += 1;
        (new.first, new.used) = (self.uses, self.uses);
        let kept = self.domains.entry(domain.to_owned()).or_default();
        let before = kept.len();
        if let Some(at) = kept.iter().position(|it| it.is_same(&new)) {
            new.first = kept.remove(at).first;
        }
        kept.retain(|it| !it.is_over(now));
        if !new.is_over(now) {
            if kept.len() >= MOST_OF_DOMAIN {
                let oldest = (0..kept.len()).min_by_key(|at| kept[*at].used);
                oldest.into_iter().for_each(|at| drop(kept.remove(at)));
            }
            kept.push(new);
        }
        self.cookies = self.cookies + kept.len() - before;
        if kept.is_empty() {
            self.domains.remove(domain);
        }
        if self.cookies > MOST {
            self.forget_oldest();
        }
    }

    /// The cookies that were not used for longest go: one, or those that were last sent together.
    fn forget_oldest(&mut self) {
        let oldest = |kept: &Vec<Kept>| kept.iter().map(|it| it.used).min();
        let domains =
            self.domains.iter().filter_map(|(domain, kept)| Some((oldest(kept)?, domain)));
        let Some((used, domain)) = domains.min() else { return };
        let domain = domain.clone();
        if let Some(kept) = self.domains.get_mut(&domain) {
            kept.retain(|it| it.used != used);
        }
        self.cookies = self.domains.values().map(Vec::len).sum();
        self.domains.retain(|_, kept| !kept.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = 1_700_000_000_000;

    fn keep(cookies: &Cookies, url: &str, given: &str) {
        cookies.keep(url, std::iter::once(given.as_bytes()), NOW);
    }

    /// Whoever is at the first URL gives a cookie; what the request for the second says.
    #[track_caller]
    fn check(from: &str, given: &str, to: &str, sent: Option<&str>) {
        let cookies = Cookies::default();
        keep(&cookies, from, given);
        assert_eq!(cookies.header(to, NOW).as_deref(), sent, "{from} gives {given}, {to}");
    }

    #[test]
    fn a_cookie_goes_back_to_its_host_and_to_no_other() {
        let from = "http://www.a.example/";
        check(from, "id=7", "http://www.a.example/x?y", Some("id=7"));
        check(from, "id=7", "https://www.a.example:8443/", Some("id=7"));
        for other in ["http://a.example/", "http://b.www.a.example/", "http://b.example/"] {
            check(from, "id=7", other, None);
        }
    }

    #[test]
    fn a_domain_speaks_for_the_hosts_below_it() {
        let from = "http://www.a.co.th/";
        for to in ["http://a.co.th/", "http://www.a.co.th/", "http://b.c.a.co.th/"] {
            check(from, "id=7; Domain=a.co.th", to, Some("id=7"));
            check(from, "id=7; Domain=.A.co.th", to, Some("id=7"));
        }
        check("http://a.co.th/", "id=7; Domain=a.co.th", from, Some("id=7"));
        check(from, "id=7; Domain=a.co.th", "http://bada.co.th/", None);
        // Another's domain, one below, and one for everybody in Thailand.
        for domain in ["b.co.th", "x.www.a.co.th", "co.th", "th"] {
            check(from, &format!("id=7; Domain={domain}"), from, None);
        }
        // A host that is a public suffix itself speaks for itself.
        check("http://github.io/", "id=7; Domain=github.io", "http://github.io/", Some("id=7"));
        check("http://github.io/", "id=7; Domain=github.io", "http://a.github.io/", None);
    }

    #[test]
    fn nothing_is_below_an_address() {
        check("http://127.0.0.1:81/", "id=7", "http://127.0.0.1:82/", Some("id=7"));
        check("http://127.0.0.1/", "id=7; Domain=127.0.0.1", "http://127.0.0.1/", Some("id=7"));
        check("http://127.0.0.1/", "id=7; Domain=0.0.1", "http://127.0.0.1/", None);
        check("http://[::1]:81/", "id=7", "http://[::1]/", Some("id=7"));
        check("http://[::1]/", "id=7", "http://[::2]/", None);
    }

    #[test]
    fn paths_and_tls_count() {
        let from = "https://a.example/x/y";
        check(from, "id=7", "https://a.example/x/z", Some("id=7"));
        check(from, "id=7", "https://a.example/x", Some("id=7"));
        check(from, "id=7", "https://a.example/xy", None);
        check(from, "id=7", "https://a.example/", None);
        check(from, "id=7; Path=/", "https://a.example/", Some("id=7"));
        check(from, "id=7; Path=x", "https://a.example/", None);
        check(from, "id=7; Secure", "https://a.example/x/", Some("id=7"));
        check(from, "id=7; Secure", "http://a.example/x/", None);
    }

    #[test]
    fn a_cookie_ends_when_it_says_so_and_max_age_counts_more() {
        let a = "http://a.example/";
        check(a, "id=7; Max-Age=1", a, Some("id=7"));
        check(a, "id=7; Max-Age=0", a, None);
        check(a, "id=7; Max-Age=-1", a, None);
        check(a, "id=7; Expires=Wed, 21 Oct 2015 07:28:00 GMT", a, None);
        check(a, "id=7; Expires=Wed, 21 Oct 2099 07:28:00 GMT", a, Some("id=7"));
        check(a, "id=7; Max-Age=9; Expires=Wed, 21 Oct 2015 07:28:00 GMT", a, Some("id=7"));
        let cookies = Cookies::default();
        keep(&cookies, a, "id=7; Max-Age=1");
        assert_eq!(cookies.header(a, NOW + 999).as_deref(), Some("id=7"));
        assert_eq!(cookies.header(a, NOW + 1000), None);
        keep(&cookies, a, "id=8; Max-Age=9");
        keep(&cookies, a, "id=; Max-Age=0");
        assert_eq!(cookies.header(a, NOW), None);
        assert_eq!(cookies.0.lock().expect("no panic").cookies, 0);
    }

    #[test]
    fn several_go_in_order_and_a_new_value_replaces_the_old() {
        let (cookies, url) = (Cookies::default(), "http://a.example/x/y");
        for given in ["b=1; Path=/", "c=2; Path=/", "d=3; Path=/x", "b=4; Path=/"] {
            keep(&cookies, url, given);
        }
        assert_eq!(cookies.header(url, NOW).as_deref(), Some("d=3; b=4; c=2"));
    }

    #[test]
    fn what_cannot_be_sent_back_is_not_kept() {
        let a = "http://a.example/";
        let long = format!("id={}", "x".repeat(LONGEST));
        for given in ["", "id", "=7", "id=\u{1}", "id=ก", &long] {
            check(a, given, a, None);
        }
        let cookies = Cookies::default();
        for number in 0..MOST_OF_DOMAIN {
            keep(&cookies, a, &format!("{number}={}", "x".repeat(1000)));
        }
        let header = cookies.header(a, NOW).expect("cookies");
        assert!((LONGEST_HEADER - 1100..=LONGEST_HEADER).contains(&header.len()));
    }

    #[test]
    fn there_are_only_so_many_and_those_in_use_stay() {
        let (cookies, a) = (Cookies::default(), "http://a.example/");
        keep(&cookies, a, "first=1");
        keep(&cookies, "http://b.a.example/", "second=2");
        for number in 0..MOST_OF_DOMAIN {
            assert!(cookies.header(a, NOW).is_some_and(|header| header.contains("first=1")));
            keep(&cookies, "http://b.a.example/", &format!("n{number}=0"));
        }
        let of_domain = |domain: &str| cookies.0.lock().expect("no panic").domains[domain].len();
        assert_eq!(of_domain("a.example"), MOST_OF_DOMAIN);
        let header = cookies.header("http://b.a.example/", NOW).expect("cookies");
        assert!(!header.contains("second=2") && header.contains("n49=0"), "{header}");
        for number in 0..MOST {
            assert!(cookies.header(a, NOW).is_some_and(|header| header.contains("first=1")));
            keep(&cookies, &format!("http://d{number}.example/"), "id=7");
            assert!(cookies.0.lock().expect("no panic").cookies <= MOST);
        }
        assert_eq!(cookies.header("http://b.a.example/", NOW), None);
        assert_eq!(of_domain("a.example"), 1);
    }
}
