//! Real pages, read from their bytes, with the languages they are known to be in.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use langur_crawl::Language;
use langur_page::Address;
use langur_reader::{Reader, Rule};
use rayon::prelude::*;
use serde_json::Value;

struct Page {
    url: String,
    language: Language,
    bytes: Vec<u8>,
}

/// The pages of an archive whose language is known for sure.
fn pages(name: &str, is_sure: fn(&Value) -> bool) -> Option<Vec<Page>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        println!("NOT RUN: ../shared/data is not there");
        return None;
    }
    let file = File::open(path).expect("an archive");
    let mut archive = tar::Archive::new(zstd::Decoder::new(file).expect("zstd"));
    let mut rows: BTreeMap<String, Value> = BTreeMap::new();
    let mut pages = Vec::new();
    for entry in archive.entries().expect("entries") {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").display().to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("bytes");
        if path == "manifest.jsonl" {
            for line in String::from_utf8_lossy(&bytes).lines() {
                let row: Value = serde_json::from_str(line).expect("a row");
                rows.insert(row["path"].as_str().expect("a path").to_owned(), row);
            }
            continue;
        }
        let Some(row) = rows.get(&path).filter(|row| is_sure(row)) else { continue };
        let tag = row["lang"].as_str().unwrap_or("und");
        let language = langur_language::declared(tag).filter(|_| tag != "und");
        if let Some(language) = language {
            pages.push(Page {
                url: row["url"].as_str().expect("a URL").to_owned(),
                language,
                bytes,
            });
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
            let language = reader.read(&page.bytes, None, address.as_ref()).language;
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
        let Some(pages) = pages(&name, |row| row["lang_sure"] == true) else { return };
        assert!(measure(site, &pages) > 0.95, "{site}");
    }
}

#[test]
fn home_pages() {
    let sure = |row: &Value| row["lang_sure"] == true;
    let Some(pages) = pages("webhosts/pages.tar.zst", sure) else { return };
    assert!(measure("home pages", &pages) > 0.97);
}
