//! An experiment as a page of Markdown.

use crate::Estimate;
use crate::group::{Comparison, Group};
use crate::outcome::{Bar, Measured, Outcome, Tornado, Verdict};
use crate::plan::Unit;
use crate::summary::Summary;

/// Adds a line to a page.
macro_rules! line {
    ($page:expr, $($text:tt)*) => {{
        $page.push_str(&format!($($text)*));
        $page.push('\n');
    }};
}

/// The page. `picture` gives the address of a tornado plot, by its number.
pub fn page(summary: &Summary, discussion: &str, picture: impl Fn(usize) -> String) -> String {
    let mut page = format!("# {}\n\n{}\n\n", summary.name, summary.about.trim());
    let presets: Vec<String> =
        summary.presets.iter().map(|(name, hash)| format!("preset {name} {hash}")).collect();
    let from = [format!("experiment file {}", summary.plan)].into_iter().chain(presets);
    line!(
        page,
        "Made by langur {} from: {}.\n",
        env!("CARGO_PKG_VERSION"),
        from.collect::<Vec<_>>().join(", ")
    );
    if !summary.outcomes.is_empty() {
        add_outcomes(&mut page, &summary.outcomes);
    }
    if !discussion.is_empty() {
        line!(page, "{}\n", discussion.trim());
    }
    for group in &summary.groups {
        add_group(&mut page, group);
    }
    add_sweeps(&mut page, summary);
    if !summary.tornado.is_empty() {
        add_tornados(&mut page, &summary.tornado, picture);
    }
    page
}

fn add_outcomes(page: &mut String, outcomes: &[Outcome]) {
    let count = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
    line!(
        page,
        "## Outcomes\n\n{} of {} came out as published, {} in part, {} did not, {} {} not run.\n",
        count(Verdict::Hit),
        outcomes.len(),
        count(Verdict::Mixed),
        count(Verdict::Miss),
        count(Verdict::NotRun),
        if count(Verdict::NotRun) == 1 { "was" } else { "were" },
    );
    let has_full_scale = outcomes.iter().flat_map(|o| &o.measures).any(|m| m.full_scale.is_some());
    let full_scale = if has_full_scale { "full scale" } else { "" };
    line!(
        page,
        "| | outcome | published | measured here | ours (95% interval) | {full_scale} | expected | |\n|---|---|---|---|---|---|---|---|"
    );
    for outcome in outcomes {
        let head = format!(
            "| **{}** | {} ({}) | {} ",
            outcome.id, outcome.says, outcome.source, outcome.published
        );
        if outcome.measures.is_empty() {
            line!(page, "{head}| | | | | **not run** |");
        }
        for (i, measure) in outcome.measures.iter().enumerate() {
            let head = if i == 0 { head.as_str() } else { "| | | " };
            line!(
                page,
                "{head}| {} | {} | {} | {} | {} |",
                measure.what,
                interval(&measure.estimate, measure.unit),
                measure.full_scale.map_or(String::new(), |value| number(value, measure.unit)),
                expected(measure),
                verdict(measure)
            );
        }
    }
    page.push_str("\nA hit: the mean over all random seeds lies in the expected range, which was written into the experiment file before the first run. Rows marked *beside* decide nothing.\n\n");
    for outcome in outcomes.iter().filter(|outcome| !outcome.note.is_empty()) {
        line!(page, "- **{}** {}", outcome.id, outcome.note.trim());
    }
    page.push('\n');
}

fn verdict(measure: &Measured) -> &'static str {
    match (measure.decides, measure.verdict) {
        (false, _) => "*beside*",
        (true, Verdict::Hit) => "**hit**",
        (true, _) => "**miss**",
    }
}

fn expected(measure: &Measured) -> String {
    match measure.expected.map(|bound| bound.map(|bound| number(bound, measure.unit))) {
        [Some(low), Some(high)] => format!("{low} to {high}"),
        [Some(low), None] => format!("at least {low}"),
        [None, Some(high)] => format!("at most {high}"),
        [None, None] => "anything".to_owned(),
    }
}

fn interval(estimate: &Estimate, unit: Unit) -> String {
    let mean = number(estimate.mean, unit);
    match estimate.n {
        1 => format!("{mean} (one run)"),
        n => format!(
            "{mean} ({} to {}, n={n})",
            number(estimate.low, unit),
            number(estimate.high, unit)
        ),
    }
}

/// A number in its unit.
pub(crate) fn number(value: f64, unit: Unit) -> String {
    match unit {
        _ if !value.is_finite() => "never".to_owned(),
        Unit::Share => format!("{:.1}%", value * 100.0),
        Unit::Points if value.abs() < 0.0005 => "0.0 points".to_owned(),
        Unit::Points => format!("{:+.1} points", value * 100.0),
        Unit::Ratio => format!("{value:.2}"),
    }
}

/// A column of the table of means: its title, its metric, and how that is written.
type Column<'a> = (&'a str, &'a str, &'a dyn Fn(f64) -> String);

