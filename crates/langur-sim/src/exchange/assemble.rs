//! Pages and links in any order become a web space.

use std::collections::HashMap;
use std::path::Path;

use langur_folder::FolderError;
use langur_page::{Address, host_key, registrable_domain, top_level_domain};
use rayon::prelude::*;
use thiserror::Error;

use crate::space::{
    AllColumns, CodeSlice, Facts, FrontCoder, HostRow, Manifest, MissingPages, NewSpace, Pages,
    TopicFacts, url_entry,
};

/// A page of a crawl log.
#[derive(Clone, Debug)]
pub struct PageRow {
    /// Its URL.
    pub address: Address,
    /// HTTP status; 0 for no answer.
    pub status: u16,
    /// Code of its media type.
    pub mime: u16,
    /// Its size.
    pub bytes: u32,
    /// Code of its declared character set.
    pub charset: u16,
    /// Time to answer.
    pub latency_ms: u16,
    /// Whether it is only a way in.
    pub gateway: bool,
    /// Whether crawls start from it.
    pub seed: bool,
    /// Codes of its language, one for each labelling rule.
    pub languages: Vec<u16>,
}

/// A link of a link list. Pages are given by their place among the rows.
#[derive(Clone, Copy, Debug)]
pub struct LinkRow {
    /// The page it is on.
    pub source: u32,
    /// The page it points to: below the number of page rows one of them, and from there on one of the
    /// missing addresses.
    pub target: u32,
    /// Its place in the document.
    pub position: u32,
    /// Code of the language of its anchor.
    pub anchor: u16,
}

/// What the codes mean.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Names of the labelling rules.
    pub labels: Vec<String>,
    /// Languages, from code 1.
    pub languages: Vec<String>,
    /// Character sets, from code 1.
    pub charsets: Vec<String>,
    /// Media types, from code 1.
    pub mimes: Vec<String>,
}

/// Scores of pages and links on topics.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// The topics.
    pub topics: Vec<TopicFacts>,
    /// For every topic the score of every page row.
    pub pages: Vec<Vec<f32>>,
    /// For every topic the scores of every link row, of its anchor and of the words around it, as
    /// [`langur_crawl::score_byte`] has them.
    pub links: Vec<Vec<[u8; 2]>>,
}

/// Everything a web space is made from. No two addresses may be the same.
pub struct Assembly {
    /// The crawl log.
    pub pages: Vec<PageRow>,
    /// Addresses that are linked to and not in the crawl log.
    pub missing: Vec<Address>,
    /// The link list, in any order; links of one page at one position keep theirs.
    pub links: Vec<LinkRow>,
    /// What the codes mean.
    pub tables: Tables,
    /// Scores on topics.
    pub scores: Scores,
    /// Where it comes from.
    pub provenance: serde_json::Value,
}

/// What was left out on purpose, and the web space that could not be written.
#[derive(Debug, Error)]
pub enum AssembleError {
    /// It could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// There are too many pages for their numbers.
    #[error("a web space holds at most 1,073,741,824 pages, missing ones included; there are {0}")]
    TooMany(usize),
}

/// Links that were left out, by the rule that each target counts once a page and a page does not
/// link to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Links from a page to a page it links to already.
    pub repeated: u64,
    /// Links from a page to itself.
    pub to_itself: u64,
}

/// Sorts, numbers and writes a web space.
pub fn assemble(assembly: Assembly, place: &Path, replace: bool) -> Result<Dropped, AssembleError> {
    let known = assembly.pages.len() + assembly.missing.len();
    if known > 1 << 30 {
        return Err(AssembleError::TooMany(known));
    }
    let space = NewSpace::create(place, replace)?;
    let order = Order::new(&assembly);
    let (counts, links, dropped) = sorted_links(&assembly, &order);
    let mut manifest = Manifest::new(assembly.provenance.clone());
    manifest.labels.clone_from(&assembly.tables.labels);
    manifest.languages.clone_from(&assembly.tables.languages);
    manifest.charsets.clone_from(&assembly.tables.charsets);
    manifest.mimes.clone_from(&assembly.tables.mimes);
    manifest.topics.clone_from(&assembly.scores.topics);
    let hosts = Hosts::new(&assembly, &order, &mut manifest);
    let pages = order.pages.len();
    let to_missing = links.iter().filter(|link| link.row.target as usize >= pages).count();
    manifest.counts.links = (links.len() - to_missing) as u64;
    manifest.counts.missing_links = to_missing as u64;
    manifest.seeds = (0..)
        .zip(&order.pages)
        .filter(|(_, row)| assembly.pages[**row as usize].seed)
        .map(|(i, _)| i)
        .collect();
    let mut columns = AllColumns::new(&space, &manifest)?;
    write_pages(&mut columns, &assembly, &order, &hosts, &counts, &links)?;
    let urls = front_coded(order.missing.iter().map(|&row| &assembly.missing[row as usize]));
    let (host, directory) = (&hosts.of_missing, &hosts.directory[pages..]);
    columns.write_missing(&MissingPages { host, directory, urls: &urls })?;
    columns.finish(&space, &manifest, hosts.rows())?;
    write_scores(&space, &assembly.scores, &order, &links)?;
    space.finish(manifest)?;
    Ok(dropped)
}

