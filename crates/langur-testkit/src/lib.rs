//! For tests only: toy webs written as strings, and the suite every frontier must pass.

pub mod frontier;
mod toy;

pub use toy::{Toy, toy};
