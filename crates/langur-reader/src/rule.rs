//! The rules for the language of a page, by name.

use langur_crawl::Language;
use langur_page::html::Document;
use langur_textcat::Categories;
use langur_textcat::rules::{JAPANESE_2005, THAI_2005, THAI_2006};
use thiserror::Error;

/// How the language of a page is told.
pub enum Rule {
    /// The default judge.
    Langur,
    /// The charset that META declares, as in the paper of 2005: Thai or Japanese, or unknown.
    MetaCharset,
    /// That and TextCat, as in the paper of 2006, Table 1.
    MetaTextcat(Box<Categories>),
}

/// There is no rule of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no rule \"{0}\"; there are: langur, meta-charset, meta+textcat")]
pub struct UnknownRule(pub String);

impl Rule {
    /// The names of the rules.
    pub const NAMES: [&'static str; 3] = ["langur", "meta-charset", "meta+textcat"];

    /// The rule of that name; the last needs profiles.
    pub fn named(name: &str, categories: impl FnOnce() -> Categories) -> Result<Rule, UnknownRule> {
        match name {
            "langur" => Ok(Rule::Langur),
            "meta-charset" => Ok(Rule::MetaCharset),
            "meta+textcat" => Ok(Rule::MetaTextcat(Box::new(categories()))),
            other => Err(UnknownRule(other.to_owned())),
        }
    }

    /// The language by one of the papers' rules; the default judge's is not asked here.
    pub(crate) fn language(&self, document: &Document) -> Option<Language> {
        let declared = document.meta_charset();
        let tag = match self {
            Rule::Langur => None,
            Rule::MetaCharset => {
                THAI_2005.language(declared).or_else(|| JAPANESE_2005.language(declared))
            }
            Rule::MetaTextcat(categories) => {
                let verdict = categories.classify(document.text().as_bytes());
                THAI_2006.page_language(declared, &verdict)
            }
        };
        tag.and_then(|tag| Language::parse(tag).ok())
    }
}
