//! What several tasks come to: every strategy on every task, means over tasks, and ranks.

use serde::{Deserialize, Serialize};

use crate::run::folder_name;
use crate::tasks::{FORMAT, VERSION};
use crate::{Grid, MeanScores, Point, StrategyResult};

/// What the strategies did on one task.
#[derive(Clone, Debug)]
pub struct TaskOutcome {
    /// The task's name.
    pub name: String,
    /// What was wanted.
    pub target: String,
    /// The most pages that might be fetched.
    pub budget: u64,
    /// Relevant pages in the web space.
    pub relevant: u64,
    /// Each strategy's result and curve.
    pub results: Vec<(StrategyResult, Vec<Point>)>,
}

/// What the strategies did on all tasks. Bounds, which are no crawls, are left out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskSummary {
    /// Always `langur tasks`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of Langur.
    pub langur: String,
    /// Fetches after which the strategies are compared.
    pub at: Vec<u64>,
    /// A row for each task.
    pub tasks: Vec<TaskRow>,
    /// A row for each strategy that was run on every task.
    pub means: Vec<MeanRow>,
    /// Tasks in which the strategies come in the order of their means, oracles apart.
    pub in_order: u64,
}

/// One task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskRow {
    /// Its name.
    pub name: String,
    /// Its run folder, beside the summary.
    pub folder: String,
    /// What was wanted.
    pub target: String,
    /// The most pages that might be fetched.
    pub budget: u64,
    /// Relevant pages in the web space.
    pub relevant: u64,
    /// A row for each strategy.
    pub results: Vec<TaskResult>,
}

/// One strategy on one task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskResult {
    /// The strategy as it was asked for.
    pub strategy: String,
    /// Whether it uses what it has not fetched.
    pub oracle: bool,
    /// Pages fetched.
    pub fetched: u64,
    /// Relevant fetched ÷ relevant in the web space.
    pub coverage: f64,
    /// Relevant pages after the fetches of [`TaskSummary::at`].
    pub relevant_at: Vec<u64>,
    /// Mean scores at the end, for topics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevancy: Option<MeanScores>,
    /// Its place by relevant pages at the end, from 1, oracles apart; equals share theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<f64>,
}

/// One strategy over all tasks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeanRow {
    /// The strategy as it was asked for.
    pub strategy: String,
    /// Whether it uses what it has not fetched.
    pub oracle: bool,
    /// Mean number of relevant pages after the fetches of [`TaskSummary::at`].
    pub relevant_at: Vec<f64>,
    /// Mean coverage at the end.
    pub coverage: f64,
    /// Mean of the mean scores at the end, for topics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevancy: Option<MeanScores>,
    /// Mean place, oracles apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<f64>,
    /// The means as a curve.
    pub curve: MeanCurve,
}

/// Means over tasks after so many fetches. A crawl that ended before stands as it ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MeanCurve {
    /// Pages fetched.
    pub fetched: Vec<u64>,
    /// Mean number of relevant pages.
    pub relevant: Vec<f64>,
    /// Mean score of all fetches, for topics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overall: Vec<f64>,
    /// Mean score of the last 500 fetches, for topics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recent: Vec<f64>,
}

impl TaskSummary {
    /// Sums up.
    pub fn new(langur: &str, outcomes: &[TaskOutcome]) -> TaskSummary {
        let budget = outcomes.iter().map(|outcome| outcome.budget).max().unwrap_or(0);
        // Of 10,000: after 1,000, 2,500, 5,000 and all, as the paper's curves are read off.
        let mut at: Vec<u64> = [10, 4, 2, 1].iter().map(|part| (budget / part).max(1)).collect();
        at.dedup();
        let tasks: Vec<TaskRow> =
            outcomes.iter().map(|outcome| TaskRow::new(outcome, &at)).collect();
        let mut means: Vec<MeanRow> = Vec::new();
        for (result, _) in outcomes.iter().take(1).flat_map(|outcome| &outcome.results) {
            means.extend(MeanRow::new(result, outcomes, &tasks, &at, budget));
        }
        let in_order = tasks.iter().filter(|task| is_in_order(task, &means)).count() as u64;
        let (format, version) = (FORMAT.to_owned(), VERSION);
        TaskSummary { format, version, langur: langur.to_owned(), at, tasks, means, in_order }
    }
}

