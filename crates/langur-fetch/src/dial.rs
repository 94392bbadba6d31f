//! From a URL to a connection: where the host is, the way there, and what is spoken.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use crate::connect::connect;
use crate::connection::{Connection, Wire};
use crate::failed::{Failure, FailureKind};
use crate::http2::Http2;
use crate::pace::after;
use crate::proxy::Proxy;
use crate::resolve::{Resolver, refused};
use crate::target::Target;
use crate::tls::{Tls, agreed};
use crate::{FetchSettings, SettingsError};

/// Makes connections.
#[derive(Debug)]
pub(crate) struct Dialer {
    pub(crate) resolver: Resolver,
    proxy: Option<Proxy>,
    tls: Tls,
    timeout: Duration,
    max_head: usize,
}

impl Dialer {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Dialer, SettingsError> {
        Ok(Dialer {
            resolver: Resolver::new(settings)?,
            proxy: settings.proxy.as_deref().map(Proxy::read).transpose()?,
            tls: Tls::new(settings)?,
            timeout: settings.connect_timeout,
            max_head: settings.max_head,
        })
    }

    /// The proxy on the way to a target. Hosts that the operator knows the address of have none.
    pub(crate) fn proxy(&self, target: &Target) -> Option<&Proxy> {
        self.proxy.as_ref().filter(|_| self.resolver.overridden(target.host()).is_none())
    }

    /// Connects to a target.
    pub(crate) async fn dial(
        &self,
        target: &Target,
        deadline: Instant,
    ) -> Result<Connection, Failure> {
        let (host, port) = (target.host(), target.port);
        let late = |_| {
            let detail = format!("connecting to {host}, port {port}, took too long");
            Failure::new(FailureKind::Timeout, detail)
        };
        let addresses = self.addresses(target);
        let addresses = timeout_at(deadline, addresses).await.map_err(late)??;
        let by = deadline.min(after(Instant::now(), self.timeout));
        timeout_at(by, self.reach(target, &addresses, by)).await.map_err(late)?
    }

    /// Where to connect to: the target's addresses, or the proxy's.
    async fn addresses(&self, target: &Target) -> Result<Arc<[SocketAddr]>, Failure> {
        let Some(proxy) = self.proxy(target) else {
            return self.resolver.resolve(target.host(), target.port).await;
        };
        if let Some(address) = target.address()
            && !self.resolver.may_connect(address)
        {
            return Err(refused(target.host(), address));
        }
        let found = self.resolver.resolve_trusted(&proxy.host, proxy.port).await;
        found.map_err(|failure| {
            Failure::new(FailureKind::Proxy, format!("cannot find the proxy: {}", failure.detail))
        })
    }

    async fn reach(
        &self,
        target: &Target,
        addresses: &[SocketAddr],
        by: Instant,
    ) -> Result<Connection, Failure> {
        let proxy = self.proxy(target);
        let (mut stream, address) = connect(addresses).await.map_err(|error| match proxy {
            Some(proxy) => {
                let detail = format!("no connection to the proxy {}: {error}", proxy.host);
                Failure::new(FailureKind::Proxy, detail)
            }
            None => {
                let (host, port) = (target.host(), target.port);
                let detail = format!("no connection to {host}, port {port}: {error}");
                Failure::new(FailureKind::Connect, detail)
            }
        })?;
        if let Some(proxy) = proxy {
            proxy.ask(&mut stream, target, by, self.max_head).await?;
        }
        if target.secure {
            self.secure(stream, address, target).await
        } else {
            Ok(Connection { address, tls: None, wire: Wire::Http1(Box::new(stream)) })
        }
    }

    async fn secure(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        target: &Target,
    ) -> Result<Connection, Failure> {
        let stream = self.tls.secure(stream, target.host()).await?;
        let (tls, is_http2) = agreed(&stream);
        let wire = if is_http2 {
            Wire::Http2(Http2::begin(stream, self.max_head).await?)
        } else {
            Wire::Http1(Box::new(stream))
        };
        Ok(Connection { address, tls, wire })
    }
}
