//! `langur simulate --tasks`: every strategy on every task, and what that comes to on average.

use std::path::Path;

use anyhow::Result;
use langur_lab::{Catalogue, Task, TaskSeeds, read_tasks};
use langur_observe::{NewTasks, TaskOutcome, TaskSummary};
use serde_json::json;

use super::{Plan, Simulate, seeds};
use crate::table::{Align, count, percent, table};

impl Simulate {
    pub(super) fn run_tasks(&self, catalogue: &Catalogue, file: &Path) -> Result<()> {
        let tasks = read_tasks(file)?;
        let mut plan = self.plan(catalogue, tasks[0].target.clone())?;
        // What is wrong with a task is said before the first of them is run.
        let starts = tasks.iter().map(|task| start(&plan, task)).collect::<Result<Vec<_>>>()?;
        let output = self.output.as_deref();
        let folder = output.map(|output| NewTasks::create(output, self.force)).transpose()?;
        let mut outcomes = Vec::new();
        for (task, seeds) in tasks.iter().zip(starts) {
            plan.target = task.target.clone();
            plan.seeds = seeds;
            plan.switches.max_pages = task.max_pages.or(self.switches.max_pages);
            let place = folder.as_ref().map(|folder| folder.task(&task.name));
            if !self.json {
                eprintln!("{}: {}", task.name, task.target);
            }
            let (results, facts) =
                plan.execute(place.as_deref(), false, self.threads, self.json)?;
            let results = results.into_iter().map(|(it, _)| (it.result, it.points)).collect();
            outcomes.push(TaskOutcome {
                name: task.name.clone(),
                target: facts.target,
                budget: facts.budget,
                relevant: facts.space.relevant,
                results,
            });
        }
        let summary = TaskSummary::new(env!("CARGO_PKG_VERSION"), &outcomes);
        if let Some(folder) = folder {
            folder.finish(&summary)?;
        }
        if self.json {
            let mut printed = serde_json::to_value(&summary)?;
            printed["space"] = json!(plan.space.path());
            println!("{printed}");
        } else {
            print!("{}\n{}", tasks_table(&summary), means_table(&summary));
            let tasks = summary.tasks.len();
            println!(
                "\nin the order of their means, oracles apart: {} of {tasks} tasks",
                summary.in_order
            );
        }
        Ok(())
    }
}

fn start(plan: &Plan, task: &Task) -> Result<Option<Vec<langur_crawl::PageId>>> {
    let space = &plan.space;
    match &task.seeds {
        None => Ok(None),
        Some(TaskSeeds::File(file)) => seeds::from_file(space, file).map(Some),
        Some(TaskSeeds::Urls(urls)) => seeds::from_list(space, &task.name, urls).map(Some),
    }
}

fn marked(strategy: &str, oracle: bool) -> String {
    format!("{strategy}{}", if oracle { " *" } else { "" })
}

/// Relevant pages at the end: a row for each task, a column for each strategy.
fn tasks_table(summary: &TaskSummary) -> String {
    let names: Vec<String> =
        summary.means.iter().map(|row| marked(&row.strategy, row.oracle)).collect();
    let fixed = [("task", Align::Left), ("budget", Align::Right), ("relevant", Align::Right)];
    let columns = names.iter().map(|name| (name.as_str(), Align::Right));
    let head: Vec<_> = fixed.into_iter().chain(columns).collect();
    let row = |task: &langur_observe::TaskRow| {
        let found = summary.means.iter().map(|mean| {
            let result = task.results.iter().find(|result| result.strategy == mean.strategy);
            result.map_or("–".to_owned(), |result| count(result.found()))
        });
        let fixed = [task.name.clone(), count(task.budget), count(task.relevant)];
        fixed.into_iter().chain(found).collect()
    };
    table(&head, &summary.tasks.iter().map(row).collect::<Vec<_>>())
}

/// Means over tasks: a row for each strategy.
fn means_table(summary: &TaskSummary) -> String {
    let at: Vec<String> = summary.at.iter().map(|&at| format!("at {}", count(at))).collect();
    let columns = at.iter().map(|name| (name.as_str(), Align::Right));
    let scored = summary.means.iter().any(|row| row.relevancy.is_some());
    let scores = [("relevancy", Align::Right), ("last 500", Align::Right)];
    let head: Vec<_> = [("mean of the tasks", Align::Left)]
        .into_iter()
        .chain(columns)
        .chain([("coverage", Align::Right)])
        .chain(scores.into_iter().filter(|_| scored))
        .chain([("rank", Align::Right)])
        .collect();
    let row = |mean: &langur_observe::MeanRow| {
        let mut cells = vec![marked(&mean.strategy, mean.oracle)];
        cells.extend(mean.relevant_at.iter().map(|found| format!("{found:.1}")));
        cells.push(percent(mean.coverage));
        if scored {
            let digits = |score: f64| format!("{score:.3}");
            let scores = mean.relevancy.map(|scores| [scores.overall, scores.recent].map(digits));
            cells.extend(scores.unwrap_or(["–", "–"].map(str::to_owned)));
        }
        cells.push(mean.rank.map_or("–".to_owned(), |rank| format!("{rank:.1}")));
        cells
    };
    table(&head, &summary.means.iter().map(row).collect::<Vec<_>>())
}
