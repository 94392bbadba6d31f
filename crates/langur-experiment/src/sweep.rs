//! One switch in many settings.

use langur_lab::Catalogue;
use serde::Serialize;
use serde_json::Value;

use crate::cell::ratio;
use crate::group::{Band, GroupPlan, group_plans};
use crate::plan::Plan;
use crate::variation::Variation;
use crate::{Cells, Crawled, Estimate, ExperimentError};

/// One switch in many settings.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// What varies.
    pub factor: String,
    /// On which web.
    pub group: String,
    /// The numbers that the settings stand for.
    pub values: Vec<f64>,
    /// A line for each strategy.
    pub strategies: Vec<SweepLine>,
}

/// One strategy of a sweep.
#[derive(Clone, Debug, Serialize)]
pub struct SweepLine {
    /// The strategy.
    pub strategy: String,
    /// Whether it uses what it has not fetched.
    pub oracle: bool,
    /// Coverage by setting.
    pub coverage: Band,
    /// Area by setting.
    pub area: Band,
}

impl SweepLine {
    /// Coverage and area by setting, as text.
    pub(crate) fn cells(&self) -> Vec<String> {
        let pairs = self.coverage.mean.iter().zip(&self.area.mean);
        pairs.map(|(coverage, area)| format!("{:.1}% {area:.3}", coverage * 100.0)).collect()
    }
}

/// The settings of all sweeps, as variations.
pub(crate) fn sweep_variations(plan: &Plan) -> Vec<Variation> {
    let settings = plan.sweep.iter().flat_map(|sweep| {
        let switch = &sweep.switch;
        sweep
            .settings
            .iter()
            .map(move |(_, setting)| Variation::switch(switch, setting.as_str().into()))
    });
    settings.collect()
}

/// What came out of all sweeps.
pub(crate) fn sweeps(
    plan: &Plan,
    catalogue: &Catalogue,
    cells: &Cells,
) -> Result<Vec<Sweep>, ExperimentError> {
    let mut found = Vec::new();
    for sweep in &plan.sweep {
        let settings = sweep.settings.iter().map(|(_, setting)| setting.as_str().into());
        let variations: Vec<Variation> =
            settings.map(|setting: Value| Variation::switch(&sweep.switch, setting)).collect();
        let groups = group_plans(plan, catalogue, &variations);
        // The groups come setting by setting for each web, target and labelling rule.
        for of_web in groups.chunks(variations.len()) {
            let named = GroupPlan {
                variation: Variation::default(),
                strategies: Vec::new(),
                labels: of_web[0].labels.clone(),
                ..of_web[0]
            };
            found.push(Sweep {
                factor: sweep.factor.clone(),
                group: named.label(),
                values: sweep.settings.iter().map(|(value, _)| *value).collect(),
                strategies: sweep_lines(plan, of_web, cells)?,
            });
        }
    }
    Ok(found)
}

fn sweep_lines(
    plan: &Plan,
    groups: &[GroupPlan],
    cells: &Cells,
) -> Result<Vec<SweepLine>, ExperimentError> {
    let mut lines: Vec<SweepLine> = Vec::new();
    for group in groups {
        let planned = group.cells(plan)?;
        let crawled = (0..group.strategies.len()).map(|i| {
            planned.iter().filter_map(|of_seed| cells.get(&of_seed[i].key)).collect::<Vec<_>>()
        });
        for cells in crawled.filter(|cells| !cells.is_empty()) {
            let result = &cells[0].result;
            let place = lines.iter().position(|line| line.strategy == result.strategy);
            let place = place.unwrap_or_else(|| {
                lines.push(SweepLine {
                    strategy: result.strategy.clone(),
                    oracle: result.oracle,
                    coverage: Band::default(),
                    area: Band::default(),
                });
                lines.len() - 1
            });
            let mean = |value: fn(&Crawled) -> f64| {
                Estimate::of_shares(&cells.iter().map(|c| value(c)).collect::<Vec<_>>())
            };
            lines[place]
                .coverage
                .push(mean(|c| ratio(c.result.relevant as f64, c.relevant as f64)));
            lines[place].area.push(mean(|c| c.result.area));
        }
    }
    Ok(lines)
}
