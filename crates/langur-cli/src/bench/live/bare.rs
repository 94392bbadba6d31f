//! A bare HTTP client: the plainest loop that fetches the same pages.

use std::io::Sink;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use langur_archive::{About, Compression, WarcWriter};
use tokio::net::TcpStream;

/// What becomes of what was fetched.
#[derive(Clone, Copy, PartialEq)]
pub enum Then {
    /// It is thrown away.
    Nothing,
    /// It is made into records of an archive, which are thrown away: what archiving alone costs.
    Packed,
}

/// Fetches URLs in their order over so many connections that stay open. Any host
/// is asked over any connection. Says how many seconds that took.
pub fn fetch(
    urls: &Arc<Vec<String>>,
    address: SocketAddr,
    connections: usize,
    then: Then,
) -> Result<f64> {
    // As many threads as the crawl has for its requests.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    runtime.block_on(async {
        let clients: Vec<_> = (0..connections)
            .map(|_| fetch_in_turn(Arc::clone(urls), Arc::clone(&next), address, then))
            .map(tokio::spawn)
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
    then: Then,
) -> Result<()> {
    let mut connection = connect(address).await?;
    let mut packing = (then == Then::Packed).then(Packing::new);
    while let Some(url) = urls.get(next.fetch_add(1, Ordering::Relaxed)) {
        let rest = url.strip_prefix("http://").context("the web on loopback knows http alone")?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let request = Request::get(path)
            .header("Host", host)
            .header("User-Agent", "bare")
            .body(Empty::<Bytes>::new())?;
        let mut answer = connection.send_request(request).await?;
        match &mut packing {
            None => {
                while let Some(frame) = answer.frame().await {
                    drop(frame?);
                }
            }
            Some(packing) => packing.pack(url, answer).await?,
        }
        connection.ready().await?;
    }
    Ok(())
}

/// Makes records of requests and answers, and no more: they are written nowhere.
struct Packing {
    records: WarcWriter<Sink>,
    block: Vec<u8>,
}

impl Packing {
    fn new() -> Packing {
        let records = WarcWriter::new(std::io::sink(), Compression::Gzip, 1);
        Packing { records, block: Vec::new() }
    }

    async fn pack(&mut self, url: &str, answer: Response<Incoming>) -> Result<()> {
        let about = About { url, date: "2024-01-01T00:00:00Z", ..About::default() };
        self.records.request(
            &about,
            format!("GET {url} HTTP/1.1\r\nUser-Agent: bare\r\n\r\n").as_bytes(),
        )?;
        self.block.clear();
        self.block.extend_from_slice(format!("HTTP/1.1 {}\r\n", answer.status()).as_bytes());
        for (name, value) in answer.headers() {
            let line = [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"];
            line.iter().for_each(|part| self.block.extend_from_slice(part));
        }
        self.block.extend_from_slice(b"\r\n");
        self.block.extend_from_slice(&answer.collect().await?.to_bytes());
        self.records.response(&about, &self.block)?;
        Ok(())
    }
}

async fn connect(address: SocketAddr) -> Result<SendRequest<Empty<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}
