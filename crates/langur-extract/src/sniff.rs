//! The media type of an answer.

/// What begins a page of HTML whose server did not say what it is.
const BEGINNINGS: [&str; 9] =
    ["<!doctype html", "<html", "<head", "<body", "<title", "<script", "<table", "<div", "<meta"];
/// How far to look.
const LOOKED_AT: usize = 512;

/// The media type that HTTP's `Content-Type` says, in lower case and without parameters. Where it says
/// none, HTML is known by how it begins; anything else stays unknown, which is the empty text.
pub fn media_type(content_type: Option<&str>, payload: &[u8]) -> String {
    let said = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    let said = said.trim().to_ascii_lowercase();
    // Longer ones, and ones without a slash, are not media types but whatever the server leaked.
    if said.contains('/') && said.len() <= 100 && said.bytes().all(|byte| byte.is_ascii_graphic()) {
        return said;
    }
    let start = String::from_utf8_lossy(&payload[..payload.len().min(LOOKED_AT)]);
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let start = start.to_ascii_lowercase();
    let is_html = BEGINNINGS.iter().any(|beginning| start.starts_with(beginning));
    if is_html { "text/html".to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_plain() {
        assert_eq!(media_type(Some("Text/HTML; charset=x"), b""), "text/html");
        assert_eq!(media_type(None, b"\n <!DOCTYPE html><p>"), "text/html");
        assert_eq!(media_type(Some("html"), b"GIF89a"), "");
        assert_eq!(media_type(Some("x/y z"), b"<html>"), "text/html");
    }
}
