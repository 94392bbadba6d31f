//! A toy web on a real socket, and a client that speaks no more HTTP than the tests need.
#![allow(dead_code)] // Every test file uses its own part.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use bytes::Bytes;
use langur_serve::log::RequestLog;
use langur_serve::{Answer, Answers, Clock, ServeOptions, Server};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A web in memory.
#[derive(Clone, Default)]
pub struct Toy {
    answers: HashMap<String, Answer>,
    /// Where requests for `/gate` wait.
    gate: Arc<Gate>,
}

/// A gate that opens when enough have come.
#[derive(Default)]
struct Gate {
    come: Mutex<usize>,
    more: Condvar,
}

impl Gate {
    const ENOUGH: usize = 3;

    fn pass(&self) {
        let mut come = self.come.lock().expect("a gate");
        *come += 1;
        self.more.notify_all();
        while *come < Gate::ENOUGH {
            come = self.more.wait(come).expect("a gate");
        }
    }
}

impl Toy {
    pub fn with(mut self, url: &str, status: u16, headers: &[(&str, &str)], body: &str) -> Toy {
        let headers = headers.iter().map(|(n, v)| (n.to_string(), v.as_bytes().to_vec()));
        let (headers, body) = (headers.collect(), Bytes::from(body.to_owned()));
        self.answers.insert(url.to_owned(), Answer { status, headers, body, fetched_at: None });
        self
    }

    pub fn page(self, url: &str, body: &str) -> Toy {
        self.with(url, 200, &[("Content-Type", "text/html; charset=utf-8")], body)
    }

    pub fn robots(self, url: &str, body: &str) -> Toy {
        self.with(url, 200, &[("Content-Type", "text/plain")], body)
    }
}

impl Answers for Toy {
    fn answer(&self, url: &str) -> Result<Option<Answer>, String> {
        match url {
            _ if url.ends_with("/broken") => Err("record 7 is damaged".to_owned()),
            _ if url.ends_with("/panic") => panic!("as the test asks"),
            _ if url.ends_with("/gate") => {
                self.gate.pass();
                Ok(None)
            }
            _ => Ok(self.answers.get(url).cloned()),
        }
    }
}

/// A clock that the test sets.
#[derive(Clone, Default)]
pub struct Hands(Arc<AtomicU64>);

impl Hands {
    pub fn set(&self, ms: u64) {
        self.0.store(ms, Ordering::SeqCst);
    }
}

impl Clock for Hands {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A server at work, until dropped.
pub struct Running {
    pub plain: SocketAddr,
    pub tls: SocketAddr,
    pub clock: Hands,
    scratch: TempDir,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// With a log and a certificate authority, and whatever else `set` asks for.
    pub fn start(web: Toy, set: impl FnOnce(&mut ServeOptions)) -> Running {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let any: SocketAddr = "127.0.0.1:0".parse().expect("an address");
        let mut options = ServeOptions::new(any);
        options.listen_tls = Some(any);
        options.authority = Some(scratch.path().join("ca"));
        options.log = Some(scratch.path().join("requests.jsonl"));
        set(&mut options);
        let clock = Hands::default();
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let hands = clock.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let server = Server::bind(options, Arc::new(web), hands).await.expect("a server");
                let tls = server.tls_addr().map(|tls| tls.expect("an address"));
                let plain = server.local_addr().expect("an address");
                tell.send((plain, tls.unwrap_or(plain))).expect("a test that waits");
                server.run(async { stopped.await.unwrap_or(()) }).await;
            });
        });
        let (plain, tls) = told.recv().expect("a server");
        Running { plain, tls, clock, scratch, stop: Some(stop), thread: Some(thread) }
    }

    pub fn ca(&self) -> PathBuf {
        self.scratch.path().join("ca/ca.pem")
    }

    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    pub fn log(&self) -> RequestLog {
        RequestLog::read(&self.scratch.path().join("requests.jsonl")).expect("a log")
    }

    pub fn client(&self) -> Client<TcpStream> {
        Client::new(connect(self.plain))
    }

    /// A client that asked for a tunnel and speaks TLS in it, trusting our authority only.
    pub fn through_tunnel(&self, authority: &str) -> Client<Secured> {
        let mut client = self.client();
        let answer =
            client.ask(&format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n"));
        assert_eq!(answer.status, 200);
        let host = authority.rsplit_once(':').expect("a port").0.trim_matches(['[', ']']);
        self.secured(client.stream.into_inner(), host)
    }

    pub fn by_tls(&self, host: &str) -> Client<Secured> {
        self.secured(connect(self.tls), host)
    }

    fn secured(&self, stream: TcpStream, host: &str) -> Client<Secured> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(self.ca()).expect("a certificate")).expect("one");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(host.to_owned()).expect("a host");
        let session = ClientConnection::new(Arc::new(config), name).expect("a session");
        Client::new(StreamOwned::new(session, stream))
    }

    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a server that stops");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stop();
        }
    }
}

/// A connection that fails a test rather than hang it.
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
    stream
}

pub type Secured = StreamOwned<ClientConnection, TcpStream>;

pub struct Client<S> {
    stream: BufReader<S>,
}

#[derive(Debug, PartialEq)]
pub struct Got {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Got {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

impl<S: Read + Write> Client<S> {
    fn new(stream: S) -> Client<S> {
        Client { stream: BufReader::new(stream) }
    }

    pub fn get(&mut self, url: &str) -> Got {
        self.ask(&format!("GET {url} HTTP/1.1\r\nHost: ignored\r\nUser-Agent: toy/1\r\n\r\n"))
    }

    /// Sends a whole request and reads one answer.
    pub fn ask(&mut self, request: &str) -> Got {
        self.send(request);
        let bodiless = request.starts_with("HEAD") || request.starts_with("CONNECT");
        self.receive(bodiless).expect("an answer")
    }

    pub fn send(&mut self, request: &str) {
        let stream = self.stream.get_mut();
        stream.write_all(request.as_bytes()).and_then(|()| stream.flush()).expect("sent");
    }

    /// One answer; none if the connection was closed.
    pub fn receive(&mut self, bodiless: bool) -> Option<Got> {
        let first = self.line().filter(|line| !line.is_empty())?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status line: {first}"));
        let mut headers = Vec::new();
        while let Some(line) = self.line().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ").expect("a header");
            headers.push((name.to_owned(), value.to_owned()));
        }
        let mut got = Got { status, headers, body: String::new() };
        let length = got.header("content-length").map_or(0, |l| l.parse().expect("a length"));
        if !bodiless {
            let mut body = vec![0; length];
            self.stream.read_exact(&mut body).expect("the body");
            got.body = String::from_utf8(body).expect("text");
        }
        Some(got)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end_matches("\r\n").to_owned()),
        }
    }
}