impl TaskRow {
    fn new(outcome: &TaskOutcome, at: &[u64]) -> TaskRow {
        let result = |(result, points): &(StrategyResult, Vec<Point>)| TaskResult {
            strategy: result.strategy.clone(),
            oracle: result.oracle,
            fetched: result.fetched,
            coverage: result.coverage,
            relevant_at: at.iter().map(|&fetched| after(points, fetched).relevant).collect(),
            relevancy: result.relevancy,
            rank: None,
        };
        let mut row = TaskRow {
            name: outcome.name.clone(),
            folder: folder_name(&outcome.name),
            target: outcome.target.clone(),
            budget: outcome.budget,
            relevant: outcome.relevant,
            results: outcome.results.iter().filter(|(it, _)| !it.bound).map(result).collect(),
        };
        row.rank();
        row
    }

    fn rank(&mut self) {
        let honest = self.results.iter().filter(|result| !result.oracle);
        let found: Vec<u64> = honest.map(TaskResult::found).collect();
        for result in self.results.iter_mut().filter(|result| !result.oracle) {
            let better = found.iter().filter(|&&other| other > result.found()).count();
            let equal = found.iter().filter(|&&other| other == result.found()).count();
            result.rank = Some(better as f64 + (equal as f64 + 1.0) / 2.0);
        }
    }

    fn of(&self, strategy: &str) -> Option<&TaskResult> {
        self.results.iter().find(|result| result.strategy == strategy)
    }
}

impl TaskResult {
    /// Relevant pages at the end.
    pub fn found(&self) -> u64 {
        self.relevant_at.last().copied().unwrap_or(0)
    }
}

impl MeanRow {
    /// The means of a strategy, if it was run on every task.
    fn new(
        of: &StrategyResult,
        outcomes: &[TaskOutcome],
        tasks: &[TaskRow],
        at: &[u64],
        budget: u64,
    ) -> Option<MeanRow> {
        let name = of.strategy.as_str();
        let rows: Vec<&TaskResult> =
            tasks.iter().map(|task| task.of(name)).collect::<Option<_>>()?;
        let curves: Vec<&[Point]> = outcomes
            .iter()
            .filter_map(|outcome| {
                let found = outcome.results.iter().find(|(result, _)| result.strategy == name);
                found.map(|(_, points)| points.as_slice())
            })
            .collect();
        Some(MeanRow {
            strategy: name.to_owned(),
            oracle: of.oracle,
            relevant_at: (0..at.len())
                .map(|i| mean(rows.iter().map(|row| row.relevant_at[i] as f64)))
                .collect(),
            coverage: mean(rows.iter().map(|row| row.coverage)),
            relevancy: mean_scores(rows.iter().map(|row| row.relevancy)),
            rank: rows
                .iter()
                .map(|row| row.rank)
                .collect::<Option<Vec<f64>>>()
                .map(|ranks| mean(ranks.into_iter())),
            curve: MeanCurve::new(&curves, budget),
        })
    }
}

impl MeanCurve {
    fn new(curves: &[&[Point]], budget: u64) -> MeanCurve {
        let mut grid = Grid::new(budget);
        let mut means = MeanCurve::default();
        for fetched in (1..=budget).filter(|&fetched| grid.is_due(fetched) || fetched == budget) {
            let points = || curves.iter().map(|points| after(points, fetched));
            means.fetched.push(fetched);
            means.relevant.push(mean(points().map(|point| point.relevant as f64)));
            if let Some(scores) = mean_scores(points().map(|point| point.relevancy)) {
                means.overall.push(scores.overall);
                means.recent.push(scores.recent);
            }
        }
        means
    }
}

