//! Taking off the codings of a body.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::chunked::unchunk;
use super::{Oddity, Payload};

/// Takes off one coding. At most a byte more than `most` is decoded, so that it is seen if there is more.
pub(super) fn decode(coding: &str, payload: &mut Payload<'_>, most: usize) {
    let bytes = payload.bytes.as_ref();
    if bytes.is_empty() {
        return;
    }
    let decoded = match coding {
        "chunked" => match unchunk(bytes) {
            Ok((content, oddity)) => {
                payload.oddities.extend(oddity);
                Ok(content)
            }
            Err(oddity) => Err(oddity),
        },
        "gzip" | "x-gzip" => read("gzip", MultiGzDecoder::new(bytes), most, &mut payload.oddities),
        "deflate" | "x-deflate" => inflate(bytes, most, &mut payload.oddities),
        "br" => {
            let decoder = brotli_decompressor::Decompressor::new(bytes, 16 << 10);
            read("br", decoder, most, &mut payload.oddities)
        }
        "zstd" => match zstd::Decoder::with_buffer(bytes) {
            Ok(decoder) => read("zstd", decoder, most, &mut payload.oddities),
            Err(_) => Err(Oddity::NotCoded("zstd")),
        },
        other => Err(Oddity::UnknownCoding(other.chars().take(40).collect())),
    };
    match decoded {
        Ok(content) => payload.bytes = Cow::Owned(content),
        Err(oddity) => payload.oddities.push(oddity),
    }
}

/// "Deflate" is zlib by the standard, and raw deflate by some servers.
fn inflate(bytes: &[u8], most: usize, oddities: &mut Vec<Oddity>) -> Result<Vec<u8>, Oddity> {
    let looks_like_zlib = matches!(bytes, [first, second, ..]
        if first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0);
    if looks_like_zlib && let Ok(content) = read("deflate", ZlibDecoder::new(bytes), most, oddities)
    {
        return Ok(content);
    }
    read("deflate", DeflateDecoder::new(bytes), most, oddities)
}

/// Decodes what can be decoded; `Err` if that is nothing.
fn read(
    name: &'static str,
    decoder: impl Read,
    most: usize,
    oddities: &mut Vec<Oddity>,
) -> Result<Vec<u8>, Oddity> {
    let mut content = Vec::new();
    let limit = (most as u64).saturating_add(1);
    let result: io::Result<usize> = decoder.take(limit).read_to_end(&mut content);
    match result {
        Ok(_) => {}
        Err(_) if content.is_empty() => return Err(Oddity::NotCoded(name)),
        Err(_) => oddities.push(Oddity::BrokenCoding(name)),
    }
    Ok(content)
}
