//! Which languages to expect under a country's domain.

use langur_crawl::Language;

/// Written by `models/territories` from CLDR.
const TABLE: &str = include_str!("../data/territories.tsv");

/// The languages under a top-level domain, each with its share; none for domains of no country.
pub fn languages(domain: &str) -> impl Iterator<Item = (Language, f32)> {
    let line = TABLE.lines().find(|line| line.split('\t').next() == Some(domain));
    let pairs = line.into_iter().flat_map(|line| line.split('\t').skip(1));
    pairs.filter_map(|pair| {
        let (tag, share) = pair.split_once('=')?;
        Some((Language::parse(tag).ok()?, share.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::languages;

    #[test]
    fn domains_have_the_languages_of_their_countries() {
        let first = |domain| languages(domain).next().map(|(language, _)| language.to_string());
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
            assert_eq!(languages(domain).count(), line.split('\t').count() - 1, "{line}");
        }
    }
}
