//! Texts, one after the other.

/// Texts in one piece of memory: a crawl writes hundreds of links a page, and memory of its own for each would cost more
/// than the rest of writing it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    all: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Texts {
    /// Adds one.
    pub fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The one of a number.
    pub fn get(&self, number: usize) -> &str {
        &self.all[self.start(number)..self.ends[number]]
    }

    /// Keeps the first and gives the others.
    pub fn split_off(&mut self, at: usize) -> Texts {
        let start = self.start(at);
        let ends = self.ends.split_off(at).into_iter().map(|end| end - start).collect();
        Texts { all: self.all.split_off(start), ends }
    }

    /// All of them without anything between, and where each ends.
    pub(crate) fn into_parts(self) -> (String, Vec<usize>) {
        (self.all, self.ends)
    }

    fn start(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

impl<T: AsRef<str>> FromIterator<T> for Texts {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Texts {
        let mut all = Texts::default();
        texts.into_iter().for_each(|text| all.push(text.as_ref()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_they_were_put_in() {
        let texts = ["one", "", "สาม", "4"];
        for at in 0..=texts.len() {
            let mut first: Texts = texts.iter().collect();
            let rest = first.split_off(at);
            let all = [&first, &rest].map(|part| (0..part.len()).map(|number| part.get(number)));
            assert_eq!(all.into_iter().flatten().collect::<Vec<_>>(), texts);
            assert_eq!((first.len(), rest.is_empty()), (at, at == texts.len()));
        }
    }
}
