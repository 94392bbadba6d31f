//! What can be wrong with a topic.

use thiserror::Error;

/// Why a topic or an idf file could not be read or learned.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum TopicError {
    /// A line that cannot be understood.
    #[error("{name}, line {line}: {what}\n  {advice}")]
    Line {
        /// The file, as the caller named it.
        name: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        what: String,
        /// What to do.
        advice: String,
    },
    /// A file that is wrong as a whole.
    #[error("{name}: {what}\n  {advice}")]
    File {
        /// The file, as the caller named it.
        name: String,
        /// What is wrong.
        what: String,
        /// What to do.
        advice: String,
    },
    /// Samples from which nothing can be learned.
    #[error("{what}\n  {advice}")]
    Samples {
        /// What is wrong.
        what: String,
        /// What to do.
        advice: String,
    },
}

impl TopicError {
    pub(crate) fn samples(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Samples { what: what.into(), advice: advice.into() }
    }
}
