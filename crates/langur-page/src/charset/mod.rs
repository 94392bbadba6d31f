//! From bytes to text: which charset a page is in.
//!
//! [`decide`] collects what is said about the charset (byte order mark, HTTP, META, XML declaration)
//! and what the bytes say themselves, keeps all of it as evidence, and chooses: what is said, in the
//! order of browsers, unless the bytes contradict it. The page is read as bytes only; text is made
//! once, by [`Decoding::decode`], and never stored.

mod detect;
mod distinct;
mod escapes;
mod frequency;
mod legacy;
mod legacy_tables;
mod meta;
mod multibyte;
mod name;
mod singlebyte;
mod wide;

pub use name::Charset;

use detect::{Ranking, rank, read_as};
use encoding_rs::{
    Encoding, GB18030, ISO_2022_JP, ISO_8859_2, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252,
    WINDOWS_1254,
};
use multibyte::Reading;
use std::borrow::Cow;

/// Which charset a page is in, and why.
#[derive(Clone, Debug)]
pub struct Decoding {
    /// The charset to decode the page with.
    pub charset: Charset,
    /// All that was said and found, in the order of browsers.
    pub evidence: Vec<CharsetEvidence>,
    /// Whether the label a browser would have followed gives another text, or none is a charset's.
    pub mislabelled: bool,
}

/// One thing that was said or found about the charset of a page.
#[derive(Clone, Debug)]
pub struct CharsetEvidence {
    /// Who says it.
    pub source: Source,
    /// As it was found: a label in the page's own words, or the name of what was detected.
    pub label: String,
    /// The charset it names, if it names one.
    pub charset: Option<Charset>,
    /// Whether the bytes are text in that charset, a few broken ones apart.
    pub fits: bool,
    /// How sure the detection is, from 0 to 1; labels do not say.
    pub certainty: Option<f32>,
}

/// Who says what charset a page is in, in the order of browsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The byte order mark.
    Bom,
    /// The `Content-Type` of the response.
    Http,
    /// A META element of the page.
    Meta,
    /// The XML declaration.
    Xml,
    /// The bytes themselves: UTF-8, escapes, zeros or statistics.
    Detected,
    /// Nobody; any would do, since the page is ASCII.
    Fallback,
}

impl Source {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Source::Bom => "bom",
            Source::Http => "http",
            Source::Meta => "meta",
            Source::Xml => "xml",
            Source::Detected => "detected",
            Source::Fallback => "fallback",
        }
    }
}

impl Decoding {
    /// The page as text, without its byte order mark. Borrowed when it is UTF-8 already.
    pub fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        let mark = bom(bytes).filter(|(charset, _)| charset.reads_like(self.charset));
        self.charset.decode(&bytes[mark.map_or(0, |(_, length)| length)..])
    }

    /// The encoding that queries of the page's links are written in.
    pub fn encoding(&self) -> &'static Encoding {
        self.charset.encoding()
    }
}

/// Chooses the charset of a page from its bytes and the `Content-Type` it came with.
pub fn decide(bytes: &[u8], content_type: Option<&str>) -> Decoding {
    let declared = meta::scan(bytes);
    let in_script = declared.in_script;
    let mut claims = claims(bytes, content_type, declared);
    let found = Found::of(bytes, &claims);
    if in_script {
        // Browsers believe it, but nobody said it of this page.
        claims.retain(|claim| claim.source != Source::Meta || found.agrees(claim.charset));
    }
    // A page may say the same thousands of times, and need not be read for each.
    let mut known: Vec<(Charset, bool)> = Vec::new();
    for claim in &mut claims {
        let Some(charset) = claim.charset else { continue };
        let before = known.iter().find(|(of, _)| *of == charset).map(|(_, fits)| *fits);
        claim.fits = before.unwrap_or_else(|| found.fits(bytes, charset));
        if before.is_none() {
            known.push((charset, claim.fits));
        }
    }
    let chosen = (claims.iter())
        .filter(|claim| claim.fits || found.is_broken())
        .find_map(|claim| claim.charset.filter(|charset| !found.contradicts(*charset)))
        .unwrap_or_else(|| found.charset());
    // A browser follows the first label that names a charset.
    let followed = claims.iter().find_map(|claim| claim.charset);
    let mislabelled = match followed {
        Some(charset) => !found.reads_same(charset, chosen),
        None => !claims.is_empty() && !matches!(found, Found::Ascii),
    };
    let mut evidence = claims;
    evidence.push(found.evidence());
    Decoding { charset: chosen, evidence, mislabelled }
}

