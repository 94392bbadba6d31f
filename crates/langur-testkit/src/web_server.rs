//! A small web server over a folder, on loopback.
//!
//! It knows what stores rely on (lengths, entity tags, ranges, connections that stay open) and can be
//! told to misbehave: to be busy for a number of requests, to cut answers short, to know no ranges, to
//! send elsewhere.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A small web server over a folder, on loopback. It stops when dropped.
pub struct FolderServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    stopped: AtomicBool,
    knows_ranges: AtomicBool,
    faults: Mutex<VecDeque<Fault>>,
    requests: Mutex<Vec<Request>>,
}

/// What to do instead of answering.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Answer with this status and these further headers (`Retry-After: 7`), without a file.
    Answer(u16, Vec<String>),
    /// Announce the whole answer, send so many bytes of it, and close the connection.
    Cut(usize),
    /// Close the connection without a word.
    Silence,
}

/// A request that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `HEAD`.
    pub method: String,
    /// The path, percent-decoded, without the first slash.
    pub path: String,
    /// What stood in `Range`.
    pub range: Option<String>,
}

impl FolderServer {
    /// Serves a folder on a free port.
    pub fn start(folder: &Path) -> FolderServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            stopped: AtomicBool::new(false),
            knows_ranges: AtomicBool::new(true),
            faults: Mutex::default(),
            requests: Mutex::default(),
        });
        let served = Arc::clone(&shared);
        thread::spawn(move || {
            for connection in listener.incoming() {
                if served.stopped.load(Ordering::Relaxed) {
                    break;
                }
                let (Ok(connection), served) = (connection, Arc::clone(&served)) else { continue };
                // A client that goes away in the middle is the client's business.
                thread::spawn(move || drop(served.converse(connection)));
            }
        });
        FolderServer { address, shared }
    }

    /// `http://127.0.0.1:PORT/`
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The next requests meet these faults, one each.
    pub fn misbehave(&self, faults: impl IntoIterator<Item = Fault>) {
        lock(&self.shared.faults).extend(faults);
    }

    /// The next so many requests are answered with 503.
    pub fn be_busy(&self, requests: usize) {
        self.misbehave(std::iter::repeat_n(Fault::Answer(503, Vec::new()), requests));
    }

    /// From now on ranges are ignored, as plain servers do.
    pub fn forget_ranges(&self) {
        self.shared.knows_ranges.store(false, Ordering::Relaxed);
    }

    /// The requests since this was last asked, in the order they came.
    pub fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut lock(&self.shared.requests))
    }
}

impl Drop for FolderServer {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // The listener waits for a connection before it looks.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    /// Answers the requests of one connection, one after the other.
    fn converse(&self, connection: TcpStream) -> io::Result<()> {
        let mut lines = BufReader::new(connection.try_clone()?);
        while let Some(request) = read_request(&mut lines)? {
            lock(&self.requests).push(request.clone());
            let fault = lock(&self.faults).pop_front();
            if !self.answer(&connection, &request, fault)? {
                connection.shutdown(std::net::Shutdown::Both)?;
                break;
            }
        }
        Ok(())
    }

    /// Answers one request; false if the connection is to be closed.
    fn answer(
        &self,
        mut connection: &TcpStream,
        request: &Request,
        fault: Option<Fault>,
    ) -> io::Result<bool> {
        match fault {
            Some(Fault::Silence) => return Ok(false),
            Some(Fault::Answer(status, headers)) => {
                write_head(connection, status, 0, &headers)?;
                return Ok(true);
            }
            _ => {}
        }
        let Some((file, tag)) = self.file(&request.path) else {
            write_head(connection, 404, 0, &[])?;
            return Ok(true);
        };
        let mut headers = vec![format!("ETag: {tag}")];
        let wanted = request.range.as_ref().filter(|_| self.knows_ranges.load(Ordering::Relaxed));
        let (status, body) = match wanted.map(|range| part(range, file.len())) {
            None => (200, &file[..]),
            Some(Some((start, end))) => {
                headers.push(format!("Content-Range: bytes {start}-{}/{}", end - 1, file.len()));
                (206, &file[start..end])
            }
            Some(None) => {
                headers.push(format!("Content-Range: bytes */{}", file.len()));
                (416, &[][..])
            }
        };
        write_head(connection, status, body.len(), &headers)?;
        if request.method == "HEAD" {
            return Ok(true);
        }
        match fault {
            Some(Fault::Cut(bytes)) => {
                connection.write_all(&body[..bytes.min(body.len())])?;
                Ok(false)
            }
            _ => connection.write_all(body).map(|()| true),
        }
    }

    /// A file and its entity tag.
    fn file(&self, path: &str) -> Option<(Vec<u8>, String)> {
        if path.split('/').any(|part| part == "..") {
            return None;
        }
        let path = self.folder.join(path);
        let changed = path.metadata().ok()?.modified().ok()?;
        let bytes = fs::read(path).ok()?;
        let since = changed.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let tag = format!("\"{:x}-{:x}\"", since.as_nanos(), bytes.len());
        Some((bytes, tag))
    }
}

fn read_request(lines: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    lines.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let mut request = Request {
        method: method.to_owned(),
        path: decoded(target.trim_start_matches('/')),
        range: None,
    };
    loop {
        let mut header = String::new();
        if lines.read_line(&mut header)? == 0 || header.trim().is_empty() {
            return Ok(Some(request));
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("range")
        {
            request.range = Some(value.trim().to_owned());
        }
    }
}

fn write_head(
    mut connection: &TcpStream,
    status: u16,
    length: usize,
    headers: &[String],
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} Answer\r\nContent-Length: {length}\r\n");
    headers.iter().for_each(|header| head.extend([header, "\r\n"]));
    connection.write_all(format!("{head}\r\n").as_bytes())
}

/// What a range asks for, within a file of this length.
fn part(range: &str, length: usize) -> Option<(usize, usize)> {
    let (start, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let (start, end) = match (start, last) {
        ("", suffix) => (length.saturating_sub(suffix.parse().ok()?), length),
        (start, "") => (start.parse().ok()?, length),
        (start, last) => (start.parse().ok()?, last.parse::<usize>().ok()?.saturating_add(1)),
    };
    (start < end.min(length)).then_some((start, end.min(length)))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let code = others.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
