//! `langur bench page`

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use langur_crawl::draw;
use langur_language::{Evidence, Judge, Memory};
use langur_page::decide;
use langur_page::html::{Attribute, Document, Sink, TextKind, tokenize};
use serde_json::json;

use crate::table::{Align, table};

/// Rounds measured; the fastest counts, since others are disturbed.
const ROUNDS: usize = 5;

/// Measures what reading a page costs: charset, links and text, language; against html5gum, the fastest
/// of the tokenizers one could use instead (docs/decisions/0007), which finds tags and does nothing with them.
#[derive(Args)]
pub struct Page {
    /// Pages to read; without any, synthetic ones are made
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Page {
    pub fn run(self) -> Result<()> {
        let pages = if self.files.is_empty() { synthetic() } else { read(&self.files)? };
        let decoded: Vec<String> =
            pages.iter().map(|page| decide(page, None).decode(page).into_owned()).collect();
        let texts: Vec<String> =
            decoded.iter().map(|page| Document::of(page).text().to_owned()).collect();
        let (judge, mut memory) = (Judge::new(), Memory::default());
        let size = |pages: &[String]| pages.iter().map(String::len).sum::<usize>() as f64;
        let (markup, text) = (size(&decoded), size(&texts));
        let raw = pages.iter().map(Vec::len).sum::<usize>() as f64;
        let results = [
            (
                "html5gum, tags alone",
                markup,
                fastest(|| decoded.iter().for_each(|page| html5gum(page))),
            ),
            (
                "langur, tags alone",
                markup,
                fastest(|| decoded.iter().for_each(|page| tokenize(page, &mut Nothing))),
            ),
            (
                "langur, links and text",
                markup,
                fastest(|| decoded.iter().for_each(|page| drop(black_box(Document::of(page))))),
            ),
            (
                "langur, charset",
                raw,
                fastest(|| pages.iter().for_each(|page| drop(black_box(decide(page, None))))),
            ),
            (
                "langur, language of the text",
                text,
                fastest(|| texts.iter().for_each(|text| judge_page(&judge, text, &mut memory))),
            ),
        ];
        let tokenizer = results[0].2;
        if self.json {
            let results: Vec<_> = results
                .iter()
                .map(|(name, bytes, seconds)| json!({ "what": name, "bytes": bytes, "seconds": seconds, "mb_per_second": bytes / seconds / 1e6, "ratio": seconds / tokenizer }))
                .collect();
            println!(
                "{}",
                json!({ "pages": pages.len(), "markup_bytes": markup, "text_bytes": text, "results": results })
            );
            return Ok(());
        }
        println!(
            "{} pages, {:.1} MB of markup, {:.1} MB of text",
            pages.len(),
            markup / 1e6,
            text / 1e6
        );
        let head =
            [("one core", Align::Left), ("MB/s", Align::Right), ("× html5gum", Align::Right)];
        let rows: Vec<Vec<String>> = results
            .iter()
            .map(|(name, bytes, seconds)| {
                vec![
                    (*name).to_owned(),
                    format!("{:.0}", bytes / seconds / 1e6),
                    format!("{:.2}", seconds / tokenizer),
                ]
            })
            .collect();
        println!("{}", table(&head, &rows));
        Ok(())
    }
}

fn fastest(mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let began = Instant::now();
        work();
        began.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(time).fold(f64::MAX, f64::min)
}

fn read(files: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    let read = |path: &PathBuf| {
        std::fs::read(path)
            .map_err(|error| anyhow::anyhow!("{} cannot be read: {error}", path.display()))
    };
    files.iter().map(read).collect()
}

struct Nothing;

impl<'h> Sink<'h> for Nothing {
    fn start_tag(&mut self, name: &'h str, attributes: &[Attribute<'h>], _: bool) {
        black_box((name, attributes));
    }
    fn end_tag(&mut self, name: &'h str) {
        black_box(name);
    }
    fn text(&mut self, text: &'h str, _: TextKind) {
        black_box(text);
    }
}

/// Judges a text as a crawl does, one of many.
fn judge_page(judge: &Judge, text: &str, memory: &mut Memory) {
    black_box(judge.page_with(Evidence { text, ..Evidence::default() }, memory));
}

fn html5gum(page: &str) {
    let see =
        |event: CallbackEvent<'_>, _: html5gum::Span<()>| -> Option<std::convert::Infallible> {
            black_box(&event);
            None
        };
    let mut emitter = CallbackEmitter::new(see);
    emitter.naively_switch_states(true);
    html5gum::Tokenizer::new_with_emitter(page, emitter).for_each(drop);
}

/// Pages like those of a news site: menus, scripts, links and paragraphs.
fn synthetic() -> Vec<Vec<u8>> {
    const WORDS: [&str; 24] = [
        "the",
        "river",
        "house",
        "of",
        "many",
        "colours",
        "was",
        "built",
        "by",
        "people",
        "who",
        "came",
        "ภาษา",
        "ไทย",
        "และ",
        "บ้าน",
        "der",
        "Fluss",
        "und",
        "das",
        "Haus",
        "les",
        "maisons",
        "blanches",
    ];
    let page = |number: u64| {
        let mut seed = number << 32;
        let mut word = || {
            seed += 1;
            WORDS[(draw(7, seed) % WORDS.len() as u64) as usize]
        };
        let mut page =
            String::from("<!DOCTYPE html><html lang=en><head><title>A page</title><style>");
        page.push_str(&".menu li a:hover { color: #336699; margin: 0 auto }\n".repeat(40));
        page.push_str("</style><script>");
        page.push_str(&"(function (w, d) { w.q = w.q || []; if (d.a < 3) { w.q.push([d, 1]); } })(window, document);\n".repeat(60));
        page.push_str("</script></head><body><ul class=\"menu\">");
        for item in 0..40 {
            page.push_str(&format!("<li class=\"item item-{item}\"><a href=\"/section/{item}?from=menu&amp;x={number}\">{} {}</a></li>\n", word(), word()));
        }
        page.push_str("</ul>");
        for paragraph in 0..20 {
            page.push_str(&format!("<div class=\"text\" id=\"p{paragraph}\"><p>"));
            for _ in 0..60 {
                page.push_str(word());
                page.push(' ');
            }
            page.push_str(&format!("<a href='../{paragraph}.html'>{}</a></p></div>\n", word()));
        }
        page.push_str("</body></html>");
        page.into_bytes()
    };
    (0..300).map(page).collect()
}
