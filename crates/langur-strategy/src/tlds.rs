//! Which top-level domains are a language's own.

use langur_crawl::Language;

use crate::SpecError;

/// Country-code domains of the places where a language is the main one. Chan and Yamana (2010) take
/// .cn, .jp and .kr; for Chinese, .tw and .hk must be asked for, as in `tlds=cn+tw+hk`.
const OWN: &[(&str, &[&str])] = &[
    ("am", &["et"]),
    (
        "ar",
        &[
            "ae", "bh", "dz", "eg", "iq", "jo", "kw", "lb", "ly", "ma", "om", "ps", "qa", "sa",
            "sd", "sy", "tn", "ye",
        ],
    ),
    ("az", &["az"]),
    ("be", &["by"]),
    ("bg", &["bg"]),
    ("bn", &["bd"]),
    ("bs", &["ba"]),
    ("ca", &["cat", "ad"]),
    ("cs", &["cz"]),
    ("da", &["dk"]),
    ("de", &["de", "at", "ch", "li"]),
    ("el", &["gr", "cy"]),
    ("en", &["uk", "us", "au", "nz", "ie", "ca"]),
    (
        "es",
        &[
            "es", "ar", "bo", "cl", "co", "cr", "cu", "do", "ec", "gt", "hn", "mx", "ni", "pa",
            "pe", "py", "sv", "uy", "ve",
        ],
    ),
    ("et", &["ee"]),
    ("fa", &["ir"]),
    ("fi", &["fi"]),
    ("fr", &["fr"]),
    ("he", &["il"]),
    ("hi", &["in"]),
    ("hr", &["hr"]),
    ("hu", &["hu"]),
    ("hy", &["am"]),
    ("id", &["id"]),
    ("is", &["is"]),
    ("it", &["it"]),
    ("ja", &["jp"]),
    ("ka", &["ge"]),
    ("kk", &["kz"]),
    ("km", &["kh"]),
    ("ko", &["kr"]),
    ("lo", &["la"]),
    ("lt", &["lt"]),
    ("lv", &["lv"]),
    ("mk", &["mk"]),
    ("mn", &["mn"]),
    ("ms", &["my"]),
    ("my", &["mm"]),
    ("ne", &["np"]),
    ("nl", &["nl"]),
    ("no", &["no"]),
    ("pl", &["pl"]),
    ("pt", &["pt", "br", "ao", "mz"]),
    ("ro", &["ro", "md"]),
    ("ru", &["ru", "su"]),
    ("si", &["lk"]),
    ("sk", &["sk"]),
    ("sl", &["si"]),
    ("sq", &["al"]),
    ("sr", &["rs"]),
    ("sv", &["se"]),
    ("th", &["th"]),
    ("tr", &["tr"]),
    ("uk", &["ua"]),
    ("ur", &["pk"]),
    ("uz", &["uz"]),
    ("vi", &["vn"]),
    ("zh", &["cn"]),
];

/// The top-level domains of all these languages.
pub(crate) fn of_languages(languages: &[Language]) -> Result<Vec<String>, SpecError> {
    if languages.is_empty() {
        return Err(SpecError(
            "top-level domains are those of a language, and the target is none".to_owned(),
        ));
    }
    let mut tlds = Vec::new();
    for language in languages {
        let primary = language.as_str().split('-').next().unwrap_or_default();
        let Some((_, own)) = OWN.iter().find(|(tag, _)| *tag == primary) else {
            return Err(SpecError(format!(
                "no top-level domain is known to be that of the language {language}; name them, as in tld-anchor(tlds=xx+yy)"
            )));
        };
        tlds.extend(own.iter().map(|tld| (*tld).to_owned()));
    }
    Ok(tlds)
}

/// Whether a link's top-level domain is one of these.
pub(crate) fn contain(tlds: &[String], tld: Option<&str>) -> bool {
    tld.is_some_and(|tld| tlds.iter().any(|own| own == tld))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_stand_once_and_in_order() {
        assert!(OWN.is_sorted_by(|a, b| a.0 < b.0));
        assert!(OWN.iter().all(|(tag, tlds)| Language::parse(tag).is_ok() && !tlds.is_empty()));
    }
}
