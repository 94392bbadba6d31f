//! The request log: what every client asked for, when, and what came of it.
//!
//! One JSON object a line. The first says what the file is and under which conditions it was
//! written ([`Header`]); each other is a request ([`Row`]). A line is in the file before the client has
//! its answer, so a server that is killed has logged everything it answered. Only requests that cannot be read are logged
//! afterwards, with nothing but the status: the HTTP library refuses them by itself. Opening a tunnel is not a request; what
//! is asked through it is.

mod read;
mod write;

use serde::{Deserialize, Serialize};

use crate::conditions::Conditions;

pub use read::{Damage, LogError, RequestLog};
pub use write::LogWriter;

/// What the first line says the file is.
const FORMAT: &str = "langur request log";
/// The version of the format written here.
const VERSION: u32 = 1;

/// The first line of a request log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// What the file is: `langur request log`.
    pub format: String,
    /// The version of its format.
    pub version: u32,
    /// When the server was started, in seconds since 1970.
    pub started_at: u64,
    /// The conditions the clients met.
    pub conditions: Conditions,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its number in the order in which requests came in, from 1. Lines stand in the order of the
    /// answers, which may be another.
    pub number: u64,
    /// When it came in, in milliseconds since the server was started.
    pub at_ms: u64,
    /// Who asked: the same for the same address and user agent.
    pub client: String,
    /// The method; none if the request could not be read.
    pub method: String,
    /// The absolute URL; for a bad request, what was there instead.
    pub url: String,
    /// The host of the URL, with the port if it is not the scheme's own.
    pub host: String,
    /// The status of the answer; 0 if the connection was closed without one.
    pub status: u16,
    /// The length of the body that was sent.
    pub bytes: u64,
    /// Whether the answer comes from the archive. If not, 404 says that the archive does not hold the
    /// URL, and any other status that it was not asked or could not be read.
    pub archived: bool,
    /// The user agent as the client gave it.
    pub user_agent: String,
    /// How long after the last request of this client to this host, from beginning to beginning.
    pub since_ms: Option<u64>,
    /// How many requests the host had at that time, with this one, of all clients.
    pub concurrent: u32,
    /// It came before the interval asked for was over.
    pub too_soon: bool,
    /// The host had more requests than asked for.
    pub too_many: bool,
    /// The archived robots.txt forbids it for this user agent.
    pub disallowed: bool,
}
