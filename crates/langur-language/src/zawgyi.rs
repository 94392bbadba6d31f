//! Burmese in the Zawgyi encoding, which gives other meanings to the code points of Unicode's.
//!
//! The two differ in what may stand where: in Unicode the vowel sign E (U+1031) and the medial Ra
//! (U+103C) follow their consonant, in Zawgyi they come before it; a virama (U+1039) joins two
//! consonants in Unicode and is the visible killer in Zawgyi; and Zawgyi uses code points beyond
//! U+105A that Unicode gave to other languages.

use langur_crawl::Language;

/// What Burmese in this encoding is called.
pub fn tag() -> Language {
    Language::parse("my-Qaag").expect("a tag of ours")
}

/// Whether a Burmese text is rather Zawgyi than Unicode.
pub fn is_likely(text: &str) -> bool {
    let (mut zawgyi, mut unicode) = (0u32, 0u32);
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let behind = letters.peek().copied().unwrap_or(' ');
        match letter {
            // Stacking needs a consonant behind, which the killer may have as well; without one there is no doubt.
            '\u{1039}' if is_consonant(behind) => unicode += 1,
            '\u{1039}' => zawgyi += 3,
            // Medial Ya follows its consonant; what Zawgyi writes there, Ra, comes before it.
            '\u{103b}' if !is_consonant(before) && is_consonant(behind) => zawgyi += 3,
            // The killer of Unicode is medial Ya in Zawgyi, which ends no syllable.
            '\u{103a}' if is_consonant(before) && !is_mark(behind) => unicode += 1,
            '\u{1031}' if is_consonant(before) || is_medial(before) => unicode += 1,
            '\u{1031}' if is_consonant(behind) || behind == '\u{103b}' => zawgyi += 2,
            '\u{1060}'..='\u{1097}' => zawgyi += 1,
            _ => {}
        }
        before = letter;
    }
    zawgyi > unicode
}

fn is_consonant(letter: char) -> bool {
    matches!(letter, '\u{1000}'..='\u{1021}' | '\u{103f}')
}

fn is_medial(letter: char) -> bool {
    matches!(letter, '\u{103b}'..='\u{103e}')
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{102b}'..='\u{103e}')
}

#[cfg(test)]
mod tests {
    use super::is_likely;

    #[test]
    fn the_two_encodings_are_told_apart() {
        // "Myanmar language": the same words in either encoding.
        assert!(!is_likely("မြန်မာဘာသာစကား ရေးသားခြင်း"));
        assert!(is_likely("ျမန္မာဘာသာစကား ေရးသားျခင္း"));
        assert!(!is_likely("ကျွန်တော်တို့ ကျောင်းသွားတယ်"));
        assert!(is_likely("ကၽြန္ေတာ္တို႔ ေက်ာင္းသြားတယ္"));
        assert!(!is_likely(""));
        for word in ["ျမန္မာႏိုင္ငံ", "ရန္ကုန္", "ျမန္မာ", "မဂၤလာပါ ျမန္မာႏိုင္ငံ သတင္းမ်ား"]
        {
            assert!(is_likely(word), "{word}");
        }
        for word in ["မြန်မာနိုင်ငံ", "ရန်ကုန်", "မန္တလေး", "ဗုဒ္ဓဘာသာ", "မင်္ဂလာပါ", "ဝန်ကြီးချုပ်"]
        {
            assert!(!is_likely(word), "{word}");
        }
    }
}
