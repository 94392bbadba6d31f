//! What the user wants.

use std::fmt;
use std::str::FromStr;

use langur_crawl::{Language, NotALanguage};
use thiserror::Error;

/// What the user wants: pages in one of these languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The languages; varieties of them are wanted too.
    pub languages: Vec<Language>,
}

/// A target that does not read as one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// It does not say what kind of target it is.
    #[error("target \"{0}\" should be lang: and languages, as in lang:th or lang:lo,km")]
    Kind(String),
    /// One of the languages is none.
    #[error("target \"{0}\": {1}")]
    Language(String, NotALanguage),
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Target, TargetError> {
        let list = text.strip_prefix("lang:").ok_or_else(|| TargetError::Kind(text.to_owned()))?;
        let language = |tag: &str| {
            Language::parse(tag.trim())
                .map_err(|error| TargetError::Language(text.to_owned(), error))
        };
        Ok(Target { languages: list.split(',').map(language).collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags: Vec<&str> = self.languages.iter().map(Language::as_str).collect();
        write!(f, "lang:{}", tags.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_read_and_write() {
        for text in ["lang:th", "lang:lo,km", "lang:zh-Hant"] {
            assert_eq!(
                text.parse::<Target>().map(|target| target.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["th", "lang:", "lang:th,,lo", "topic:x"] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