/// What is said about the charset, in the order of browsers.
fn claims(
    bytes: &[u8],
    content_type: Option<&str>,
    declared: meta::Declared,
) -> Vec<CharsetEvidence> {
    let claim = |source, label: String, charset| CharsetEvidence {
        source,
        label,
        charset,
        fits: false,
        certainty: None,
    };
    let mut claims = Vec::new();
    if let Some((charset, _)) = bom(bytes) {
        claims.push(claim(Source::Bom, charset.name().into(), Some(charset)));
    }
    if let Some(label) = content_type.and_then(|value| meta::charset_in(value.as_bytes())) {
        let charset = Charset::for_label(&label);
        claims.push(claim(Source::Http, label, charset));
    }
    for (source, label) in (declared.meta.into_iter().map(|label| (Source::Meta, label)))
        .chain(declared.xml.into_iter().map(|label| (Source::Xml, label)))
    {
        // The label was read as ASCII, so the page cannot be what it says (HTML § 13.2.3.2).
        // A whole Content-Type is a mistake for a charset, but a clear one.
        let charset = Charset::for_label(&label)
            .or_else(|| Charset::for_label(&meta::charset_in(label.as_bytes())?))
            .map(|charset| if charset.is_ascii_compatible() { charset } else { Charset::UTF_8 });
        claims.push(claim(source, label, charset));
    }
    claims
}

/// The charset of a byte order mark, and its length.
fn bom(bytes: &[u8]) -> Option<(Charset, usize)> {
    Some(match bytes {
        [0xef, 0xbb, 0xbf, ..] => (Charset::UTF_8, 3),
        // Before UTF-16, whose mark it begins with: no text begins with U+0000.
        [0xff, 0xfe, 0, 0, ..] => (Charset::UTF_32LE, 4),
        [0, 0, 0xfe, 0xff, ..] => (Charset::UTF_32BE, 4),
        [0xff, 0xfe, ..] => (UTF_16LE.into(), 2),
        [0xfe, 0xff, ..] => (UTF_16BE.into(), 2),
        [0x84, 0x31, 0x95, 0x33, ..] => (GB18030.into(), 4),
        _ => return None,
    })
}

/// What the bytes say.
enum Found {
    /// Nothing but ASCII, which most charsets read alike.
    Ascii,
    /// A charset that shows by its form: UTF-8, UTF-16, UTF-32, or one with escapes.
    Form(Charset),
    /// Statistics.
    Ranking(Box<Ranking>),
}

/// How much better another charset must read before a label that fits is not believed. In bits.
const CONTRADICTION: u64 = 30;
/// And in tenths of a bit for each byte that is not ASCII. Charsets of one script read alike but for
/// a few letters; another script, or two bytes a character, reads shorter by several bits a byte.
const CONTRADICTION_TENTHS: u64 = 8;

/// ISO-8859-1 and windows-1252 are what editors and servers write when nobody chose: against them
/// less is enough, in all and in the letters that are not shared, for the charsets whose pages are
/// labelled so by mistake every day. (Not for Baltic ones: they read Friulian and Sicilian well.)
const DEFAULT_CONTRADICTION: u64 = 14;
const DEFAULT_CONTRADICTION_OWN: u64 = 8;
const LABELLED_BY_DEFAULT: [&Encoding; 3] = [WINDOWS_1250, ISO_8859_2, WINDOWS_1254];

impl Found {
    fn of(bytes: &[u8], claims: &[CharsetEvidence]) -> Found {
        if let Some((charset, _)) = bom(bytes)
            && !charset.is_ascii_compatible()
        {
            return Found::Form(charset);
        }
        let escaped = memchr::memchr3(0x1b, 0x0e, b'~', bytes).is_some();
        if escaped && let Some(charset) = escapes::detect(bytes, detect::multibyte_tables) {
            return Found::Form(charset);
        }
        let valid = Encoding::utf8_valid_up_to(bytes);
        let has_zero = memchr::memchr(0, bytes).is_some();
        if (has_zero || valid < bytes.len())
            && let Some(charset) = wide::detect(bytes)
        {
            return Found::Form(charset);
        }
        if valid == bytes.len() {
            return match bytes.is_ascii() {
                true => Found::Ascii,
                // A word or two of Chinese may look like UTF-8 by chance; then the label counts.
                false if is_brief_double_byte(bytes, claims) => {
                    Found::Ranking(Box::new(rank(bytes)))
                }
                false => Found::Form(Charset::UTF_8),
            };
        }
        if wide::is_damaged_utf_8(&wide::read_utf_8(bytes)) {
            return Found::Form(Charset::UTF_8);
        }
        Found::Ranking(Box::new(rank(bytes)))
    }

