//! What can be wrong with the rules of a scope.

use thiserror::Error;

/// A rule that cannot be understood, with what is wrong and what could stand there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("scope rule \"{rule}\": {wrong}\n  {KINDS}")]
pub struct ScopeError {
    /// The rule as written.
    pub rule: String,
    /// What is wrong with it.
    pub wrong: String,
}

const KINDS: &str = "rules are: host:www.a.example, domain:a.example (with all hosts below), tld:th, \
    surt:(th,ac, (the host reversed, and perhaps )/path), path:/calendar/ (on any host), \
    regex:[?&]print= (anywhere in the URL)";
