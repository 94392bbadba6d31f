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
use crate::space::{CodesWriter, ColumnWriter, Counts, DictionaryWriter, Manifest, NewSpace};

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
    let mut manifest = Manifest::new(provenance(what));
    let mut writer = Writer::new(&space, &tables)?;
    let totals = writer.write_pages(&linker, &tables, what.threads, &mut progress)?;
    writer.write_missing(&plan, what.threads, &mut progress)?;
    writer.finish()?;
    write_hosts(&space, &plan)?;
    manifest.counts = Counts {
        pages: plan.pages as u64,
        missing: plan.missing as u64,
        hosts: plan.hosts.len() as u64,
        domains: plan.domains.len() as u64,
        directories: plan.directories as u64,
        links: totals.census.links(0) + totals.census.links(1),
        missing_links: totals.missing_links,
    };
    manifest.statistics =
        statistics(&what.preset, &plan, &manifest.counts, &totals.census, totals.meta_target);
    manifest.seeds.clone_from(&plan.seeds);
    manifest.labels = LABELS.map(str::to_owned).to_vec();
    manifest.mimes = MIMES.map(|(mime, _)| mime.to_owned()).to_vec();
    manifest.tlds = plan.tlds.iter().map(|tld| tld.name.clone()).collect();
    manifest.languages = tables.languages;
    manifest.charsets = tables.charsets;
    space.finish(manifest)
}

fn provenance(what: &Synthesis) -> serde_json::Value {
    let preset = serde_json::to_string(&what.preset).expect("a preset is plain data");
    json!({
        "made_by": concat!("langur ", env!("CARGO_PKG_VERSION"), " space synth"),
        "preset": what.preset.name,
        "preset_xxh3": format!("{:016x}", xxhash_rust::xxh3::xxh3_64(preset.as_bytes())),
        "pages": what.pages,
        "seed": what.seed,
    })
}

/// What is counted while pages are written.
#[derive(Default)]
struct Totals {
    census: Census,
    missing_links: u64,
    meta_target: u64,
}

struct Writer {
    status: ColumnWriter,
    mime: CodesWriter,
    bytes: ColumnWriter,
    charset: CodesWriter,
    latency_ms: ColumnWriter,
    gateway: ColumnWriter,
    language: Vec<CodesWriter>,
    host: ColumnWriter,
    directory: ColumnWriter,
    urls: DictionaryWriter,
    missing_urls: DictionaryWriter,
    offsets: ColumnWriter,
    targets: ColumnWriter,
    anchors: CodesWriter,
}

impl Writer {
    fn new(space: &NewSpace, tables: &Tables) -> Result<Writer, FolderError> {
        let languages = tables.languages.len();
        let language =
            |i| Ok(CodesWriter::new(space.column(&format!("pages.language.{i}"))?, languages));
        Ok(Writer {
            status: space.column("pages.status")?,
            mime: CodesWriter::new(space.column("pages.mime")?, MIMES.len()),
            bytes: space.column("pages.bytes")?,
            charset: CodesWriter::new(space.column("pages.charset")?, tables.charsets.len()),
            latency_ms: space.column("pages.latency_ms")?,
            gateway: space.column("pages.gateway")?,
            language: (0..LABELS.len()).map(language).collect::<Result<_, FolderError>>()?,
            host: space.column("pages.host")?,
            directory: space.column("pages.directory")?,
            urls: DictionaryWriter::new(space, "pages.urls")?,
            missing_urls: DictionaryWriter::new(space, "missing.urls")?,
            offsets: space.column("links.offsets")?,
            targets: space.column("links.targets")?,
            anchors: CodesWriter::new(space.column("links.anchors")?, languages),
        })
    }

