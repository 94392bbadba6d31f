//! Real pages, read from their bytes, with the languages they are known to be in.

use std::collections::BTreeMap;

use langur_crawl::Language;
use langur_language::declared;
use langur_page::Address;
use langur_reader::{Reader, Rule, Said};
use langur_testkit::shared;
use rayon::prelude::*;

struct Page {
    url: String,
    language: Language,
    bytes: Vec<u8>,
}

/// The pages of an archive whose language is known for sure.
fn pages(name: &str) -> Option<Vec<Page>> {
    let mut pages = Vec::new();
    for document in shared::documents(name)? {
        let tag = document.text("lang");
        let is_sure = document.row["lang_sure"] == true && tag != "und";
        if let Some(language) = declared(tag).filter(|_| is_sure) {
            let url = document.text("url").to_owned();
            pages.push(Page { url, language, bytes: document.bytes });
        }
    }
    Some(pages)
}

/// The share of pages read right, and by language.
fn measure(name: &str, pages: &[Page]) -> f64 {
    let reader = Reader::new(Rule::Langur, Vec::new());
    let right: Vec<bool> = pages
        .par_iter()
        .map(|page| {
            let address = Address::parse(&page.url).ok();
            let language = reader.read(&page.bytes, Said::default(), address.as_ref()).language;
            language.is_some_and(|found| {
                found.is_within(page.language) || page.language.is_within(found)
            })
        })
        .collect();
    let mut by_language: BTreeMap<Language, (usize, usize)> = BTreeMap::new();
    for (page, right) in pages.iter().zip(&right) {
        let count = by_language.entry(page.language).or_default();
        count.0 += usize::from(*right);
        count.1 += 1;
    }
    let worst: Vec<String> = by_language
        .iter()
        .filter(|(_, (right, all))| right < all)
        .map(|(language, (right, all))| format!("{language} {right}/{all}"))
        .collect();
    let share = right.iter().filter(|right| **right).count() as f64 / pages.len() as f64;
    println!("{name}: {share:.4} of {} pages; {}", pages.len(), worst.join(", "));
    share
}

#[test]
fn pages_of_sites() {
    for site in [
        "boostjp",
        "httpd-docs-1.3",
        "httpd-docs-2.0",
        "httpd-docs-2.4",
        "pytorch-kr",
        "rocketmq",
        "rust-book-ja",
        "tour-of-rust",
        "veracrypt",
    ] {
        let name = format!("sites/{site}.tar.zst");
        let Some(pages) = pages(&name) else { return };
        assert!(measure(site, &pages) > 0.95, "{site}");
    }
}

#[test]
fn home_pages() {
    let Some(pages) = pages("webhosts/pages.tar.zst") else { return };
    assert!(measure("home pages", &pages) > 0.97);
}
