//! What the default judge says, in sentences written for it.

use std::sync::LazyLock;

use langur_crawl::Language;
use langur_language::{Evidence, Judge};
use proptest::prelude::*;

static JUDGE: LazyLock<Judge> = LazyLock::new(Judge::new);

#[track_caller]
fn check(language: &str, text: &str) {
    let verdict = JUDGE.text(text);
    let found = verdict.language.map(|language| language.to_string());
    assert_eq!(found.as_deref(), Some(language), "{text}: {verdict:?}");
}

#[test]
fn scripts_of_one_language() {
    check("th", "วันนี้อากาศดีมาก เราไปเดินเล่นที่สวนสาธารณะกันเถอะ");
    check("lo", "ມື້ນີ້ອາກາດດີຫຼາຍ ພວກເຮົາໄປຍ່າງຫຼິ້ນຢູ່ສວນສາທາລະນະກັນເທາະ");
    check("km", "ថ្ងៃនេះអាកាសធាតុល្អណាស់ យើងទៅដើរលេងនៅសួនច្បារ");
    check("my", "ဒီနေ့ ရာသီဥတု ကောင်းတယ်၊ ပန်းခြံမှာ လမ်းလျှောက်ရအောင်");
    check("my-Qaag", "ဒီေန႔ ရာသီဥတု ေကာင္းတယ္၊ ပန္းၿခံမွာ လမ္းေလွ်ာက္ရေအာင္");
    check("ko", "오늘은 날씨가 아주 좋으니 공원에 산책하러 갑시다");
    check("el", "Σήμερα ο καιρός είναι πολύ καλός, πάμε μια βόλτα στο πάρκο");
    check("ka", "დღეს ძალიან კარგი ამინდია, წავიდეთ პარკში სასეირნოდ");
    check("hy", "Այսօր եղանակը շատ լավն է, գնանք զբոսնենք այգում");
    check("he", "היום מזג האוויר יפה מאוד, בוא נצא לטיול בפארק");
    check("dv", "ދިވެހިރާއްޖެ އަކީ ޖަޒީރާ ޤައުމެކެވެ");
    check("ta", "இன்று வானிலை மிகவும் நன்றாக இருக்கிறது, பூங்காவில் நடக்கலாம்");
}

#[test]
fn letters_of_another_width_are_the_same_letters() {
    check("ja", "ﾄｯﾌﾟﾍﾟｰｼﾞ");
    check("ja", "最新ﾆｭｰｽ ｶﾞｲﾄﾞ");
    check("en", "ＥＮＧＬＩＳＨ ＶＥＲＳＩＯＮ ＯＦ ＴＨＩＳ ＰＡＧＥ");
}

/// As programs write that do not join the letters of a word themselves.
#[test]
fn letters_in_the_forms_they_have_within_a_word() {
    check(
        "ar",
        "\u{fee3}\u{fead}\u{fea3}\u{fe92}\u{fe8e} \u{fe91}\u{fedc}\u{fee2} \u{fed3}\u{fef2} \u{fe8d}\u{fedf}\u{fee4}\u{feee}\u{fed7}\u{fecA} \u{fe8d}\u{fedf}\u{feae}\u{feb3}\u{fee4}\u{fef2}",
    );
    check("en", "the o\u{fb03}ce \u{fb01}nds its work di\u{fb03}cult and e\u{fb03}cient");
}

/// Checksums and genes.
#[test]
fn letters_that_are_no_text_are_in_no_language() {
    let digits = |number: u64| format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let sums: Vec<String> = (1..20).map(|number| digits(number) + &digits(number + 99)).collect();
    let gene = |number: u64| -> String {
        (0..24)
            .map(|at| char::from(b"ACGT"[(number.wrapping_mul(0x9e37_79b9) >> at) as usize % 4]))
            .collect()
    };
    let genes: Vec<String> = (1..40).map(gene).collect();
    for text in [sums[..9].join("\n"), sums.join("\n"), genes.join(" ")] {
        let verdict = JUDGE.text(&text);
        assert_eq!((verdict.language, verdict.languages.len()), (None, 0), "{text}: {verdict:?}");
    }
}

