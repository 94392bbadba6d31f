//! What is served is what the web space says.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use langur_archive::HttpResponse;
use langur_crawl::PageId;
use langur_extract::{Answer, Extractor, Wants};
use langur_loopback::{LoopbackServer, PageOptions, Pages, ServerOptions, write_warc};
use langur_page::Address;
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis, synthesise};

fn space(folder: &Path, pages: usize) -> Arc<Space> {
    let preset = Preset::load("thai-2004").expect("a preset");
    let place = folder.join("thai.space");
    synthesise(&Synthesis { preset, pages, seed: 1, threads: 1 }, &place, false, |_| ())
        .expect("a synthetic web");
    Arc::new(Space::open(&place).expect("a web space"))
}

fn pages(folder: &Path, count: usize) -> Pages {
    Pages::new(space(folder, count), PageOptions::default())
}

#[test]
fn pages_are_in_their_language_with_their_links_in_order() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let pages = pages(scratch.path(), 2000);
    let space = pages.space();
    let wants = Wants { all_labels: false, anchor_languages: false, evidence: false };
    let mut extractor = Extractor::new(Vec::new(), wants).expect("an extractor");
    let is_true = space.manifest().labels.iter().position(|label| label == "true").expect("one");
    let (mut told, mut known) = (0, 0);
    for number in 0..space.pages() {
        let answer = pages.page(PageId(number as u32));
        let address = Address::parse(&space.url(PageId(number as u32))).expect("a URL");
        let extract = extractor.extract(&Answer {
            address: &address,
            status: answer.status,
            content_type: Some(&answer.content_type),
            content_language: None,
            link: None,
            refresh: None,
            location: answer.location.as_deref(),
            payload: &answer.body,
        });
        let offsets = space.link_offsets.as_slice();
        let links = offsets[number] as usize..offsets[number + 1] as usize;
        let links = space.link_targets.as_slice()[links].iter();
        let links: Vec<String> = links.map(|link| space.url(PageId(*link))).collect();
        let found: Vec<String> = extract.links.iter().map(|link| link.target.to_string()).collect();
        if answer.status == 200 && answer.content_type == "text/html" {
            assert_eq!(found, links, "{address}");
        }
        let language = space.language_of(space.language[is_true].get(number));
        if let Some(language) = language.filter(|_| answer.status == 200) {
            known += 1;
            told += usize::from(extract.languages[0] == Some(language));
        }
    }
    assert!(known > 600 && told * 100 >= known * 98, "{told} of {known}");
}

#[test]
fn requests_are_answered_by_host_one_after_the_other() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let pages = pages(scratch.path(), 500);
    let space = Arc::new(Space::open(pages.space().path()).expect("a web space"));
    let expected = |page| {
        let mut bytes = Vec::new();
        Pages::new(Arc::clone(&space), PageOptions::default()).page(page).write(&mut bytes, true);
        bytes
    };
    let options = ServerOptions { record: true, ..ServerOptions::default() };
    let server = LoopbackServer::start(pages, &options).expect("a server");
    let urls = [PageId(3), PageId(400)].map(|page| space.url(page));
    let (host, path) = urls[0]["http://".len()..].split_once('/').expect("a path");
    let mut stream = TcpStream::connect(server.address()).expect("a connection");
    // The first as to the host itself, the second as to a proxy, and one that is not there.
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\nGET {} HTTP/1.1\r\n\r\n", urls[1])
        .expect("sent");
    write!(stream, "GET /no/such HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .expect("sent");
    let mut received = Vec::new();
    stream.read_to_end(&mut received).expect("answers");
    let both = [expected(PageId(3)), expected(PageId(400))].concat();
    assert!(received.starts_with(&both));
    assert!(received[both.len()..].starts_with(b"HTTP/1.1 404 "));
    let asked = server.asked();
    assert_eq!(asked[..2], urls);
    assert_eq!(asked.len(), 3);
}

#[test]
fn the_archive_holds_what_is_served() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let pages = pages(scratch.path(), 300);
    let path = scratch.path().join("web.warc.gz");
    write_warc(&pages, &path).expect("an archive");
    let mut records = langur_archive::Records::open(&path).expect("an archive");
    let (mut block, mut count) = (Vec::new(), 0);
    while let Some(mut record) = records.next().expect("records") {
        if *record.head.kind() != langur_archive::Kind::Response {
            continue;
        }
        record.read_block(&mut block, usize::MAX).expect("a block");
        let http = HttpResponse::parse(&block).expect("HTTP");
        let answer = pages.page(PageId(count));
        assert_eq!(http.status, Some(answer.status));
        assert_eq!(block[http.body_at..], answer.body);
        count += 1;
    }
    let counts = pages.space().manifest().counts;
    assert_eq!(u64::from(count), counts.pages + counts.missing);
}
