//! The successor lists of a BV graph, one node after the other.
//!
//! webgraph's own loaders trust the graph: from a damaged one they index out of bounds, or reserve
//! as much memory as a mangled outdegree asks for, and a process that is refused memory cannot be
//! saved. So only the codes are read by the library. The lists are put together here, and every
//! number is checked before it is used. The tests compare the lists with those of webgraph.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use dsi_bitstream::prelude::{
    BE, BitSeek, CodesReaderFactory, FuncCodeReader, StaticCodeRead, ToInt,
};
use webgraph::prelude::{MemBufReader, MemoryFactory, MemoryFlags};

use crate::WebgraphError;
use crate::properties::Properties;

/// Gives every node and its successors, in ascending order, to `visit`.
pub(crate) fn for_each_list(
    graph: &Path,
    properties: &Properties,
    mut visit: impl FnMut(u32, &[u32]),
) -> Result<(), WebgraphError> {
    let bytes = fs::metadata(graph).map_err(WebgraphError::reading(graph))?.len();
    let words = MemoryFactory::<BE, _>::new_mmap(graph, MemoryFlags::SEQUENTIAL)
        .map_err(|error| WebgraphError::reading(graph)(io::Error::other(format!("{error:#}"))))?;
    let mut node = 0;
    let mut walk = || {
        let mut lists = Lists::new(words.new_reader(), bytes * 8, properties)?;
        let mut arcs = 0;
        while node < properties.nodes {
            let list = lists.next(node)?;
            arcs += list.len() as u64;
            let last = node + 1 == properties.nodes;
            if arcs > properties.arcs || (last && arcs < properties.arcs) {
                let said = properties.arcs;
                return Err(format!(
                    "there are {arcs} arcs up to here, and the .properties file says {said} in all"
                ));
            }
            visit(node, list);
            node += 1;
        }
        Ok(())
    };
    // dsi-bitstream asserts in debug builds that no code is longer than its number can be, which
    // only holds for undamaged graphs, and has no reader that would say so in another way. Release
    // builds go on with some number, which is checked like any other.
    let outcome = catch_unwind(AssertUnwindSafe(&mut walk));
    outcome
        .unwrap_or_else(|_| Err("its codes make no sense".to_owned()))
        .map_err(|why| WebgraphError::Damaged { path: graph.to_owned(), node, why })
}

type Bits<'a> = MemBufReader<'a, BE>;

/// What a number is of, for each kind is written in a code of its own.
#[derive(Clone, Copy)]
enum Kind {
    Outdegree,
    Reference,
    Block,
    Interval,
    Residual,
}

/// Reads one list after the other.
struct Lists<'a> {
    bits: Bits<'a>,
    end: u64,
    nodes: u64,
    window: usize,
    shortest_interval: u64,
    /// In the order of [`Kind`].
    codes: [FuncCodeReader<BE, Bits<'a>>; 5],
    /// The last lists, which may be copied from: the window's, and the one just read.
    recent: VecDeque<Vec<u32>>,
}

const ENDS: &str = "the file ends before its successors do";
const BEYOND: &str = "it has a successor beyond the last node";
const TOO_MANY: &str = "it has more successors than it says";

impl<'a> Lists<'a> {
    fn new(bits: Bits<'a>, end: u64, properties: &Properties) -> Result<Lists<'a>, String> {
        let flags = &properties.flags;
        let code = |code| FuncCodeReader::new(code).map_err(|error| error.to_string());
        Ok(Lists {
            bits,
            end,
            nodes: properties.nodes.into(),
            window: flags.compression_window,
            shortest_interval: flags.min_interval_length as u64,
            codes: [
                code(flags.outdegrees)?,
                code(flags.references)?,
                code(flags.blocks)?,
                code(flags.intervals)?,
                code(flags.residuals)?,
            ],
            recent: VecDeque::new(),
        })
    }

    fn next(&mut self, node: u32) -> Result<&[u32], &'static str> {
        if self.recent.len() > self.window {
            self.recent.pop_front();
        }
        let list = self.read(node.into())?;
        // The last bytes are filled up with zeros, which may pass for codes.
        if self.bits.bit_pos().map_err(|_| ENDS)? > self.end {
            return Err(ENDS);
        }
        self.recent.push_back(list);
        Ok(self.recent.back().expect("a list was just added"))
    }

