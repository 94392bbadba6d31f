//! The lab: runs strategies over web spaces and measures them.

mod simulation;
mod target;

pub use simulation::{LabError, Measured, Order, Progress, Simulation, Switches};
pub use target::{Target, TargetError};
