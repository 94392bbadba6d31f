//! From addresses to a connection.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpStream;
use tokio::time::sleep;

/// How long an address is given before the next is tried beside it (RFC 8305, section 5).
const HEAD_START: Duration = Duration::from_millis(250);
/// The most addresses of a host that are tried.
const TRIED: usize = 8;

/// Connects to the first address that takes the connection. They are tried in their order, each with
/// a head start on the next.
pub(crate) async fn connect(addresses: &[SocketAddr]) -> io::Result<(TcpStream, SocketAddr)> {
    if let [address] = addresses {
        return open(*address).await;
    }
    let mut waiting = addresses.iter().take(TRIED).copied();
    let mut trying = FuturesUnordered::new();
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    loop {
        let next = waiting.next();
        let all = next.is_none();
        trying.extend(next.map(open));
        tokio::select! {
            tried = trying.next() => match tried {
                Some(Ok(opened)) => return Ok(opened),
                Some(Err(error)) => last = error,
                None => return Err(last),
            },
            () = sleep(HEAD_START), if !all => {}
        }
    }
}

async fn open(address: SocketAddr) -> io::Result<(TcpStream, SocketAddr)> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok((stream, address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    /// An address that refuses connections: someone listened there a moment ago.
    async fn refusing() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        listener.local_addr().expect("an address")
    }

    #[tokio::test]
    async fn an_address_that_refuses_is_followed_by_the_next() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let good = listener.local_addr().expect("an address");
        let addresses = [refusing().await, refusing().await, good];
        let (_, address) = connect(&addresses).await.expect("a connection");
        assert_eq!(address, good);
    }

    #[tokio::test]
    async fn without_any_the_last_error_is_told() {
        let addresses = [refusing().await, refusing().await];
        let error = connect(&addresses).await.expect_err("nobody listens");
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        assert!(connect(&[]).await.is_err());
    }
}