/// Links from a choice of languages.
#[test]
fn an_anchor_that_names_its_own_language_is_in_it() {
    for (anchor, language) in [
        ("Deutsch", "de"),
        ("Tiếng Việt", "vi"),
        (" Suomi", "fi"),
        ("Magyar", "hu"),
        ("norsk", "nb"),
    ] {
        let found = JUDGE.anchor(anchor).map(|(language, _)| language.to_string());
        assert_eq!(found.as_deref(), Some(language), "{anchor}");
    }
}

#[test]
fn chinese_characters() {
    check("ja", "今日は天気がとても良いので、公園へ散歩に行きましょう");
    check("zh-Hans", "今天天气很好，我们去公园散步吧，然后回家写作业");
    check("zh-Hant", "今天天氣很好，我們去公園散步吧，然後回家寫作業");
    check("zh-Hant", "香港特別行政區政府今日宣布新一輪紓困措施。");
    check("zh-Hant", "台灣高鐵公司宣布新措施");
    check("zh-Hant", "佢哋琴日喺香港食咗好多嘢，而家仲未肚餓。");
    check("zh-Hant", "公司簡介");
    check("zh-Hans", "联系我们");
    check("ja", "会社概要");
}

/// Characters that are of both forms are of the one that the page says.
#[test]
fn a_few_characters_of_both_forms_are_of_the_declared_one() {
    for text in ["台北市政府", "最新消息", "香港", "人民"] {
        for (declared, charset, form) in [
            (&["zh-TW"][..], "utf-8", "zh-Hant"),
            (&[], "big5", "zh-Hant"),
            (&["zh-CN"], "utf-8", "zh-Hans"),
        ] {
            let evidence =
                Evidence { text, declared, charset: Some(charset), ..Evidence::default() };
            let found = JUDGE.page(evidence).language.map(|language| language.to_string());
            assert_eq!(found.as_deref(), Some(form), "{text} {declared:?} {charset}");
        }
    }
    let text = "联系我们";
    let verdict = JUDGE.page(Evidence { text, declared: &["zh-TW"], ..Evidence::default() });
    assert_eq!(verdict.language.map(|l| l.to_string()).as_deref(), Some("zh-Hans"), "{verdict:?}");
}

/// Where no yat tells, words do.
#[test]
fn serbian_and_croatian_by_their_words() {
    check("sr-Latn", "Predsednik je juče razgovarao sa novinarima o ekonomiji.");
    check("hr", "Predsjednik je jučer razgovarao s novinarima o gospodarstvu.");
    check("hr", "Tijekom tjedna tvrtka je priopćila da nitko nije otpušten u siječnju.");
}

/// As some programs write them, with every accent behind its letter.
#[test]
fn accents_may_stand_behind_their_letters() {
    for (language, text) in [
        ("vi", "Hà Nội là thủ đô của nước Việt Nam và là một thành phố lớn"),
        ("de", "Über uns: wir würden gern mehr für Gäste tun, die länger bleiben möchten"),
    ] {
        let apart: String =
            icu_normalizer::DecomposingNormalizerBorrowed::new_nfd().normalize(text).into_owned();
        assert_ne!(apart, text);
        check(language, &apart);
        assert_eq!(JUDGE.text(&apart), JUDGE.text(text));
    }
}

/// A charset does not overrule the characters.
#[test]
fn traditional_characters_in_a_charset_for_simplified_ones() {
    let text = "今天天氣很好，我們決定和家人一起去公園散步。";
    let verdict = JUDGE.page(Evidence { text, charset: Some("gbk"), ..Evidence::default() });
    assert_eq!(verdict.language.map(|l| l.to_string()).as_deref(), Some("zh-Hant"), "{verdict:?}");
}

