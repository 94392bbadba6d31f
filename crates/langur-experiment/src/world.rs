//! The web of a cell.

use std::path::{Path, PathBuf};

use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis, synthesise};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use crate::ExperimentError;
use crate::plan::{Plan, WebPlan};
use crate::variation::Variation;

/// A web that cells crawl: known by what it is made from, and made or opened when it is needed.
#[derive(Clone, Debug)]
pub struct World {
    /// The hash of what it is made from.
    pub id: String,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Synthetic { preset: Box<Preset>, pages: usize, seed: u64 },
    Recorded(PathBuf),
}

/// A preset by name, or from a file, which is relative to the experiment's.
pub(crate) fn load_preset(plan: &Plan, name: &str) -> Result<Preset, ExperimentError> {
    let is_file = name.ends_with(".toml");
    let name = if is_file {
        plan.folder.join(name).to_string_lossy().into_owned()
    } else {
        name.to_owned()
    };
    Ok(Preset::load(&name)?)
}

impl World {
    /// The web of a plan with this random seed.
    pub fn new(
        plan: &Plan,
        web: &WebPlan,
        seed: u64,
        variation: &Variation,
    ) -> Result<World, ExperimentError> {
        if let Some(space) = &web.space {
            let path = plan.folder.join(space);
            let id = Space::open(&path)?.fingerprint();
            return Ok(World { id, source: Source::Recorded(path) });
        }
        let name = web.preset.as_deref().expect("a checked plan names a preset or a space");
        let pages = web.pages.expect("a checked plan gives the pages of synthetic webs");
        let mut preset = load_preset(plan, name)?;
        for (parameter, setting) in &variation.free {
            preset = preset.with_free(parameter, setting.clone())?;
        }
        let written = json!({ "preset": preset, "pages": pages, "seed": seed }).to_string();
        let id = format!("{:016x}", xxh3_64(written.as_bytes()));
        Ok(World { id, source: Source::Synthetic { preset: Box::new(preset), pages, seed } })
    }

    /// Opens the web space, making it in `scratch` if it is synthetic, and removes it afterwards.
    pub fn with<T>(
        &self,
        scratch: &Path,
        work: impl FnOnce(&Space) -> Result<T, ExperimentError>,
    ) -> Result<T, ExperimentError> {
        match &self.source {
            Source::Recorded(path) => work(&Space::open(path)?),
            Source::Synthetic { preset, pages, seed } => {
                let place = scratch.join(format!("{}.space", self.id));
                let threads = rayon::current_num_threads();
                let synthesis =
                    Synthesis { preset: (**preset).clone(), pages: *pages, seed: *seed, threads };
                synthesise(&synthesis, &place, true, |_| ())?;
                let done = Space::open(&place).map_err(Into::into).and_then(|space| work(&space));
                let _ = std::fs::remove_dir_all(&place);
                done
            }
        }
    }
}