    fn read(&mut self, node: u64) -> Result<Vec<u32>, &'static str> {
        let degree = self.number(Kind::Outdegree)?;
        if degree > self.nodes {
            return Err("it says it has more successors than there are nodes");
        }
        let degree = degree as usize;
        let mut list = Vec::with_capacity(degree.min(1 << 16));
        if degree > 0 && self.window > 0 {
            self.copy(&mut list)?;
        }
        if list.len() < degree && self.shortest_interval > 0 {
            self.read_intervals(node, degree, &mut list)?;
        }
        if list.len() < degree {
            let mut next = self.first(node, Kind::Residual)?;
            list.push(self.node(next)?);
            while list.len() < degree {
                next = self.later(next, Kind::Residual)?;
                list.push(self.node(next)?);
            }
        }
        if list.len() > degree {
            return Err(TOO_MANY);
        }
        list.sort_unstable();
        if list.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("it has a successor twice");
        }
        Ok(list)
    }

    /// Copies from an earlier list: blocks are copied and skipped by turns, and what no block
    /// covers is copied if it is its turn.
    fn copy(&mut self, list: &mut Vec<u32>) -> Result<(), &'static str> {
        let back = self.number(Kind::Reference)?;
        if back == 0 {
            return Ok(());
        }
        let earlier =
            usize::try_from(back).ok().and_then(|back| self.recent.len().checked_sub(back));
        let earlier = earlier.ok_or("it copies from a node that is out of reach")?;
        let blocks = self.number(Kind::Block)?;
        let mut begin = 0;
        for block in 0..blocks {
            // Only the first block may be empty, so the others are written less one.
            let length = self.number(Kind::Block)?.saturating_add(u64::from(block > 0));
            let rest = self.recent[earlier].len() - begin;
            if length > rest as u64 {
                return Err("it copies more successors than there are");
            }
            let end = begin + length as usize;
            if block % 2 == 0 {
                list.extend_from_slice(&self.recent[earlier][begin..end]);
            }
            begin = end;
        }
        if blocks % 2 == 0 {
            list.extend_from_slice(&self.recent[earlier][begin..]);
        }
        Ok(())
    }

    fn read_intervals(
        &mut self,
        node: u64,
        degree: usize,
        list: &mut Vec<u32>,
    ) -> Result<(), &'static str> {
        let intervals = self.number(Kind::Interval)?;
        let mut end = 0;
        for interval in 0..intervals {
            let start = match interval {
                0 => self.first(node, Kind::Interval)?,
                _ => self.later(end, Kind::Interval)?,
            };
            let length = self.number(Kind::Interval)?.saturating_add(self.shortest_interval);
            if length > (degree - list.len()) as u64 {
                return Err(TOO_MANY);
            }
            end = start + length;
            let last = self.node(end - 1)?;
            list.extend(start as u32..=last);
        }
        Ok(())
    }

    /// The first of ascending numbers, written as its distance from the node in either direction.
    fn first(&mut self, node: u64, kind: Kind) -> Result<u64, &'static str> {
        let distance = self.number(kind)?.to_int();
        node.checked_add_signed(distance).filter(|&first| first < self.nodes).ok_or(BEYOND)
    }

    /// A later one, written as its distance from the next that is possible.
    fn later(&mut self, last: u64, kind: Kind) -> Result<u64, &'static str> {
        let distance = self.number(kind)?;
        (last + 1).checked_add(distance).filter(|&later| later < self.nodes).ok_or(BEYOND)
    }

    fn node(&self, number: u64) -> Result<u32, &'static str> {
        if number < self.nodes { Ok(number as u32) } else { Err(BEYOND) }
    }

    fn number(&mut self, kind: Kind) -> Result<u64, &'static str> {
        self.codes[kind as usize].read(&mut self.bits).map_err(|_| ENDS)
    }
}
