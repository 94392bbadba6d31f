//! One exchange of HTTP/2, written as one of HTTP/1.1.
//!
//! On the wire a head of HTTP/2 is compressed against all that came before on the connection, so that
//! its bytes mean nothing to who reads them later. Archives keep HTTP/1.1, and so it is written:
//! `HTTP/1.1 200 OK`, the fields in their order, the length of what came, the body.

use std::error::Error;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::exchange::Exchanged;
use crate::failed::{Failure, FailureKind};
use crate::pace::{Limits, Pace};
use crate::{Protocol, Truncated};

/// What a server may send before we have read it: a page, and not much more.
const WINDOW: u32 = 1 << 20;

/// A connection that speaks HTTP/2.
#[derive(Debug)]
pub(crate) struct Http2 {
    sender: SendRequest<Empty<Bytes>>,
    /// Reads and writes for as long as the connection is wanted.
    task: JoinHandle<()>,
}

impl Drop for Http2 {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Http2 {
    /// Begins to speak over a secured connection.
    pub(crate) async fn begin<S>(stream: S, max_head: usize) -> Result<Http2, Failure>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let begun = Builder::new(TokioExecutor::new())
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .max_header_list_size(u32::try_from(max_head).unwrap_or(u32::MAX))
            .handshake(TokioIo::new(stream))
            .await;
        let (sender, connection) = begun.map_err(|error| failure(&error))?;
        // How the connection ends is told to who waits for a response.
        let task = tokio::spawn(async move { drop(connection.await) });
        Ok(Http2 { sender, task })
    }

    /// Whether another request can be sent.
    pub(crate) fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Sends a request and reads the response to it.
    pub(crate) async fn exchange(
        &mut self,
        request: http::Request<Empty<Bytes>>,
        limits: &Limits,
    ) -> Result<Exchanged, Failure> {
        let answered = async {
            self.sender.ready().await?;
            self.sender.send_request(request).await
        };
        let answered = timeout_at(limits.head_by(), answered).await;
        let late = || Failure::new(FailureKind::Timeout, "no response in time");
        let response = answered.map_err(|_| late())?.map_err(|error| failure(&error))?;
        let first_byte = Instant::now();
        let (parts, body) = response.into_parts();
        let mut received = head(parts.status, &parts.headers);
        let length_at = received.len();
        let told = content_length(&parts.headers);
        let bodiless = matches!(parts.status.as_u16(), 204 | 304);
        if !bodiless {
            received.extend_from_slice(length_line(told.unwrap_or(0)).as_bytes());
        }
        let length_line_end = received.len();
        received.extend_from_slice(b"\r\n");
        let mut head = received.len();
        let truncated = read_body(body, &mut received, limits).await;
        let came = (received.len() - head) as u64;
        // The length was not told before, or was not true: it is written again, and the body moves.
        if !bodiless && told.unwrap_or(0) != came {
            let before = received.len();
            received.splice(length_at..length_line_end, length_line(came).into_bytes());
            head = head + received.len() - before;
        }
        Ok(Exchanged {
            received,
            head,
            status: parts.status.as_u16(),
            protocol: Protocol::Http2,
            truncated,
            first_byte,
            reusable: truncated.is_none(),
        })
    }
}

fn head(status: StatusCode, fields: &HeaderMap) -> Vec<u8> {
    let mut head = Vec::with_capacity(1 << 10);
    let reason = status.canonical_reason().unwrap_or_default();
    head.extend_from_slice(format!("HTTP/1.1 {} {reason}\r\n", status.as_str()).as_bytes());
    for (name, value) in fields {
        // Neither frames this message: there are no chunks, and the length is that of what comes.
        if *name != header::CONTENT_LENGTH && *name != header::TRANSFER_ENCODING {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                head.extend_from_slice(part);
            }
        }
    }
    head
}

fn length_line(length: u64) -> String {
    format!("content-length: {length}\r\n")
}

fn content_length(fields: &HeaderMap) -> Option<u64> {
    fields.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

async fn read_body(
    mut body: Incoming,
    received: &mut Vec<u8>,
    limits: &Limits,
) -> Option<Truncated> {
    let head = received.len();
    let max = usize::try_from(limits.max_bytes).unwrap_or(usize::MAX);
    let pace = Pace::begin();
    loop {
        let came = received.len() - head;
        let Some(until) = pace.wait(limits, came) else { return Some(Truncated::Time) };
        let bytes = match timeout_at(until, body.frame()).await {
            Err(_) => return Some(Truncated::Time),
            Ok(None) => return None,
            Ok(Some(Err(_))) => return Some(Truncated::Disconnect),
            // A trailer is not part of the message as it is written.
            Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
        };
        received.extend_from_slice(&bytes[..bytes.len().min(max - came)]);
        if bytes.len() > max - came {
            return Some(Truncated::Length);
        }
    }
}

/// What the server or the network did is a closed connection, what we could not read is not HTTP.
fn failure(error: &hyper::Error) -> Failure {
    let by_us = error
        .source()
        .and_then(|source| source.downcast_ref::<h2::Error>())
        .is_some_and(|error| error.is_library());
    let said = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    if by_us {
        Failure::new(FailureKind::BadResponse, format!("not a response of HTTP/2: {said}"))
    } else {
        Failure::new(FailureKind::Closed, format!("the connection was closed: {said}"))
    }
}
