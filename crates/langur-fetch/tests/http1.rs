//! Responses of HTTP/1.x, byte for byte.

use langur_fetch::{FetchSettings, Fetcher, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

#[tokio::test]
async fn thin() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a client");
        for _ in 0..2 {
            let mut buffer = [0; 4096];
            let _ = stream.read(&mut buffer).await;
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                .await
                .expect("sent");
        }
    });
    let settings = FetchSettings { allow_private: true, ..FetchSettings::default() };
    let fetcher = Fetcher::new(settings).expect("a fetcher");
    for _ in 0..2 {
        let got =
            fetcher.get(&Request::of(format!("http://{address}/"))).await.expect("a response");
        assert_eq!(got.received, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }
}
