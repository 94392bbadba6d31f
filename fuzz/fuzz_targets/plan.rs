//! Experiment files.
#![no_main]

use langur_experiment::{Plan, cells};
use langur_lab::Catalogue;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("plan.toml");
    std::fs::write(&file, text).expect("writable");
    if let Ok(plan) = Plan::read(&file) {
        let webs = plan.web.iter().map(|web| web.seeds().len()).sum::<usize>();
        if webs < 10 {
            let _ = cells(&plan, &Catalogue::founding());
        }
    }
});
