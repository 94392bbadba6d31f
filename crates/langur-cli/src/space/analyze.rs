//! `langur space analyze`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use langur_graph::{Analysis, Degrees, Ratios, analyze, analyze_relevant};
use langur_lab::{LabError, Target, relevant_pages};
use langur_sim::{Parts, Space};

use super::open_space;
use crate::report;
use crate::table::{Align, count, percent, table};

/// Say what a web space looks like: languages, locality, distances, degrees, hosts, components
#[derive(Args)]
pub struct Analyze {
    /// The web space
    space: PathBuf,
    /// What is wanted: lang:th, several languages as in lang:lo,km, or a topic as in topic:bikes
    #[arg(long)]
    target: Target,
    /// The labelling rule that tells the languages of pages, if not the web space's first
    #[arg(long)]
    labels: Option<String>,
    /// Write the tables and figures to this HTML file
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

impl Analyze {
    pub fn run(self) -> Result<()> {
        let space = open_space(&self.space)?;
        space.verify(Parts::Crawled)?;
        let analysis = of(&space, &self.target, self.labels.as_deref())?;
        if self.json {
            println!("{}", serde_json::to_string(&analysis)?);
        } else {
            print(&analysis);
        }
        if let Some(output) = &self.output {
            let analysis = serde_json::to_value(&analysis)?;
            report::write(
                &langur_report::Content { analyses: vec![analysis], ..Default::default() },
                output,
            )?;
            if !self.json {
                println!("\nthe same with figures: {}", output.display());
            }
        }
        Ok(())
    }
}

/// Analyses a web space by the labelling rule of that name, or else by its first.
pub fn of(space: &Space, target: &Target, labels: Option<&str>) -> Result<Analysis, LabError> {
    let label = langur_lab::label_number(space, labels)?;
    match target {
        Target::Languages(languages) => Ok(analyze(space, languages, label)),
        Target::Topic { .. } => {
            let relevant = relevant_pages(space, target, label)?;
            Ok(analyze_relevant(space, target.to_string(), relevant, label))
        }
    }
}

fn print(analysis: &Analysis) {
    println!(
        "{}: {} pages, {} of them OK HTML and {} relevant to {} by {}; {} links\n",
        analysis.space,
        count(analysis.pages),
        count(analysis.ok_html),
        count(analysis.relevant),
        analysis.target,
        analysis.labels,
        count(analysis.links),
    );
    println!(
        "Pages by language and top-level domain (Somboonviwat et al. 2006, Table 2)\n{}",
        languages(analysis)
    );
    println!("Links to relevant pages (Table 3)\n{}", locality(analysis));
    println!(
        "Nearest relevant page that leads to a relevant page (Fig. 1)\n{}",
        distances(analysis)
    );
    println!("Degrees\n{}", degrees(analysis));
    println!("Hosts by size\n{}", hosts_by_size(analysis));
    println!("Hosts by share of relevant pages\n{}", hosts_by_share(analysis));
    print!(
        "Components: {} strongly connected ones; seen from the largest\n{}",
        count(analysis.components.count),
        bow_tie(analysis)
    );
}

fn languages(analysis: &Analysis) -> String {
    let found = &analysis.language_by_tld;
    let tlds = found.tlds.iter().map(|tld| (tld.as_str(), Align::Right));
    let head: Vec<_> = [("language", Align::Left)]
        .into_iter()
        .chain(tlds)
        .chain([("total", Align::Right), ("share", Align::Right)])
        .collect();
    let line = |name: &str, counts: &[u64], total: u64| {
        let counts = counts.iter().copied().map(count);
        let end = [count(total), percent(total as f64 / found.total.max(1) as f64)];
        [name.to_owned()].into_iter().chain(counts).chain(end).collect::<Vec<_>>()
    };
    let mut rows: Vec<_> =
        found.rows.iter().map(|row| line(&row.language, &row.counts, row.total)).collect();
    rows.push(line("total", &found.totals, found.total));
    table(&head, &rows)
}

fn locality(analysis: &Analysis) -> String {
    let head = [
        "links from",
        "all",
        "same domain",
        "other domain",
        "same host",
        "other host",
        "to relevant pages",
    ];
    let head: Vec<_> = head
        .iter()
        .enumerate()
        .map(|(i, &name)| (name, if i == 0 { Align::Left } else { Align::Right }))
        .collect();
    let line = |name: &str, from: &Ratios| {
        let shares =
            [from.all, from.same_domain, from.other_domain, from.same_host, from.other_host];
        let shares = shares.into_iter().map(|ratio| percent(ratio.share));
        [name.to_owned()]
            .into_iter()
            .chain(shares)
            .chain([count(from.all.to_relevant)])
            .collect::<Vec<_>>()
    };
    let found = &analysis.locality;
    table(
        &head,
        &[line("relevant pages", &found.from_relevant), line("all others", &found.from_irrelevant)],
    )
}

fn distances(analysis: &Analysis) -> String {
    let share = |pages: u64| percent(pages as f64 / analysis.relevant.max(1) as f64);
    let found = &analysis.distances;
    let lines = (1..)
        .zip(&found.pages)
        .map(|(links, &pages)| vec![format!("{links}"), count(pages), share(pages)]);
    let never = vec!["never".to_owned(), count(found.never), share(found.never)];
    let rows: Vec<_> = lines.chain([never]).collect();
    table(&[("links away", Align::Left), ("pages", Align::Right), ("share", Align::Right)], &rows)
}

fn degrees(analysis: &Analysis) -> String {
    let line = |name: &str, found: &Degrees| {
        vec![
            name.to_owned(),
            format!("{:.2}", found.mean),
            count(found.median),
            count(found.max),
            count(found.zero),
        ]
    };
    let head = [
        ("links", Align::Left),
        ("mean", Align::Right),
        ("median", Align::Right),
        ("most", Align::Right),
        ("pages with none", Align::Right),
    ];
    table(
        &head,
        &[line("of a page", &analysis.degrees.out), line("to a page", &analysis.degrees.into)],
    )
}

fn hosts_by_size(analysis: &Analysis) -> String {
    let range = |from: u64, to: u64| {
        if from == to { count(from) } else { format!("{}–{}", count(from), count(to)) }
    };
    let bins = analysis.hosts.by_size.iter().filter(|bin| bin.hosts > 0);
    let rows: Vec<_> =
        bins.map(|bin| vec![range(bin.from, bin.to), count(bin.hosts), count(bin.pages)]).collect();
    table(
        &[("pages a host", Align::Right), ("hosts", Align::Right), ("pages", Align::Right)],
        &rows,
    )
}

fn hosts_by_share(analysis: &Analysis) -> String {
    let range = |from: f64, to: f64| match to {
        0.0 => "none".to_owned(),
        _ => format!("{:.0}–{:.0}%", from * 100.0, to * 100.0),
    };
    let bins = analysis.hosts.by_share.iter();
    let rows: Vec<_> = bins
        .map(|bin| {
            vec![range(bin.from, bin.to), count(bin.hosts), count(bin.pages), count(bin.relevant)]
        })
        .collect();
    let head = [
        ("relevant share", Align::Right),
        ("hosts", Align::Right),
        ("pages", Align::Right),
        ("relevant", Align::Right),
    ];
    table(&head, &rows)
}

fn bow_tie(analysis: &Analysis) -> String {
    let tie = &analysis.components.bow_tie;
    let parts = [
        ("in it", tie.lscc),
        ("leading to it (IN)", tie.into),
        ("led to from it (OUT)", tie.out),
        ("tubes", tie.tubes),
        ("tendrils", tie.tendrils),
        ("disconnected", tie.disconnected),
    ];
    let rows: Vec<_> = parts
        .iter()
        .map(|&(name, pages)| {
            vec![
                name.to_owned(),
                count(pages),
                percent(pages as f64 / analysis.pages.max(1) as f64),
            ]
        })
        .collect();
    table(&[("part", Align::Left), ("pages", Align::Right), ("share", Align::Right)], &rows)
}
