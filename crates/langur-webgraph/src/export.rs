//! A web space becomes a BV graph.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use dsi_bitstream::prelude::{BE, BufBitWriter, WordAdapter};
use langur_folder::{FolderError, NewFolder};
use langur_sim::Space;
use webgraph::prelude::{BvComp, CompFlags, CompStats, DynCodesEncoder, OffsetsWriter};

use crate::WebgraphError;

/// What an export wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Nodes: the pages of the crawl log.
    pub nodes: u64,
    /// Arcs: the links between them.
    pub arcs: u64,
}

/// The files of an export, which may replace an earlier one.
const EXPORTED: [&str; 4] = ["graph.graph", "graph.offsets", "graph.properties", "graph.urls"];

/// Writes the pages of the crawl log and the links between them as a graph with the basename
/// `graph` into a new folder, with the URLs of the pages in `graph.urls`. Missing pages are left
/// out, and so is the order of links in their documents, which the format does not keep.
pub fn export(space: &Space, place: &Path, replace: bool) -> Result<Exported, WebgraphError> {
    let folder = NewFolder::of(place, replace, &EXPORTED)?;
    let compressed = compress(space);
    folder.write("graph.graph", &compressed.graph)?;
    folder.write("graph.offsets", &compressed.offsets)?;
    folder.write("graph.properties", compressed.properties.as_bytes())?;
    let urls = folder.path().join("graph.urls");
    write_urls(space, &urls).map_err(FolderError::at(&urls))?;
    folder.finish()?;
    let CompStats { num_nodes, num_arcs, .. } = compressed.stats;
    Ok(Exported { nodes: num_nodes as u64, arcs: num_arcs })
}

struct Compressed {
    graph: Vec<u8>,
    offsets: Vec<u8>,
    properties: String,
    stats: CompStats,
}

/// Compresses into memory, a few bits a link: the writers of dsi-bitstream panic when they are
/// dropped on a full disk.
fn compress(space: &Space) -> Compressed {
    const MEMORY: &str = "memory can always be written to";
    // The defaults are those of Java, which reads what is written with them.
    let flags = CompFlags::default();
    let (mut graph, mut offsets) = (Vec::new(), Vec::new());
    let bits = BufBitWriter::<BE, _>::new(WordAdapter::<u64, _>::new(&mut graph));
    let mut compressor = BvComp::new(
        DynCodesEncoder::new(bits, &flags).expect("the default codes can be written"),
        OffsetsWriter::from_write(&mut offsets, true).expect(MEMORY),
        flags.compression_window,
        flags.max_ref_count,
        flags.min_interval_length,
        0,
        (),
    );
    let (starts, targets) = (space.link_offsets.as_slice(), space.link_targets.as_slice());
    let mut list = Vec::new();
    for ends in starts.windows(2) {
        let links = &targets[ends[0] as usize..ends[1] as usize];
        list.clear();
        list.extend(links.iter().map(|&page| page as usize).filter(|&page| page < space.pages()));
        list.sort_unstable();
        list.dedup();
        compressor.push(list.iter().map(|&page| (page, ()))).expect(MEMORY);
    }
    let stats = compressor.flush().expect(MEMORY);
    let properties = flags.to_properties::<BE>(&stats).expect("the default codes have names");
    Compressed { graph, offsets, properties, stats }
}

fn write_urls(space: &Space, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    // What goes wrong inside is kept until the dictionary is through, for it calls back.
    let mut written = Ok(());
    space.for_each_url(|page, url, _| {
        if written.is_ok() && (page.0 as usize) < space.pages() {
            written = writeln!(file, "{url}");
        }
    });
    written?;
    file.flush()
}
