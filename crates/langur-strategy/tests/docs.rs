//! `docs/strategies.md` is written from the table of strategies.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use langur_strategy::{ALL, Entry};

fn page() -> String {
    let mut page = "# Strategies\n\n\
        Made from the table in `crates/langur-strategy/src/lib.rs`; to write it anew: `LANGUR_UPDATE=1 cargo test -p langur-strategy --test docs`.\n\n\
        On the command line a strategy is `name` or `name(key=value, …)`. A switch may stand alone (`prioritized`), and so may a\n\
        value that can only belong to one parameter (`aggressive`). `--all` runs each in the settings listed under it,\n\
        and `upper-bound` beside them: no crawl but a proof of what none can exceed ([decision 0005](decisions/0005-ceilings.md)).\n"
        .to_owned();
    for entry in ALL {
        add(&mut page, entry);
    }
    page
}

fn add(page: &mut String, entry: &Entry) {
    let oracle = if entry.oracle { " (oracle)" } else { "" };
    let variants: Vec<String> =
        entry.written_variants().map(|variant| format!("`{variant}`")).collect();
    write!(page, "\n## {}{oracle}\n\n{}.\n\n", entry.name, sentence(entry.about)).expect("text");
    if !entry.parameters.is_empty() {
        page.push_str("| parameter | values | default | meaning |\n|---|---|---|---|\n");
        for parameter in entry.parameters {
            let (name, kind, default) = (parameter.name, parameter.kind, parameter.default);
            writeln!(page, "| `{name}` | {kind} | `{default}` | {} |", parameter.about)
                .expect("text");
        }
        page.push('\n');
    }
    writeln!(page, "In `--all`: {}", variants.join(", ")).expect("text");
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[test]
fn the_page_of_strategies_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/strategies.md");
    if std::env::var_os("LANGUR_UPDATE").is_some() {
        fs::write(&path, page()).expect("writable");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written,
        page(),
        "docs/strategies.md is out of date: run LANGUR_UPDATE=1 cargo test -p langur-strategy --test docs"
    );
}
