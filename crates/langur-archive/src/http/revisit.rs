//! The answer that a revisit record stands for.

use super::HttpResponse;

/// What belongs to the body as it is stored, and not to the answer.
const OF_THE_BODY: [&str; 3] = ["transfer-encoding", "content-encoding", "content-length"];

/// The whole answer that the block of a revisit stands for: its own head, with the body of the answer that it repeats,
/// and with its type where some have cut the head short. Nothing if one of them has no head, or if the server only said that nothing had changed (304), so that the earlier answer
/// is all there is.
pub fn answer_of_revisit(revisit: &[u8], original: &[u8]) -> Option<Vec<u8>> {
    let own = HttpResponse::parse(revisit).filter(|own| own.status != Some(304))?;
    let earlier = HttpResponse::parse(original)?;
    let is_of_the_body =
        |name: &[u8]| OF_THE_BODY.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()));
    let mut block = [own.version, status_of(&own).as_bytes(), own.reason].join(&b' ');
    let heads = own.headers.iter().filter(|(name, _)| !is_of_the_body(name));
    let has_type = own.headers.text("content-type").is_some();
    let bodies = earlier.headers.iter().filter(|(name, _)| {
        is_of_the_body(name) || !has_type && name.eq_ignore_ascii_case(b"content-type")
    });
    for (name, value) in heads.chain(bodies) {
        block.extend([b"\r\n", name, b": ", value].concat());
    }
    block.extend(b"\r\n\r\n");
    block.extend(&original[earlier.body_at..]);
    Some(block)
}

fn status_of(answer: &HttpResponse) -> String {
    answer.status.map_or_else(String::new, |status| status.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &[u8] =
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
        2\r\nab\r\n0\r\n\r\n";

    #[test]
    fn the_head_is_its_own_and_the_body_is_as_it_is_stored() {
        let revisit =
            b"HTTP/1.1 203 Fine\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n\
            Set-Cookie: a=b\r\n\r\n";
        let block = answer_of_revisit(revisit, ORIGINAL).expect("both have heads");
        let answer = HttpResponse::parse(&block).expect("a head");
        assert_eq!((answer.status, answer.reason), (Some(203), &b"Fine"[..]));
        assert_eq!(
            answer.headers.text("content-type").as_deref(),
            Some("application/octet-stream")
        );
        assert_eq!(answer.headers.text("set-cookie").as_deref(), Some("a=b"));
        assert_eq!(answer.headers.text("content-length"), None);
        let payload = answer.payload(&block[answer.body_at..], 100);
        assert_eq!((&*payload.bytes, payload.oddities.len()), (&b"ab"[..], 0));
    }

    #[test]
    fn a_head_without_a_type_has_that_of_the_earlier_one() {
        let block =
            answer_of_revisit(b"HTTP/1.1 200 OK\r\n\r\n", ORIGINAL).expect("both have heads");
        let answer = HttpResponse::parse(&block).expect("a head");
        assert_eq!(answer.headers.text("content-type").as_deref(), Some("text/html"));
    }

    #[test]
    fn what_is_not_modified_has_the_earlier_head() {
        assert_eq!(
            answer_of_revisit(b"HTTP/1.1 304 Not Modified\r\nDate: x\r\n\r\n", ORIGINAL),
            None
        );
        assert_eq!(answer_of_revisit(b"", ORIGINAL), None);
        assert_eq!(answer_of_revisit(ORIGINAL, b"no head"), None);
    }
}
