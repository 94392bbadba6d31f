//! Responses and requests of any bytes, and their content.
#![no_main]

use langur_archive::{HttpRequest, HttpResponse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], u8)| {
    let (bytes, coding) = input;
    let codings = ["chunked\r\nContent-Encoding: gzip", "chunked", "deflate", "br", "zstd", "gzip, br"];
    let coding = codings[usize::from(coding) % codings.len()];
    let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n");
    for block in [bytes, &[head.as_bytes(), bytes].concat()] {
        if let Some(response) = HttpResponse::parse(block) {
            let payload = response.payload(&block[response.body_at..], 10_000);
            assert!(payload.bytes.len() <= 10_000);
            response.headers.iter().for_each(drop);
        }
        if let Some(request) = HttpRequest::parse(block) {
            assert!(request.body_at <= block.len());
        }
    }
});
