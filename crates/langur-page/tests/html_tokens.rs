//! The tokenizer finds what a conforming one finds: on the html5lib suite, on real pages and on random
//! ones, against html5gum.

use std::collections::BTreeMap;

use html5gum::emitters::default::{DefaultEmitter, Token};
use langur_page::html::{Attribute, Sink, TextKind, tokenize};
use langur_testkit::shared;
use proptest::prelude::*;
use serde_json::Value;

/// A tag or text with references resolved; neighbouring text is one.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Start(String, BTreeMap<String, String>),
    End(String),
    Text(String),
}

#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn add_text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Text(before)) => before.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
    }
}

impl<'h> Sink<'h> for Pieces {
    fn start_tag(&mut self, name: &'h str, attributes: &[Attribute<'h>], _: bool) {
        let mut all = BTreeMap::new();
        for attribute in attributes {
            let value = htmlize::unescape_attribute(attribute.value).replace('\0', "\u{fffd}");
            all.entry(lower(attribute.name)).or_insert(value);
        }
        self.0.push(Piece::Start(lower(name), all));
    }

    fn end_tag(&mut self, name: &'h str) {
        self.0.push(Piece::End(lower(name)));
    }

    fn text(&mut self, text: &'h str, kind: TextKind) {
        match kind {
            TextKind::Plain => self.add_text(&htmlize::unescape(text)),
            TextKind::Raw | TextKind::Verbatim => self.add_text(text),
        }
    }
}

fn lower(name: &str) -> String {
    name.to_ascii_lowercase().replace('\0', "\u{fffd}")
}

/// The standard makes all ends of lines alike before anything else; what Langur keeps of a page does not
/// depend on them.
fn ours(html: &str) -> Vec<Piece> {
    let html = html.replace("\r\n", "\n").replace('\r', "\n");
    let mut pieces = Pieces::default();
    tokenize(&html, &mut pieces);
    pieces.0
}

fn theirs(html: &str) -> Vec<Piece> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut pieces = Pieces::default();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for Ok(token) in html5gum::Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => {
                let all = tag.attributes.iter();
                let all = all.map(|(name, value)| (text(name), text(value))).collect();
                pieces.0.push(Piece::Start(text(&tag.name), all));
            }
            Token::EndTag(tag) => pieces.0.push(Piece::End(text(&tag.name))),
            Token::String(string) => pieces.add_text(&text(&string)),
            _ => {}
        }
    }
    pieces.0
}

/// A NUL is replaced in some states and kept in others, which is of no interest here.
fn without_nul(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for piece in &mut pieces {
        if let Piece::Text(text) = piece {
            *text = text.replace(['\0', '\u{fffd}'], "");
        }
    }
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    pieces
}

#[track_caller]
fn compare(html: &str, what: &str) {
    let (ours, theirs) = (without_nul(ours(html)), without_nul(theirs(html)));
    if let Some(at) = (0..ours.len().max(theirs.len())).find(|&at| ours.get(at) != theirs.get(at)) {
        let cut =
            |piece: Option<&Piece>| format!("{piece:?}").chars().take(300).collect::<String>();
        let (ours, theirs) = (cut(ours.get(at)), cut(theirs.get(at)));
        panic!("{what}, piece {at}:\nours   {ours}\ntheirs {theirs}");
    }
}

/// Langur reads these two as markup on purpose.
fn renamed(html: &str) -> String {
    let html = html.replace("noscript", "nosxript").replace("NOSCRIPT", "NOSXRIPT");
    html.replace("noframes", "noxrames").replace("NoScript", "NoSxript")
}

