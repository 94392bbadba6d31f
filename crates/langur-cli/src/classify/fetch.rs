//! One page from the web, for a person who asks for it by name.
//!
//! The crawler has its own way of fetching, with robots rules and pacing. This is for looking at one
//! page, as a browser would; like the crawler it says who it is and keeps away from private addresses.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, Result};
use langur_page::Address;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use super::inputs::Document;

const TIMEOUT: Duration = Duration::from_secs(30);
/// What is longer than this is cut off.
const MOST_BYTES: u64 = 16 << 20;

pub fn fetch(url: &str, allow_private: bool) -> Result<Document> {
    let config = Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .user_agent(concat!(
            "langur/",
            env!("CARGO_PKG_VERSION"),
            " (classify; one page on request)"
        ))
        .http_status_as_error(false)
        .build();
    let resolver = Public { within: DefaultResolver::default(), allow_private };
    let agent = Agent::with_parts(config, DefaultConnector::new(), resolver);
    let mut response =
        agent.get(url).call().with_context(|| format!("{url} could not be fetched"))?;
    let status = response.status();
    if !status.is_success() {
        anyhow::bail!("{url} answered {status}");
    }
    let header = response.headers().get("content-type").and_then(|value| value.to_str().ok());
    let content_type = header.map(str::to_owned);
    let body = response.body_mut().with_config().limit(MOST_BYTES);
    let bytes =
        body.read_to_vec().with_context(|| format!("{url} could not be read to its end"))?;
    Ok(Document { name: url.to_owned(), bytes, content_type, address: Address::parse(url).ok() })
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
        let all = self.within.resolve(uri, config, timeout)?;
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