#[test]
fn neighbours_of_one_script() {
    check("hi", "आज मौसम बहुत अच्छा है, चलो पार्क में घूमने चलते हैं और बच्चों को भी साथ ले चलते हैं");
    check("mr", "आज हवामान खूप छान आहे, चला आपण बागेत फिरायला जाऊया आणि मुलांनाही घेऊन जाऊया");
    check("ne", "आज मौसम धेरै राम्रो छ, हामी बगैंचामा घुम्न जाऔं र बालबालिकालाई पनि लिएर जाऔं");
    check("ar", "الطقس جميل جدا اليوم، هيا نذهب في نزهة إلى الحديقة مع الأطفال");
    check("fa", "امروز هوا خیلی خوب است، بیا برویم در پارک قدم بزنیم و بچه‌ها را هم ببریم");
    check(
        "ur",
        "آج موسم بہت اچھا ہے، چلو پارک میں گھومنے چلتے ہیں اور بچوں کو بھی ساتھ لے چلتے ہیں",
    );
    check(
        "id",
        "Kami tidak bisa pergi karena kantor pemerintah sedang menyelesaikan beberapa masalah uang",
    );
    check(
        "ms",
        "Kami tidak boleh pergi kerana pejabat kerajaan sedang menyelesaikan beberapa masalah wang",
    );
    check(
        "da",
        "Jeg ved ikke, hvad hun sagde, men det var ikke noget, vi kunne bruge til noget i dag",
    );
    check("nb", "Jeg vet ikke hva hun sa, men det var ikke noe vi kunne bruke til noe i dag");
    check("nn", "Eg veit ikkje kva ho sa, men det var ikkje noko vi kunne bruke til noko i dag");
    check("sr", "Данас је веома лепо време, хајде да идемо у шетњу по парку са децом");
    check(
        "hr",
        "Tijekom tjedna vlak prometuje svakih sat vremena, a u siječnju i veljači rjeđe nego inače",
    );
    check("sr-Latn", "Predsednik Srbije izjavio je danas da će izbori biti održani na proleće.");
    check("sr-Latn", "Vlada je u sredu usvojila predlog zakona o bezbednosti na svim mestima.");
    check("nn", "Eg har lyst til å kjøpe ein billett til neste tog.");
    check("uk", "Сьогодні дуже гарна погода, ходімо гуляти до парку разом із дітьми");
    check("ru", "Сегодня очень хорошая погода, пойдём гулять в парк вместе с детьми");
    check("cs", "Dnes je velmi pěkné počasí, pojďme se projít do parku i s dětmi");
    check("sk", "Dnes je veľmi pekné počasie, poďme sa prejsť do parku aj s deťmi");
    check("pt", "Hoje o tempo está muito bom, vamos passear no parque com as crianças");
    check("es", "Hoy hace muy buen tiempo, vamos a pasear por el parque con los niños");
}

#[test]
fn there_are_more_than_a_hundred_languages() {
    let languages: Vec<String> = JUDGE.languages().map(|language| language.to_string()).collect();
    assert!(languages.len() >= 150, "{}", languages.len());
    let asked =
        "th lo km my ja zh-Hans zh-Hant ko hi mr ne sr hr bs id ms da nb fa ar ur vi tl de fr";
    for tag in asked.split(' ') {
        assert!(languages.iter().any(|language| language == tag), "{tag}");
    }
}

#[test]
fn nothing_is_told_from_nothing() {
    for text in ["", "12345", "— … !", "OK", "\u{0}\u{0}", "XJ-9"] {
        let verdict = JUDGE.text(text);
        assert_eq!(verdict.language, None, "{text:?}: {verdict:?}");
    }
}

#[test]
fn anchors_of_two_words() {
    let of = |anchor| JUDGE.anchor(anchor).map(|(language, _)| language.to_string());
    assert_eq!(of("หน้าแรก ข่าว").as_deref(), Some("th"));
    assert_eq!(of("Weitere Nachrichten").as_deref(), Some("de"));
    assert_eq!(of("お問い合わせ").as_deref(), Some("ja"));
    assert_eq!(of("лучшие новости").as_deref(), Some("ru"));
    assert_eq!(of("1 2 3"), None);
    for anchor in ["hello there", "Say hello", "privacy policy"] {
        assert_eq!(of(anchor).as_deref(), Some("en"), "{anchor}");
    }
    assert_eq!(of("صفحه اصلی").as_deref(), Some("fa"));
    for anchor in ["www.example.com", "info@example.com", "https://example.com/read-more"] {
        assert_eq!(of(anchor), None, "{anchor}");
    }
}

#[test]
fn mixed_pages_have_shares() {
    let thai = "ประเทศไทยมีประวัติศาสตร์อันยาวนาน และมีวัฒนธรรมที่หลากหลาย ".repeat(12);
    let english =
        "The history of the country is long, and its culture has many sources. ".repeat(8);
    let verdict = JUDGE.text(&format!("{thai}\n{english}"));
    let share = |tag: &str| {
        let of = verdict.languages.iter().find(|share| share.language.as_str() == tag);
        of.map_or(0.0, |share| share.share)
    };
    assert_eq!(verdict.language.map(|l| l.to_string()).as_deref(), Some("th"), "{verdict:?}");
    assert!((0.4..0.8).contains(&share("th")) && (0.2..0.6).contains(&share("en")), "{verdict:?}");
    let french =
        "Aujourd'hui il fait très beau, nous irons nous promener au parc avec les enfants. "
            .repeat(8);
    let verdict = JUDGE.text(&format!("{english}\n{french}"));
    let tags: Vec<String> =
        verdict.languages.iter().map(|share| share.language.to_string()).collect();
    assert!(tags.contains(&"en".to_owned()) && tags.contains(&"fr".to_owned()), "{verdict:?}");
}

