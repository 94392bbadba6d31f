//! One page from the web, for a person who asks for it by name.
//!
//! It is fetched as the crawler fetches pages, but without robots rules and pacing: this is for looking at one
//! page, as a browser would. Like the crawler it says who it is and keeps away from private addresses.

use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use langur_archive::{HttpResponse, Oddity};
use langur_fetch::{Failed, FailureKind, FetchSettings, Fetcher, Request, Response, Truncated};
use langur_page::{Address, AddressError, Base, Charset};
use tokio::runtime::Runtime;

use super::inputs::Document;

const TIMEOUT: Duration = Duration::from_secs(30);
/// What is longer than this is not fetched.
const MOST_BYTES: usize = 16 << 20;
const MOST_REDIRECTS: usize = 10;

/// Fetches a page, which has the address that redirects lead to.
pub fn fetch(url: &str, allow_private: bool) -> Result<Document> {
    let mut address = Address::parse(url).map_err(|error| match error {
        AddressError::NotWeb(_) => anyhow!("{url} cannot be fetched: only http and https URLs are"),
        AddressError::NotAUrl(_, why) => anyhow!("{url} cannot be fetched: it is no URL: {why}"),
    })?;
    let runtime = Runtime::new()?;
    let fetcher = Fetcher::new(settings(allow_private))?;
    for _ in 0..=MOST_REDIRECTS {
        let response = runtime.block_on(fetcher.get(&Request::of(address.to_string())));
        let response =
            response.map_err(|failed| anyhow!("{url} could not be fetched: {}", words(&failed)))?;
        match redirect(&response) {
            Some(to) => address = target(url, &address, &to)?,
            None => return document(url, address, &response),
        }
    }
    bail!("{url} could not be fetched: it redirects more than {MOST_REDIRECTS} times")
}

fn settings(allow_private: bool) -> FetchSettings {
    let user_agent =
        concat!("langur/", env!("CARGO_PKG_VERSION"), " (classify; one page on request)");
    FetchSettings {
        user_agent: user_agent.to_owned(),
        total_timeout: TIMEOUT,
        max_bytes: MOST_BYTES as u64,
        allow_private,
        ..FetchSettings::default()
    }
}

/// Where a response sends us on.
fn redirect(response: &Response) -> Option<String> {
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let http = HttpResponse::parse(&response.received)?;
    Some(http.headers.text("location")?.into_owned())
}

fn target(url: &str, from: &Address, to: &str) -> Result<Address> {
    let mut base = Base::new(from, Charset::UTF_8.encoding());
    base.resolve(to).map_err(|why| {
        anyhow!("{url} could not be fetched: it redirects to {to}, which is no page: {why}")
    })
}

fn document(url: &str, address: Address, response: &Response) -> Result<Document> {
    if !(200..300).contains(&response.status) {
        bail!("{url} answered {}", response.status);
    }
    let in_part = |why: &str| anyhow!("{url} could not be read to its end: {why}");
    match response.truncated {
        Some(Truncated::Length) => return Err(in_part(&too_long())),
        Some(Truncated::Time) => return Err(in_part(&too_slow())),
        Some(Truncated::Disconnect) => return Err(in_part("the server hung up")),
        None => {}
    }
    let http = HttpResponse::parse(&response.received).expect("the fetcher has read the head");
    let payload = http.payload(&response.received[http.body_at..], MOST_BYTES);
    match payload.oddities.iter().find(|oddity| oddity.is_loss()) {
        Some(Oddity::Limited(_)) => return Err(in_part(&too_long())),
        Some(_) => return Err(in_part("it is compressed, and damaged")),
        None => {}
    }
    let header = |name| http.headers.text(name).map(|value| value.into_owned());
    let (content_type, content_language) = (header("content-type"), header("content-language"));
    let (name, bytes) = (url.to_owned(), payload.bytes.into_owned());
    Ok(Document { name, bytes, content_type, content_language, address: Some(address) })
}

fn too_long() -> String {
    format!("it is longer than {} MiB, the most that is fetched", MOST_BYTES >> 20)
}

fn too_slow() -> String {
    format!("it came too slowly, or takes longer than {} seconds", TIMEOUT.as_secs())
}

/// What went wrong, for somebody who asked for one page.
fn words(failed: &Failed) -> String {
    match failed.kind {
        FailureKind::NoSuchHost | FailureKind::Dns => "no host of this name is found".to_owned(),
        FailureKind::Connect => "the server takes no connections".to_owned(),
        FailureKind::Closed => "the server hung up".to_owned(),
        FailureKind::BadResponse => "the server does not speak proper HTTP".to_owned(),
        FailureKind::Tls => format!("no safe connection can be made: {}", failed.detail),
        FailureKind::Timeout
        | FailureKind::PrivateAddress
        | FailureKind::Proxy
        | FailureKind::BadUrl
        | FailureKind::Crashed => failed.detail.clone(),
    }
}
