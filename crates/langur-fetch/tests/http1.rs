//! Responses of HTTP/1.x, byte for byte.
//!
//! Random responses are sent over kept connections, in pieces of random size, and each must come back
//! as the server wrote it: not a byte of the informational responses before it, of the next response,
//! or of the junk after it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use langur_fetch::{FetchSettings, Fetcher, Protocol, Request, Truncated};
use langur_testkit::zoo;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::io::AsyncWriteExt;
use tokio::runtime::Builder;

/// What a server writes, and what of it is the response.
#[derive(Clone, Debug)]
struct Answer {
    before: String,
    response: Vec<u8>,
    after: &'static str,
    status: u16,
    protocol: Protocol,
    /// Whether the server closes the connection after it.
    closes: bool,
    /// Whether the connection is good for another request.
    keeps: bool,
    /// How many bytes are written at a time.
    piece: usize,
}

/// How a body is framed.
#[derive(Clone, Copy, Debug)]
enum Framed {
    Length,
    Chunks,
    Close,
}

prop_compose! {
    fn answer()(
        status in prop_oneof![5 => Just(200), 1 => Just(404), 1 => Just(204), 1 => Just(304), 1 => Just(500)],
        old in prop::bool::weighted(0.2),
        reason in prop_oneof![Just(" OK"), Just(""), Just(" "), Just(" Not  At All")],
        line_end in prop_oneof![4 => Just("\r\n"), 1 => Just("\n")],
        fields in fields(),
        framed in prop_oneof![Just(Framed::Length), Just(Framed::Chunks), Just(Framed::Close)],
        body in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..300), 0..8),
        decoration in any::<u8>(),
        hints in prop::collection::vec(prop_oneof![Just("100 Continue"), Just("103 Early Hints")], 0..3),
        after in prop_oneof![8 => Just(""), 1 => Just("junk"), 1 => Just("HTTP/1.1 200 OK\r\n\r\n")],
        closes in prop::bool::weighted(0.2),
        piece in prop_oneof![Just(1_usize), 2_usize..50, Just(100_000)],
    ) -> Answer {
        let bodiless = status == 204 || status == 304;
        let framed = if old && matches!(framed, Framed::Chunks) { Framed::Length } else { framed };
        let protocol = if old { Protocol::Http10 } else { Protocol::Http11 };
        let mut head = format!("{protocol} {status}{reason}{line_end}");
        for field in &fields {
            head.push_str(field);
            head.push_str(line_end);
        }
        let plain = body.concat();
        let written = match framed {
            _ if bodiless => Vec::new(),
            Framed::Length => {
                let name = ["Content-Length", "content-length", "CONTENT-LENGTH"][usize::from(decoration % 3)];
                head.push_str(&format!("{name}: {}{line_end}", plain.len()));
                plain
            }
            Framed::Chunks => {
                let name = ["Transfer-Encoding", "transfer-encoding"][usize::from(decoration % 2)];
                head.push_str(&format!("{name}:chunked{line_end}"));
                chunks(&body, decoration)
            }
            Framed::Close => plain,
        };
        head.push_str(line_end);
        let by_close = matches!(framed, Framed::Close) && !bodiless;
        // A body that ends with the connection has nothing after it.
        let after = if by_close { "" } else { after };
        let before = hints.iter().map(|hint| format!("HTTP/1.1 {hint}\r\nLink: </a.css>\r\n\r\n")).collect();
        let response = [head.into_bytes(), written].concat();
        let closes = closes || by_close;
        let keeps = !closes && after.is_empty() && (!old || fields.contains(&"Connection: keep-alive"));
        Answer { before, response, after, status, protocol, closes, keeps, piece }
    }
}

/// Chunks with the oddities that are allowed.
fn chunks(body: &[Vec<u8>], decoration: u8) -> Vec<u8> {
    let mut written = Vec::new();
    for (number, chunk) in body.iter().enumerate() {
        let size = match (usize::from(decoration) + number) % 5 {
            0 => format!("{:x}", chunk.len()),
            1 => format!("{:X} ", chunk.len()),
            2 => format!("{:08x}", chunk.len()),
            3 => format!("{:x};name=\"va;lue\";other", chunk.len()),
            _ => format!("{:x} ; spaced", chunk.len()),
        };
        written.extend_from_slice(size.as_bytes());
        written.extend_from_slice(b"\r\n");
        written.extend_from_slice(chunk);
        written.extend_from_slice(b"\r\n");
    }
    let last: &[u8] = match decoration % 4 {
        0 => b"0\r\n\r\n",
        1 => b"000;last\r\n\r\n",
        2 => b"0\r\nExpires: never\r\n\r\n",
        _ => b"0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n",
    };
    written.extend_from_slice(last);
    written
}

fn fields() -> impl Strategy<Value = Vec<&'static str>> {
    let field = prop_oneof![
        Just("Content-Type: text/html; charset=tis-620"),
        Just("content-TYPE:text/html"),
        Just("Set-Cookie: a=b"),
        Just("X-Space:    much   of  it   "),
        Just("X-Before : colon"),
        Just("X-Empty:"),
        Just("X-Foreign: ภาษาไทย"),
        Just("X-Folded: one\r\n two"),
        Just("no field at all"),
        Just("Connection: keep-alive"),
    ];
    prop::collection::vec(field, 0..12)
}