/// How a crawl stood after so many fetches: at the last point until then.
fn after(points: &[Point], fetched: u64) -> Point {
    let next = points.partition_point(|point| point.fetched <= fetched);
    next.checked_sub(1).map_or(Point::default(), |last| points[last])
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

/// The mean of mean scores, if there are scores at all.
fn mean_scores(scores: impl Iterator<Item = Option<MeanScores>>) -> Option<MeanScores> {
    let scores: Vec<MeanScores> = scores.collect::<Option<_>>()?;
    Some(MeanScores {
        overall: mean(scores.iter().map(|scores| scores.overall)),
        recent: mean(scores.iter().map(|scores| scores.recent)),
    })
}

/// Whether strategies with a better mean found more on this task too.
fn is_in_order(task: &TaskRow, means: &[MeanRow]) -> bool {
    let mut honest: Vec<&MeanRow> = means.iter().filter(|row| !row.oracle).collect();
    let last = |row: &MeanRow| row.relevant_at.last().copied().unwrap_or(0.0);
    honest.sort_by(|a, b| last(b).total_cmp(&last(a)));
    honest
        .iter()
        .filter_map(|row| task.of(&row.strategy))
        .is_sorted_by(|a, b| a.found() >= b.found())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(strategy: &str, oracle: bool) -> StrategyResult {
        StrategyResult { strategy: strategy.to_owned(), oracle, ..StrategyResult::default() }
    }

    /// A crawl that finds a relevant page at every so many fetches, all with the same score.
    fn crawl(
        strategy: &str,
        oracle: bool,
        every: u64,
        fetches: u64,
    ) -> (StrategyResult, Vec<Point>) {
        let point = |fetched: u64| Point {
            fetched,
            relevant: fetched / every,
            relevancy: Some(MeanScores { overall: 1.0 / every as f64, recent: 0.5 }),
            ..Point::default()
        };
        (result(strategy, oracle), (1..=fetches).map(point).collect())
    }

    fn task(name: &str, results: Vec<(StrategyResult, Vec<Point>)>) -> TaskOutcome {
        let target = format!("topic:{name}");
        TaskOutcome { name: name.to_owned(), target, budget: 100, relevant: 50, results }
    }

    #[test]
    fn means_and_ranks_are_over_tasks() {
        let outcomes = [
            task(
                "one",
                vec![
                    crawl("fish", false, 4, 100),
                    crawl("shark", false, 2, 40),
                    crawl("peek", true, 1, 100),
                ],
            ),
            task(
                "two",
                vec![
                    crawl("fish", false, 5, 100),
                    crawl("shark", false, 5, 100),
                    crawl("peek", true, 1, 100),
                ],
            ),
            task(
                "three",
                vec![
                    crawl("fish", false, 2, 100),
                    crawl("shark", false, 1, 100),
                    crawl("peek", true, 1, 100),
                ],
            ),
        ];
        let summary = TaskSummary::new("test", &outcomes);
        assert_eq!(summary.at, [10, 25, 50, 100]);
        let ranks: Vec<_> = summary.tasks.iter().map(|task| task.results[0].rank).collect();
        assert_eq!(ranks, [Some(1.0), Some(1.5), Some(2.0)]);
        assert_eq!(summary.tasks[0].results[1].relevant_at, [5, 12, 20, 20]);
        assert_eq!(summary.tasks[0].results[2].rank, None, "oracles stand apart");
        let shark = &summary.means[1];
        assert_eq!(shark.relevant_at[3], (20.0 + 20.0 + 100.0) / 3.0);
        assert_eq!(shark.rank, Some((2.0 + 1.5 + 1.0) / 3.0));
        assert_eq!(shark.curve.fetched.last(), Some(&100));
        assert_eq!(shark.curve.relevant.last(), shark.relevant_at.last());
        // By the means shark is ahead of fish; on the first task it was not, and on the second equal.
        assert_eq!(summary.in_order, 2);
    }

    #[test]
    fn a_strategy_that_some_task_lacks_has_no_mean() {
        let outcomes = [
            task("one", vec![crawl("fish", false, 4, 100), crawl("shark", false, 2, 100)]),
            task("two", vec![crawl("fish", false, 4, 100)]),
        ];
        let means = TaskSummary::new("test", &outcomes).means;
        assert_eq!(means.iter().map(|row| row.strategy.as_str()).collect::<Vec<_>>(), ["fish"]);
    }
}
