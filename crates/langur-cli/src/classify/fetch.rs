//! One page from the web, for a person who asks for it by name.
//!
//! The crawler has its own way of fetching, with robots rules and pacing. This is for looking at one
//! page, as a browser would; like the crawler it says who it is and keeps away from private addresses.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use langur_page::{Address, AddressError, Base, Charset};
use ureq::config::Config;
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Error};

use super::inputs::Document;

const TIMEOUT: Duration = Duration::from_secs(30);
/// What is longer than this is not fetched.
const MOST_BYTES: u64 = 16 << 20;
const MOST_REDIRECTS: usize = 10;

/// Fetches a page, which has the address that redirects lead to.
pub fn fetch(url: &str, allow_private: bool) -> Result<Document> {
    let mut address = Address::parse(url).map_err(|error| match error {
        AddressError::NotWeb(_) => anyhow!("{url} cannot be fetched: only http and https URLs are"),
        AddressError::NotAUrl(_, why) => anyhow!("{url} cannot be fetched: it is no URL: {why}"),
    })?;
    let agent = agent(allow_private);
    for _ in 0..=MOST_REDIRECTS {
        let response = agent.get(address.to_string()).call();
        let response =
            response.map_err(|error| anyhow!("{url} could not be fetched: {}", words(&error)))?;
        match redirect(&response) {
            Some(to) => address = target(url, &address, &to)?,
            None => return document(url, address, response),
        }
    }
    bail!("{url} could not be fetched: it redirects more than {MOST_REDIRECTS} times")
}

/// Redirects are left to us: the library takes one to another scheme for a path of the same host.
fn agent(allow_private: bool) -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .user_agent(concat!(
            "langur/",
            env!("CARGO_PKG_VERSION"),
            " (classify; one page on request)"
        ))
        .http_status_as_error(false)
        .max_redirects(0)
        .build();
    let resolver = Public { within: DefaultResolver::default(), allow_private };
    Agent::with_parts(config, DefaultConnector::new(), resolver)
}

/// Where a response sends us on.
fn redirect(response: &Response<Body>) -> Option<String> {
    let location = response.headers().get("location")?;
    matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308)
        .then(|| String::from_utf8_lossy(location.as_bytes()).into_owned())
}

fn target(url: &str, from: &Address, to: &str) -> Result<Address> {
    let base = Base::new(from, Charset::UTF_8.encoding());
    base.resolve(to).map_err(|why| {
        anyhow!("{url} could not be fetched: it redirects to {to}, which is no page: {why}")
    })
}

fn document(url: &str, address: Address, mut response: Response<Body>) -> Result<Document> {
    let status = response.status();
    if !status.is_success() {
        bail!("{url} answered {status}");
    }
    let header = |name| {
        let value = response.headers().get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned)
    };
    let (content_type, content_language) = (header("content-type"), header("content-language"));
    let body = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec();
    let bytes =
        body.map_err(|error| anyhow!("{url} could not be read to its end: {}", words(&error)))?;
    let (name, address) = (url.to_owned(), Some(address));
    Ok(Document { name, bytes, content_type, content_language, address })
}

/// What went wrong, without the words of the library.
fn words(error: &Error) -> String {
    match error {
        // Ours, from the resolver below.
        Error::Other(error) => error.to_string(),
        Error::HostNotFound => "no host of this name is found".to_owned(),
        Error::Timeout(_) => format!("it takes longer than {} seconds", TIMEOUT.as_secs()),
        Error::ConnectionFailed => "the server cannot be reached".to_owned(),
        Error::Io(error) => match error.kind() {
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe => "the server hung up".to_owned(),
            ErrorKind::ConnectionRefused => "the server takes no connections".to_owned(),
            _ => error.to_string(),
        },
        Error::BodyExceedsLimit(_) => {
            format!("it is longer than {} MiB, the most that is fetched", MOST_BYTES >> 20)
        }
        Error::Http(_) | Error::Protocol(_) | Error::LargeResponseHeader(..) => {
            "the server does not speak proper HTTP".to_owned()
        }
        Error::Decompress(..) => "it is compressed, and damaged".to_owned(),
        Error::Rustls(error) => format!("no safe connection can be made: {error}"),
        other => other.to_string(),
    }
}

/// Resolves names to public addresses only, also those that redirects lead to.
#[derive(Debug)]
struct Public {
    within: DefaultResolver,
    allow_private: bool,
}

impl Resolver for Public {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let all = self.within.resolve(uri, config, timeout).map_err(|error| match error {
            Error::Io(_) => Error::HostNotFound,
            other => other,
        })?;
        match all.iter().find(|address| !self.allow_private && is_private(address)) {
            Some(address) => Err(Error::Other(
                format!(
                    "{} is a private address; --allow-private fetches from it all the same",
                    address.ip()
                )
                .into(),
            )),
            None => Ok(all),
        }
    }
}

/// Whether an address is not one of the public internet.
fn is_private(address: &SocketAddr) -> bool {
    match address.ip() {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_unspecified()
                || ip.is_broadcast()
                || ip.is_multicast()
                || a == 0
                || (a == 100 && (64..128).contains(&b))
                || (a == 198 && (18..20).contains(&b))
                || a >= 240
        }
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(ip) => is_private(&SocketAddr::new(IpAddr::V4(ip), address.port())),
            None => is_private_v6(ip),
        },
    }
}

fn is_private_v6(ip: Ipv6Addr) -> bool {
    ip.is_loopback()
        || ip.is_unspecified()
        || ip.is_multicast()
        || ip.is_unique_local()
        || ip.is_unicast_link_local()
}
