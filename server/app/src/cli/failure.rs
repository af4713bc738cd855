//! How a command ends that did not do what it was asked: a message for people, an exit code for scripts.

use super::output;
use std::fmt;
use std::process::ExitCode;
use touchline_config::Report;
use touchline_gate::RecordError;
use touchline_sim::{CommandError, WorldError};

/// A command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// Exit code 1: a check found something; it has been printed.
    Check,
    /// Exit code 3: a robot or world file is wrong.
    Configuration(String),
    /// Exit code 4: an address or a file cannot be used.
    Resource(String),
    /// Exit code 5: a plugin is missing or failed.
    Plugin(String),
    /// Exit code 130, as of a program that Ctrl-C has ended: a signal came before all was done.
    Interrupted(String),
    /// Nobody reads our output any more, which is how `… | head` ends.
    BrokenPipe,
}

impl Failure {
    /// The first failure of several things that were done, with the messages of all.
    pub fn any(done: impl IntoIterator<Item = Result<(), Self>>) -> Result<(), Self> {
        let mut failures = done.into_iter().filter_map(Result::err);
        let Some(first) = failures.next() else { return Ok(()) };
        let has_words = |failure: &Self| !matches!(failure, Self::Check | Self::BrokenPipe);
        Err(failures.fold(first, |first, next| match first {
            first if has_words(&first) && !has_words(&next) => first,
            Self::Configuration(message) => Self::Configuration(format!("{message}\n{next}")),
            Self::Resource(message) => Self::Resource(format!("{message}\n{next}")),
            Self::Plugin(message) => Self::Plugin(format!("{message}\n{next}")),
            Self::Interrupted(message) => Self::Interrupted(format!("{message}\n{next}")),
            // These say nothing of their own.
            Self::Check | Self::BrokenPipe => next,
        }))
    }

    /// Prints the message to stderr, and gives the exit code. Code 2, usage, is the argument parser's.
    pub fn report(self) -> ExitCode {
        let (code, message) = match self {
            Self::Check => (1, None),
            Self::Configuration(message) => (3, Some(message)),
            Self::Resource(message) => (4, Some(message)),
            Self::Plugin(message) => (5, Some(message)),
            Self::Interrupted(message) => (130, Some(message)),
            Self::BrokenPipe => (0, None),
        };
        if let Some(message) = message {
            output::note(&message);
        }
        ExitCode::from(code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Configuration(message)
            | Self::Resource(message)
            | Self::Plugin(message)
            | Self::Interrupted(message) => f.write_str(message),
            Self::Check => f.write_str("a check found something"),
            Self::BrokenPipe => f.write_str("nobody reads the output"),
        }
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        let all = |prefix: &str| {
            !report.problems.is_empty() && report.problems.iter().all(|p| p.code.starts_with(prefix))
        };
        let text = report.to_string();
        if all("plugin/") {
            Self::Plugin(text)
        } else if all("config/file-not-read") {
            Self::Resource(text)
        } else {
            Self::Configuration(text)
        }
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        match error.error {
            CommandError::Plugin(_) => Self::Plugin(error.to_string()),
            _ => Self::Configuration(error.to_string()),
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::Resource(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match output::is_closed(&error) {
            true => Self::BrokenPipe,
            false => Self::Resource(error.to_string()),
        }
    }
}
