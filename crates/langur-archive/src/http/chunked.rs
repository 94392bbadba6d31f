//! Bodies sent in chunks (RFC 9112, 7.1).

use super::Oddity;

/// Takes the chunks apart. `Err` if the body is not in chunks at all. What comes after a malformed chunk is
/// taken as it is, for bodies that are in chunks only at first are known; trailers are dropped.
pub(super) fn unchunk(body: &[u8]) -> Result<(Vec<u8>, Option<Oddity>), Oddity> {
    let mut content = Vec::with_capacity(body.len());
    let mut rest = body;
    loop {
        if rest.is_empty() {
            let seen_some = rest.len() != body.len();
            return Ok((content, seen_some.then_some(Oddity::CutChunks)));
        }
        let Some((length, data)) = size_line(rest) else {
            return broken(body, rest, content);
        };
        if length == 0 {
            return Ok((content, None));
        }
        let Some(after) = data.get(length..) else {
            if rest.len() == body.len() && data.is_empty() {
                return Err(Oddity::NotChunked);
            }
            content.extend_from_slice(data);
            return Ok((content, Some(Oddity::CutChunks)));
        };
        let Some(next) = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")) else {
            if after.is_empty() || after == b"\r" {
                content.extend_from_slice(&data[..length]);
                return Ok((content, Some(Oddity::CutChunks)));
            }
            return broken(body, rest, content);
        };
        content.extend_from_slice(&data[..length]);
        rest = next;
    }
}

fn broken(
    body: &[u8],
    rest: &[u8],
    mut content: Vec<u8>,
) -> Result<(Vec<u8>, Option<Oddity>), Oddity> {
    if rest.len() == body.len() {
        return Err(Oddity::NotChunked);
    }
    content.extend_from_slice(rest);
    Ok((content, Some(Oddity::BrokenChunk)))
}

/// The size of a chunk, and what follows the line it stands on.
fn size_line(rest: &[u8]) -> Option<(usize, &[u8])> {
    /// Sizes and their extensions are short.
    const LONGEST: usize = 256;
    let end = memchr::memchr(b'\n', &rest[..rest.len().min(LONGEST)])?;
    let line = &rest[..end];
    let size = line.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
    if size.is_empty() || !size.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let size = std::str::from_utf8(size).ok()?;
    Some((usize::from_str_radix(size, 16).ok()?, &rest[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, content: &str, oddity: Option<Oddity>) {
        let (bytes, odd) = unchunk(body.as_bytes()).expect("chunks");
        assert_eq!((String::from_utf8(bytes).expect("text"), odd), (content.to_owned(), oddity));
    }

    #[test]
    fn chunks_good_and_bad() {
        check("3\r\nabc\r\n2 ; x=y\r\nde\r\n0\r\n\r\n", "abcde", None);
        check("3\nabc\n0\n\n", "abc", None);
        check("3\r\nabc\r\n00\r\nTrailer: 1\r\n\r\n", "abc", None);
        check("3\r\nabc\r\n", "abc", Some(Oddity::CutChunks));
        check("3\r\nabc", "abc", Some(Oddity::CutChunks));
        check("A\r\nabc", "abc", Some(Oddity::CutChunks));
        check("3\r\nabc\r\n<html>", "abc<html>", Some(Oddity::BrokenChunk));
        check("3\r\nabc\r\n2\r\nlong\r\n", "abc2\r\nlong\r\n", Some(Oddity::BrokenChunk));
        check("", "", None);
        assert_eq!(unchunk(b"<html>\r\n"), Err(Oddity::NotChunked));
        assert_eq!(unchunk(b"3\r\nabcdef"), Err(Oddity::NotChunked));
        assert_eq!(unchunk(b"fffffffffffffffff\r\nabc"), Err(Oddity::NotChunked));
    }
}
