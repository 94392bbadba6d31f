//! The report in a real browser.
//!
//! `./test` installs Chromium and names it in LANGUR_CHROMIUM. Without that the test says that it did
//! not run.

use std::path::Path;
use std::process::Command;

fn run(command: &mut Command) -> (String, String) {
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn chromium(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
    ]);
    command.args([
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]);
    command.args(["--enable-logging=stderr", "--virtual-time-budget=10000"]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command
}

/// The browser, or a word that there is none.
fn program() -> Option<String> {
    let program = std::env::var("LANGUR_CHROMIUM").ok();
    if program.is_none() {
        eprintln!("NOT RUN: no report was opened in a browser, since LANGUR_CHROMIUM names none");
    }
    program
}

fn langur(folder: &Path, arguments: &[&str]) {
    run(Command::new(env!("CARGO_BIN_EXE_langur")).current_dir(folder).args(arguments));
}

/// Opens a page and gives its DOM, after checking that nothing went wrong in it.
fn open(program: &str, folder: &Path, file: &str, hash: &str) -> String {
    let url = format!("file://{}{hash}", folder.join(file).display());
    let (page, log) = run(chromium(program, folder).args(["--dump-dom", &url]));
    assert!(!log.contains("CONSOLE"), "the console says: {log}");
    assert!(page.contains("data-ready=\"yes\""), "{file} did not finish");
    assert!(page.contains("data-errors=\"0\""), "{file} counted errors");
    page
}

/// The curves of a figure that have more than one point.
fn curves(page: &str, figure: &str) -> usize {
    let tags = page.split('<').filter(|tag| {
        tag.starts_with("path")
            && tag.contains(&format!("data-figure=\"{figure}\""))
            && tag.contains("data-strategy=")
    });
    tags.filter(|tag| tag.split(" d=\"").nth(1).is_some_and(|d| d.contains('L'))).count()
}

/// Every strategy in its settings, and the upper bound.
fn contenders() -> usize {
    langur_strategy::ALL.iter().map(|entry| entry.variants.len()).sum::<usize>() + 1
}

#[test]
fn the_report_opens_without_errors_and_shows_every_curve() {
    let Some(program) = program() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    langur(scratch.path(), &["demo", "--pages", "5000"]);
    let page = open(&program, scratch.path(), "demo/report.html", "");
    assert_eq!(curves(&page, "harvest"), contenders());
    assert_eq!(curves(&page, "coverage"), contenders());
    // A bound has no queue; its curve is there and lies on the axis.
    assert!(curves(&page, "queue") >= contenders() - 1);
    for part in ["Languages and domains", "LSCC"] {
        assert!(page.contains(part), "the web space is shown too: {part}");
    }
    for (name, size) in [("wide", "1400,3000"), ("narrow", "420,3000")] {
        keep_screenshot(&program, scratch.path(), "demo/report.html", name, size);
    }
}

/// Screenshots are kept in target/report/, to be looked at.
fn keep_screenshot(program: &str, folder: &Path, file: &str, name: &str, size: &str) {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("report");
    std::fs::create_dir_all(&kept).expect("a folder for screenshots");
    let picture = kept.join(format!("{name}.png"));
    let mut command = chromium(program, folder);
    command.arg(format!("--screenshot={}", picture.display()));
    command.args(["--hide-scrollbars", &format!("--window-size={size}")]);
    run(command.arg(format!("file://{}", folder.join(file).display())));
    let bytes = std::fs::metadata(&picture).expect("a screenshot").len();
    assert!(bytes > 20_000, "{} has {bytes} bytes", picture.display());
}

/// Presses every button that saves something, and notes what would have been saved.
const SAVE_ALL: &str = r#"<script type="module">
  const saved = [];
  URL.createObjectURL = (blob) => { saved.push(blob); return "about:blank"; };
  HTMLAnchorElement.prototype.click = () => {};
  for (const button of document.querySelectorAll("button"))
    if (["SVG", "CSV"].includes(button.textContent)) button.click();
  Promise.all(saved.map((blob) => blob.text())).then((texts) => {
    const isSound = (text, i) => saved[i].type.includes("svg")
      ? !new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") && !text.includes("NaN")
      : text.trim().split("\n").length > 1;
    document.documentElement.dataset.saved = String(texts.length);
    document.documentElement.dataset.sound = String(texts.filter(isSound).length);
  });
</script>"#;

#[test]
fn every_figure_and_table_can_be_saved() {
    let Some(program) = program() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    langur(scratch.path(), &["demo", "--pages", "3000"]);
    let file = scratch.path().join("demo/report.html");
    let html = std::fs::read_to_string(&file).expect("a report");
    std::fs::write(&file, html.replace("</body>", &format!("{SAVE_ALL}</body>")))
        .expect("writable");
    let page = open(&program, scratch.path(), "demo/report.html", "");
    let noted = |name: &str| -> usize {
        let rest = page.split(&format!("data-{name}=\"")).nth(1).expect("what was saved");
        rest.split('"').next().expect("a number").parse().expect("a number")
    };
    assert!(
        noted("saved") >= 6 + 6,
        "three figures of the crawls and three of the web space, twice"
    );
    assert_eq!(noted("saved"), noted("sound"));
}

