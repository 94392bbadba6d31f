//! `<meta http-equiv=refresh content="5; url=…">`.

/// Seconds and URL, as browsers read them (HTML standard, 4.2.5.3); the URL is empty where the page
/// only reloads itself.
pub fn parse(content: &str) -> Option<(u32, &str)> {
    let content = content.trim_start();
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let seconds = content[..digits].parse().unwrap_or(u32::MAX);
    let rest = content[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if digits == 0 && !content.starts_with('.') {
        return None;
    }
    let seconds = if digits == 0 { 0 } else { seconds };
    let rest = rest.trim_start().trim_start_matches([';', ',']).trim_start();
    let rest = match rest.get(..3) {
        Some(word) if word.eq_ignore_ascii_case("url") => {
            let after = rest[3..].trim_start();
            after.strip_prefix('=').map_or(rest, str::trim_start)
        }
        _ => rest,
    };
    let url = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => rest[1..].split(quote).next().unwrap_or(""),
        _ => rest,
    };
    Some((seconds, url.trim()))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn refreshes_are_read_as_browsers_do() {
        for (content, expected) in [
            ("5; url=http://a.b/", Some((5, "http://a.b/"))),
            ("0;URL='next.html'", Some((0, "next.html"))),
            ("3", Some((3, ""))),
            (" 1.5 , next", Some((1, "next"))),
            ("0; url = \"a\"b", Some((0, "a"))),
            (".5;url=x", Some((0, "x"))),
            ("url=x", None),
            ("", None),
            ("99999999999; x", Some((u32::MAX, "x"))),
        ] {
            assert_eq!(parse(content), expected, "{content:?}");
        }
    }
}
