//! A client's connection: plain, by TLS, or a tunnel through the proxy.
//!
//! No client can hold one for ever. The head of a request, and the wait for one, have a time limit; so
//! have the TLS handshake, a write that does not get on, and the connection as a whole.

use std::error::Error;
use std::future::Future;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;

use http::{Method, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::{LazyConfigAcceptor, TlsAcceptor};

use crate::asked::{Asked, Door, tunnel_host};
use crate::authority::Authority;
use crate::exchange::{Client, Exchange, Outcome, Request, broken};
use crate::reply::{Outgoing, Reply};
use crate::server::Limits;

/// The HTTP library reads no less at a time.
const LEAST_HEAD: usize = 8 << 10;

/// What connections share.
pub(crate) struct Shared {
    pub exchange: Exchange,
    pub authority: Option<Authority>,
    pub limits: Limits,
    pub stop: watch::Receiver<bool>,
}

/// A connection, of whatever kind.
#[derive(Clone)]
pub(crate) struct Connection {
    pub shared: Arc<Shared>,
    pub peer: IpAddr,
    /// One of the connections there may be. A tunnel is still the connection it came by.
    pub _slot: Arc<OwnedSemaphorePermit>,
}

/// The connection is closed without an answer, as the conditions ask.
#[derive(Debug, thiserror::Error)]
#[error("closed without an answer")]
struct Closed;

/// With which status the HTTP library has refused a request that it could not read, if it has.
fn refused(error: &hyper::Error) -> Option<StatusCode> {
    match (error.is_parse(), error.is_parse_too_large()) {
        (false, _) => None,
        (true, false) => Some(StatusCode::BAD_REQUEST),
        // It tells the two apart by its words alone.
        (true, true) if error.to_string().contains("URI") => Some(StatusCode::URI_TOO_LONG),
        (true, true) => Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
    }
}

impl Shared {
    /// Logs a request that was refused since it could not be read.
    async fn log_unread(self: Arc<Shared>, peer: IpAddr, status: StatusCode) {
        // Without a log nobody hears of it, and it was answered already.
        let logged = tokio::task::spawn_blocking(move || self.exchange.log_unread(peer, status));
        let _ = logged.await;
    }
}

impl Connection {
    /// Serves a client of the plain address.
    pub async fn plain(self, stream: TcpStream) {
        let stream = self.patient(stream);
        self.serve(stream, Door::Plain).await;
    }

    /// Serves a client of the TLS address, as the host it names.
    pub async fn tls(self, stream: TcpStream) {
        let Some(authority) = &self.shared.authority else { return };
        let here = stream.local_addr().map(|address| address.ip().to_string());
        let stream = self.patient(stream);
        let handshake = async {
            let start = LazyConfigAcceptor::new(Default::default(), stream).await?;
            let named = start.client_hello().server_name().map(str::to_ascii_lowercase);
            let config = authority.config(&named.map_or(here, Ok)?)?;
            Ok::<_, Box<dyn Error + Send + Sync>>(start.into_stream(config).await?)
        };
        // A client that gives up, or does not trust us, is no concern of the server's.
        if let Ok(Ok(stream)) = timeout(self.shared.limits.idle_time, handshake).await {
            self.serve(stream, Door::Tls).await;
        }
    }

    /// Gives up on a client that takes nothing of what is sent.
    fn patient(&self, stream: TcpStream) -> Pin<Box<TimeoutStream<TcpStream>>> {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.shared.limits.idle_time));
        Box::pin(stream)
    }

    async fn serve<S>(self, stream: S, door: Door)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (shared, peer) = (Arc::clone(&self.shared), self.peer);
        let (limits, mut stop) = (shared.limits.clone(), shared.stop.clone());
        let service = service_fn(move |request| self.clone().answer(request, door.clone()));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.idle_time)
            .max_buf_size(limits.head_bytes.max(LEAST_HEAD))
            // Answers are the same bytes every time.
            .auto_date_header(false)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let mut connection = pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => Some(ended),
            _ = stop.wait_for(|&stop| stop) => None,
            () = sleep(limits.connection_time) => None,
        };
        if let Some(ended) = ended {
            // How a client leaves is its own affair, but not what it asks.
            if let Some(status) = ended.err().and_then(|error| refused(&error)) {
                shared.log_unread(peer, status).await;
            }
            return;
        }
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.idle_time, connection).await;
    }

    async fn answer(
        self,
        request: hyper::Request<Incoming>,
        door: Door,
    ) -> Result<Response<Outgoing>, Closed> {
        if request.method() == Method::CONNECT && !matches!(door, Door::Tunnel(_)) {
            return Ok(self.connect(request));
        }
        let shared = self.shared;
        let request = Request {
            method: request.method().clone(),
            asked: Asked::read(&door, request.uri(), request.headers()),
            as_sent: request.uri().to_string(),
            client: Client::read(self.peer, request.headers()),
        };
        let head = request.method == Method::HEAD;
        let arrival = shared.exchange.traffic.arrive(&request.client.id, request.host());
        let delay = shared.exchange.conditions.delay(request.host());
        let decided = tokio::task::spawn_blocking(move || {
            let outcome = shared.exchange.answer(&request, &arrival);
            (outcome, arrival.place)
        });
        let (outcome, place) = match decided.await {
            Ok((outcome, place)) => (outcome, Some(place)),
            Err(_) => (Outcome::Reply(broken("archive-error", "the archive gave up")), None),
        };
        if !delay.is_zero() {
            sleep(delay).await;
        }
        match outcome {
            Outcome::Reply(reply) => Ok(reply.into_response(head, place)),
            Outcome::Closed => Err(Closed),
        }
    }

    /// Opens a tunnel. At its other end is no host, but this server with a certificate of the host.
    fn connect(self, mut request: hyper::Request<Incoming>) -> Response<Outgoing> {
        let refuse =
            |status, what, why: &str| Reply::own(status, what, why).into_response(false, None);
        let Some(host) = tunnel_host(request.uri()) else {
            return refuse(
                StatusCode::BAD_REQUEST,
                "bad-request",
                "CONNECT wants a host and a port",
            );
        };
        let name = request.uri().host().unwrap_or_default().to_ascii_lowercase();
        let name = name.trim_start_matches('[').trim_end_matches(']');
        let Some(authority) = &self.shared.authority else {
            let why =
                "https needs a certificate authority, and the server was given no folder for one";
            return refuse(StatusCode::NOT_IMPLEMENTED, "no-authority", why);
        };
        let config = match authority.config(name) {
            Ok(config) => config,
            Err(error) => {
                return refuse(StatusCode::BAD_GATEWAY, "no-certificate", &error.to_string());
            }
        };
        let upgrade = hyper::upgrade::on(&mut request);
        tokio::spawn(async move {
            let handshake = async {
                let stream = TokioIo::new(upgrade.await?);
                let stream = TlsAcceptor::from(config).accept(stream).await?;
                Ok::<_, Box<dyn Error + Send + Sync>>(stream)
            };
            if let Ok(Ok(stream)) = timeout(self.shared.limits.idle_time, handshake).await {
                self.through_tunnel(stream, host).await;
            }
        });
        Response::new(Outgoing::empty())
    }

    /// Boxed, since a connection is served within one.
    fn through_tunnel<S>(self, stream: S, host: String) -> Pin<Box<dyn Future<Output = ()> + Send>>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        Box::pin(self.serve(stream, Door::Tunnel(host)))
    }
}
