//! TLS and HTTP/2, with an authority of our own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use langur_fetch::{FailureKind, FetchSettings, Fetcher, Override, Protocol, Request, Truncated};
use langur_testkit::zoo;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;

const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// A certificate for `a.example`, and the authority that vouches for it as PEM.
fn certified(protocols: &[&str]) -> (TlsAcceptor, Vec<u8>) {
    let (key, own) = (KeyPair::generate().expect("a key"), KeyPair::generate().expect("a key"));
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let pem = params.self_signed(&key).expect("an authority").pem();
    let issuer = Issuer::new(params, key);
    let leaf = CertificateParams::new(["a.example".to_owned()]).expect("a name");
    let leaf = leaf.signed_by(&own, &issuer).expect("a certificate");
    let own = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(own.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions that ring has")
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], own)
        .expect("a certificate and its key");
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    (TlsAcceptor::from(Arc::new(config)), pem.into_bytes())
}

fn settings(address: SocketAddr, root: Vec<u8>) -> FetchSettings {
    FetchSettings {
        overrides: vec![Override { host: "*".to_owned(), address }],
        extra_roots: vec![root],
        head_timeout: Duration::from_millis(300),
        idle_timeout: Duration::from_millis(300),
        max_bytes: 100_000,
        ..FetchSettings::default()
    }
}

#[tokio::test]
async fn https_needs_a_certificate_of_the_host() {
    let (acceptor, root) = certified(&["http/1.1"]);
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let address = zoo::start(move |stream| {
        let acceptor = acceptor.clone();
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            let mut stream = acceptor.accept(stream).await?;
            while stream.read(&mut [0; 4096]).await? > 0 {
                stream.write_all(PAGE).await?;
            }
            Ok(())
        }
    });
    let fetcher = Fetcher::new(settings(address, root.clone())).expect("a fetcher");
    for _ in 0..3 {
        let response = fetcher.get(&Request::of("https://a.example/")).await.expect("a response");
        assert_eq!(response.received, PAGE);
        assert_eq!(response.protocol, Protocol::Http11);
        let tls = response.tls.expect("TLS");
        assert!(tls.starts_with("TLSv1.3 TLS_"), "{tls}");
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    let other = fetcher.get(&Request::of("https://b.example/")).await.expect_err("another name");
    assert_eq!(other.kind, FailureKind::Tls);
    let untrusting = FetchSettings { extra_roots: Vec::new(), ..settings(address, root) };
    let fetcher = Fetcher::new(untrusting).expect("a fetcher");
    let failed = fetcher.get(&Request::of("https://a.example/")).await.expect_err("no trust");
    assert_eq!(failed.kind, FailureKind::Tls);
}

#[tokio::test]
async fn a_body_that_ends_without_a_farewell_may_be_cut() {
    let (acceptor, root) = certified(&[]);
    let address = zoo::start(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let mut stream = acceptor.accept(stream).await?;
            let mut request = [0; 4096];
            let read = stream.read(&mut request).await?;
            stream.write_all(b"HTTP/1.0 200 OK\r\n\r\nok").await?;
            stream.flush().await?;
            if request[..read].starts_with(b"GET /polite ") {
                stream.shutdown().await
            } else {
                Ok(())
            }
        }
    });
    let fetcher = Fetcher::new(settings(address, root)).expect("a fetcher");
    for (path, truncated) in [("polite", None), ("rude", Some(Truncated::Disconnect))] {
        let request = Request::of(format!("https://a.example/{path}"));
        let response = fetcher.get(&request).await.expect("a response");
        assert!(response.received.ends_with(b"ok"));
        assert_eq!(
            (response.protocol, response.truncated),
            (Protocol::Http10, truncated),
            "{path}"
        );
    }
}

type Body = http_body_util::combinators::UnsyncBoxBody<Bytes, std::convert::Infallible>;

/// What a server of HTTP/2 says, by path.
async fn answer(request: hyper::Request<Incoming>) -> Result<http::Response<Body>, hyper::Error> {
    let response = http::Response::builder().header("X-Two", "a").header("X-Two", "b");
    let host = request.uri().authority().map(ToString::to_string).unwrap_or_default();
    let pieces = |count: usize| {
        let piece = || Ok(Frame::data(Bytes::from_static(&[b'x'; 1000])));
        StreamBody::new(futures_util::stream::iter((0..count).map(move |_| piece())))
    };
    let silent = || {
        let first = futures_util::stream::iter([Ok(Frame::data(Bytes::from_static(b"first")))]);
        StreamBody::new(futures_util::StreamExt::chain(first, futures_util::stream::pending()))
    };
    let response = match request.uri().path() {
        // Of known length.
        "/" => response.body(Full::from(host).boxed_unsync()),
        "/pieces" => response.body(pieces(20).boxed_unsync()),
        "/endless" => response.body(pieces(1_000_000).boxed_unsync()),
        "/silent" => response.body(silent().boxed_unsync()),
        "/unchanged" => response.status(304).body(Full::default().boxed_unsync()),
        "/large" => {
            response.header("X-Large", "x".repeat(100_000)).body(Full::default().boxed_unsync())
        }
        _ => std::future::pending().await,
    };
    Ok(response.expect("a response"))
}

#[tokio::test]
async fn http2_is_written_as_http1() {
    let (acceptor, root) = certified(&["h2", "http/1.1"]);
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let address = zoo::start(move |stream| {
        let acceptor = acceptor.clone();
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            let stream = TokioIo::new(acceptor.accept(stream).await?);
            let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            // How it ended is for the client to say.
            let _ = server.serve_connection(stream, service_fn(answer)).await;
            Ok(())
        }
    });
    let settings = FetchSettings { http2: true, ..settings(address, root) };
    let fetcher = Fetcher::new(settings).expect("a fetcher");
    let get =
        async |path: &str| fetcher.get(&Request::of(format!("https://a.example{path}"))).await;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "|");

    let response = get("/").await.expect("a response");
    assert_eq!(response.protocol, Protocol::Http2);
    assert!(response.tls.is_some());
    assert!(text(&response.sent).starts_with("GET / HTTP/1.1|Host: a.example|User-Agent: langur/"));
    let received = text(&response.received);
    assert!(received.starts_with("HTTP/1.1 200 OK|x-two: a|x-two: b|date: "), "{received}");
    assert!(received.ends_with("|content-length: 9||a.example"), "{received}");

    // A length that was not told before.
    let response = get("/pieces").await.expect("a response");
    let (head, body) = response.received.split_at(response.head);
    assert!(text(head).ends_with("|content-length: 20000||"), "{}", text(head));
    assert_eq!((body.len(), response.truncated), (20_000, None));

    let response = get("/unchanged").await.expect("a response");
    assert_eq!((response.status, response.head), (304, response.received.len()));
    assert!(!text(&response.received).contains("content-length"));
    assert_eq!(connections.load(Ordering::Relaxed), 1);

    let response = get("/endless").await.expect("a response");
    let (head, body) = response.received.split_at(response.head);
    assert!(text(head).ends_with("|content-length: 100000||"));
    assert_eq!((body.len(), response.truncated), (100_000, Some(Truncated::Length)));

    let response = get("/silent").await.expect("a response");
    assert!(text(&response.received).ends_with("|content-length: 5||first"));
    assert_eq!(response.truncated, Some(Truncated::Time));

    let failed = get("/large").await.expect_err("too large a head");
    assert_eq!(failed.kind, FailureKind::BadResponse, "{failed}");
    let failed = get("/never").await.expect_err("no head");
    assert_eq!(failed.kind, FailureKind::Timeout, "{failed}");
}
