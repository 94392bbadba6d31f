//! Reading over HTTP, from a real server on loopback.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use langur_store::{CacheFolder, Patience, Store, StoreError, StoreOptions};
use langur_testkit::{Fault, FolderServer};

const BLOCK: usize = 64 << 10;

/// A server over a folder with one file, `a`, whose every byte tells where it stands.
fn server(length: usize) -> (tempfile::TempDir, FolderServer, Vec<u8>) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let bytes: Vec<u8> = (0..length).map(|n| (n / 251 + n) as u8).collect();
    fs::write(scratch.path().join("a"), &bytes).expect("written");
    let server = FolderServer::start(scratch.path());
    (scratch, server, bytes)
}

/// Six tries, and no waits.
fn options() -> StoreOptions {
    let patience = Patience { first_wait: Duration::ZERO, ..Patience::default() };
    StoreOptions { patience, ..StoreOptions::default() }
}

fn cached(folder: &Path) -> StoreOptions {
    let cache = CacheFolder { folder: folder.to_owned(), limit: 1 << 30 };
    StoreOptions { cache: Some(cache), ..options() }
}

fn methods(server: &FolderServer) -> Vec<String> {
    server.requests().into_iter().map(|request| request.method).collect()
}

#[test]
fn ranges_come_exactly_and_blocks_are_fetched_once() {
    let (_folder, server, bytes) = server(5 * BLOCK + 100);
    let store = Store::open(&server.address(), options()).expect("a store");
    let check = |start: usize, end: usize| {
        let read = store.read("a", start as u64..end as u64).expect("read");
        assert_eq!(read, bytes[start..end], "{start}..{end}");
    };
    check(10, 20);
    assert_eq!(server.requests()[0].range.as_deref(), Some("bytes=0-65535"));
    check(BLOCK - 1, BLOCK);
    check(0, BLOCK);
    assert_eq!(server.requests(), []);
    check(3 * BLOCK, 3 * BLOCK + 1);
    check(BLOCK - 5, 5 * BLOCK + 100);
    let ranges: Vec<_> = server.requests().into_iter().filter_map(|r| r.range).collect();
    assert_eq!(ranges, ["bytes=196608-262143", "bytes=65536-393215"]);
    check(0, 5 * BLOCK + 100);
    check(7, 7);
    assert_eq!(store.len("a").expect("known"), bytes.len() as u64);
    assert_eq!(store.read_whole("a").expect("read"), bytes);
    assert_eq!(server.requests(), []);
}

#[test]
fn many_threads_read_at_once() {
    let (_folder, server, bytes) = server(40 * BLOCK);
    let store = Store::open(&server.address(), options()).expect("a store");
    thread::scope(|scope| {
        for thread in 0..8 {
            let (store, bytes) = (&store, &bytes);
            scope.spawn(move || {
                for n in 0..40 {
                    let start = (n * 7 + thread) % 39 * BLOCK + 17 * n;
                    let read = store.read("a", start as u64..start as u64 + 1000).expect("read");
                    assert_eq!(read, bytes[start..start + 1000]);
                }
            });
        }
    });
}

#[test]
fn a_busy_server_and_broken_connections_are_asked_again() {
    let (_folder, server, bytes) = server(3 * BLOCK);
    let store = Store::open(&server.address(), options()).expect("a store");
    server.misbehave([
        Fault::Answer(503, vec!["Retry-After: 0".into()]),
        Fault::Silence,
        Fault::Answer(429, Vec::new()),
        Fault::Cut(100),
        Fault::Cut(0),
    ]);
    assert_eq!(store.read("a", 0..3 * BLOCK as u64).expect("read"), bytes);
    assert_eq!(methods(&server).len(), 6);
}

