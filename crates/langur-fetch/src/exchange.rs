//! One exchange of HTTP/1.x: a request is written, a response read.
//!
//! The buffer that is read into is the response that is given back. What comes before the final
//! response (those with a status below 200) and after its end is taken out.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use crate::failed::{Failure, FailureKind};
use crate::framing::{Framing, Progress};
use crate::head::{self, Head};
use crate::pace::{Limits, Pace};
use crate::{Protocol, Truncated};

/// Room for what comes next, at least.
const ROOM: usize = 4 << 10;
/// Most pages fit, and so does what one read of the system brings.
const FIRST_ROOM: usize = 16 << 10;
/// A length that is announced is made room for at once up to here; beyond, it must come first.
const BELIEVED: u64 = 1 << 20;

/// What came of it, over any version of HTTP.
#[derive(Debug)]
pub(crate) struct Exchanged {
    pub(crate) received: Vec<u8>,
    pub(crate) head: usize,
    pub(crate) status: u16,
    pub(crate) protocol: Protocol,
    pub(crate) truncated: Option<Truncated>,
    pub(crate) first_byte: Instant,
    /// Whether the connection can take the next request.
    pub(crate) reusable: bool,
}

/// Sends a request and reads the response to it.
pub(crate) async fn exchange<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    request: &[u8],
    limits: &Limits,
) -> Result<Exchanged, Failure> {
    let head_by = limits.head_by();
    match timeout_at(head_by, send(stream, request)).await {
        Err(_) => return Err(late("the request was not taken in time")),
        Ok(Err(error)) => return Err(closed(&format!("while the request was sent: {error}"))),
        Ok(Ok(())) => {}
    }
    let mut received = Vec::with_capacity(FIRST_ROOM);
    let (head, first_byte) = read_head(stream, &mut received, head_by, limits.max_head).await?;
    let (truncated, ended) = read_body(stream, &mut received, &head, limits).await;
    Ok(Exchanged {
        received,
        head: head.length,
        status: head.status,
        protocol: head.protocol,
        truncated,
        first_byte,
        // After 101 the connection speaks something else.
        reusable: head.keeps && ended && head.status != 101,
    })
}

async fn send<S: AsyncWrite + Unpin>(stream: &mut S, request: &[u8]) -> io::Result<()> {
    stream.write_all(request).await?;
    stream.flush().await
}

/// Reads until the head of the final response is all there. It then stands first in the buffer.
pub(crate) async fn read_head<S: AsyncRead + Unpin>(
    stream: &mut S,
    received: &mut Vec<u8>,
    by: Instant,
    max_head: usize,
) -> Result<(Head, Instant), Failure> {
    let mut first_byte = None;
    let mut seen = 0;
    // What informational responses have used up of the head's bytes.
    let mut spent = 0;
    loop {
        if seen == 0 {
            let blank = received.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
            received.drain(..blank);
            spent += blank;
        }
        if !head::may_begin(received) {
            let beginning = &received[..received.len().min(20)];
            let detail = format!("it begins with \"{}\"", beginning.escape_ascii());
            return Err(bad(&detail));
        }
        let end = head::end(received, seen);
        if spent + end.unwrap_or(received.len()) > max_head {
            return Err(bad(&format!("its head is longer than {max_head} bytes")));
        }
        match end {
            Some(end) => {
                let head = head::read(&received[..end]).map_err(|why| bad(&why))?;
                // Nobody asked to switch protocols, so 101 is an answer like any other.
                if head.status >= 200 || head.status == 101 {
                    return Ok((head, first_byte.unwrap_or_else(Instant::now)));
                }
                received.drain(..end);
                (seen, spent) = (0, spent + end);
                continue;
            }
            None => seen = received.len(),
        }
        received.reserve(ROOM);
        match timeout_at(by, stream.read_buf(received)).await {
            Err(_) if first_byte.is_none() => return Err(late("no response in time")),
            Err(_) => return Err(late("the head did not end in time")),
            Ok(Err(error)) => return Err(closed(&error.to_string())),
            Ok(Ok(0)) if first_byte.is_none() => return Err(closed("before a response")),
            Ok(Ok(0)) => return Err(closed("within the head")),
            Ok(Ok(_)) => first_byte = first_byte.or_else(|| Some(Instant::now())),
        }
    }
}

