//! A web of many hosts behind one port of this machine, which writes down who was asked what and when.
//!
//! Hosts are told apart by the `Host` of a request. Connections stay open, and a visitor who leaves in the middle of an
//! answer is noticed at once, so that the times are those of the visitor too.

#[cfg(feature = "zoo")]
mod tls;

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A web on loopback. It stops when dropped.
pub struct Loopback {
    address: SocketAddr,
    shared: Arc<Shared>,
}

type Web = dyn Fn(&str, &str) -> Answer + Send + Sync;

struct Shared {
    web: Box<Web>,
    #[cfg(feature = "zoo")]
    tls: Option<tls::Tls>,
    stopped: AtomicBool,
    log: Mutex<Log>,
    came: Condvar,
}

#[derive(Default)]
struct Log {
    asked: Vec<Asked>,
    /// Hosts that are answering.
    busy: BTreeMap<String, usize>,
    /// Requests that came while another to the same host was not yet answered.
    overlaps: Vec<String>,
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The host, with the port if it has one.
    pub host: String,
    /// The path, with the query.
    pub path: String,
    /// The head of the request, in lower case.
    pub head: String,
    /// When the request was there.
    pub start: Instant,
    /// When the answer was, or the visitor left; nothing while it is under way.
    pub end: Option<Instant>,
    /// The status; nothing while it is under way, or if there was none.
    pub status: Option<u16>,
}

impl Asked {
    /// `http://HOST/PATH`
    pub fn url(&self) -> String {
        format!("http://{}{}", self.host, self.path)
    }
}

/// What a host says.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    after: Duration,
    is_silent: bool,
}

impl Answer {
    /// A status, and nothing else.
    pub fn status(status: u16) -> Answer {
        let (headers, body, after) = (Vec::new(), Vec::new(), Duration::ZERO);
        Answer { status, headers, body, after, is_silent: false }
    }

    /// A page of HTML.
    pub fn page(html: impl Into<Vec<u8>>) -> Answer {
        Answer::of("text/html; charset=utf-8", html)
    }

    /// Plain text: a robots.txt.
    pub fn text(text: impl Into<Vec<u8>>) -> Answer {
        Answer::of("text/plain", text)
    }

    /// A body of some media type.
    pub fn of(media_type: &str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { body: body.into(), ..Answer::status(200) }.with("Content-Type", media_type)
    }

    /// Elsewhere.
    pub fn redirect(to: &str) -> Answer {
        Answer::status(302).with("Location", to)
    }

    /// The connection is closed without a word: the host is down.
    pub fn silence() -> Answer {
        Answer { is_silent: true, ..Answer::status(0) }
    }

    /// With another header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Answer {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// But not at once.
    #[must_use]
    pub fn after(mut self, time: Duration) -> Answer {
        self.after = time;
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Said\r\n", self.status);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        let head = format!("{head}Content-Length: {}\r\n\r\n", self.body.len());
        [head.as_bytes(), &self.body].concat()
    }
}

impl Loopback {
    /// Serves a web, which is asked for what a host (without its port) has at a path.
    pub fn start(web: impl Fn(&str, &str) -> Answer + Send + Sync + 'static) -> Loopback {
        Loopback::start_at("127.0.0.1:0", web).expect("a free port")
    }

    /// Serves a web at an address of this machine, which may have no such address.
    pub fn start_at(
        address: &str,
        web: impl Fn(&str, &str) -> Answer + Send + Sync + 'static,
    ) -> io::Result<Loopback> {
        let listener = TcpListener::bind(address)?;
        let shared = Shared {
            web: Box::new(web),
            #[cfg(feature = "zoo")]
            tls: None,
            stopped: AtomicBool::new(false),
            log: Mutex::default(),
            came: Condvar::new(),
        };
        Ok(Loopback::serve(listener, shared))
    }

