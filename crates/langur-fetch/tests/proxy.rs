//! Proxies, of both kinds.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use langur_fetch::{FailureKind, FetchSettings, Fetcher, Override, Request};
use langur_testkit::zoo;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn through(proxy: &str, address: SocketAddr) -> Fetcher {
    let proxy = Some(format!("{proxy}://{address}"));
    Fetcher::new(FetchSettings { proxy, ..FetchSettings::default() }).expect("a fetcher")
}

async fn fails(fetcher: &Fetcher, url: &str, kind: FailureKind) {
    let failed = fetcher.get(&Request::of(url)).await.expect_err("no response");
    assert_eq!(failed.kind, kind, "{failed}");
}

/// A proxy that opens tunnels to one address, whatever it is asked for, and keeps what that was.
fn tunnels(to: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&asked);
    let address = zoo::start(move |mut stream| {
        let asked = Arc::clone(&kept);
        async move {
            let target = zoo::asked(&mut stream).await?;
            asked.lock().expect("nobody panicked").push(target);
            stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
            let mut server = TcpStream::connect(to).await?;
            copy_bidirectional(&mut stream, &mut server).await.map(drop)
        }
    });
    (address, asked)
}

/// A SOCKS proxy that answers with this code, and then connects to one address.
fn socks(code: u8, to: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<u8>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&asked);
    let address = zoo::start(move |mut stream| {
        let asked = Arc::clone(&kept);
        async move {
            let mut greeting = [0; 2];
            stream.read_exact(&mut greeting).await?;
            stream.read_exact(&mut vec![0; usize::from(greeting[1])]).await?;
            stream.write_all(&[5, 0]).await?;
            let mut head = [0; 5];
            stream.read_exact(&mut head).await?;
            let mut name = vec![0; usize::from(head[4]) + 2];
            stream.read_exact(&mut name).await?;
            *asked.lock().expect("nobody panicked") = name;
            stream.write_all(&[5, code, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
            let mut server = TcpStream::connect(to).await?;
            copy_bidirectional(&mut stream, &mut server).await.map(drop)
        }
    });
    (address, asked)
}

#[tokio::test]
async fn an_http_proxy_is_given_the_whole_url() {
    let proxy = zoo::says(PAGE);
    let fetcher = through("http", proxy);
    let response = fetcher.get(&Request::of("http://a.example:81/b?c")).await.expect("a response");
    assert!(
        response
            .sent
            .starts_with(b"GET http://a.example:81/b?c HTTP/1.1\r\nHost: a.example:81\r\n")
    );
    assert_eq!((response.received, response.address), (PAGE.as_bytes().to_vec(), proxy));
}

#[tokio::test]
async fn an_http_proxy_is_asked_for_a_tunnel_to_a_secure_host() {
    let (proxy, asked) = tunnels(zoo::self_signed());
    let fetcher = through("http", proxy);
    // As far as the certificate, which nobody vouches for.
    fails(&fetcher, "https://a.example/", FailureKind::Tls).await;
    assert_eq!(*asked.lock().expect("nobody panicked"), ["a.example:443"]);
    let refusing = zoo::says("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    fails(&through("http", refusing), "https://a.example/", FailureKind::Proxy).await;
    fails(&through("http", zoo::closes_at_once()), "https://a.example/", FailureKind::Proxy).await;
    fails(&through("http", zoo::endless_headers()), "https://a.example/", FailureKind::Proxy).await;
}

#[tokio::test]
async fn a_socks_proxy_is_given_names() {
    let (proxy, asked) = socks(0, zoo::says(PAGE));
    let fetcher = through("socks5", proxy);
    let response = fetcher.get(&Request::of("http://a.example/b")).await.expect("a response");
    assert!(response.sent.starts_with(b"GET /b HTTP/1.1\r\nHost: a.example\r\n"));
    assert_eq!(response.received, PAGE.as_bytes());
    assert_eq!(*asked.lock().expect("nobody panicked"), b"a.example\0\x50");
    let (proxy, _) = socks(0, zoo::self_signed());
    fails(&through("socks5", proxy), "https://a.example/", FailureKind::Tls).await;
    // The host is not there, or the proxy does not want.
    let (proxy, _) = socks(4, proxy);
    fails(&through("socks5", proxy), "http://a.example/", FailureKind::Connect).await;
    let (proxy, _) = socks(2, proxy);
    fails(&through("socks5", proxy), "http://a.example/", FailureKind::Proxy).await;
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    fails(&through("http", address), "http://a.example/", FailureKind::Proxy).await;
    fails(&through("socks5", address), "http://a.example/", FailureKind::Proxy).await;
}

#[tokio::test]
async fn private_addresses_are_refused_before_the_proxy_is_asked() {
    let fetcher = through("http", zoo::says(PAGE));
    fails(&fetcher, "http://169.254.169.254/", FailureKind::PrivateAddress).await;
    fails(&fetcher, "https://[::1]/", FailureKind::PrivateAddress).await;
}

#[tokio::test]
async fn hosts_of_the_operator_have_no_proxy() {
    let overrides = vec![Override { host: "a.example".to_owned(), address: zoo::says(PAGE) }];
    let proxy = Some(format!("http://{}", zoo::closes_at_once()));
    let settings = FetchSettings { proxy, overrides, ..FetchSettings::default() };
    let fetcher = Fetcher::new(settings).expect("a fetcher");
    let response = fetcher.get(&Request::of("http://a.example/")).await.expect("a response");
    assert!(response.sent.starts_with(b"GET / HTTP/1.1\r\n"));
}
