//! Many prefixes, asked at once.

/// Texts, none of which begins with another; sorted. So of all that are not behind a text, only the
/// last can be its beginning, and one binary search finds it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prefixes<T> {
    sorted: Vec<(String, T)>,
}

impl<T> Prefixes<T> {
    /// Of these; those that begin with another say nothing more, and are left out.
    pub fn new(mut prefixes: Vec<(String, T)>) -> Prefixes<T> {
        prefixes.sort_by(|(a, _), (b, _)| a.cmp(b));
        prefixes.dedup_by(|(later, _), (earlier, _)| later.starts_with(&*earlier));
        Prefixes { sorted: prefixes }
    }

    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// What came with the text that this one begins with.
    pub fn of(&self, text: &str) -> Option<&T> {
        let behind = self.sorted.partition_point(|(prefix, _)| prefix.as_str() <= text);
        let (prefix, value) = self.sorted.get(behind.checked_sub(1)?)?;
        text.starts_with(prefix).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn found_as_by_trying_all(
            all in proptest::collection::vec("[a-c]{0,4}", 0..8),
            text in "[a-d]{0,6}",
        ) {
            let prefixes = Prefixes::new(all.iter().map(|text| (text.clone(), text.clone())).collect());
            let found = prefixes.of(&text);
            prop_assert_eq!(found.is_some(), all.iter().any(|prefix| text.starts_with(prefix)));
            prop_assert!(found.is_none_or(|prefix| text.starts_with(prefix)));
        }
    }
}
