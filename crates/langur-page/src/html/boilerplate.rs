//! The main text of a page, without its boilerplate.
//!
//! The decision tree over the share of linked text and the number of words of a block and of its
//! neighbours, after Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text
//! Features* (WSDM 2010, algorithm 2). It was trained on English news and holds for other languages as
//! far as their words can be counted; where words are not set apart, letters are counted instead.

use super::document::Block;
use super::tag::Region;

pub(super) fn main_text(text: &str, blocks: &[Block]) -> String {
    let shapes: Vec<Shape> = blocks.iter().map(|block| Shape::of(text, block)).collect();
    let mut main = String::new();
    for (at, block) in blocks.iter().enumerate() {
        let before = at.checked_sub(1).map_or(Shape::NOTHING, |before| shapes[before]);
        let behind = shapes.get(at + 1).copied().unwrap_or(Shape::NOTHING);
        let aside = matches!(block.region, Region::Navigation | Region::Footer | Region::Aside);
        if !aside && is_content(before, shapes[at], behind) {
            main.push_str(block.text.of(text));
            main.push('\n');
        }
    }
    main.truncate(main.trim_end().len());
    main
}

#[derive(Clone, Copy)]
struct Shape {
    words: usize,
    linked: f64,
}

impl Shape {
    const NOTHING: Shape = Shape { words: 0, linked: 0.0 };

    fn of(text: &str, block: &Block) -> Shape {
        let text = block.text.of(text);
        Shape { words: words(text), linked: f64::from(block.linked) / text.len().max(1) as f64 }
    }
}

/// The tree as published.
fn is_content(before: Shape, this: Shape, behind: Shape) -> bool {
    if this.linked > 0.333333 {
        return false;
    }
    if before.linked <= 0.555556 {
        this.words > 16 || behind.words > 15 || before.words > 4
    } else {
        this.words > 40 || behind.words > 17
    }
}

/// The number of words; three letters count as one where words are not set apart.
pub(super) fn words(text: &str) -> usize {
    let mut words = 0;
    let mut unspaced = 0;
    let mut inside = false;
    for letter in text.chars() {
        if is_unspaced(letter) {
            unspaced += 1;
            inside = false;
        } else {
            let alphanumeric = letter.is_alphanumeric();
            words += usize::from(alphanumeric && !inside);
            inside = alphanumeric || (inside && !letter.is_whitespace());
        }
    }
    words + unspaced / 3
}

/// A letter of a script that is written without spaces between words.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}'       // Thai, Lao
        | '\u{0f00}'..='\u{0fff}'     // Tibetan
        | '\u{1000}'..='\u{109f}'     // Myanmar
        | '\u{1780}'..='\u{17ff}'     // Khmer
        | '\u{3040}'..='\u{30ff}'     // kana
        | '\u{3400}'..='\u{9fff}'     // han
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_counted_with_and_without_spaces() {
        assert_eq!(words("It's a  well-kept house, no?"), 5);
        assert_eq!(words("ภาษาไทย"), 2);
        assert_eq!(words(""), 0);
    }
}
