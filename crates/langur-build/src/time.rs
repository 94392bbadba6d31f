//! Moments as seconds since 1970.

/// The moment that 14 digits tell: `20240523143003`. Nothing if they are no date, or one before 1970.
pub fn unix_seconds(digits: &str) -> Option<u32> {
    if digits.len() != 14 {
        return None;
    }
    let number = |range: std::ops::Range<usize>| digits.get(range)?.parse::<i64>().ok();
    let (year, month, day) =
        (number(0..4)?, number(4..6)?.clamp(1, 12), number(6..8)?.clamp(1, 31));
    let (hour, minute, second) = (number(8..10)?, number(10..12)?, number(12..14)?);
    // Days from the civil calendar (Howard Hinnant), with years that begin in March.
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    u32::try_from(days * 86_400 + hour * 3600 + minute * 60 + second).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_counted_from_1970() {
        assert_eq!(unix_seconds("19700101000000"), Some(0));
        assert_eq!(unix_seconds("20000229120000"), Some(951_825_600));
        assert_eq!(unix_seconds("20240523143003"), Some(1_716_474_603));
        assert_eq!(unix_seconds("19690101000000"), None);
        assert_eq!(unix_seconds("2024"), None);
    }
}
