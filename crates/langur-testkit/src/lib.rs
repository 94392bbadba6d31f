//! For tests only: toy webs written as strings, the suite every frontier must pass, the real data of
//! `../shared/data`, and a web server over a folder.

pub mod frontier;
pub mod shared;
mod toy;
mod warc;
mod web_server;

pub use toy::{Toy, toy};
pub use warc::{Warc, site};
pub use web_server::{Fault, FolderServer, Request};
