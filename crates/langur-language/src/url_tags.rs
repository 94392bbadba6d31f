//! Parts of URLs that name a language: codes, tags with a script or a region, and names.

use std::sync::LazyLock;

use langur_crawl::Language;

use crate::hints::declared;
use crate::letters::{Letters, NO_LETTER};
use crate::names::named;
use crate::territories;

/// What a part of a URL says of the language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Said {
    pub language: Language,
    /// Said by the language's own name, or by a tag with a script or a region, which are nothing else; codes of two
    /// letters are abbreviations of other things, too.
    pub in_full: bool,
}

/// Languages by the names they have in themselves, with and without their accents. CLDR has them, too, but not as URLs
/// spell them, and many of its names are words of other languages.
const OWN_NAMES: &[(&str, &str)] = &[
    ("العربية", "ar"),
    ("azerbaycan", "az"),
    ("беларуская", "be"),
    ("български", "bg"),
    ("bosanski", "bs"),
    ("català", "ca"),
    ("catala", "ca"),
    ("čeština", "cs"),
    ("cestina", "cs"),
    ("česky", "cs"),
    ("cesky", "cs"),
    ("cymraeg", "cy"),
    ("dansk", "da"),
    ("deutsch", "de"),
    ("ελληνικά", "el"),
    ("ellinika", "el"),
    ("español", "es"),
    ("espanol", "es"),
    ("castellano", "es"),
    ("eesti", "et"),
    ("euskara", "eu"),
    ("فارسی", "fa"),
    ("suomi", "fi"),
    ("suomeksi", "fi"),
    ("français", "fr"),
    ("francais", "fr"),
    ("gaeilge", "ga"),
    ("galego", "gl"),
    ("עברית", "he"),
    ("हिन्दी", "hi"),
    ("hrvatski", "hr"),
    ("magyar", "hu"),
    ("հայերեն", "hy"),
    ("bahasa-indonesia", "id"),
    ("íslenska", "is"),
    ("islenska", "is"),
    ("italiano", "it"),
    ("日本語", "ja"),
    ("nihongo", "ja"),
    ("ქართული", "ka"),
    ("한국어", "ko"),
    ("lietuvių", "lt"),
    ("lietuviu", "lt"),
    ("lietuviškai", "lt"),
    ("lietuviskai", "lt"),
    ("latviešu", "lv"),
    ("latviesu", "lv"),
    ("latviski", "lv"),
    ("македонски", "mk"),
    ("bahasa-melayu", "ms"),
    ("norsk", "nb"),
    ("bokmål", "nb"),
    ("bokmal", "nb"),
    ("nynorsk", "nn"),
    ("nederlands", "nl"),
    ("polski", "pl"),
    ("português", "pt"),
    ("portugues", "pt"),
    ("română", "ro"),
    ("русский", "ru"),
    ("по-русски", "ru"),
    ("russkij", "ru"),
    ("russkiy", "ru"),
    ("slovenčina", "sk"),
    ("slovencina", "sk"),
    ("slovensky", "sk"),
    ("slovenščina", "sl"),
    ("slovenscina", "sl"),
    ("shqip", "sq"),
    ("српски", "sr"),
    ("srpski", "sr"),
    ("svenska", "sv"),
    ("ภาษาไทย", "th"),
    ("ไทย", "th"),
    ("türkçe", "tr"),
    ("turkce", "tr"),
    ("українська", "uk"),
    ("tiếng-việt", "vi"),
    ("tieng-viet", "vi"),
    ("tiengviet", "vi"),
    ("中文", "zh"),
    ("简体中文", "zh-Hans"),
    ("繁體中文", "zh-Hant"),
];

/// Scripts that tags of languages are written with.
const SCRIPTS: &[&str] = &["hans", "hant", "latn", "cyrl", "arab", "deva", "beng", "guru"];
/// Regions of tags that are no domains of countries: Great Britain and parts of the world.
const REGIONS: &[&str] = &["gb", "001", "150", "419"];

/// Common short words in URLs that are language codes, too.
const SHORT_WORDS: &[&str] =
    &["id", "my", "to", "no", "is", "be", "do", "so", "us", "tv", "co", "ac", "go", "or", "in"];

/// What a name of a language stands behind with a hyphen: in `index-th`, and not in `do-it`.
const BEFORE_HYPHENS: &[&str] = &["index", "home", "main", "default", "page", "readme"];

/// Longer than any tag or name, in bytes.
const LONGEST: usize = 32;

