//! The live web.

pub mod decisions;
pub mod disk;
pub mod journal;
pub mod known;
pub mod page;
pub mod workbench;
