//! A quick look at how well a model does.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use langur_crawl::Language;
use langur_language::Judge;
use rayon::prelude::*;

pub fn check(model: &Path, data: &[String]) -> Result<()> {
    let judge = Judge::with_model(&std::fs::read(model)?)?;
    for path in data {
        let text = std::fs::read_to_string(path)?;
        let rows: Vec<serde_json::Value> = text.lines().map(|l| Ok(serde_json::from_str(l)?)).collect::<Result<_>>()?;
        let judged: Vec<(String, String, Option<Language>, bool, f32)> = rows.par_iter().map(|row| {
            let label = label(row["lang"].as_str().unwrap_or(""));
            let text = row["text"].as_str().unwrap_or("");
            let words = text.split_whitespace().count();
            let kind = match row["kind"].as_str().unwrap_or("") { "words" if words == 1 => "word1", "words" => "words2", other => other };
            let verdict = judge.text(text);
            let guess = verdict.languages.first().map(|share| share.language);
            let p = verdict.probability;
            let known = Language::parse(&label).ok().is_some_and(|l| judge.languages().any(|k| k.is_within(l) || l.is_within(k)));
            (kind.to_owned(), label, guess, known, p)
        }).collect();
        let mut table: BTreeMap<&str, (usize, usize, usize, usize)> = BTreeMap::new();
        let mut confused: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (kind, label, guess, known, _) in &judged {
            let cell = table.entry(kind).or_default();
            cell.1 += 1;
            let want = Language::parse(label).ok();
            let right = matches!((guess, want), (Some(g), Some(w)) if g.is_within(w) || w.is_within(*g));
            cell.0 += usize::from(right);
            if *known { cell.3 += 1; cell.2 += usize::from(right); if !right && kind != "word1" && kind != "words2" { *confused.entry((label.clone(), guess.map_or("-".into(), |g| g.to_string()))).or_default() += 1; } }
        }
        for (kind, (right, all, kright, kall)) in table {
            println!("{} {kind}: {:.2}% of {all}; known {:.2}% of {kall}", Path::new(path).file_stem().context("name")?.display(), 100.0 * right as f64 / all as f64, 100.0 * kright as f64 / kall.max(1) as f64);
        }
        let mut confused: Vec<_> = confused.into_iter().collect();
        confused.sort_by_key(|c| std::cmp::Reverse(c.1));
        println!("  {}", confused.iter().take(24).map(|((a, b), n)| format!("{a}>{b} {n}")).collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

fn label(tag: &str) -> String {
    match tag { "no" => "nb", "fil" => "tl", "cmn" => "zh", "spa" => "es", "eng" => "en", other => other }.to_owned()
}
