//! The sites of a synthetic web: domains, hosts, how many pages of which language each has, and who
//! is found from whom.

use langur_page::host_key;
use rayon::prelude::*;

use super::mix::{deal, largest_remainder, mixes};
use super::names;
use super::preset::Preset;
use super::random::{Purpose, Random};

/// What is known of a page's language, by the labels of the published table.
pub(crate) mod class {
    pub const TARGET: u8 = 0;
    pub const SECOND: u8 = 1;
    pub const OTHER: u8 = 2;
    pub const UNKNOWN: u8 = 3;
}

/// All sites of a synthetic web. Hosts are in the order of their reversed names, so the pages of a
/// host, and the hosts of a domain, are neighbours.
pub(crate) struct Plan {
    pub pages: usize,
    pub missing: usize,
    pub directories: usize,
    pub hosts: Vec<Host>,
    pub domains: Vec<Domain>,
    /// The names of the top-level domains; a domain's `tld` is a place in it.
    pub tlds: Vec<Tld>,
    /// Hosts with pages in the target language, the largest first.
    pub target_hosts: Vec<u32>,
    /// All hosts, the largest first.
    pub all_hosts: Vec<u32>,
    /// Links between hosts that make everything reachable, by source host.
    pub discoveries: Vec<Discovery>,
    /// Where the discoveries of each host begin, and a last entry for the end.
    pub discovery_offsets: Vec<u32>,
    pub seeds: Vec<u32>,
}

pub(crate) struct Tld {
    pub name: String,
    /// The row of the published table it belongs to.
    pub row: usize,
    pub suffixes: Vec<String>,
    /// The language that "other" means there.
    pub language: Option<String>,
}

pub(crate) struct Domain {
    pub tld: u16,
    pub first_host: u32,
    pub hosts: u32,
}

#[derive(Clone)]
pub(crate) struct Host {
    pub key: String,
    pub domain: u32,
    /// Whether it is a site of the target language.
    pub is_target_site: bool,
    pub first_page: u32,
    pub pages: u32,
    /// Pages by class.
    pub counts: [u32; 4],
    pub home: u8,
    pub is_gateway: bool,
    /// Whether its pages never declare a charset of the target language.
    pub hides_charset: bool,
    pub first_missing: u32,
    pub missing: u32,
    pub first_directory: u32,
    pub directory_size: u32,
}

/// A link that leads to a host, or to a page of a host without pages that link.
#[derive(Clone, Copy)]
pub(crate) struct Discovery {
    pub source_host: u32,
    /// Draws the page of the source host.
    pub draw: u32,
    pub from_target: bool,
    pub page: u32,
}

impl Host {
    pub fn known(&self) -> u32 {
        self.counts[0] + self.counts[1] + self.counts[2]
    }

    /// The directory of a page, counted within the host: the home page alone in the first.
    pub fn directory(&self, page: u32) -> u32 {
        if page == 0 { 0 } else { 1 + (page - 1) / self.directory_size }
    }

    /// Directories, one of which may hold missing pages only.
    pub fn directories(&self) -> u32 {
        1 + (self.pages - 1).div_ceil(self.directory_size).max(1)
    }
}

