//! Tables for people.

use std::borrow::Cow;

/// How a column is aligned.
#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}

/// A table as lines of text: a head, a rule, and the rows.
pub fn table(head: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].0.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded = cells.zip(head).zip(&widths).map(|((cell, (_, align)), &width)| {
            let space = " ".repeat(width - cell.chars().count());
            match align {
                Align::Left => format!("{cell}{space}"),
                Align::Right => format!("{space}{cell}"),
            }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let mut text = line(&mut head.iter().map(|(name, _)| *name));
    text += &format!("{}\n", "─".repeat(widths.iter().sum::<usize>() + 2 * (head.len() - 1)));
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

/// A number with separators: 1,234,567.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, in the singular where it is one: 1 file, 1,234 files.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Text from elsewhere, fit for a terminal, which would obey control characters, and turn around what stands behind
/// marks of direction.
pub fn visible(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_obeyed = |c: char| c.is_control() && c != '\t' || turns(c);
    match text.contains(is_obeyed) {
        true => text.replace(is_obeyed, "\u{fffd}").into(),
        false => text.into(),
    }
}

/// A share as a percentage; a dash if it is not known.
pub fn percent(share: f64) -> String {
    if share.is_nan() {
        return "–".to_owned();
    }
    format!("{:.1}%", share * 100.0)
}

/// A span of time: 12.3 s, 5 min, 3.4 h, 2.1 d.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.1} min", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} d", s / 86400.0),
    }
}

/// A number of bytes.
pub fn bytes(number: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (number as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{value:.1} {}", units[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 12, 1234, 1_234_567].map(count), ["0", "12", "1,234", "1,234,567"]);
        assert_eq!([0, 1, 1234].map(|n| counted(n, "file")), ["0 files", "1 file", "1,234 files"]);
        assert_eq!([0, 1023, 1024, 3 << 30].map(bytes), ["0 B", "1023 B", "1.0 KiB", "3.0 GiB"]);
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "23".to_owned()]];
        let text = table(&[("name", Align::Left), ("n", Align::Right)], &rows);
        assert_eq!(text, "name   n\n────────\na      1\nbcd   23\n");
    }
}
