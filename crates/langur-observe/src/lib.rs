//! Measures a crawl, and keeps what was measured.
//!
//! Observers watch and change nothing: [`Harvest`], [`Coverage`], [`QueueSize`], [`RelevantHosts`],
//! [`Curve`] and [`VisitLog`]. They combine as tuples. A [`Run`] is a folder with the results of one
//! or more strategies, and with all that is needed to run them again.

mod coverage;
mod curve;
mod harvest;
mod run;
mod table;
mod truth;
mod visits;

pub use coverage::{Coverage, MILESTONES};
pub use curve::{Curve, Grid, Point, WINDOW};
pub use harvest::{Harvest, QueueSize, RelevantHosts};
pub use run::{
    NewRun, Run, RunError, RunManifest, SpaceFacts, StrategyResult, TimeResult,
    share_of_best_oracle,
};
pub use truth::ByTruth;
pub use visits::VisitLog;
