//! Results for people and as JSON.

use langur_observe::{RunManifest, StrategyResult};
use serde_json::json;

use super::plan::Timed;
use crate::table::{Align, count, duration, percent, table};

pub fn results_json(results: &[Timed], manifest: &RunManifest) -> serde_json::Value {
    let rows: Vec<_> = results
        .iter()
        .map(|(measured, seconds)| {
            let mut row = serde_json::to_value(&measured.result).expect("results are plain data");
            row["seconds"] = json!(seconds);
            row
        })
        .collect();
    json!({
        "space": manifest.space.path,
        "target": manifest.target,
        "labels": manifest.labels,
        "seeds": manifest.seeds,
        "switches": manifest.switches,
        "budget": manifest.budget,
        "pages": manifest.space.pages,
        "ok_html": manifest.space.ok_html,
        "relevant": manifest.space.relevant,
        "results": rows,
    })
}

pub fn results_table(results: &[Timed]) -> String {
    use Align::{Left, Right};
    let head = [
        ("strategy", Left),
        ("fetched", Right),
        ("OK HTML", Right),
        ("relevant", Right),
        ("harvest", Right),
        ("of HTML", Right),
        ("coverage", Right),
        ("max queue", Right),
        ("at 50%", Right),
        ("at 90%", Right),
        ("at 99%", Right),
        ("area", Right),
        ("of best", Right),
    ];
    let timed = results.iter().any(|(measured, _)| measured.result.time.is_some());
    let time = [
        ("simulated", Right),
        ("90% after", Right),
        ("idle", Right),
        ("idle to 90%", Right),
        ("top 10 hosts", Right),
    ];
    let scored = results.iter().any(|(measured, _)| measured.result.relevancy.is_some());
    let scores = [("relevancy", Right), ("last 500", Right)];
    let head: Vec<_> = head
        .into_iter()
        .chain(scores.into_iter().filter(|_| scored))
        .chain(time.into_iter().filter(|_| timed))
        .chain([("time", Right), ("pages/s", Right)])
        .collect();
    let row = |(measured, seconds): &Timed| {
        let result = &measured.result;
        let mut cells = vec![
            format!("{}{}", result.strategy, if result.oracle { " *" } else { "" }),
            count(result.fetched),
            count(result.ok_html),
            count(result.relevant),
            percent(result.harvest),
            percent(result.harvest_html),
            percent(result.coverage),
            count(result.max_queue),
        ];
        cells.extend(
            ["50", "90", "99"].map(|at| result.pages_at_coverage[at].map_or("–".to_owned(), count)),
        );
        cells.extend([
            if result.area.is_nan() { "–".to_owned() } else { format!("{:.3}", result.area) },
            result.area_share.map_or("–".to_owned(), percent),
        ]);
        if scored {
            cells.extend(score_cells(result));
        }
        if timed {
            cells.extend(time_cells(result));
        }
        cells.extend([format!("{seconds:.2} s"), count((result.fetched as f64 / seconds) as u64)]);
        cells
    };
    table(&head, &results.iter().map(row).collect::<Vec<_>>())
}

/// Mean scores of all fetches and of the last 500.
fn score_cells(result: &StrategyResult) -> [String; 2] {
    let Some(scores) = &result.relevancy else { return ["–"; 2].map(str::to_owned) };
    [scores.overall, scores.recent].map(|mean| format!("{mean:.3}"))
}

/// In simulated time: all of it, until 90% coverage, the connections' idle share in all and until then,
/// and the share of the ten hosts that were asked most.
fn time_cells(result: &StrategyResult) -> [String; 5] {
    let Some(time) = &result.time else { return ["–"; 5].map(str::to_owned) };
    let at_90 = time.seconds_at_coverage["90"].map_or("–".to_owned(), duration);
    let idle_at_90 = time.idle_at_coverage["90"].map_or("–".to_owned(), percent);
    let top = time.busiest_ten_hosts as f64 / time.requests.max(1) as f64;
    [duration(time.seconds), at_90, percent(time.idle), idle_at_90, percent(top)]
}
