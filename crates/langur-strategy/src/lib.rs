//! The crawl strategies.
//!
//! One file a strategy. To add one: write the file, implement [`Strategy`](langur_crawl::Strategy) and [`Named`], and add
//! its line to the table below. The command line, its help, `docs/strategies.md`, `--all` and the
//! tests over all strategies are fed from that table.

mod arguments;
mod best_first;
mod breadth_first;
mod depth_first;
mod depths;
mod directory_filter;
mod fish;
mod greedy_tree;
mod hard_focused;
mod limited_distance;
mod lswc;
mod named;
mod opic;
mod per_page;
mod perfect;
mod pvalue;
mod regard;
mod server_filter;
mod shark;
mod soft_focused;
mod target_peek;
mod tld_anchor;
mod tlds;
mod upper_bound;

pub use arguments::{Arguments, Kind, Parameter, Spec, SpecError};
pub use best_first::BestFirst;
pub use breadth_first::BreadthFirst;
pub use depth_first::DepthFirst;
pub use directory_filter::DirectoryFilter;
pub use fish::Fish;
pub use greedy_tree::GreedyTree;
pub use hard_focused::HardFocused;
pub use limited_distance::LimitedDistance;
pub use lswc::Lswc;
pub use named::{Entry, Named, Runner, Setting, Visitor};
pub use opic::Opic;
pub use perfect::Perfect;
pub use pvalue::Pvalue;
pub use server_filter::ServerFilter;
pub use shark::Shark;
pub use soft_focused::SoftFocused;
pub use target_peek::TargetPeek;
pub use tld_anchor::TldAnchor;
pub use upper_bound::UpperBound;

named::table! {
    BreadthFirst,
    DepthFirst,
    BestFirst,
    HardFocused,
    SoftFocused,
    LimitedDistance,
    Lswc,
    ServerFilter,
    DirectoryFilter,
    TldAnchor,
    Fish,
    Shark,
    Opic,
    Pvalue,
    Perfect,
    TargetPeek,
    GreedyTree,
}
