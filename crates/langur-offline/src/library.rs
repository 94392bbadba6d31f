//! Where captures come from.

use langur_page::Address;

/// Captures by URL.
pub trait Library {
    /// The capture of a page, if there is one. An error is for what should be there and cannot be read.
    fn fetch(&self, address: &Address) -> Result<Option<Fetched>, String>;

    /// Whether there is a capture of a page.
    fn holds(&self, address: &Address) -> Result<bool, String>;
}

/// A capture of a page, its payload decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    /// HTTP's status; 0 where there is none.
    pub status: u16,
    /// The value of HTTP's `Content-Type`.
    pub content_type: Option<String>,
    /// The value of HTTP's `Content-Language`.
    pub content_language: Option<String>,
    /// The value of HTTP's `Location`.
    pub location: Option<String>,
    /// All values of HTTP's `Link`.
    pub link: Option<String>,
    /// The value of HTTP's `Refresh`.
    pub refresh: Option<String>,
    /// The body, decompressed.
    pub payload: Vec<u8>,
}
