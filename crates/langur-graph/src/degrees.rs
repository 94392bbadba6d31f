//! How many links pages have, and how many lead to them.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use crate::Graph;
use crate::histogram::{Bin, bin, bounds};

/// The distribution of the number of links.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Degrees {
    /// Links ÷ pages.
    pub mean: f64,
    /// Half of the pages have no more.
    pub median: u64,
    /// The most a page has.
    pub max: u64,
    /// Pages that have none.
    pub zero: u64,
    /// Pages by how many they have.
    pub histogram: Vec<Bin>,
}

/// Degrees out and in.
pub fn degrees(graph: &Graph) -> (Degrees, Degrees) {
    let into: Vec<AtomicU32> = (0..graph.pages()).map(|_| AtomicU32::new(0)).collect();
    let out: Vec<u32> = (0..graph.pages() as u32)
        .into_par_iter()
        .map(|page| {
            graph.links(page).fold(0_u32, |links, target| {
                into[target as usize].fetch_add(1, Ordering::Relaxed);
                links + 1
            })
        })
        .collect();
    let into = into.into_iter().map(AtomicU32::into_inner).collect();
    (Degrees::of(out), Degrees::of(into))
}

impl Degrees {
    fn of(mut degrees: Vec<u32>) -> Degrees {
        let pages = degrees.len();
        let sum: u64 = degrees.par_iter().map(|&degree| u64::from(degree)).sum();
        let max = u64::from(degrees.iter().copied().max().unwrap_or(0));
        let mut pages_in = vec![0; if max == 0 { 0 } else { bin(max) + 1 }];
        let with_links = degrees.iter().filter(|&&degree| degree > 0);
        with_links.for_each(|&degree| pages_in[bin(u64::from(degree))] += 1);
        let zero = pages as u64 - pages_in.iter().sum::<u64>();
        let histogram = pages_in.into_iter().enumerate().map(|(number, pages)| {
            let (from, to) = bounds(number);
            Bin { from, to, pages }
        });
        let histogram = histogram.collect();
        let median = match pages {
            0 => 0,
            _ => u64::from(*degrees.select_nth_unstable((pages - 1) / 2).1),
        };
        Degrees { mean: sum as f64 / pages.max(1) as f64, median, max, zero, histogram }
    }
}
