//! Pages for servers to give.

use langur_testkit::Answer;

/// A text in Thai.
pub const THAI: &str = "ภาษาไทยเป็นภาษาราชการของประเทศไทย และเป็นภาษาแม่ของคนไทยส่วนใหญ่ในประเทศไทย";

/// A page with links.
pub fn page(links: &[&str]) -> Answer {
    let links: String = links.iter().map(|link| format!("<a href=\"{link}\">there</a> ")).collect();
    Answer::page(format!("<p>{THAI}</p>{links}"))
}

/// Pages `/`, `/1`, `/2`, … each with a link to the next, and no rules.
pub fn chain(path: &str, pages: usize) -> Answer {
    let number = path.trim_start_matches('/');
    let number = if number.is_empty() { Some(0) } else { number.parse::<usize>().ok() };
    match number {
        Some(number) if number + 1 < pages => page(&[&format!("/{}", number + 1)]),
        Some(number) if number < pages => page(&[]),
        _ => Answer::status(404),
    }
}
