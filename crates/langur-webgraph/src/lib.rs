//! Web spaces from and to the WebGraph BV format.
//!
//! BV is the compressed form of graphs by Boldi and Vigna (*The WebGraph Framework I*, WWW 2004), in
//! which the public web graphs of the LAW are given away. A graph is a few files with one basename:
//! `.properties` says how many nodes and arcs there are and which codes are used, `.graph` holds
//! the successor lists, `.offsets` says where each begins, and `.urls`, where there is one, names
//! the nodes, a line each. [`import()`] reads all but the offsets, and [`export()`] writes all four.
//!
//! A graph knows neither languages nor statuses: what is imported is a web of good pages in no
//! language, fit for structure and speed and not for focused crawling.

mod decode;
mod export;
mod import;
mod properties;

use std::io;
use std::path::{Path, PathBuf};

use langur_folder::FolderError;
use langur_sim::exchange::AssembleError;
use thiserror::Error;

pub use export::{Exported, export};
pub use import::{Imported, import};

/// Why a graph could not be imported or exported.
#[derive(Debug, Error)]
pub enum WebgraphError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}\n  a graph is BASENAME.graph and BASENAME.properties side by side; give it as BASENAME", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The properties do not describe a graph that can be read.
    #[error("cannot read the graph that {} describes: {why}\n  use the .properties file that was written together with the .graph file", .path.display())]
    Properties {
        /// The `.properties` file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The graph is not what its properties say.
    #[error("{} is damaged, or is not the graph of its .properties file: node {node}: {why}\n  copy or download both files again", .path.display())]
    Damaged {
        /// The `.graph` file.
        path: PathBuf,
        /// The node that cannot be read.
        node: u32,
        /// What is wrong with it.
        why: String,
    },
    /// A line of the URLs is wrong.
    #[error("{}:{line}: {why}\n  correct the line, or rename the file to import the graph without its URLs", .path.display())]
    Url {
        /// The `.urls` file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The web space cannot be written.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
    /// The exported graph cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl WebgraphError {
    /// Turns what the system said about a file that was to be read into a [`WebgraphError`].
    fn reading(path: &Path) -> impl FnOnce(io::Error) -> WebgraphError {
        move |source| WebgraphError::Read { path: path.to_owned(), source }
    }
}
