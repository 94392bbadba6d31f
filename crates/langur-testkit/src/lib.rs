//! For tests only: toy webs written as strings, the suite every frontier must pass, and the real data of
//! `../shared/data`.

pub mod frontier;
pub mod shared;
mod toy;

pub use toy::{Toy, toy};
