//! Clients of all kinds over real sockets.

mod toy;

use std::time::{Duration, Instant};

use langur_serve::log::Row;
use langur_serve::{Failure, Latency, Manners};
use toy::{Running, Toy};

fn web() -> Toy {
    Toy::default()
        .page("http://a.example/", "home")
        .page("http://a.example/b?c=d", "query")
        .page("https://a.example/", "secure home")
        .page("https://a.example:444/", "other port")
        .page("https://127.0.0.1/", "by address")
        .with("http://a.example/old", 301, &[("Location", "http://a.example/")], "moved")
        .with("http://a.example/empty", 204, &[], "")
        .robots("http://a.example/robots.txt", "User-agent: *\nDisallow: /private\n")
        .page("http://a.example/private/a", "secret")
}

fn plain() -> Running {
    Running::start(web(), |_| {})
}

#[test]
fn a_proxy_answers_from_the_archive_on_one_connection() {
    let server = plain();
    let mut client = server.client();
    let home = client.get("http://A.example:80/");
    assert_eq!((home.status, home.body.as_str()), (200, "home"));
    assert_eq!(home.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(client.get("http://a.example/b?c=d").body, "query");
    let moved = client.get("http://a.example/old");
    assert_eq!((moved.status, moved.header("location")), (301, Some("http://a.example/")));
    assert_eq!(client.get("http://a.example/empty").status, 204);
    assert_eq!(client.get("https://a.example/").body, "secure home");
    let gone = client.get("http://a.example/gone");
    assert_eq!((gone.status, gone.header("x-langur")), (404, Some("not-archived")));
    assert_eq!(client.get("http://b.example/robots.txt").status, 404);
}

#[test]
fn head_has_the_length_and_no_body() {
    let server = plain();
    let mut client = server.client();
    let head = client.ask("HEAD http://a.example/ HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_eq!((head.status, head.header("content-length")), (200, Some("4")));
    assert_eq!(client.get("http://a.example/").body, "home");
}

#[test]
fn conditional_and_range_requests_are_answered_whole() {
    let server = plain();
    let conditions = "If-Modified-Since: Sun, 15 Nov 2026 00:00:00 GMT\r\nRange: bytes=0-1\r\n";
    let request = format!("GET http://a.example/ HTTP/1.1\r\nHost: a\r\n{conditions}\r\n");
    let whole = server.client().ask(&request);
    assert_eq!((whole.status, whole.body.as_str()), (200, "home"));
}

#[test]
fn a_tunnel_ends_at_a_certificate_of_the_host() {
    let server = plain();
    let mut client = server.through_tunnel("a.example:443");
    assert_eq!(client.get("/").body, "secure home");
    assert_eq!(client.get("/gone").status, 404);
    assert_eq!(client.get("/").body, "secure home");
    assert_eq!(server.through_tunnel("A.example:444").get("/").body, "other port");
    assert_eq!(server.through_tunnel("127.0.0.1:443").get("/").body, "by address");
    assert_eq!(server.through_tunnel("[::1]:443").get("/").status, 404);
}

#[test]
fn without_an_authority_there_is_no_tunnel() {
    let server = Running::start(web(), |options| {
        options.authority = None;
        options.listen_tls = None;
    });
    let answer = server.client().ask("CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_eq!((answer.status, answer.header("x-langur")), (501, Some("no-authority")));
}

#[test]
fn it_stands_in_the_place_of_every_host() {
    let server = plain();
    let request = "GET /b?c=d HTTP/1.1\r\nHost: a.example\r\n\r\n";
    assert_eq!(server.client().ask(request).body, "query");
    let request = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
    assert_eq!(server.by_tls("a.example").ask(request).body, "secure home");
    // A client that names no host, as with an address, is shown the address.
    let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    assert_eq!(server.by_tls("127.0.0.1").ask(request).body, "by address");
}

#[test]
fn what_an_archive_cannot_answer_is_refused() {
    let server = plain();
    let post = "POST http://a.example/ HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab";
    let refused = server.client().ask(post);
    assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")));
    assert_eq!(server.client().get("ftp://a.example/").status, 400);
    assert_eq!(server.client().ask("GET / HTTP/1.0\r\n\r\n").status, 400);
    let broken = server.client().get("http://a.example/broken");
    assert_eq!((broken.status, broken.body.as_str()), (502, "record 7 is damaged\n"));
    assert_eq!(server.client().get("http://a.example/panic").status, 502);
    assert_eq!(server.client().get("http://a.example/").status, 200);
}

#[test]
fn the_same_urls_fail_in_every_run() {
    let failing = |failure, seed| {
        let server = Running::start(web(), |options| {
            options.conditions.error_rate = 0.5;
            options.conditions.failure = failure;
            options.conditions.seed = seed;
        });
        let status = |n: u32| {
            let mut client = server.client();
            client.send(&format!("GET http://a.example/{n} HTTP/1.1\r\nHost: a\r\n\r\n"));
            client.receive(false).map_or(0, |got| got.status)
        };
        let statuses: Vec<u16> = (0..20).map(status).collect();
        let logged: Vec<u16> = server.log().rows.iter().map(|row| row.status).collect();
        assert_eq!(statuses, logged);
        assert_eq!(server.client().get("http://a.example/robots.txt").status, 200);
        statuses
    };
    let unavailable = failing(Failure::Unavailable, 1);
    assert_eq!(failing(Failure::Unavailable, 1), unavailable);
    assert_ne!(failing(Failure::Unavailable, 2), unavailable);
    let closed: Vec<u16> = unavailable.iter().map(|&s| if s == 503 { 0 } else { s }).collect();
    assert_eq!(failing(Failure::Closed, 1), closed);
}

#[test]
fn hosts_take_their_time() {
    let server = Running::start(web(), |o| o.conditions.latency = Latency::Fixed(150));
    let before = Instant::now();
    server.client().get("http://a.example/");
    assert!(before.elapsed() >= Duration::from_millis(150));
}

#[test]
fn the_log_has_every_request() {
    let server = plain();
    let mut client = server.client();
    client.get("http://a.example/");
    server.clock.set(700);
    client.get("http://a.example/gone");
    server.through_tunnel("a.example:443").get("/");
    client.ask("HEAD http://a.example/ HTTP/1.1\r\nHost: a\r\nUser-Agent: other\r\n\r\n");
    let log = server.log();
    assert_eq!(log.damage, None);
    let row = |number, url: &str, status, bytes| Row {
        number,
        at_ms: 700,
        client: log.rows[0].client.clone(),
        method: "GET".to_owned(),
        url: url.to_owned(),
        host: "a.example".to_owned(),
        status,
        bytes,
        archived: status == 200,
        user_agent: "toy/1".to_owned(),
        since_ms: Some(0),
        concurrent: 1,
        too_soon: false,
        too_many: false,
        disallowed: false,
    };
    let first = Row { at_ms: 0, since_ms: None, ..row(1, "http://a.example/", 200, 4) };
    let gone = "not in this archive: http://a.example/gone\n".len() as u64;
    let second = Row { since_ms: Some(700), ..row(2, "http://a.example/gone", 404, gone) };
    let third = row(3, "https://a.example/", 200, 11);
    let fourth = Row {
        method: "HEAD".to_owned(),
        user_agent: "other".to_owned(),
        client: log.rows[3].client.clone(),
        since_ms: None,
        ..row(4, "http://a.example/", 200, 0)
    };
    assert_ne!(log.rows[0].client, log.rows[3].client);
    assert_eq!(log.rows, [first, second, third, fourth]);
}

#[test]
fn impolite_requests_are_flagged_and_refused_if_asked() {
    let manners = Manners { interval_ms: Some(1000), concurrent: Some(1), refuse: false };
    let server = Running::start(web(), |options| options.conditions.manners = manners);
    let mut client = server.client();
    for (ms, url) in [(0, "/"), (999, "/private/a"), (1999, "/"), (2000, "/robots.txt")] {
        server.clock.set(ms);
        assert_eq!(client.get(&format!("http://a.example{url}")).status, 200);
    }
    let rows = server.log().rows;
    let flags: Vec<_> = rows.iter().map(|row| (row.too_soon, row.disallowed)).collect();
    assert_eq!(flags, [(false, false), (true, true), (false, false), (true, false)]);

    let refuse = Manners { refuse: true, ..manners };
    let server = Running::start(web(), |options| options.conditions.manners = refuse);
    let mut client = server.client();
    assert_eq!(client.get("http://a.example/").status, 200);
    let refused = client.get("http://a.example/");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")));
    assert!(!server.log().rows[1].archived);
}

#[test]
fn requests_under_way_are_counted_by_host() {
    let server = Running::start(web(), |o| o.conditions.manners.concurrent = Some(2));
    let mut clients: Vec<_> = (0..3).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send("GET http://a.example/gate HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    for client in &mut clients {
        client.receive(false).expect("an answer, once all three have asked");
    }
    clients[0].get("http://a.example/");
    let rows = server.log().rows;
    let seen: Vec<_> = rows.iter().map(|row| (row.concurrent, row.too_many)).collect();
    assert_eq!(seen, [(1, false), (2, false), (3, true), (1, false)]);
}
