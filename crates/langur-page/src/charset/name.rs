//! What a charset is called, and how its bytes become text.

use super::legacy::Legacy;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_8859_8, ISO_8859_8_I, REPLACEMENT, SHIFT_JIS,
    UTF_8, UTF_16BE, UTF_16LE, X_MAC_CYRILLIC, X_USER_DEFINED,
};
use std::borrow::Cow;
use std::fmt;

/// A charset that can be decoded: those of the WHATWG standard, and a few it left behind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Standard(&'static Encoding),
    Legacy(Legacy),
}

impl Charset {
    /// The charset of a label as pages write it, in any case and with spaces around: the labels of
    /// the standard, the names that vendors gave the same charsets, and those of charsets the
    /// standard dropped. `x-user-defined` and `replacement` name no charset that text is written in.
    pub fn for_label(label: &str) -> Option<Charset> {
        let label = label.trim_ascii();
        match Encoding::for_label(label.as_bytes()) {
            Some(encoding) if encoding == X_USER_DEFINED => return None,
            Some(encoding) if encoding != REPLACEMENT => return Some(encoding.into()),
            _ => {}
        }
        // What has other signs in it is a piece of markup or a template.
        if label.bytes().any(|b| !b.is_ascii_alphanumeric() && !b"-_.:+() ".contains(&b)) {
            return None;
        }
        let plain: String = (label.bytes())
            .filter(u8::is_ascii_alphanumeric)
            .map(|b| b.to_ascii_lowercase() as char)
            .collect();
        let plain = plain.strip_prefix("charset").unwrap_or(&plain);
        Some(match plain {
            "utf8" | "unicode11utf8" | "xutf8" | "utf8mb4" | "utf8bom" | "utf8sig" => UTF_8.into(),
            "utf16" | "ucs2" | "utf16le" | "ucs2le" => UTF_16LE.into(),
            "utf16be" | "ucs2be" => UTF_16BE.into(),
            "utf32" | "utf32be" | "ucs4" | "ucs4be" => Charset::UTF_32BE,
            "utf32le" | "ucs4le" => Charset::UTF_32LE,
            "cp932" | "windows932" | "xms932" | "shiftjis" | "sjis" | "xsjis" | "shiftjisx0213"
            | "sjis2004" => SHIFT_JIS.into(),
            "eucjp" | "eucjpms" | "ujis" | "cp51932" | "eucjpwin" => EUC_JP.into(),
            "cp949" | "windows949" | "ms949" | "uhc" | "euckr" | "ksc56011987" | "ksc5601"
            | "ksx1001" | "kr" => EUC_KR.into(),
            "cp936" | "windows936" | "ms936" | "gb2312" | "euccn" | "gbk" | "gb231280" => {
                GBK.into()
            }
            "gb18030" | "gb180302000" | "gb180302005" | "cp54936" => GB18030.into(),
            "cp950" | "windows950" | "big5" | "big5eten" | "big5hkscs" | "big5hk" => BIG5.into(),
            "tis620" | "tis6202533" | "iso885911" | "cp874" | "ms874" | "windows874" | "cp1162" => {
                encoding_rs::WINDOWS_874.into()
            }
            "maccyrillic" | "xmaccyrillic" | "macukrainian" | "xmacukrainian" | "cp10007" => {
                X_MAC_CYRILLIC.into()
            }
            "macroman" | "xmacroman" => encoding_rs::MACINTOSH.into(),
            "iso2022kr" | "csiso2022kr" => Charset::ISO_2022_KR,
            "iso2022cn" | "csiso2022cn" | "iso2022cnext" => Charset::ISO_2022_CN,
            "hz" | "hzgb2312" | "hzgb" => Charset::HZ,
            "johab" | "cp1361" | "ms1361" | "ksc5601johab" => Charset::JOHAB,
            "euctw" | "xeuctw" | "cns11643" => Charset::EUC_TW,
            "viscii" | "viscii111" | "csviscii" => Charset::VISCII,
            "ibm855" | "cp855" | "csibm855" | "dos855" => Charset::IBM855,
            _ => return by_number(plain),
        })
    }

