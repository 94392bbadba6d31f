//! Which pages of a web space are wanted.

use langur_classify::{AboutTopic, InLanguage, Wanted};
use langur_crawl::{Classifier, Outcome, Page, PageId};
use langur_sim::{Missing, SimulatedWeb, Space, UNKNOWN};
use langur_topic::Topic;
use rayon::prelude::*;

use crate::{LabError, Target};

/// The number of the labelling rule of that name, or else of the web space's first.
pub fn label_number(space: &Space, labels: Option<&str>) -> Result<usize, LabError> {
    let rules = &space.manifest().labels;
    let Some(asked) = labels else { return Ok(0) };
    rules.iter().position(|rule| rule == asked).ok_or_else(|| LabError::Labels {
        space: space.name(),
        asked: asked.to_owned(),
        there: rules.clone(),
    })
}

/// Who judges pages that are read and not looked up: those of archives and of the live web.
pub(crate) fn wanted(target: &Target, topic: Option<&Topic>) -> Wanted {
    match (target, topic) {
        (Target::Topic { threshold, .. }, Some(topic)) => {
            let threshold = threshold.unwrap_or(topic.threshold() as f32);
            Wanted::AboutTopic(AboutTopic { threshold })
        }
        (target, _) => Wanted::InLanguage(InLanguage::new(target.languages().to_vec())),
    }
}

/// Which pages of a web space are relevant to a target, their languages told by the labelling rule with
/// number `label`.
pub fn relevant_pages(space: &Space, target: &Target, label: usize) -> Result<Vec<bool>, LabError> {
    judged_pages(space, target, label).map(|(_, relevant)| relevant)
}

/// The same, and how many pages are OK HTML.
pub fn judged_pages(
    space: &Space,
    target: &Target,
    label: usize,
) -> Result<(u64, Vec<bool>), LabError> {
    let web = SimulatedWeb::new(space, label, Missing::Skip);
    let (web, wanted) = web_for(web, target)?;
    Ok(judge_all(&web, &wanted))
}

/// The web as a crawl for this target sees it, and who judges its pages.
pub(crate) fn web_for<'s>(
    web: SimulatedWeb<'s>,
    target: &Target,
) -> Result<(SimulatedWeb<'s>, Wanted), LabError> {
    match target {
        Target::Languages(languages) => {
            Ok((web, Wanted::InLanguage(InLanguage::new(languages.clone()))))
        }
        Target::Topic { name, threshold } => {
            let topics = &web.space().manifest().topics;
            let number = topics.iter().position(|topic| topic.name == *name);
            let number = number.ok_or_else(|| LabError::Topic {
                space: web.space().name(),
                asked: name.clone(),
                there: topics.iter().map(|topic| topic.name.clone()).collect(),
            })?;
            let threshold = threshold.unwrap_or(topics[number].threshold as f32);
            Ok((web.about(number), Wanted::AboutTopic(AboutTopic { threshold })))
        }
    }
}

/// The code of a language of the target, for pages that are taken to be in it.
pub(crate) fn code_of(space: &Space, target: &Target) -> u16 {
    let codes = 1..=space.manifest().languages.len() as u16;
    let is_wanted = |&code: &u16| {
        let language = space.language_of(code);
        language.is_some_and(|found| target.languages().iter().any(|&want| found.is_within(want)))
    };
    codes.into_iter().find(is_wanted).unwrap_or(UNKNOWN)
}

/// Judges every page: how many are OK HTML, and which are relevant.
pub(crate) fn judge_all(web: &SimulatedWeb, wanted: &Wanted) -> (u64, Vec<bool>) {
    const STRETCH: usize = 1 << 16;
    let pages = web.space().pages();
    let mut relevant = vec![false; pages];
    let ok_html = relevant
        .par_chunks_mut(STRETCH)
        .enumerate()
        .map(|(i, stretch)| {
            let mut classifier = wanted.clone();
            let mut ok_html = 0;
            for (number, relevant) in (i * STRETCH..).zip(stretch) {
                let page = web.page(PageId(number as u32));
                if page.outcome() == Outcome::OkHtml {
                    ok_html += 1;
                    *relevant = classifier.judge(&page).relevance.relevant;
                }
            }
            ok_html
        })
        .sum();
    (ok_html, relevant)
}
