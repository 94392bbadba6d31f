//! Strategies by name.

use langur_crawl::{Foresight, Language, Strategy};

use crate::{Arguments, Parameter, SpecError};

/// A strategy that can be asked for by name.
pub trait Named: Strategy<Trail: 'static> + Sized + Send + 'static {
    /// The name on the command line.
    const NAME: &'static str;
    /// One sentence for the help, with the paper it comes from.
    const ABOUT: &'static str;
    /// Whether it uses what it has not fetched.
    const ORACLE: bool = false;
    /// What can be set, in the order in which it is shown.
    const PARAMETERS: &'static [Parameter] = &[];
    /// The settings that stand for the strategy in comparisons (`--all`), as argument lists.
    const VARIANTS: &'static [&'static str] = &[""];

    /// Makes the strategy from arguments that have been checked against [`Named::PARAMETERS`].
    fn build(arguments: &Arguments, setting: &Setting) -> Result<Self, SpecError>;
}

/// What a strategy may know when it is made.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The languages that are wanted; none where a topic is.
    pub languages: &'a [Language],
    /// The whole web, for oracles; `None` where nobody has it.
    pub foresight: Option<&'a dyn Foresight>,
}

impl<'a> Setting<'a> {
    /// The whole web, for the oracle of this name, or why it cannot run.
    pub fn foresight_for(&self, name: &str) -> Result<&'a dyn Foresight, SpecError> {
        let why = || SpecError(format!("{name} is an oracle: it runs on a simulated web only"));
        self.foresight.ok_or_else(why)
    }
}

/// Something to do with a strategy once its type is known. This is the one door between names and
/// types: behind it all code is generic.
pub trait Runner {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<S: Strategy>(self, strategy: S) -> Self::Output;
}

/// Something to do with every strategy of the table, by its type.
pub trait Visitor {
    /// Does it with one.
    fn visit<S: Named>(&mut self);
}

/// A line of the table of strategies.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// One sentence for the help.
    pub about: &'static str,
    /// Whether it uses what it has not fetched.
    pub oracle: bool,
    /// What can be set.
    pub parameters: &'static [Parameter],
    /// The settings that stand for the strategy in comparisons.
    pub variants: &'static [&'static str],
}

impl Entry {
    /// The line of a strategy.
    pub const fn of<S: Named>() -> Entry {
        Entry {
            name: S::NAME,
            about: S::ABOUT,
            oracle: S::ORACLE,
            parameters: S::PARAMETERS,
            variants: S::VARIANTS,
        }
    }

    /// The variants as they are written on the command line.
    pub fn written_variants(&self) -> impl Iterator<Item = String> {
        self.variants.iter().map(|arguments| match *arguments {
            "" => self.name.to_owned(),
            arguments => format!("{}({arguments})", self.name),
        })
    }
}

macro_rules! table {
    ($($strategy:ty),+ $(,)?) => {
        /// Every strategy there is.
        pub const ALL: &[Entry] = &[$(Entry::of::<$strategy>()),+];

        /// Shows every strategy's type to `visitor`.
        pub fn visit_all(visitor: &mut impl Visitor) {
            $(visitor.visit::<$strategy>();)+
        }

        /// Makes the strategy that `spec` names and hands it to `runner`.
        pub fn with<R: Runner>(spec: &Spec, setting: &Setting, runner: R) -> Result<R::Output, SpecError> {
            $(if spec.name() == <$strategy as Named>::NAME {
                return Ok(runner.run(<$strategy as Named>::build(spec.arguments(), setting)?));
            })+
            unreachable!("a spec names one of the strategies in the table")
        }
    };
}
pub(crate) use table;
