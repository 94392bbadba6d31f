//! Telling a wrong call (exit code 2) from a failure (exit code 1).

use std::fmt;

use langur_experiment::ExperimentError;
use langur_folder::FolderError;
use langur_lab::{LabError, TaskError};
use langur_sim::OpenError;
use langur_sim::synth::PresetError;
use langur_strategy::SpecError;

/// A call that makes no sense.
#[derive(Debug)]
pub struct Misuse(pub String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// Whether the user can mend it by calling differently.
pub fn is_misuse(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<Misuse>()
            || cause.is::<PresetError>()
            || cause.is::<SpecError>()
            || cause.is::<TaskError>()
            || matches!(
                cause.downcast_ref(),
                Some(error) if !matches!(error, ExperimentError::Write(..) | ExperimentError::Synthesis(_))
            )
            || matches!(cause.downcast_ref(), Some(FolderError::Exists(_)))
            || matches!(cause.downcast_ref(), Some(OpenError::NotThere(_) | OpenError::NotASpace(_)))
            || matches!(cause.downcast_ref::<LabError>(), Some(error) if !matches!(error, LabError::Run(_)))
    })
}
