//! The form of crawler-commons.

use crate::address::tidy;
use crate::whatwg::{Url, split_scheme};

/// A URL in the form of crawler-commons' basic normalizer: the canonical form, and `http` where there
/// is no scheme, single slashes, and the query's parameters in order of their names, without empty
/// names and values. `None` where the host is missing or wrong, and for schemes other than `http`,
/// `https`, `ftp` and `file`.
///
/// Unlike the canonical form it can make URLs of different pages equal: some servers tell `//` from
/// `/`, and some read parameters in order.
pub fn crawler(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.split('#').next().unwrap_or(text);
    let with_scheme;
    let text = if split_scheme(text).is_some_and(|(_, rest)| rest.starts_with('/')) {
        text
    } else {
        with_scheme = format!("http://{text}");
        &with_scheme
    };
    let url = Url::parse(text).ok()?;
    let scheme = url.scheme();
    if !matches!(scheme, "http" | "https" | "ftp" | "file") {
        return None;
    }
    let mut path = tidy(url.path());
    while path.contains("//") {
        path = path.replace("//", "/");
    }
    let host = url.host_and_port();
    let host = if scheme == "file" { host } else { crate::address::without_last_dot(host) };
    let query = url.query().map(|query| sorted(&tidy(query))).unwrap_or_default();
    let mark = if query.is_empty() { "" } else { "?" };
    // Files keep the slashes they came with.
    let slashes =
        if host.is_empty() && !text[scheme.len() + 1..].starts_with("//") { "" } else { "//" };
    Some(format!("{scheme}:{slashes}{host}{path}{mark}{query}"))
}

/// Parameters in order of their names, those of one name as they came.
fn sorted(query: &str) -> String {
    let mut parameters: Vec<(&str, &str)> = query
        .split('&')
        .map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
        .filter(|(name, _)| !name.is_empty())
        .collect();
    parameters.sort_by_key(|&(name, _)| name);
    let text = |(name, value): (&str, &str)| {
        if value.is_empty() { name.to_owned() } else { format!("{name}={value}") }
    };
    parameters.into_iter().map(text).collect::<Vec<_>>().join("&")
}
