//! What an experiment says.

use std::collections::BTreeMap;

use langur_lab::Catalogue;
use serde::Serialize;

use crate::group::{Group, group_plans, summarise_group};
use crate::outcome::{Outcome, Tornado, outcomes, tornado};
use crate::plan::Plan;
use crate::sweep::{Sweep, sweep_variations, sweeps};
use crate::variation::combinations;
use crate::world::load_preset;
use crate::{Cell, Cells, ExperimentError};

/// What an experiment says, as `summary.json` has it and the report shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The experiment's name.
    pub name: String,
    /// What it is about.
    pub about: String,
    /// The hash of its file.
    pub plan: String,
    /// The hash of every preset it uses.
    pub presets: BTreeMap<String, String>,
    /// Results by web, target, labels and switches.
    pub groups: Vec<Group>,
    /// One switch in many settings.
    pub sweeps: Vec<Sweep>,
    /// Published outcomes beside ours.
    pub outcomes: Vec<Outcome>,
    /// How sensitive they are.
    pub tornado: Vec<Tornado>,
}

/// The cells of all groups and sweeps.
pub(crate) fn cells(plan: &Plan, catalogue: &Catalogue) -> Result<Vec<Cell>, ExperimentError> {
    let mut variations = combinations(&plan.switches);
    variations.extend(sweep_variations(plan));
    let mut cells = Vec::new();
    for group in group_plans(plan, catalogue, &variations) {
        cells.extend(group.cells(plan)?.into_iter().flatten());
    }
    Ok(cells)
}

/// Says what came out.
pub fn summarise(
    plan: &Plan,
    catalogue: &Catalogue,
    cells: &Cells,
) -> Result<Summary, ExperimentError> {
    let mut groups = Vec::new();
    for group in group_plans(plan, catalogue, &combinations(&plan.switches)) {
        groups.push(summarise_group(plan, &group, cells)?);
    }
    Ok(Summary {
        name: plan.name.clone(),
        about: plan.about.clone(),
        plan: plan.hash.clone(),
        presets: preset_hashes(plan)?,
        groups,
        sweeps: sweeps(plan, catalogue, cells)?,
        outcomes: outcomes(plan, cells)?,
        tornado: tornado(plan, cells)?,
    })
}

fn preset_hashes(plan: &Plan) -> Result<BTreeMap<String, String>, ExperimentError> {
    let names = plan.web.iter().filter_map(|web| web.preset.as_ref());
    names.map(|name| Ok((name.clone(), load_preset(plan, name)?.hash()))).collect()
}
