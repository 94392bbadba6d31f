//! Everything that is written of a stretch of hosts.

use langur_page::Scheme;

use super::calibrate::Census;
use super::links::{Bench, Linker};
use super::names::{self, File};
use super::plan::{Host, Plan, class, lost_charsets};
use super::preset::Preset;
use super::random::{Curve, Purpose, Random};
use crate::space::{CodeSlice, Facts, FrontCoder, Pages, UNKNOWN, scheme_byte};

/// The labelling rules under which the languages of a synthetic web are recorded.
pub(crate) const LABELS: [&str; 3] = ["meta+textcat", "meta-charset", "true"];

const HTML: u8 = 1;
/// The media types of a synthetic web, with the ending of their files.
pub(crate) const MIMES: [(&str, &str); 5] = [
    ("text/html", ".html"),
    ("image/gif", ".gif"),
    ("image/jpeg", ".jpg"),
    ("application/pdf", ".pdf"),
    ("application/zip", ".zip"),
];
/// What pages answer that are not there or fail; 0 stands for no answer.
const ERRORS: [u16; 6] = [404, 404, 302, 403, 500, 0];

/// What is the same for all chunks.
pub(crate) struct Tables {
    pub languages: Vec<String>,
    pub charsets: Vec<String>,
    /// The code of "other" by top-level domain; UNKNOWN where it must be drawn.
    other_by_tld: Vec<u8>,
    other: Weights,
    target_charsets: Weights,
    rest_charsets: Weights,
    bytes: Curve,
    latency: Curve,
    /// Share of target pages without a charset of the target language, on servers that declare one.
    lost_charsets: f64,
    /// Chances that the label is wrong, for pages labelled target and for all others.
    false_target: f64,
    missed_target: f64,
}

const TARGET: u8 = 1;
const SECOND: u8 = 2;

/// Codes drawn by weight.
struct Weights {
    codes: Vec<u8>,
    weights: Vec<f64>,
}

impl Weights {
    fn draw(&self, random: &mut Random) -> u8 {
        self.codes[random.weighted(&self.weights)]
    }
}

impl Tables {
    pub fn new(preset: &Preset, plan: &Plan) -> Tables {
        let free = &preset.free;
        let mut languages = vec![preset.target.clone(), preset.second.clone()];
        let mut charsets = Vec::new();
        let of_tlds = plan.tlds.iter().filter_map(|tld| tld.language.as_ref());
        for language in free.other_languages.keys().chain(of_tlds) {
            code(&mut languages, language);
        }
        let other_by_tld = plan
            .tlds
            .iter()
            .map(|tld| tld.language.as_ref().map_or(0, |l| code(&mut languages, l)))
            .collect();
        let published = &preset.published;
        let target: f64 = published.tld.iter().map(|row| row.target).sum();
        let rest: f64 = published.tld.iter().map(|row| row.second + row.other).sum();
        let lost = lost_charsets(preset);
        let hidden = lost * free.meta_lost_by_server;
        let missed =
            target * published.identifier_precision * (1.0 / published.identifier_recall - 1.0);
        Tables {
            other: weights(&mut languages, &free.other_languages),
            target_charsets: weights(&mut charsets, &free.target_charsets),
            rest_charsets: weights(&mut charsets, &free.rest_charsets),
            bytes: Curve::lognormal(free.page_bytes.0, free.page_bytes.1),
            latency: Curve::lognormal(free.latency_ms.0, free.latency_ms.1),
            lost_charsets: (lost - hidden) / (1.0 - hidden),
            false_target: 1.0 - published.identifier_precision,
            missed_target: (missed / rest).min(1.0),
            other_by_tld,
            languages,
            charsets,
        }
    }
}

/// The code of a word, which is added to its table if it is new; 0 for the empty word.
fn code(table: &mut Vec<String>, word: &str) -> u8 {
    if word.is_empty() {
        return UNKNOWN as u8;
    }
    let place = table.iter().position(|known| known == word).unwrap_or_else(|| {
        table.push(word.to_owned());
        table.len() - 1
    });
    place as u8 + 1
}

fn weights(table: &mut Vec<String>, words: &std::collections::BTreeMap<String, f64>) -> Weights {
    let codes = words.keys().map(|word| code(table, word)).collect();
    Weights { codes, weights: words.values().copied().collect() }
}

