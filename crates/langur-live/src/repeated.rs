//! Payloads that are archived already.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3Default;

use crate::journal::Moment;
use crate::known::Text;

/// A SHA-1.
pub type Digest = [u8; 20];

/// The capture that first had a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// Where in the journal its URL lies.
    pub url: Text,
    /// When it was captured, in seconds since 1970.
    pub at: u32,
}

/// The payloads of all answers in the archive. Only what the journal knows of is here, so that nothing ever refers to a
/// capture that was lost.
#[derive(Default)]
pub struct Payloads(Mutex<HashMap<Digest, First, BuildHasherDefault<Xxh3Default>>>);

impl Payloads {
    /// The first capture of a payload.
    pub fn find(&self, digest: &Digest) -> Option<First> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(digest).copied()
    }

    /// Takes note of a capture; the first stays.
    pub fn add(&self, digest: Digest, url: Text, at: Moment) {
        let first = First { url, at: u32::try_from(at / 1000).unwrap_or(u32::MAX) };
        let mut payloads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        payloads.entry(digest).or_insert(first);
    }
}
