//! What the user wants.

use std::fmt;
use std::str::FromStr;

use langur_crawl::{Language, NotALanguage};
use thiserror::Error;

/// What the user wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Pages in one of these languages or a variety of it.
    Languages(Vec<Language>),
    /// Pages about a topic of the web space.
    Topic {
        /// The topic's name.
        name: String,
        /// What pages must score more than, if not what the web space says.
        threshold: Option<f32>,
    },
}

/// A target that does not read as one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// It does not say what kind of target it is.
    #[error(
        "target \"{0}\" should be lang: and languages, as in lang:th or lang:lo,km, or topic: and a topic of the web space, as in topic:bikes or \"topic:bikes>0.5\""
    )]
    Kind(String),
    /// One of the languages is none.
    #[error("target \"{0}\": {1}")]
    Language(String, NotALanguage),
    /// The topic has no name.
    #[error("target \"{0}\" names no topic; name one of the web space, as in topic:bikes")]
    NoName(String),
    /// The threshold is none.
    #[error("target \"{0}\": \"{1}\" is not a score from 0 to 1, as in \"topic:bikes>0.5\"")]
    Threshold(String, String),
}

impl Target {
    /// The languages that are wanted; none where a topic is.
    pub fn languages(&self) -> &[Language] {
        match self {
            Target::Languages(languages) => languages,
            Target::Topic { .. } => &[],
        }
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Target, TargetError> {
        match text.split_once(':') {
            Some(("lang", list)) => {
                let language = |tag: &str| {
                    Language::parse(tag.trim())
                        .map_err(|error| TargetError::Language(text.to_owned(), error))
                };
                list.split(',').map(language).collect::<Result<_, _>>().map(Target::Languages)
            }
            Some(("topic", topic)) => read_topic(text, topic),
            _ => Err(TargetError::Kind(text.to_owned())),
        }
    }
}

fn read_topic(text: &str, topic: &str) -> Result<Target, TargetError> {
    let (name, threshold) = match topic.rsplit_once('>') {
        None => (topic, None),
        Some((name, written)) => {
            let read = written.trim().parse().ok().filter(|score| (0.0..=1.0).contains(score));
            let wrong = || TargetError::Threshold(text.to_owned(), written.trim().to_owned());
            (name, Some(read.ok_or_else(wrong)?))
        }
    };
    match name.trim() {
        "" => Err(TargetError::NoName(text.to_owned())),
        name => Ok(Target::Topic { name: name.to_owned(), threshold }),
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Languages(languages) => {
                let tags: Vec<&str> = languages.iter().map(Language::as_str).collect();
                write!(f, "lang:{}", tags.join(","))
            }
            Target::Topic { name, threshold: None } => write!(f, "topic:{name}"),
            Target::Topic { name, threshold: Some(threshold) } => {
                write!(f, "topic:{name}>{threshold}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_read_and_write() {
        for text in
            ["lang:th", "lang:lo,km", "lang:zh-Hant", "topic:bikes", "topic:pet shelters>0.25"]
        {
            assert_eq!(
                text.parse::<Target>().map(|target| target.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["th", "lang:", "lang:th,,lo", "topic:", "topic:>0.5", "topic:x>2", "topic:x>"]
        {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
