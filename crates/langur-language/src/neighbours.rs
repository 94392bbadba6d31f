//! Words that tell neighbours apart.
//!
//! Serbs, Croats and Bosniaks share most of their words, and so do Norwegians and Danes; n-grams say little of what is
//! left: they would have to see that one writes *mleko* and another *mlijeko*. So words that only some of them write are listed, and
//! counted where the text is in one of these languages. (Between Indonesian and Malay such a list told no more than the
//! model does, and between Croatian and Bosnian hardly more.)

use std::collections::HashMap;
use std::sync::LazyLock;

use langur_crawl::Language;

/// What a word is worth for those who write it, in nats.
const WORTH: f32 = 4.0;
/// Counted at most: a page may repeat one word without end.
const MOST: usize = 6;
/// So many bytes of a text are looked at.
const LOOKED_AT: usize = 1024;

/// Words that some of a group write. A star stands for any ending.
struct Telling {
    languages: &'static [&'static str],
    words: &'static str,
}

/// Groups of neighbours, each with its words.
const GROUPS: [&[Telling]; 2] = [
    &[
        // Ekavian: the old yat is e.
        Telling {
            languages: &["sr-Latn"],
            words: "predsedni* proleć* vreme vremen* mesto mesta mestu dete deteta deca leto leta rečju reči svet sveta svetu svetsk* \
                    deo dela delova cena cene cenu uvek ovde gde negde lepo lepa lepe mleko mleka reka reke belo bela videti \
                    želeo želela sreda sredu nedelj* sledeć* predlog* posle dve obe vest vesti savet* primer* zahtev* promen* mesec* sever* \
                    telo tela delovanj* pesm* rešenj* rešen* izveštaj* obavešten* bezbed* preduzeć* ceo cela celu čovek* levo podel* \
                    uspe* razume* smeo nemačk* pobed* zamenik* donet* odsek* ponedelj* hleb* vaspitan*",
        },
        // Ijekavian: the old yat is ije or je.
        Telling {
            languages: &["hr", "bs"],
            words: "predsjedni* proljeć* vrijeme vremena mjesto mjesta mjestu dijete djec* ljeto ljeta riječ* svijet* svjetsk* dio dijel* \
                    cijen* uvijek ovdje gdje negdje lijep* mlijek* rijek* bijel* vidjeti željel* srijed* nedjelj* sljedeć* slijed* prijedlog* \
                    poslije dvije obje vijest* savjet* primjer* zahtjev* promjen* mjesec* sjever* tijelo tijela djelovanj* pjesm* \
                    rješenj* riješen* izvještaj* obavijest* obavješten* cijel* čovjek* lijev* podjel* uspje* razumije* smio njemačk* pobjed* \
                    zamjenik* odsjek* ponedjelj*",
        },
        // What is the same by its yat differs by its words: Slavic months against Latin ones, and what one borrowed and
        // another made.
        Telling {
            languages: &["hr"],
            words: "tko nitko netko svatko uvjet* tisuć* siječ* veljač* ožuj* travnj* svibnj* lipnj* srpnj* kolovoz* rujna rujnu \
                    rujan listopad* studenoga prosin* gospodarstv* glazb* kazališ* sveučilišt* tijekom tvrtk* veleposlan* \
                    tjed* točk* točno priopć* stupnjev* nazočn* zrakoplov* računal* europ* povijest*",
        },
        Telling {
            languages: &["sr-Latn", "bs"],
            words: "niko hiljad* januar* februar* april* septemb* oktob* novemb* decemb* evrop* univerzitet* muzik* tačk* tačno fudbal*",
        },
        Telling {
            languages: &["sr-Latn"],
            words: "saopšt* opšt* uopšte istorij* hemij* juče sme smeju smemo avgust* nečoveč* svirep* lekar* sprovod* učestvova*",
        },
        Telling { languages: &["bs"], words: "historij* lahko lahk* mehk* saopć*" },
        Telling {
            languages: &["hr", "bs"],
            words: "jučer nogomet* općin* općenit* uopće kemij* sudjelova*",
        },
    ],
    &[
        Telling {
            languages: &["nn"],
            words: "eg ikkje kva noko nokon nokre frå ho vere sjølv sjølve korleis kvifor kvar kven berre dei ein eit mykje meir \
                    eigen eiga òg veit seier kjem gjere gjer gjort dykk dykkar deira heile medan blei vart utan skule skulen tenest* \
                    nynorsk* fleire saman kjenner finst vert verte ynskj* ynskje løysing* kommunar elevar dagar",
        },
        Telling {
            languages: &["nb", "da"],
            words: "jeg ikke hun fra selv hvordan hvorfor hvem en et egen skole skolen deres hele mens",
        },
        Telling {
            languages: &["nb"],
            words: "hva noe noen ble vært uke uker bruker penger mer mye uten nå norge gjøre gjør øyeblikk være bare hvis barnehage* \
                    løsning* sammen flere oppgaver kjøper vet sier kommer",
        },
        Telling {
            languages: &["nb", "nn"],
            words: "av meg deg seg etter opp ut bli mellom språk* kjøpe rundt norsk* opplysning* bedrift*",
        },
        Telling {
            languages: &["da"],
            words: "af hvad noget nogle nogen mig dig sig blev været uge uger bruge penge mere meget uden nu op ud danmark dansk* \
                    københavn* virksomhed* oplysning* gøre øjeblik mellem børnehave* blive bliver opgave* \
                    købe hjemmeside* sprog* omkring efter kun selvom",
        },
    ],
];

