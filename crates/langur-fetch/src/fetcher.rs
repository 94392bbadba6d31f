//! The way of a fetch: a kept connection or a new one, an exchange, and the connection kept again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use crate::ask::{Ask, Asked};
use crate::connection::Connection;
use crate::dial::Dialer;
use crate::exchange::Exchanged;
use crate::failed::{Failure, FailureKind};
use crate::pace::{Limits, after};
use crate::pool::{Place, Pool};
use crate::target::Target;
use crate::{Failed, FetchSettings, Request, Response, SettingsError};

/// Fetches URLs. Cheap to clone; clones share connections and what is known of names.
#[derive(Clone)]
pub struct Fetcher {
    inner: Arc<Inner>,
}

struct Inner {
    settings: FetchSettings,
    ask: Ask,
    dialer: Dialer,
    pool: Pool<Connection>,
}

impl Fetcher {
    /// A fetcher that holds to these settings.
    pub fn new(settings: FetchSettings) -> Result<Fetcher, SettingsError> {
        let inner = Inner {
            ask: Ask::new(&settings)?,
            dialer: Dialer::new(&settings)?,
            pool: Pool::new(settings.idle_connections),
            settings,
        };
        Ok(Fetcher { inner: Arc::new(inner) })
    }

    /// The addresses of a host, a name in lower case or an address, that may be connected to. What is
    /// found is remembered for a while. Refused if all of them are private.
    pub async fn resolve(&self, host: &str, port: u16) -> Result<Arc<[SocketAddr]>, Failed> {
        let start = Instant::now();
        let resolved = self.inner.dialer.resolver.resolve(host, port).await;
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
        let to_proxy = self.dialer.proxy(&target).is_some_and(|proxy| proxy.reads(&target));
        let asked = self.ask.asked(request, &target, to_proxy);
        let place = Place { secure: target.secure, authority: target.authority.clone() };
        let respite = request.respite;
        let (exchanged, connection) =
            self.exchange(&target, &place, &asked, &limits, respite).await?;
        let (address, tls) = (connection.address, connection.tls.clone());
        if exchanged.reusable {
            self.pool.put(place, connection);
        }
        Ok(Response {
            sent: asked.bytes,
            received: exchanged.received,
            head: exchanged.head,
            status: exchanged.status,
            address,
            protocol: exchanged.protocol,
            tls,
            truncated: exchanged.truncated,
            began,
            waited: exchanged.first_byte - start,
            lasted: start.elapsed(),
        })
    }

    /// Over a kept connection, or, if there is none, over a new one; after a respite, if the kept one turns out to be of no use.
    async fn exchange(
        &self,
        target: &Target,
        place: &Place,
        asked: &Asked<'_>,
        limits: &Limits,
        respite: Duration,
    ) -> Result<(Exchanged, Connection), Failure> {
        if let Some(mut kept) = self.pool.take(place)
            && kept.is_quiet()
        {
            match kept.exchange(asked, limits).await {
                // It was closed meanwhile, or held what was left of the last response.
                Err(Failure { kind: FailureKind::Closed | FailureKind::BadResponse, .. })
                    if after(Instant::now(), respite) < limits.deadline =>
                {
                    tokio::time::sleep(respite).await;
                }
                exchanged => return exchanged.map(|exchanged| (exchanged, kept)),
            }
        }
        // Aside, since most requests need no new connection, and all would carry the room that a handshake takes.
        let mut connection = Box::pin(self.dialer.dial(target, limits.deadline)).await?;
        let exchanged = connection.exchange(asked, limits).await?;
        Ok((exchanged, connection))
    }

    fn limits(&self, request: &Request, start: Instant) -> Limits {
        let settings = &self.settings;
        Limits {
            deadline: after(start, settings.total_timeout),
            head_timeout: settings.head_timeout,
            idle_timeout: settings.idle_timeout,
            min_bytes_per_second: settings.min_bytes_per_second,
            max_bytes: request.max_bytes.unwrap_or(settings.max_bytes),
            max_head: settings.max_head,
        }
    }
}
