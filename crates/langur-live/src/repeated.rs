//! Payloads that are archived already.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::journal::Moment;
use crate::known::{Fingerprint, Numbers, Text};

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
pub struct Payloads(Mutex<Firsts>);

/// First captures, by the numbers of their payloads.
#[derive(Default)]
struct Firsts {
    payloads: Numbers,
    urls: Vec<Text>,
    times: Vec<u32>,
}

impl Payloads {
    fn firsts(&self) -> MutexGuard<'_, Firsts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first capture of a payload.
    pub fn find(&self, digest: &Digest) -> Option<First> {
        let firsts = self.firsts();
        let number = firsts.payloads.find(Fingerprint::of_payload(digest))? as usize;
        Some(First { url: firsts.urls[number], at: firsts.times[number] })
    }

    /// Takes note of a capture; the first stays.
    pub fn add(&self, digest: Digest, url: Text, at: Moment) {
        let mut firsts = self.firsts();
        let number = firsts.payloads.number(Fingerprint::of_payload(&digest)) as usize;
        if number == firsts.urls.len() {
            firsts.urls.push(url);
            firsts.times.push(u32::try_from(at / 1000).unwrap_or(u32::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_capture_of_a_payload_stays() {
        let payloads = Payloads::default();
        let of = |number: u32| -> Digest {
            let mut digest = [7; 20];
            digest[4..8].copy_from_slice(&number.to_le_bytes());
            digest
        };
        for number in 0..1000 {
            payloads.add(of(number), Text::new(u64::from(number), 9), 5000);
            payloads.add(of(number), Text::new(1, 1), 9000);
        }
        let first = |number: u32| First { url: Text::new(u64::from(number), 9), at: 5 };
        assert!((0..1000).all(|number| payloads.find(&of(number)) == Some(first(number))));
        assert_eq!(payloads.find(&of(1000)), None);
    }
}
