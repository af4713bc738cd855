//! All commands: one file each, and one row in the table below. `HELP`, the checks of roles, what is a question, and the test of
//! docs/protocol.md come from it; how to add one is in docs/contributing.md.

mod annotate;
mod ball;
mod bye;
mod describe;
mod drive;
mod events;
mod exchange;
mod files;
mod forward;
mod get;
mod give;
mod hear;
mod hello;
mod help;
mod list;
mod manipulate;
mod motion;
mod offset;
mod open;
mod pause;
mod place;
mod players;
mod push;
mod record;
mod referee;
mod remove;
mod reset;
mod resume;
mod robot;
mod say;
mod score;
mod seek;
mod set;
mod setscore;
mod speed;
mod start;
mod status;
mod step;
mod stop;
mod sync;
mod take;
mod timeline;
mod turn;
mod twist;
mod world;

pub use describe::description_reply;

use crate::call::{Begun, Call, Refused};
use crate::params::BadLine;
use crate::session::Session;
use crate::upload::UploadEnd;
use touchline_board::Reply;
use touchline_gate::{Reach, Role, Verb};

/// In the order in which `HELP` lists them.
pub const COMMANDS: &[Command] = &[
    help::COMMAND,
    hello::COMMAND,
    sync::COMMAND,
    offset::COMMAND,
    bye::COMMAND,
    status::COMMAND,
    list::COMMAND,
    world::COMMAND,
    score::COMMAND,
    events::COMMAND,
    players::COMMAND,
    files::COMMAND,
    describe::COMMAND,
    get::COMMAND,
    push::COMMAND,
    motion::COMMAND,
    hear::COMMAND,
    robot::COMMAND,
    remove::COMMAND,
    forward::COMMAND,
    turn::COMMAND,
    twist::COMMAND,
    drive::COMMAND,
    manipulate::COMMAND,
    set::COMMAND,
    say::COMMAND,
    annotate::COMMAND,
    reset::COMMAND,
    setscore::COMMAND,
    place::COMMAND,
    ball::COMMAND,
    pause::COMMAND,
    resume::COMMAND,
    step::COMMAND,
    speed::COMMAND,
    timeline::COMMAND,
    seek::COMMAND,
    record::COMMAND,
    open::COMMAND,
    referee::COMMAND,
    take::COMMAND,
    give::COMMAND,
    start::COMMAND,
    exchange::COMMAND,
    stop::COMMAND,
];

/// A command of the message board: its word, help text and handler.
#[derive(Clone, Copy)]
pub struct Command {
    /// Word that names the command, unique.
    pub word: &'static str,
    /// Its parameters, as `HELP` shows them.
    pub parameters: &'static str,
    /// What it is in the gate's matrix of roles; what it changes is checked at the gate again.
    pub verb: Verb,
    /// One-line help text.
    pub summary: &'static str,
    /// Further lines of help text.
    pub details: &'static [&'static str],
    pub(crate) run: Run,
}

/// What a command does, by when it may do so.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// The session answers it by itself, from its line and the server's clock in microseconds.
    Local(fn(&mut Session, &str, u64) -> Result<Reply, BadLine>),
    /// It asks: its answer shows what all commands before it have done, so it waits for them.
    Ask(fn(&mut Call<'_>) -> Result<Begun, Refused>),
    /// It changes something, and need not wait for the commands before it.
    Order(fn(&mut Call<'_>) -> Result<Begun, Refused>),
    /// As an order; a robot file may follow its line, and ends as `end` finds in the line.
    Upload {
        run: fn(&mut Call<'_>) -> Result<Begun, Refused>,
        end: fn(&str) -> Result<Option<UploadEnd>, BadLine>,
    },
}

const ROBOT: &str = "<robot> is a name, a number, or me: the one robot that this connection made.";

impl Command {
    /// The command of that word, in capitals or not.
    pub fn find(word: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|command| command.word.eq_ignore_ascii_case(word))
    }

    /// The command whose word is nearest, if it is near.
    pub fn nearest(word: &str) -> Option<&'static Self> {
        let word = word.to_ascii_uppercase();
        COMMANDS
            .iter()
            .map(|command| (strsim::jaro_winkler(command.word, &word), command))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, command)| command)
    }

    /// Who may give it, for people.
    fn who(&self) -> String {
        let of = |wanted| Role::ALL.into_iter().filter(move |role| role.reach(self.verb) == wanted);
        let all: Vec<&str> = of(Reach::All).map(Role::as_str).collect();
        let own: Vec<String> = of(Reach::Own).map(|role| format!("{role} (its own)")).collect();
        if all.len() == Role::ALL.len() {
            return "all".into();
        }
        own.into_iter().chain(all.into_iter().map(str::to_owned)).collect::<Vec<_>>().join(", ")
    }

    /// Word and parameters, as `HELP` shows them.
    pub fn usage(&self) -> String {
        format!("{} {}", self.word, self.parameters).trim_end().to_string()
    }
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)
    }
}

/// Commands that had another word before.
const RENAMED: [(&str, &str); 1] = [("JUMP", "SEEK")];

/// The answer to a word that is no command.
pub(crate) fn unknown(word: &str) -> Reply {
    // A long word in the answer helps nobody.
    let short: String = word.chars().take(32).collect();
    let renamed = RENAMED.iter().find(|(old, _)| old.eq_ignore_ascii_case(word));
    let hint = match (renamed, Command::nearest(&short)) {
        (Some((_, now)), _) => format!("it is called {now} now"),
        (None, Some(command)) => format!("did you mean {}?", command.word),
        (None, None) => "HELP lists all".into(),
    };
    Reply::error("board/unknown-command", format!("no command \"{short}\"; {hint}"))
}

/// Rounded to a millionth, so that people can read it; and no `-0`.
fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_found_in_any_case() {
        for (i, command) in COMMANDS.iter().enumerate() {
            assert_eq!(COMMANDS.iter().position(|c| c.word == command.word), Some(i), "{}", command.word);
            let found = Command::find(&command.word.to_lowercase());
            assert_eq!(found.map(|found| found.word), Some(command.word));
        }
        assert_eq!(Command::nearest("FORWRAD").map(|c| c.word), Some("FORWARD"));
        assert!(Command::nearest("xyzzy").is_none());
    }
}