/// The columns of a stretch of hosts.
#[derive(Default)]
pub(crate) struct Chunk {
    pub status: Vec<u16>,
    pub mime: Vec<u8>,
    pub bytes: Vec<u32>,
    pub charset: Vec<u8>,
    pub latency_ms: Vec<u16>,
    pub gateway: Vec<u8>,
    pub language: [Vec<u8>; 3],
    pub host: Vec<u32>,
    pub directory: Vec<u32>,
    pub urls: FrontCoder,
    pub link_counts: Vec<u32>,
    pub targets: Vec<u32>,
    pub anchors: Vec<u8>,
    pub census: Census,
    pub missing_links: u64,
}

impl Chunk {
    pub fn make(
        linker: &Linker,
        tables: &Tables,
        languages: &[u8],
        bench: &mut Bench,
        hosts: std::ops::Range<usize>,
    ) -> Chunk {
        let first_page = linker.plan.hosts[hosts.start].first_page as usize;
        let mut chunk = Chunk { urls: FrontCoder::starting_at(first_page), ..Chunk::default() };
        for index in hosts {
            chunk.add_pages(linker, tables, languages, index);
            chunk.add_links(linker, languages, bench, index);
        }
        chunk
    }

    /// As it is written.
    pub fn pages(&self) -> Pages<'_> {
        let facts = Facts {
            status: &self.status,
            mime: CodeSlice::Narrow(&self.mime),
            bytes: &self.bytes,
            charset: CodeSlice::Narrow(&self.charset),
            latency_ms: &self.latency_ms,
            gateway: &self.gateway,
            language: self.language.iter().map(|codes| CodeSlice::Narrow(codes)).collect(),
            urls: &self.urls,
            link_counts: &self.link_counts,
            anchors: CodeSlice::Narrow(&self.anchors),
        };
        let (host, directory) = (&self.host, &self.directory);
        Pages { facts, host, directory, targets: &self.targets }
    }

    fn add_pages(&mut self, linker: &Linker, tables: &Tables, languages: &[u8], index: usize) {
        let host = &linker.plan.hosts[index];
        let mut random = Random::new(linker.seed, Purpose::Pages, index);
        let directories = host.directories();
        let slowness = tables.latency.draw(&mut random);
        let mut path = Vec::new();
        for page in 0..host.pages {
            let number = (host.first_page + page) as usize;
            let class = linker.classes[number];
            let (status, mime) = answer(linker.preset, class, &mut random);
            self.status.push(status);
            self.mime.push(mime);
            self.bytes.push(tables.bytes.draw(&mut random) as u32);
            self.latency_ms.push((slowness * (0.5 + random.unit())) as u16);
            self.gateway.push(u8::from(page == 0 && host.is_gateway));
            self.label(tables, class, languages[number], host.hides_charset, &mut random);
            self.host.push(index as u32);
            let directory = host.directory(page);
            self.directory.push(host.first_directory + directory);
            path.clear();
            let place = if page == 0 { 0 } else { (page - 1) % host.directory_size };
            let extension = MIMES[usize::from(mime.max(1)) - 1].1;
            let file = if place == 0 {
                File::Index
            } else {
                File::Numbered { number: place * 2, extension }
            };
            names::path(&mut path, directory, directories, file);
            path.push(scheme_byte(Scheme::Http));
            self.urls.push(&path);
        }
    }

    /// The page's charset, and its language under each labelling rule.
    fn label(
        &mut self,
        tables: &Tables,
        class: u8,
        language: u8,
        hides_charset: bool,
        random: &mut Random,
    ) {
        let (charset, meta, truth) = match class {
            class::TARGET => {
                let lost = hides_charset || random.chance(tables.lost_charsets);
                let charset =
                    if lost { &tables.rest_charsets } else { &tables.target_charsets }.draw(random);
                let truth = if random.chance(tables.false_target) { SECOND } else { TARGET };
                (charset, if lost { 0 } else { TARGET }, truth)
            }
            class::UNKNOWN => (0, 0, 0),
            _ => {
                let truth = if random.chance(tables.missed_target) { TARGET } else { language };
                (tables.rest_charsets.draw(random), 0, truth)
            }
        };
        self.charset.push(charset);
        for (column, code) in self.language.iter_mut().zip([language, meta, truth]) {
            column.push(code);
        }
    }

    fn add_links(&mut self, linker: &Linker, languages: &[u8], bench: &mut Bench, index: usize) {
        let host = &linker.plan.hosts[index];
        let start = self.link_counts.len();
        self.link_counts.resize(start + host.pages as usize, 0);
        let (pages, free) = (linker.plan.pages, &linker.preset.free);
        linker.host_links(bench, index, 0, 1, |page, links, random| {
            self.link_counts[start + page] = links.len() as u32;
            self.targets.extend_from_slice(links);
            self.census.count(linker, index, page, links);
            let from = languages[host.first_page as usize + page];
            for &target in links {
                let draw = random.unit();
                let to = languages.get(target as usize).copied().unwrap_or(from);
                self.missing_links += u64::from(target as usize >= pages);
                let anchor = if draw < free.anchor_empty {
                    UNKNOWN as u8
                } else if to != UNKNOWN as u8
                    && draw
                        < free.anchor_empty + (1.0 - free.anchor_empty) * free.anchor_tells_target
                {
                    to
                } else {
                    from
                };
                self.anchors.push(anchor);
            }
        });
    }
}

