//! Reports from run folders: one self-contained HTML file that works offline.

use std::collections::BTreeMap;

use langur_crawl::Load;
use langur_observe::{Point, Run, RunError, Tasks};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../assets/report.html");
const STYLE: &str = include_str!("../assets/report.css");
/// One script in several files, which follow each other.
const SCRIPT: [&str; 13] = [
    include_str!("../assets/report.js"),
    include_str!("../assets/legend.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/figures.js"),
    include_str!("../assets/tables.js"),
    include_str!("../assets/time.js"),
    include_str!("../assets/topics.js"),
    include_str!("../assets/tasks.js"),
    include_str!("../assets/bars.js"),
    include_str!("../assets/bowtie.js"),
    include_str!("../assets/analysis.js"),
    include_str!("../assets/experiment.js"),
    include_str!("../assets/elements.js"),
];

/// Points of all curves together, above which curves are thinned so that a report still opens at once.
const POINTS: usize = 200_000;

/// What a report shows; any part may be empty.
#[derive(Default)]
pub struct Content {
    /// Runs, each with its curves.
    pub runs: Vec<Run>,
    /// Tasks, whose runs are among those above.
    pub tasks: Vec<Tasks>,
    /// Analyses of web spaces, as `langur space analyze --json` prints them.
    pub analyses: Vec<Value>,
    /// The summary of an experiment.
    pub experiment: Option<Value>,
}

/// Makes a report.
pub fn render(content: &Content) -> Result<String, RunError> {
    let strategies: usize = content.runs.iter().map(|run| run.results.len()).sum();
    let most = (POINTS / strategies.max(1)).max(200);
    let mut names = BTreeMap::new();
    let mut runs = Vec::new();
    for run in &content.runs {
        let label = unique(&mut names, format!("{} · {}", name(&run.path), run.manifest.target));
        runs.push(run_data(run, label, most)?);
    }
    let data = json!({
        "title": "Langur report",
        "version": env!("CARGO_PKG_VERSION"),
        "runs": runs,
        "tasks": content.tasks.iter().map(|tasks| task_data(tasks, &content.runs)).collect::<Vec<_>>(),
        "analyses": content.analyses,
        "experiment": content.experiment,
    });
    // Inside a script element nothing but `<` can end it.
    let data = data.to_string().replace('<', "\\u003c");
    Ok(PAGE
        .replace("/*STYLE*/", STYLE)
        .replace("/*SCRIPT*/", &SCRIPT.join("\n"))
        .replace("/*DATA*/", &data))
}

fn unique(names: &mut BTreeMap<String, u32>, name: String) -> String {
    let count = names.entry(name.clone()).or_insert(0);
    *count += 1;
    if *count == 1 { name } else { format!("{name} ({count})") }
}

