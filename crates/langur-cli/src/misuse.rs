//! Telling a wrong call (exit code 2) from a failure (exit code 1).

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use anyhow::{Result, anyhow};
use langur_archive::index::IndexError;
use langur_experiment::ExperimentError;
use langur_folder::FolderError;
use langur_lab::{LabError, OfflineError, TaskError};
use langur_live::LiveError;
use langur_observe::RunError;
use langur_serve::ServeError;
use langur_serve::log::LogError;
use langur_sim::OpenError;
use langur_sim::exchange::{AssembleError, ExportError, ImportError};
use langur_sim::synth::PresetError;
use langur_store::StoreError;
use langur_strategy::SpecError;
use langur_wacz::WaczError;
#[cfg(feature = "webgraph")]
use langur_webgraph::WebgraphError;

/// A call that makes no sense.
#[derive(Debug)]
pub struct Misuse(pub String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Misuse {}

/// What is to be read must be there.
pub fn must_exist(paths: &[impl AsRef<Path>]) -> Result<()> {
    let mut paths = paths.iter().map(AsRef::as_ref);
    match paths.find(|path| path.try_exists().is_ok_and(|exists| !exists)) {
        Some(path) => Err(Misuse(format!("there is no file or folder {}", path.display())).into()),
        None => Ok(()),
    }
}

/// Where a file will lie that the user wants at a path.
pub fn file_place(path: &Path) -> Result<PathBuf> {
    langur_folder::file_place(path)
        .map_err(|error| Misuse(format!("cannot write {}: {error}", path.display())).into())
}

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
            || folder_error(cause).is_some_and(|error| !matches!(error, FolderError::Write(..)))
            || matches!(cause.downcast_ref(), Some(ServeError::Log(LogError::Exists(_))))
            || matches!(cause.downcast_ref(), Some(LiveError::NotACrawl(_)))
            || matches!(cause.downcast_ref(), Some(RunError::NotARun(..)))
            || matches!(cause.downcast_ref(), Some(OpenError::NotThere(_) | OpenError::NotASpace(_) | OpenError::ARun(_)))
            || matches!(cause.downcast_ref::<LabError>(), Some(error) if !matches!(error, LabError::Run(_)))
    })
}

/// What is wrong with a folder that was to be written. Many errors are nothing else, and it is no cause of theirs.
fn folder_error<'e>(cause: &'e (dyn Error + 'static)) -> Option<&'e FolderError> {
    #[cfg(feature = "webgraph")]
    if let Some(error) = cause.downcast_ref() {
        return match error {
            WebgraphError::Folder(error)
            | WebgraphError::Assemble(AssembleError::Folder(error)) => Some(error),
            _ => None,
        };
    }
    if let Some(ImportError::Assemble(AssembleError::Folder(error))) = cause.downcast_ref() {
        return Some(error);
    }
    if let Some(ExportError::Folder(error)) = cause.downcast_ref() {
        return Some(error);
    }
    if let Some(RunError::Folder(error)) = cause.downcast_ref() {
        return Some(error);
    }
    cause.downcast_ref()
}

/// A file that was named on the command line, as text. That it is not there is misuse.
pub fn read_named(file: &Path, what: &str) -> Result<String> {
    fs::read_to_string(file).map_err(|error| {
        let said = format!("cannot read {what} {}: {error}", file.display());
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::IsADirectory => Misuse(said).into(),
            _ => anyhow!(said),
        }
    })
}

/// An error with its causes in one text. Many errors tell their causes themselves, and none is told twice.
pub fn told(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !told.contains(&cause) {
            told += if told.is_empty() { "" } else { ": " };
            told += &cause;
        }
    }
    told
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
        IndexError::NoIndex(_)
        | IndexError::NotNamed(_)
        | IndexError::Folder(_)
        | IndexError::NoCrawl { .. } => true,
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

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn no_cause_is_told_twice() {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let doubled = anyhow::Error::from(FolderError::Write("a".into(), missing()));
        assert_eq!(told(&doubled), format!("cannot write a: {}", missing()));
        let plain = Err::<(), _>(missing()).context("cannot read b").expect_err("an error");
        assert_eq!(told(&plain), format!("cannot read b: {}", missing()));
    }

    #[test]
    fn what_is_already_there_is_misuse_whoever_says_so() {
        let there = || FolderError::Exists("a".into());
        assert!(is_misuse(&RunError::from(there()).into()));
        assert!(is_misuse(&ExportError::from(there()).into()));
        assert!(is_misuse(&ImportError::from(AssembleError::from(there())).into()));
        assert!(is_misuse(&ServeError::from(LogError::Exists("a".into())).into()));
        let full = FolderError::Write("a".into(), io::ErrorKind::StorageFull.into());
        assert!(!is_misuse(&RunError::from(full).into()));
    }
}