/// The words of a group, each with who writes it, a bit each.
#[derive(Default)]
struct Group {
    languages: Vec<Language>,
    words: HashMap<&'static str, u8>,
    /// Words of which only the beginning is listed, without the star.
    beginnings: HashMap<&'static str, u8>,
}

static TOLD: LazyLock<Vec<Group>> =
    LazyLock::new(|| GROUPS.iter().map(|telling| Group::new(telling)).collect());

impl Group {
    fn new(group: &[Telling]) -> Group {
        let mut made = Group::default();
        for telling in group {
            let writers = telling.languages.iter().map(|tag| 1 << made.number(tag)).sum::<u8>();
            for word in telling.words.split_ascii_whitespace() {
                match word.strip_suffix('*') {
                    Some(beginning) => *made.beginnings.entry(beginning).or_default() |= writers,
                    None => *made.words.entry(word).or_default() |= writers,
                }
            }
        }
        made
    }

    fn number(&mut self, tag: &str) -> usize {
        let language = Language::parse(tag).expect("a tag of ours");
        let known = self.languages.iter().position(|known| *known == language);
        known.unwrap_or_else(|| {
            self.languages.push(language);
            self.languages.len() - 1
        })
    }

    /// Who writes a word; nobody in particular if it is not listed.
    fn writers(&self, word: &str) -> u8 {
        let beginnings = word.char_indices().skip(1).map(|(at, _)| &word[..at]).chain([word]);
        let begun = beginnings.filter_map(|beginning| self.beginnings.get(beginning));
        begun.chain(self.words.get(word)).fold(0, |writers, more| writers | more)
    }
}

/// Neighbours that no words were listed for, and of which there was little to learn from: windows of a text in one are nearest
/// to the other again and again.
const ALIKE: [[&str; 2]; 4] = [["bo", "dz"], ["hi", "mai"], ["skr", "ur"], ["ss", "zu"]];

/// Whether two languages cannot be told apart by windows of a text.
pub fn are(one: Language, other: Language) -> bool {
    let both = |languages: &[&str]| {
        languages.contains(&one.as_str()) && languages.contains(&other.as_str())
    };
    ALIKE.iter().any(|pair| both(pair))
        || TOLD
            .iter()
            .any(|group| group.languages.contains(&one) && group.languages.contains(&other))
}

/// What words of a text say for the neighbours of a language, in nats; nothing where it has none.
pub fn told_apart(language: Language, text: &str) -> Vec<(Language, f32)> {
    let Some(group) = TOLD.iter().find(|group| group.languages.contains(&language)) else {
        return Vec::new();
    };
    let end = text.floor_char_boundary(LOOKED_AT);
    let mut times = vec![0; group.languages.len()];
    for word in text[..end].split(|letter: char| !letter.is_alphabetic()) {
        let writers = group.writers(&word.to_lowercase());
        for (number, times) in times.iter_mut().enumerate() {
            *times += usize::from(writers >> number & 1);
        }
    }
    let worth = |times: usize| WORTH * times.min(MOST) as f32;
    group.languages.iter().copied().zip(times.into_iter().map(worth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_speak_for_those_who_write_them() {
        let said = |language: &str, text| {
            let told = told_apart(Language::parse(language).expect("a tag"), text);
            let told = told.into_iter().filter(|(_, nats)| *nats > 0.0);
            told.map(|(language, nats)| (language.to_string(), nats / WORTH)).collect::<Vec<_>>()
        };
        let says = |tag: &str, times| (tag.to_owned(), times);
        assert_eq!(said("bs", "Predsednik"), [says("sr-Latn", 1.0)]);
        assert_eq!(said("bs", "predsjednika"), [says("hr", 1.0), says("bs", 1.0)]);
        assert_eq!(said("nb", "Eg har ein billett"), [says("nn", 2.0)]);
        assert_eq!(said("th", "Predsednik"), []);
    }
}