fn name(path: &std::path::Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn run_data(run: &Run, label: String, most: usize) -> Result<Value, RunError> {
    let space = &run.manifest.space;
    let mut results = Vec::new();
    for result in &run.results {
        let mut row = serde_json::to_value(result).expect("results are plain data");
        row["curve"] = curve_data(&thin(run.curve(&result.strategy)?, most));
        results.push(row);
    }
    let switches: serde_json::Map<String, Value> = run
        .manifest
        .switches
        .iter()
        .map(|(name, value)| (name.clone(), json!(plain(value))))
        .collect();
    Ok(json!({
        "label": label,
        "space": {
            "name": name(&space.path),
            "pages": space.pages,
            "links": space.links,
            "hosts": space.hosts,
            "ok_html": space.ok_html,
            "relevant": space.relevant,
            "provenance": provenance(&space.provenance),
        },
        "target": run.manifest.target,
        "labels": run.manifest.labels,
        "connections": run.manifest.connections,
        "switches": switches,
        "seeds": run.manifest.seeds.len(),
        "statistics": if space.statistics.is_array() { space.statistics.clone() } else { json!([]) },
        "manifest": run.manifest,
        "results": results,
    }))
}

/// A summary of tasks, in which every task knows its run's place in the report.
fn task_data(tasks: &Tasks, runs: &[Run]) -> Value {
    let mut data = serde_json::to_value(&tasks.summary).expect("summaries are plain data");
    data["label"] = json!(name(&tasks.path));
    for (i, task) in tasks.summary.tasks.iter().enumerate() {
        let place = tasks.path.join(&task.folder);
        data["tasks"][i]["run"] = json!(runs.iter().position(|run| run.path == place));
    }
    data
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn provenance(value: &Value) -> String {
    match (value.get("preset"), value.get("seed")) {
        (Some(preset), Some(seed)) => format!("synthetic {}, seed {seed}", plain(preset)),
        _ => value.get("made_by").map(plain).unwrap_or_default(),
    }
}

fn curve_data(points: &[Point]) -> Value {
    let column = |value: fn(&Point) -> u64| points.iter().map(value).collect::<Vec<u64>>();
    let mut data = json!({
        "fetched": column(|point| point.fetched),
        "ok_html": column(|point| point.ok_html),
        "relevant": column(|point| point.relevant),
        "queue": column(|point| point.queue),
        "queue_max": column(|point| point.queue_max),
        "recent": column(|point| point.recent),
    });
    if points.iter().all(|point| point.load.is_some()) {
        let column = |value: fn(Load) -> u64| {
            points.iter().map(|point| value(point.load.unwrap_or_default())).collect::<Vec<u64>>()
        };
        data["time_ms"] = json!(column(|load| load.time_ms));
        data["bytes"] = json!(column(|load| load.bytes));
        data["busy_ms"] = json!(column(|load| load.busy_ms));
        data["parked"] = json!(column(|load| load.parked));
        data["hosts_waiting"] = json!(column(|load| load.hosts_waiting));
    }
    if let Some(scores) = points.iter().map(|point| point.relevancy).collect::<Option<Vec<_>>>() {
        data["overall_relevancy"] = json!(scores.iter().map(|it| it.overall).collect::<Vec<f64>>());
        data["recent_relevancy"] = json!(scores.iter().map(|it| it.recent).collect::<Vec<f64>>());
    }
    data
}

/// Keeps about `most` points, in stretches of equal length. Of each stretch its last point stays, and
/// the two sides of its greatest jump in relevant pages, so that a jump stays where it was. The
/// largest queue of what is left out moves to the next point that is kept, so that no peak is lost.
fn thin(points: Vec<Point>, most: usize) -> Vec<Point> {
    // Up to three points of each stretch are kept.
    let stretch = if points.len() <= most { 1 } else { (points.len() * 3).div_ceil(most) };
    let (mut thinned, mut peak) = (Vec::new(), 0);
    for start in (0..points.len()).step_by(stretch) {
        let end = (start + stretch).min(points.len());
        let jump = |&i: &usize| points[i].relevant - points[i - 1].relevant;
        let before_jump = (start.max(1)..end).max_by_key(jump).map(|i| i - 1);
        for (i, point) in (start..end).zip(&points[start..end]) {
            peak = peak.max(point.queue_max);
            let is_side = before_jump.is_some_and(|before| i == before || i == before + 1);
            if is_side || i == 0 || i + 1 == end {
                thinned.push(Point { queue_max: std::mem::take(&mut peak), ..*point });
            }
        }
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_ends_peaks_and_jumps() {
        let point = |i: u64| Point {
            fetched: i,
            relevant: if i < 43 { i } else { i + 500 },
            queue_max: if i == 77 { 1000 } else { 1 },
            ..Point::default()
        };
        let thinned = thin((1..=100).map(point).collect(), 12);
        assert_eq!((thinned[0].fetched, thinned.last().expect("points").fetched), (1, 100));
        assert!(thinned.len() <= 14, "{}", thinned.len());
        let jump = thinned.windows(2).max_by_key(|pair| pair[1].relevant - pair[0].relevant);
        let jump = jump.expect("points");
        assert_eq!((jump[0].fetched, jump[1].fetched), (42, 43), "a jump stays where it was");
        assert_eq!(thinned.iter().map(|point| point.queue_max).max(), Some(1000));
    }
}