#[test]
fn a_server_that_stays_busy_is_given_up_with_its_answer() {
    let (_folder, server, _) = server(10);
    let store = Store::open(&server.address(), options()).expect("a store");
    server.be_busy(6);
    let error = store.read("a", 0..5).expect_err("busy").to_string();
    assert!(error.contains("503 Service Unavailable, 6 times"), "{error}");
    assert!(error.contains(&format!("{}a", server.address())), "{error}");
    assert_eq!(methods(&server).len(), 6);

    server.misbehave([Fault::Answer(503, vec!["Retry-After: 86400".into()])]);
    let error = store.read("a", 0..5).expect_err("too long to wait").to_string();
    assert!(error.contains("asks to wait 86400 seconds"), "{error}");
    assert_eq!(methods(&server).len(), 1);
}

#[test]
fn what_is_not_there_and_what_is_refused_is_said_at_once() {
    let (_folder, server, _) = server(10);
    let store = Store::open(&server.address(), options()).expect("a store");
    let error = store.read("cc-index/cluster.idx", 0..5).expect_err("not there");
    assert!(error.is_not_there(), "{error}");
    let says = error.to_string();
    assert!(
        says.starts_with(&format!("{}cc-index/cluster.idx is not there (404)", server.address()))
    );
    assert!(store.len("b").expect_err("not there").is_not_there());
    assert!(store.reader("b").err().expect("not there").is_not_there());
    assert_eq!(methods(&server), ["GET", "HEAD", "GET"]);

    let error = store.read("a", 5..15).expect_err("past the end").to_string();
    assert!(error.contains("no bytes 5 to 15: it is 10 bytes long"), "{error}");
    let error = store.read("a", 70_000..70_001).expect_err("past the end");
    assert!(matches!(error, StoreError::PastTheEnd { .. }), "{error}");

    server.misbehave([Fault::Answer(403, Vec::new())]);
    let refused = Store::open(&server.address(), options()).expect("a store").len("a");
    assert!(matches!(refused, Err(StoreError::Denied { .. })));
    assert!(matches!(store.list(), Err(StoreError::NoListing(_))));

    let address = server.address();
    drop(server);
    let error = Store::open(&address, options()).expect("a store").len("a").expect_err("gone");
    assert!(error.to_string().contains("cannot be reached"), "{error}");
}

#[test]
fn a_redirect_to_another_host_is_not_followed() {
    let (_elsewhere, other, _) = server(10);
    let (_folder, server, bytes) = server(10);
    let store = Store::open(&server.address(), options()).expect("a store");
    let redirect = |to: &str| Fault::Answer(302, vec![format!("Location: {to}")]);
    server.misbehave([redirect(&format!("{}a", other.address()))]);
    let error = store.read("a", 0..5).expect_err("elsewhere").to_string();
    assert!(error.contains(&other.address()) && error.contains("give that address"), "{error}");
    assert_eq!(other.requests(), []);

    server.misbehave([redirect("/a")]);
    assert_eq!(store.read("a", 0..5).expect("the same host"), bytes[..5]);
}

#[test]
fn a_server_without_ranges_is_read_whole_or_not_at_all() {
    let (_folder, server, bytes) = server(3 * BLOCK);
    server.forget_ranges();
    let store = Store::open(&server.address(), options()).expect("a store");
    assert!(matches!(store.read("a", 5..10), Err(StoreError::NoRanges { .. })));
    assert_eq!(store.read_whole("a").expect("read"), bytes);
    let mut read = Vec::new();
    store.reader("a").expect("opened").read_to_end(&mut read).expect("read");
    assert_eq!(read, bytes);
}

#[test]
fn a_reader_goes_on_where_the_connection_broke() {
    let (_folder, server, bytes) = server(20 * BLOCK);
    let store = Store::open(&server.address(), options()).expect("a store");
    server.misbehave([Fault::Cut(5 * BLOCK), Fault::Cut(3), Fault::Cut(0), Fault::Silence]);
    let mut read = Vec::new();
    store.reader("a").expect("opened").read_to_end(&mut read).expect("read");
    assert!(read == bytes);
    let ranges: Vec<_> = server.requests().into_iter().map(|request| request.range).collect();
    assert_eq!(ranges[0], None);
    assert_eq!(ranges[1].as_deref(), Some("bytes=327680-"));
    assert_eq!(ranges[2].as_deref(), Some("bytes=327683-"));

    server.misbehave(vec![Fault::Cut(0); 6]);
    let mut reader = store.reader("a").expect("opened");
    let error = reader.read_to_end(&mut Vec::new()).expect_err("broken for good").to_string();
    assert!(error.contains("broke off") && error.contains("6 times"), "{error}");
}

