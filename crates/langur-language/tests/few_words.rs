//! What the judge says of a few words: names are in no language, and what links say is in theirs.

use std::sync::LazyLock;

use langur_language::Judge;

static JUDGE: LazyLock<Judge> = LazyLock::new(Judge::new);

/// Written down before the judge was asked about any of them, as were the anchors below; some it gets wrong.
const NAMES: &str = "Lego, Toyota, Nokia, Facebook, Tokyo, Bangkok Post, Pepsi Max, Obama, iPhone, PDF, Wi-Fi, Bluetooth, \
    Samsung, Sony, Nintendo, Mitsubishi, Kawasaki, Yamaha, Suzuki, Mazda, Volvo, Ikea, Siemens, Audi, Porsche, Adidas, Nike, \
    Gucci, Ferrari, Renault, Nestle, Rolex, Heineken, Coca-Cola, Starbucks, Nutella, Google, Twitter, WhatsApp, TikTok, \
    Netflix, Alibaba, Baidu, Huawei, Xiaomi, Ubuntu, Android, Skype, Java, MySQL, GPS, Kodak, Tesla, Boeing, Real Madrid, \
    Juventus, Nelson Mandela, Vladimir Putin, Barack Obama, Lady Gaga, Shakira, Messi, Gandhi, Kurosawa, Bangkok, Mumbai, \
    Nairobi, Las Vegas, WordPress, PayPal, Visa, Hyundai, Chanel, Aldi, WeChat, Hitachi, Toshiba, Sega, Tsunami, Nadal, \
    Akira Toriyama, Penelope Cruz, Nagasaki, Karachi, Harare, Warsaw, NASA";

/// What links say on pages in 31 languages.
const ANCHORS: &str = "de: Nächste Seite, weiter lesen, Über uns, Zur Startseite; th: หน้าแรก, อ่านต่อ; pt: Leia mais, Fale conosco, \
    Quem somos; fi: Yhteystiedot, Lue lisää, Etusivulle; fr: Lire la suite, En savoir plus, Mentions légales; es: Leer más, \
    Quiénes somos, Ver todos; it: Leggi tutto, Chi siamo; nl: Lees meer, Volgende pagina, Meer informatie; sv: Läs mer, Nästa sida, \
    Om oss; da: Læs mere, Kontakt os; nb: Neste side; pl: Czytaj więcej, O nas; cs: Číst dále, Další stránka; sk: Čítať ďalej, \
    Viac informácií; hu: Tovább olvasom, Kapcsolat; ro: Despre noi, Prima pagină; tr: Devamını oku, Hakkımızda; vi: Trang chủ, Xem thêm; \
    id: Baca selengkapnya, Tentang kami; ru: Читать далее, Подробнее; uk: Читати далі, Детальніше; bg: Прочетете повече; \
    el: Επόμενη σελίδα; ja: 次のページ, 会社概要; zh-Hans: 关于我们; ko: 더 보기; ar: اقرأ المزيد; fa: ادامه مطلب; \
    hi: और पढ़ें; lt: Kitas puslapis; en: Read more, Contact us, News, Products";

#[test]
fn names_are_in_no_language_or_in_english() {
    let said = NAMES.split(", ").map(|name| (name, JUDGE.anchor(name)));
    let taken: Vec<(&str, String)> = said
        .filter_map(|(name, said)| Some((name, said?.0.to_string())))
        .filter(|(_, language)| language != "en")
        .collect();
    assert!(taken.len() * 10 <= NAMES.split(", ").count(), "{taken:?}");
}

#[test]
fn what_links_say_is_in_its_language() {
    let anchors = ANCHORS.split("; ").filter_map(|line| line.split_once(": "));
    let anchors = anchors.flat_map(|(tag, said)| said.split(", ").map(move |said| (tag, said)));
    let (mut all, mut untold, mut wrong) = (0, Vec::new(), Vec::new());
    for (tag, anchor) in anchors {
        all += 1;
        match JUDGE.anchor(anchor).map(|(language, _)| language.to_string()) {
            Some(language) if language == tag => {}
            Some(language) => wrong.push((tag, anchor, language)),
            None => untold.push((tag, anchor)),
        }
    }
    assert!(wrong.len() * 20 <= all && untold.len() * 10 <= all, "{untold:?} {wrong:?}");
}

/// Who says which languages to expect expects no names.
#[test]
fn among_a_few_languages_a_name_is_in_one_of_them() {
    let among = ["sw", "ms"].map(|tag| langur_crawl::Language::parse(tag).expect("a tag"));
    let judge = Judge::new().among(&among);
    assert!(judge.text("Kawasaki").probability > JUDGE.text("Kawasaki").probability);
}
