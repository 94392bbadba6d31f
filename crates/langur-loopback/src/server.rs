//! One port for all hosts of a web space.
//!
//! Which host is meant says the `Host` header, or the whole URL in the request line, so that crawlers can be sent
//! here by name resolution or as to a proxy. Connections stay open, and requests may come one behind the other.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

use crate::Pages;

/// A longer head of a request is refused.
const LONGEST_HEAD: usize = 64 << 10;

/// Headers that are looked at.
const MOST_HEADERS: usize = 64;

/// Room for what is received.
const ROOM: usize = 8 << 10;

/// Where and how to serve.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The address; port 0 is any free one.
    pub listen: SocketAddr,
    /// Threads that answer.
    pub threads: usize,
    /// Whether the URLs that are asked for are kept.
    pub record: bool,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        ServerOptions { listen: SocketAddr::from(([127, 0, 0, 1], 0)), threads: 1, record: false }
    }
}

/// A web on loopback. It stops when dropped.
pub struct LoopbackServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    runtime: Option<Runtime>,
}

struct Shared {
    pages: Pages,
    asked: Option<Mutex<Vec<String>>>,
}

impl LoopbackServer {
    /// Serves pages from now on.
    pub fn start(pages: Pages, options: &ServerOptions) -> io::Result<LoopbackServer> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(options.threads)
            .thread_name("loopback")
            .enable_io()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(options.listen))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { pages, asked: options.record.then(Mutex::default) });
        let serving = Arc::clone(&shared);
        runtime.spawn(async move {
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let serving = Arc::clone(&serving);
                        // A client that goes away in the middle is the client's business.
                        tokio::spawn(async move { drop(serving.converse(stream).await) });
                    }
                    // The system has no more files to give until others are closed.
                    Err(_) => tokio::task::yield_now().await,
                }
            }
        });
        Ok(LoopbackServer { address, shared, runtime: Some(runtime) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URLs that were asked for since this was last called, in order, if they are kept.
    pub fn asked(&self) -> Vec<String> {
        self.shared
            .asked
            .as_ref()
            .map(|asked| std::mem::take(&mut *lock(asked)))
            .unwrap_or_default()
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

impl Shared {
    /// Answers the requests of one connection.
    async fn converse(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let (mut received, mut out) = (Vec::new(), Vec::new());
        loop {
            let mut taken = 0;
            let mut goes_on = true;
            while let (true, Some(request)) = (goes_on, Request::read(&received[taken..])) {
                taken += request.length;
                goes_on = self.reply(&request, &mut out);
            }
            received.drain(..taken);
            stream.write_all(&out).await?;
            out.clear();
            if !goes_on || received.len() > LONGEST_HEAD {
                return stream.shutdown().await;
            }
            received.reserve(ROOM);
            if stream.read_buf(&mut received).await? == 0 {
                return Ok(());
            }
        }
    }

    /// Appends the answer to a request; says whether the connection stays open.
    fn reply(&self, request: &Request, out: &mut Vec<u8>) -> bool {
        let (Some(url), Some(with_body)) = (&request.url, request.with_body) else {
            out.extend_from_slice(
                b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
            return false;
        };
        if let Some(asked) = &self.asked {
            lock(asked).push(url.clone());
        }
        self.pages.answer(url).write(out, with_body);
        !request.closes
    }
}

/// What a client wants.
struct Request {
    /// Bytes it took.
    length: usize,
    /// What it is about, if it can be understood.
    url: Option<String>,
    /// Whether content is wanted, which GET and HEAD differ in; nothing for other methods.
    with_body: Option<bool>,
    /// Whether the client wants no more.
    closes: bool,
}

impl Request {
    /// Reads a request; `None` if it is not there whole.
    fn read(bytes: &[u8]) -> Option<Request> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return None,
            Err(_) => {
                return Some(Request {
                    length: bytes.len(),
                    url: None,
                    with_body: None,
                    closes: true,
                });
            }
        };
        let header = |name: &str| {
            let header = head.headers.iter().find(|it| it.name.eq_ignore_ascii_case(name))?;
            std::str::from_utf8(header.value).ok()
        };
        let url = match head.path {
            Some(path) if path.starts_with('/') => {
                header("host").map(|host| format!("http://{host}{path}"))
            }
            path => path.map(str::to_owned),
        };
        let with_body = match head.method {
            Some("GET") => Some(true),
            Some("HEAD") => Some(false),
            _ => None,
        };
        let closes = header("connection").is_some_and(|it| it.eq_ignore_ascii_case("close"));
        Some(Request { length, url, with_body, closes })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