    /// The name of the standard (`windows-874`, `Shift_JIS`), or the usual one outside it (`Johab`).
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Standard(encoding) => encoding.name(),
            Kind::Legacy(legacy) => legacy.name(),
        }
    }

    /// The encoding that the queries of this page's links are written in: the charset's own where
    /// the standard knows it, the nearest otherwise, and UTF-8 for pages in UTF-16 or UTF-32.
    pub fn encoding(self) -> &'static Encoding {
        match self.0 {
            Kind::Standard(encoding) => encoding.output_encoding(),
            Kind::Legacy(legacy) => legacy.nearest(),
        }
    }

    /// The bytes as text, what is invalid replaced by U+FFFD. A byte order mark is text here.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.0 {
            Kind::Standard(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Kind::Legacy(legacy) => Cow::Owned(legacy.decode(bytes)),
        }
    }

    /// Whether both decode every page alike: GBK is read as GB18030, and the two names of
    /// ISO-8859-8 differ in the direction of writing only.
    pub fn reads_like(self, other: Charset) -> bool {
        let canonical = |charset: Charset| match charset.0 {
            Kind::Standard(encoding) if encoding == GBK => GB18030.into(),
            Kind::Standard(encoding) if encoding == ISO_8859_8_I => ISO_8859_8.into(),
            _ => charset,
        };
        canonical(self) == canonical(other)
    }

    /// Whether a text of ASCII characters alone is the same bytes in it.
    pub fn is_ascii_compatible(self) -> bool {
        !(self.is(UTF_16LE) || self.is(UTF_16BE) || self.is_utf_32())
    }

    pub(super) fn is(self, encoding: &'static Encoding) -> bool {
        self.0 == Kind::Standard(encoding)
    }

    pub(super) fn is_utf_32(self) -> bool {
        self == Charset::UTF_32LE || self == Charset::UTF_32BE
    }

    /// A charset of one byte a character: what a byte means, or nothing.
    pub(super) fn meaning(self, byte: u8) -> Option<char> {
        match self.0 {
            Kind::Standard(encoding) if encoding.is_single_byte() => {
                let bytes = [byte];
                let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes)?;
                text.chars().next()
            }
            Kind::Legacy(legacy) => legacy.meaning(byte),
            Kind::Standard(_) => None,
        }
    }

    /// UTF-8.
    pub const UTF_8: Charset = Charset(Kind::Standard(UTF_8));
    /// UTF-32, least significant byte first.
    pub const UTF_32LE: Charset = Charset(Kind::Legacy(Legacy::Utf32Le));
    /// UTF-32, most significant byte first.
    pub const UTF_32BE: Charset = Charset(Kind::Legacy(Legacy::Utf32Be));
    /// Korean in seven bits, by shift out and shift in.
    pub const ISO_2022_KR: Charset = Charset(Kind::Legacy(Legacy::Iso2022Kr));
    /// Chinese in seven bits, by escapes, shift out and shift in.
    pub const ISO_2022_CN: Charset = Charset(Kind::Legacy(Legacy::Iso2022Cn));
    /// Simplified Chinese in seven bits, by `~{` and `~}`.
    pub const HZ: Charset = Charset(Kind::Legacy(Legacy::Hz));
    /// Korean of DOS times, a syllable by the bits of its letters.
    pub const JOHAB: Charset = Charset(Kind::Legacy(Legacy::Johab));
    /// Traditional Chinese by CNS 11643.
    pub const EUC_TW: Charset = Charset(Kind::Legacy(Legacy::EucTw));
    /// Vietnamese, a letter with its tone in one byte.
    pub const VISCII: Charset = Charset(Kind::Legacy(Legacy::Viscii));
    /// Cyrillic of DOS, before code page 866.
    pub const IBM855: Charset = Charset(Kind::Legacy(Legacy::Ibm855));
}

/// `cp1251`, `win-1251`, `ansi1251`, `iso88592`: a vendor's word, then the number of the standard.
fn by_number(plain: &str) -> Option<Charset> {
    let digits = plain.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let word = &plain[..plain.len() - digits.len()];
    let standard = match (word, digits) {
        (
            "cp" | "win" | "windows" | "ms" | "xcp" | "ansi" | "microsoftcp",
            "1250" | "1251" | "1252" | "1253" | "1254" | "1255" | "1256" | "1257" | "1258",
        ) => format!("windows-{digits}"),
        ("iso" | "xiso" | "isoiec", _) if digits.len() > 4 => {
            format!("iso-8859-{}", digits.strip_prefix("8859")?)
        }
        ("cp" | "ibm" | "dos", "866") => "ibm866".into(),
        _ => return None,
    };
    Encoding::for_label(standard.as_bytes()).map(Charset::from)
}

impl From<&'static Encoding> for Charset {
    fn from(encoding: &'static Encoding) -> Charset {
        Charset(Kind::Standard(encoding))
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(label: &str, name: &str) {
        assert_eq!(Charset::for_label(label).map_or("none", Charset::name), name, "{label}");
    }

    #[test]
    fn labels_of_the_standard_of_vendors_and_of_the_past() {
        check("TIS-620", "windows-874");
        check(" iso-8859-11 ", "windows-874");
        check("latin1", "windows-1252");
        check("cp932", "Shift_JIS");
        check("windows-932", "Shift_JIS");
        check("CP949", "EUC-KR");
        check("eucKR", "EUC-KR");
        check("win-1251", "windows-1251");
        check("iso8859-2", "ISO-8859-2");
        check("ISO-2022-KR", "ISO-2022-KR");
        check("hz-gb-2312", "HZ-GB-2312");
        check("cp855", "IBM855");
        check("MacCyrillic", "x-mac-cyrillic");
        check("utf-32le", "UTF-32LE");
    }

    #[test]
    fn junk_names_nothing() {
        for junk in ["", "x-user-defined", "replacement", "iso", "cp1215", "unicode?", "<?=$cs?>"] {
            check(junk, "none");
        }
    }
}
