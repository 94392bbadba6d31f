//! What holds for any bytes.

use encoding_rs::Encoding;
use langur_page::{Charset, Source, decide};
use proptest::prelude::*;

const ENCODINGS: [&str; 38] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "utf-16be",
    "utf-16le",
];

/// Characters that legacy charsets have in common with Unicode, a few of each script.
fn character() -> impl Strategy<Value = char> {
    prop::sample::select(
        "abz AZ09.,éèüñßøłőžşğıčćабвяжѕіґאבגתءابتثกขคมานγδπωáưđ日本語中文國学的あいうアイウ한국어가나다"
            .chars()
            .collect::<Vec<_>>(),
    )
}

proptest! {
    #[test]
    fn never_panics_and_decodes_something(bytes in prop::collection::vec(any::<u8>(), 0..600), label in "[a-z0-9-]{0,12}") {
        let decision = decide(&bytes, Some(&format!("text/html; charset={label}")));
        let text = decision.decode(&bytes);
        prop_assert!(bytes.len() < 8 || !text.is_empty());
        prop_assert!(decision.evidence.iter().all(|e| e.certainty.is_none_or(|c| (0.0..=1.0).contains(&c))));
    }

    #[test]
    fn never_panics_near_markup(page in "(<[!?/]?[a-z-]{0,5}[ =\"'/>a-z0-9]{0,12}|-->|\\x1b\\$[B)]|~\\{|\\x0e|[é語]){0,40}") {
        decide(page.as_bytes(), None).decode(page.as_bytes());
    }

    #[test]
    fn every_charset_decodes_anything(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for label in ["johab", "euc-tw", "iso-2022-kr", "iso-2022-cn", "hz", "viscii", "cp855", "utf-32le", "utf-32be"] {
            Charset::for_label(label).expect("a charset of ours").decode(&bytes);
        }
    }

    #[test]
    fn what_was_encoded_is_decoded(text in prop::collection::vec(character(), 0..60), which in 0..ENCODINGS.len()) {
        let encoding = Encoding::for_label(ENCODINGS[which].as_bytes()).expect("an encoding of the standard");
        // Text of the charset's repertoire only.
        let text: String = text.into_iter().filter(|c| !encoding.encode(c.encode_utf8(&mut [0; 4])).2).collect();
        let bytes = match ENCODINGS[which] {
            "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => encoding.encode(&text).0.into_owned(),
        };
        let charset = Charset::for_label(ENCODINGS[which]).expect("a charset of ours");
        prop_assert_eq!(charset.decode(&bytes), text);
    }

    #[test]
    fn utf_8_is_utf_8(text in "\\PC{20,200}") {
        let decision = decide(text.as_bytes(), None);
        if !text.contains('\0') && !text.contains("~{") {
            prop_assert_eq!(decision.charset, Charset::UTF_8);
            prop_assert_eq!(decision.decode(text.as_bytes()), text.as_str());
        }
    }

    #[test]
    fn ascii_is_not_mislabelled(text in "[ -}\\n]{0,200}", which in 0..36usize) {
        let decision = decide(text.as_bytes(), Some(&format!("text/plain;charset={}", ENCODINGS[which])));
        prop_assert!(!decision.mislabelled);
        prop_assert_eq!(decision.decode(text.as_bytes()), text.as_str());
        let alone = decide(b"plain", None);
        prop_assert_eq!(alone.evidence[0].source, Source::Fallback);
    }
}
