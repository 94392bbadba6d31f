//! A web space as a real web on loopback.
//!
//! A web space says what pages there are, in which languages, how long they are and what they link to. [`Pages`]
//! makes real pages of that; [`LoopbackServer`] serves them on one port under the names of all hosts, and
//! [`write_warc`] writes the same bytes to an archive. So one web can be simulated, crawled from its archive and
//! crawled over HTTP, and a live crawler be measured on a web that is known.
//!
//! There is no TLS: pages whose URLs begin with `https:` are served to those who ask for them as to a proxy.

mod pages;
mod server;
mod warc;
mod words;

pub use pages::{Answer, Charsets, Links, PageOptions, Pages};
pub use server::{LoopbackServer, ServerOptions};
pub use warc::{ArchiveError, write_warc};
