//! `langur experiment`

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use langur_experiment::{Plan, Summary, Verdict, cells, crawl, page, summarise, tornado_svg};
use langur_folder::write_file;
use langur_lab::Catalogue;
use langur_report::Content;

use crate::progress::Bars;
use crate::report;
use crate::table::{Align, count, percent, table};

/// Run an experiment file: web spaces × targets × strategies × switches × random seeds
///
/// Every crawl is kept in the folder as soon as it is done, under the hash of everything that goes
/// into it. An experiment that was interrupted goes on where it was, and one that was changed crawls
/// only what is new. The folder then holds summary.json, report.html, and page.md with its pictures.
#[derive(Args)]
pub struct Experiment {
    /// The experiment file; see experiments/ for examples
    file: PathBuf,
    /// The folder to write; the file's name without .toml, if none is given
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Write the page here too, with its pictures in a folder beside it
    #[arg(long, value_name = "FILE.md")]
    page: Option<PathBuf>,
    /// How many crawls run at the same time
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl Experiment {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        let began = Instant::now();
        let plan = Plan::read(&self.file)?;
        let discussion = match &plan.discussion {
            Some(file) => {
                let file = plan.folder.join(file);
                fs::read_to_string(&file)
                    .with_context(|| format!("cannot read {}", file.display()))?
            }
            None => String::new(),
        };
        let output = match &self.output {
            Some(output) => output.clone(),
            None => PathBuf::from(self.file.file_stem().unwrap_or(self.file.as_os_str())),
        };
        fs::create_dir_all(&output).with_context(|| format!("cannot make {}", output.display()))?;
        let cells = cells(&plan, catalogue)?;
        let bars = Bars::new();
        let bar = bars.bar(&plan.name, cells.len() as u64);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.max(1)).build()?;
        let crawled = pool.install(|| crawl(&cells, catalogue, &output, |done| bar.set(done)))?;
        drop(bar);
        let summary = summarise(&plan, catalogue, &crawled)?;
        write_all(&summary, &discussion, &output, self.page.as_deref())?;
        if self.json {
            println!("{}", serde_json::to_string(&summary)?);
            return Ok(());
        }
        print(&summary);
        println!(
            "\n{} crawls, {:.0} s: {}   see {}",
            count(crawled.len() as u64),
            began.elapsed().as_secs_f64(),
            output.display(),
            output.join("report.html").display()
        );
        Ok(())
    }
}

fn write_all(
    summary: &Summary,
    discussion: &str,
    output: &Path,
    page_file: Option<&Path>,
) -> Result<()> {
    let json = serde_json::to_value(summary)?;
    write(&output.join("summary.json"), &serde_json::to_string(&json)?)?;
    let content = Content { experiment: Some(json), ..Content::default() };
    report::write(&content, &output.join("report.html"))?;
    write_page(summary, discussion, &output.join("page.md"))?;
    page_file.map_or(Ok(()), |file| write_page(summary, discussion, file))
}

/// Writes a page, and its pictures into a folder of its name.
fn write_page(summary: &Summary, discussion: &str, file: &Path) -> Result<()> {
    let stem = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let picture = |number: usize| format!("{stem}/sensitivity-{}.svg", number + 1);
    for (number, tornado) in summary.tornado.iter().enumerate() {
        let place = file.with_file_name(picture(number));
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        write(&place, &tornado_svg(tornado))?;
    }
    write(file, &page(summary, discussion, picture))
}

fn write(file: &Path, text: &str) -> Result<()> {
    write_file(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn print(summary: &Summary) {
    for group in &summary.groups {
        println!("{}: {} pages, {} webs\n", group.label, count(group.pages), group.cells);
        let head = [
            ("strategy", Align::Left),
            ("coverage", Align::Right),
            ("harvest", Align::Right),
            ("of HTML", Align::Right),
            ("area", Align::Right),
            ("of best", Align::Right),
        ];
        let rows: Vec<Vec<String>> = group
            .results
            .iter()
            .map(|row| {
                let cell = |name: &str| {
                    row.metrics.get(name).map_or("–".to_owned(), |estimate| match estimate.n {
                        1 => percent(estimate.mean),
                        _ => format!("{} ±{:.1}", percent(estimate.mean), estimate.half * 100.0),
                    })
                };
                let name = format!("{}{}", row.strategy, if row.oracle { " *" } else { "" });
                let metrics = ["coverage", "harvest", "harvest_html", "area", "area_share"];
                [name].into_iter().chain(metrics.map(cell)).collect()
            })
            .collect();
        println!("{}", table(&head, &rows));
    }
    for outcome in &summary.outcomes {
        let verdict = match outcome.verdict {
            Verdict::Hit => "hit",
            Verdict::Miss => "miss",
            Verdict::Mixed => "in part",
            Verdict::NotRun => "not run",
        };
        println!(
            "{:<4} {verdict:<8} {} (published: {})",
            outcome.id, outcome.says, outcome.published
        );
    }
}
