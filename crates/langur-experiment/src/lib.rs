//! Experiments: web spaces × targets × strategies × switches × random seeds.
//!
//! An experiment is a TOML file ([`Plan`]). It becomes a list of [`Cell`]s, each a crawl that is known
//! by the hash of everything that goes into it. Cells that were crawled before are read from the
//! cache, the others are crawled on all cores, and each is kept as soon as it is done: a run that was
//! interrupted goes on where it was. From the cells comes a [`Summary`]: means with intervals, paired
//! comparisons at equal budgets, sweeps, published outcomes beside ours, and how sensitive these are.

mod cell;
mod crawl;
mod error;
mod group;
mod outcome;
mod page;
mod plan;
mod statistics;
mod summary;
mod sweep;
mod tornado;
mod variation;
mod world;

pub use cell::{Cell, Crawled};
pub use crawl::{Cells, crawl};
pub use error::ExperimentError;
pub use outcome::{Measured, Outcome, Verdict};
pub use page::page;
pub use plan::Plan;
pub use statistics::Estimate;
pub use summary::{Summary, summarise};
pub use tornado::svg as tornado_svg;

use langur_lab::Catalogue;

/// Every cell that the plan needs, each once.
pub fn cells(plan: &Plan, catalogue: &Catalogue) -> Result<Vec<Cell>, ExperimentError> {
    let mut cells = summary::cells(plan, catalogue)?;
    cells.extend(outcome::cells(plan)?);
    cells.sort_by(|a, b| a.key.cmp(&b.key));
    cells.dedup_by(|a, b| a.key == b.key);
    for cell in &cells {
        catalogue.parse(&cell.strategy)?;
    }
    let against = plan.compare.iter().flat_map(|compare| &compare.against);
    if let Some(name) = against.into_iter().find(|&name| cells.iter().all(|c| c.strategy != *name))
    {
        return Err(ExperimentError::Plan(format!(
            "compare.against names \"{name}\", which is none of the strategies that are run"
        )));
    }
    Ok(cells)
}
