//! The live web: a polite crawl that survives everything, writes archives, and says what it waits for.
//!
//! ```text
//! decisions ── the crawl of any strategy, called twice a page
//!     ▲
//!   state ──── what the events of the journal made of it; workbench: which host may be asked
//!     ▲
//!   crawl ──── owns all of it; records what happens, begins jobs
//!     ▼
//! workshop ─── fetches, reads, packs records, many at once
//! ```
//!
//! Everything that happens is an event: written to the [`journal`] first, then applied to the [`state`]. After a
//! `kill -9` the journal is replayed, which gives the same state; the archive is cut where the journal ends.

pub mod archiving;
pub mod control;
pub mod crawl;
pub mod decisions;
pub mod disk;
pub mod journal;
pub mod known;
pub mod log;
pub mod lookout;
pub mod metrics;
pub mod page;
pub mod repeated;
pub mod settings;
pub mod state;
pub mod status;
pub mod workbench;
pub mod workshop;

pub use crawl::{Begin, Finished, Limit, LiveCrawl, LiveError, Message, Recovered};
pub use decisions::{Decisions, decisions};
pub use settings::Settings;
pub use status::Status;
