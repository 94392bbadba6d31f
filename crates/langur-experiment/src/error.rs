//! What can go wrong.

use std::path::PathBuf;

use langur_lab::{LabError, TargetError};
use langur_sim::OpenError;
use langur_sim::synth::PresetError;
use langur_strategy::SpecError;
use thiserror::Error;

/// Why an experiment could not be run.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, std::io::Error),
    /// The file is not a plan.
    #[error("{}: {}", .0.display(), .1)]
    Parse(PathBuf, Box<toml::de::Error>),
    /// The plan makes no sense.
    #[error("{0}")]
    Plan(String),
    /// Something cannot be written.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Write(PathBuf, std::io::Error),
    /// A target does not read as one.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A strategy cannot be made.
    #[error(transparent)]
    Strategy(#[from] SpecError),
    /// A preset is not there.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A web space cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A web space cannot be made.
    #[error("cannot make a synthetic web: {0}")]
    Synthesis(#[from] langur_folder::FolderError),
    /// A crawl went wrong.
    #[error(transparent)]
    Lab(#[from] LabError),
}
