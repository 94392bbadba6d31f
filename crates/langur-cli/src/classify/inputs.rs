//! Where documents come from: files, the standard input, the web.

use std::io::Read;

use anyhow::{Context, Result};
use langur_page::Address;

use super::fetch;

/// Something to classify.
pub enum Input<'i> {
    /// A file by its path.
    File(&'i str),
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
    pub fn of(text: &'i str) -> Input<'i> {
        match text {
            "-" => Input::Standard,
            url if Input::is_url(url) => Input::Url(url),
            path => Input::File(path),
        }
    }

    pub fn is_url(text: &str) -> bool {
        text.starts_with("http://") || text.starts_with("https://")
    }

    /// Reads it; `content_type` and `url` are said of files.
    pub fn document(
        &self,
        content_type: Option<&str>,
        url: Option<&str>,
        allow_private: bool,
    ) -> Result<Document> {
        let address = url.map(Address::parse).transpose()?;
        let content_type = content_type.map(str::to_owned);
        match self {
            Input::Url(url) => fetch::fetch(url, allow_private),
            Input::Standard => {
                let mut bytes = Vec::new();
                std::io::stdin().lock().read_to_end(&mut bytes).context("the standard input")?;
                Ok(Document { name: "-".to_owned(), bytes, content_type, address })
            }
            Input::File(path) => {
                let bytes =
                    std::fs::read(path).with_context(|| format!("{path} cannot be read"))?;
                Ok(Document { name: (*path).to_owned(), bytes, content_type, address })
            }
        }
    }
}
