//! Options of one web only, and which of them were given.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use crate::misuse::Misuse;

/// Options, and the names of those that stand on the command line: what another web would pass over in silence is
/// refused by name.
pub struct Given<T> {
    pub options: T,
    names: Vec<String>,
}

impl<T> Given<T> {
    /// Refuses to go on if any was given. `whose` says what they are for, as in "the live web".
    pub fn refuse(&self, whose: &str, web: &str) -> Result<(), Misuse> {
        let (are, them) = match self.names.len() {
            0 => return Ok(()),
            1 => ("is", "it"),
            _ => ("are", "them"),
        };
        Err(Misuse(format!(
            "{} {are} for {whose}, and --web {web} would pass over {them}\n  leave {them} out, or choose another --web",
            self.names.join(", ")
        )))
    }
}

impl<T: Args> Given<T> {
    fn names(matches: &ArgMatches) -> Vec<String> {
        let known = T::augment_args(Command::new("langur"));
        let named = known.get_arguments().filter_map(|argument| {
            let source = matches.value_source(argument.get_id().as_str());
            let name = argument.get_long().filter(|_| source == Some(ValueSource::CommandLine));
            name.map(|name| format!("--{name}"))
        });
        named.collect()
    }
}

impl<T: Args> FromArgMatches for Given<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given<T>, Error> {
        Given::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Given<T>, Error> {
        // Asked first, because what is taken out of the matches is gone.
        let names = Given::<T>::names(matches);
        Ok(Given { options: T::from_arg_matches_mut(matches)?, names })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.names.extend(Given::<T>::names(matches));
        self.options.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Given<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}
