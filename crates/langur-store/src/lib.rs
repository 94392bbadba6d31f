//! Files in a folder, behind HTTP or in S3-compatible storage, read by range.
//!
//! Archives and their indexes are large, are never changed once written, and lie wherever there was
//! room: on this disk, on a web server, in a bucket. A [`Store`] is one such place, opened by its
//! address, and a file is named within it. Whoever reads cannot tell the difference, apart from
//! [`Store::local`], which tells where a file can be mapped into memory.
//!
//! Calls block and may come from many threads at once; no caller needs to know of an asynchronous
//! runtime. What comes over a network is asked for again when a connection breaks or a server is busy
//! ([`Patience`]), and kept in blocks, in memory and, if asked for, in a folder ([`CacheFolder`]).
//!
//! Credentials, region and endpoint of S3-compatible storage come from the environment, as they do
//! for all its clients: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`,
//! `AWS_REGION`, `AWS_ENDPOINT_URL`. Without credentials, buckets are read as the public may;
//! `AWS_SKIP_SIGNATURE=true` does so with them. `AWS_METADATA_ENDPOINT=http://169.254.169.254` asks a
//! machine of Amazon's for its own.

mod address;
mod cache;
mod client;
mod error;
mod folder;
mod options;
mod patience;
mod reader;
mod remote;
mod store;

pub use error::StoreError;
pub use options::{CacheFolder, StoreOptions};
pub use patience::Patience;
pub use reader::StoreReader;
pub use store::Store;