fn answer(preset: &Preset, class: u8, random: &mut Random) -> (u16, u8) {
    match class {
        class::UNKNOWN if random.chance(preset.free.unknown_not_html) => {
            (200, 2 + random.below(MIMES.len() - 1) as u8)
        }
        class::UNKNOWN => match ERRORS[random.below(ERRORS.len())] {
            0 => (0, UNKNOWN as u8),
            status => (status, HTML),
        },
        _ => (200, HTML),
    }
}

/// The language code of every page by its class, drawn where "other" may be several.
pub(crate) fn languages(linker: &Linker, tables: &Tables) -> Vec<u8> {
    use rayon::prelude::*;
    let plan = linker.plan;
    let language = |(index, host): (usize, &Host)| {
        let tld = plan.domains[host.domain as usize].tld;
        let mut random = Random::new(linker.seed ^ 0x1a4, Purpose::Pages, index);
        // Pages of other languages on one host are in the same one.
        let other = match tables.other_by_tld[usize::from(tld)] {
            0 => tables.other.draw(&mut random),
            code => code,
        };
        let classes = &linker.classes[host.first_page as usize..][..host.pages as usize];
        let code = move |&class: &u8| match class {
            class::TARGET => TARGET,
            class::SECOND => SECOND,
            class::OTHER => other,
            _ => UNKNOWN as u8,
        };
        classes.iter().map(code)
    };
    let parts: Vec<Vec<u8>> = plan
        .chunks(1 << 16)
        .into_par_iter()
        .map(|hosts| {
            hosts
                .flat_map(|index| language((index, &plan.hosts[index])).collect::<Vec<_>>())
                .collect()
        })
        .collect();
    parts.concat()
}

/// The columns of the missing pages of a stretch of hosts.
pub(crate) struct MissingChunk {
    pub host: Vec<u32>,
    pub directory: Vec<u32>,
    pub urls: FrontCoder,
}

impl MissingChunk {
    pub fn make(plan: &Plan, hosts: std::ops::Range<usize>) -> MissingChunk {
        let first = plan.hosts[hosts.start].first_missing as usize;
        let mut chunk = MissingChunk {
            host: Vec::new(),
            directory: Vec::new(),
            urls: FrontCoder::starting_at(first),
        };
        let mut path = Vec::new();
        for index in hosts {
            let host = &plan.hosts[index];
            let directories = host.directories();
            let each = host.missing.div_ceil(directories - 1).max(1);
            for number in 0..host.missing {
                let directory = 1 + number / each;
                chunk.host.push(index as u32);
                chunk.directory.push(host.first_directory + directory);
                path.clear();
                let file = File::Numbered { number: number % each * 2 + 1, extension: ".html" };
                names::path(&mut path, directory, directories, file);
                path.push(scheme_byte(Scheme::Http));
                chunk.urls.push(&path);
            }
        }
        chunk
    }
}
