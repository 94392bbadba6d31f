//! Why nothing came.

use std::time::Duration;

use thiserror::Error;

/// A fetch that brought no head of a response.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{detail}")]
pub struct Failed {
    /// What went wrong, to act upon.
    pub kind: FailureKind,
    /// What went wrong, in words.
    pub detail: String,
    /// How long it took.
    pub lasted: Duration,
}

/// What goes wrong before a response has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The host's name does not exist, or has no address.
    NoSuchHost,
    /// The host's name could not be looked up; it may be later.
    Dns,
    /// The host has private addresses only.
    PrivateAddress,
    /// No address of the host took the connection.
    Connect,
    /// The TLS handshake failed, or the certificate is not trusted.
    Tls,
    /// A limit of time passed: while connecting, or before a whole head came.
    Timeout,
    /// What came is not HTTP, or its head is too long.
    BadResponse,
    /// The connection was closed before a whole head came.
    Closed,
    /// The proxy could not be reached, or refused.
    Proxy,
    /// The URL cannot be asked for.
    BadUrl,
    /// Whoever fetched has panicked, and the caller has caught it: a mistake of ours.
    Crashed,
}

/// A failure that does not know yet how long it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) detail: String,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, detail: impl Into<String>) -> Failure {
        Failure { kind, detail: detail.into() }
    }

    pub(crate) fn after(self, lasted: Duration) -> Failed {
        Failed { kind: self.kind, detail: self.detail, lasted }
    }
}