    fn charset(&self) -> Charset {
        match self {
            Found::Ascii => Charset::UTF_8,
            Found::Form(charset) => *charset,
            Found::Ranking(ranking) => ranking.best().charset,
        }
    }

    fn evidence(&self) -> CharsetEvidence {
        let (source, certainty) = match self {
            Found::Ascii => (Source::Fallback, None),
            Found::Form(_) => (Source::Detected, Some(1.0)),
            Found::Ranking(ranking) => (Source::Detected, Some(ranking.certainty())),
        };
        let charset = self.charset();
        CharsetEvidence {
            source,
            label: charset.name().into(),
            charset: Some(charset),
            fits: true,
            certainty,
        }
    }

    /// Whether the bytes are text in a charset.
    fn fits(&self, bytes: &[u8], charset: Charset) -> bool {
        match self {
            Found::Ascii => charset.is_ascii_compatible(),
            Found::Form(found) if found.reads_like(charset) => true,
            Found::Form(found) if !found.is_ascii_compatible() => false,
            _ if !charset.is_ascii_compatible() => false,
            Found::Ranking(ranking) if charset != Charset::UTF_8 => match ranking.of(charset) {
                Some(ranked) => ranked.reading.fits(),
                None => read_as(bytes, charset).fits(),
            },
            _ => read_as(bytes, charset).fits(),
        }
    }

    /// Whether the bytes are no text in any charset: pages are patched together from several. Then
    /// a label is as good as statistics.
    fn is_broken(&self) -> bool {
        matches!(self, Found::Ranking(ranking) if !ranking.best().reading.fits())
    }

    /// Whether the bytes speak against a charset though they are valid in it.
    fn contradicts(&self, charset: Charset) -> bool {
        match self {
            Found::Ascii => false,
            Found::Form(found) => !found.reads_like(charset),
            Found::Ranking(ranking) => {
                let Some(said) = ranking.of(charset) else { return false };
                let best = ranking.best();
                let excess = said.bits.saturating_sub(best.bits);
                let by_default = charset.is(WINDOWS_1252)
                    && LABELLED_BY_DEFAULT.iter().any(|encoding| best.charset.is(encoding));
                let (enough, enough_own) = match by_default {
                    true => (DEFAULT_CONTRADICTION, DEFAULT_CONTRADICTION_OWN),
                    false => (CONTRADICTION, CONTRADICTION),
                };
                excess > enough
                    && excess * 10 > CONTRADICTION_TENTHS * ranking.high()
                    // Else the languages differ, not the charsets.
                    && ranking.excess(said, best) > enough_own as i64
            }
        }
    }

    /// Whether the bytes alone give the text that a charset gives.
    fn agrees(&self, charset: Option<Charset>) -> bool {
        charset.is_some_and(|charset| self.reads_same(charset, self.charset()))
    }

    fn reads_same(&self, said: Charset, chosen: Charset) -> bool {
        match self {
            Found::Ascii => said.is_ascii_compatible() == chosen.is_ascii_compatible(),
            Found::Form(_) => said.reads_like(chosen),
            Found::Ranking(ranking) => ranking.difference(said, chosen) == 0,
        }
    }
}

