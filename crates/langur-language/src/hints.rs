//! What a page says of its language besides its text.

use langur_crawl::Language;

use crate::judge::Evidence;
use crate::model::Known;
use crate::names::named;
use crate::territories;

/// A piece of evidence that was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// `declared`, `charset` or `domain`; of a URL `host`, `path`, `query` or `domain`.
    pub source: &'static str,
    /// As found.
    pub said: String,
    /// The languages it speaks for.
    pub languages: Vec<Language>,
}

/// All that was heard, as bonuses in nats.
#[derive(Debug, Default)]
pub struct Hints {
    hints: Vec<Hint>,
    bonuses: Vec<(&'static str, Language, f32)>,
}

/// Written by `models/codes` from CLDR.
const CODES: &str = include_str!("../data/codes.tsv");

/// What a declared language is worth. It is often a template's, and then English.
const DECLARED: f32 = 2.5;
const DECLARED_ENGLISH: f32 = 1.0;
/// What a charset is worth that is used for few languages.
const CHARSET: f32 = 2.0;
/// What a country's domain is worth for its first language.
const DOMAIN: f32 = 1.5;

impl Hints {
    /// Hears what a page has to say.
    pub fn of(page: &Evidence) -> Hints {
        let mut hints = Hints::default();
        for &said in page.declared {
            if let Some(language) = declared(said) {
                let english = language.is_within(Language::ENGLISH);
                let worth = if english { DECLARED_ENGLISH } else { DECLARED };
                hints.hear("declared", said, vec![(language, worth)]);
            }
        }
        if let Some(charset) = page.charset {
            let languages = charset_languages(charset);
            let worth = CHARSET / (languages.len().max(1) as f32).sqrt();
            hints.hear("charset", charset, parsed(languages).map(|l| (l, worth)).collect());
        }
        if let Some(domain) = page.top_level_domain {
            let languages = territories::languages(domain).iter();
            let worth = languages.map(|&(language, share)| (language, DOMAIN * share));
            hints.hear("domain", domain, worth.collect());
        }
        hints
    }

    fn hear(&mut self, source: &'static str, said: &str, bonuses: Vec<(Language, f32)>) {
        if bonuses.is_empty() {
            return;
        }
        let languages = bonuses.iter().map(|bonus| bonus.0).collect();
        self.hints.push(Hint { source, said: said.to_owned(), languages });
        self.bonuses.extend(bonuses.into_iter().map(|(language, worth)| (source, language, worth)));
    }

    /// What is in each language's favour, in nats; nothing at all if nothing was heard. Sources were heard
    /// one after the other, and what one says twice counts once.
    pub fn bonuses(&self, languages: &[Known]) -> Vec<f32> {
        let mut sums = vec![0.0; if self.bonuses.is_empty() { 0 } else { languages.len() }];
        for source in self.bonuses.chunk_by(|one, other| one.0 == other.0) {
            for (sum, known) in sums.iter_mut().zip(languages) {
                let said = source
                    .iter()
                    .filter(|(_, said, _)| known.tag.is_within(*said) || said.is_within(known.tag));
                *sum += said.map(|(_, _, worth)| *worth).fold(0.0, f32::max);
            }
        }
        sums
    }

    /// The form of Chinese that the page declares, or else the one that its charset was made for.
    pub fn form_of_chinese(&self) -> Option<Language> {
        let is_form = |language: &&Language| matches!(language.as_str(), "zh-Hans" | "zh-Hant");
        let own = self.hints.iter().filter(|hint| hint.source != "domain");
        own.flat_map(|hint| &hint.languages).find(is_form).copied()
    }

    /// Whether the page declares this language.
    pub fn declare(&self, language: Language) -> bool {
        let declared = self.hints.iter().filter(|hint| hint.source == "declared");
        declared.flat_map(|hint| &hint.languages).any(|said| said.is_within(language))
    }