    fn write_pages(
        &mut self,
        linker: &Linker,
        tables: &Tables,
        threads: usize,
        progress: &mut impl FnMut(Stage),
    ) -> Result<Totals, FolderError> {
        let languages = languages(linker, tables);
        let chunks = linker.plan.chunks(CHUNK);
        let mut totals = Totals::default();
        let (mut pages, mut links) = (0, 0_u64);
        self.offsets.write(&[0_u64])?;
        in_order(
            threads,
            chunks.len(),
            Bench::default,
            |bench, part| Chunk::make(linker, tables, &languages, bench, chunks[part].clone()),
            |_, chunk| {
                self.write_chunk(&chunk, &mut links)?;
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

    fn write_chunk(&mut self, chunk: &Chunk, links: &mut u64) -> Result<(), FolderError> {
        self.status.write(&chunk.status)?;
        self.mime.write_narrow(&chunk.mime)?;
        self.bytes.write(&chunk.bytes)?;
        self.charset.write_narrow(&chunk.charset)?;
        self.latency_ms.write(&chunk.latency_ms)?;
        self.gateway.write(&chunk.gateway)?;
        for (writer, codes) in self.language.iter_mut().zip(&chunk.language) {
            writer.write_narrow(codes)?;
        }
        self.host.write(&chunk.host)?;
        self.directory.write(&chunk.directory)?;
        self.urls.append(&chunk.urls)?;
        let offset = |&count: &u32| {
            *links += u64::from(count);
            *links
        };
        self.offsets.write(&chunk.link_counts.iter().map(offset).collect::<Vec<u64>>())?;
        self.targets.write(&chunk.targets)?;
        self.anchors.write_narrow(&chunk.anchors)
    }

    fn write_missing(
        &mut self,
        plan: &Plan,
        threads: usize,
        progress: &mut impl FnMut(Stage),
    ) -> Result<(), FolderError> {
        let chunks = plan.chunks(CHUNK);
        let mut written = 0;
        in_order(
            threads,
            chunks.len(),
            || (),
            |(), part| MissingChunk::make(plan, chunks[part].clone()),
            |_, chunk| {
                self.host.write(&chunk.host)?;
                self.directory.write(&chunk.directory)?;
                self.missing_urls.append(&chunk.urls)?;
                written += chunk.host.len();
                progress(Stage::Missing(written));
                Ok(())
            },
        )
    }

    fn finish(self) -> Result<(), FolderError> {
        let codes = [self.mime, self.charset, self.anchors];
        codes.into_iter().chain(self.language).try_for_each(CodesWriter::finish)?;
        let columns = [
            self.status,
            self.bytes,
            self.latency_ms,
            self.gateway,
            self.host,
            self.directory,
            self.offsets,
            self.targets,
        ];
        columns.into_iter().try_for_each(ColumnWriter::finish)?;
        self.urls.finish()?;
        self.missing_urls.finish()
    }
}

fn write_hosts(space: &NewSpace, plan: &Plan) -> Result<(), FolderError> {
    let mut names = DictionaryWriter::new(space, "hosts.names")?;
    plan.hosts.iter().try_for_each(|host| names.push(host.key.as_bytes()))?;
    names.finish()?;
    let hosts = || plan.hosts.iter();
    let first_pages = hosts().map(|host| host.first_page).chain([plan.pages as u32]);
    let first_missing = hosts().map(|host| host.first_missing).chain([plan.missing as u32]);
    let domains = hosts().map(|host| host.domain);
    write_column(space, "hosts.pages", first_pages)?;
    write_column(space, "hosts.missing", first_missing)?;
    write_column(space, "hosts.domain", domains)?;
    let tlds: Vec<u16> = hosts().map(|host| plan.domains[host.domain as usize].tld + 1).collect();
    let mut writer = CodesWriter::new(space.column("hosts.tld")?, plan.tlds.len());
    writer.write(&tlds)?;
    writer.finish()
}

fn write_column(
    space: &NewSpace,
    name: &str,
    numbers: impl Iterator<Item = u32>,
) -> Result<(), FolderError> {
    let mut column = space.column(name)?;
    column.write(&numbers.collect::<Vec<u32>>())?;
    column.finish()
}
