//! A BV graph becomes a web space.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use langur_folder::FolderError;
use langur_page::{Address, HostName, Scheme};
use langur_sim::UNKNOWN;
use langur_sim::exchange::{Assembly, Dropped, LinkRow, PageRow, Tables, assemble};
use serde_json::json;

use crate::WebgraphError;
use crate::decode::for_each_list;
use crate::properties::Properties;

/// What an import did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Nodes of the graph, each now a page.
    pub nodes: u64,
    /// Arcs of the graph; those that were not dropped are now links.
    pub arcs: u64,
    /// Arcs that were left out.
    pub dropped: Dropped,
}

/// Imports the graph in `basename.graph` and `basename.properties`; the name of the `.graph` file
/// will do as well. The URLs of the nodes come from `basename.urls` if there is such a file, and are
/// made up from the node's number if not. Crawls start from node 0.
pub fn import(basename: &Path, place: &Path, replace: bool) -> Result<Imported, WebgraphError> {
    // Said at once, for decoding a large graph takes a while.
    if place.exists() && !replace {
        return Err(FolderError::Exists(place.to_owned()).into());
    }
    let files = Files::new(basename);
    let properties = Properties::read(&files.with(".properties"))?;
    let mut links = Vec::new();
    for_each_list(&files.with(".graph"), &properties, |source, list| {
        let link = |(&target, position)| LinkRow { source, target, position, anchor: UNKNOWN };
        links.extend(list.iter().zip(0..).map(link));
    })?;
    let addresses = addresses(&files, properties.nodes)?;
    let page = |(node, address)| PageRow {
        address,
        status: 200,
        mime: 1,
        bytes: 0,
        charset: UNKNOWN,
        latency_ms: 0,
        gateway: false,
        seed: node == 0,
        languages: vec![UNKNOWN],
    };
    let assembly = Assembly {
        pages: addresses.into_iter().enumerate().map(page).collect(),
        missing: Vec::new(),
        links,
        tables: Tables {
            labels: vec!["none".to_owned()],
            mimes: vec!["text/html".to_owned()],
            ..Tables::default()
        },
        scores: Default::default(),
        provenance: json!({
            "made_by": concat!("langur ", env!("CARGO_PKG_VERSION"), " space import"),
            "webgraph": files.name(),
        }),
    };
    let dropped = assemble(assembly, place, replace)?;
    Ok(Imported { nodes: properties.nodes.into(), arcs: properties.arcs, dropped })
}

/// The files of a graph.
struct Files {
    basename: PathBuf,
}

impl Files {
    fn new(basename: &Path) -> Files {
        let is_graph = basename.extension().is_some_and(|extension| extension == "graph");
        Files { basename: if is_graph { basename.with_extension("") } else { basename.to_owned() } }
    }

    /// Endings are added and never replaced, for basenames may have dots.
    fn with(&self, ending: &str) -> PathBuf {
        let mut path = self.basename.clone().into_os_string();
        path.push(ending);
        path.into()
    }

    fn name(&self) -> String {
        self.basename.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

fn addresses(files: &Files, nodes: u32) -> Result<Vec<Address>, WebgraphError> {
    let path = files.with(".urls");
    match File::open(&path) {
        Ok(file) => read_urls(&path, file, nodes as usize),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(made_up(&files.name(), nodes)),
        Err(error) => Err(WebgraphError::reading(&path)(error)),
    }
}

/// Numbered so that the order of the URLs is the order of the nodes.
fn made_up(name: &str, nodes: u32) -> Vec<Address> {
    let in_hosts = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let host = format!("{}.invalid", name.chars().map(in_hosts).collect::<String>());
    let host = HostName::from(host);
    let width = (nodes - 1).to_string().len();
    let address = |node| Address {
        scheme: Scheme::Http,
        host: host.clone(),
        path: format!("/{node:0width$}"),
    };
    (0..nodes).map(address).collect()
}

fn read_urls(path: &Path, file: File, nodes: usize) -> Result<Vec<Address>, WebgraphError> {
    let wrong = |line, why| Err(WebgraphError::Url { path: path.to_owned(), line, why });
    let mut addresses = Vec::new();
    let mut lines = HashMap::new();
    for (line, bytes) in (1..).zip(BufReader::new(file).split(b'\n')) {
        let bytes = bytes.map_err(WebgraphError::reading(path))?;
        if line > nodes {
            return wrong(
                line,
                format!("there are more lines than the {nodes} nodes of the graph"),
            );
        }
        let address = match std::str::from_utf8(&bytes).map(|text| Address::parse(text.trim())) {
            Ok(Ok(address)) => address,
            Ok(Err(error)) => return wrong(line, error.to_string()),
            Err(_) => return wrong(line, "it is not UTF-8".to_owned()),
        };
        if let Some(first) = lines.insert(address.to_string(), line) {
            return wrong(line, format!("{address} is already in line {first}"));
        }
        addresses.push(address);
    }
    if addresses.len() < nodes {
        return wrong(
            addresses.len(),
            format!("the file ends here, and the graph has {nodes} nodes"),
        );
    }
    Ok(addresses)
}
