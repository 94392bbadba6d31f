//! What was found, for people and as JSON.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use langur_crawl::Language;
use langur_language::{Verdict, name};
use langur_page::html::{Document, Gateway, Link, LinkKind};
use langur_page::{Address, Base, CharsetEvidence, Decoding, Limits};
use langur_reader::{Reader, Reading, Rule, textcat};
use langur_textcat::Verdict as TextcatVerdict;
use langur_topic::{Topic, TopicScore};
use serde_json::{Map, Value, json};

use crate::table::{count, visible};

/// People get no more evidence for a charset than this.
const MOST_EVIDENCE: usize = 8;
/// And no more of a label than these characters.
const LONGEST_LABEL: usize = 60;

/// A verdict in a few lines.
pub fn text(title: &str, reader: &Reader, reading: &Reading) -> String {
    let Reading { decoding, document, .. } = reading;
    let title = visible(title);
    if !reading.is_text {
        return format!("{title}\n  this is no text: it has no charset and no language\n");
    }
    let mut lines = match reader.rule() {
        Rule::Langur => judged(&reading.verdict),
        // The judge's percentages, shares and evidence would contradict another rule.
        rule => ruled(rule, reading),
    };
    let wrong = if decoding.mislabelled { ", mislabelled" } else { "" };
    lines.push(("charset", format!("{}{wrong}", decoding.charset.name())));
    lines.extend(charset_evidence(&decoding.evidence).into_iter().map(|line| ("", line)));
    if !document.title().is_empty() {
        lines.push(("title", document.title().to_owned()));
    }
    lines.push(("links", links(document, reader)));
    if let Some(gateway) = document.gateway() {
        lines.push(("gateway", gateway_name(gateway).to_owned()));
    }
    let topics = reader.topics().iter().zip(&reading.topics);
    lines.extend(topics.map(|(topic, score)| ("topic", topic_line(topic, score))));
    let mut text = format!("{title}\n");
    for (what, line) in lines {
        let _ = writeln!(text, "  {what:<9} {}", visible(&line));
    }
    text
}

/// What the default judge says of the language.
fn judged(verdict: &Verdict) -> Vec<(&'static str, String)> {
    let mut lines = vec![("language", language(verdict))];
    if verdict.languages.len() > 1 {
        lines.push(("shares", shares(verdict)));
    }
    for hint in &verdict.hints {
        let languages: Vec<String> = hint.languages.iter().take(4).map(|l| name(*l)).collect();
        lines.push(("", format!("{} {}: {}", hint.source, hint.said, languages.join(", "))));
    }
    lines
}

/// What a rule of the papers says of the language, and what it goes by.
fn ruled(rule: &Rule, reading: &Reading) -> Vec<(&'static str, String)> {
    let named = |language| format!("{} ({language})", name(language));
    let mut lines = vec![("language", reading.language.map_or("unknown".to_owned(), named))];
    for (source, said) in went_by(rule, reading) {
        let verb = if source == "META" { "declares" } else { "says" };
        lines.push(("", format!("{source} {verb} {said}")));
    }
    lines
}

/// What a rule of the papers goes by, and what that says.
fn went_by(rule: &Rule, reading: &Reading) -> Vec<(&'static str, String)> {
    let Reading { decoding, document, .. } = reading;
    let charset = document.meta_charset().map_or("no charset".into(), shortened);
    let mut all = vec![("META", charset.into_owned())];
    if let Rule::MetaTextcat(categories) = rule {
        let said = match textcat(categories, document, decoding.charset) {
            TextcatVerdict::TooShort => "too little text".to_owned(),
            TextcatVerdict::Unknown => "unknown".to_owned(),
            TextcatVerdict::Candidates(names) => names.join(", "),
        };
        all.push(("TextCat", said));
    }
    all
}

fn topic_line(topic: &Topic, score: &TopicScore) -> String {
    let relevant = if score.relevant { "relevant" } else { "not relevant" };
    let cosine = score.cosine.map_or(String::new(), |cosine| format!(", cosine {cosine:.3}"));
    format!("{} {:.3}{cosine}, {relevant}", topic.name, score.score)
}

/// What is said of topics behind a line of text.
pub fn topics_of_line(reader: &Reader, scores: &[TopicScore]) -> String {
    let both = reader.topics().iter().zip(scores);
    both.map(|(topic, score)| format!("  [{}]", topic_line(topic, score))).collect()
}

fn language(verdict: &Verdict) -> String {
    let script = verdict.script.map_or(String::new(), |script| format!(", script {script}"));
    match (verdict.language, verdict.languages.first()) {
        (Some(language), _) => {
            format!("{} ({language}), {}{script}", name(language), percent(verdict.probability))
        }
        (None, Some(share)) => {
            let guess = name(share.language);
            format!("too little to tell; perhaps {guess}, {}{script}", percent(share.probability))
        }
        (None, None) => format!("unknown{script}"),
    }
}

fn shares(verdict: &Verdict) -> String {
    let all = verdict.languages.iter();
    let all = all.map(|share| format!("{} {:.0}%", name(share.language), share.share * 100.0));
    all.collect::<Vec<_>>().join(", ")
}

