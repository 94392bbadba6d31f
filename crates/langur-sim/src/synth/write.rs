//! Making a synthetic web and writing it.

use std::path::Path;

use langur_folder::FolderError;
use serde_json::json;

use super::calibrate::{Census, calibrated};
use super::classes::classes;
use super::columns::{Chunk, LABELS, MIMES, MissingChunk, Tables, languages};
use super::links::{Bench, Linker};
use super::plan::Plan;
use super::preset::Preset;
use super::statistics::statistics;
use crate::parallel::in_order;
use crate::space::{AllColumns, Counts, HostRow, Manifest, MissingPages, NewSpace};

/// What to make.
#[derive(Clone, Debug)]
pub struct Synthesis {
    /// From which statistics.
    pub preset: Preset,
    /// How many crawled pages.
    pub pages: usize,
    /// From which random numbers.
    pub seed: u64,
    /// On how many threads; the result does not depend on it.
    pub threads: usize,
}

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Sites are planned and links calibrated.
    Planning,
    /// So many pages are written.
    Pages(usize),
    /// So many missing pages are written.
    Missing(usize),
}

/// Pages in a chunk, about.
const CHUNK: usize = 1 << 15;

/// Makes a synthetic web and writes it to `place`.
pub fn synthesise(
    what: &Synthesis,
    place: &Path,
    replace: bool,
    mut progress: impl FnMut(Stage),
) -> Result<(), FolderError> {
    let space = NewSpace::create(place, replace)?;
    progress(Stage::Planning);
    let plan = Plan::new(&what.preset, what.pages, what.seed);
    let classes = classes(&what.preset, &plan, what.seed);
    let linker = calibrated(&what.preset, &plan, &classes, what.seed);
    let tables = Tables::new(&what.preset, &plan);
    let mut manifest = manifest(what, &plan, &tables);
    let mut columns = AllColumns::new(&space, &manifest)?;
    let totals = write_pages(&mut columns, &linker, &tables, what.threads, &mut progress)?;
    write_missing(&mut columns, &plan, what.threads, &mut progress)?;
    manifest.counts.links = totals.census.links(0) + totals.census.links(1);
    manifest.counts.missing_links = totals.missing_links;
    manifest.statistics =
        statistics(&what.preset, &plan, &manifest.counts, &totals.census, totals.meta_target);
    let hosts = plan.hosts.iter().map(|host| HostRow {
        key: &host.key,
        first_page: host.first_page,
        first_missing: host.first_missing,
        domain: host.domain,
        tld: plan.domains[host.domain as usize].tld + 1,
    });
    columns.finish(&space, &manifest, hosts)?;
    space.finish(manifest)
}

/// All that is known before links are made.
fn manifest(what: &Synthesis, plan: &Plan, tables: &Tables) -> Manifest {
    let preset = serde_json::to_string(&what.preset).expect("a preset is plain data");
    let mut manifest = Manifest::new(json!({
        "made_by": concat!("langur ", env!("CARGO_PKG_VERSION"), " space synth"),
        "preset": what.preset.name,
        "preset_xxh3": format!("{:016x}", xxhash_rust::xxh3::xxh3_64(preset.as_bytes())),
        "pages": what.pages,
        "seed": what.seed,
    }));
    manifest.counts = Counts {
        pages: plan.pages as u64,
        missing: plan.missing as u64,
        hosts: plan.hosts.len() as u64,
        domains: plan.domains.len() as u64,
        directories: plan.directories as u64,
        links: 0,
        missing_links: 0,
    };
    manifest.seeds.clone_from(&plan.seeds);
    manifest.labels = LABELS.map(str::to_owned).to_vec();
    manifest.mimes = MIMES.map(|(mime, _)| mime.to_owned()).to_vec();
    manifest.tlds = plan.tlds.iter().map(|tld| tld.name.clone()).collect();
    manifest.languages.clone_from(&tables.languages);
    manifest.charsets.clone_from(&tables.charsets);
    manifest
}

/// What is counted while pages are written.
#[derive(Default)]
struct Totals {
    census: Census,
    missing_links: u64,
    meta_target: u64,
}

fn write_pages(
    columns: &mut AllColumns,
    linker: &Linker,
    tables: &Tables,
    threads: usize,
    progress: &mut impl FnMut(Stage),
) -> Result<Totals, FolderError> {
    let languages = languages(linker, tables);
    let chunks = linker.plan.chunks(CHUNK);
    let mut totals = Totals::default();
    let mut pages = 0;
    in_order(
        threads,
        chunks.into_iter(),
        Bench::default,
        |bench, part| Chunk::make(linker, tables, &languages, bench, part),
        |chunk| {
            columns.write_pages(&chunk.pages())?;
            totals.census = totals.census.and(chunk.census);
            totals.missing_links += chunk.missing_links;
            totals.meta_target +=
                chunk.language[1].iter().filter(|&&code| code != 0).count() as u64;
            pages += chunk.status.len();
            progress(Stage::Pages(pages));
            Ok::<(), FolderError>(())
        },
    )?;
    Ok(totals)
}

fn write_missing(
    columns: &mut AllColumns,
    plan: &Plan,
    threads: usize,
    progress: &mut impl FnMut(Stage),
) -> Result<(), FolderError> {
    let chunks = plan.chunks(CHUNK);
    let mut written = 0;
    in_order(
        threads,
        chunks.into_iter(),
        || (),
        |(), part| MissingChunk::make(plan, part),
        |chunk| {
            let MissingChunk { host, directory, urls } = &chunk;
            columns.write_missing(&MissingPages { host, directory, urls })?;
            written += host.len();
            progress(Stage::Missing(written));
            Ok(())
        },
    )
}
