//! URLs with their host reversed, so that what belongs together begins alike.
//!
//! The form is that of Heritrix, without the scheme: `(th,ac,chula,www,)/path?query`. The comma after
//! every label is what tells `(th,ac,` from `(th,acme,`. Heritrix pays no regard to the scheme either.

use langur_page::{Address, host_key, top_level_domain};

use crate::rule::{self, name};

/// The URL in this form. Addresses are not reversed.
pub(crate) fn key(address: &Address) -> String {
    format!("({}){}", closed(&host_key(&address.host)), address.path)
}

/// A beginning of such URLs, from what Heritrix or [`Address::surt`] write.
pub(crate) fn prefix(value: &str) -> Result<String, String> {
    let value = ["http://", "https://"].iter().find_map(|s| value.strip_prefix(s)).unwrap_or(value);
    let value = value.strip_prefix('(').unwrap_or(value);
    let (host, rest) = match value.split_once(')') {
        Some((host, rest)) => (host, Some(rest)),
        None => (value, None),
    };
    if let Some(odd) = host.chars().find(|c| !c.is_ascii_graphic() || "/?#@(".contains(*c)) {
        return Err(format!("\"{odd}\" has no place in a reversed host"));
    }
    let host = host.to_ascii_lowercase();
    match rest {
        None => Ok(format!("({host}")),
        Some("") => Ok(format!("({})", closed(&host))),
        Some(path) => Ok(format!("({}){}", closed(&host), rule::path(path)?)),
    }
}

/// A whole reversed host with the comma after its last label.
fn closed(key: &str) -> String {
    let labels = name(key);
    let is_address = !labels.contains(',') && top_level_domain(labels).is_none();
    let comma = if is_address || labels.ends_with(',') { "" } else { "," };
    format!("{labels}{comma}{}", &key[labels.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &str, url: &str, matches: bool) {
        let key = key(&Address::parse(url).expect("a URL"));
        let prefix = prefix(rule).expect("a prefix");
        assert_eq!(key.starts_with(&prefix), matches, "{prefix} {key}");
    }

    #[test]
    fn prefixes_of_hosts() {
        check("(th,ac,", "http://www.chula.ac.th/", true);
        check("(th,ac,", "http://ac.th/", true);
        check("(th,ac,", "http://acme.th/", false);
        check("(th,ac", "http://acme.th/", true);
        check("http://(TH,ac,", "https://www.chula.ac.th:81/", true);
    }

    #[test]
    fn prefixes_of_paths() {
        for rule in ["http://(th,ac,chula,)/a", "(th,ac,chula)/a", "th,ac,chula)/a"] {
            check(rule, "https://chula.ac.th/ab?c", true);
            check(rule, "https://chula.ac.th/b", false);
            check(rule, "https://www.chula.ac.th/a", false);
        }
        check("(th,ac,chula,)", "http://chula.ac.th/b", true);
        check("(th,ac,chula:81)/", "http://chula.ac.th:81/", true);
        check("(127.0.0.1)/", "http://127.0.0.1/a", true);
        check("([::1]:81)/", "http://[::1]:81/a", true);
        check("(localhost)/", "http://localhost/", true);
    }

    #[test]
    fn every_surt_is_a_prefix_of_its_url() {
        for url in ["http://a.b.example:81/c?d", "http://localhost/", "http://127.0.0.1:1/"] {
            check(&Address::parse(url).expect("a URL").surt(), url, true);
        }
        assert!(prefix("(th,ไทย").is_err());
        assert!(prefix("(th,ac,)a").is_err());
    }
}
