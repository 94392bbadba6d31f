//! Quantities with their units: `"2s"`, `"16MiB"`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A text that is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{text}\" is not {what}: write {examples}")]
pub struct NotAQuantity {
    text: String,
    what: &'static str,
    examples: &'static str,
}

/// A stretch of time: `500ms`, `2s`, `10min`, `24h`, `7d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(pub Duration);

impl Span {
    /// So many milliseconds.
    pub const fn ms(ms: u64) -> Span {
        Span(Duration::from_millis(ms))
    }

    /// So many seconds.
    pub const fn seconds(seconds: u64) -> Span {
        Span(Duration::from_secs(seconds))
    }

    /// In milliseconds.
    pub fn as_ms(self) -> u64 {
        u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX)
    }
}

const SPANS: [(&str, u64); 5] =
    [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1)];

impl FromStr for Span {
    type Err = NotAQuantity;

    fn from_str(text: &str) -> Result<Span, NotAQuantity> {
        let wrong = || NotAQuantity {
            text: text.to_owned(),
            what: "a stretch of time",
            examples: "500ms, 2s, 10min, 24h or 7d",
        };
        read(text, &SPANS).map(Span::ms).ok_or_else(wrong)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.as_ms(), &SPANS)
    }
}

/// A number of bytes: `64KiB`, `16MiB`, `1GiB`, `500MB`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

const SIZES: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1000),
    ("B", 1),
];

impl FromStr for Size {
    type Err = NotAQuantity;

    fn from_str(text: &str) -> Result<Size, NotAQuantity> {
        let wrong = || NotAQuantity {
            text: text.to_owned(),
            what: "a number of bytes",
            examples: "64KiB, 16MiB, 1GiB or 500MB",
        };
        read(text, &SIZES).map(Size).ok_or_else(wrong)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0, &SIZES)
    }
}

/// A number, which may have a fraction, and one of the units.
fn read(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (text[..digits].parse::<f64>().ok()?, text[digits..].trim());
    let (_, size) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    let quantity = number * *size as f64;
    (quantity.is_finite() && quantity <= u64::MAX as f64).then_some(quantity.round() as u64)
}

/// In the largest unit of which there is a whole number.
fn write(f: &mut fmt::Formatter<'_>, quantity: u64, units: &[(&str, u64)]) -> fmt::Result {
    let whole = units.iter().find(|(_, size)| quantity > 0 && quantity.is_multiple_of(*size));
    let (unit, size) = whole.or(units.last()).copied().unwrap_or(("", 1));
    write!(f, "{}{unit}", quantity / size)
}

macro_rules! as_text {
    ($quantity:ty) => {
        impl Serialize for $quantity {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $quantity {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                /// Bare numbers are told that they lack a unit.
                #[derive(Deserialize)]
                #[serde(untagged)]
                enum Written {
                    Text(String),
                    Whole(i64),
                    Fraction(f64),
                }
                let text = match Written::deserialize(from) {
                    Ok(Written::Text(text)) => text,
                    Ok(Written::Whole(number)) => number.to_string(),
                    Ok(Written::Fraction(number)) => number.to_string(),
                    Err(_) => String::new(),
                };
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
as_text!(Span);
as_text!(Size);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_and_written() {
        let spans =
            [("500ms", 500), ("2s", 2000), ("1.5s", 1500), ("10min", 600_000), ("24h", 86_400_000)];
        for (text, ms) in spans {
            assert_eq!(text.parse::<Span>().expect(text).as_ms(), ms);
        }
        for text in ["500ms", "2s", "90s", "10min", "1d", "36h", "0ms"] {
            assert_eq!(text.parse::<Span>().expect(text).to_string(), text);
        }
        for text in ["64KiB", "16MiB", "500MB", "0B", "1001B"] {
            assert_eq!(text.parse::<Size>().expect(text).to_string(), text);
        }
        for (text, bytes) in [("200KB", 200_000), ("1gib", 1 << 30), ("5mb", 5_000_000)] {
            assert_eq!(text.parse::<Size>().expect(text), Size(bytes));
        }
        for wrong in ["", "2", "s", "2 sec", "-1s", "1e3s", "∞"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
        let error = "2".parse::<Span>().expect_err("no unit").to_string();
        assert_eq!(error, "\"2\" is not a stretch of time: write 500ms, 2s, 10min, 24h or 7d");
    }
}
