//! Our own TextCat profiles, one a language.
//!
//! They are the commonest n-grams of the corpora that the language model is built from, written by
//! `langur-train` in the format of libTextCat, one file after the other.

use langur_language::{declared, named};
use langur_textcat::{Categories, Options, Profile};
use thiserror::Error;

const PACKED: &[u8] = include_bytes!("../data/profiles.zst");
/// Stands before the name of each profile.
const NAME: &str = "## ";

/// The bytes are no profiles.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the TextCat profiles are damaged")]
pub struct BadProfiles;

/// Profiles from fingerprint files as libTextCat and exttextcat have them, each with the name of its file:
/// `th.lm`, `thai.lm`, `thai-utf8.lm`. One language may have several, as libTextCat has for its charsets
/// (`japanese-euc_jp.lm`); if some are not in UTF-8, pages are compared in the bytes of their own charsets.
pub fn profiles_of(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Categories {
    let files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
    let is_utf_8 = files.iter().all(|(_, bytes)| std::str::from_utf8(bytes).is_ok());
    let tagged = files.into_iter().map(|(name, bytes)| {
        let stem = name.trim_end_matches(".lm");
        let word = stem.split(['-', '_', '.']).next().unwrap_or(stem);
        let tag = named(word).or_else(|| declared(stem));
        (tag.map_or_else(|| stem.to_owned(), |tag| tag.to_string()), Profile::parse(&bytes))
    });
    Categories::new(tagged, if is_utf_8 { Options::EXTTEXTCAT } else { Options::LIBTEXTCAT })
}

/// The profiles that come with Langur, by BCP 47 tag.
pub fn profiles() -> Result<Categories, BadProfiles> {
    let bytes = zstd::decode_all(PACKED).map_err(|_| BadProfiles)?;
    let text = String::from_utf8(bytes).map_err(|_| BadProfiles)?;
    let files = text.split(NAME).skip(1).map(|file| {
        let (name, grams) = file.split_once('\n').unwrap_or((file, ""));
        (name.to_owned(), Profile::parse(grams.as_bytes()))
    });
    Ok(Categories::new(files, Options::EXTTEXTCAT))
}
