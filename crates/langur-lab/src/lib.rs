//! The lab: runs strategies over web spaces and measures them.

mod ratio;
mod simulation;
mod target;

pub use ratio::{Ratio, Ratios, bare_traversal, ratios};
pub use simulation::{LabError, Measured, Order, Progress, Simulation, Switches};
pub use target::{Target, TargetError};
