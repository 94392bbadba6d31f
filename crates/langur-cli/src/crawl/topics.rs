//! Topics that are wanted, and the files they are in.

use std::path::Path;

use anyhow::Result;
use langur_lab::Target;
use langur_topic::Topic;

use crate::misuse::{Misuse, read_named};

/// The topic that is wanted, if one is.
pub fn topic_of(target: &Target) -> Result<Option<Topic>> {
    let Target::Topic { name, .. } = target else { return Ok(None) };
    Ok(Some(parse(name, &read(Path::new(name))?)?))
}

/// The topic that a crawl wants, if it wants one: a crawl has its own copy of the file, whatever becomes of the one it was
/// given.
pub fn topic_in(crawl: &Path, target: &Target) -> Result<Option<Topic>> {
    let Target::Topic { name, .. } = target else { return Ok(None) };
    let own = crawl.join(name);
    if own.exists() { Ok(Some(parse(name, &read(&own)?)?)) } else { topic_of(target) }
}

/// A topic that a crawl is to want.
pub struct Wanted {
    /// The target as the crawl has it, which names its own copy of the file.
    pub target: Target,
    pub topic: Topic,
    /// The name and the text of the copy.
    pub kept: (String, String),
}

/// The topic that is wanted, if one is. Files are looked for from a folder on.
pub fn wanted(target: &Target, from: &Path) -> Result<Option<Wanted>> {
    let Target::Topic { name, threshold } = target else { return Ok(None) };
    let text = read(&from.join(name))?;
    let topic = parse(name, &text)?;
    let file = format!("{}.topic", stem(name));
    let target = Target::Topic { name: file.clone(), threshold: *threshold };
    Ok(Some(Wanted { target, topic, kept: (file, text) }))
}

/// What a topic is called that is in a file.
pub fn stem(file: &str) -> String {
    Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<String> {
    read_named(path, "the topic").map_err(|error| {
        let how = "give the file that `langur topic learn` wrote, as in topic:bikes.topic";
        Misuse(format!("{error}\n  {how}")).into()
    })
}

fn parse(file: &str, text: &str) -> Result<Topic> {
    Ok(Topic::parse(&stem(file), text)?)
}