/// Rows in the order of their numbers, and the numbers of rows.
struct Order {
    pages: Vec<u32>,
    missing: Vec<u32>,
    number: Vec<u32>,
}

impl Order {
    fn new(assembly: &Assembly) -> Order {
        let sorted = |count: usize, address: &(dyn Fn(u32) -> Address + Sync)| {
            let mut keyed: Vec<_> = (0..count as u32)
                .into_par_iter()
                .map(|row| {
                    let address = address(row);
                    (host_key(&address.host), address.path, address.scheme, row)
                })
                .collect();
            keyed.par_sort();
            keyed.into_iter().map(|(_, _, _, row)| row).collect::<Vec<u32>>()
        };
        let pages =
            sorted(assembly.pages.len(), &|row| assembly.pages[row as usize].address.clone());
        let missing = sorted(assembly.missing.len(), &|row| assembly.missing[row as usize].clone());
        let mut number = vec![0; pages.len() + missing.len()];
        for (i, &row) in pages.iter().enumerate() {
            number[row as usize] = i as u32;
        }
        for (i, &row) in missing.iter().enumerate() {
            number[pages.len() + row as usize] = (pages.len() + i) as u32;
        }
        Order { pages, missing, number }
    }
}

/// A link by new numbers, and where it stood in the list.
struct Placed {
    row: LinkRow,
    was: usize,
}

/// Links by new numbers in document order, the number of links of every page, and what was dropped.
fn sorted_links(assembly: &Assembly, order: &Order) -> (Vec<u32>, Vec<Placed>, Dropped) {
    let renumber = |(was, link): (usize, &LinkRow)| {
        let (source, target) =
            (order.number[link.source as usize], order.number[link.target as usize]);
        Placed { row: LinkRow { source, target, ..*link }, was }
    };
    let mut links: Vec<Placed> = assembly.links.par_iter().enumerate().map(renumber).collect();
    links.par_sort_by_key(|link| (link.row.source, link.row.position));
    let mut dropped = Dropped::default();
    let mut linked_from = vec![u32::MAX; order.number.len()];
    let mut counts = vec![0; order.pages.len()];
    links.retain(|Placed { row: link, .. }| {
        let repeated =
            std::mem::replace(&mut linked_from[link.target as usize], link.source) == link.source;
        let to_itself = link.source == link.target;
        dropped.to_itself += u64::from(to_itself);
        dropped.repeated += u64::from(repeated && !to_itself);
        let keep = !repeated && !to_itself;
        counts[link.source as usize] += u32::from(keep);
        keep
    });
    (counts, links, dropped)
}

/// The hosts of all addresses, and the directories.
struct Hosts {
    keys: Vec<String>,
    first_page: Vec<u32>,
    first_missing: Vec<u32>,
    domain: Vec<u32>,
    tld: Vec<u16>,
    of_pages: Vec<u32>,
    of_missing: Vec<u32>,
    directory: Vec<u32>,
}

impl Hosts {
    fn new(assembly: &Assembly, order: &Order, manifest: &mut Manifest) -> Hosts {
        let addresses = || {
            let pages = order.pages.iter().map(|&row| &assembly.pages[row as usize].address);
            pages.chain(order.missing.iter().map(|&row| &assembly.missing[row as usize]))
        };
        let mut keys: Vec<String> = addresses().map(|address| host_key(&address.host)).collect();
        let of_all_keys = keys.clone();
        keys.sort_unstable();
        keys.dedup();
        let numbers: HashMap<&str, u32> =
            keys.iter().zip(0..).map(|(key, i)| (key.as_str(), i)).collect();
        let mut of_pages: Vec<u32> = of_all_keys.iter().map(|key| numbers[key.as_str()]).collect();
        let of_missing = of_pages.split_off(order.pages.len());
        let mut domains: HashMap<String, u32> = HashMap::new();
        let (mut domain, mut tld) = (Vec::new(), Vec::new());
        for key in &keys {
            let host = langur_page::host_from_key(key);
            let next = domains.len() as u32;
            domain.push(*domains.entry(registrable_domain(&host).to_owned()).or_insert(next));
            tld.push(top_level_domain(&host).map_or(0, |name| code(&mut manifest.tlds, name)));
        }
        let mut directories: HashMap<(u32, &str), u32> = HashMap::new();
        let hosts_of_all = of_pages.iter().chain(&of_missing);
        let directory = addresses()
            .zip(hosts_of_all)
            .map(|(address, &host)| {
                let next = directories.len() as u32;
                *directories.entry((host, address.directory())).or_insert(next)
            })
            .collect();
        manifest.counts.pages = order.pages.len() as u64;
        manifest.counts.missing = order.missing.len() as u64;
        manifest.counts.hosts = keys.len() as u64;
        manifest.counts.domains = domains.len() as u64;
        manifest.counts.directories = directories.len() as u64;
        let (first_page, first_missing) =
            (firsts(&of_pages, keys.len()), firsts(&of_missing, keys.len()));
        Hosts { keys, first_page, first_missing, domain, tld, of_pages, of_missing, directory }
    }

