//! A whole crawl, into whose journal a test can write.

use std::sync::Arc;

use langur_classify::InLanguage;
use langur_crawl::Language;
use langur_extract::{Extractor, Wants};
use langur_frontier::{Bands, Extent, Policy};
use langur_strategy::BreadthFirst;
use langur_testkit::{Answer, Loopback};

use super::*;
use crate::decisions::decisions;
use crate::log::each_visit;
use crate::settings::Span;

fn begin(web: &Loopback, folder: &Path, seeds: &[&str]) -> LiveCrawl {
    let mut settings = Settings { target: "lang:th".to_owned(), ..Settings::default() };
    settings.seeds.urls = seeds.iter().map(|&seed| seed.to_owned()).collect();
    settings.manners.delay = Span::ms(0);
    settings.manners.address_delay = Span::ms(0);
    settings.manners.slow_factor = 0.0;
    settings.fetch.resolve = vec![format!("*={}", web.address())];
    // A crawl that does not end by itself fails its test, instead of holding it up.
    settings.stop.time = Some(Span::seconds(20));
    let wants = Wants { all_labels: false, anchor_languages: false, evidence: false };
    let wanted = InLanguage::new(vec![Language::parse("th").expect("a language")]);
    let frontier = Bands::new(1, Extent { pages: 0, ranked_hosts: 0 }, Policy::default(), ());
    let begin = Begin {
        folder: folder.to_owned(),
        settings,
        decisions: decisions(BreadthFirst, frontier, wanted, ()),
        extractor: Extractor::new(Vec::new(), wants).expect("an extractor"),
        label: 0,
        kept: Vec::new(),
        warn: Arc::new(|what| panic!("{what}")),
    };
    LiveCrawl::begin(begin).expect("a crawl")
}

/// A URL that can be asked for and has no canonical form, which whoever reads the page relies on. No seed and no link
/// is like this.
const UNBEARABLE: [&str; 6] = [
    "http://a%zz.example/1",
    "http://a%zz.example/2",
    "http://a%zz.example/3",
    "http://a%zz.example/4",
    "http://a%zz.example/5",
    "http://a%zz.example/6",
];

#[test]
fn a_panic_over_a_page_costs_that_page_and_neither_its_host_nor_the_crawl() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        _ => Answer::page("<p>a page"),
    });
    let folder = tempfile::tempdir().expect("a folder");
    let mut crawl = begin(&web, folder.path(), &["http://healthy.example/"]);
    let at = crawl.now();
    crawl.record(&Event::Seeds { at, urls: UNBEARABLE.to_vec(), given: false }).expect("recorded");
    let finished = crawl.run(|_| ()).expect("it ends well");
    assert_eq!(finished.why, "nothing is left to visit");
    let mut visits = Vec::new();
    each_visit::<LiveError>(folder.path(), |visited, names| {
        let url = names.url(visited.page).expect("a URL");
        visits.push((url, visited.status, visited.failure.to_owned(), visited.received > 0));
        Ok(())
    })
    .expect("a journal");
    visits.sort();
    let failed = "reading it failed: what waits has a canonical URL";
    for (visit, url) in visits.iter().zip(UNBEARABLE) {
        assert_eq!((visit.0.as_str(), visit.1, visit.3), (url, 0, true));
        assert!(visit.2.starts_with(failed), "{}", visit.2);
    }
    let healthy = ("http://healthy.example/".to_owned(), 200, String::new(), true);
    assert_eq!(visits[UNBEARABLE.len()..], [healthy]);
    let status = crawl.status();
    assert_eq!((status.troubles.unanswered, status.fetched), (6, 7));
    // More failures in a row than a host may have, but the host has always answered.
    assert_eq!(status.hosts.given_up, 0);
}

#[test]
fn a_panic_of_whoever_fetches_is_told_like_a_failure() {
    let web = Loopback::start(|_, _| Answer::status(404));
    let folder = tempfile::tempdir().expect("a folder");
    let mut crawl = begin(&web, folder.path(), &["http://a.example/"]);
    let job = Job::Resolve { host: HostId(0) };
    crawl.work(job.clone(), String::new(), |_| async { panic!("by mistake") });
    crawl.begin_work().expect("it begins");
    let Ok(Message::Done(done, Err(failed))) = crawl.inbox.recv_timeout(GRACE) else {
        panic!("a failure is told");
    };
    assert_eq!((done, failed.to_string().as_str()), (job, "fetching it failed: by mistake"));
}
