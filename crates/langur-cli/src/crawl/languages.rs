//! Languages that can be told.

use anyhow::{Result, bail};
use langur_crawl::Language;
use langur_lab::Target;
use langur_language::{Judge, declared};

use crate::misuse::Misuse;

/// The target in the languages that the judge can tell: one that it knows by a shorter tag is wanted by that. In one that
/// it does not know, no page would ever be found, and that is refused. The rules of the founding papers go by charsets,
/// and may know others.
pub fn known_languages(target: &Target, labels: &str) -> Result<Target> {
    let Target::Languages(wanted) = target else { return Ok(target.clone()) };
    if !labels.starts_with("langur") {
        return Ok(target.clone());
    }
    let known: Vec<Language> = Judge::new().languages().collect();
    let mut languages = Vec::new();
    for language in wanted {
        let is_known = known.iter().any(|it| it.is_within(*language));
        match known.iter().find(|it| language.is_within(**it)) {
            _ if is_known => languages.push(*language),
            Some(shorter) => {
                eprintln!(
                    "langur: {language} is not told apart from {shorter}, which is wanted instead"
                );
                languages.push(*shorter);
            }
            None => bail!(Misuse(unknown(*language, &known))),
        }
    }
    Ok(Target::Languages(languages))
}

fn unknown(language: Language, known: &[Language]) -> String {
    let begins_alike =
        |it: &&Language| it.as_str().len() < 4 && language.as_str().starts_with(it.as_str());
    let other_code = declared(language.as_str()).filter(|it| known.contains(it));
    let meant = other_code.or_else(|| known.iter().find(begins_alike).copied());
    let hint = meant.map(|it| format!(": did you mean lang:{it}?"));
    format!(
        "no page is ever judged to be in \"{language}\"{}\n  languages go by their ISO 639 codes, as in lang:th; the {} that can be told are in docs/language.md",
        hint.unwrap_or_default(),
        known.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(target: &str) -> Result<String, String> {
        let target = target.parse().expect("a target");
        let known = known_languages(&target, "langur");
        known.map(|target| target.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn languages_that_cannot_be_told_are_refused_with_a_hint() {
        assert_eq!(known("lang:th").as_deref(), Ok("lang:th"));
        assert_eq!(known("lang:lo,th-TH").as_deref(), Ok("lang:lo,th"));
        assert_eq!(known("lang:my-Qaag").as_deref(), Ok("lang:my-Qaag"));
        assert_eq!(known("topic:bikes").as_deref(), Ok("topic:bikes"));
        assert!(known("lang:thai").is_err_and(|why| why.contains("did you mean lang:th?")));
        for (code, meant) in [("no", "nb"), ("tha", "th"), ("fil", "tl"), ("zh-TW", "zh-Hant")] {
            let hint = format!("did you mean lang:{meant}?");
            assert!(known(&format!("lang:{code}")).is_err_and(|why| why.contains(&hint)), "{code}");
        }
        assert!(known("lang:xx").is_err_and(|why| why.contains("ISO 639")));
    }
}
