//! For tests only: toy webs written as strings, the suite every frontier must pass, the real data of
//! `../shared/data`, a web server over a folder, a web of many hosts, and a zoo of hostile ones (feature `zoo`).

#[cfg(feature = "zoo")]
mod certified;
pub mod frontier;
mod loopback;
pub mod shared;
mod toy;
mod warc;
mod web_server;
#[cfg(feature = "zoo")]
pub mod zoo;

pub use loopback::{Answer, Asked, Loopback};
pub use toy::{Toy, toy};
pub use warc::{Warc, site};
pub use web_server::{Fault, FolderServer, Request};
