//! How well pages are told apart in a simulation.

use std::fmt;
use std::str::FromStr;

use langur_sim::Noise;
use langur_strategy::{Entry, Kind, Parameter, Spec, SpecError};

/// Whether the crawl sees the labels of the web space as they are, or through a language identifier
/// that errs. Results are always measured by the labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Identifier {
    spec: Spec,
    noise: Option<Noise>,
}

/// The identifiers there are, for help.
pub const IDENTIFIERS: &[Entry] = &[
    Entry {
        name: "exact",
        about: "pages are judged by their labels",
        oracle: false,
        parameters: &[],
        variants: &[""],
    },
    Entry {
        name: "noisy",
        about: "some pages are judged wrongly, never seeds; results are measured by the labels all the same",
        oracle: false,
        parameters: &[
            Parameter {
                name: "miss",
                kind: Kind::Fraction,
                default: "0",
                about: "share of the relevant pages taken for irrelevant ones",
            },
            Parameter {
                name: "false_alarm",
                kind: Kind::Fraction,
                default: "0",
                about: "share of the irrelevant OK HTML pages taken for relevant ones",
            },
            Parameter {
                name: "at",
                kind: Kind::Choice(&["anywhere", "entries"]),
                default: "anywhere",
                about: "on any page, or only on the first page of each host",
            },
            Parameter {
                name: "seed",
                kind: Kind::Number(0, u32::MAX),
                default: "1",
                about: "draws the pages",
            },
        ],
        variants: &[""],
    },
];

impl Identifier {
    /// How it errs, if it does.
    pub fn noise(&self) -> Option<&Noise> {
        self.noise.as_ref()
    }
}

impl Default for Identifier {
    fn default() -> Identifier {
        "exact".parse().expect("there is an exact identifier")
    }
}

impl FromStr for Identifier {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Identifier, SpecError> {
        let spec = Spec::parse_one_of("identifier", IDENTIFIERS.iter(), text)?;
        let arguments = spec.arguments();
        let noise = (spec.name() == "noisy").then(|| Noise {
            miss: arguments.fraction("miss"),
            false_alarm: arguments.fraction("false_alarm"),
            entries_only: arguments.word("at") == "entries",
            seed: u64::from(arguments.number("seed")),
        });
        Ok(Identifier { spec, noise })
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}
