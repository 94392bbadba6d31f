//! Several tasks, the same strategies on each, in one folder.
//!
//! ```text
//! tasks/
//!   tasks.json               the summary: every task, means over tasks, ranks
//!   bikes/                   the run folder of a task
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use langur_folder::NewFolder;

use crate::run::{folder_name, pretty};
use crate::{Run, RunError, TaskSummary};

pub(crate) const FORMAT: &str = "langur tasks";
pub(crate) const VERSION: u32 = 1;
const FILE: &str = "tasks.json";

/// A folder of tasks being written.
pub struct NewTasks {
    folder: NewFolder,
}

impl NewTasks {
    /// Begins a folder that will lie at `place`.
    pub fn create(place: &Path, replace: bool) -> Result<NewTasks, RunError> {
        Ok(NewTasks { folder: NewFolder::create(place, replace)? })
    }

    /// Where a task's run folder belongs.
    pub fn task(&self, name: &str) -> PathBuf {
        self.folder.path().join(folder_name(name))
    }

    /// Writes the summary and moves the folder to its place.
    pub fn finish(self, summary: &TaskSummary) -> Result<(), RunError> {
        self.folder.write(FILE, &pretty(summary))?;
        Ok(self.folder.finish()?)
    }
}

/// A folder of tasks that is there.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// Where it lies.
    pub path: PathBuf,
    /// What came out.
    pub summary: TaskSummary,
    /// The run of each task.
    pub runs: Vec<Run>,
}

impl Tasks {
    /// Whether there is such a folder, and not a run's.
    pub fn are_at(path: &Path) -> bool {
        path.join(FILE).is_file()
    }

    /// Opens a folder of tasks.
    pub fn open(path: &Path) -> Result<Tasks, RunError> {
        let not_tasks = |why: String| RunError::NotARun(path.to_owned(), format!("{FILE}: {why}"));
        let text = fs::read(path.join(FILE)).map_err(|error| not_tasks(error.to_string()))?;
        let summary: TaskSummary =
            serde_json::from_slice(&text).map_err(|error| not_tasks(error.to_string()))?;
        if (summary.format.as_str(), summary.version) != (FORMAT, VERSION) {
            return Err(not_tasks(format!("it is no {FORMAT} of format version {VERSION}")));
        }
        let runs = summary.tasks.iter().map(|task| Run::open(&path.join(&task.folder)));
        Ok(Tasks { path: path.to_owned(), runs: runs.collect::<Result<_, _>>()?, summary })
    }
}
