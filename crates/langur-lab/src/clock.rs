//! How time passes in a simulation.

use std::fmt;
use std::str::FromStr;

use langur_crawl::Pace;
use langur_strategy::{Entry, Kind, Parameter, Spec, SpecError};

/// How time passes in a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    spec: Spec,
    pace: Option<Pace>,
}

/// The clocks there are, for help.
pub const CLOCKS: &[Entry] = &[
    Entry {
        name: "step",
        about: "one step a fetch, as in the founding papers",
        oracle: false,
        parameters: &[],
        variants: &[""],
    },
    Entry {
        name: "polite",
        about: "connections, transfers and access intervals in milliseconds of simulated time",
        oracle: false,
        parameters: POLITE,
        variants: &[""],
    },
];

const POLITE: &[Parameter] = &[
    number("connections", 1, 100_000, "100", "fetches under way at once"),
    number("interval_ms", 0, 86_400_000, "1000", "time between fetches from one host"),
    Parameter {
        name: "latency",
        kind: Kind::Choice(&["log", "fixed"]),
        default: "log",
        about: "time to answer: from the crawl log, and 400 ms where that has none; or latency_ms for all pages",
    },
    number("latency_ms", 0, 3_600_000, "0", "time to answer with latency=fixed"),
    number("kb_per_second", 0, 10_000_000, "100", "what a connection transfers; 0 for no limit"),
    number(
        "timeout_ms",
        0,
        86_400_000,
        "30000",
        "how long an answer that never comes is waited for",
    ),
    Parameter {
        name: "failures",
        kind: Kind::Fraction,
        default: "0",
        about: "share of fetches that fail although the crawl log has an answer",
    },
    number("seed", 0, u32::MAX, "1", "draws which fetches fail"),
    number(
        "workbench",
        1,
        u32::MAX,
        "10000",
        "most pages that may wait for their hosts outside the frontier",
    ),
];

/// Where the crawl log does not know it: about what it was where it does.
const USUAL_LATENCY_MS: u32 = 400;

const fn number(
    name: &'static str,
    least: u32,
    most: u32,
    default: &'static str,
    about: &'static str,
) -> Parameter {
    Parameter { name, kind: Kind::Number(least, most), default, about }
}

impl Clock {
    /// How fast and how politely the crawl works; `None` for the step clock.
    pub fn pace(&self) -> Option<&Pace> {
        self.pace.as_ref()
    }
}

impl Default for Clock {
    fn default() -> Clock {
        "step".parse().expect("there is a step clock")
    }
}

impl FromStr for Clock {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Clock, SpecError> {
        let spec = Spec::parse_one_of("clock", CLOCKS.iter(), text)?;
        let arguments = spec.arguments();
        let some = |key: &str| Some(arguments.number(key)).filter(|&number| number > 0);
        let pace = (spec.name() == "polite").then(|| Pace {
            connections: arguments.number("connections") as usize,
            interval_ms: u64::from(arguments.number("interval_ms")),
            latency_ms: (arguments.word("latency") == "fixed")
                .then(|| arguments.number("latency_ms")),
            usual_latency_ms: USUAL_LATENCY_MS,
            bytes_per_second: some("kb_per_second").map(|kb| u64::from(kb) * 1000),
            timeout_ms: u64::from(arguments.number("timeout_ms")),
            failures: arguments.fraction("failures"),
            seed: u64::from(arguments.number("seed")),
            workbench: arguments.number("workbench") as usize,
        });
        Ok(Clock { spec, pace })
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_read_and_write() {
        for text in ["step", "polite", "polite(connections=5,failures=0.1)"] {
            assert_eq!(text.parse::<Clock>().map(|clock| clock.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            "polite(interval_ms=7)".parse::<Clock>().unwrap().pace().unwrap().interval_ms,
            7
        );
        let error = "sundial".parse::<Clock>().unwrap_err();
        assert_eq!(error.to_string(), "there is no clock \"sundial\"; there are: step, polite");
    }
}
