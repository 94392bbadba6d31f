//! Where documents come from: files, the standard input, the web.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use langur_page::Address;

use super::fetch;
use crate::files::files_in;

/// Something to classify.
pub enum Input<'i> {
    /// A file by its path.
    File(PathBuf),
    /// The standard input.
    Standard,
    /// A page on the web.
    Url(&'i str),
}

/// A document and what is known of it besides its bytes.
pub struct Document {
    pub name: String,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
    pub address: Option<Address>,
}

impl<'i> Input<'i> {
    /// What an argument stands for; a folder for all its files.
    pub fn all(text: &'i str) -> Result<Vec<Input<'i>>> {
        match text {
            "-" => Ok(vec![Input::Standard]),
            url if Input::is_url(url) => Ok(vec![Input::Url(url)]),
            path => Ok(files_in(Path::new(path))?.into_iter().map(Input::File).collect()),
        }
    }

    pub fn is_url(text: &str) -> bool {
        text.starts_with("http://") || text.starts_with("https://")
    }

    /// Reads it; `content_type` and `address` are said of files.
    pub fn document(
        &self,
        content_type: Option<&str>,
        address: Option<&Address>,
        allow_private: bool,
    ) -> Result<Document> {
        let address = address.cloned();
        let content_type = content_type.map(str::to_owned);
        match self {
            Input::Url(url) => fetch::fetch(url, allow_private),
            Input::Standard => {
                let mut bytes = Vec::new();
                std::io::stdin().lock().read_to_end(&mut bytes).context("the standard input")?;
                Ok(Document { name: "-".to_owned(), bytes, content_type, address })
            }
            Input::File(path) => {
                let name = path.display().to_string();
                let bytes =
                    std::fs::read(path).with_context(|| format!("{name} cannot be read"))?;
                Ok(Document { name, bytes, content_type, address })
            }
        }
    }
}
