//! What a panic says.

use std::any::Any;

/// Longer words are cut: they may hold the page that was read.
const LONGEST: usize = 300;

/// The words of a panic, on one line.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a word");
    let text = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    text.take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_one_line_and_not_too_many() {
        assert_eq!(words(&"no\nway"), "no way");
        assert_eq!(words(&"ก".repeat(1000)), "ก".repeat(LONGEST));
        assert_eq!(words(&7), "without a word");
    }
}