/// Answers each request with the next answer, whatever connection it comes over.
fn server(answers: Vec<Answer>, connections: Arc<AtomicUsize>) -> std::net::SocketAddr {
    let answers = Arc::new(Mutex::new(VecDeque::from(answers)));
    zoo::start(move |mut stream| {
        let answers = Arc::clone(&answers);
        connections.fetch_add(1, Ordering::Relaxed);
        async move {
            stream.set_nodelay(true)?;
            loop {
                zoo::asked(&mut stream).await?;
                let Some(answer) = answers.lock().expect("nobody panicked").pop_front() else {
                    return Ok(());
                };
                let all = [answer.before.as_bytes(), &answer.response].concat();
                // What is sent too much comes with the last piece. Later, it would be at the mercy of
                // chance whether it is seen before the next request or taken for its response.
                let (last, pieces) = (all.len() - 1, all.chunks(answer.piece));
                for (number, piece) in pieces.enumerate() {
                    if number * answer.piece + piece.len() > last {
                        stream.write_all(&[piece, answer.after.as_bytes()].concat()).await?;
                    } else {
                        stream.write_all(piece).await?;
                    }
                    tokio::task::yield_now().await;
                }
                if answer.closes {
                    return Ok(());
                }
            }
        }
    })
}

#[test]
fn responses_come_back_as_they_were_written() {
    let config = Config { cases: 80, failure_persistence: None, ..Config::default() };
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let settings = FetchSettings { allow_private: true, ..FetchSettings::default() };
    let fetcher = Fetcher::new(settings).expect("a fetcher");
    let run = |answers: Vec<Answer>| {
        runtime.block_on(async {
            let connections = Arc::new(AtomicUsize::new(0));
            let address = server(answers.clone(), Arc::clone(&connections));
            for answer in &answers {
                let request = Request::of(format!("http://{address}/"));
                let response = fetcher.get(&request).await;
                let response = response.map_err(|failed| TestCaseError::fail(failed.detail))?;
                let received = response.received.escape_ascii().to_string();
                prop_assert_eq!(received, answer.response.escape_ascii().to_string());
                prop_assert_eq!(
                    (response.status, response.protocol),
                    (answer.status, answer.protocol)
                );
                prop_assert_eq!(response.truncated, None);
                prop_assert!(response.sent.starts_with(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:"));
                prop_assert!(response.waited <= response.lasted);
                prop_assert_eq!(response.address, address);
            }
            let last = answers.len() - 1;
            let expected = 1 + answers[..last].iter().filter(|answer| !answer.keeps).count();
            prop_assert_eq!(connections.load(Ordering::Relaxed), expected);
            Ok(())
        })
    };
    let cases = prop::collection::vec(answer(), 1..12);
    TestRunner::new(config).run(&cases, run).expect("every response as it was written");
}

/// Whoever closes a kept connection may have read the request, so the second one keeps the distance that requests have.
#[tokio::test(start_paused = true)]
async fn a_second_request_over_another_connection_keeps_its_distance() {
    let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let address = zoo::start(move |mut stream| {
        let noted = Arc::clone(&noted);
        async move {
            loop {
                let path = zoo::asked(&mut stream).await?;
                noted.lock().expect("whole").push(tokio::time::Instant::now());
                if path == "/close" {
                    return Ok(());
                }
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await?;
            }
        }
    });
    let settings = FetchSettings { allow_private: true, ..FetchSettings::default() };
    let fetcher = Fetcher::new(settings).expect("a fetcher");
    let respite = std::time::Duration::from_secs(2);
    let request = |path| Request { respite, ..Request::of(format!("http://{address}{path}")) };
    fetcher.get(&request("/")).await.expect("a response");
    fetcher.get(&request("/close")).await.expect_err("it closes");
    let asked = asked.lock().expect("whole");
    assert_eq!(asked.len(), 3);
    assert!(asked[2] - asked[1] >= respite, "{:?}", asked[2] - asked[1]);
}

#[tokio::test]
async fn connections_are_kept() {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let address = zoo::start(move |mut stream| {
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            loop {
                let path = zoo::asked(&mut stream).await?;
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await?;
                if path == "/last" {
                    return Ok(());
                }
            }
        }
    });
    let settings = FetchSettings { allow_private: true, ..FetchSettings::default() };
    let fetcher = Fetcher::new(settings.clone()).expect("a fetcher");
    let get = async |fetcher: &Fetcher, path: &str| {
        let response = fetcher.get(&Request::of(format!("http://{address}{path}"))).await;
        assert_eq!(response.expect("a response").status, 200);
    };
    for _ in 0..10 {
        get(&fetcher.clone(), "/").await;
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    // The server closes without a word, and the next request takes another connection.
    get(&fetcher, "/last").await;
    get(&fetcher, "/").await;
    assert_eq!(connections.load(Ordering::Relaxed), 2);
    // Kept for no time.
    let none = FetchSettings { idle_connections: std::time::Duration::ZERO, ..settings };
    let fetcher = Fetcher::new(none).expect("a fetcher");
    get(&fetcher, "/").await;
    get(&fetcher, "/").await;
    assert_eq!(connections.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_body_exactly_as_long_as_wanted_is_whole() {
    let answers = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", 4),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", 14),
    ];
    let settings = FetchSettings { allow_private: true, ..FetchSettings::default() };
    let fetcher = Fetcher::new(settings).expect("a fetcher");
    for (answer, length) in answers {
        let mut request = Request::of(format!("http://{}/", zoo::says(answer)));
        for (most, truncated) in [(length, None), (length - 1, Some(Truncated::Length))] {
            request.max_bytes = Some(most);
            let response = fetcher.get(&request).await.expect("a response");
            assert_eq!(response.truncated, truncated);
            assert_eq!((response.received.len() - response.head) as u64, most);
        }
    }
}
