//! When a capture was made.

use std::fmt;

/// A moment, to the second, as indexes write it: `20140103030321`.
///
/// The digits are kept as they were read, for real indexes hold days like `20080000` too; what they
/// mean is only asked when the distance of two is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

/// What is missing of a timestamp, is taken from here: a month begins with its first day.
const FILL: &[u8; 14] = b"00000101000000";

impl Timestamp {
    /// Reads 4 to 17 digits (`2014`, `201401`, `20140103030321`; what goes beyond seconds is left
    /// out) or a date in the manner of ISO 8601 (`2014-01-03`, `2014-01-03T03:03:21.5+02:00`), which
    /// is in UTC if it does not say.
    pub fn parse(text: &str) -> Option<Timestamp> {
        let text = text.trim();
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return Timestamp::from_digits(text.as_bytes());
        }
        iso(text)
    }

    /// Reads what a person wrote, by the same rules: only whole parts of days and times that exist.
    pub fn parse_strictly(text: &str) -> Option<Timestamp> {
        let text = text.trim();
        let moment = Timestamp::parse(text)?;
        let date = text.split(['T', 't', ' ']).next().unwrap_or(text);
        let digits: String = date.split('-').map(|part| format!("{part:0>2}")).collect();
        let is_whole = matches!(digits.len(), 4 | 6 | 8 | 10 | 12 | 14);
        let written = Timestamp::from_digits(digits.as_bytes())?;
        (is_whole && Timestamp::from_unix(written.unix()) == written).then_some(moment)
    }

    fn from_digits(digits: &[u8]) -> Option<Timestamp> {
        if !(4..=17).contains(&digits.len()) {
            return None;
        }
        let filled = digits.iter().chain(FILL.get(digits.len()..).unwrap_or(&[])).take(14);
        Some(Timestamp(filled.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))))
    }

    /// The moment so many seconds after the beginning of 1970, in UTC; the first or the last there is
    /// if it lies outside the years 0 to 9999.
    pub fn from_unix(seconds: i64) -> Timestamp {
        let seconds = seconds.clamp(-62_167_219_200, 253_402_300_799);
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = civil(days);
        let date = year * 10_000 + month * 100 + day;
        let time = second / 3600 * 10_000 + second / 60 % 60 * 100 + second % 60;
        Timestamp((date * 1_000_000 + time) as u64)
    }

    /// Whether no part of it is beyond what there is. Months and days may be 0, where they were not known.
    pub fn is_possible(self) -> bool {
        let most = [(100_000_000, 12), (1_000_000, 31), (10_000, 23), (100, 59), (1, 60)];
        most.iter().all(|&(divisor, most)| self.0 / divisor % 100 <= most)
    }

    /// Seconds since the beginning of 1970. Days and hours that do not exist count as the nearest
    /// that do.
    pub fn unix(self) -> i64 {
        let part = |divisor: u64, modulus: u64| (self.0 / divisor % modulus) as i64;
        let month = part(100_000_000, 100).clamp(1, 12);
        let day = part(1_000_000, 100).clamp(1, 31);
        let time = part(10_000, 100).min(23) * 3600 + part(100, 100).min(59) * 60;
        days(part(10_000_000_000, 10_000), month, day) * 86_400 + time + part(1, 100).min(59)
    }

    /// As RFC 3339 writes it, in UTC: `2014-01-03T03:03:21Z`. Days and hours that do not exist are written
    /// as the nearest that do.
    pub fn rfc3339(self) -> String {
        // Written digit by digit, since every record has a date.
        let mut number = Timestamp::from_unix(self.unix()).0;
        let mut text = *b"0000-00-00T00:00:00Z";
        for digit in text.iter_mut().rev().filter(|byte| byte.is_ascii_digit()) {
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
        text.map(char::from).iter().collect()
    }

    /// How many seconds lie between two moments.
    pub fn distance(self, other: Timestamp) -> u64 {
        self.unix().abs_diff(other.unix())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:014}", self.0)
    }
}

/// `year-month[-day[Thour:minute[:second[.fraction]][Z or +hours:minutes]]]`
fn iso(text: &str) -> Option<Timestamp> {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mut date = date.split('-').map(|part| number(part, 4));
    let (year, month) = (date.next()??, date.next()??);
    let day = date.next().unwrap_or(Some(1))?;
    if date.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let midnight = days(year, month, day) * 86_400;
    let (seconds, ahead) = match time {
        Some(time) => clock(time)?,
        None => (0, 0),
    };
    Some(Timestamp::from_unix(midnight + seconds - ahead))
}