#[test]
fn two_languages_of_one_script_have_shares() {
    let japanese = "今日は朝から雨が降っていたので、家で本を読みました。昼ごはんはカレーライスを作って食べました。\n";
    let chinese = "城市的快速发展改变了许多居住在这里的人的生活。政府表示明年将修建新的道路。\n";
    let in_sequence = [japanese.repeat(8), chinese.repeat(8)];
    for text in [
        in_sequence.concat(),
        in_sequence.iter().rev().cloned().collect(),
        [japanese, chinese].concat().repeat(8),
    ] {
        let verdict = JUDGE.text(&text);
        let shares: Vec<_> =
            verdict.languages.iter().map(|of| (of.language.as_str(), of.share)).collect();
        let of = |tag: &str| shares.iter().find(|of| of.0 == tag).map_or(0.0, |of| of.1);
        assert!(
            (0.2..0.8).contains(&of("ja")) && (0.2..0.8).contains(&of("zh-Hans")),
            "{shares:?}"
        );
    }
}

/// Paragraphs in turns, or one language after the other: what most is in is the page's language, unless that is English
/// beside a good deal of another.
#[test]
fn the_language_of_a_mixed_page_is_its_main_one() {
    let english = "The council decided on Tuesday to repair the old bridge before the winter. ";
    let french = "Le conseil a décidé mardi de réparer le vieux pont avant l'hiver prochain. ";
    let german =
        "Der Rat hat am Dienstag beschlossen, die alte Brücke vor dem Winter zu reparieren. ";
    let language = |text: &str| JUDGE.text(text).language.map(|language| language.to_string());
    let few = format!("{}{french}", english.repeat(9)).repeat(8);
    assert_eq!(language(&few).as_deref(), Some("en"));
    let half = format!("{english}{french}").repeat(30);
    assert_eq!(language(&half).as_deref(), Some("fr"));
    let in_sequence = JUDGE.text(&(german.repeat(30) + &english.repeat(10)));
    assert_eq!(in_sequence.language.map(|l| l.to_string()).as_deref(), Some("de"));
    let named = |tag: &str| in_sequence.languages.iter().any(|of| of.language.as_str() == tag);
    assert!(named("de") && named("en"), "{in_sequence:?}");
}

/// However often two languages take turns, both are met; but for some pages, since windows are few.
#[test]
fn languages_that_take_turns_are_both_named() {
    let french = "Le conseil a décidé mardi de réparer le vieux pont avant l'hiver prochain. ";
    let german = "Der Rat hat beschlossen, die alte Brücke vor dem Winter zu reparieren. ";
    let are_named = |sentences, turns| {
        let (french, german) = (french.repeat(sentences), german.repeat(sentences));
        let languages = JUDGE.text(&format!("{french}\n{german}\n").repeat(turns)).languages;
        let mut tags: Vec<&str> = languages.iter().map(|of| of.language.as_str()).collect();
        tags.sort_unstable();
        tags == ["de", "fr"]
    };
    let pages =
        [1, 2, 3, 5].into_iter().flat_map(|sentences| (2..=40).map(move |n| (sentences, n)));
    let missed: Vec<_> = pages.filter(|&(sentences, turns)| !are_named(sentences, turns)).collect();
    assert!(missed.len() < 156 / 20, "{missed:?}");
}

#[test]
fn saying_it_again_makes_nothing_surer() {
    for word in ["hello", "FAQ", "ha", "restaurant"] {
        let (once, thrice) = (JUDGE.text(word), JUDGE.text(&[word; 3].join(" ")));
        assert_eq!((once.language, once.probability), (thrice.language, thrice.probability));
    }
}

