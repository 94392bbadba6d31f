//! The parts of a URL that a fetch needs.

use std::net::IpAddr;

use crate::failed::{Failure, FailureKind};

/// A URL in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) secure: bool,
    /// Host and port as they stand in the URL, in lower case: what is sent as `Host`.
    pub(crate) authority: String,
    /// How much of the authority is the host.
    host: usize,
    pub(crate) port: u16,
    /// Path and query.
    pub(crate) path: String,
}

impl Target {
    /// Takes a URL apart. It is canonical already, so that only what could harm is checked: what
    /// would break out of the request's first line, and what is not a host.
    pub(crate) fn of(url: &str) -> Result<Target, Failure> {
        let bad = |why: &str| {
            let shown: String = url.chars().take(200).collect();
            Failure::new(FailureKind::BadUrl, format!("cannot fetch \"{shown}\": {why}"))
        };
        if !url.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(bad("spaces and characters beyond ASCII are to be percent-encoded"));
        }
        let Some((scheme, rest)) = url.split_once("://") else {
            return Err(bad("it is not absolute"));
        };
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "https" => true,
            _ => return Err(bad("only http and https are fetched")),
        };
        let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let authority = authority.rsplit_once('@').map_or(authority, |(_, after)| after);
        let authority = authority.to_ascii_lowercase();
        let own = if secure { 443 } else { 80 };
        let (host, port) = match authority.rsplit_once(':') {
            // The colons of an IPv6 address stand in brackets.
            Some((host, port)) if !port.ends_with(']') => {
                let number = if port.is_empty() { Ok(own) } else { port.parse() };
                (host, number.map_err(|_| bad("its port is not a port"))?)
            }
            _ => (authority.as_str(), own),
        };
        if !is_host(host) || port == 0 {
            return Err(bad("it has no host"));
        }
        let path = match path.as_bytes().first() {
            Some(b'/') => path.to_owned(),
            _ => format!("/{path}"),
        };
        Ok(Target { secure, host: host.len(), port, path, authority })
    }

    /// A name, or an address; one of IPv6 in brackets.
    pub(crate) fn host(&self) -> &str {
        &self.authority[..self.host]
    }

    /// The host, if it is an address.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        literal(self.host())
    }
}

/// A host that is an address, of IPv6 with brackets or without.
pub(crate) fn literal(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    bare.unwrap_or(host).parse().ok()
}

fn is_host(host: &str) -> bool {
    let name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'%');
    !host.is_empty() && (host.bytes().all(name) || literal(host).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, secure: bool, host: &str, port: u16, authority: &str, path: &str) {
        let target = Target::of(url).expect("a target");
        assert_eq!((target.secure, target.host(), target.port), (secure, host, port));
        assert_eq!((target.authority.as_str(), target.path.as_str()), (authority, path));
    }

    #[test]
    fn a_url_is_taken_apart() {
        check("http://a.example/", false, "a.example", 80, "a.example", "/");
        check("https://A.example:8443/b?c=d", true, "a.example", 8443, "a.example:8443", "/b?c=d");
        check("https://a.example?c=/@:", true, "a.example", 443, "a.example", "/?c=/@:");
        check("http://[::1]/", false, "[::1]", 80, "[::1]", "/");
        check("http://[::1]:81/", false, "[::1]", 81, "[::1]:81", "/");
    }

    #[test]
    fn names_and_passwords_and_fragments_are_left_out() {
        check("http://me:secret@a.example/x#y", false, "a.example", 80, "a.example", "/x");
        check("http://evil.example@a.example", false, "a.example", 80, "a.example", "/");
    }

    #[test]
    fn what_cannot_be_fetched_is_refused() {
        for url in [
            "",
            "/page",
            "ftp://a.example/",
            "file:///etc/passwd",
            "http://",
            "http:///x",
            "http://:80/",
            "http://a.example:99999/",
            "http://a.example:0/",
            "http://a b/",
            "http://a.example/\r\nX: y",
            "http://a.example/é",
            "http://[zz]/",
            "http://a\"b/",
        ] {
            let refused = Target::of(url).expect_err(url);
            assert_eq!(refused.kind, FailureKind::BadUrl, "{url}");
        }
    }
}