fn add_group(page: &mut String, group: &Group) {
    let seeds = match group.cells {
        1 => "one web".to_owned(),
        n => format!("{n} random seeds"),
    };
    line!(
        page,
        "## {}\n\n{} pages, about {:.0} of them relevant; {seeds}.\n",
        group.label,
        group.pages,
        group.relevant
    );
    let timed = group.results.iter().any(|row| row.metrics.contains_key("hours"));
    let share = |v: f64| format!("{:.1}%", v * 100.0);
    let of_pages = |v: f64| format!("{:.1}%", v / group.pages.max(1) as f64 * 100.0);
    let area = |v: f64| format!("{v:.3}");
    let hours = |v: f64| format!("{v:.2} h");
    let mut columns: Vec<Column> = vec![
        ("coverage", "coverage", &share),
        ("harvest", "harvest", &share),
        ("of OK HTML", "harvest_html", &share),
        ("fetched", "fetched", &of_pages),
        ("largest queue", "max_queue", &of_pages),
        ("area", "area", &area),
        ("of best oracle", "area_share", &share),
    ];
    if timed {
        columns.push(("simulated time", "hours", &hours));
        columns.push(("until 90%", "hours_at_90", &hours));
        columns.push(("idle until 90%", "idle_at_90", &share));
        columns.push(("idle connections", "idle", &share));
    }
    let titles: Vec<&str> = columns.iter().map(|(title, ..)| *title).collect();
    line!(page, "| strategy | {} |\n|---|{}", titles.join(" | "), "--:|".repeat(columns.len()));
    for row in &group.results {
        let cells = columns.iter().map(|(_, name, write)| {
            row.metrics.get(name).map_or("–".to_owned(), |e| match e.n {
                1 => write(e.mean),
                _ => format!("{} ± {}", write(e.mean), write(e.half)),
            })
        });
        let name = format!("{}{}", row.strategy, if row.oracle { " (oracle)" } else { "" });
        line!(page, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    page.push_str("\nFetched and queue in percent of all pages.\n\n");
    // One web alone says nothing about how sure a difference is.
    if group.cells > 1 && !group.comparisons.is_empty() {
        add_comparisons(page, &group.comparisons);
    }
}

/// A row for each pair, a column for each budget.
fn add_comparisons(page: &mut String, comparisons: &[Comparison]) {
    let mut budgets: Vec<f64> = comparisons.iter().map(|comparison| comparison.budget).collect();
    budgets.sort_by(f64::total_cmp);
    budgets.dedup();
    let head: Vec<String> = budgets.iter().map(|budget| format!("{budget:.0} fetches")).collect();
    line!(
        page,
        "Coverage at equal budgets, web by web: the mean difference with its interval, and on how many webs more was found.\n\n| strategy | against | {} |\n|---|---|{}",
        head.join(" | "),
        "--:|".repeat(budgets.len())
    );
    for of_pair in
        comparisons.chunk_by(|a, b| (&a.strategy, &a.against) == (&b.strategy, &b.against))
    {
        let cells = of_pair.iter().map(|comparison| {
            let difference = &comparison.difference;
            let half = difference.half * 100.0;
            let mean = number(difference.mean, Unit::Points);
            format!("{mean} ± {half:.1}, {} of {}", comparison.wins, comparison.n)
        });
        let cells: Vec<String> = cells.collect();
        let first = &of_pair[0];
        line!(page, "| {} | {} | {} |", first.strategy, first.against, cells.join(" | "));
    }
    page.push('\n');
}

fn add_sweeps(page: &mut String, summary: &Summary) {
    for sweep in &summary.sweeps {
        let values: Vec<String> = sweep.values.iter().map(|value| format!("{value}")).collect();
        line!(
            page,
            "## {}: {}\n\nCoverage at the end of the crawl, then area.\n\n| strategy | {} |\n|---|{}",
            sweep.group,
            sweep.factor,
            values.join(" | "),
            "--:|".repeat(values.len())
        );
        for line in &sweep.strategies {
            let cells = line.cells();
            line!(
                page,
                "| {}{} | {} |",
                line.strategy,
                if line.oracle { " (oracle)" } else { "" },
                cells.join(" | ")
            );
        }
        page.push('\n');
    }
}

fn add_tornados(page: &mut String, tornados: &[Tornado], picture: impl Fn(usize) -> String) {
    page.push_str("## Sensitivity\n\nEach number with every switch and free parameter set otherwise, one at a time. The line is the default, the green band what was expected.\n\n");
    for (i, tornado) in tornados.iter().enumerate() {
        line!(page, "![{}: {}]({})\n", tornado.outcome, tornado.what, picture(i));
        let is_seen = |bar: &&Bar| number(bar.low, tornado.unit) != number(bar.high, tornado.unit);
        let seen: Vec<&Bar> = tornado.bars.iter().filter(is_seen).collect();
        if seen.is_empty() {
            page.push_str("Nothing that was varied makes a difference that can be seen.\n\n");
            continue;
        }
        page.push_str("| factor | lowest | highest |\n|---|--:|--:|\n");
        for bar in seen {
            line!(
                page,
                "| {} | {} ({}) | {} ({}) |",
                bar.factor,
                number(bar.low, tornado.unit),
                bar.low_setting,
                number(bar.high, tornado.unit),
                bar.high_setting
            );
        }
        page.push('\n');
    }
}
