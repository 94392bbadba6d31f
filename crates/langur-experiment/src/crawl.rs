//! Crawling the cells that were not crawled before.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use langur_crawl::PageId;
use langur_lab::{Catalogue, LabError, Simulation};
use langur_sim::Space;
use rayon::prelude::*;

use crate::{Cell, Crawled, ExperimentError};

/// What came of every cell, by its key. Cells whose strategy cannot be made for their target are not
/// there.
pub type Cells = HashMap<String, Crawled>;

/// Crawls the cells that `folder` does not hold yet, and gives all. `progress` is told how many cells
/// are done, those of earlier runs included.
pub fn crawl(
    cells: &[Cell],
    catalogue: &Catalogue,
    folder: &Path,
    progress: impl Fn(u64) + Sync,
) -> Result<Cells, ExperimentError> {
    let cache = folder.join("cells");
    fs::create_dir_all(&cache).map_err(|error| ExperimentError::Write(cache.clone(), error))?;
    let path = |cell: &Cell| cache.join(format!("{}.json", cell.key));
    let mut known: Cells = HashMap::new();
    let mut by_world: BTreeMap<&str, Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        match Crawled::load(&path(cell)) {
            Some(crawled) => {
                known.insert(cell.key.clone(), crawled);
            }
            None => by_world.entry(&cell.world.id).or_default().push(cell),
        }
    }
    let done = AtomicU64::new(known.len() as u64);
    progress(known.len() as u64);
    let worlds: Vec<Vec<&Cell>> = by_world.into_values().collect();
    let crawled = worlds
        .par_iter()
        .with_max_len(1)
        .map(|cells| {
            cells[0].world.with(folder, |space| {
                crawl_world(space, cells, catalogue, |cell, crawled| {
                    if let Some(crawled) = crawled {
                        crawled.save(&path(cell))?;
                    }
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                    Ok(())
                })
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    known.extend(crawled.into_iter().flatten());
    Ok(known)
}

/// Crawls cells of one web. Those that differ only in strategy share what is set up for them.
fn crawl_world(
    space: &Space,
    cells: &[&Cell],
    catalogue: &Catalogue,
    keep: impl Fn(&Cell, Option<&Crawled>) -> Result<(), ExperimentError> + Sync,
) -> Result<Vec<(String, Crawled)>, ExperimentError> {
    let mut groups: Vec<Vec<&Cell>> = Vec::new();
    for &cell in cells {
        let same = |other: &Vec<&Cell>| {
            let other = other[0];
            (&other.target, &other.labels, &other.seeds, &other.switches)
                == (&cell.target, &cell.labels, &cell.seeds, &cell.switches)
        };
        match groups.iter_mut().find(|group| same(group)) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    let mut all = Vec::new();
    for group in groups {
        let first = group[0];
        let simulation = Simulation::new(
            space,
            first.target.parse()?,
            first.labels.as_deref(),
            first.switches.clone(),
            first.seeds.as_ref().map(|urls| seeds(space, urls)).transpose()?,
        )?;
        let crawled = group.par_iter().with_max_len(1).map(|cell| {
            let contender = catalogue.parse(&cell.strategy)?;
            let crawled = match simulation.run(&contender, None, &|_| ()) {
                Err(LabError::Strategy(_)) => None,
                measured => {
                    Some(Crawled::new(space.pages() as u64, simulation.relevant(), measured?))
                }
            };
            keep(cell, crawled.as_ref())?;
            Ok(crawled.map(|crawled| (cell.key.clone(), crawled)))
        });
        all.extend(crawled.collect::<Result<Vec<_>, ExperimentError>>()?.into_iter().flatten());
    }
    Ok(all)
}

fn seeds(space: &Space, urls: &[String]) -> Result<Vec<PageId>, ExperimentError> {
    let find = |url: &String| match space.find(url) {
        Ok(Some(page)) => Ok(page),
        Ok(None) => {
            Err(ExperimentError::Plan(format!("seed {url} is not in web space {}", space.name())))
        }
        Err(error) => Err(ExperimentError::Plan(format!("seed {url}: {error}"))),
    };
    urls.iter().map(find).collect()
}
