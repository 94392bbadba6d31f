//! A Parquet file in a store.

use std::io::{self, Read};

use bytes::{Buf, Bytes};
use langur_store::{Store, StoreError};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// A Parquet file in a store, read by range.
#[derive(Clone)]
pub(super) struct Chunks {
    store: Store,
    name: String,
    length: u64,
}

impl Chunks {
    pub(super) fn open(store: &Store, name: &str) -> Result<Chunks, StoreError> {
        Ok(Chunks { store: store.clone(), name: name.to_owned(), length: store.len(name)? })
    }
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Chunks {
    type T = Onward;

    fn get_read(&self, start: u64) -> Result<Onward, ParquetError> {
        Ok(Onward { chunks: self.clone(), place: start, ready: Bytes::new() })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let end = start.saturating_add(length as u64);
        self.store
            .read(&self.name, start..end)
            .map_err(|error| ParquetError::External(error.into()))
    }
}

/// A file read onward from somewhere. Mostly for the headers of pages, which are short.
pub(super) struct Onward {
    chunks: Chunks,
    place: u64,
    ready: Bytes,
}

const AT_ONCE: u64 = 8 << 10;

impl Read for Onward {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() {
            let end = self.place.saturating_add(AT_ONCE).min(self.chunks.length);
            if self.place >= end {
                return Ok(0);
            }
            self.ready = self.chunks.store.read(&self.chunks.name, self.place..end)?;
            self.place = end;
        }
        let taken = self.ready.len().min(buffer.len());
        self.ready.copy_to_slice(&mut buffer[..taken]);
        Ok(taken)
    }
}