#[test]
fn brands_are_no_language() {
    let verdict =
        JUDGE.text("새로운 휴대전화가 오늘 출시되었습니다. Galaxy S21 Ultra LTE USB-C FAQ");
    let tags: Vec<&str> = verdict.languages.iter().map(|of| of.language.as_str()).collect();
    assert_eq!((tags, verdict.script), (vec!["ko"], Some("Hang")));
}

#[test]
fn what_a_page_declares_tips_the_scales() {
    let judge = |declared: &[&str], charset, domain| {
        let page =
            Evidence { text: "menu info portal", declared, charset, top_level_domain: domain };
        JUDGE.page(page)
    };
    let polish = judge(&["pl-PL"], Some("iso-8859-2"), Some("pl"));
    assert_eq!(polish.language.map(|l| l.to_string()).as_deref(), Some("pl"), "{polish:?}");
    assert_eq!(polish.hints.len(), 3);
    let against = Evidence {
        text: "Der schnelle braune Fuchs springt über den faulen Hund und läuft dann nach Hause",
        declared: &["en"],
        ..Evidence::default()
    };
    assert_eq!(JUDGE.page(against).language.map(|l| l.to_string()).as_deref(), Some("de"));
}

#[test]
fn urls_before_they_are_fetched() {
    let of = |url| JUDGE.url(url).language.map(|language| language.to_string());
    assert_eq!(of("http://www.matichon.co.th/").as_deref(), Some("th"));
    assert_eq!(of("https://example.com/de/nachrichten/politik.html").as_deref(), Some("de"));
    assert_eq!(
        of("https://example.org/%E0%B8%82%E0%B9%88%E0%B8%B2%E0%B8%A7").as_deref(),
        Some("th")
    );
    assert_eq!(
        of("https://www.lemonde.fr/economie/article/les-entreprises-francaises.html").as_deref(),
        Some("fr")
    );
    assert_eq!(of("http://192.0.2.1/"), None);
    // In letters or in Punycode.
    for url in ["http://ไทย.com/", "http://xn--o3cw4h.com/"] {
        assert_eq!(of(url).as_deref(), Some("th"), "{url}");
    }
    for (url, language) in [
        ("http://acme.com/thai/news.php", "th"),
        ("http://acme.com/japanese/", "ja"),
        ("http://acme.com/index_th.html", "th"),
        ("http://tw.acme.com/", "zh-Hant"),
        ("http://www.gov.hk/tc/", "zh-Hant"),
    ] {
        assert_eq!(of(url).as_deref(), Some(language), "{url}");
    }
}

#[track_caller]
fn check_url(url: &str, language: &str) {
    let told = JUDGE.url(url).language.map(|language| language.to_string());
    assert_eq!(told.as_deref(), Some(language), "{url}");
}

#[test]
fn urls_with_tags_and_names_of_languages() {
    check_url("https://example.com/zh-hant/x", "zh-Hant");
    check_url("https://example.com/zh-Hans/", "zh-Hans");
    check_url("https://zh-tw.example.com/", "zh-Hant");
    check_url("https://example.com/?hl=es-419", "es");
    check_url("https://www.firma.com/fr_CA/", "fr");
    check_url("https://example.com/sr-latn/", "sr-Latn");
    check_url("https://example.com/deutsch/", "de");
    check_url("https://example.com/suomi/index.html", "fi");
    check_url("https://example.com/%D1%80%D1%83%D1%81%D1%81%D0%BA%D0%B8%D0%B9", "ru");
    // The more precise of two decides how Chinese is written.
    check_url("https://zh.wikipedia.org/zh-tw/x", "zh-Hant");
    check_url("https://zh.wikipedia.org/zh-cn/x", "zh-Hans");
}

#[test]
fn a_part_of_a_path_that_names_a_language_is_taken_at_its_word() {
    check_url("https://www.bbc.com/hindi", "hi");
    check_url("https://www.rfa.org/khmer/", "km");
    check_url("https://www.voanews.com/lao", "lo");
    check_url("http://www.example.com/de/kontakt", "de");
    check_url("http://www.example.co.uk/fr/", "fr");
    check_url("https://example.com/index-th.htm", "th");
}

#[test]
fn sites_of_countries_that_do_business_in_english_are_in_english() {
    check_url("http://www.abc.co.in/products", "en");
    check_url("http://www.abc.com.pk/", "en");
    check_url("http://www.abc.co.in/hi/", "hi");
    check_url("http://www.abc.co.th/", "th");
}