/// The language that a token names, and what stands before that: nothing mostly, `index` in `index_th` and `index-th`.
pub fn said<'t>(token: &'t str, country: Option<&str>) -> Option<(Said, &'t str)> {
    let behind = token.match_indices('_').map(|(at, _)| (&token[..at], &token[at + 1..]));
    let is_page = |before: &str| BEFORE_HYPHENS.iter().any(|it| before.eq_ignore_ascii_case(it));
    let hyphened = token.split_once('-').filter(|(before, _)| is_page(before));
    let mut ways = [("", token)].into_iter().chain(behind).chain(hyphened);
    ways.find_map(|(before, name)| Some((alone(name, country)?, before)))
}

fn alone(token: &str, country: Option<&str>) -> Option<Said> {
    let token = &*Some(token).filter(|token| token.len() <= LONGEST)?.to_lowercase();
    let in_full = || tag(token).or_else(|| named_by_itself(token));
    // The English names are what English pages are about, too; those of three letters are words, but for one.
    let is_name = token.len() > 3 || token == "lao";
    let in_short = || code(token, country).or_else(|| named(token).filter(|_| is_name));
    let said = |language, in_full| Said { language, in_full };
    in_full().map(|of| said(of, true)).or_else(|| in_short().map(|of| said(of, false)))
}

/// A code of two letters that is not a common short word. Some countries stand for their languages, and in Hong Kong
/// the two ways to write have codes of their own.
fn code(token: &str, country: Option<&str>) -> Option<Language> {
    let is_code = token.len() == 2 && token.bytes().all(|byte| byte.is_ascii_alphabetic());
    match (token, country) {
        ("tc", Some("hk" | "mo")) => Language::parse("zh-Hant").ok(),
        ("sc", Some("hk" | "mo")) => Language::parse("zh-Hans").ok(),
        _ => declared(token).filter(|_| is_code && !SHORT_WORDS.contains(&token)),
    }
}

/// A tag of two letters with a script, a region or both: `zh-hant`, `pt_br`, `zh-hant-hk`. If the letters are a word,
/// the region must be one that speaks the language: `is-is` is a tag, and `is-it` is not.
fn tag(token: &str) -> Option<Language> {
    let mut parts = token.split(['-', '_']).peekable();
    let primary = parts.next().filter(|primary| primary.len() == 2)?;
    parts.peek()?;
    parts.next_if(|part| SCRIPTS.contains(part));
    let spoken = |region| territories::languages(region);
    let region = parts.next_if(|part| REGIONS.contains(part) || !spoken(part).is_empty());
    let language = declared(token).filter(|_| parts.next().is_none())?;
    let is_spoken = || spoken(region.unwrap_or("")).iter().any(|(of, _)| *of == language);
    (!SHORT_WORDS.contains(&primary) || is_spoken()).then_some(language)
}

/// The language that has this name in itself, however it is written: `Tiếng Việt`.
pub fn named_by_itself(name: &str) -> Option<Language> {
    let name = Some(name.trim()).filter(|name| name.len() <= LONGEST)?;
    // Every anchor is looked up, and nearly all are no names.
    let hash = hash(name);
    let at = BY_HASH.binary_search_by_key(&hash, |(hash, ..)| *hash).ok()?;
    let (_, own, language) = BY_HASH[at];
    (name.to_lowercase().replace(' ', "-") == own).then_some(language)
}

/// FNV-1a of a name in small letters with hyphens for its spaces, a letter at a time.
fn hash(name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut see = |c: char| {
        hash = (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3);
    };
    for c in name.chars() {
        match c {
            ' ' => see('-'),
            '\0'..='\x7f' => see(c.to_ascii_lowercase()),
            // The scripts from Hebrew to Burmese, and those of China, Japan and Korea, have no small letters to look for.
            '\u{590}'..='\u{109f}' | '\u{2e80}'..='\u{a63f}' | '\u{ac00}'..='\u{d7ff}' => see(c),
            _ => c.to_lowercase().for_each(&mut see),
        }
    }
    hash
}