    fn serve(listener: TcpListener, shared: Shared) -> Loopback {
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(shared);
        let served = Arc::clone(&shared);
        thread::spawn(move || {
            for connection in listener.incoming() {
                if served.stopped.load(Ordering::Relaxed) {
                    break;
                }
                let (Ok(connection), served) = (connection, Arc::clone(&served)) else { continue };
                // A visitor who goes away in the middle is the visitor's business.
                thread::spawn(move || drop(served.receive(connection)));
            }
        });
        Loopback { address, shared }
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The requests so far, in the order they came.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.log().asked.clone()
    }

    /// How many requests there were so far.
    pub fn count(&self) -> usize {
        self.shared.log().asked.len()
    }

    /// Requests that came while another to the same host was not yet answered.
    pub fn overlaps(&self) -> Vec<String> {
        self.shared.log().overlaps.clone()
    }

    /// Waits until the requests satisfy `enough`; false if that takes longer than `most`.
    pub fn wait_until(&self, most: Duration, enough: impl Fn(&[Asked]) -> bool) -> bool {
        let log = self.shared.log();
        let waited = self.shared.came.wait_timeout_while(log, most, |log| !enough(&log.asked));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // The listener waits for a connection before it looks.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn receive(&self, connection: TcpStream) -> io::Result<()> {
        connection.set_nodelay(true)?;
        #[cfg(feature = "zoo")]
        if let Some(tls) = &self.tls
            && tls::is_wanted(&connection)?
        {
            return self.converse(&connection, tls.accept(&connection)?);
        }
        self.converse(&connection, &connection)
    }

    /// Answers the requests of one connection, one after the other.
    fn converse(&self, connection: &TcpStream, stream: impl Read + Write) -> io::Result<()> {
        let mut lines = BufReader::new(stream);
        while let Some(asked) = read_request(&mut lines)? {
            // The colons of an IPv6 address stand in brackets.
            let port = asked.host.rfind(':').filter(|colon| !asked.host[*colon..].ends_with(']'));
            let name = asked.host[..port.unwrap_or(asked.host.len())].to_owned();
            let (host, path) = (asked.host.clone(), asked.path.clone());
            let number = self.begin(asked);
            let answer = (self.web)(&name, &path);
            let stays = stays(connection, answer.after)?;
            let status = (stays && !answer.is_silent).then_some(answer.status);
            self.end(number, &host, status);
            if status.is_none() {
                return connection.shutdown(std::net::Shutdown::Both);
            }
            lines.get_mut().write_all(&answer.bytes())?;
            lines.get_mut().flush()?;
        }
        Ok(())
    }

    fn begin(&self, asked: Asked) -> usize {
        let mut log = self.log();
        let busy = log.busy.entry(asked.host.clone()).or_default();
        *busy += 1;
        if *busy > 1 {
            log.overlaps.push(asked.url());
        }
        log.asked.push(asked);
        self.came.notify_all();
        log.asked.len() - 1
    }

    /// Notes the end before the answer is sent: who has the answer may ask again at once.
    fn end(&self, number: usize, host: &str, status: Option<u16>) {
        let mut log = self.log();
        let asked = &mut log.asked[number];
        (asked.end, asked.status) = (Some(Instant::now()), status);
        if let Some(busy) = log.busy.get_mut(host) {
            *busy -= 1;
        }
        self.came.notify_all();
    }
}

/// Lets some time pass; false if the visitor leaves meanwhile.
fn stays(connection: &TcpStream, time: Duration) -> io::Result<bool> {
    if time.is_zero() {
        return Ok(true);
    }
    connection.set_read_timeout(Some(time))?;
    let stays = !matches!(connection.peek(&mut [0]), Ok(0));
    connection.set_read_timeout(None)?;
    Ok(stays)
}

fn read_request(lines: &mut impl BufRead) -> io::Result<Option<Asked>> {
    let mut head = String::new();
    loop {
        let before = head.len();
        if lines.read_line(&mut head)? == 0 {
            return Ok(None);
        }
        if head[before..].trim().is_empty() {
            break;
        }
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let head = head.to_ascii_lowercase();
    let host = head.lines().find_map(|line| line.strip_prefix("host:"));
    let host = host.unwrap_or_default().trim().to_owned();
    Ok(Some(Asked { host, path, head, start: Instant::now(), end: None, status: None }))
}
