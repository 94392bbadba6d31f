//! Which URL a request is for.
//!
//! A client says it in one of three ways. To a proxy it gives the whole URL. In a tunnel, which it
//! opened with `CONNECT`, and to the server it takes for the host itself, it gives a path; the host is
//! then that of the tunnel, or the one in the `host` header.

use http::uri::Authority;
use http::{HeaderMap, Uri, header};
use thiserror::Error;

/// No name in the DNS is longer. Names are remembered, so a client must not choose their length.
const LONGEST_NAME: usize = 255;

/// Where a connection came in.
#[derive(Clone, Debug)]
pub(crate) enum Door {
    /// The plain address.
    Plain,
    /// The TLS address.
    Tls,
    /// A tunnel to this host.
    Tunnel(String),
}

/// What a request is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The absolute URL.
    pub url: String,
    /// Its host, with the port if it is not the scheme's own.
    pub host: String,
}

/// Why a request is for nothing on the web.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NotAsked {
    #[error("only http and https URLs are served")]
    Scheme,
    #[error("the host is missing or not a host")]
    Host,
}

impl Asked {
    pub fn read(door: &Door, uri: &Uri, headers: &HeaderMap) -> Result<Asked, NotAsked> {
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        if let Door::Tunnel(host) = door {
            return Ok(Asked::new("https", host.clone(), path));
        }
        if let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) {
            let scheme = web(scheme).ok_or(NotAsked::Scheme)?;
            let host = host(authority, scheme).ok_or(NotAsked::Host)?;
            return Ok(Asked::new(scheme, host, path));
        }
        let scheme = if matches!(door, Door::Tls) { "https" } else { "http" };
        let named = headers.get(header::HOST).ok_or(NotAsked::Host)?;
        let authority = Authority::try_from(named.as_bytes()).map_err(|_| NotAsked::Host)?;
        Ok(Asked::new(scheme, host(&authority, scheme).ok_or(NotAsked::Host)?, path))
    }

    fn new(scheme: &str, host: String, path: &str) -> Asked {
        let slash = if path.starts_with('/') { "" } else { "/" };
        Asked { url: format!("{scheme}://{host}{slash}{path}"), host }
    }

    pub fn robots_txt(&self) -> String {
        let path = self.url.find("://").map_or(0, |at| at + 3) + self.host.len();
        format!("{}/robots.txt", &self.url[..path])
    }
}

/// The host to which a tunnel leads, as it stands in URLs.
pub(crate) fn tunnel_host(uri: &Uri) -> Option<String> {
    host(uri.authority()?, "https")
}

fn web(scheme: &str) -> Option<&'static str> {
    ["http", "https"].into_iter().find(|web| scheme.eq_ignore_ascii_case(web))
}

/// The host in lower case, with the port if it is not the scheme's own; without user and password.
fn host(authority: &Authority, scheme: &str) -> Option<String> {
    let name = authority.host().to_ascii_lowercase();
    if name.is_empty() || name == "[]" || name.len() > LONGEST_NAME {
        return None;
    }
    let place = authority.as_str().rsplit('@').next().unwrap_or_default();
    match (place.len() > name.len(), authority.port_u16()) {
        (false, _) => Some(name),
        (true, Some(port)) if port == own_port(scheme) => Some(name),
        (true, Some(port)) => Some(format!("{name}:{port}")),
        // A colon with nothing behind it says the same as none.
        (true, None) => place[name.len()..].eq(":").then_some(name),
    }
}

fn own_port(scheme: &str) -> u16 {
    if scheme == "https" { 443 } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(door: Door, uri: &str, host: Option<&str>, expected: Result<&str, NotAsked>) {
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(header::HOST, host.parse().expect("a header"));
        }
        let asked = Asked::read(&door, &uri.parse().expect("a request target"), &headers);
        assert_eq!(asked.as_ref().map(|asked| asked.url.as_str()).map_err(|e| *e), expected);
    }

    #[test]
    fn a_proxy_is_given_the_whole_url() {
        check(Door::Plain, "http://A.example/b?c", Some("other"), Ok("http://a.example/b?c"));
        check(Door::Plain, "http://a.example", None, Ok("http://a.example/"));
        check(Door::Plain, "http://a.example:80?q", None, Ok("http://a.example/?q"));
        check(Door::Plain, "https://a.example:80/", None, Ok("https://a.example:80/"));
        check(Door::Plain, "http://me:word@a.example:81/", None, Ok("http://a.example:81/"));
        check(Door::Plain, "http://[::1]:80/", None, Ok("http://[::1]/"));
        check(Door::Plain, "ftp://a.example/", None, Err(NotAsked::Scheme));
    }

    #[test]
    fn a_host_is_given_the_path() {
        check(Door::Plain, "/b", Some("a.example"), Ok("http://a.example/b"));
        check(Door::Tls, "/b", Some("a.example:443"), Ok("https://a.example/b"));
        check(Door::Tls, "/b", Some("a.example:"), Ok("https://a.example/b"));
        check(Door::Plain, "/b", None, Err(NotAsked::Host));
        check(Door::Plain, "/b", Some("a b"), Err(NotAsked::Host));
        check(Door::Plain, "/b", Some("a:99999"), Err(NotAsked::Host));
        check(Door::Plain, "/b", Some(":80"), Err(NotAsked::Host));
        check(Door::Plain, "/b", Some(&"a".repeat(256)), Err(NotAsked::Host));
    }

    #[test]
    fn a_tunnel_leads_to_one_host() {
        let tunnel = || Door::Tunnel("a.example:444".to_owned());
        check(tunnel(), "/b", Some("other"), Ok("https://a.example:444/b"));
        let uri: Uri = "a.example:443".parse().expect("the target of CONNECT");
        assert_eq!(tunnel_host(&uri).as_deref(), Some("a.example"));
    }

    #[test]
    fn robots_txt_is_that_of_the_scheme_and_host() {
        let asked = Asked::new("https", "a.example:81".to_owned(), "/b");
        assert_eq!(asked.robots_txt(), "https://a.example:81/robots.txt");
    }
}
