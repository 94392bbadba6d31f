//! The language of a page, by the founding papers' rules.
//!
//! Somboonviwat, Tamura and Kitsuregawa (2005) go by the declared charset alone. Somboonviwat,
//! Suzuki and Kitsuregawa (2006) fuse it with TextCat's answer for the visible text (their Table 1).

use crate::Verdict;

/// A language that some charsets give away.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Charsets<'r> {
    /// The language, by its tag, as the profiles are named.
    pub language: &'r str,
    /// The charsets, in lower case.
    pub charsets: &'r [&'r str],
}

/// Thai in the paper of 2005. UTF-8 is not among them, and so never relevant.
pub const THAI_2005: Charsets =
    Charsets { language: "th", charsets: &["tis-620", "windows-874", "iso-8859-11"] };

/// Japanese in the paper of 2005.
pub const JAPANESE_2005: Charsets =
    Charsets { language: "ja", charsets: &["euc-jp", "shift_jis", "iso-2022-jp"] };

/// Thai in the paper of 2006.
pub const THAI_2006: Charsets = Charsets { language: "th", charsets: &["windows-874", "tis-620"] };

impl<'r> Charsets<'r> {
    /// The language, if the charset that a page declares gives it away (`metacs_lang`).
    pub fn language(&self, declared: Option<&str>) -> Option<&'r str> {
        let declared = declared?.trim();
        let found = self.charsets.iter().any(|charset| charset.eq_ignore_ascii_case(declared));
        found.then_some(self.language)
    }

    /// The language of a page by the paper of 2006, this language being the wanted one.
    pub fn page_language<'l>(
        &self,
        declared: Option<&str>,
        textcat: &Verdict<'l>,
    ) -> Option<&'l str>
    where
        'r: 'l,
    {
        fuse(self.language, self.language(declared), textcat_language(self.language, textcat))
    }
}

/// TextCat's language: the wanted one if it is a candidate, else English if it is, else the first.
pub fn textcat_language<'l>(wanted: &str, textcat: &Verdict<'l>) -> Option<&'l str> {
    let Verdict::Candidates(names) = textcat else { return None };
    let find = |language: &str| names.iter().find(|name| **name == language).copied();
    find(wanted).or_else(|| find("en")).or_else(|| names.first().copied())
}

/// Table 1 of the paper of 2006: if either says the wanted language, it is that; if one does not
/// know, it is the other; if they differ, it is the declared one.
pub fn fuse<'l>(
    wanted: &str,
    declared: Option<&'l str>,
    textcat: Option<&'l str>,
) -> Option<&'l str> {
    match (declared, textcat) {
        (_, Some(language)) if language == wanted => Some(language),
        (Some(language), _) => Some(language),
        (None, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cell of Table 1.
    #[test]
    fn table_1() {
        let (thai, english, german) = (Some("th"), Some("en"), Some("de"));
        for (declared, textcat, language) in [
            (None, None, None),
            (None, thai, thai),
            (None, english, english),
            (thai, None, thai),
            (thai, thai, thai),
            (thai, english, thai),
            (english, None, english),
            (english, thai, thai),
            (english, english, english),
            (english, german, english),
        ] {
            assert_eq!(fuse("th", declared, textcat), language, "{declared:?} {textcat:?}");
        }
    }

    #[test]
    fn the_wanted_language_then_english_then_the_first() {
        let of =
            |names: &[&'static str]| textcat_language("th", &Verdict::Candidates(names.to_vec()));
        assert_eq!(of(&["de", "en", "th"]), Some("th"));
        assert_eq!(of(&["de", "en"]), Some("en"));
        assert_eq!(of(&["de", "nl"]), Some("de"));
        assert_eq!(textcat_language("th", &Verdict::Unknown), None);
        assert_eq!(textcat_language("th", &Verdict::TooShort), None);
    }

    #[test]
    fn charsets_of_the_papers() {
        assert_eq!(THAI_2005.language(Some(" ISO-8859-11 ")), Some("th"));
        assert_eq!(THAI_2006.language(Some("iso-8859-11")), None);
        assert_eq!(THAI_2006.language(Some("Windows-874")), Some("th"));
        assert_eq!(JAPANESE_2005.language(Some("Shift_JIS")), Some("ja"));
        for rule in [THAI_2005, JAPANESE_2005, THAI_2006] {
            assert_eq!((rule.language(Some("utf-8")), rule.language(None)), (None, None));
        }
    }

    #[test]
    fn a_page_is_thai_if_either_says_so() {
        let english = Verdict::Candidates(vec!["en"]);
        assert_eq!(THAI_2006.page_language(Some("tis-620"), &english), Some("th"));
        assert_eq!(THAI_2006.page_language(Some("utf-8"), &english), Some("en"));
        let both = Verdict::Candidates(vec!["en", "th"]);
        assert_eq!(THAI_2006.page_language(None, &both), Some("th"));
        assert_eq!(THAI_2006.page_language(None, &Verdict::Unknown), None);
    }
}