/// Seconds since midnight, and how far the clock is ahead of UTC.
fn clock(text: &str) -> Option<(i64, i64)> {
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let time = time.split_once('.').map_or(time, |(whole, _)| whole);
    let ahead = match zone.as_bytes().first() {
        Some(sign @ (b'+' | b'-')) => {
            let colon_free = zone[1..].replace(':', "");
            let (hours, minutes) = colon_free.split_at_checked(2)?;
            let minutes = if minutes.is_empty() { 0 } else { number(minutes, 2)? };
            let ahead = number(hours, 2)? * 3600 + minutes * 60;
            if *sign == b'+' { ahead } else { -ahead }
        }
        _ if zone.len() <= 1 => 0,
        _ => return None,
    };
    let mut parts = time.trim_end().split(':').map(|part| number(part, 2));
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    // 60 is a leap second, which counts as the one before.
    (parts.next().is_none() && hour < 24 && minute < 60 && second <= 60)
        .then_some((hour * 3600 + minute * 60 + second.min(59), ahead))
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let fits = (1..=digits).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

/// Days since 1970-01-01 in the Gregorian calendar (Hinnant, *chrono-compatible low-level date
/// algorithms*). The last days of a month that it has not are those of the next.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The year, month and day of a number of days since 1970-01-01: the inverse of [`days`].
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = (shifted + 2) % 12 + 1;
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_times_that_exist() {
        for text in ["2014", "201402", "20140228", "2014022823", "20160229", "20140103030321"] {
            assert_eq!(Timestamp::parse_strictly(text), Timestamp::parse(text), "{text}");
        }
        for text in ["2014-01-03", "2014-1-3", "2014-01", "2014-01-03T03:03:21.5+02:00"] {
            assert!(Timestamp::parse_strictly(text).is_some(), "{text}");
        }
        for text in [
            "20141332",
            "20140230",
            "2014013",
            "201401030303211",
            "2014010325",
            "20140000",
            "2014-02-30",
            "2014-13",
            "201",
            "soon",
            "",
        ] {
            assert_eq!(Timestamp::parse_strictly(text), None, "{text}");
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = Timestamp::parse(text).map(|timestamp| timestamp.to_string());
        assert_eq!(found.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn digits_and_dates_are_read() {
        check("2014", "20140101000000");
        check("201412", "20141201000000");
        check("20141231", "20141231000000");
        check("20140103030321", "20140103030321");
        check("20140103030321987", "20140103030321");
        check("20080000000000", "20080000000000");
        check("2014-01", "20140101000000");
        check("2014-01-03", "20140103000000");
        check("2014-01-03T03:03:21Z", "20140103030321");
        check(" 2014-01-03 03:03 ", "20140103030300");
        check("2014-01-03T03:03:21.999999Z", "20140103030321");
        check("2014-01-01T01:00:00+02:00", "20131231230000");
        check("2014-12-31T23:30:00-0100", "20150101003000");
        check("2016-12-31T23:59:60Z", "20161231235959");
        for wrong in
            ["", "201", "2014010303032198765", "2014-13-01", "2014-01-03T", "x", "2014-1-1-1"]
        {
            check(wrong, "none");
        }
        check("2014-01-03T25:00:00Z", "none");
        check("2014-01-03T03:03:21+x", "none");
        check("٢٠١٤", "none");
    }

    #[test]
    fn a_thirteenth_month_is_impossible_and_an_unknown_one_is_not() {
        let possible = |text| Timestamp::parse(text).expect("digits").is_possible();
        assert!(possible("20080000000000") && possible("20161231235960"));
        for text in ["20201301", "20201232", "2020010124", "202001010060", "20200101000061"] {
            assert!(!possible(text), "{text}");
        }
    }

    #[test]
    fn distances_are_those_of_the_calendar() {
        let at = |text| Timestamp::parse(text).expect("a timestamp");
        assert_eq!(at("19700101").unix(), 0);
        assert_eq!(at("20000301").distance(at("20000228")), 2 * 86_400);
        assert_eq!(at("19000301").distance(at("19000228")), 86_400);
        assert_eq!(at("20240522120000").unix(), 1_716_379_200);
        assert_eq!(at("20080000000000").distance(at("20080101")), 0);
    }

    #[test]
    fn moments_are_written_as_dates_that_exist() {
        let date = |text| Timestamp::parse(text).expect("a timestamp").rfc3339();
        assert_eq!(date("20140103030321"), "2014-01-03T03:03:21Z");
        assert_eq!(date("20080000256199"), "2008-01-01T23:59:59Z");
        assert_eq!(date("20070231"), "2007-03-03T00:00:00Z");
    }

    #[test]
    fn every_day_there_and_back() {
        for day in -719_528..2_932_896 {
            let (year, month, date) = civil(day);
            assert_eq!(days(year, month, date), day);
        }
        let last = Timestamp::from_unix(i64::MAX);
        assert_eq!(last.to_string(), "99991231235959");
        assert_eq!(Timestamp::from_unix(last.unix()), last);
        assert_eq!(Timestamp::from_unix(i64::MIN).to_string(), "00000101000000");
    }
}
