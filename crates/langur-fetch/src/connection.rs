//! A connection to a server, whatever it speaks.

use std::net::SocketAddr;

use futures_util::FutureExt;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

use crate::ask::Asked;
use crate::exchange::{Exchanged, exchange};
use crate::failed::Failure;
use crate::http2::Http2;
use crate::pace::Limits;

/// Something to read from and write to, with TLS or without.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A connection to a server.
pub(crate) struct Connection {
    pub(crate) address: SocketAddr,
    /// Version and cipher suite of TLS.
    pub(crate) tls: Option<String>,
    pub(crate) wire: Wire,
}

/// What is spoken over it.
pub(crate) enum Wire {
    Http1(Box<dyn Stream>),
    Http2(Http2),
}

impl Connection {
    /// Sends a request and reads the response to it.
    pub(crate) async fn exchange(
        &mut self,
        asked: &Asked<'_>,
        limits: &Limits,
    ) -> Result<Exchanged, Failure> {
        match &mut self.wire {
            Wire::Http1(stream) => exchange(stream, &asked.bytes, limits).await,
            Wire::Http2(connection) => Box::pin(connection.exchange(asked.http2()?, limits)).await,
        }
    }

    /// Whether a kept connection can take another request: nothing came since the last exchange, no
    /// end, and nothing that nobody asked for. What a server sends of its own accord from now on is
    /// taken for the response, as HTTP/1.1 has no way to tell.
    pub(crate) fn is_quiet(&mut self) -> bool {
        match &mut self.wire {
            Wire::Http1(stream) => stream.read(&mut [0]).now_or_never().is_none(),
            Wire::Http2(connection) => connection.is_open(),
        }
    }
}
