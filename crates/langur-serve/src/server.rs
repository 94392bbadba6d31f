//! The server: where it listens, and when it stops.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::answer::Answers;
use crate::authority::{Authority, AuthorityError};
use crate::clock::Clock;
use crate::conditions::Conditions;
use crate::connection::{Connection, Shared};
use crate::exchange::Exchange;
use crate::log::{LogError, LogWriter};
use crate::robots::Rules;
use crate::traffic::Traffic;

/// How long to wait when the system has no more connections to give, before asking again.
const BREATH: Duration = Duration::from_millis(100);

/// What is served where.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The address for proxy clients, and for clients that take the server for every http host.
    pub listen: SocketAddr,
    /// The address for clients that take the server for every https host.
    pub listen_tls: Option<SocketAddr>,
    /// The folder of the certificate authority, made if it is not there. Without it nothing is served
    /// by https.
    pub authority: Option<PathBuf>,
    /// The request log to write.
    pub log: Option<PathBuf>,
    /// The conditions the clients meet.
    pub conditions: Conditions,
    /// What clients cannot exceed.
    pub limits: Limits,
}

/// What clients cannot exceed.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at a time; more wait to be accepted.
    pub connections: u32,
    /// The size of a request's head; at least 8 KiB.
    pub head_bytes: usize,
    /// How long a client may send nothing, or take nothing of what is sent, or take for a request's
    /// head or the TLS handshake.
    pub idle_time: Duration,
    /// How long a connection is kept at all. An answer under way is then given `idle_time` to end.
    pub connection_time: Duration,
}

/// Why nothing is served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address cannot be had.
    #[error(
        "cannot listen on {address}: {source}\n  choose another address, or port 0 for any free one"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A TLS address without a certificate authority.
    #[error("the TLS address {0} needs the folder of a certificate authority")]
    NoAuthority(SocketAddr),
    /// The certificate authority cannot be opened or made.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// The request log cannot be begun.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// An archive on a listening address.
pub struct Server {
    plain: TcpListener,
    tls: Option<TcpListener>,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
}

impl ServeOptions {
    /// Plain http on this address, without a log.
    pub fn new(listen: SocketAddr) -> ServeOptions {
        ServeOptions {
            listen,
            listen_tls: None,
            authority: None,
            log: None,
            conditions: Conditions::default(),
            limits: Limits::default(),
        }
    }
}

impl Default for Limits {
    /// Crawlers with many connections are served, and one that stalls is given a minute.
    fn default() -> Limits {
        Limits {
            connections: 1024,
            head_bytes: 64 << 10,
            idle_time: Duration::from_secs(60),
            connection_time: Duration::from_secs(1800),
        }
    }
}

impl Server {
    /// Listens, and begins the log. Clients are answered once the server is run.
    pub async fn bind(
        options: ServeOptions,
        answers: Arc<dyn Answers>,
        clock: impl Clock,
    ) -> Result<Server, ServeError> {
        if let (Some(address), None) = (options.listen_tls, &options.authority) {
            return Err(ServeError::NoAuthority(address));
        }
        let plain = listen(options.listen).await?;
        let tls = match options.listen_tls {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let authority = options.authority.as_deref().map(Authority::open).transpose()?;
        let begin = |path: &PathBuf| LogWriter::create(path, &options.conditions);
        let log = options.log.as_ref().map(begin).transpose()?;
        let exchange = Exchange {
            answers,
            conditions: options.conditions,
            traffic: Traffic::new(Box::new(clock)),
            robots: Rules::new(),
            log,
        };
        let (stop, stopped) = watch::channel(false);
        let shared = Shared { exchange, authority, limits: options.limits, stop: stopped };
        Ok(Server { plain, tls, shared: Arc::new(shared), stop })
    }

    /// Where it listens.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.plain.local_addr()
    }

    /// Where it listens for TLS, if asked to.
    pub fn tls_addr(&self) -> Option<io::Result<SocketAddr>> {
        self.tls.as_ref().map(TcpListener::local_addr)
    }

    /// The certificate authority, if there is one.
    pub fn authority(&self) -> Option<&Authority> {
        self.shared.authority.as_ref()
    }

    /// Serves until the future is ready; then answers what was asked, and returns.
    pub async fn run(self, until: impl Future<Output = ()>) {
        let most = self.shared.limits.connections;
        let slots = Arc::new(Semaphore::new(most as usize));
        tokio::select! {
            () = self.accept(&slots) => {}
            () = pin!(until) => {}
        }
        drop((self.plain, self.tls));
        // Fails only if there is no connection left to tell.
        let _ = self.stop.send(true);
        // Every connection ends in bounded time, and gives back its slot.
        let _ = slots.acquire_many(most).await;
    }

    /// Accepts connections for ever.
    async fn accept(&self, slots: &Arc<Semaphore>) {
        while let Ok(slot) = Arc::clone(slots).acquire_owned().await {
            let accepted = tokio::select! {
                accepted = self.plain.accept() => accepted.map(|(s, peer)| (s, peer, false)),
                accepted = accept_tls(self.tls.as_ref()) => accepted.map(|(s, peer)| (s, peer, true)),
            };
            let Ok((stream, peer, tls)) = accepted else {
                tokio::time::sleep(BREATH).await;
                continue;
            };
            // Without it answers are only slower.
            let _ = stream.set_nodelay(true);
            let shared = Arc::clone(&self.shared);
            let connection = Connection { shared, peer: peer.ip(), _slot: Arc::new(slot) };
            if tls {
                tokio::spawn(connection.tls(stream));
            } else {
                tokio::spawn(connection.plain(stream));
            }
        }
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })
}

async fn accept_tls(listener: Option<&TcpListener>) -> io::Result<(TcpStream, SocketAddr)> {
    match listener {
        Some(listener) => listener.accept().await,
        None => std::future::pending().await,
    }
}
