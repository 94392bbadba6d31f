//! Reading `name(key=value, …)`.

use std::fmt;

use crate::{ALL, Entry};

/// Something that can be set about a strategy.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key.
    pub name: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// The value when none is given.
    pub default: &'static str,
    /// What it means, and which paper leaves it open.
    pub about: &'static str,
}

/// Which values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number from the first to the second.
    Number(u32, u32),
    /// A number from 0 to 1.
    Fraction,
    /// `true` or `false`; the key alone means `true`.
    Switch,
    /// One of these words; the word alone is enough.
    Choice(&'static [&'static str]),
    /// Words joined by `+`.
    Words,
}

/// A strategy as asked for: a name from the table and arguments that fit it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    name: &'static str,
    oracle: bool,
    arguments: Arguments,
}

/// The value of every parameter of one strategy, given or default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments(Vec<Argument>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Argument {
    key: &'static str,
    value: String,
    given: bool,
}

/// Why a strategy could not be made. Reads as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(pub String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

impl Spec {
    /// Reads a strategy such as `soft-focused` or `limited-distance(n=2, prioritized)`.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        Spec::parse_one_of("strategy", ALL.iter(), text)
    }

    /// Reads one of these. `noun` is what they are, for messages.
    pub fn parse_one_of<'e>(
        noun: &str,
        entries: impl Iterator<Item = &'e Entry> + Clone,
        text: &str,
    ) -> Result<Spec, SpecError> {
        let text = text.trim();
        let (name, list) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(list) => (name.trim(), list),
                None => {
                    return Err(SpecError(format!(
                        "{noun} \"{text}\" lacks its closing parenthesis"
                    )));
                }
            },
        };
        let Some(entry) = entries.clone().find(|entry| entry.name == name) else {
            let names: Vec<_> = entries.map(|entry| entry.name).collect();
            return Err(SpecError(format!(
                "there is no {noun} \"{name}\"; there are: {}",
                names.join(", ")
            )));
        };
        let mut arguments = Arguments::defaults(entry.parameters);
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            arguments.set(noun, entry, item)?;
        }
        Ok(Spec { name: entry.name, oracle: entry.oracle, arguments })
    }

    /// The strategy's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the strategy uses what it has not fetched.
    pub fn is_oracle(&self) -> bool {
        self.oracle
    }

    /// All arguments, defaults included.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }
}

/// As one writes it: the arguments that were given, in the table's order.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for (i, argument) in self.arguments.0.iter().filter(|argument| argument.given).enumerate() {
            f.write_str(if i == 0 { "(" } else { "," })?;
            match argument.value.as_str() {
                "true" => f.write_str(argument.key)?,
                value => write!(f, "{}={value}", argument.key)?,
            }
        }
        if self.arguments.0.iter().any(|argument| argument.given) {
            f.write_str(")")
        } else {
            Ok(())
        }
    }
}

impl Arguments {
    fn defaults(parameters: &[Parameter]) -> Arguments {
        let default =
            |p: &Parameter| Argument { key: p.name, value: p.default.to_owned(), given: false };
        Arguments(parameters.iter().map(default).collect())
    }

    fn set(&mut self, noun: &str, entry: &Entry, item: &str) -> Result<(), SpecError> {
        let parameters = entry.parameters;
        let (parameter, value) = match item.split_once('=') {
            Some((key, value)) => (parameters.iter().find(|p| p.name == key.trim()), value.trim()),
            None => {
                match parameters.iter().find(|p| p.name == item && matches!(p.kind, Kind::Switch)) {
                    Some(switch) => (Some(switch), "true"),
                    None => (parameters.iter().find(|p| p.kind.is_word(item)), item),
                }
            }
        };
        let Some(parameter) = parameter else {
            let key = item.split('=').next().unwrap_or(item).trim();
            return Err(SpecError(match parameters.len() {
                0 => format!("{noun} {} has no parameters, so not \"{key}\"", entry.name),
                _ => {
                    let keys: Vec<_> =
                        parameters.iter().map(|p| format!("{} ({})", p.name, p.kind)).collect();
                    format!(
                        "{noun} {} has no parameter \"{key}\"; it has: {}",
                        entry.name,
                        keys.join(", ")
                    )
                }
            }));
        };
        if !parameter.kind.accepts(value) {
            return Err(SpecError(format!(
                "{} of {noun} {} is {}, not \"{value}\"",
                parameter.name, entry.name, parameter.kind
            )));
        }
        let argument = self
            .0
            .iter_mut()
            .find(|a| a.key == parameter.name)
            .expect("every parameter has its place");
        if std::mem::replace(&mut argument.given, true) {
            return Err(SpecError(format!(
                "{} of {noun} {} is given twice",
                parameter.name, entry.name
            )));
        }
        value.clone_into(&mut argument.value);
        Ok(())
    }

