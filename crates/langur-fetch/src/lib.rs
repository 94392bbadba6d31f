//! One URL from the live web, with the bytes exactly as received.
//!
//! A [`Fetcher`] asks for a URL and gives back what came, or why nothing came. It holds to its limits
//! whatever the server does: time, bytes, slowness, the size of the head. It speaks to no address that
//! is not reachable from everywhere, unless told to, and it checks the address it connects to, not a
//! name that may point elsewhere a moment later.
//!
//! What is absent: redirects are not followed, robots.txt is not read, no host is spared, nothing is
//! asked twice (but for a kept connection that turns out to be of no use), cookies are neither kept nor
//! sent, and bodies are not decoded. All of that is for the caller to decide.
//!
//! A message of HTTP/1.x is read by [`httparse`] and framed here rather than by hyper, because an
//! archive needs the bytes: hyper gives a body without its chunks, and hides where on the wire a
//! message ended. So the buffer that is read into is the buffer that is given back. HTTP/2 has no such
//! bytes to keep, and is hyper's.

mod ask;
mod connect;
mod connection;
mod dial;
mod exchange;
mod failed;
mod fetcher;
mod framing;
mod head;
mod http2;
mod message;
mod pace;
mod pool;
mod private;
mod proxy;
mod resolve;
mod settings;
mod target;
mod tls;

pub use failed::{Failed, FailureKind};
pub use fetcher::Fetcher;
pub use message::{Protocol, Request, Response, Truncated};
pub use private::is_private;
pub use settings::{FetchSettings, IpVersions, Override, SettingsError};
