//! Every hostile server of the zoo is survived, within the limits, and called what it is.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use langur_fetch::{FailureKind, FetchSettings, Fetcher, Request, Response, Truncated};
use langur_testkit::zoo;

const LIMIT: u64 = 100_000;

/// Short limits, so that the tests end soon.
fn settings() -> FetchSettings {
    FetchSettings {
        allow_private: true,
        connect_timeout: Duration::from_millis(500),
        head_timeout: Duration::from_millis(200),
        idle_timeout: Duration::from_millis(200),
        total_timeout: Duration::from_millis(600),
        max_bytes: LIMIT,
        max_head: 8 << 10,
        ..FetchSettings::default()
    }
}

async fn fetch(scheme: &str, address: SocketAddr) -> Result<Response, FailureKind> {
    let fetcher = Fetcher::new(settings()).expect("a fetcher");
    let start = Instant::now();
    let fetched = fetcher.get(&Request::of(format!("{scheme}://{address}/"))).await;
    assert!(start.elapsed() < Duration::from_secs(2), "it took {:?}", start.elapsed());
    if let Ok(response) = &fetched {
        let body = response.received.len() - response.head;
        assert!(body as u64 <= LIMIT, "{body} bytes");
    }
    fetched.map_err(|failed| {
        assert!(!failed.detail.is_empty() && failed.lasted <= start.elapsed());
        failed.kind
    })
}

async fn fails(address: SocketAddr, kind: FailureKind) {
    assert_eq!(fetch("http", address).await.map(|response| response.status), Err(kind));
}

/// Gives the body.
async fn brings(address: SocketAddr, truncated: Option<Truncated>) -> Vec<u8> {
    let response = fetch("http", address).await.expect("a response");
    assert_eq!(response.truncated, truncated);
    response.received[response.head..].to_vec()
}

#[tokio::test]
async fn what_does_not_end_is_cut() {
    assert_eq!(brings(zoo::endless_body(), Some(Truncated::Length)).await.len() as u64, LIMIT);
    assert_eq!(brings(zoo::endless_chunks(), Some(Truncated::Length)).await.len() as u64, LIMIT);
    assert_eq!(brings(zoo::huge_robots(), Some(Truncated::Length)).await.len() as u64, LIMIT);
    fails(zoo::endless_headers(), FailureKind::BadResponse).await;
    fails(zoo::endless_hints(), FailureKind::BadResponse).await;
}

#[tokio::test]
async fn a_request_has_a_limit_of_its_own() {
    let fetcher = Fetcher::new(settings()).expect("a fetcher");
    let mut request = Request::of(format!("http://{}/robots.txt", zoo::huge_robots()));
    request.max_bytes = Some(1000);
    let response = fetcher.get(&request).await.expect("a response");
    assert_eq!(response.received.len() - response.head, 1000);
    assert_eq!(response.truncated, Some(Truncated::Length));
}

#[tokio::test]
async fn what_is_slow_is_cut() {
    let pause = Duration::from_millis(20);
    fails(zoo::slow_head(pause), FailureKind::Timeout).await;
    fails(zoo::never_answers(), FailureKind::Timeout).await;
    let body = brings(zoo::slow_body(pause), Some(Truncated::Time)).await;
    assert!(body.starts_with(b"slow "));
    // Nothing for longer than is waited.
    let body = brings(zoo::slow_body(Duration::from_secs(60)), Some(Truncated::Time)).await;
    assert_eq!(body, b"s");
}

#[tokio::test]
async fn what_breaks_off_is_kept() {
    fails(zoo::closes_at_once(), FailureKind::Closed).await;
    fails(zoo::closes_when_asked(), FailureKind::Closed).await;
    fails(zoo::closes_within_the_head(), FailureKind::Closed).await;
    let body = brings(zoo::closes_within_the_body(), Some(Truncated::Disconnect)).await;
    assert_eq!(body, b"<html>half a pa");
    let body = brings(zoo::closes_within_the_chunks(), Some(Truncated::Disconnect)).await;
    assert_eq!(body, b"4\r\nhalf\r\n");
}

#[tokio::test]
async fn what_makes_no_sense_is_read_as_far_as_it_does() {
    assert_eq!(brings(zoo::understates_its_length(), None).await, b"<html>");
    assert_eq!(brings(zoo::senseless_length(), None).await, b"<html>");
    assert_eq!(brings(zoo::split_response(), None).await, b"<p>first</p>");
    assert_eq!(brings(zoo::careless_headers(), None).await, b"<html>");
    fails(zoo::injected_header(), FailureKind::BadResponse).await;
    fails(zoo::nul_in_headers(), FailureKind::BadResponse).await;
    let body = brings(zoo::overflowing_chunk(), Some(Truncated::Disconnect)).await;
    assert!(body.starts_with(b"4\r\ngood\r\n"));
    fails(zoo::speaks_ssh(), FailureKind::BadResponse).await;
}

#[tokio::test]
async fn a_forged_response_is_not_the_next_one() {
    let fetcher = Fetcher::new(settings()).expect("a fetcher");
    let url = format!("http://{}/", zoo::split_response());
    for _ in 0..3 {
        let response = fetcher.get(&Request::of(url.as_str())).await.expect("a response");
        assert!(response.received.ends_with(b"<p>first</p>"));
    }
}

#[tokio::test]
async fn bad_tls_is_told() {
    let kind = |fetched: Result<Response, FailureKind>| fetched.map(|response| response.status);
    assert_eq!(kind(fetch("https", zoo::plain_on_https()).await), Err(FailureKind::Tls));
    assert_eq!(kind(fetch("https", zoo::self_signed()).await), Err(FailureKind::Tls));
    // Who hears nothing waits, and who is hung up on is told.
    assert_eq!(kind(fetch("https", zoo::closes_at_once()).await), Err(FailureKind::Tls));
    assert_eq!(kind(fetch("https", zoo::never_answers()).await), Err(FailureKind::Timeout));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let response = fetch("http", zoo::redirect_loop()).await.expect("a response");
    assert_eq!((response.status, response.truncated), (302, None));
}

#[tokio::test]
async fn bombs_are_not_unpacked() {
    for bomb in [zoo::gzip_bomb(), zoo::zstd_bomb()] {
        let body = brings(bomb, None).await;
        assert!(body.len() < zoo::BLAST / 500);
    }
}

#[tokio::test]
async fn traps_are_pages_like_any_other() {
    assert!(brings(zoo::session_trap(), None).await.starts_with(b"<a href=\"/shop?sid="));
    assert!(brings(zoo::calendar_trap(), None).await.starts_with(b"<a href=\"/calendar?month="));
}
