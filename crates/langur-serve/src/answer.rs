//! What an archive has to offer to be served.

use std::time::SystemTime;

use bytes::Bytes;

/// A web that answers from memory or disk.
pub trait Answers: Send + Sync + 'static {
    /// The archived answer to a request for this absolute URL, or `None` if the archive does not
    /// hold it.
    ///
    /// The URL is as the client asked for it, with the host in lower case and without the scheme's
    /// own port; bringing it into canonical form is for the archive. This is called on a thread that
    /// may wait for a disk.
    fn answer(&self, url: &str) -> Result<Option<Answer>, String>;
}

/// An archived answer.
///
/// The body is without chunks. It is sent to every client as it is here, whatever the client said it
/// accepts, so an archive undoes the content codings it can and leaves out `content-encoding`; with
/// that header kept, the body must be in that coding. Headers that concern the connection, and
/// those that would be untrue (`content-length`), are left out in sending and may be in here.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers, in their order; what HTTP does not allow is not sent.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Bytes,
    /// When it was fetched; sent as `memento-datetime` (RFC 7089).
    pub fetched_at: Option<SystemTime>,
}