#[test]
fn a_url_that_names_languages_without_end_takes_no_longer_than_others() {
    check_url(&format!("https://example.com{}", "/de".repeat(100_000)), "de");
}

#[test]
fn codes_in_urls_are_no_words() {
    check_url("https://www.ikea.com/de/de/", "de");
    check_url("https://www.ikea.com/th/th/", "th");
}

#[test]
fn an_english_word_in_the_host_yields_to_what_the_rest_says() {
    check_url("https://de.example.org/", "de");
    check_url("https://example.com/de-AT/produkte", "de");
    check_url("https://example.co.th/", "th");
    for url in ["http://example.de/", "https://example.at/"] {
        assert_ne!(JUDGE.url(url).language, Some(Language::ENGLISH), "{url}");
    }
    check_url("http://example.de/en/about-us", "en");
}

#[test]
fn urls_of_other_pages_in_a_query_say_nothing_of_this_one() {
    for url in [
        "https://social.example/sharer.php?u=http%3A%2F%2Fexample.de%2Fkontakt",
        "https://social.example/sharer.php?u=http%253A%252F%252Fexample.de%252Fkontakt",
        "https://social.example/share?id=1&url=https://example.jp/ja/",
    ] {
        let verdict = JUDGE.url(url);
        assert!(verdict.language.is_none_or(|l| l == Language::ENGLISH), "{url}: {verdict:?}");
    }
    // Two letters after any word are not much, and after some words they are.
    assert_eq!(JUDGE.url("https://example.com/redirect?to=th").language, None);
    check_url("https://example.com/page?lang=th", "th");
}

#[test]
fn what_a_url_is_judged_by_is_told() {
    let hints = |url| {
        let hints = JUDGE.url(url).hints.into_iter();
        let hints = hints.map(|hint| (hint.source, hint.said, hint.languages[0].to_string()));
        hints.collect::<Vec<_>>()
    };
    let hint = |source, said: &str, language: &str| (source, said.to_owned(), language.to_owned());
    assert_eq!(
        hints("https://zh.example.tw/zh-tw/?hl=en"),
        [
            hint("query", "en", "en"),
            hint("path", "zh-tw", "zh-Hant"),
            hint("domain", "tw", "zh-Hant")
        ]
    );
    assert_eq!(hints("https://th.example.com/xx/"), [hint("host", "th", "th")]);
    assert_eq!(hints("https://example.com/?q=5&hl=th")[0], hint("query", "th", "th"));
    let verdict = JUDGE.url("https://example.com/th/");
    assert_eq!(verdict.languages[0].language.as_str(), "th");
    assert_eq!(verdict.languages[0].probability, verdict.probability);
    let unsure = JUDGE.url("https://www.example.hu/news");
    assert!(unsure.probability > 0.0 && !unsure.languages.is_empty(), "{unsure:?}");
    assert_eq!(JUDGE.url("http://192.0.2.1/").languages, []);
}

proptest! {
    #[test]
    fn any_text_gets_a_verdict(text in "\\PC{0,300}") {
        let verdict = JUDGE.text(&text);
        let sum: f32 = verdict.languages.iter().map(|share| share.share).sum();
        prop_assert!(sum < 1.001);
        prop_assert!((0.0..=1.0).contains(&verdict.probability));
        JUDGE.url(&text);
    }
}

#[test]
fn to_say_a_thing_again_makes_nothing_surer() {
    let spanish = Language::parse("es").expect("a tag");
    let list = (1..60).map(|n| format!("Capítulo {n}\n")).collect::<String>();
    for text in [list, "Notas de la versión: ".repeat(8), "Notas de la versión: ".repeat(2000)] {
        let page = Evidence { text: &text, declared: &["es"], ..Evidence::default() };
        let verdict = JUDGE.page(page);
        assert_eq!(verdict.language, Some(spanish), "{verdict:?}");
    }
    let chapters: String = (1..60).map(|n| format!("Chapter {n}\n")).collect();
    let verdict = JUDGE.text(&chapters);
    assert!(verdict.language.is_none_or(|it| it == Language::ENGLISH), "{verdict:?}");
}

#[test]
fn places_are_in_no_language() {
    for text in ["info@example.com", "http://example.com/", "www.example.de me@example.org"] {
        assert_eq!(JUDGE.text(text).language, None, "{text}");
    }
}