#[test]
fn simulated_time_and_experiments_are_shown() {
    let Some(program) = program() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    langur(folder, &["space", "synth", "--pages", "3000", "-o", "thai.space"]);
    let simulate = ["simulate", "thai.space", "--target", "lang:th", "--all", "--clock", "polite"];
    langur(folder, &[&simulate[..], &["-o", "run"]].concat());
    langur(folder, &["report", "run", "-o", "time.html"]);
    let page = open(&program, folder, "time.html", "#time");
    // All but the upper bound, which knows no time.
    for figure in ["harvest", "coverage", "queue", "idle"] {
        assert_eq!(curves(&page, figure), contenders() - 1, "{figure}");
    }
    std::fs::write(folder.join("small.toml"), EXPERIMENT).expect("writable");
    langur(folder, &["experiment", "small.toml", "-o", "small"]);
    let page = open(&program, folder, "small/report.html", "");
    for part in ["Published outcomes", "everything is found", "soft-focused"] {
        assert!(page.contains(part), "{part}");
    }
}

const EXPERIMENT: &str = r#"
name = "Small"
about = "A test."
strategies = ["breadth-first", "soft-focused", "perfect"]
[compare]
against = ["breadth-first"]
budgets = [0.1]
[[web]]
name = "thai"
preset = "thai-2004"
pages = 2000
random_seeds = [1, 2]
targets = ["lang:th"]
[[outcome]]
id = "A"
says = "everything is found"
published = "100%"
source = "S1"
[[outcome.measure]]
what = "coverage"
web = "thai"
strategy = "soft-focused"
value = "coverage"
expected = [1.0, inf]
"#;

/// Pages in a ring; every third is about bikes.
#[test]
fn tasks_and_topics_are_shown() {
    let Some(program) = program() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    let url = |page: u32| format!("http://h{}.com/{page}", page % 7);
    let page = |page: u32| format!("{},0.{},{}\n", url(page), page % 3 * 4, u8::from(page == 0));
    let link = |page: u32, step: u32| format!("{},{}\n", url(page), url((page + step) % 200));
    let links = (0..200).flat_map(|page| [1, 5, 31].map(|step| link(page, step)));
    let pages: String = (0..200).map(page).collect();
    std::fs::write(folder.join("pages.csv"), format!("url,topic_bikes,seed\n{pages}"))
        .expect("writable");
    let links: String = links.collect();
    std::fs::write(folder.join("links.csv"), format!("source,target\n{links}")).expect("writable");
    langur(
        folder,
        &["space", "import", "--pages", "pages.csv", "--links", "links.csv", "-o", "space"],
    );
    let task = |name: &str| format!("[[task]]\nname = \"{name}\"\ntarget = \"topic:bikes\"\n");
    std::fs::write(folder.join("tasks.toml"), task("one") + &task("two")).expect("writable");
    let strategies = ["fish", "shark", "opic", "upper-bound"];
    let mut arguments = vec!["simulate", "space", "--tasks", "tasks.toml", "-o", "run"];
    strategies.iter().for_each(|strategy| arguments.extend(["--strategy", strategy]));
    langur(folder, &arguments);
    langur(folder, &["report", "run", "-o", "tasks.html"]);
    let page = open(&program, folder, "tasks.html", "");
    for figure in ["recent_relevancy", "overall_relevancy"] {
        // Once as the mean of the tasks, and once of the first of them.
        assert_eq!(curves(&page, figure), 3 + 3, "{figure}");
    }
    assert_eq!(curves(&page, "relevant"), 3 + 4);
    for part in ["mean of 2 tasks", "Means over tasks", "As Gogar (2015)"] {
        assert!(page.contains(part), "{part}");
    }
    keep_screenshot(&program, folder, "tasks.html", "tasks", "1400,4200");
}

/// Fifty runs of a million points each: thinned, they must open as any other report.
#[test]
fn many_long_runs_open_at_once() {
    let Some(program) = program() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    langur(folder, &["space", "synth", "--pages", "3000", "-o", "thai.space"]);
    let simulate = ["simulate", "thai.space", "--target", "lang:th", "--strategy", "soft-focused"];
    langur(folder, &[&simulate[..], &["-o", "run"]].concat());
    let points: Vec<_> = (1..=1_000_000)
        .map(|i: u64| langur_observe::Point {
            fetched: i,
            ok_html: i,
            // One jump in the middle, which must not be smoothed away.
            relevant: if i < 500_000 { i / 10 } else { 300_000 + i / 10 },
            queue: i % 1000,
            queue_max: i % 1000,
            recent: 50,
            load: None,
            relevancy: None,
        })
        .collect();
    let model = langur_observe::Run::open(&folder.join("run")).expect("a run");
    let mut runs = Vec::new();
    for number in 0..50 {
        let place = folder.join(format!("run-{number}"));
        let run = langur_observe::NewRun::create(&place, false).expect("a run");
        run.curve("soft-focused", &points).expect("a curve");
        run.finish(&model.manifest, &model.results).expect("a run");
        runs.push(format!("run-{number}"));
    }
    let mut arguments = vec!["report", "-o", "many.html"];
    arguments.extend(runs.iter().map(String::as_str));
    langur(folder, &arguments);
    let size = std::fs::metadata(folder.join("many.html")).expect("a report").len();
    assert!(size < 20_000_000, "{size} bytes");
    let page = open(&program, folder, "many.html", "#run=50");
    assert_eq!(curves(&page, "coverage"), 1);
}
