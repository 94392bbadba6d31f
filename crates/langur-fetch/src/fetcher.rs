//! The way of a fetch: a kept connection or a new one, an exchange, and the connection kept again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

use futures_util::FutureExt;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use crate::ask::Ask;
use crate::connect::connect;
use crate::exchange::{Exchanged, exchange};
use crate::failed::{Failure, FailureKind};
use crate::pace::Limits;
use crate::pool::{Place, Pool};
use crate::resolve::Resolver;
use crate::target::Target;
use crate::{Failed, FetchSettings, Request, Response, SettingsError};

/// Fetches URLs. Cheap to clone; clones share connections and what is known of names.
#[derive(Clone, Debug)]
pub struct Fetcher {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    settings: FetchSettings,
    ask: Ask,
    resolver: Resolver,
    pool: Pool<Connection>,
}

#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    address: SocketAddr,
}

impl Connection {
    /// Whether nothing came since the last exchange: no end, and nothing that nobody asked for.
    fn is_quiet(&mut self) -> bool {
        self.stream.read(&mut [0]).now_or_never().is_none()
    }
}

impl Fetcher {
    /// A fetcher that holds to these settings.
    pub fn new(settings: FetchSettings) -> Result<Fetcher, SettingsError> {
        let inner = Inner {
            ask: Ask::new(&settings)?,
            resolver: Resolver::new(&settings),
            pool: Pool::new(settings.idle_connections),
            settings,
        };
        Ok(Fetcher { inner: Arc::new(inner) })
    }

    /// The addresses of a host, a name in lower case or an address, that may be connected to. What is
    /// found is remembered for a while. Refused if all of them are private.
    pub async fn resolve(&self, host: &str, port: u16) -> Result<Arc<[SocketAddr]>, Failed> {
        let start = Instant::now();
        let resolved = self.inner.resolver.resolve(host, port).await;
        resolved.map_err(|failure| failure.after(start.elapsed()))
    }

    /// Fetches. Redirects are not followed. It ends within the settings' total time, whatever the
    /// server does.
    pub async fn get(&self, request: &Request) -> Result<Response, Failed> {
        let (began, start) = (SystemTime::now(), Instant::now());
        let fetched = self.inner.get(request, began, start).await;
        fetched.map_err(|failure| failure.after(start.elapsed()))
    }
}

impl Inner {
    async fn get(
        &self,
        request: &Request,
        began: SystemTime,
        start: Instant,
    ) -> Result<Response, Failure> {
        let target = Target::of(&request.url)?;
        let limits = self.limits(request, start);
        let sent = self.ask.write(request, &target, false);
        let place = Place { secure: target.secure, authority: target.authority.clone() };
        let (exchanged, connection) = self.exchange(&target, &place, &sent, &limits).await?;
        let address = connection.address;
        if exchanged.reusable {
            self.pool.put(place, connection);
        }
        Ok(Response {
            sent,
            received: exchanged.received,
            head: exchanged.head,
            status: exchanged.status,
            address,
            protocol: exchanged.protocol,
            tls: None,
            truncated: exchanged.truncated,
            began,
            waited: exchanged.first_byte - start,
            lasted: start.elapsed(),
        })
    }

    /// Over a kept connection, or, if there is none or it turns out to be closed, over a new one.
    async fn exchange(
        &self,
        target: &Target,
        place: &Place,
        sent: &[u8],
        limits: &Limits,
    ) -> Result<(Exchanged, Connection), Failure> {
        if let Some(mut kept) = self.pool.take(place)
            && kept.is_quiet()
        {
            match exchange(&mut kept.stream, sent, limits).await {
                Err(failure) if failure.kind == FailureKind::Closed => {}
                exchanged => return exchanged.map(|exchanged| (exchanged, kept)),
            }
        }
        let mut connection = self.open(target, limits.deadline).await?;
        let exchanged = exchange(&mut connection.stream, sent, limits).await?;
        Ok((exchanged, connection))
    }

    async fn open(&self, target: &Target, deadline: Instant) -> Result<Connection, Failure> {
        let addresses = self.resolver.resolve(target.host(), target.port).await?;
        let by = deadline.min(Instant::now() + self.settings.connect_timeout);
        match timeout_at(by, connect(&addresses)).await {
            Ok(Ok((stream, address))) => Ok(Connection { stream, address }),
            Ok(Err(error)) => Err(Failure::new(FailureKind::Connect, error.to_string())),
            Err(_) => Err(Failure::new(FailureKind::Timeout, "connecting took too long")),
        }
    }

    fn limits(&self, request: &Request, start: Instant) -> Limits {
        let settings = &self.settings;
        Limits {
            deadline: start + settings.total_timeout,
            head_timeout: settings.head_timeout,
            idle_timeout: settings.idle_timeout,
            min_bytes_per_second: settings.min_bytes_per_second,
            max_bytes: request.max_bytes.unwrap_or(settings.max_bytes),
            max_head: settings.max_head,
        }
    }
}
