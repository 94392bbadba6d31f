//! Where documents come from: files, the standard input, the web.

use std::ffi::OsStr;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use langur_page::Address;

use super::fetch;
use crate::files::{files_in, read};

/// Something to classify.
pub enum Input<'i> {
    /// A file by its path.
    File(PathBuf),
    /// The standard input.
    Standard,
    /// A page on the web.
    Url(&'i str),
}

/// How inputs are read, and what is said of them.
pub struct Manner<'m> {
    /// What HTTP would say of files.
    pub content_type: Option<&'m str>,
    /// Where files were found.
    pub address: Option<&'m Address>,
    pub allow_private: bool,
    /// Whether there are no others.
    pub is_only_input: bool,
}

/// A document and what is known of it besides its bytes.
pub struct Document {
    pub name: String,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
    pub content_language: Option<String>,
    pub address: Option<Address>,
}

impl<'i> Input<'i> {
    /// What an argument stands for; a folder for all its files.
    pub fn all(argument: &'i OsStr) -> Result<Vec<Input<'i>>> {
        if argument == "-" {
            return Ok(vec![Input::Standard]);
        }
        match url(argument) {
            Some(url) => Ok(vec![Input::Url(url)]),
            None => Ok(files_in(Path::new(argument))?.into_iter().map(Input::File).collect()),
        }
    }

    /// Reads it.
    pub fn document(&self, manner: &Manner) -> Result<Document> {
        let (name, bytes) = match self {
            Input::Url(url) => return fetch::fetch(url, manner.allow_private),
            Input::Standard => {
                let mut bytes = Vec::new();
                stdin().lock().read_to_end(&mut bytes).context("the standard input")?;
                ("-".to_owned(), bytes)
            }
            Input::File(path) => (path.display().to_string(), read(path, manner.is_only_input)?),
        };
        let content_type = manner.content_type.map(str::to_owned);
        let address = manner.address.cloned();
        Ok(Document { name, bytes, content_type, content_language: None, address })
    }
}

/// An argument that is a URL, of whatever scheme. What looks like one and is a file is a file.
pub fn url(argument: &OsStr) -> Option<&str> {
    let text = argument.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    (is_scheme && !Path::new(text).exists()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_from_files_in_any_case_and_scheme() {
        let is_url = |text: &str| url(OsStr::new(text)).is_some();
        assert!(is_url("HTTP://WWW.SPIEGEL.DE") && is_url("ftp://x/") && is_url("http://[::1"));
        assert!(!is_url("a.html") && !is_url("a/b://c") && !is_url("://"));
    }
}