    fn rows(&self) -> impl Iterator<Item = HostRow<'_>> {
        (0..self.keys.len()).map(|host| HostRow {
            key: &self.keys[host],
            first_page: self.first_page[host],
            first_missing: self.first_missing[host],
            domain: self.domain[host],
            tld: self.tld[host],
        })
    }
}

/// Where each host's stretch begins in an ascending list of hosts.
fn firsts(hosts: &[u32], count: usize) -> Vec<u32> {
    (0..count as u32).map(|host| hosts.partition_point(|&other| other < host) as u32).collect()
}

/// The code of a word, which is added to its table if it is new; 0 for the empty word.
pub(crate) fn code(table: &mut Vec<String>, word: &str) -> u16 {
    if word.is_empty() {
        return crate::UNKNOWN;
    }
    let place = table.iter().position(|known| known == word).unwrap_or_else(|| {
        table.push(word.to_owned());
        table.len() - 1
    });
    place as u16 + 1
}

fn front_coded<'a>(addresses: impl Iterator<Item = &'a Address>) -> FrontCoder {
    let mut urls = FrontCoder::default();
    addresses.for_each(|address| urls.push(&url_entry(address.scheme, &address.path)));
    urls
}

fn write_pages(
    columns: &mut AllColumns,
    assembly: &Assembly,
    order: &Order,
    hosts: &Hosts,
    counts: &[u32],
    links: &[Placed],
) -> Result<(), FolderError> {
    let rows = || order.pages.iter().map(|&row| &assembly.pages[row as usize]);
    let languages: Vec<Vec<u16>> = (0..assembly.tables.labels.len())
        .map(|rule| rows().map(|row| row.languages[rule]).collect())
        .collect();
    let facts = Facts {
        status: &rows().map(|row| row.status).collect::<Vec<_>>(),
        mime: CodeSlice::Wide(&rows().map(|row| row.mime).collect::<Vec<_>>()),
        bytes: &rows().map(|row| row.bytes).collect::<Vec<_>>(),
        charset: CodeSlice::Wide(&rows().map(|row| row.charset).collect::<Vec<_>>()),
        latency_ms: &rows().map(|row| row.latency_ms).collect::<Vec<_>>(),
        gateway: &rows().map(|row| u8::from(row.gateway)).collect::<Vec<_>>(),
        language: languages.iter().map(|codes| CodeSlice::Wide(codes)).collect(),
        urls: &front_coded(rows().map(|row| &row.address)),
        link_counts: counts,
        anchors: CodeSlice::Wide(&links.iter().map(|link| link.row.anchor).collect::<Vec<_>>()),
    };
    columns.write_pages(&Pages {
        facts,
        host: &hosts.of_pages,
        directory: &hosts.directory[..order.pages.len()],
        targets: &links.iter().map(|link| link.row.target).collect::<Vec<_>>(),
    })
}

fn write_scores(
    space: &NewSpace,
    scores: &Scores,
    order: &Order,
    links: &[Placed],
) -> Result<(), FolderError> {
    for (topic, (of_pages, of_links)) in scores.pages.iter().zip(&scores.links).enumerate() {
        let mut pages = space.column(&format!("pages.topic.{topic}"))?;
        pages
            .write(&order.pages.iter().map(|&row| of_pages[row as usize]).collect::<Vec<f32>>())?;
        pages.finish()?;
        for (name, part) in [("anchor", 0), ("context", 1)] {
            let mut column = space.column(&format!("links.{name}_topic.{topic}"))?;
            column
                .write(&links.iter().map(|link| of_links[link.was][part]).collect::<Vec<u8>>())?;
            column.finish()?;
        }
    }
    Ok(())
}