#[test]
fn a_file_that_changes_while_it_is_read_is_noticed() {
    let (folder, server, bytes) = server(20 * BLOCK);
    let store = Store::open(&server.address(), options()).expect("a store");
    store.read("a", 0..10).expect("read");
    server.misbehave([Fault::Cut(10)]);
    let mut reader = store.reader("a").expect("opened");
    reader.read_exact(&mut [0; 10]).expect("what came");
    fs::write(folder.path().join("a"), vec![7; 20 * BLOCK]).expect("written");

    let error = reader.read_exact(&mut [0; 10]).expect_err("changed").to_string();
    assert!(error.contains("was changed while it was being read"), "{error}");
    let again = BLOCK as u64..BLOCK as u64 + 10;
    assert!(matches!(store.read("a", again.clone()), Err(StoreError::Changed { .. })));
    assert_ne!(bytes[BLOCK..BLOCK + 10], [7; 10]);
    assert_eq!(store.read("a", again).expect("read anew"), [7; 10][..]);
}

#[test]
fn a_cache_folder_serves_the_next_process_until_the_file_changes() {
    let cache = tempfile::tempdir().expect("a scratch folder");
    let (folder, server, bytes) = server(5 * BLOCK);
    let open = || Store::open(&server.address(), cached(cache.path())).expect("a store");
    assert_eq!(open().read("a", 10..2 * BLOCK as u64).expect("read"), bytes[10..2 * BLOCK]);
    assert_eq!(methods(&server), ["GET"]);
    assert_eq!(open().read("a", 20..30).expect("read"), bytes[20..30]);
    assert_eq!(methods(&server), ["HEAD"]);

    damage_all(cache.path());
    assert_eq!(open().read("a", 20..30).expect("read"), bytes[20..30]);
    assert_eq!(methods(&server), ["HEAD", "GET"]);

    fs::write(folder.path().join("a"), vec![7; 5 * BLOCK]).expect("written");
    assert_eq!(open().read("a", 20..30).expect("read"), [7; 10][..]);
    assert_eq!(methods(&server), ["HEAD", "GET"]);
}

fn damage_all(cache: &Path) {
    for folder in fs::read_dir(cache).expect("a cache") {
        for file in fs::read_dir(folder.expect("an entry").path()).expect("a folder") {
            let file = file.expect("an entry").path();
            let mut bytes = fs::read(&file).expect("a block");
            *bytes.last_mut().expect("not empty") ^= 1;
            fs::write(file, bytes).expect("written");
        }
    }
}

#[test]
fn names_are_encoded_on_their_way() {
    let (folder, server, _) = server(1);
    fs::create_dir(folder.path().join("s")).expect("a folder");
    for name in ["s/a b%20c?d#e.gz", "s/ä+&=.gz"] {
        fs::write(folder.path().join(name), name).expect("written");
        let store = Store::open(&server.address(), options()).expect("a store");
        assert_eq!(store.read_whole(name).expect("read"), name);
    }
    let below = Store::open(&format!("{}s", server.address()), options()).expect("a store");
    assert!(below.len("ä+&=.gz").is_ok());
}

/// What was told while something was waited for. A function cannot remember it by itself.
static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn whoever_waits_is_told_why() {
    let on_wait = |why: &str| TOLD.lock().expect("whole").push(why.to_owned());
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/", listener.local_addr().expect("bound"));
    drop(listener);
    let store = Store::open(&address, StoreOptions { on_wait, ..options() }).expect("a store");
    assert!(store.read_whole("a").is_err());
    let told = TOLD.lock().expect("whole");
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].starts_with(&format!("{address}a failed (")), "{told:?}");
    assert!(told[0].ends_with("; asking again in 0.0 s"), "{told:?}");
}
