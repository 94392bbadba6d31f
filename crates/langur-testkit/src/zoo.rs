//! Hostile servers, on loopback.
//!
//! Each function starts one and gives its address; it is called within a tokio runtime, and the server
//! lives as long as that does. A connection that the other side closes is the end of a server's
//! interest in it, so that none of these fails a test by itself: what the visitor makes of it is
//! for the test to say.

use std::io::{self, Read};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use flate2::{Compress, Compression, Crc, FlushCompress};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

use crate::certified::certified;

/// What the bombs unpack to.
pub const BLAST: usize = 32 << 20;

/// Starts a server on a free port; each connection is given to `serve`.
pub fn start<F, S>(serve: S) -> SocketAddr
where
    F: Future<Output = io::Result<()>> + Send + 'static,
    S: Fn(TcpStream) -> F + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    listener.set_nonblocking(true).expect("a listener that does not block");
    let listener = tokio::net::TcpListener::from_std(listener).expect("a tokio runtime");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    address
}

/// Reads the head of a request; gives its path.
pub async fn asked(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head);
    Ok(head.split(' ').nth(1).unwrap_or_default().to_owned())
}

/// Answers every request with these bytes, over connections that stay open.
pub fn says(answer: impl Into<Vec<u8>>) -> SocketAddr {
    let answer: Arc<[u8]> = answer.into().into();
    answers(move |_| answer.to_vec())
}

/// Answers every request with these bytes and closes the connection.
fn says_once(answer: impl Into<Vec<u8>>) -> SocketAddr {
    let answer: Arc<[u8]> = answer.into().into();
    start(move |mut stream| {
        let answer = Arc::clone(&answer);
        async move {
            asked(&mut stream).await?;
            stream.write_all(&answer).await?;
            stream.shutdown().await
        }
    })
}

/// Answers by the path.
fn answers(answer: impl Fn(&str) -> Vec<u8> + Clone + Send + Sync + 'static) -> SocketAddr {
    start(move |mut stream| {
        let answer = answer.clone();
        async move {
            loop {
                let path = asked(&mut stream).await?;
                stream.write_all(&answer(&path)).await?;
            }
        }
    })
}

/// First this, then that without end.
fn says_for_ever(first: &'static str, then: &'static str) -> SocketAddr {
    let then: Arc<str> = then.repeat(1 + (16 << 10) / then.len()).into();
    start(move |mut stream| {
        let then = Arc::clone(&then);
        async move {
            asked(&mut stream).await?;
            stream.write_all(first.as_bytes()).await?;
            loop {
                stream.write_all(then.as_bytes()).await?;
            }
        }
    })
}

/// First this at once, then that byte by byte, over and over.
fn says_slowly(first: &'static str, then: &'static str, pause: Duration) -> SocketAddr {
    start(move |mut stream| async move {
        asked(&mut stream).await?;
        stream.set_nodelay(true)?;
        stream.write_all(first.as_bytes()).await?;
        for byte in then.bytes().cycle() {
            stream.write_u8(byte).await?;
            sleep(pause).await;
        }
        Ok(())
    })
}

fn page(body: &str) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ";
    format!("{head}{}\r\n\r\n{body}", body.len()).into_bytes()
}

