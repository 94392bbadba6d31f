//! The built binary, called as a user calls it.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

/// Runs it.
#[allow(dead_code, reason = "not every test looks at the output as it is")]
pub fn langur(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("langur").expect("the binary");
    command.current_dir(folder).args(arguments).output().expect("it runs")
}

/// What it prints, when all goes well.
#[track_caller]
pub fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = langur(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "langur {arguments:?} failed: {error}");
    String::from_utf8(output.stdout).expect("text")
}

/// It fails with this exit code, and says so.
#[track_caller]
#[allow(dead_code, reason = "not every test needs it")]
pub fn fail(folder: &Path, code: i32, arguments: &[&str], message: &str) {
    let output = langur(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "langur {arguments:?}: {error}");
    assert!(error.contains(message), "langur {arguments:?} says {error:?}, not {message:?}");
    assert!(!error.contains("panicked"), "{error}");
}

/// What was printed as JSON.
#[track_caller]
#[allow(dead_code, reason = "not every test needs it")]
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}
