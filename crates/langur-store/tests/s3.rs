//! Reading from a real S3-compatible server on loopback.
//!
//! `LANGUR_S3_SERVER` names the folder that `tests/s3/serve install` put the server in. One test does
//! everything: the server is found by way of the environment, which all tests of a process share.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use langur_store::{Patience, Store, StoreError, StoreOptions};

struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// Starts the server, where there is one.
    fn start() -> Option<Server> {
        let Some(folder) = std::env::var_os("LANGUR_S3_SERVER") else {
            println!(
                "NOT RUN: LANGUR_S3_SERVER does not say where an S3-compatible server is installed"
            );
            return None;
        };
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/s3/serve");
        let mut process = Command::new(script)
            .args(["start".as_ref(), folder.as_os_str(), port.to_string().as_ref()])
            .stderr(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut said = BufReader::new(process.stderr.take().expect("its words")).lines();
        let serves = said.by_ref().any(|line| line.is_ok_and(|line| line.contains("Running on")));
        assert!(serves, "the server stopped before it served");
        // What it says later is read too, so that it need not wait to say it.
        thread::spawn(move || said.for_each(drop));
        Some(Server { process, port })
    }

    /// Puts a bucket or an object, as anyone may who is not asked for a signature.
    fn put(&self, path: &str, access: &str, body: &[u8]) {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let length = body.len();
        let head = format!(
            "PUT {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\
             X-Amz-Acl: {access}\r\nConnection: close\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).expect("sent");
        connection.write_all(body).expect("sent");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn open(address: &str) -> Store {
    let patience = Patience { first_wait: Duration::ZERO, ..Patience::default() };
    Store::open(address, StoreOptions { patience, ..StoreOptions::default() }).expect("a store")
}

#[test]
fn a_bucket_is_listed_and_read_by_range() {
    let Some(server) = Server::start() else { return };
    let environment = [
        ("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{}", server.port)),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ACCESS_KEY_ID", "a key".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "a secret".to_owned()),
    ];
    for (name, value) in environment {
        // SAFETY: this is the only test of the process, and no thread reads the environment yet.
        unsafe { std::env::set_var(name, value) };
    }
    let bytes: Vec<u8> = (0..500_000u32).map(|n| (n / 251 + n) as u8).collect();
    server.put("/crawl", "private", b"");
    server.put("/crawl/2024/warc/a%20b.warc.gz", "private", &bytes);
    server.put("/crawl/2024/index.cdxj", "private", b"com,example)/ 20240101000000 {}\n");
    server.put("/crawl/2025/public", "public-read", b"for all");

    let store = open("s3://crawl/2024/");
    assert_eq!(store.list().expect("listed"), ["index.cdxj", "warc/a b.warc.gz"]);
    assert_eq!(store.len("warc/a b.warc.gz").expect("there"), 500_000);
    assert_eq!(
        store.read("warc/a b.warc.gz", 70_000..200_000).expect("read"),
        bytes[70_000..200_000]
    );
    assert_eq!(store.read_whole("index.cdxj").expect("read").len(), 32);
    let mut whole = Vec::new();
    store.reader("warc/a b.warc.gz").expect("opened").read_to_end(&mut whole).expect("read");
    assert!(whole == bytes);
    assert_eq!(open("s3://crawl").list().expect("listed").len(), 3);

    let error = store.read("warc/b", 0..1).expect_err("not there");
    assert!(
        error.is_not_there() && error.to_string().contains("s3://crawl/2024/warc/b"),
        "{error}"
    );
    let error = store.read("index.cdxj", 0..99).expect_err("past the end");
    assert!(matches!(error, StoreError::PastTheEnd { .. }), "{error}");
    let error = open("s3://nobody").list().expect_err("no such bucket").to_string();
    assert!(error.contains("s3://nobody/"), "{error}");

    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] {
        // SAFETY: as above; the threads of the stores above do not read the environment.
        unsafe { std::env::remove_var(name) };
    }
    assert_eq!(open("s3://crawl/2025").read_whole("public").expect("public"), "for all");
    let denied = open("s3://crawl/2024").read_whole("index.cdxj");
    assert!(matches!(denied, Err(StoreError::Denied { .. })), "{denied:?}");
}