    /// The pieces, as heard.
    pub fn heard(self) -> Vec<Hint> {
        self.hints
    }
}

/// A declared tag, reduced to what the judge knows: `th-TH`, `zh_TW`, `EN_us` and the like. Countries stand for their
/// languages where no language has their code, and names are understood: `gr`, `Thai`.
pub fn declared(said: &str) -> Option<Language> {
    let said = said.trim().split([',', ';', ' ']).next()?.replace('_', "-");
    let mut parts = said.split('-');
    let primary = parts.next()?.to_ascii_lowercase();
    let rest: Vec<&str> = parts.collect();
    let is =
        |tags: &[&str]| rest.iter().any(|part| tags.iter().any(|t| part.eq_ignore_ascii_case(t)));
    let tag = match primary.as_str() {
        "zh" if is(&["tw", "hk", "mo", "hant"]) => "zh-Hant",
        "zh" if is(&["cn", "sg", "hans"]) => "zh-Hans",
        "sr" if is(&["latn"]) => "sr-Latn",
        "iw" => "he",
        "in" => "id",
        "ji" => "yi",
        "no" => "nb",
        "fil" => "tl",
        "jp" => "ja",
        "kr" => "ko",
        "cn" => "zh-Hans",
        "tw" | "hk" => "zh-Hant",
        "gr" => "el",
        "ua" => "uk",
        "cz" => "cs",
        "dk" => "da",
        "ir" => "fa",
        "vn" => "vi",
        other => preferred(other),
    };
    match primary.len() {
        2..=3 => Language::parse(tag).ok(),
        _ => named(&primary),
    }
}

/// The tag of two letters for a code of three, where there is one.
fn preferred(code: &str) -> &str {
    if code.len() != 3 {
        return code;
    }
    let known = CODES.lines().filter_map(|line| line.split_once('\t')).find(|(of, _)| *of == code);
    known.map_or(code, |(_, tag)| tag)
}

fn parsed(tags: &[&str]) -> impl Iterator<Item = Language> {
    tags.iter().map(|tag| Language::parse(tag).expect("a tag of ours"))
}

/// The languages a charset was made for.
fn charset_languages(charset: &str) -> &'static [&'static str] {
    match charset.to_ascii_lowercase().as_str() {
        "windows-874" | "tis-620" | "iso-8859-11" => &["th"],
        "euc-jp" | "shift_jis" | "iso-2022-jp" => &["ja"],
        "euc-kr" | "iso-2022-kr" | "johab" => &["ko"],
        "gbk" | "gb18030" | "gb2312" | "hz-gb-2312" => &["zh-Hans"],
        "big5" | "euc-tw" => &["zh-Hant"],
        "koi8-r" => &["ru"],
        "koi8-u" => &["uk", "ru"],
        "windows-1251" | "iso-8859-5" | "ibm866" | "ibm855" | "x-mac-cyrillic" => {
            &["ru", "uk", "bg", "be", "sr", "mk"]
        }
        "windows-1255" | "iso-8859-8" | "iso-8859-8-i" => &["he"],
        "windows-1256" | "iso-8859-6" => &["ar", "fa", "ur"],
        "windows-1253" | "iso-8859-7" => &["el"],
        "windows-1254" | "iso-8859-9" => &["tr"],
        "windows-1257" | "iso-8859-13" | "iso-8859-4" => &["lt", "lv", "et"],
        "windows-1258" | "viscii" => &["vi"],
        "windows-1250" | "iso-8859-2" => &["pl", "cs", "hu", "sk", "ro", "hr", "sl"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_tags_are_read_as_pages_write_them() {
        for (said, tag) in [
            ("th-TH", Some("th")),
            ("zh_TW", Some("zh-Hant")),
            ("zh-CN", Some("zh-Hans")),
            (" EN-us , de", Some("en")),
            ("no", Some("nb")),
            ("ua", Some("uk")),
            ("gr-GR", Some("el")),
            ("English", Some("en")),
            ("thai", Some("th")),
            ("javascript", None),
            ("", None),
        ] {
            assert_eq!(declared(said).map(|l| l.to_string()).as_deref(), tag, "{said:?}");
        }
    }
}