fn packed(coding: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// A body without end.
pub fn endless_body() -> SocketAddr {
    says_for_ever("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "<p>more</p>\n")
}

/// Chunks without end.
pub fn endless_chunks() -> SocketAddr {
    says_for_ever("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "6\r\nchunk\n\r\n")
}

/// A head without end.
pub fn endless_headers() -> SocketAddr {
    says_for_ever("HTTP/1.1 200 OK\r\n", "X-More: and more\r\n")
}

/// Informational responses without end.
pub fn endless_hints() -> SocketAddr {
    says_for_ever("", "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
}

/// A head that comes byte by byte and never ends: the slow loris.
pub fn slow_head(pause: Duration) -> SocketAddr {
    says_slowly("HTTP/1.1 200 OK\r\n", "X-Slow: very\r\n", pause)
}

/// A body that comes byte by byte and never ends.
pub fn slow_body(pause: Duration) -> SocketAddr {
    says_slowly("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "slow ", pause)
}

/// A page that is elsewhere, where it is here.
pub fn redirect_loop() -> SocketAddr {
    answers(|path| {
        let to = if path == "/a" { "/b" } else { "/a" };
        format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into_bytes()
    })
}

/// A few kilobytes of gzip that unpack to [`BLAST`] bytes.
///
/// After a full flush deflate begins anew, so that one piece is packed and then repeated.
pub fn gzip_bomb() -> SocketAddr {
    let piece = vec![b' '; 1 << 20];
    let (mut packed_piece, mut crc, mut piece_crc) = (Vec::new(), Crc::new(), Crc::new());
    packed_piece.reserve(1 << 16);
    piece_crc.update(&piece);
    Compress::new(Compression::best(), false)
        .compress_vec(&piece, &mut packed_piece, FlushCompress::Full)
        .expect("room for a piece");
    let mut body = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    for _ in 0..BLAST / piece.len() {
        body.extend_from_slice(&packed_piece);
        crc.combine(&piece_crc);
    }
    // The last block, with nothing in it; then what was packed.
    body.extend_from_slice(&[3, 0]);
    body.extend_from_slice(&crc.sum().to_le_bytes());
    body.extend_from_slice(&crc.amount().to_le_bytes());
    says(packed("gzip", &body))
}

/// A few kilobytes of zstd that unpack to [`BLAST`] bytes.
pub fn zstd_bomb() -> SocketAddr {
    let body = zstd::encode_all(io::repeat(b' ').take(BLAST as u64), 1).expect("memory takes it");
    says(packed("zstd", &body))
}

/// A robots.txt that goes on for a hundred megabytes.
pub fn huge_robots() -> SocketAddr {
    says_for_ever(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000000\r\n\r\n\
         User-agent: *\n",
        "Disallow: /private/\n",
    )
}

/// Closes every connection at once.
pub fn closes_at_once() -> SocketAddr {
    start(|stream| async move {
        drop(stream);
        Ok(())
    })
}

/// Hears the request and closes the connection.
pub fn closes_when_asked() -> SocketAddr {
    says_once("")
}

/// Closes within the head.
pub fn closes_within_the_head() -> SocketAddr {
    says_once("HTTP/1.1 200 OK\r\nContent-Type: te")
}

/// Announces more than it sends, and closes.
pub fn closes_within_the_body() -> SocketAddr {
    says_once("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<html>half a pa")
}

/// Closes after a chunk that is not the last.
pub fn closes_within_the_chunks() -> SocketAddr {
    says_once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
}

/// Sends more than it announces.
pub fn understates_its_length() -> SocketAddr {
    says("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>and much more than six bytes")
}

/// A length that is no number, over a connection that is then closed.
pub fn senseless_length() -> SocketAddr {
    says_once("HTTP/1.1 200 OK\r\nContent-Length: -5\r\nContent-Length: many\r\n\r\n<html>")
}

/// Half a line end within a field, for who takes it for a whole one.
pub fn injected_header() -> SocketAddr {
    says("HTTP/1.1 200 OK\r\nX-A: b\rSet-Cookie: c\r\nContent-Length: 6\r\n\r\n<html>")
}

/// NUL bytes in names and values.
pub fn nul_in_headers() -> SocketAddr {
    says("HTTP/1.1 200 OK\r\nX-A: b\0c\r\nX\0Y: z\r\nContent-Length: 6\r\n\r\n<html>")
}

/// Line feeds alone, fields without a name or a colon, and one that is continued.
pub fn careless_headers() -> SocketAddr {
    says(
        "HTTP/1.1 200\nX-A: b\n: nameless\r\nno colon\r\nspaced out : c\r\nX-D: e\r\n\tf\r\n\
         Content-Length:6\n\n<html>",
    )
}

/// A second response in the body's place, for who believes the wrong length.
pub fn split_response() -> SocketAddr {
    says([page("<p>first</p>"), page("<p>forged</p>")].concat())
}

/// Hears the request, and that is all.
pub fn never_answers() -> SocketAddr {
    start(|mut stream| async move {
        asked(&mut stream).await?;
        // Until the visitor gives up.
        while stream.read(&mut [0]).await? > 0 {}
        Ok(())
    })
}

/// Something other than HTTP.
pub fn speaks_ssh() -> SocketAddr {
    says("SSH-2.0-OpenSSH_9.6\r\n")
}

/// A chunk larger than numbers go.
pub fn overflowing_chunk() -> SocketAddr {
    says(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n\
         fffffffffffffffff\r\nbad\r\n0\r\n\r\n",
    )
}

/// Plain HTTP on a port for https.
pub fn plain_on_https() -> SocketAddr {
    start(|mut stream| async move {
        stream.read_u8().await?;
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await
    })
}

/// A certificate that nobody vouches for.
pub fn self_signed() -> SocketAddr {
    let (config, _) = certified(&["localhost".to_owned(), "127.0.0.1".to_owned()]);
    let acceptor = TlsAcceptor::from(config);
    start(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let mut stream = acceptor.accept(stream).await?;
            stream.write_all(&page("<p>trust me</p>")).await
        }
    })
}

/// Every page links to itself under a new session, for ever.
pub fn session_trap() -> SocketAddr {
    answers(|path| {
        let session = path.rsplit_once("sid=").and_then(|(_, id)| id.parse::<u64>().ok());
        // Any number that follows from the last and looks like none before.
        let next = session.unwrap_or(0).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        page(&format!("<a href=\"/shop?sid={next}\">shop</a>"))
    })
}

/// Every month links to the next, for ever.
pub fn calendar_trap() -> SocketAddr {
    answers(|path| {
        let month = path.rsplit_once('=').and_then(|(_, month)| month.parse::<u64>().ok());
        let next = month.unwrap_or(0).saturating_add(1);
        page(&format!("<a href=\"/calendar?month={next}\">next month</a>"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;

    async fn body(address: SocketAddr) -> Vec<u8> {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").await.expect("sent");
        stream.shutdown().await.expect("nothing more to ask");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer");
        let head = answer.windows(4).position(|end| end == b"\r\n\r\n").expect("a head");
        answer.split_off(head + 4)
    }

    #[tokio::test]
    async fn bombs_go_off() {
        let packed = body(gzip_bomb()).await;
        let blast = io::copy(&mut GzDecoder::new(&packed[..]), &mut io::sink()).expect("gzip");
        assert_eq!(blast, BLAST as u64);
        let packed = body(zstd_bomb()).await;
        let mut unpacker = zstd::Decoder::new(&packed[..]).expect("zstd");
        assert_eq!(io::copy(&mut unpacker, &mut io::sink()).expect("zstd"), BLAST as u64);
    }
}
