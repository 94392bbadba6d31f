//! Telling a wrong call (exit code 2) from a failure (exit code 1).

use std::fmt;

use langur_archive::index::IndexError;
use langur_experiment::ExperimentError;
use langur_folder::FolderError;
use langur_lab::{LabError, OfflineError, TaskError};
use langur_sim::OpenError;
use langur_sim::synth::PresetError;
use langur_store::StoreError;
use langur_strategy::SpecError;
use langur_wacz::WaczError;

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
            || cause.downcast_ref().is_some_and(is_wrong_archive)
            || cause.downcast_ref().is_some_and(is_wrong_place)
            || cause.downcast_ref().is_some_and(is_wrong_export)
            || cause.downcast_ref().is_some_and(is_wrong_offline)
            || matches!(cause.downcast_ref(), Some(FolderError::Exists(_)))
            || matches!(cause.downcast_ref(), Some(OpenError::NotThere(_) | OpenError::NotASpace(_)))
            || matches!(cause.downcast_ref::<LabError>(), Some(error) if !matches!(error, LabError::Run(_)))
    })
}

fn is_wrong_offline(error: &OfflineError) -> bool {
    match error {
        OfflineError::NoSeeds
        | OfflineError::NoSeedThere { .. }
        | OfflineError::OtherSpace { .. } => true,
        OfflineError::Lab(error) => !matches!(error, LabError::Run(_)),
        OfflineError::Model(_) => false,
    }
}

fn is_wrong_archive(error: &IndexError) -> bool {
    match error {
        IndexError::NoIndex(_) | IndexError::NotNamed(_) | IndexError::NoCrawl { .. } => true,
        IndexError::Store(error) => is_wrong_place(error),
        _ => false,
    }
}

fn is_wrong_place(error: &StoreError) -> bool {
    matches!(error, StoreError::Address { .. } | StoreError::NoFolder(_) | StoreError::NoListing(_))
}

fn is_wrong_export(error: &WaczError) -> bool {
    match error {
        WaczError::Exists(_)
        | WaczError::NoWarc(_)
        | WaczError::NotIndexed { .. }
        | WaczError::SameName { .. }
        | WaczError::NoMainPage(_) => true,
        WaczError::Index(error) => is_wrong_archive(error),
        WaczError::Store(error) => is_wrong_place(error),
        _ => false,
    }
}
