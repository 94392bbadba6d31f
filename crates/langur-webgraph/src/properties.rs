//! What a `.properties` file says of its graph.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use dsi_bitstream::prelude::BE;
use java_properties::PropertiesError;
use langur_sim::exchange::AssembleError;
use webgraph::prelude::CompFlags;

use crate::WebgraphError;

/// A graph as its `.properties` file describes it.
pub(crate) struct Properties {
    /// At least one, and few enough for a web space.
    pub nodes: u32,
    pub arcs: u64,
    pub flags: CompFlags,
}

impl Properties {
    pub fn read(path: &Path) -> Result<Properties, WebgraphError> {
        let wrong = |why: String| WebgraphError::Properties { path: path.to_owned(), why };
        let file = File::open(path).map_err(WebgraphError::reading(path))?;
        let map =
            java_properties::read(BufReader::new(file)).map_err(|error: PropertiesError| {
                wrong(format!("it is not a properties file: {error}"))
            })?;
        let (nodes, arcs, flags) = parse(map).map_err(wrong)?;
        match nodes {
            0 => Err(wrong("it has no nodes".to_owned())),
            1..=0x4000_0000 => Ok(Properties { nodes: nodes as u32, arcs, flags }),
            _ => Err(AssembleError::TooMany(nodes as usize).into()),
        }
    }
}

fn parse(mut map: HashMap<String, String>) -> Result<(u64, u64, CompFlags), String> {
    if let Some(class) = map.get("graphclass").filter(|class| !class.ends_with(".BVGraph")) {
        return Err(format!("graphclass is {class}, and only BVGraph can be read"));
    }
    if let Some(endianness) = map.get("endianness").filter(|endianness| *endianness != "big") {
        return Err(format!("endianness is \"{endianness}\", and only \"big\" can be read"));
    }
    let (nodes, arcs) = (number(&map, "nodes")?, number(&map, "arcs")?);
    // webgraph fills in what is missing and does not say which number it cannot parse. A wrong
    // window would make nonsense of the graph, so nothing is guessed here, as in Java.
    number(&map, "windowsize")?;
    number(&map, "minintervallength")?;
    if map.contains_key("zetak") {
        number(&map, "zetak")?;
    }
    // It matters to writers only, and Java writes -1 for no limit, which webgraph refuses.
    map.remove("maxrefcount");
    let flags = CompFlags::from_properties::<BE>(&map).map_err(|error| format!("{error:#}"))?;
    Ok((nodes, arcs, flags))
}

fn number(map: &HashMap<String, String>, key: &str) -> Result<u64, String> {
    let text = map.get(key).ok_or_else(|| format!("it lacks {key}"))?;
    text.parse().map_err(|_| format!("{key} is \"{text}\", which is not a number that fits"))
}
