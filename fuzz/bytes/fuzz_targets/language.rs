//! Texts, URLs and models.
#![no_main]

use langur_language::Judge;
use langur_language::model::Model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: { std::sync::LazyLock::force(&JUDGE); }, |text: &str| {
    let verdict = JUDGE.text(text);
    let sum: f32 = verdict.languages.iter().map(|share| share.share).sum();
    assert!(sum <= 1.001, "shares are of one whole");
    JUDGE.url(text);
    let _ = Model::read(text.as_bytes());
});

static JUDGE: std::sync::LazyLock<Judge> = std::sync::LazyLock::new(Judge::new);
