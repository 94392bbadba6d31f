//! Names and addresses, and what is sent to them.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use langur_fetch::{
    FailureKind, FetchSettings, Fetcher, IpVersions, Override, Request, SettingsError,
};
use langur_testkit::zoo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PAGE: &str = "HTTP/1.1 200 OK\r\nSet-Cookie: id=7\r\nContent-Length: 2\r\n\r\nok";

fn fetcher(settings: FetchSettings) -> Fetcher {
    Fetcher::new(settings).expect("a fetcher")
}

fn private() -> FetchSettings {
    FetchSettings { allow_private: true, ..FetchSettings::default() }
}

async fn status(fetcher: &Fetcher, url: &str) -> Result<u16, FailureKind> {
    let response = fetcher.get(&Request::of(url)).await;
    response.map(|response| response.status).map_err(|failed| failed.kind)
}

#[tokio::test]
async fn private_addresses_are_refused_unless_allowed() {
    let port = zoo::says(PAGE).port();
    let strict = fetcher(FetchSettings::default());
    // As an address, in other clothes, and behind a name.
    for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "[::1]", "127.1", "0", "localhost"] {
        let url = format!("http://{host}:{port}/");
        assert_eq!(status(&strict, &url).await, Err(FailureKind::PrivateAddress), "{host}");
    }
    let failed = strict.resolve("localhost", 80).await.expect_err("a private address");
    assert_eq!(failed.kind, FailureKind::PrivateAddress);
    let lenient = fetcher(private());
    assert_eq!(status(&lenient, &format!("http://localhost:{port}/")).await, Ok(200));
    let found = lenient.resolve("localhost", 81).await.expect("an address");
    assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 81));
}

#[tokio::test]
async fn the_operator_may_say_where_a_host_is() {
    let (all, one) = (zoo::says(PAGE), zoo::says("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"));
    let over = |host: &str, address| Override { host: host.to_owned(), address };
    let overrides = vec![over("one.example", one), over("*.example", all)];
    let fetcher = fetcher(FetchSettings { overrides, ..FetchSettings::default() });
    assert_eq!(status(&fetcher, "http://one.example/").await, Ok(404));
    assert_eq!(status(&fetcher, "http://ONE.example:8080/").await, Ok(404));
    assert_eq!(status(&fetcher, "http://other.example/").await, Ok(200));
    let found = fetcher.resolve("other.example", 80).await.expect("an address");
    assert_eq!(*found, [all]);
    let url = format!("http://{all}/");
    assert_eq!(status(&fetcher, &url).await, Err(FailureKind::PrivateAddress));
}

#[tokio::test]
async fn names_that_lead_nowhere_are_told() {
    let long = format!("http://{}.example/", "a".repeat(64));
    assert_eq!(status(&fetcher(private()), &long).await, Err(FailureKind::NoSuchHost));
    let six = fetcher(FetchSettings { ip: IpVersions::V6, ..private() });
    assert_eq!(status(&six, "http://127.0.0.1/").await, Err(FailureKind::NoSuchHost));
}

#[tokio::test]
async fn what_does_not_take_connections_is_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let url = format!("http://{address}/");
    assert_eq!(status(&fetcher(private()), &url).await, Err(FailureKind::Connect));
    assert_eq!(status(&fetcher(private()), "ftp://a.example/").await, Err(FailureKind::BadUrl));
}

/// A server that keeps what it was sent.
fn listening() -> (SocketAddr, Arc<Mutex<String>>) {
    let heard = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&heard);
    let address = zoo::start(move |mut stream| {
        let heard = Arc::clone(&kept);
        async move {
            loop {
                let mut bytes = [0; 4096];
                let read = stream.read(&mut bytes).await?;
                let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
                heard.lock().expect("nobody panicked").push_str(&text);
                stream.write_all(PAGE.as_bytes()).await?;
            }
        }
    });
    (address, heard)
}

#[tokio::test]
async fn what_was_sent_is_told_and_holds_no_secrets() {
    let (address, heard) = listening();
    let fetcher = fetcher(private());
    let mut sent = String::new();
    for path in ["/", "/again"] {
        let url = format!("http://me:secret@{address}{path}");
        let response = fetcher.get(&Request::of(url)).await.expect("a response");
        sent.push_str(&String::from_utf8(response.sent).expect("text"));
    }
    let heard = heard.lock().expect("nobody panicked").clone();
    assert_eq!(heard, sent);
    assert!(heard.contains("GET /again HTTP/1.1\r\n"));
    for absent in ["Cookie", "cookie", "secret", "Authorization", "Referer"] {
        assert!(!heard.contains(absent), "{absent}");
    }
}

#[test]
fn a_fetcher_is_shared_between_threads() {
    fn is_shared<T: Clone + Send + Sync>(_: &T) {}
    fn is_sent<T: Send>(_: T) {}
    let fetcher = fetcher(private());
    is_shared(&fetcher);
    is_sent(fetcher.get(&Request::default()));
    is_sent(fetcher.resolve("localhost", 80));
}

#[test]
fn settings_that_cannot_be_held_to_are_refused() {
    let check = |settings: FetchSettings, expected: SettingsError| {
        assert_eq!(Fetcher::new(settings).err(), Some(expected));
    };
    let default = FetchSettings::default;
    let from = "a\nb".to_owned();
    check(
        FetchSettings { from: Some(from.clone()), ..default() },
        SettingsError::Header("From", from),
    );
    let proxy = "ftp://a:1".to_owned();
    check(FetchSettings { proxy: Some(proxy.clone()), ..default() }, SettingsError::Proxy(proxy));
    let host = "*a".to_owned();
    let address = SocketAddr::from(([127, 0, 0, 1], 80));
    check(
        FetchSettings { overrides: vec![Override { host: host.clone(), address }], ..default() },
        SettingsError::Override(host),
    );
    check(
        FetchSettings { extra_roots: vec![b"nothing".to_vec()], ..default() },
        SettingsError::Root(0, "it holds none".to_owned()),
    );
}
