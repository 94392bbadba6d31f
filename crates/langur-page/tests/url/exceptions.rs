//! The cases that do not pass, and why.

use serde_json::Value;

/// Cases that must fail.
pub struct Exception {
    /// Whether a case is one of them.
    pub covers: fn(&Value) -> bool,
    /// The reason.
    pub because: &'static str,
}

/// The exceptions of a suite.
pub fn exceptions(_suite: &str) -> Vec<Exception> {
    vec![]
}
