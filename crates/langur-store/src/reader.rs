//! Reading a file from its first byte to its last.
//!
//! Whole archives are read once, and are large: they pass by the cache. A connection that breaks in
//! the middle is taken up again where it broke, if the file is still the same.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use futures_util::StreamExt;

use crate::StoreError;
use crate::client::innermost;
use crate::remote::{Parts, Remote, Version};

/// A file being read from its first byte to its last.
pub struct StoreReader(Inner);

enum Inner {
    File(File),
    Remote(Box<Resumed>),
}

struct Resumed {
    remote: Arc<Remote>,
    name: String,
    version: Version,
    parts: Option<Parts>,
    /// What came and was not taken yet.
    ready: Bytes,
    /// How much came in all.
    position: u64,
    /// How often it broke since something came.
    failures: u32,
}

impl StoreReader {
    pub(crate) fn file(file: File) -> StoreReader {
        StoreReader(Inner::File(file))
    }

    pub(crate) fn remote(remote: Arc<Remote>, name: &str) -> Result<StoreReader, StoreError> {
        let (version, parts) = remote.stream(name, 0)?;
        Ok(StoreReader(Inner::Remote(Box::new(Resumed {
            remote,
            name: name.to_owned(),
            version,
            parts: Some(parts),
            ready: Bytes::new(),
            position: 0,
            failures: 0,
        }))))
    }
}

impl Read for StoreReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::File(file) => file.read(buffer),
            Inner::Remote(resumed) => resumed.read(buffer),
        }
    }
}

impl Resumed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() && !buffer.is_empty() {
            self.fill()?;
        }
        let taken = self.ready.len().min(buffer.len());
        self.ready.copy_to_slice(&mut buffer[..taken]);
        Ok(taken)
    }

    /// Waits for bytes, and leaves none only at the end of the file.
    fn fill(&mut self) -> Result<(), StoreError> {
        while self.ready.is_empty() && self.position < self.version.length {
            let parts = match self.parts.take() {
                Some(parts) => parts,
                None => self.reopened()?,
            };
            let (parts, came) = self.remote.wait(handful(parts));
            match came {
                Ok(bytes) if !bytes.is_empty() => {
                    self.parts = Some(parts);
                    self.failures = 0;
                    self.position += bytes.len() as u64;
                    self.ready = bytes;
                }
                // The end came early, or the connection broke.
                broken => {
                    self.failures += 1;
                    let why = broken.err().unwrap_or_else(|| "too few bytes".to_owned());
                    self.remote.pause(&self.name, self.failures, &why)?;
                }
            }
        }
        if self.position > self.version.length {
            return Err(StoreError::Changed { at: self.remote.at(&self.name) });
        }
        Ok(())
    }

    fn reopened(&self) -> Result<Parts, StoreError> {
        let (version, parts) = self.remote.stream(&self.name, self.position)?;
        if version != self.version {
            return Err(StoreError::Changed { at: self.remote.at(&self.name) });
        }
        Ok(parts)
    }
}

/// How much is handed over at once, so that threads change seldom.
const HANDFUL: usize = 256 << 10;

async fn handful(mut parts: Parts) -> (Parts, Result<Bytes, String>) {
    let mut bytes = BytesMut::new();
    while bytes.len() < HANDFUL {
        match parts.next().await {
            Some(Ok(part)) => bytes.extend_from_slice(&part),
            // What came before the failure is good. The stream ends here, too early, and is noticed.
            Some(Err(_)) if !bytes.is_empty() => break,
            Some(Err(error)) => return (parts, Err(innermost(&error))),
            None => break,
        }
    }
    (parts, Ok(bytes.freeze()))
}
