//! Language tags that fit in a register.

use std::fmt;

/// A language as a short BCP 47 tag: `th`, `zh-Hans`, `sr-Latn`. At most twelve ASCII bytes, so
/// that it can be copied and compared without an allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 12]);

/// The text is not a language tag that Langur can keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotALanguage(pub String);

impl Language {
    /// English, which the LSWC strategy treats apart.
    pub const ENGLISH: Language = Language(*b"en\0\0\0\0\0\0\0\0\0\0");

    /// Reads a tag such as `th` or `zh-Hant`.
    pub fn parse(tag: &str) -> Result<Language, NotALanguage> {
        let starts_with_language = tag.split('-').next().is_some_and(|primary| {
            (2..=8).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_alphabetic())
        });
        let plain = tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !starts_with_language || !plain || tag.len() > 12 || tag.ends_with('-') {
            return Err(NotALanguage(tag.to_owned()));
        }
        let mut bytes = [0; 12];
        bytes[..tag.len()].copy_from_slice(tag.to_ascii_lowercase().as_bytes());
        // Case means nothing in a tag. As usually written, scripts begin with a capital and regions
        // are in capitals: zh-Hans, pt-BR.
        let mut start = 0;
        for part in tag.split('-') {
            let written = &mut bytes[start..start + part.len()];
            match (start, part.len()) {
                (0, _) => {}
                (_, 4) => written[..1].make_ascii_uppercase(),
                (_, 2) => written.make_ascii_uppercase(),
                _ => {}
            }
            start += part.len() + 1;
        }
        Ok(Language(bytes))
    }

    /// The tag as text.
    pub fn as_str(&self) -> &str {
        let len = self.0.iter().position(|&b| b == 0).unwrap_or(12);
        std::str::from_utf8(&self.0[..len]).expect("a language tag is ASCII")
    }

    /// Whether this language is `range` or a variety of it: `zh-Hans` is within `zh`.
    #[inline]
    pub fn is_within(&self, range: Language) -> bool {
        // Nearly all are another language altogether, and no tag has fewer letters.
        if self.0[..2] != range.0[..2] {
            return false;
        }
        let len = range.0.iter().position(|&byte| byte == 0).unwrap_or(12);
        let begins_alike = self.0.iter().zip(&range.0).take(len).all(|(a, b)| a == b);
        begins_alike && self.0.get(len).is_none_or(|&next| next == 0 || next == b'-')
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for NotALanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is not a language tag such as th, zh-Hans or sr-Latn", self.0)
    }
}

impl std::error::Error for NotALanguage {}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Language {
        Language::parse(text).expect("a tag")
    }

    #[test]
    fn case_means_nothing() {
        let written = |tag| Language::parse(tag).map(|language| language.to_string());
        assert_eq!(written("ZH-hANS").as_deref(), Ok("zh-Hans"));
        assert_eq!(written("pt-br").as_deref(), Ok("pt-BR"));
        assert_eq!(Language::parse("TH"), Language::parse("th"));
    }

    #[test]
    fn a_variety_is_within_its_language_and_not_the_other_way() {
        assert!(tag("zh-Hans").is_within(tag("zh")));
        assert!(tag("zh").is_within(tag("zh")));
        assert!(!tag("zh").is_within(tag("zh-Hans")));
        assert!(!tag("zha").is_within(tag("zh")));
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for text in ["", "t", "th-", "th_TH", "ไทย", "a-very-long-language-tag", "12"] {
            assert_eq!(Language::parse(text), Err(NotALanguage(text.to_owned())));
        }
    }
}