impl Plan {
    pub fn new(preset: &Preset, pages: usize, seed: u64) -> Plan {
        let published = &preset.published;
        let per_page = 1.0 / published.crawled;
        let count = ((pages as f64 * published.hosts * per_page).round() as usize)
            .clamp(preset.seeds + 5, pages);
        let mut sites = Sites::new(preset, pages, count, seed);
        sites.sort();
        let (mut hosts, domains) = (sites.hosts, sites.domains);
        mix_languages(preset, &sites.tlds, &domains, &mut hosts, seed);
        let seeds = choose_homes(preset, &mut hosts, seed);
        hide_charsets(preset, &mut hosts, seed);
        let missing = (pages as f64 * published.uncrawled * per_page).round();
        let directories = number(&mut hosts, missing);
        let by_size = |wanted: &dyn Fn(&Host) -> bool| {
            let mut list: Vec<u32> =
                (0..hosts.len() as u32).filter(|&host| wanted(&hosts[host as usize])).collect();
            list.sort_by_key(|&host| (std::cmp::Reverse(hosts[host as usize].pages), host));
            list
        };
        let target_hosts = by_size(&|host| host.counts[0] > 0);
        let all_hosts = by_size(&|_| true);
        let (discoveries, discovery_offsets) = discover(preset, &hosts, &seeds, seed);
        Plan {
            pages,
            missing: hosts.iter().map(|host| host.missing as usize).sum(),
            directories,
            seeds: seeds.iter().map(|&host| hosts[host as usize].first_page).collect(),
            hosts,
            domains,
            tlds: sites.tlds,
            target_hosts,
            all_hosts,
            discoveries,
            discovery_offsets,
        }
    }

    /// Contiguous ranges of hosts with about `size` pages each. They depend on nothing but the plan.
    pub fn chunks(&self, size: usize) -> Vec<std::ops::Range<usize>> {
        let (mut chunks, mut start, mut pages) = (Vec::new(), 0, 0);
        for (i, host) in self.hosts.iter().enumerate() {
            pages += host.pages as usize + host.missing as usize / 4;
            if pages >= size {
                chunks.push(start..i + 1);
                (start, pages) = (i + 1, 0);
            }
        }
        if start < self.hosts.len() {
            chunks.push(start..self.hosts.len());
        }
        chunks
    }
}

/// Domains and their hosts with sizes, kinds and names.
struct Sites {
    hosts: Vec<Host>,
    domains: Vec<Domain>,
    tlds: Vec<Tld>,
}

impl Sites {
    fn new(preset: &Preset, pages: usize, count: usize, seed: u64) -> Sites {
        let sizes = host_sizes(preset, pages, count, seed);
        let per_domain = hosts_per_domain(preset, count, seed);
        let mut start = 0;
        let domain_pages: Vec<f64> = per_domain
            .iter()
            .map(|&hosts| {
                let pages: u32 = sizes[start..start + hosts].iter().sum();
                start += hosts;
                f64::from(pages)
            })
            .collect();
        let tlds = top_level_domains(preset);
        let kinds = domain_kinds(preset, &tlds, &domain_pages, pages, seed);
        let mut sites = Sites { hosts: Vec::with_capacity(count), domains: Vec::new(), tlds };
        for (number, (&hosts, &(tld, is_target_site))) in per_domain.iter().zip(&kinds).enumerate()
        {
            sites.add_domain(
                number,
                tld,
                is_target_site,
                &sizes[sites.hosts.len()..][..hosts],
                seed,
            );
        }
        sites
    }

    fn add_domain(
        &mut self,
        number: usize,
        tld: usize,
        is_target_site: bool,
        sizes: &[u32],
        seed: u64,
    ) {
        let mut random = Random::new(seed, Purpose::Names, number);
        let suffixes = &self.tlds[tld].suffixes;
        let suffix = &suffixes[random.below(suffixes.len())];
        let name = format!("{}.{suffix}", names::domain_label(number));
        let domain = self.domains.len() as u32;
        for (i, &pages) in sizes.iter().enumerate() {
            let key = host_key(&format!("{}{name}", names::host_prefix(i, &mut random)));
            self.hosts.push(Host {
                key,
                domain,
                is_target_site,
                first_page: 0,
                pages,
                counts: [0; 4],
                home: class::UNKNOWN,
                is_gateway: false,
                hides_charset: false,
                first_missing: 0,
                missing: 0,
                first_directory: 0,
                directory_size: 4 + random.below(16) as u32,
            });
        }
        let hosts = sizes.len() as u32;
        self.domains.push(Domain { tld: tld as u16, first_host: 0, hosts });
    }

