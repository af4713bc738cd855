//! What the page of challenges can order and ask for, as it writes it. (CH8)

use serde::Deserialize;
use std::path::PathBuf;
use touchline_challenge::Changes;

/// What an operator orders.
#[derive(Debug, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Another challenge, for the same teams.
    Choose { challenge: String },
    /// The same challenge and teams, with other numbers than the file has.
    Change { changes: Changes },
    /// The players that the challenge is published with.
    OpenReferences {},
    /// One team, by its start script.
    OpenScript { path: PathBuf },
    /// The teams of a competition file.
    OpenCompetition { path: PathBuf },
    /// The first attempt of each team.
    Test { threads: usize },
    /// All runs that are not there yet.
    Competition { runs: u32, threads: usize },
    /// No run is begun any more.
    Stop {},
    /// What is being played ends, and does not count.
    StopServer {},
}

/// What is shown on a page of its own.
#[derive(Debug, Deserialize)]
#[serde(tag = "show", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Show {
    /// The recording of an attempt.
    Replay { team: String, run: u32, attempt: u32 },
    /// What is being played, live.
    Live {},
}