#[test]
fn html5lib_suite() {
    let Some(files) = shared::archive("html/html-conformance.tar.zst") else { return };
    let (mut passed, mut elsewhere) = (0, 0);
    for (name, bytes) in files.iter().filter(|(name, _)| name.starts_with("tokenizer/")) {
        let suite: Value = serde_json::from_slice(bytes).expect("a suite");
        // The other kind of suite is about XML.
        let Some(tests) = suite.get("tests").and_then(Value::as_array) else { continue };
        for test in tests {
            let in_data = test.get("initialStates").is_none_or(|states| {
                states.as_array().is_some_and(|all| all.iter().any(|state| state == "Data state"))
            });
            // What is escaped twice holds lone surrogates, which no str can hold.
            if !in_data || test.get("doubleEscaped").is_some() {
                elsewhere += 1;
                continue;
            }
            let input = test["input"].as_str().expect("input");
            let expected = without_nul(expected(&test["output"]));
            assert_eq!(without_nul(ours(input)), expected, "{name}: {}", test["description"]);
            passed += 1;
        }
    }
    println!(
        "html5lib tokenizer: {passed} passed; {elsewhere} begin inside an element or are no text"
    );
    assert!(passed > 1000);
}

fn expected(output: &Value) -> Vec<Piece> {
    let mut pieces = Pieces::default();
    for token in output.as_array().expect("tokens") {
        let text = |at: usize| token[at].as_str().expect("text").to_owned();
        match text(0).as_str() {
            "StartTag" => {
                let all = token[2].as_object().expect("attributes").iter();
                let all = all
                    .map(|(name, value)| (name.clone(), value.as_str().expect("text").to_owned()));
                pieces.0.push(Piece::Start(text(1), all.collect()));
            }
            "EndTag" => pieces.0.push(Piece::End(text(1))),
            "Character" => pieces.add_text(&text(1)),
            _ => {}
        }
    }
    pieces.0
}

#[test]
fn trees_of_html5lib() {
    let Some(files) = shared::archive("html/html-conformance.tar.zst") else { return };
    let mut compared = 0;
    for (name, bytes) in files.iter().filter(|(name, _)| name.starts_with("tree-construction/")) {
        let text = String::from_utf8_lossy(bytes);
        for test in text.split("#data\n").skip(1) {
            let html = test.split("\n#errors").next().expect("there is always a first");
            compare(&renamed(html), name);
            compared += 1;
        }
    }
    println!("html5lib trees: {compared} pages");
    assert!(compared > 500);
}

#[test]
fn real_pages() {
    let Some(files) = shared::archive("webhosts/pages.tar.zst") else { return };
    let mut compared = 0;
    for (name, bytes) in files.iter().filter(|(name, _)| name.starts_with("pages/")) {
        compare(&renamed(&String::from_utf8_lossy(bytes)), name);
        compared += 1;
    }
    println!("{compared} home pages");
}

proptest! {
    #[test]
    fn random_pages(html in prop::collection::vec(fragment(), 0..40)) {
        compare(&html.concat(), "random");
    }
}

/// What pages are made of, and what breaks them.
fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "<",
            ">",
            "</",
            "/>",
            "<!--",
            "-->",
            "--!>",
            "<!",
            "<?",
            "<!-->",
            "<!--->",
            "--",
            "-",
            "<script>",
            "</script>",
            "<SCRIPT ",
            "</script ",
            "<style>",
            "</style>",
            "<title>",
            "</title>",
            "<textarea>",
            "</textarea",
            "<a href=",
            "<a href='",
            "<a href=\"",
            "'",
            "\"",
            "=",
            " ",
            "\n",
            "&amp;",
            "&lt",
            "&#x41;",
            "&notit;",
            "<plaintext>",
            "<xmp>",
            "</xmp>",
            "<iframe>",
            "</iframe>",
            "<![CDATA[",
            "]]>",
            "<!doctype html>",
            "/",
            "<p",
            "<br/>",
            "\0",
            "<a b c=d e='f' g=\"h\" b=2>",
            "</a x=y>",
            "</>",
            "</ >",
            "é",
            "ไทย",
            "=>",
            "a=b=c",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z <>/=\"'!-]{0,6}",
    ]
}
