//! Results for people and as JSON.

use langur_observe::RunManifest;
use serde_json::json;

use super::plan::Timed;
use crate::table::{Align, count, percent, table};

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
        ("time", Right),
        ("pages/s", Right),
    ];
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
            format!("{:.3}", result.area),
            format!("{seconds:.2} s"),
            count((result.fetched as f64 / seconds) as u64),
        ]);
        cells
    };
    table(&head, &results.iter().map(row).collect::<Vec<_>>())
}
