//! Languages by name, for people.

use langur_crawl::Language;

/// Written by `models/names` from CLDR.
const NAMES: &str = include_str!("../data/names.tsv");

/// The English name of a language, or its tag where it has none.
pub fn name(language: Language) -> String {
    let tag = language.as_str();
    let named = NAMES.lines().filter_map(|line| line.split_once('\t')).find(|(of, _)| *of == tag);
    named.map_or_else(|| tag.to_owned(), |(_, name)| name.to_owned())
}

/// The language of that English name, in any case: `thai` is `th`.
pub fn named(name: &str) -> Option<Language> {
    let pairs = NAMES.lines().filter_map(|line| line.split_once('\t'));
    let mut found = pairs.filter(|(_, of)| of.eq_ignore_ascii_case(name));
    found.next().and_then(|(tag, _)| Language::parse(tag).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_names() {
        let of = |tag| name(Language::parse(tag).expect("a tag"));
        assert_eq!(of("th"), "Thai");
        assert_eq!(of("zh-Hant"), "Chinese (traditional)");
        assert_eq!(of("qqq"), "qqq");
        assert_eq!(named("thai"), Language::parse("th").ok());
        assert_eq!(named("klingonese"), None);
    }
}
