//! One rule, as it is written.
//!
//! Names and paths are brought into the form that URLs have in a crawl, so that a rule may be written in
//! capitals, in Thai, or copied from anywhere.

use langur_page::{Address, top_level_domain};
use regex::RegexBuilder;

use crate::error::ScopeError;
use crate::surt;

/// Memory that a regular expression may take, compiled.
const REGEX_SIZE: usize = 1 << 20;

/// What a rule says of the URLs it matches, in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// This host: on this port if it has one, else on any.
    Host(String),
    /// This host and all below it, whatever the port.
    Domain(String),
    TopLevel(String),
    /// URLs whose [`surt::key`] begins so.
    Surt(String),
    /// Paths, with their query, that begin so.
    Path(String),
    /// URLs in which this is found.
    Regex(String),
}

impl Rule {
    pub fn read(text: &str) -> Result<Rule, ScopeError> {
        let (kind, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.trim();
        let rule = match kind.trim() {
            _ if value.is_empty() => Err("it has no kind, or nothing after it".to_owned()),
            "host" => host(value).map(Rule::Host),
            "domain" => domain(value).map(Rule::Domain),
            "tld" => top_level(value).map(Rule::TopLevel),
            "surt" => surt::prefix(value).map(Rule::Surt),
            "path" => path(value).map(Rule::Path),
            "regex" => regex(value).map(Rule::Regex),
            other => Err(format!("there is no kind \"{other}\"")),
        };
        rule.map_err(|wrong| ScopeError { rule: text.to_owned(), wrong })
    }
}

fn host(value: &str) -> Result<String, String> {
    let no_host = || format!("\"{value}\" is not a host");
    if value.contains(|c: char| "/?#@\\*".contains(c) || c.is_whitespace()) {
        return Err(no_host());
    }
    let host = Address::parse(&format!("http://{value}/")).map_err(|_| no_host())?.host;
    if host.split('.').any(str::is_empty) { Err(no_host()) } else { Ok(host.to_string()) }
}

fn domain(value: &str) -> Result<String, String> {
    let host = host(value)?;
    if name(&host) == host { Ok(host) } else { Err("a domain has no port".to_owned()) }
}

fn top_level(value: &str) -> Result<String, String> {
    let host = host(value)?;
    match top_level_domain(&host) {
        Some(tld) if tld == host => Ok(host),
        _ => Err(format!("\"{value}\" is not the last part of a host's name; see domain:")),
    }
}

/// A beginning of paths in canonical form.
pub(crate) fn path(value: &str) -> Result<String, String> {
    if !value.starts_with('/') {
        return Err("a path starts with a slash".to_owned());
    }
    if value.contains('#') {
        return Err("URLs have no fragment in a crawl, so none can match".to_owned());
    }
    let address = Address::parse(&format!("http://a.example{value}"));
    let mut path = address.map_err(|_| "it is not a path".to_owned())?.path;
    // An empty query is none in a URL; in a beginning it means that there is one.
    if value.ends_with('?') && !path.contains('?') {
        path.push('?');
    }
    Ok(path)
}

fn regex(value: &str) -> Result<String, String> {
    let regex = RegexBuilder::new(value).size_limit(REGEX_SIZE).build();
    regex.map(|_| value.to_owned()).map_err(|error| error.to_string())
}

/// A host without its port.
pub(crate) fn name(host: &str) -> &str {
    match host.find(']') {
        Some(end) => &host[..=end],
        None => host.split(':').next().unwrap_or(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rule: Rule) {
        assert_eq!(Rule::read(text), Ok(rule));
    }

    #[test]
    fn rules_are_canonical() {
        check("host:WWW.A.example:80", Rule::Host("www.a.example".to_owned()));
        check("host:[::1]:81", Rule::Host("[::1]:81".to_owned()));
        check("domain: ไทย.ไทย", Rule::Domain("xn--o3cw4h.xn--o3cw4h".to_owned()));
        check("tld:TH", Rule::TopLevel("th".to_owned()));
        check("path:/ก/", Rule::Path("/%E0%B8%81/".to_owned()));
        check("path:/a?", Rule::Path("/a?".to_owned()));
        check("regex:a:b", Rule::Regex("a:b".to_owned()));
    }

    #[test]
    fn what_cannot_match_is_refused_with_the_kinds() {
        for (text, wrong) in [
            ("a.example", "it has no kind, or nothing after it"),
            ("host:", "it has no kind, or nothing after it"),
            ("hots:a", "there is no kind \"hots\""),
            ("host:a/b", "\"a/b\" is not a host"),
            ("domain:*.a.example", "\"*.a.example\" is not a host"),
            ("domain:.th", "\".th\" is not a host"),
            ("domain:a:81", "a domain has no port"),
            ("tld:co.th", "\"co.th\" is not the last part of a host's name; see domain:"),
            ("tld:127.0.0.1", "\"127.0.0.1\" is not the last part of a host's name; see domain:"),
            ("path:a", "a path starts with a slash"),
            ("path:/a#b", "URLs have no fragment in a crawl, so none can match"),
        ] {
            let error = Rule::read(text).expect_err("a bad rule");
            assert_eq!((&*error.rule, &*error.wrong), (text, wrong));
            assert!(error.to_string().contains("rules are: host:"), "{error}");
        }
        for regex in ["regex:(", "regex:(?:a{1000}){1000}"] {
            assert!(Rule::read(regex).is_err(), "{regex}");
        }
    }
}
