//! Clients that would rather not be served, and a server that stops.

mod toy;

use std::io::{Read, Write};
use std::time::Duration;

use toy::{Running, Toy, connect};

fn web() -> Toy {
    Toy::default()
        .page("http://a.example/", "home")
        .page("http://a.example/large", &"large ".repeat(10 << 20))
}

fn impatient() -> Running {
    Running::start(web(), |options| {
        options.limits.idle_time = Duration::from_millis(300);
        options.limits.connections = 4;
    })
}

#[test]
fn clients_that_stall_make_room_for_others() {
    let server = impatient();
    // One says nothing, one half a request, one does not read its answer, one not even TLS.
    let silent = connect(server.plain);
    let mut half = connect(server.plain);
    half.write_all(b"GET http://a.example/ HTTP/1.1\r\nHost:").expect("sent");
    let mut deaf = connect(server.plain);
    deaf.write_all(b"GET http://a.example/large HTTP/1.1\r\nHost: a\r\n\r\n").expect("sent");
    let mut garbled = connect(server.tls);
    garbled.write_all(b"\x16\x03\x01").expect("sent");
    // They hold all four connections until their time is over.
    assert_eq!(server.client().get("http://a.example/").body, "home");
    drop((silent, half, deaf, garbled));
}

#[test]
fn a_client_that_has_its_answer_is_not_waited_for() {
    let server = impatient();
    let mut client = server.client();
    client.get("http://a.example/");
    assert_eq!(client.receive(false), None, "closed when idle");
}

#[test]
fn a_tunnel_is_as_short_of_time() {
    let server = impatient();
    let mut stalled: Vec<_> = (0..4).map(|_| server.client()).collect();
    for client in &mut stalled {
        client.ask("CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    assert_eq!(server.client().get("http://a.example/").body, "home");
}

#[test]
fn a_head_without_end_is_refused() {
    let server = impatient();
    let mut client = connect(server.plain);
    let header = format!("X-A: {}\r\n", "a".repeat(1000));
    client.write_all(b"GET http://a.example/ HTTP/1.1\r\n").expect("sent");
    // The server may close before all is sent.
    let _ = (0..1000).try_for_each(|_| client.write_all(header.as_bytes()));
    let mut answer = Vec::new();
    let _ = client.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"));
    assert_eq!(server.client().get("http://a.example/").status, 200);
}

#[test]
fn bytes_that_are_no_request_do_no_harm() {
    let server = impatient();
    for bytes in
        [&b"\0\0\0\0"[..], b"GET\r\n\r\n", b"\x16\x03\x01\x02\0\x01", b"GET / HTTP/9\r\n\r\n"]
    {
        let mut client = connect(server.plain);
        client.write_all(bytes).expect("sent");
        let _ = client.read_to_end(&mut Vec::new());
    }
    assert_eq!(server.client().get("http://a.example/").status, 200);
}

#[test]
fn requests_that_cannot_be_read_are_logged() {
    let mut server = Running::start(web(), |options| options.limits.head_bytes = 1 << 17);
    let header = format!("GET / HTTP/1.1\r\nX-A: {}\r\n\r\n", "a".repeat(1 << 18));
    let path = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(1 << 16));
    for bytes in ["GET\r\n\r\n", &header, &path] {
        let mut client = connect(server.plain);
        // The server may close before all is sent.
        let _ = client.write_all(bytes.as_bytes());
        let _ = client.read_to_end(&mut Vec::new());
    }
    server.stop();
    let mut rows = server.log().rows;
    rows.sort_by_key(|row| row.status);
    assert_eq!(rows.iter().map(|row| row.status).collect::<Vec<_>>(), [400, 414, 431]);
    assert!(rows.iter().all(|row| row.url.is_empty() && row.method.is_empty()));
}

#[test]
fn two_requests_at_once_get_two_answers() {
    let server = impatient();
    let mut client = server.client();
    client.send(&"GET http://a.example/ HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2));
    for _ in 0..2 {
        assert_eq!(client.receive(false).expect("an answer").body, "home");
    }
}

#[test]
fn a_connection_is_not_kept_for_ever() {
    let server = Running::start(web(), |options| {
        options.limits.connection_time = Duration::from_millis(200);
    });
    let mut client = server.client();
    client.get("http://a.example/");
    assert_eq!(client.receive(false), None, "closed, though not idle for a minute");
}

#[test]
fn it_stops_with_clients_still_there() {
    let mut server = Running::start(web(), |_| {});
    let mut client = server.client();
    client.get("http://a.example/");
    let mut tunnel = server.through_tunnel("a.example:443");
    tunnel.get("/");
    server.stop();
    assert_eq!(client.receive(false), None);
    assert_eq!(server.log().rows.len(), 2);
}
