//! Pages by language and top-level domain.

use std::collections::BTreeMap;

use langur_sim::Space;
use rayon::prelude::*;
use serde::Serialize;

/// Top-level domains and languages that get a column or a row of their own; the rest is summed up.
const TLDS: usize = 8;
const LANGUAGES: usize = 12;

/// Pages by language and top-level domain (Somboonviwat et al. 2006, Table 2). Only OK HTML pages have
/// a language; all others count as unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LanguageByTld {
    /// The columns: the largest top-level domains, and `other`.
    pub tlds: Vec<String>,
    /// The rows: the largest languages, then `other` and `unknown`.
    pub rows: Vec<LanguageRow>,
    /// Pages of each column.
    pub totals: Vec<u64>,
    /// All pages.
    pub total: u64,
}

/// One language.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LanguageRow {
    /// Its tag, or `other` or `unknown`.
    pub language: String,
    /// Pages by column.
    pub counts: Vec<u64>,
    /// All its pages.
    pub total: u64,
    /// Their share of all pages.
    pub share: f64,
}

impl LanguageByTld {
    pub(crate) fn of(space: &Space, label: usize, ok_html: &[bool]) -> LanguageByTld {
        let counted = count_pairs(space, label, ok_html);
        let (mut by_language, mut by_tld) = (BTreeMap::new(), BTreeMap::new());
        for (&(language, tld), &pages) in &counted {
            *by_language.entry(language).or_insert(0) += pages;
            *by_tld.entry(tld).or_insert(0) += pages;
        }
        let unknown = by_language.remove(&0).is_some();
        let languages = largest(&by_language, LANGUAGES);
        let tlds = largest(&by_tld, TLDS);
        let has_other_tlds = tlds.len() < by_tld.len();
        let width = tlds.len() + usize::from(has_other_tlds);
        let place = |codes: &[u16], code: u16| codes.iter().position(|&c| c == code);
        let mut counts = vec![vec![0_u64; width]; languages.len() + 2];
        for (&(language, tld), &pages) in &counted {
            let row = match language {
                0 => languages.len() + 1,
                code => place(&languages, code).unwrap_or(languages.len()),
            };
            counts[row][place(&tlds, tld).unwrap_or(tlds.len())] += pages;
        }
        let total = space.pages() as u64;
        let names = languages
            .iter()
            .map(|&code| space.language_of(code).expect("a code in use").to_string());
        let names = names.chain(["other".to_owned(), "unknown".to_owned()]);
        let is_shown = |row: &LanguageRow| match row.language.as_str() {
            "unknown" => unknown,
            "other" => row.total > 0,
            _ => true,
        };
        let rows: Vec<LanguageRow> = names
            .zip(counts)
            .map(|(name, counts)| row(name, counts, total))
            .filter(is_shown)
            .collect();
        let word = |&code: &u16| match Space::word(&space.manifest().tlds, code) {
            "" => "none".to_owned(),
            word => word.to_owned(),
        };
        let columns = tlds.iter().map(word).chain(has_other_tlds.then(|| "other".to_owned()));
        let totals =
            (0..width).map(|column| rows.iter().map(|row| row.counts[column]).sum()).collect();
        LanguageByTld { tlds: columns.collect(), totals, rows, total }
    }
}

fn row(language: String, counts: Vec<u64>, pages: u64) -> LanguageRow {
    let total = counts.iter().sum();
    LanguageRow { language, counts, total, share: total as f64 / pages.max(1) as f64 }
}

/// Pages by codes of language and top-level domain.
fn count_pairs(space: &Space, label: usize, ok_html: &[bool]) -> BTreeMap<(u16, u16), u64> {
    let (hosts, language) = (space.host.as_slice(), &space.language[label]);
    let add = |mut sums: BTreeMap<_, u64>, (pair, pages)| {
        *sums.entry(pair).or_insert(0) += pages;
        sums
    };
    ok_html
        .par_iter()
        .enumerate()
        .map(|(page, &ok_html)| {
            let language = if ok_html { language.get(page) } else { 0 };
            ((language, space.host_tld.get(hosts[page] as usize)), 1)
        })
        .fold(BTreeMap::new, add)
        .reduce(BTreeMap::new, |a, b| b.into_iter().fold(a, add))
}

/// The codes with the most pages, the most first.
fn largest(pages: &BTreeMap<u16, u64>, most: usize) -> Vec<u16> {
    let mut codes: Vec<u16> = pages.keys().copied().collect();
    codes.sort_by_key(|code| std::cmp::Reverse(pages[code]));
    codes.truncate(most);
    codes
}