    /// Brings hosts, and with them domains, into the order of their keys.
    fn sort(&mut self) {
        self.hosts.par_sort_unstable_by(|a, b| a.key.cmp(&b.key));
        let mut order = vec![u32::MAX; self.domains.len()];
        let mut next = 0;
        for host in &self.hosts {
            let place = &mut order[host.domain as usize];
            if *place == u32::MAX {
                *place = next;
                next += 1;
            }
        }
        let old = std::mem::take(&mut self.domains);
        let mut domains: Vec<(u32, Domain)> = order.iter().copied().zip(old).collect();
        domains.sort_unstable_by_key(|(place, _)| *place);
        self.domains = domains.into_iter().map(|(_, domain)| domain).collect();
        self.hosts.iter_mut().for_each(|host| host.domain = order[host.domain as usize]);
        let mut first = 0;
        for domain in &mut self.domains {
            domain.first_host = first;
            first += domain.hosts;
        }
    }
}

/// Pareto sizes that add up to the number of pages.
fn host_sizes(preset: &Preset, pages: usize, count: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed, Purpose::Sizes, 0);
    let exponent = -1.0 / preset.free.host_size_exponent;
    let raw: Vec<f64> = (0..count).map(|_| libm::pow(1.0 - random.unit(), exponent)).collect();
    let limit = (pages as f64 * preset.free.host_size_limit).max(pages as f64 / count as f64 * 2.0);
    let size = |raw: f64, scale: f64| (raw * scale).clamp(1.0, limit).floor();
    let (mut low, mut high) = (0.0, pages as f64);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        let total: f64 = raw.iter().map(|&raw| size(raw, middle)).sum();
        if total <= pages as f64 { low = middle } else { high = middle }
    }
    let mut sizes: Vec<u32> = raw.iter().map(|&raw| size(raw, low) as u32).collect();
    // Rounding down has left a few pages over.
    let mut left = pages - sizes.iter().map(|&size| size as usize).sum::<usize>();
    while left > 0 {
        let more = left.min(count);
        sizes[..more].iter_mut().for_each(|size| *size += 1);
        left -= more;
    }
    sizes
}

fn hosts_per_domain(preset: &Preset, count: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed, Purpose::Domains, 0);
    let exponent = -1.0 / preset.free.hosts_per_domain_exponent;
    let limit = (count / 50).max(2);
    let (mut domains, mut left) = (Vec::new(), count);
    while left > 0 {
        let hosts = (libm::pow(1.0 - random.unit(), exponent) as usize).clamp(1, limit.min(left));
        domains.push(hosts);
        left -= hosts;
    }
    domains
}

fn top_level_domains(preset: &Preset) -> Vec<Tld> {
    let mut tlds = Vec::new();
    for (row, published) in preset.published.tld.iter().enumerate() {
        if published.name == "*" {
            tlds.extend(preset.free.other_tlds.iter().map(|(name, tld)| Tld {
                name: name.clone(),
                row,
                suffixes: vec![tld.suffix.clone().unwrap_or_else(|| name.clone())],
                language: tld.language.clone(),
            }));
        } else {
            let suffixes = names::suffixes(&published.name);
            tlds.push(Tld { name: published.name.clone(), row, suffixes, language: None });
        }
    }
    tlds
}