    /// Every key with its value, defaults included.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|argument| (argument.key, argument.value.as_str()))
    }

    /// The value of a parameter, as text.
    ///
    /// # Panics
    /// If the strategy has no such parameter.
    pub fn word(&self, key: &str) -> &str {
        &self.0.iter().find(|a| a.key == key).expect("a strategy asks for its own parameters").value
    }

    /// The value of a [`Kind::Number`].
    pub fn number(&self, key: &str) -> u32 {
        self.word(key).parse().expect("numbers were checked when read")
    }

    /// The value of a [`Kind::Fraction`].
    pub fn fraction(&self, key: &str) -> f64 {
        self.word(key).parse().expect("fractions were checked when read")
    }

    /// The value of a [`Kind::Switch`].
    pub fn switch(&self, key: &str) -> bool {
        self.word(key) == "true"
    }
}

impl Kind {
    fn accepts(&self, value: &str) -> bool {
        match self {
            Kind::Number(least, most) => value.parse().is_ok_and(|n| (least..=most).contains(&&n)),
            Kind::Fraction => value.parse().is_ok_and(|f: f64| (0.0..=1.0).contains(&f)),
            Kind::Switch => matches!(value, "true" | "false"),
            Kind::Choice(words) => words.contains(&value),
            Kind::Words => {
                let is_word = |word: &str| {
                    !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
                };
                value.split('+').all(is_word)
            }
        }
    }

    /// Whether `text` alone can only mean a value of this parameter.
    fn is_word(&self, text: &str) -> bool {
        matches!(self, Kind::Choice(words) if words.contains(&text))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Number(least, most) => write!(f, "{least} to {most}"),
            Kind::Fraction => f.write_str("a fraction from 0 to 1"),
            Kind::Switch => f.write_str("true or false"),
            Kind::Choice(words) => f.write_str(&words.join(" or ")),
            Kind::Words => f.write_str("words joined by +"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, written: &str) {
        assert_eq!(Spec::parse(text).map(|spec| spec.to_string()), Ok(written.to_owned()));
    }

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        let error = Spec::parse(text).expect_err("an error").0;
        assert!(error.contains(message), "{error:?} does not say {message:?}");
    }

    #[test]
    fn arguments_are_kept_in_the_order_of_the_table() {
        check("breadth-first", "breadth-first");
        check(" limited-distance( prioritized , n = 2 ) ", "limited-distance(n=2,prioritized)");
        check("limited-distance(n=2,prioritized=true)", "limited-distance(n=2,prioritized)");
        check("server-filter(aggressive)", "server-filter(new=aggressive)");
        check("tld-anchor(tlds=cn+tw)", "tld-anchor(tlds=cn+tw)");
    }

    #[test]
    fn what_is_written_reads_as_itself() {
        for text in ALL.iter().flat_map(Entry::written_variants) {
            let spec = Spec::parse(&text).expect("variants are well-formed");
            assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
        }
    }

    #[test]
    fn errors_list_what_is_right() {
        check_error(
            "breadthfirst",
            "there is no strategy \"breadthfirst\"; there are: breadth-first, ",
        );
        check_error("lswc(x=1)", "no parameter \"x\"; it has: s (1 to ");
        check_error("breadth-first(n=1)", "has no parameters");
        check_error("limited-distance(n=many)", "n of strategy limited-distance is 0 to ");
        check_error("limited-distance(n=1,n=2)", "given twice");
        check_error("limited-distance(n=1", "closing parenthesis");
        check_error("lswc(count=some)", "count of strategy lswc is html or all, not \"some\"");
    }

    proptest::proptest! {
        #[test]
        fn reading_anything_gives_a_strategy_or_words(text in "(lswc|limited-distance|tld-anchor|x)?[(),=a-z0-9+ ]{0,30}") {
            if let Ok(spec) = Spec::parse(&text) {
                proptest::prop_assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
            }
        }
    }

    #[test]
    fn every_default_is_a_value_its_parameter_accepts() {
        for parameter in ALL.iter().flat_map(|entry| entry.parameters) {
            assert!(parameter.kind.accepts(parameter.default), "{}", parameter.name);
        }
    }
}
