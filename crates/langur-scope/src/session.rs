//! URLs without the number of the visit.
//!
//! Servers that want no cookies write a visitor's session into every link, so that every visit finds
//! every page anew. A name that is used for nothing else is taken out with any value; one that could mean
//! something only with a value that could mean nothing: a long number in hexadecimal digits.

use langur_page::Address;

/// Names of sessions, in lower case.
const SESSIONS: [&str; 4] = ["cfid", "cftoken", "jsessionid", "phpsessid"];

/// Names of sessions that have something after them: `ASPSESSIONIDQQBRSTAC`.
const BEGINNINGS: [&str; 1] = ["aspsessionid"];

/// Names that may be of sessions.
const SUSPECTS: [&str; 8] =
    ["oscsid", "s", "sessid", "session", "session_id", "sessionid", "sid", "zenid"];

/// Half of an MD5, and more than any number of a page.
const LONG: usize = 16;

/// The URL without the session it carries; `None` if it carries none. The page is the same, if the
/// server is as usual.
pub fn without_session(address: &Address) -> Option<Address> {
    // Most URLs have no place for one.
    if !address.path.contains(['=', '(']) {
        return None;
    }
    let (path, query) = match address.path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (address.path.as_str(), None),
    };
    let segments = path.split('/').filter(|segment| !is_cookieless(segment));
    let segments: Vec<String> = segments.map(|segment| without(segment, ';')).collect();
    let mut shorter = segments.join("/");
    if !shorter.starts_with('/') {
        shorter.insert(0, '/');
    }
    if let Some(query) = query.map(|query| without(query, '&')).filter(|query| !query.is_empty()) {
        shorter.push('?');
        shorter.push_str(&query);
    }
    if shorter == address.path {
        return None;
    }
    let shorter = Address { path: shorter, ..address.clone() };
    // What is left of a segment can be two dots.
    Address::parse(&shorter.to_string()).ok()
}

/// Without the parts that are sessions.
fn without(text: &str, between: char) -> String {
    let kept: Vec<&str> = text.split(between).filter(|part| !is_session(part)).collect();
    kept.join(between.encode_utf8(&mut [0; 4]))
}

fn is_session(part: &str) -> bool {
    let Some((name, value)) = part.split_once('=') else { return false };
    let name = name.to_ascii_lowercase();
    SESSIONS.contains(&name.as_str())
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || (SUSPECTS.contains(&name.as_str()) && is_long_number(value))
}

fn is_long_number(value: &str) -> bool {
    value.len() >= LONG && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// ASP.NET's way without cookies, a segment such as `(S(lit3py55t21z5v55vlm25s55))`.
fn is_cookieless(segment: &str) -> bool {
    let inner = segment.strip_prefix("(S(").and_then(|rest| rest.strip_suffix("))"));
    inner.is_some_and(|id| id.len() == 24 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        let address = Address::parse(&format!("http://a.example{path}")).expect("a URL");
        assert_eq!(without_session(&address).map(|address| address.path).as_deref(), expected);
    }

    #[test]
    fn sessions_are_taken_out() {
        check("/a;jsessionid=0A1B.node2?b=c", Some("/a?b=c"));
        check("/a;x=1;JSESSIONID=2/b", Some("/a;x=1/b"));
        check("/a?PHPSESSID=k2j3&b&c=", Some("/a?b&c="));
        check("/?ASPSESSIONIDQQBRSTAC=ABCDEF", Some("/"));
        check("/a?b=1&sid=0123456789abcdef0123456789ABCDEF", Some("/a?b=1"));
        check("/a?CFID=12&CFTOKEN=34&b", Some("/a?b"));
        check("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", Some("/a.aspx"));
        check("/(S(lit3py55t21z5v55vlm25s55))", Some("/"));
        check("/a/..;jsessionid=1/b", Some("/b"));
    }

    #[test]
    fn what_may_mean_something_stays() {
        for path in
            ["/a?sid=12", "/?s=thai+food", "/?session=morning", "/;a/jsessionid/(S(a))", "/?&&a"]
        {
            check(path, None);
        }
    }

    proptest! {
        #[test]
        fn once_is_enough(path in "/([a.;=/?&]|sid=|;jsessionid=|0123456789abcdef){0,12}") {
            let address = Address::parse(&format!("http://a.example{path}")).expect("a URL");
            if let Some(shorter) = without_session(&address) {
                prop_assert_eq!(without_session(&shorter), None, "{}", shorter);
            }
        }
    }
}