fn percent(probability: f32) -> String {
    format!("{:.1}%", f64::from(probability) * 100.0)
}

/// The evidence for a charset, a line each.
fn charset_evidence(evidence: &[CharsetEvidence]) -> Vec<String> {
    let merged = merged(evidence);
    let mut lines: Vec<String> = merged.iter().take(MOST_EVIDENCE).map(said).collect();
    if merged.len() > MOST_EVIDENCE {
        // What the bytes say comes last, and is never left out.
        lines.pop();
        let left_out = (merged.len() - MOST_EVIDENCE) as u64;
        lines.push(format!("and {} more labels", count(left_out)));
        lines.extend(merged.last().map(said));
    }
    lines
}

/// Evidence that is said again counts once, with how often it is said.
fn merged(evidence: &[CharsetEvidence]) -> Vec<(&CharsetEvidence, u64)> {
    let mut merged: Vec<(&CharsetEvidence, u64)> = Vec::new();
    let mut places = HashMap::new();
    for one in evidence {
        let place = *places.entry((one.source, &one.label)).or_insert(merged.len());
        match merged.get_mut(place) {
            Some((_, times)) => *times += 1,
            None => merged.push((one, 1)),
        }
    }
    merged
}

fn said((evidence, times): &(&CharsetEvidence, u64)) -> String {
    let (source, label) = (evidence.source.name(), shortened(&evidence.label));
    let times = if *times > 1 { format!(" ({} times)", count(*times)) } else { String::new() };
    if evidence.charset.is_none() {
        return format!("{source} says {label}{times}: no charset has this name");
    }
    let fits = if evidence.fits { "the bytes fit" } else { "the bytes do not fit" };
    let sure = evidence.certainty.map_or(String::new(), |sure| format!(", {}", percent(sure)));
    format!("{source} says {label}{times}: {fits}{sure}")
}

fn shortened(label: &str) -> Cow<'_, str> {
    match label.char_indices().nth(LONGEST_LABEL) {
        Some((end, _)) => format!("{}…", &label[..end]).into(),
        None => label.into(),
    }
}

/// How many links there are, and the languages of their anchors, which only the default judge tells.
fn links(document: &Document, reader: &Reader) -> String {
    if !matches!(reader.rule(), Rule::Langur) {
        return document.links().len().to_string();
    }
    let mut languages: BTreeMap<Language, usize> = BTreeMap::new();
    for link in document.links() {
        if let Some((language, _)) = reader.judge().anchor(document.anchor(link)) {
            *languages.entry(language).or_default() += 1;
        }
    }
    let mut languages: Vec<(Language, usize)> = languages.into_iter().collect();
    languages.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
    let named: Vec<String> = languages
        .iter()
        .take(3)
        .map(|(language, times)| format!("{times} {}", name(*language)))
        .collect();
    match named.is_empty() {
        true => document.links().len().to_string(),
        false => format!("{}; anchors: {}", document.links().len(), named.join(", ")),
    }
}

fn gateway_name(gateway: Gateway) -> &'static str {
    match gateway {
        Gateway::Frames => "frames",
        Gateway::Flash => "flash",
        Gateway::ImageMap => "image-map",
        Gateway::Refresh => "refresh",
    }
}

/// A line of text and its verdict.
pub fn line(verdict: &Verdict, text: &str) -> String {
    let language = verdict.language.map_or("und".to_owned(), |language| language.to_string());
    let probability = percent(verdict.probability);
    format!("{language:<8} {probability:>6}  {}", visible(text))
}

/// A verdict as one line of JSON.
pub fn json(title: &str, reader: &Reader, reading: &Reading, address: Option<&Address>) -> String {
    let Reading { decoding, document, verdict, .. } = reading;
    let mut object = Map::new();
    object.insert("document".to_owned(), Value::from(title));
    object.insert("is_text".to_owned(), Value::from(reading.is_text));
    let charset = reading.is_text.then(|| decoding.charset.name());
    object.insert("charset".to_owned(), Value::from(charset));
    let evidence = if reading.is_text { &decoding.evidence[..] } else { &[] };
    object.insert("mislabelled".to_owned(), Value::from(decoding.mislabelled));
    object.insert(
        "charset_evidence".to_owned(),
        merged(evidence).into_iter().map(|(one, _)| evidence_json(one)).collect(),
    );
    object.extend(match reader.rule() {
        Rule::Langur => language_json(verdict, reading.language),
        // Probability and shares are the default judge's, and would contradict another rule.
        rule => rule_json(reader, rule, reading),
    });
    object.insert("declared".to_owned(), document.html_lang().map_or(Value::Null, Value::from));
    object.insert(
        "gateway".to_owned(),
        document.gateway().map_or(Value::Null, |g| gateway_name(g).into()),
    );
    object.insert("title".to_owned(), Value::from(document.title()));
    for (name, said) in [
        ("description", document.description()),
        ("base", document.base()),
        ("canonical", document.canonical()),
    ] {
        object.insert(name.to_owned(), said.map_or(Value::Null, Value::from));
    }
    // Where redirects have led.
    let url = address.map(ToString::to_string);
    object.insert("url".to_owned(), url.map_or(Value::Null, Value::from));
    let head = Value::Object(object).to_string();
    let head = head.strip_suffix('}').unwrap_or(&head);
    let links = links_json(reader, decoding, document, address);
    format!("{head},\"links\":{links},\"topics\":{}}}", topics_json(reader, &reading.topics))
}