/// At most two characters of UTF-8, in a page said to be in a charset of two bytes a character.
fn is_brief_double_byte(bytes: &[u8], claims: &[CharsetEvidence]) -> bool {
    let said = claims.iter().find_map(|claim| claim.charset);
    let Some(said) = said.filter(|said| !said.is(ISO_2022_JP)) else { return false };
    detect::multibyte_tables().iter().any(|table| table.charset.reads_like(said))
        && wide::read_utf_8(bytes).characters <= 2
        && {
            let reading: Reading = read_as(bytes, said);
            reading.odd == 0 && reading.bits <= 12 * reading.characters
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS, WINDOWS_874, WINDOWS_1251};

    const THAI: &str = "ประเทศไทยมีประชากรมากกว่าหกสิบล้านคน และมีภาษาไทยเป็นภาษาราชการ";
    const JAPANESE: &str = "日本語のページを集めるには、文字コードを正しく判定しなければならない。";
    const KOREAN: &str = "한국어로 쓰인 웹 페이지를 모으려면 문자 집합을 올바르게 알아내야 한다.";
    const SIMPLIFIED: &str = "要收集中文网页，首先必须正确判断网页所使用的字符编码。";
    const TRADITIONAL: &str = "要蒐集中文網頁，首先必須正確判斷網頁所使用的字元編碼。";
    const RUSSIAN: &str = "Чтобы собирать страницы на русском языке, нужно знать их кодировку.";

    fn samples() -> [(&'static str, &'static Encoding); 7] {
        [
            (THAI, WINDOWS_874),
            (JAPANESE, SHIFT_JIS),
            (JAPANESE, EUC_JP),
            (KOREAN, EUC_KR),
            (SIMPLIFIED, GBK),
            (TRADITIONAL, BIG5),
            (RUSSIAN, WINDOWS_1251),
        ]
    }

    #[test]
    fn one_sentence_is_enough() {
        for (text, encoding) in samples() {
            let bytes = encoding.encode(text).0;
            let decision = decide(&bytes, None);
            assert_eq!(decision.decode(&bytes), text);
            assert!(!decision.mislabelled);
            assert_eq!(decision.evidence.last().map(|e| e.source), Some(Source::Detected));
        }
    }

    #[test]
    fn wrong_labels_are_overridden_and_said_to_be_wrong() {
        for (text, encoding) in samples() {
            let bytes = encoding.encode(text).0;
            for label in
                ["ISO-8859-1", "utf-8", "x-user-defined", "bogus", "windows-1252", "utf-16"]
            {
                let decision = decide(&bytes, Some(&format!("text/html; charset={label}")));
                assert_eq!(decision.decode(&bytes), text, "{label}");
                assert!(decision.mislabelled, "{label}");
                assert_eq!(decision.evidence[0].label, label);
            }
        }
        let decision = decide(JAPANESE.as_bytes(), Some("text/html; charset=Shift_JIS"));
        assert_eq!((decision.charset, decision.mislabelled), (Charset::UTF_8, true));
    }

    #[test]
    fn a_sentence_is_enough_against_the_label_that_nobody_chose() {
        for (text, encodings) in [
            (
                "Dün çok yağmur yağdı, bu yüzden pazara gidemedik. Bugün hava güzel, işte böyle.",
                &[WINDOWS_1254][..],
            ),
            ("Žádné zboží v košíku. Přihlášení uživatele.", &[WINDOWS_1250, ISO_8859_2]),
            ("Dziękujemy za odwiedziny i zapraszamy na naszą stronę.", &[WINDOWS_1250, ISO_8859_2]),
            ("Jučer je padala kiša pa nismo mogli na tržnicu.", &[WINDOWS_1250, ISO_8859_2]),
            ("Včeraj je močno deževalo, zato nismo mogli na tržnico.", &[WINDOWS_1250, ISO_8859_2]),
            (
                "A könyvtár délután ötig nyitva, kérjük, időben hozzák vissza a kölcsönzött könyveket; az esőről később.",
                &[WINDOWS_1250, ISO_8859_2],
            ),
            ("Mai multe informaţii despre serviciile noastre găsiţi aici.", &[ISO_8859_2]),
        ] {
            for encoding in encodings {
                let bytes = encoding.encode(text).0;
                for label in ["iso-8859-1", "windows-1252"] {
                    let decision = decide(&bytes, Some(&format!("text/html; charset={label}")));
                    assert_eq!(decision.decode(&bytes), text);
                    assert!(decision.mislabelled, "{text}");
                }
            }
        }
    }

    #[test]
    fn western_sentences_keep_their_label() {
        for text in [
            "Gestern hat es stark geregnet, daher konnten wir nicht über die Straße zum Käsemarkt.",
            "Müller",
            "Être ou ne pas être, c'est là où naît l'œuvre",
            "La señora compró piñas mañana",
            "Não há informações",
            "Kære gæster, på torsdag har vi åbent",
            "Þetta er íslenska, það er gott",
            "Perché la città è così bella?",
            "Visite à Kraków",
            "21° × 3 © Müller & Söhne – «Übergröße»",
        ] {
            let bytes = WINDOWS_1252.encode(text).0;
            let decision = decide(&bytes, Some("text/html; charset=iso-8859-1"));
            assert_eq!(decision.decode(&bytes), text);
            assert!(!decision.mislabelled, "{text}");
        }
    }

    /// A page of English, with something in a title and a list.
    fn page_of(text: &str, times: usize, label: Option<&str>) -> String {
        let meta = label.map_or(String::new(), |label| format!("<meta charset={label}>"));
        let items = format!("<li>{text}</li>\n").repeat(times);
        format!(
            "<html><head>{meta}<title>{text}</title></head><body><p>Welcome to our home page. Please click the \
             links below for more information.</p><ul>{items}</ul></body></html>"
        )
    }

    #[test]
    fn what_is_said_again_and_again_is_one_witness() {
        for (label, encoding, text) in [
            ("iso-8859-1", WINDOWS_1252, "Read more »"),
            ("iso-8859-1", WINDOWS_1252, "6 × 9 cm"),
            ("iso-8859-1", WINDOWS_1252, "640 × 480"),
            ("iso-8859-1", WINDOWS_1252, "niños"),
            ("iso-8859-1", WINDOWS_1252, "5 µm"),
            ("iso-8859-1", WINDOWS_1252, "ymweld â nhw"),
            ("iso-8859-1", WINDOWS_1252, "Departamento de Diseño"),
            ("iso-8859-1", WINDOWS_1252, "News · Sport"),
            ("iso-8859-1", WINDOWS_1252, "20 m²"),
            ("iso-8859-1", WINDOWS_1252, "½ cup"),
            ("iso-8859-1", WINDOWS_1252, "© Acme"),
            ("iso-8859-1", WINDOWS_1252, "¥100"),
            ("iso-8859-1", WINDOWS_1252, "Tromsø"),
            ("iso-8859-1", WINDOWS_1252, "§ 5"),
            ("windows-1252", WINDOWS_1252, "it’s"),
            ("windows-1252", WINDOWS_1252, "5 €"),
            ("windows-1250", WINDOWS_1250, "Izberi …"),
            ("big5", BIG5, "搜尋"),
            ("big5", BIG5, "留言板"),
            ("shift_jis", SHIFT_JIS, "検索"),
            ("tis-620", WINDOWS_874, "ข่าว"),
        ] {
            for times in [1, 3, 10, 100] {
                let page = page_of(text, times, Some(label));
                let bytes = encoding.encode(&page).0;
                let decision = decide(&bytes, None);
                assert_eq!(decision.decode(&bytes), page, "{}", decision.charset);
                assert!(!decision.mislabelled, "{text}");
            }
        }
    }

    #[test]
    fn a_few_signs_on_a_page_without_a_label_are_western() {
        for text in [
            "Home » News » Article » Page",
            "El Niño of 1998 was stronger than the El Niño of 1983, and then came La Niña",
            "Add 1½ cups of flour and ½ cup of sugar, and bake at 350° F",
            "Area 20 m², volume 3 m³",
            "Resolution 640 × 480, 800 × 600",
            "Home · News · Contact",
            "Dr. José Peña and Señora Muñoz",
            "Tromsø and Bodø",
            "Foto 10 × 15, 13 × 18, 20 × 30",
        ] {
            for label in [None, Some("utf-8"), Some("bogus")] {
                let page = page_of(text, 1, label);
                let bytes = WINDOWS_1252.encode(&page).0;
                let decision = decide(&bytes, None);
                assert_eq!(decision.decode(&bytes), page, "{}", decision.charset);
            }
        }
    }

    #[test]
    fn labels_that_mean_the_same_are_right() {
        for (text, encoding, labels) in [
            (THAI, WINDOWS_874, ["tis-620", "iso-8859-11", "windows-874"]),
            (JAPANESE, SHIFT_JIS, ["shift_jis", "cp932", "windows-31j"]),
            (KOREAN, EUC_KR, ["euc-kr", "cp949", "ks_c_5601-1987"]),
            (SIMPLIFIED, GBK, ["gb2312", "gbk", "gb18030"]),
        ] {
            let bytes = encoding.encode(text).0;
            for label in labels {
                let decision = decide(&bytes, Some(&format!("text/html;charset=\"{label}\"")));
                assert!(!decision.mislabelled, "{label}");
                assert_eq!(decision.decode(&bytes), text);
            }
        }
    }

    #[test]
    fn broken_bytes_are_tolerated() {
        for (text, encoding) in samples() {
            let mut bytes = encoding.encode(text).0.into_owned();
            bytes.extend_from_within(..);
            bytes.pop();
            bytes.extend(b"<p>\xff</p>");
            let decision = decide(&bytes, None);
            assert!(decision.charset.reads_like(encoding.into()), "{text}: {}", decision.charset);
        }
        let utf_8 = [JAPANESE.as_bytes(), b"\x93", THAI.as_bytes(), b"\xe3\x81"].concat();
        assert_eq!(decide(&utf_8, None).charset, Charset::UTF_8);
        assert!(!decide(&utf_8, Some("text/html; charset=utf-8")).mislabelled);
    }

    #[test]
    fn http_goes_before_meta_and_meta_counts_when_http_is_wrong() {
        let page = [b"<meta charset=euc-kr><p>".as_slice(), &EUC_KR.encode(KOREAN).0].concat();
        let decision = decide(&page, Some("text/html; charset=utf-8"));
        assert!(decision.charset.is(EUC_KR) && decision.mislabelled);
        let sources: Vec<Source> = decision.evidence.iter().map(|e| e.source).collect();
        assert_eq!(sources, [Source::Http, Source::Meta, Source::Detected]);
        assert_eq!(
            decision.evidence.iter().map(|e| e.fits).collect::<Vec<_>>(),
            [false, true, true]
        );
        assert!(!decide(&page, Some("text/html")).mislabelled);
    }

    #[test]
    fn western_labels_stay_with_a_few_odd_bytes() {
        let page = b"<p>Caf\xe9 cr\xe8me, d\xe9j\xe0 vu, gar\xe7on \x81 \xb7</p>";
        let decision = decide(page, Some("text/html; charset=iso-8859-1"));
        assert_eq!((decision.charset.name(), decision.mislabelled), ("windows-1252", false));
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let page = [b"\xef\xbb\xbf", THAI.as_bytes()].concat();
        assert_eq!(decide(&page, Some("text/html; charset=tis-620")).decode(&page), THAI);
        let wide: Vec<u8> = "\u{feff}kurz".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decide(&wide, None).decode(&wide), "kurz");
    }

    #[test]
    fn text_that_is_utf_8_is_borrowed() {
        let decision = decide(THAI.as_bytes(), None);
        assert!(matches!(decision.decode(THAI.as_bytes()), Cow::Borrowed(_)));
        assert_eq!(decide(b"\xff\xfea\0", None).encoding().name(), "UTF-8");
    }

    #[test]
    fn the_head_is_read_beyond_a_kilobyte() {
        let filler = "<script>if (a < b) document.write('<meta charset=big5>')</script>".repeat(40);
        let page =
            format!("<head>{filler}<!-- <meta charset=koi8-r> --><meta charset=tis-620></head>");
        let page = [page.as_bytes(), b"\xa1"].concat();
        assert_eq!(decide(&page, None).evidence[0].label, "tis-620");
    }

    /// To read the page for each label would take days.
    #[test]
    fn labels_that_are_said_again_and_again_are_tried_once() {
        let labels = r#"<meta charset="charset=utf-8">"#.repeat(100_000);
        let page = WINDOWS_874.encode(&format!("{labels}{}", THAI.repeat(50_000))).0.into_owned();
        let decision = decide(&page, None);
        assert_eq!((decision.charset.name(), decision.evidence.len()), ("windows-874", 100_001));
    }

    #[test]
    fn scripts_and_styles_say_nothing_of_the_charset() {
        for raw in [
            r#"<script>document.write("<meta charset=koi8-r>");</script>"#,
            "<style>/*<meta charset=koi8-r>*/</style>",
            "<title><meta charset=koi8-r></title>",
        ] {
            let page = format!("<head>{raw}</head><body>{THAI}");
            let page = WINDOWS_874.encode(&page).0;
            let decision = decide(&page, None);
            assert_eq!((decision.evidence.len(), decision.mislabelled), (1, false), "{raw}");
        }
    }

    #[test]
    fn quotes_and_signs_are_no_letters_of_words() {
        for text in [
            "Knižnica je otvorená od pondelka do piatku, vráťte požičané knihy načas.",
            "Komentáre Šport Auto Téma Čarovné Slovensko",
        ] {
            let bytes = ISO_8859_2.encode(text).0;
            assert_eq!(decide(&bytes, None).decode(&bytes), text);
        }
    }

    #[test]
    fn czech_is_not_read_as_its_own_mistakes() {
        for text in [
            "Včera hodně pršelo, takže jsme nemohli jít na trh. Dnes je krásně a půjdeme do parku.",
            "Knihovna má otevřeno do pěti hodin, prosíme, vracejte vypůjčené knihy včas, že.",
        ] {
            for encoding in [ISO_8859_2, WINDOWS_1250] {
                let bytes = encoding.encode(text).0;
                assert_eq!(decide(&bytes, None).decode(&bytes), text);
            }
        }
    }
}
