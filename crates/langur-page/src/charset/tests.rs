//! How charsets are decided.

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
        for label in ["ISO-8859-1", "utf-8", "x-user-defined", "bogus", "windows-1252", "utf-16"] {
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
    assert_eq!(decision.evidence.iter().map(|e| e.fits).collect::<Vec<_>>(), [false, true, true]);
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
    let page = format!("<head>{filler}<!-- <meta charset=koi8-r> --><meta charset=tis-620></head>");
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
