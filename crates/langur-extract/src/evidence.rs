//! Why a page is read as it is, in words.

use langur_page::CharsetEvidence;
use langur_reader::Reading;

/// What was said and found about charset and language, as fields of a record.
pub fn of(reading: &Reading) -> Vec<(&'static str, String)> {
    let (decoding, verdict) = (&reading.decoding, &reading.verdict);
    let mut fields = vec![("charset", decoding.charset.name().to_owned())];
    let heard: Vec<String> = decoding.evidence.iter().map(said).collect();
    fields.push(("charset-evidence", heard.join("; ")));
    if decoding.mislabelled {
        fields.push(("charset-mislabelled", "true".to_owned()));
    }
    if let Some(language) = verdict.language {
        fields.push(("language", language.to_string()));
    }
    fields.push(("language-probability", format!("{:.3}", verdict.probability)));
    let shares = verdict.languages.iter().take(5);
    let shares: Vec<String> =
        shares.map(|it| format!("{} {:.0}%", it.language, it.share * 100.0)).collect();
    fields.push(("language-shares", shares.join(", ")));
    let declared: Vec<&str> = reading.document.declared_languages().map(|(tag, _)| tag).collect();
    if !declared.is_empty() {
        // Pages say anything, and a field is one line.
        let declared = declared.join(", ").replace(|c: char| c.is_control(), " ");
        fields.push(("language-declared", declared.chars().take(200).collect()));
    }
    fields
}

fn said(evidence: &CharsetEvidence) -> String {
    let label = evidence.label.replace(|c: char| c.is_control(), " ");
    let label: String = label.chars().take(40).collect();
    let doubt = if evidence.fits { "" } else { " (does not fit)" };
    format!("{}={label}{doubt}", evidence.source.name())
}
