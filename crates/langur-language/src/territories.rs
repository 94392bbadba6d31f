//! Which languages to expect under a country's domain.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use langur_crawl::Language;

/// Written by `models/territories` from CLDR.
const TABLE: &str = include_str!("../data/territories.tsv");

static LANGUAGES: LazyLock<HashMap<&str, Vec<(Language, f32)>>> =
    LazyLock::new(|| TABLE.lines().filter_map(understood).collect());

/// The languages under a top-level domain, each with its share; none for domains of no country.
pub fn languages(domain: &str) -> &'static [(Language, f32)] {
    LANGUAGES.get(domain).map_or(&[], Vec::as_slice)
}

/// Without their scripts and regions, the languages that have a larger share of some country.
static NATIONAL: LazyLock<HashSet<String>> = LazyLock::new(|| {
    const LARGE: f32 = 0.2;
    let large = LANGUAGES.values().flatten().filter(|(_, share)| *share >= LARGE);
    large.map(|(language, _)| primary(language).to_owned()).collect()
});

/// Whether a language, in whatever script, has a larger share of some country.
pub fn is_national(language: Language) -> bool {
    NATIONAL.contains(primary(&language))
}

fn primary(language: &Language) -> &str {
    language.as_str().split('-').next().unwrap_or_default()
}

fn understood(line: &'static str) -> Option<(&'static str, Vec<(Language, f32)>)> {
    let (domain, pairs) = line.split_once('\t')?;
    let pairs = pairs.split('\t').filter_map(|pair| {
        let (tag, share) = pair.split_once('=')?;
        Some((Language::parse(tag).ok()?, share.parse().ok()?))
    });
    Some((domain, pairs.collect()))
}

#[cfg(test)]
mod tests {
    use super::languages;

    #[test]
    fn domains_have_the_languages_of_their_countries() {
        let first = |domain| languages(domain).first().map(|(language, _)| language.to_string());
        assert_eq!(first("th").as_deref(), Some("th"));
        assert_eq!(first("jp").as_deref(), Some("ja"));
        assert_eq!(first("uk").as_deref(), Some("en"));
        assert_eq!(first("tw").as_deref(), Some("zh-Hant"));
        assert_eq!(first("com"), None);
    }

    #[test]
    fn every_line_is_understood() {
        for line in super::TABLE.lines().filter(|line| !line.starts_with('#')) {
            let domain = line.split('\t').next().expect("a domain");
            assert_eq!(languages(domain).len(), line.split('\t').count() - 1, "{line}");
        }
    }
}
