//! Several crawls of one web space: a file of tasks.
//!
//! ```toml
//! [[task]]
//! name = "bikes"
//! target = "topic:bikes"
//! seeds = "bikes.txt"        # a file beside this one, or a list of URLs; where the web space says if not given
//! max_pages = 10000
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::Target;

/// One crawl of the web space.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What it is called.
    pub name: String,
    /// What is wanted.
    pub target: Target,
    /// Where it starts, if not where the web space says.
    pub seeds: Option<TaskSeeds>,
    /// The most pages to fetch.
    pub max_pages: Option<u64>,
}

/// Where a task starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskSeeds {
    /// From the URLs or page numbers in a file.
    File(PathBuf),
    /// From these URLs.
    Urls(Vec<String>),
}

/// Why a file of tasks could not be understood.
#[derive(Debug, Error)]
pub enum TaskError {
    /// It cannot be read.
    #[error("cannot read tasks from {}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] std::io::Error),
    /// It is not TOML, or not as tasks are written.
    #[error("{}: {}\n  a task is written as in: [[task]] name = \"bikes\", target = \"topic:bikes\", seeds = \"bikes.txt\", max_pages = 10000; see docs/topics.md", .0.display(), .1)]
    Syntax(PathBuf, String),
    /// A task makes no sense.
    #[error("{}: {}", .0.display(), .1)]
    Wrong(PathBuf, String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    task: Vec<WrittenTask>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTask {
    name: String,
    target: String,
    seeds: Option<WrittenSeeds>,
    max_pages: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenSeeds {
    File(PathBuf),
    Urls(Vec<String>),
}

/// Reads a file of tasks. Paths in it are relative to it.
pub fn read_tasks(path: &Path) -> Result<Vec<Task>, TaskError> {
    let text = fs::read_to_string(path).map_err(|error| TaskError::Read(path.to_owned(), error))?;
    parse(&text, path)
}

fn parse(text: &str, path: &Path) -> Result<Vec<Task>, TaskError> {
    let syntax = |error: toml::de::Error| {
        TaskError::Syntax(path.to_owned(), error.to_string().trim_end().to_owned())
    };
    let wrong = |why: String| TaskError::Wrong(path.to_owned(), why);
    let file: File = toml::from_str(text).map_err(syntax)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut names = BTreeSet::new();
    let mut tasks = Vec::new();
    for written in file.task {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if written.name.is_empty() || !written.name.chars().all(plain) {
            return Err(wrong(format!(
                "task \"{}\" needs a name of letters, digits, - and _, since a folder will be called so",
                written.name
            )));
        }
        if !names.insert(written.name.to_ascii_lowercase()) {
            return Err(wrong(format!("there are two tasks \"{}\"", written.name)));
        }
        let target = written.target.parse();
        tasks.push(Task {
            target: target.map_err(|error| wrong(format!("task {}: {error}", written.name)))?,
            seeds: written.seeds.map(|seeds| match seeds {
                WrittenSeeds::File(file) => TaskSeeds::File(folder.join(file)),
                WrittenSeeds::Urls(urls) => TaskSeeds::Urls(urls),
            }),
            max_pages: written.max_pages,
            name: written.name,
        });
    }
    if tasks.is_empty() {
        return Err(wrong("there is no [[task]] in it".to_owned()));
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read() {
        let text = "[[task]]\nname = \"bikes\"\ntarget = \"topic:bikes>0.5\"\nseeds = \"bikes.txt\"\nmax_pages = 10000\n\
            [[task]]\nname = \"thai\"\ntarget = \"lang:th\"\nseeds = [\"http://a.com/\"]\n";
        let tasks = parse(text, Path::new("there/tasks.toml")).expect("tasks");
        assert_eq!(tasks[0].seeds, Some(TaskSeeds::File("there/bikes.txt".into())));
        assert_eq!((tasks[0].max_pages, tasks[1].max_pages), (Some(10000), None));
        assert_eq!(tasks[1].seeds, Some(TaskSeeds::Urls(vec!["http://a.com/".to_owned()])));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let task = "[[task]]\nname = \"bikes\"\ntarget = \"topic:bikes\"\n";
        for (text, message) in [
            (format!("{task}seed = \"x\"\n"), "unknown field `seed`"),
            (format!("{task}{task}"), "there are two tasks \"bikes\""),
            (task.replace("topic:", ""), "task bikes: target \"bikes\" should be"),
            (task.replace("\"bikes\"", "\"../bikes\""), "needs a name of letters"),
            ("".to_owned(), "there is no [[task]]"),
            ("[[task]]\nname = 1\n".to_owned(), "tasks.toml: TOML parse error at line 2"),
        ] {
            let error = parse(&text, Path::new("tasks.toml")).expect_err("refused").to_string();
            assert!(error.contains(message), "{error:?} does not say {message:?}");
        }
    }
}
