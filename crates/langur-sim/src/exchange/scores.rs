//! Scores on topics, as columns of crawl logs and link lists.
//!
//! `topic_NAME` in a crawl log is the score of a page, `anchor_topic_NAME` and `context_topic_NAME` in a link
//! list those of a link's anchor and of the words around it, all from 0 to 1. A topic is what the crawl log
//! has a column of.

use super::assemble::Scores;
use crate::space::TopicFacts;
use langur_crawl::score_byte;

/// What a page must score to be about a topic, if nothing else is said: that of Gogar (2015).
pub const THRESHOLD: f64 = 0.4;

const PAGE: &str = "topic_";
const LINK: [&str; 2] = ["anchor_topic_", "context_topic_"];

/// The name of a topic's column in a crawl log.
pub(super) fn page_column(topic: &str) -> String {
    format!("{PAGE}{topic}")
}

/// The names of a topic's columns in a link list.
pub(super) fn link_columns(topic: &str) -> [String; 2] {
    LINK.map(|prefix| format!("{prefix}{topic}"))
}

/// Where the scores of pages are: for every topic its name and column.
#[derive(Default)]
pub(super) struct PageScores(Vec<(String, usize)>);

impl PageScores {
    /// Whether this is a column of scores, which is then kept.
    pub fn take(&mut self, name: &str, column: usize) -> bool {
        let topic = name.strip_prefix(PAGE).filter(|topic| !topic.is_empty());
        self.0.extend(topic.map(|topic| (topic.to_owned(), column)));
        topic.is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The topics, with the thresholds that were asked for. One that there is no column of is refused.
    pub fn topics(&self, thresholds: &[(String, f64)]) -> Result<Vec<TopicFacts>, String> {
        let names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        if let Some((unknown, _)) =
            thresholds.iter().find(|(name, _)| !names.contains(&name.as_str()))
        {
            let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!(
                "a threshold is given for topic \"{unknown}\", and there is no column {PAGE}{unknown}; topics there are: {there}"
            ));
        }
        let facts = |name: &&str| {
            let asked = thresholds.iter().find(|(topic, _)| topic == name);
            let threshold = asked.map_or(THRESHOLD, |(_, threshold)| *threshold);
            TopicFacts { name: (*name).to_owned(), threshold, xxh3: String::new() }
        };
        Ok(names.iter().map(facts).collect())
    }

    /// Reads a row's scores.
    pub fn read(&self, cells: &[String]) -> Result<Vec<f32>, String> {
        self.0.iter().map(|(topic, column)| score(&cells[*column], &page_column(topic))).collect()
    }
}

/// Where the scores of links are: for every topic its columns, if they are there.
pub(super) struct LinkScores(Vec<[Option<(usize, String)>; 2]>);

impl LinkScores {
    pub fn find(names: &[String], topics: &[TopicFacts]) -> LinkScores {
        let place = |name: String| names.iter().position(|n| *n == name).map(|at| (at, name));
        LinkScores(topics.iter().map(|topic| link_columns(&topic.name).map(place)).collect())
    }

    /// Whether this is one of the columns.
    pub fn uses(&self, column: usize) -> bool {
        self.0.iter().flatten().flatten().any(|(at, _)| *at == column)
    }

    /// Reads a row's scores.
    pub fn read(&self, cells: &[String]) -> Result<Vec<[u8; 2]>, String> {
        let byte = |place: &Option<(usize, String)>| -> Result<u8, String> {
            match place {
                Some((column, name)) => Ok(score_byte(f64::from(score(&cells[*column], name)?))),
                None => Ok(0),
            }
        };
        self.0.iter().map(|[anchor, context]| Ok([byte(anchor)?, byte(context)?])).collect()
    }
}

impl Scores {
    pub(super) fn new(topics: Vec<TopicFacts>) -> Scores {
        Scores {
            pages: vec![Vec::new(); topics.len()],
            links: vec![Vec::new(); topics.len()],
            topics,
        }
    }

    pub(super) fn push_page(&mut self, row: Vec<f32>) {
        self.pages.iter_mut().zip(row).for_each(|(scores, score)| scores.push(score));
    }

    pub(super) fn push_link(&mut self, row: Vec<[u8; 2]>) {
        self.links.iter_mut().zip(row).for_each(|(scores, score)| scores.push(score));
    }
}

/// A score; nothing stands for 0.
fn score(text: &str, column: &str) -> Result<f32, String> {
    match text.trim() {
        "" => Ok(0.0),
        text => {
            let score = text.parse().ok().filter(|score| (0.0..=1.0).contains(score));
            score.ok_or_else(|| format!("{column} \"{text}\" is not a score from 0 to 1"))
        }
    }
}