/// The names in the order of their hashes.
static BY_HASH: LazyLock<Vec<(u64, &str, Language)>> = LazyLock::new(|| {
    let parsed =
        |(name, tag): &(&'static str, &str)| Some((hash(name), *name, Language::parse(tag).ok()?));
    let mut names: Vec<_> = OWN_NAMES.iter().filter_map(parsed).collect();
    names.sort_unstable_by_key(|(hash, ..)| *hash);
    names
});

/// Whether a text is nothing but the names of several languages, each in itself: a choice, which is in none of them.
pub fn is_a_choice(letters: &Letters, text: &str) -> bool {
    const LONGEST_CHOICE: usize = 400;
    if text.len() > LONGEST_CHOICE {
        return false;
    }
    let is_english = |name: &str| name.eq_ignore_ascii_case("english");
    let english = |name: &str| is_english(name).then_some(Language::ENGLISH);
    let is_between = |c: char| letters.of(c).0 == NO_LETTER;
    let mut words = text.split(is_between).filter(|word| !word.is_empty()).peekable();
    let at = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    let mut first = None;
    let mut are_several = false;
    let is_one = |word: &str| word.len() == text.len();
    if words.peek().is_none_or(|word| is_one(word)) {
        return false;
    }
    while let Some(word) = words.next() {
        // Some names have two words, with a space or a hyphen between them.
        let mut with_next = || {
            let next = words.peek()?;
            let language = named_by_itself(&text[at(word)..at(next) + next.len()])?;
            words.next();
            Some(language)
        };
        let named = english(word).or_else(|| named_by_itself(word)).or_else(&mut with_next);
        let Some(language) = named else { return false };
        are_several |= *first.get_or_insert(language) != language;
    }
    are_several
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(token: &str, language: Option<&str>) {
        let said = said(token, None).map(|(said, _)| said.language.to_string());
        assert_eq!(said.as_deref(), language, "{token:?}");
    }

    #[test]
    fn tags_are_read_in_their_usual_spellings() {
        for (token, language) in [
            ("zh-hant", "zh-Hant"),
            ("zh-Hans", "zh-Hans"),
            ("zh_TW", "zh-Hant"),
            ("zh-tw", "zh-Hant"),
            ("zh-hk", "zh-Hant"),
            ("zh-MO", "zh-Hant"),
            ("zh-cn", "zh-Hans"),
            ("zh_SG", "zh-Hans"),
            ("zh-Hant-HK", "zh-Hant"),
            ("fr_CA", "fr"),
            ("index_fr_CA", "fr"),
            ("es-419", "es"),
            ("sr-latn", "sr-Latn"),
            ("pt-br", "pt"),
            ("de-AT", "de"),
            ("en-GB", "en"),
            ("id-ID", "id"),
        ] {
            check(token, Some(language));
        }
    }

    #[test]
    fn languages_are_known_by_the_names_they_have_in_themselves() {
        for (name, language) in [
            ("Deutsch", "de"),
            ("francais", "fr"),
            ("español", "es"),
            ("cesky", "cs"),
            ("Türkçe", "tr"),
            ("русский", "ru"),
            ("site_polski", "pl"),
        ] {
            check(name, Some(language));
        }
    }

    #[test]
    fn what_stands_before_a_name_is_left_to_be_read() {
        let before = |token| said(token, None).map(|(_, before)| before);
        assert_eq!(before("Nachrichten_heute_de"), Some("Nachrichten_heute"));
        assert_eq!(before("de"), Some(""));
        assert_eq!(said(&"_".repeat(100_000), None), None);
    }

    #[test]
    fn countries_stand_for_their_languages_and_hyphens_for_underscores() {
        for (token, language) in [
            ("jp", "ja"),
            ("83_ua", "uk"),
            ("cn", "zh-Hans"),
            ("index-th", "th"),
            ("Home-en", "en"),
        ] {
            check(token, Some(language));
        }
    }

    #[test]
    fn words_with_hyphens_are_no_tags() {
        for token in [
            "de-luxe",
            "co-op",
            "is-it",
            "go-to",
            "e-mail",
            "top-10",
            "my",
            "re-de-at",
            "",
            "-",
            "de-",
            "how-to-do-it",
            "do-it",
        ] {
            check(token, None);
        }
    }

    #[test]
    fn names_of_several_languages_are_a_choice() {
        let letters = Letters::new();
        for text in [
            "Deutsch English",
            "English | Français | Español",
            "Русский · Українська",
            "ไทย / हिन्दी",
            "English | Tiếng Việt",
            "Bahasa Indonesia, Bahasa Melayu",
            "по-русски deutsch",
        ] {
            assert!(is_a_choice(&letters, text), "{text}");
        }
        for text in ["Deutsch", "Deutsch, Deutsch", "Deutsch lernen", "English", "", "1 2"] {
            assert!(!is_a_choice(&letters, text), "{text}");
        }
    }

    #[test]
    fn every_name_is_spelt_as_tokens_are_compared() {
        for (name, tag) in OWN_NAMES {
            assert_eq!(*name, name.to_lowercase());
            assert!(name.len() <= LONGEST, "{name}");
            assert!(Language::parse(tag).is_ok(), "{tag}");
        }
    }
}
