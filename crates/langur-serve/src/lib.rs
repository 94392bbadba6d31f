//! The archived web lent to any crawler.
//!
//! A crawler that knows nothing of Langur asks this server, as its proxy or in the place of all
//! hosts, and is answered from an archive: the same answers for every crawler, as often as one
//! likes, and no request leaves the machine. Every request is written to a log, from which any
//! crawler can be scored: which pages in which order, and how politely.
//!
//! What happens to a request: `asked` reads which URL is meant, `traffic` notes what else is
//! under way, `exchange` decides on the answer and logs it, `reply` turns an archived answer
//! into one that can be sent. `connection` and `authority` are the way in, plain or by TLS. An
//! archive takes part by implementing [`Answers`]; the scores are in [`score`].

mod answer;
mod asked;
mod authority;
mod clock;
mod conditions;
mod connection;
mod exchange;
pub mod log;
mod recent;
mod reply;
mod robots;
pub mod score;
mod server;
mod traffic;

pub use answer::{Answer, Answers};
pub use authority::{Authority, AuthorityError};
pub use clock::{Clock, SinceStart};
pub use conditions::{Conditions, Failure, Latency, Manners};
pub use server::{Limits, ServeError, ServeOptions, Server};
