//! A bare HTTP client: the plainest loop that fetches the same pages.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// Fetches URLs in their order over so many connections that stay open, reads what comes and throws it away. Any host
/// is asked over any connection. Says how many seconds that took.
pub fn fetch(urls: &Arc<Vec<String>>, address: SocketAddr, connections: usize) -> Result<f64> {
    // As many threads as the crawl has for its requests.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    runtime.block_on(async {
        let clients: Vec<_> = (0..connections)
            .map(|_| tokio::spawn(fetch_in_turn(Arc::clone(urls), Arc::clone(&next), address)))
            .collect();
        for client in clients {
            client.await??;
        }
        Ok(began.elapsed().as_secs_f64())
    })
}

/// Fetches the next URL that nobody fetches yet, until there is none.
async fn fetch_in_turn(
    urls: Arc<Vec<String>>,
    next: Arc<AtomicUsize>,
    address: SocketAddr,
) -> Result<()> {
    let mut connection = connect(address).await?;
    while let Some(url) = urls.get(next.fetch_add(1, Ordering::Relaxed)) {
        let rest = url.strip_prefix("http://").context("the web on loopback knows http alone")?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let request = Request::get(path)
            .header("Host", host)
            .header("User-Agent", "bare")
            .body(Empty::<Bytes>::new())?;
        let mut answer = connection.send_request(request).await?;
        while let Some(frame) = answer.frame().await {
            drop(frame?);
        }
        connection.ready().await?;
    }
    Ok(())
}

async fn connect(address: SocketAddr) -> Result<SendRequest<Empty<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}
