//! Reads the command line.

use super::options::{Arguments, Command};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

impl Arguments {
    /// Reads the command line of this call of the program.
    ///
    /// # Errors
    /// What is wrong with it, or the help that was asked for.
    pub fn read() -> Result<Self, clap::Error> {
        let mut command = with_negative_numbers(Self::command());
        let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
        let arguments =
            Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
        match arguments.conflict() {
            Some(what) => Err(command.error(ErrorKind::ArgumentConflict, what)),
            None => Ok(arguments),
        }
    }

    /// What cannot be said together, and what the parser itself does not know so.
    fn conflict(&self) -> Option<String> {
        match &self.command {
            Command::Benchmark { what } => what.conflict(),
            _ => None,
        }
    }
}

/// Takes `-5` behind an option for its value, whose own words then say what may stand there; clap's own would say that there is no option `-5`.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| match is_option_with_value(&argument) {
            true => argument.allow_negative_numbers(true),
            false => argument,
        })
        .mut_subcommands(with_negative_numbers)
}

fn is_option_with_value(argument: &clap::Arg) -> bool {
    !argument.is_positional() && argument.get_action().takes_values()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever option takes a number: one with a minus is its value, and not an option that is not there.
    #[test]
    fn every_option_takes_a_negative_number_for_its_value() {
        fn check(command: &clap::Command) {
            for option in command.get_arguments().filter(|argument| is_option_with_value(argument)) {
                assert!(
                    option.is_allow_negative_numbers_set(),
                    "{} {:?}",
                    command.get_name(),
                    option.get_id()
                );
            }
            command.get_subcommands().for_each(check);
        }
        let command = with_negative_numbers(Arguments::command());
        check(&command);
        command.debug_assert();
    }
}
