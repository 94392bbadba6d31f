//! The lab: runs strategies over web spaces and measures them.

mod catalogue;
mod clock;
mod identifier;
mod judge;
mod live;
mod measure;
mod offline;
mod ratio;
mod simulation;
mod switches;
mod target;
mod tasks;

pub use catalogue::{Catalogue, Contender};
pub use clock::{CLOCKS, Clock};
pub use identifier::{IDENTIFIERS, Identifier};
pub use judge::{judged_pages, label_number, relevant_pages};
pub use live::{Live, LiveMeasures, LiveParts};
pub use measure::Measured;
pub use offline::{Offline, OfflineError, OfflineResult, OfflineSetting, Whole, first_of};
pub use ratio::{Ratio, Ratios, bare_traversal, ratios};
pub use simulation::{LabError, Progress, Simulation};
pub use switches::{Order, Switches};
pub use target::{Target, TargetError};
pub use tasks::{Task, TaskError, TaskSeeds, read_tasks};
