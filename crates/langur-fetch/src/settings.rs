//! What a fetcher holds to.

use std::net::SocketAddr;
use std::time::Duration;

use thiserror::Error;

/// What a fetcher holds to, the same for all its fetches.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Who asks. The default names the program alone; a crawl that meets strangers should add where to
    /// complain.
    pub user_agent: String,
    /// The address of the person in charge, sent as `From`.
    pub from: Option<String>,
    /// Sent as `Accept-Language`. By default nothing is, so that a server shows what it shows to
    /// anyone.
    pub accept_language: Option<String>,
    /// For the connection, with the proxy and the TLS handshake. 10 seconds: what answers later is
    /// overloaded or not there.
    pub connect_timeout: Duration,
    /// From sending the request to the end of the head. 20 seconds, as pages made on demand take their
    /// time.
    pub head_timeout: Duration,
    /// For everything together. A body still coming then is cut. 2 minutes, in which a slow line
    /// brings some megabytes.
    pub total_timeout: Duration,
    /// Without a byte of the body. 20 seconds: longer pauses are rarely followed by more.
    pub idle_timeout: Duration,
    /// A body that came more slowly than this in its first 10 seconds, or in all the time since it
    /// began, is cut. 256 bytes: the slowest honest line is faster, and one who feeds us byte by byte
    /// holds a connection for 10 seconds and not for two minutes.
    pub min_bytes_per_second: u64,
    /// The most bytes of a body, as received. 16 MiB: nearly all pages are far smaller, and what is
    /// larger is rarely text.
    pub max_bytes: u64,
    /// The most bytes of a head. 64 KiB, beyond what servers and browsers commonly allow.
    pub max_head: usize,
    /// Whether hosts with private addresses are fetched: those on this machine, in its network, and
    /// whatever else is not reachable from everywhere. No, since pages can link to anything.
    pub allow_private: bool,
    /// Hosts that are elsewhere than their names say. The first that matches counts.
    pub overrides: Vec<Override>,
    /// How long the addresses of a name are remembered. 10 minutes; the system's resolver, which is
    /// asked, does not tell how long they are good for.
    pub dns_cache: Duration,
    /// How long a name without addresses is. 1 minute, so that the links of one page to a dead host
    /// cost one question.
    pub dns_failure_cache: Duration,
    /// How many names are remembered. 100,000: some 20 MB.
    pub dns_entries: usize,
    /// For looking up a name. 10 seconds, which resolvers need when name servers are dead.
    pub dns_timeout: Duration,
    /// A proxy, `http://host:port` or `socks5://host:port`, for all hosts but those of `overrides`. It
    /// looks up the names, and so it is for the proxy to refuse private addresses behind them.
    pub proxy: Option<String>,
    /// Certificates to trust beside the system's, as PEM: for tests, and for networks with an
    /// authority of their own.
    pub extra_roots: Vec<Vec<u8>>,
    /// Whether to speak HTTP/2 with servers that offer it. No: an archive wants the bytes, and
    /// HTTP/1.1 has them.
    pub http2: bool,
    /// The versions of the Internet Protocol in use.
    pub ip: IpVersions,
    /// How long a connection is kept for the next fetch from its host, at most one a host; none if
    /// zero. 30 seconds, longer than polite crawlers pause.
    pub idle_connections: Duration,
}

impl Default for FetchSettings {
    fn default() -> FetchSettings {
        FetchSettings {
            user_agent: concat!("langur/", env!("CARGO_PKG_VERSION")).to_owned(),
            from: None,
            accept_language: None,
            connect_timeout: Duration::from_secs(10),
            head_timeout: Duration::from_secs(20),
            total_timeout: Duration::from_secs(120),
            idle_timeout: Duration::from_secs(20),
            min_bytes_per_second: 256,
            max_bytes: 16 << 20,
            max_head: 64 << 10,
            allow_private: false,
            overrides: Vec::new(),
            dns_cache: Duration::from_secs(600),
            dns_failure_cache: Duration::from_secs(60),
            dns_entries: 100_000,
            dns_timeout: Duration::from_secs(10),
            proxy: None,
            extra_roots: Vec::new(),
            http2: false,
            ip: IpVersions::Both,
            idle_connections: Duration::from_secs(30),
        }
    }
}

/// A host that is elsewhere than its name says. The operator said so, and so the address may be
/// private.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// A host (`example.org`), all hosts below one (`*.example.org`), or all hosts (`*`).
    pub host: String,
    /// Where it is. The port counts too, whatever the URL says.
    pub address: SocketAddr,
}

impl Override {
    pub(crate) fn is_valid(&self) -> bool {
        let name = self.host.strip_prefix("*.").unwrap_or(&self.host);
        let is_plain = |b: u8| !b.is_ascii_uppercase() && b.is_ascii_graphic() && b != b'*';
        self.host == "*" || (!name.is_empty() && name.bytes().all(is_plain))
    }

    /// Whether it is about this host, a name in lower case or an address.
    pub(crate) fn is_about(&self, host: &str) -> bool {
        match self.host.strip_prefix('*') {
            Some("") => true,
            // With the dot, and something before it.
            Some(suffix) => host.len() > suffix.len() && host.ends_with(suffix),
            None => self.host == host,
        }
    }
}

/// Versions of the Internet Protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IpVersions {
    /// Both, alternately.
    #[default]
    Both,
    /// Version 4 alone.
    V4,
    /// Version 6 alone.
    V6,
}

/// Why there is no fetcher.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A header that HTTP cannot carry.
    #[error("{0} cannot be \"{1}\": a header is one line of visible characters")]
    Header(&'static str, String),
    /// Not a proxy that is known.
    #[error("\"{0}\" is not a proxy; write http://host:port or socks5://host:port")]
    Proxy(String),
    /// Not a host pattern.
    #[error(
        "\"{0}\" is not a host to override; write a name in lower case, *.name for all below it, or *"
    )]
    Override(String),
    /// Not a certificate.
    #[error("extra root {0} is not a certificate in PEM form: {1}")]
    Root(usize, String),
    /// TLS cannot be had.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, host: &str, about: bool) {
        let address = SocketAddr::from(([127, 0, 0, 1], 80));
        let over = Override { host: pattern.to_owned(), address };
        assert!(over.is_valid());
        assert_eq!(over.is_about(host), about, "{pattern} {host}");
    }

    #[test]
    fn a_pattern_is_a_host_those_below_it_or_all() {
        check("example.org", "example.org", true);
        check("example.org", "www.example.org", false);
        check("*.example.org", "www.example.org", true);
        check("*.example.org", "a.b.example.org", true);
        check("*.example.org", "example.org", false);
        check("*.example.org", ".example.org", false);
        check("*.example.org", "badexample.org", false);
        check("*", "anything", true);
    }

    #[test]
    fn what_would_match_nothing_is_no_pattern() {
        for pattern in ["", "*.", "A.example", "*example.org", "a b", "a.*"] {
            let address = SocketAddr::from(([127, 0, 0, 1], 80));
            assert!(!Override { host: pattern.to_owned(), address }.is_valid(), "{pattern}");
        }
    }
}
