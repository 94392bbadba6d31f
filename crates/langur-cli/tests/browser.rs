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

#[test]
fn the_report_opens_without_errors_and_shows_every_curve() {
    let Ok(program) = std::env::var("LANGUR_CHROMIUM") else {
        eprintln!(
            "NOT RUN: the report was not opened in a browser, since LANGUR_CHROMIUM names none"
        );
        return;
    };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let langur = |arguments: &[&str]| {
        run(Command::new(env!("CARGO_BIN_EXE_langur")).current_dir(scratch.path()).args(arguments))
    };
    langur(&["demo", "--pages", "5000"]);
    let url = format!("file://{}", scratch.path().join("demo/report.html").display());
    let (page, log) = run(chromium(&program, scratch.path()).args(["--dump-dom", &url]));
    assert!(!log.contains("CONSOLE"), "the console says: {log}");
    assert!(page.contains("data-ready=\"yes\""), "the report did not finish");
    assert!(page.contains("data-errors=\"0\""), "the report counted errors");
    let strategies: usize = langur_strategy::ALL.iter().map(|entry| entry.variants.len()).sum();
    for figure in ["harvest", "coverage", "queue"] {
        let curves = page.split('<').filter(|tag| {
            tag.starts_with("path")
                && tag.contains(&format!("data-figure=\"{figure}\""))
                && tag.contains("data-strategy=")
        });
        let drawn =
            curves.filter(|tag| tag.split(" d=\"").nth(1).is_some_and(|d| d.contains('L'))).count();
        assert_eq!(drawn, strategies, "curves of {figure}");
    }
}
