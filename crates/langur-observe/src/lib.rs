//! Measures a crawl, and keeps what was measured.
//!
//! Observers watch and change nothing: [`Harvest`], [`Coverage`], [`QueueSize`], [`RelevantHosts`],
//! [`Curve`], [`Relevancy`] and [`VisitLog`]. They combine as tuples. A [`Run`] is a folder with the results of
//! one or more strategies, and with all that is needed to run them again; [`Tasks`] are several runs and their
//! averages.

mod coverage;
mod crawl_log;
mod curve;
mod curve_table;
mod harvest;
mod relevancy;
mod run;
mod summary;
mod table;
mod tasks;
mod truth;
mod visits;

pub use coverage::{Coverage, MILESTONES};
pub use crawl_log::{CrawlLog, LoggedPage};
pub use curve::{Curve, Grid, Point, WINDOW};
pub use harvest::{Harvest, QueueSize, RelevantHosts};
pub use relevancy::{MeanScores, Relevancy};
pub use run::{
    NewRun, Run, RunError, RunManifest, SpaceFacts, StrategyResult, TimeResult,
    share_of_best_oracle,
};
pub use summary::{MeanCurve, MeanRow, TaskOutcome, TaskResult, TaskRow, TaskSummary};
pub use tasks::{NewTasks, Tasks};
pub use truth::{ByTruth, Truth};
pub use visits::VisitLog;
