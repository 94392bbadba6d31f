//! Letters: which script each is of, and its small form.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;
use langur_crawl::Language;
use memchr::memchr2;
use unicode_script::{Script, UnicodeScript};

use crate::han::Strange;

/// A script by its place in the list of those told apart; 0 is no letter.
pub type ScriptNumber = u8;

/// The scripts told apart. Kana, bopomofo and Chinese characters, which one line mixes, are one.
const SCRIPTS: [Script; 56] = [
    Script::Common,
    Script::Latin,
    Script::Cyrillic,
    Script::Greek,
    Script::Arabic,
    Script::Hebrew,
    Script::Han,
    Script::Hangul,
    Script::Thai,
    Script::Lao,
    Script::Khmer,
    Script::Myanmar,
    Script::Tibetan,
    Script::Devanagari,
    Script::Bengali,
    Script::Gurmukhi,
    Script::Gujarati,
    Script::Oriya,
    Script::Tamil,
    Script::Telugu,
    Script::Kannada,
    Script::Malayalam,
    Script::Sinhala,
    Script::Georgian,
    Script::Armenian,
    Script::Ethiopic,
    Script::Thaana,
    Script::Syriac,
    Script::Mongolian,
    Script::Cherokee,
    Script::Canadian_Aboriginal,
    Script::Ol_Chiki,
    Script::Tifinagh,
    Script::Nko,
    Script::Javanese,
    Script::Balinese,
    Script::Sundanese,
    Script::Meetei_Mayek,
    Script::Yi,
    Script::New_Tai_Lue,
    Script::Tai_Le,
    Script::Tai_Tham,
    Script::Cham,
    Script::Lepcha,
    Script::Limbu,
    Script::Adlam,
    Script::Chakma,
    Script::Buginese,
    Script::Vai,
    Script::Hanifi_Rohingya,
    Script::Gothic,
    Script::Coptic,
    Script::Tagalog,
    Script::Saurashtra,
    Script::Deseret,
    Script::Shavian,
];

/// What is known of every letter, looked up in a table.
pub struct Letters {
    /// Script in the upper half, small form in the lower, for the basic plane.
    table: Box<[u32]>,
    strange: Strange,
}

/// What is no letter.
pub const NO_LETTER: ScriptNumber = 0;
/// Latin letters.
pub const LATIN: ScriptNumber = 1;
/// Kana, bopomofo and Chinese characters.
pub const HAN: ScriptNumber = 6;
/// Korean letters.
pub const HANGUL: ScriptNumber = 7;
/// Burmese letters.
pub const MYANMAR: ScriptNumber = 11;
/// A letter of a script that is not told apart.
pub const OTHER: ScriptNumber = 200;
/// A mark that belongs to the letter before it, whatever its script.
pub const MARK: ScriptNumber = u8::MAX;

impl Letters {
    /// Fills the table.
    pub fn new() -> Letters {
        let table = (0..0x1_0000).map(|code| match char::from_u32(code) {
            Some(letter) => u32::from(script(letter)) << 16 | small(letter),
            None => 0,
        });
        Letters { table: table.collect(), strange: Strange::new() }
    }

    /// The script of a letter and its small form; script 0 for what is no letter.
    #[inline]
    pub fn of(&self, letter: char) -> (ScriptNumber, u32) {
        match self.table.get(letter as usize) {
            Some(&entry) => ((entry >> 16) as u8, entry & 0xffff),
            None => (script(letter), letter as u32),
        }
    }

    /// To which of [`crate::han::WRITERS`] a letter is strange, a bit each.
    #[inline]
    pub(crate) fn strange(&self, letter: u32) -> u8 {
        self.strange.of(letter)
    }
}

impl Default for Letters {
    fn default() -> Letters {
        Letters::new()
    }
}

/// A text as nearly all is written and the model has learned: letters with their accents in one, which some programs
/// write behind the letters, and in their usual form.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    // All letters of another form begin with this byte in UTF-8, and little else does.
    if memchr::memchr(0xef, text.as_bytes()).is_some() && text.chars().any(is_of_another_form) {
        return ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    }
    // All accents (U+0300 to U+036F) begin with one of these, and hardly anything else does.
    if memchr2(0xcc, 0xcd, text.as_bytes()).is_none() {
        return text.into();
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(text)
}

/// Whether a letter is another one in a form of its own: katakana of half a width and Latin letters of twice theirs, which
/// old Japanese pages have for lack of room, or for the looks of it; Arabic letters as they look within a word, which
/// programs write that do not join them; Latin ligatures.
fn is_of_another_form(letter: char) -> bool {
    matches!(letter,
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '\u{ff66}'..='\u{ff9f}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{fb00}'..='\u{fb06}')
}

/// Scripts that one language alone is written in, of which there is no text to learn from: the script says it all.
const ALONE: [(Script, &str); 15] = [
    (Script::Thaana, "dv"),
    (Script::Syriac, "syr"),
    (Script::Yi, "ii"),
    (Script::Javanese, "jv"),
    (Script::Balinese, "ban"),
    (Script::Sundanese, "su"),
    (Script::New_Tai_Lue, "khb"),
    (Script::Tai_Le, "tdd"),
    (Script::Tai_Tham, "nod"),
    (Script::Lepcha, "lep"),
    (Script::Limbu, "lif"),
    (Script::Adlam, "ff"),
    (Script::Chakma, "ccp"),
    (Script::Vai, "vai"),
    (Script::Hanifi_Rohingya, "rhg"),
];

/// Scripts of one language, with the language.
pub fn of_one_language() -> impl Iterator<Item = (ScriptNumber, Language)> {
    ALONE.iter().map(|(script, tag)| {
        let number = SCRIPTS.iter().position(|known| known == script);
        let number = number.expect("the script is told apart") as ScriptNumber;
        (number, Language::parse(tag).expect("a tag of ours"))
    })
}

/// The name of a script by ISO 15924, such as `Thai` or `Latn`; Japanese letters count as `Hani`.
pub fn script_name(number: ScriptNumber) -> &'static str {
    SCRIPTS.get(usize::from(number)).map_or("Zzzz", |script| script.short_name())
}

/// The script of that name.
pub fn script_number(name: &str) -> Option<ScriptNumber> {
    let number = SCRIPTS.iter().position(|script| script.short_name() == name)?;
    Some(number as ScriptNumber)
}

fn script(letter: char) -> ScriptNumber {
    match letter.script() {
        Script::Inherited => MARK,
        // The prolonged sound mark belongs to kana, which calls it common.
        Script::Common | Script::Unknown => {
            if letter == 'ー' {
                HAN
            } else {
                0
            }
        }
        Script::Hiragana | Script::Katakana | Script::Bopomofo | Script::Han => HAN,
        _ if letter.is_numeric() => 0,
        script => {
            let number = SCRIPTS.iter().position(|&known| known == script);
            number.map_or(OTHER, |number| number as ScriptNumber)
        }
    }
}

fn small(letter: char) -> u32 {
    let small = letter.to_lowercase().next().unwrap_or(letter) as u32;
    if small < 0x1_0000 { small } else { letter as u32 }
}
