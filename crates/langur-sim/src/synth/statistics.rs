//! What was asked for beside what came out.

use super::calibrate::{Census, published_degrees};
use super::links::{AWAY, DOMAIN, SERVER, cell};
use super::plan::Plan;
use super::preset::{Locality, Preset};
use crate::{Counts, Statistic};

/// Everything that a preset publishes, counted in the web that was made.
pub(crate) fn statistics(
    preset: &Preset,
    plan: &Plan,
    counts: &Counts,
    census: &Census,
    meta_target: u64,
) -> Vec<Statistic> {
    let mut list = Statistics(Vec::new());
    sizes(&mut list, preset, counts, census);
    languages(&mut list, preset, plan);
    let target_language = &preset.target;
    for (from, name, published) in [
        (0, target_language.as_str(), &preset.published.from_target),
        (1, "other", &preset.published.from_rest),
    ] {
        locality(&mut list, name, target_language, published, &census.cells[from]);
    }
    let in_links =
        |from: usize| (0..3).map(|scope| census.cells[from][cell(scope, true)]).sum::<u64>() as f64;
    let published = [&preset.published.from_target, &preset.published.from_rest]
        .map(|from| from.links_to_target);
    list.percent(
        "locality",
        format!("links to {target_language} pages that come from {target_language} pages"),
        Some(published[0] / (published[0] + published[1])),
        in_links(0) / (in_links(0) + in_links(1)),
    );
    let target: u32 = plan.hosts.iter().map(|host| host.counts[0]).sum();
    let published: f64 = preset.published.tld.iter().map(|row| row.target).sum();
    list.percent(
        "labels",
        format!("{target_language} pages that META charset alone finds"),
        Some(preset.published.target_meta_charset / published),
        meta_target as f64 / f64::from(target),
    );
    let sites = plan.hosts.iter().filter(|host| host.is_target_site && host.counts[0] > 0);
    let (gateways, all) = sites
        .fold((0, 0), |(gateways, all), host| (gateways + u32::from(host.is_gateway), all + 1));
    list.percent(
        "free",
        format!("{target_language} sites with a gateway home page"),
        None,
        f64::from(gateways) / f64::from(all),
    );
    list.0
}

fn sizes(list: &mut Statistics, preset: &Preset, counts: &Counts, census: &Census) {
    let published = &preset.published;
    let pages = counts.pages as f64;
    let degrees = published_degrees(preset);
    let crawled = super::crawled_links(preset);
    for (name, target, generated) in [
        ("pages a server", published.crawled / published.hosts, pages / counts.hosts as f64),
        (
            "missing pages a page",
            published.uncrawled / published.crawled,
            counts.missing as f64 / pages,
        ),
        ("links to crawled pages a page", crawled / published.crawled, counts.links as f64 / pages),
        (
            "links to missing pages a page",
            (published.links - crawled) / published.crawled,
            counts.missing_links as f64 / pages,
        ),
    ] {
        list.add("size", name.to_owned(), Some(target), generated, "");
    }
    for (from, name) in [(0, preset.target.as_str()), (1, "other")] {
        let generated = census.links(from) as f64 / census.pages[from] as f64;
        list.add(
            "size",
            format!("links to crawled pages a {name} HTML page"),
            Some(degrees[from]),
            generated,
            "",
        );
    }
}

fn languages(list: &mut Statistics, preset: &Preset, plan: &Plan) {
    let mut generated = vec![[0_u64; 4]; preset.published.tld.len()];
    for host in &plan.hosts {
        let tld = plan.domains[host.domain as usize].tld;
        let row = &mut generated[plan.tlds[usize::from(tld)].row];
        (0..4).for_each(|class| row[class] += u64::from(host.counts[class]));
    }
    let published: f64 = preset.published.tld.iter().map(|row| row.total()).sum();
    for (row, counts) in preset.published.tld.iter().zip(&generated) {
        let tld =
            if row.name == "*" { "other domains".to_owned() } else { format!(".{}", row.name) };
        for (class, language) in
            [preset.target.as_str(), preset.second.as_str(), "other", "unknown"]
                .into_iter()
                .enumerate()
        {
            let share = counts[class] as f64 / plan.pages as f64;
            list.percent(
                "language and domain",
                format!("{language} in {tld}"),
                Some(row.classes()[class] / published),
                share,
            );
        }
    }
}

fn locality(
    list: &mut Statistics,
    from: &str,
    target: &str,
    published: &Locality,
    cells: &[u64; 6],
) {
    let sum = |scopes: &[usize], to_target: bool| {
        scopes.iter().map(|&scope| cells[cell(scope, to_target)]).sum::<u64>() as f64
    };
    let all = [SERVER, DOMAIN, AWAY];
    let total = |scopes: &[usize]| sum(scopes, true) + sum(scopes, false);
    for (name, percent, scopes) in [
        ("all", published.all, &all[..]),
        ("within a domain", published.same_domain, &[SERVER, DOMAIN]),
        ("between domains", published.other_domain, &[AWAY]),
        ("within a server", published.same_server, &[SERVER]),
        ("between servers", published.other_server, &[DOMAIN, AWAY]),
    ] {
        let name = format!("links of {from} pages, {name}: to {target} pages");
        list.percent("locality", name, Some(percent / 100.0), sum(scopes, true) / total(scopes));
    }
    let stay =
        (published.all - published.other_domain) / (published.same_domain - published.other_domain);
    let name = format!("links of {from} pages that stay in the domain");
    list.percent("locality", name, Some(stay), total(&[SERVER, DOMAIN]) / total(&all));
}

struct Statistics(Vec<Statistic>);

impl Statistics {
    fn add(&mut self, group: &str, name: String, target: Option<f64>, generated: f64, unit: &str) {
        // Rounded, so that the manifest is readable.
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let statistic = Statistic {
            group: group.to_owned(),
            name,
            target: target.map(round),
            generated: round(generated),
            unit: unit.to_owned(),
        };
        self.0.push(statistic);
    }

    fn percent(&mut self, group: &str, name: String, target: Option<f64>, generated: f64) {
        self.add(group, name, target.map(|target| target * 100.0), generated * 100.0, "%");
    }
}
