//! Pages in two languages that are near to each other, and pages in one that look like two.

use std::sync::LazyLock;

use langur_language::{Judge, Verdict};

static JUDGE: LazyLock<Judge> = LazyLock::new(Judge::new);

const HINDI: &str = "सरकार ने कहा है कि अगले साल तक सभी गाँवों में बिजली पहुँचा दी जाएगी।\n\
    बच्चों को सुबह जल्दी उठकर थोड़ी देर खेलना चाहिए, इससे उनका मन लगा रहता है।\n\
    मेरे पिताजी रोज़ शाम को बाज़ार से ताज़ी सब्ज़ियाँ लेकर घर आते थे।\n\
    इस किताब में लेखक ने अपने बचपन की यादों के बारे में विस्तार से लिखा है।\n\
    बारिश के कारण कल की गाड़ी तीन घंटे देर से पहुँची और लोग परेशान हो गए।\n";
const MARATHI: &str = "सरकारने सांगितले आहे की पुढच्या वर्षापर्यंत सर्व गावांमध्ये वीज पोहोचवली जाईल.\n\
    मुलांनी सकाळी लवकर उठून थोडा वेळ खेळायला हवे, त्यामुळे त्यांचे मन रमते.\n\
    माझे वडील रोज संध्याकाळी बाजारातून ताज्या भाज्या घेऊन घरी येत असत.\n\
    या पुस्तकात लेखकाने आपल्या बालपणीच्या आठवणींबद्दल सविस्तर लिहिले आहे.\n\
    पावसामुळे कालची गाडी तीन तास उशिरा पोहोचली आणि लोक वैतागून गेले.\n";
const SPANISH: &str = "El ayuntamiento ha decidido que las obras del puente empiecen después del verano.\n\
    Mi hermana vive desde hace tres años en una casa pequeña cerca del mar.\n\
    Los vecinos se quejan de que nadie les haya preguntado lo que piensan hacer.\n\
    Cuando llegamos a la estación ya se había ido el último tren de la noche.\n";
const PORTUGUESE: &str = "A câmara decidiu que as obras da ponte só começam depois do verão.\n\
    A minha irmã vive há três anos numa casa pequena perto do mar.\n\
    Os vizinhos queixam-se de que ninguém lhes perguntou o que pensam fazer.\n\
    Quando chegámos à estação já tinha partido o último comboio da noite.\n";
const RUSSIAN: &str = "Городской совет решил, что ремонт моста начнётся после лета.\n\
    Моя сестра уже три года живёт в маленьком доме недалеко от моря.\n\
    Соседи жалуются, что их никто не спросил, что они об этом думают.\n\
    Когда мы приехали на вокзал, последний поезд уже ушёл.\n";
const UKRAINIAN: &str = "Міська рада вирішила, що ремонт мосту почнеться після літа.\n\
    Моя сестра вже три роки живе в маленькому будинку недалеко від моря.\n\
    Сусіди скаржаться, що їх ніхто не запитав, що вони про це думають.\n\
    Коли ми приїхали на вокзал, останній потяг уже пішов.\n";

fn share(verdict: &Verdict, tag: &str) -> f32 {
    let of = verdict.languages.iter().find(|share| share.language.as_str() == tag);
    of.map_or(0.0, |share| share.share)
}

/// One after the other, and paragraph by paragraph.
#[track_caller]
fn check(one: (&str, &str), other: (&str, &str)) {
    let turns: String =
        one.1.lines().zip(other.1.lines()).map(|(a, b)| format!("{a}\n{b}\n")).collect();
    for (text, off) in [(one.1.repeat(4) + &other.1.repeat(4), 0.15), (turns.repeat(4), 0.3)] {
        let verdict = JUDGE.text(&text);
        for tag in [one.0, other.0] {
            assert!((share(&verdict, tag) - 0.5).abs() < off, "{:?}", verdict.languages);
        }
    }
}

#[test]
fn near_languages_on_one_page_are_both_named() {
    check(("hi", HINDI), ("mr", MARATHI));
    check(("es", SPANISH), ("pt", PORTUGUESE));
    check(("ru", RUSSIAN), ("uk", UKRAINIAN));
}

#[test]
fn each_alone_is_alone() {
    let texts = [HINDI, MARATHI, SPANISH, PORTUGUESE, RUSSIAN, UKRAINIAN];
    for (text, tag) in texts.into_iter().zip(["hi", "mr", "es", "pt", "ru", "uk"]) {
        let verdict = JUDGE.text(&text.repeat(4));
        let tags: Vec<&str> = verdict.languages.iter().map(|of| of.language.as_str()).collect();
        assert_eq!(tags, [tag], "{:?}", verdict.languages);
    }
}

/// What is sold on an English page is not in the languages of those who make it.
#[test]
fn a_list_of_names_is_no_second_language() {
    let english =
        "Choose a brand from the list below to see all the models we have in stock this week. ";
    let names = "Mitsubishi Kawasaki Yamaha Suzuki Toyota Nissan Mazda Subaru Isuzu Daihatsu Hyundai Citroen Renault \
                 Peugeot Ferrari Maserati Lamborghini Alfa Romeo Lancia Fiat Volkswagen Porsche Skoda Volvo Tata Mahindra ";
    let verdict = JUDGE.text(&format!("{}{names}{}", english.repeat(4), english.repeat(4)));
    let tags: Vec<&str> = verdict.languages.iter().map(|of| of.language.as_str()).collect();
    assert_eq!(tags, ["en"], "{:?}", verdict.languages);
}