/// Deals domains to top-level domains and to the two kinds of site so that the published numbers of
/// pages come out.
fn domain_kinds(
    preset: &Preset,
    tlds: &[Tld],
    domain_pages: &[f64],
    pages: usize,
    seed: u64,
) -> Vec<(usize, bool)> {
    let scale = pages as f64 / preset.published.tld.iter().map(|row| row.total()).sum::<f64>();
    let mut cells = Vec::new();
    let mut needs = Vec::new();
    for (t, tld) in tlds.iter().enumerate() {
        let row = &preset.published.tld[tld.row];
        let weight = match preset.free.other_tlds.get(&tld.name) {
            Some(other) if row.name == "*" => {
                other.weight
                    / preset.free.other_tlds.values().map(|other| other.weight).sum::<f64>()
            }
            _ => 1.0,
        };
        let target_pages = target_site_pages(preset, tld.row);
        for (is_target_site, need) in [(true, target_pages), (false, row.total() - target_pages)] {
            cells.push((t, is_target_site));
            needs.push((need * weight * scale).max(0.0));
        }
    }
    let mut random = Random::new(seed, Purpose::Cells, 0);
    deal(domain_pages, needs, &mut random).into_iter().map(|cell| cells[cell]).collect()
}

/// How many pages of a row of the table lie on sites of the target language: every site under the
/// target's own top-level domain is one, and the others have the same share of target pages.
pub(crate) fn target_site_pages(preset: &Preset, row: usize) -> f64 {
    let own = preset.own_row();
    preset.published.tld[row].target * own.total() / own.target
}

/// Gives every host its number of pages in each language.
fn mix_languages(preset: &Preset, tlds: &[Tld], domains: &[Domain], hosts: &mut [Host], seed: u64) {
    let own = preset.own_row();
    for (row, published) in preset.published.tld.iter().enumerate() {
        let target_pages = target_site_pages(preset, row);
        let on_target_sites = own.classes().map(|class| class / own.total() * target_pages);
        let all = published.classes();
        let elsewhere: [f64; 4] = std::array::from_fn(|c| (all[c] - on_target_sites[c]).max(0.0));
        for (is_target_site, shares) in [(true, on_target_sites), (false, elsewhere)] {
            let members: Vec<usize> = (0..hosts.len())
                .filter(|&host| {
                    let tld = domains[hosts[host].domain as usize].tld;
                    tlds[usize::from(tld)].row == row
                        && hosts[host].is_target_site == is_target_site
                })
                .collect();
            let sizes: Vec<u32> = members.iter().map(|&host| hosts[host].pages).collect();
            let mut random =
                Random::new(seed, Purpose::Mixes, row * 2 + usize::from(is_target_site));
            let mixed = mixes(&sizes, shares, preset.free.host_heterogeneity, &mut random);
            for (&host, counts) in members.iter().zip(mixed) {
                hosts[host].counts = counts;
            }
        }
    }
}

/// Chooses the language of every home page, and the seeds: the largest sites of the target language.
fn choose_homes(preset: &Preset, hosts: &mut [Host], seed: u64) -> Vec<u32> {
    let mut seeds: Vec<u32> =
        (0..hosts.len() as u32).filter(|&host| hosts[host as usize].counts[0] > 0).collect();
    seeds.sort_by_key(|&host| (std::cmp::Reverse(hosts[host as usize].counts[0]), host));
    seeds.truncate(preset.seeds);
    seeds.sort_unstable();
    let mut random = Random::new(seed, Purpose::Homes, 0);
    for (i, host) in hosts.iter_mut().enumerate() {
        let [target, second, other, _] = host.counts;
        let is_gateway = random.chance(preset.free.gateway_share) && !seeds.contains(&(i as u32));
        let draw = random.below(host.known().max(1) as usize) as u32;
        host.is_gateway = is_gateway && host.is_target_site && target > 0 && second + other > 0;
        host.home = match (host.known(), host.is_gateway) {
            (0, _) => class::UNKNOWN,
            (_, true) => {
                if second > 0 {
                    class::SECOND
                } else {
                    class::OTHER
                }
            }
            (_, false) if host.is_target_site && target > 0 => class::TARGET,
            (_, false) if draw < target => class::TARGET,
            (_, false) if draw < target + second => class::SECOND,
            _ => class::OTHER,
        };
    }
    seeds
}

