//! A proxy between us and all hosts.
//!
//! An HTTP proxy is given the whole URL of a plain page and asked for a tunnel to a secure host; a
//! SOCKS proxy is asked for a connection to either. Both are given names, not addresses.

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_socks::Error as SocksError;
use tokio_socks::tcp::Socks5Stream;

use crate::SettingsError;
use crate::exchange::read_head;
use crate::failed::{Failure, FailureKind};
use crate::target::Target;

/// A proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proxy {
    pub(crate) kind: ProxyKind,
    pub(crate) host: String,
    pub(crate) port: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProxyKind {
    Http,
    Socks5,
}

impl Proxy {
    /// Reads `http://host:port` or `socks5://host:port`.
    pub(crate) fn read(url: &str) -> Result<Proxy, SettingsError> {
        let not = || SettingsError::Proxy(url.to_owned());
        let (scheme, rest) = url.split_once("://").ok_or_else(not)?;
        let kind = match scheme {
            "http" => ProxyKind::Http,
            "socks5" => ProxyKind::Socks5,
            _ => return Err(not()),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let has_port = rest.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
        // The rules for hosts and ports are those of a URL.
        let target = Target::of(&format!("http://{rest}")).map_err(|_| not())?;
        if !has_port || target.authority != rest.to_ascii_lowercase() {
            return Err(not());
        }
        Ok(Proxy { kind, host: target.host().to_owned(), port: target.port })
    }

    /// Whether requests to this target are written for the proxy, with the whole URL.
    pub(crate) fn reads(&self, target: &Target) -> bool {
        self.kind == ProxyKind::Http && !target.secure
    }

    /// Asks for a connection to a target; the stream leads to the proxy, and to the target after.
    pub(crate) async fn ask(
        &self,
        stream: &mut TcpStream,
        target: &Target,
        by: Instant,
        max_head: usize,
    ) -> Result<(), Failure> {
        match self.kind {
            ProxyKind::Http if self.reads(target) => Ok(()),
            ProxyKind::Http => tunnel(stream, target, by, max_head).await,
            ProxyKind::Socks5 => {
                let bare = target.host().trim_start_matches('[').trim_end_matches(']');
                let asked = Socks5Stream::connect_with_socket(stream, (bare, target.port)).await;
                asked.map(drop).map_err(refused)
            }
        }
    }
}

async fn tunnel(
    stream: &mut TcpStream,
    target: &Target,
    by: Instant,
    max_head: usize,
) -> Result<(), Failure> {
    let failed = |why: &str| Failure::new(FailureKind::Proxy, format!("no tunnel: {why}"));
    let to = format!("{}:{}", target.host(), target.port);
    let asked = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n");
    stream.write_all(asked.as_bytes()).await.map_err(|error| failed(&error.to_string()))?;
    let mut received = Vec::new();
    let (head, _) = read_head(stream, &mut received, by, max_head).await.map_err(|failure| {
        let kind = match failure.kind {
            FailureKind::Timeout => FailureKind::Timeout,
            _ => FailureKind::Proxy,
        };
        Failure::new(kind, format!("no tunnel: {}", failure.detail))
    })?;
    if !(200..300).contains(&head.status) {
        return Err(failed(&format!("the proxy answered {}", head.status)));
    }
    // The host speaks when spoken to, and so this would be the proxy's.
    if received.len() > head.length {
        return Err(failed("the proxy sent more than an answer"));
    }
    Ok(())
}

/// What a SOCKS proxy says about the host is not the proxy's fault.
fn refused(error: SocksError) -> Failure {
    let kind = match error {
        SocksError::HostUnreachable
        | SocksError::NetworkUnreachable
        | SocksError::ConnectionRefused
        | SocksError::TtlExpired => FailureKind::Connect,
        _ => FailureKind::Proxy,
    };
    Failure::new(kind, format!("the proxy made no connection: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_a_scheme_a_host_and_a_port() {
        let proxy = |kind, host: &str, port| Ok(Proxy { kind, host: host.to_owned(), port });
        assert_eq!(Proxy::read("http://p.example:3128"), proxy(ProxyKind::Http, "p.example", 3128));
        assert_eq!(Proxy::read("socks5://[::1]:1080/"), proxy(ProxyKind::Socks5, "[::1]", 1080));
        for not in [
            "p.example:3128",
            "https://p.example:3128",
            "http://p.example",
            "http://[::1]",
            "http://me:secret@p.example:3128",
            "http://p.example:3128/path",
            "socks5://:1080",
        ] {
            assert_eq!(Proxy::read(not), Err(SettingsError::Proxy(not.to_owned())));
        }
    }
}