/// The part on the language by a rule of the papers, which knows nothing of probabilities.
fn rule_json(reader: &Reader, rule: &Rule, reading: &Reading) -> Map<String, Value> {
    let mut object = language_json(&reader.judge().text(""), reading.language);
    object.insert("probability".to_owned(), Value::Null);
    let evidence = went_by(rule, reading);
    let evidence =
        evidence.into_iter().map(|(source, said)| json!({ "source": source, "said": said }));
    object.insert("language_evidence".to_owned(), evidence.collect());
    object
}

/// The part on the language.
pub fn language_json(verdict: &Verdict, language: Option<Language>) -> Map<String, Value> {
    let shares = verdict.languages.iter().map(|share| {
        json!({
            "language": share.language.as_str(),
            "share": rounded(share.share),
            "probability": rounded(share.probability),
        })
    });
    let hints = verdict.hints.iter().map(|hint| {
        let languages: Vec<&str> =
            hint.languages.iter().map(|language| language.as_str()).collect();
        json!({ "source": hint.source, "said": hint.said, "languages": languages })
    });
    let mut object = Map::new();
    object.insert("language".to_owned(), language.map_or(Value::Null, |l| Value::from(l.as_str())));
    object.insert("probability".to_owned(), rounded(verdict.probability));
    object.insert("languages".to_owned(), shares.collect());
    object.insert("language_evidence".to_owned(), hints.collect());
    object.insert("script".to_owned(), verdict.script.map_or(Value::Null, Value::from));
    object
}

fn rounded(number: f32) -> Value {
    Value::from((f64::from(number) * 1e4).round() / 1e4)
}

fn evidence_json(evidence: &CharsetEvidence) -> Value {
    json!({
        "source": evidence.source.name(),
        "label": evidence.label,
        "charset": evidence.charset.map(|charset| charset.name()),
        "fits": evidence.fits,
        "certainty": evidence.certainty.map(rounded),
    })
}

/// Words on each side of a link that are shown.
const AROUND: usize = 10;

/// The links as text, since there may be a million of them.
fn links_json(
    reader: &Reader,
    decoding: &Decoding,
    document: &Document,
    address: Option<&Address>,
) -> String {
    // Where nobody says where the page was found, it may say so itself.
    let own = || document.base().and_then(|base| Address::parse(base).ok());
    let mut base = address.cloned().or_else(own).map(|address| {
        let base = Base::new(&address, decoding.encoding());
        match document.base() {
            Some(href) => base.with_href(href),
            None => base,
        }
    });
    let mut show = |link: &Link| {
        let href = document.href(link);
        let url = match &mut base {
            Some(base) => base.resolve(href).ok(),
            None => Address::parse(href).ok(),
        };
        // A short link can lead to a long URL, and a page has a million of them.
        let url = url.filter(|url| url.path.len() <= Limits::default().length);
        let anchor = document.anchor(link);
        let language = reader.judge().anchor(anchor).map(|(language, _)| language.to_string());
        let mut object = json!({ "href": href, "anchor": anchor, "kind": kind_name(link.kind) });
        let fields = object.as_object_mut().expect("an object");
        fields.insert("anchor_language".to_owned(), language.map_or(Value::Null, Value::from));
        if let Some(url) = url {
            fields.insert("url".to_owned(), Value::from(url.to_string()));
        }
        if !document.rel(link).is_empty() {
            fields.insert("rel".to_owned(), Value::from(document.rel(link)));
        }
        if let Some(hreflang) = document.hreflang(link) {
            fields.insert("hreflang".to_owned(), Value::from(hreflang));
        }
        let (before, behind) = document.around(link, AROUND);
        fields.insert("before".to_owned(), Value::from(before));
        fields.insert("behind".to_owned(), Value::from(behind));
        fields.insert("region".to_owned(), Value::from(link.region.name()));
        fields.insert("path".to_owned(), Value::from(document.path(link)));
        object
    };
    let mut links = "[".to_owned();
    for (number, link) in document.links().iter().enumerate() {
        links += if number == 0 { "" } else { "," };
        links += &show(link).to_string();
    }
    links + "]"
}

fn kind_name(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Anchor => "a",
        LinkKind::Area => "area",
        LinkKind::Frame => "frame",
        LinkKind::Iframe => "iframe",
        LinkKind::Head => "link",
        LinkKind::Refresh => "refresh",
    }
}

/// The part on topics.
pub fn topics_json(reader: &Reader, scores: &[TopicScore]) -> Value {
    let both = reader.topics().iter().zip(scores);
    let show = both.map(|(topic, score)| {
        json!({
            "topic": topic.name,
            "score": score.score,
            "relevant": score.relevant,
            "cosine": score.cosine,
            "words": score.words,
        })
    });
    show.collect()
}