/// Chooses the servers that never declare a charset of the target language.
fn hide_charsets(preset: &Preset, hosts: &mut [Host], seed: u64) {
    let pages: Vec<f64> = hosts.iter().map(|host| f64::from(host.counts[0])).collect();
    let all: f64 = pages.iter().sum();
    let hidden = all * lost_charsets(preset) * preset.free.meta_lost_by_server;
    let mut random = Random::new(seed, Purpose::Charsets, 0);
    for (host, kind) in hosts.iter_mut().zip(deal(&pages, vec![all - hidden, hidden], &mut random))
    {
        host.hides_charset = kind == 1;
    }
}

/// The share of target pages that META charset alone does not find.
pub(crate) fn lost_charsets(preset: &Preset) -> f64 {
    let target: f64 = preset.published.tld.iter().map(|row| row.target).sum();
    (1.0 - preset.published.target_meta_charset / target).max(0.0)
}

/// Numbers pages, missing pages and directories, and returns how many directories there are.
fn number(hosts: &mut [Host], missing: f64) -> usize {
    let known: Vec<f64> = hosts.iter().map(|host| f64::from(host.known())).collect();
    let shares = largest_remainder(&known, missing);
    let (mut page, mut missing, mut directory) = (0, 0, 0);
    for (host, share) in hosts.iter_mut().zip(shares) {
        host.first_page = page;
        host.first_missing = missing;
        host.first_directory = directory;
        host.missing = share;
        page += host.pages;
        missing += host.missing;
        directory += host.directories();
    }
    directory as usize
}

/// Links every host from one found before it, so that everything can be reached from the seeds.
/// Hosts without pages that link are linked page by page.
fn discover(
    preset: &Preset,
    hosts: &[Host],
    seeds: &[u32],
    seed: u64,
) -> (Vec<Discovery>, Vec<u32>) {
    let mut random = Random::new(seed, Purpose::Discovery, 0);
    let mut order: Vec<u32> =
        (0..hosts.len() as u32).filter(|host| !seeds.contains(host)).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let from_target = share_found_from_target(preset);
    let (mut target_sites, mut other_sites) = (seeds.to_vec(), Vec::new());
    let mut discoveries = Vec::new();
    for host in order {
        let site = &hosts[host as usize];
        let entries = if site.known() > 0 { 1 } else { site.pages };
        for page in 0..entries {
            let is_target = random.chance(from_target[usize::from(!site.is_target_site)]);
            let list =
                if is_target || other_sites.is_empty() { &target_sites } else { &other_sites };
            discoveries.push(Discovery {
                source_host: list[random.below(list.len())],
                draw: random.below(1 << 31) as u32,
                from_target: is_target,
                page: site.first_page + page,
            });
        }
        if site.counts[0] > 0 && site.is_target_site {
            target_sites.push(host);
        }
        if site.counts[1] + site.counts[2] > 0 {
            other_sites.push(host);
        }
    }
    discoveries.sort_by_key(|discovery| discovery.source_host);
    let mut offsets = vec![0_u32; hosts.len() + 1];
    for discovery in &discoveries {
        offsets[discovery.source_host as usize + 1] += 1;
    }
    for i in 0..hosts.len() {
        offsets[i + 1] += offsets[i];
    }
    (discoveries, offsets)
}

/// The share of links between domains that come from target pages: for links to target pages, and
/// for links to others. Follows from the published locality.
fn share_found_from_target(preset: &Preset) -> [f64; 2] {
    let flow = |from: &super::preset::Locality| {
        let links = from.links_to_target / (from.all / 100.0);
        let stay = (from.all - from.other_domain) / (from.same_domain - from.other_domain);
        let away = links * (1.0 - stay);
        [away * from.other_domain / 100.0, away * (1.0 - from.other_domain / 100.0)]
    };
    let (target, rest) = (flow(&preset.published.from_target), flow(&preset.published.from_rest));
    [target[0] / (target[0] + rest[0]), target[1] / (target[1] + rest[1])]
}