/// Reads the body behind the head; gives why it is not whole, and whether the connection stands
/// exactly at its end.
async fn read_body<S: AsyncRead + Unpin>(
    stream: &mut S,
    received: &mut Vec<u8>,
    head: &Head,
    limits: &Limits,
) -> (Option<Truncated>, bool) {
    let mut framing = head.framing.clone();
    let max = usize::try_from(limits.max_bytes).unwrap_or(usize::MAX);
    let max = head.length.saturating_add(max);
    if let Framing::Length(length) = framing {
        let believed = length.min(limits.max_bytes).min(BELIEVED) as usize;
        let whole = head.length + believed;
        received.reserve_exact(whole.saturating_sub(received.len()));
    }
    let pace = Pace::begin();
    let mut read = head.length;
    loop {
        let seen = received.len().min(max);
        match framing.advance(&received[read..seen]) {
            Progress::Ended(at) => {
                let exactly = read + at == received.len();
                received.truncate(read + at);
                return (None, exactly);
            }
            Progress::Malformed => {
                received.truncate(seen);
                return (Some(Truncated::Disconnect), false);
            }
            Progress::More => read = seen,
        }
        // A body that ends with the connection may be exactly as long as is wanted.
        if received.len() > max || (received.len() == max && framing != Framing::Close) {
            received.truncate(max);
            return (Some(Truncated::Length), false);
        }
        let Some(until) = pace.wait(limits, received.len() - head.length) else {
            return (Some(Truncated::Time), false);
        };
        if received.capacity() - received.len() < left(&framing).min(ROOM) {
            received.reserve(ROOM);
        }
        match timeout_at(until, stream.read_buf(received)).await {
            Err(_) => return (Some(Truncated::Time), false),
            Ok(Ok(0)) if framing == Framing::Close => return (None, false),
            // Over TLS an end without a farewell is an error here, and may be a cut (RFC 9112, 9.8).
            Ok(Ok(0) | Err(_)) => return (Some(Truncated::Disconnect), false),
            Ok(Ok(_)) => {}
        }
    }
}

/// How many bytes are known to be left, so that the room for them is not doubled for nothing.
fn left(framing: &Framing) -> usize {
    match framing {
        Framing::Length(left) => usize::try_from(*left).unwrap_or(usize::MAX),
        _ => usize::MAX,
    }
}

fn bad(why: &str) -> Failure {
    Failure::new(FailureKind::BadResponse, format!("not a response of HTTP: {why}"))
}

fn closed(why: &str) -> Failure {
    Failure::new(FailureKind::Closed, format!("the connection was closed: {why}"))
}

fn late(why: &str) -> Failure {
    Failure::new(FailureKind::Timeout, why)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{DuplexStream, duplex};
    use tokio::time::sleep;

    use super::*;

    fn limits() -> Limits {
        Limits {
            deadline: Instant::now() + Duration::from_secs(120),
            head_timeout: Duration::from_secs(20),
            idle_timeout: Duration::from_secs(20),
            min_bytes_per_second: 100,
            max_bytes: 1 << 20,
            max_head: 1 << 10,
        }
    }

    /// Sends the head, then so many bytes every second, to the end of time.
    async fn drip(mut stream: DuplexStream, bytes: usize) -> io::Result<()> {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
        loop {
            stream.write_all(&vec![b'x'; bytes]).await?;
            sleep(Duration::from_secs(1)).await;
        }
    }

    async fn check(bytes: usize, seconds: u64) {
        let (mut ours, theirs) = duplex(1 << 16);
        tokio::spawn(drip(theirs, bytes));
        let (start, limits) = (Instant::now(), limits());
        let exchanged = exchange(&mut ours, b"GET", &limits).await.expect("a head");
        assert_eq!(exchanged.truncated, Some(Truncated::Time));
        assert!(!exchanged.reusable);
        assert_eq!(start.elapsed().as_secs(), seconds);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_drips_is_cut_after_ten_seconds() {
        check(1, 10).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_flows_is_cut_at_the_deadline() {
        check(200, 120).await;
    }
}
