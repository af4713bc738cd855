//! All commands, in one table: `HELP`, the checks of roles, and the test of docs/protocol.md come from it.

use crate::command::Role;

/// One command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its unique word.
    pub word: &'static str,
    /// Its parameters, as `HELP` shows them.
    pub parameters: &'static str,
    /// Who may give it.
    pub role: Role,
    /// One line for people.
    pub summary: &'static str,
    /// More lines for people.
    pub details: &'static [&'static str],
}

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

    /// Word and parameters.
    pub fn usage(&self) -> String {
        format!("{} {}", self.word, self.parameters).trim_end().to_string()
    }
}

const fn command(
    word: &'static str,
    parameters: &'static str,
    role: Role,
    summary: &'static str,
    details: &'static [&'static str],
) -> Command {
    Command { word, parameters, role, summary, details }
}

const ROBOT: &str = "<robot> is a name, a number, or me: the one robot that this connection made.";

use Role::{Observer, Operator, Player};

/// In the order in which `HELP` lists them.
pub const COMMANDS: &[Command] = &[
    command("HELP", "[command]", Observer, "lists all commands, or explains one", &[]),
    command(
        "HELLO",
        "<version> <name> [role=observer|player|operator] [token=<token>]",
        Observer,
        "agrees on the protocol's version, and says who you are",
        &[
            "The version is 1. Without HELLO a connection is a player named after its address.",
            "An operator needs the server's token, unless it is on the same machine. May be given again.",
        ],
    ),
    command(
        "SYNC",
        "<t0_us>",
        Observer,
        "one round of clock synchronisation",
        &[
            "Answers t0, and the server's clock when SYNC came (t1) and when the answer left (t2), in microseconds.",
        ],
    ),
    command(
        "OFFSET",
        "<offset_us>",
        Observer,
        "from now on this is added to every stamp that you get",
        &["The offset is your clock minus the server's, in microseconds."],
    ),
    command("BYE", "", Observer, "ends the connection; its robots go", &[]),
    command("STATUS", "", Observer, "world, step, simulated time, speed", &[]),
    command("LIST", "", Observer, "all robots", &[]),
    command("WORLD", "", Observer, "where balls and robots really are", &[]),
    command("SCORE", "", Observer, "teams, goals, clock", &[]),
    command(
        "EVENTS",
        "[since=<number>] [kind=<kind>]",
        Observer,
        "what happened",
        &["Give the next= of the last answer as since= of the next question, and you miss nothing."],
    ),
    command(
        "PLAYERS",
        "[plugin]",
        Observer,
        "the player plugins that START can start, or the parameters of one",
        &[],
    ),
    command("FILES", "", Observer, "the robot files that ROBOT and START can use by name", &[]),
    command(
        "DESCRIBE",
        "<robot>",
        Observer,
        "what a robot's motion commands, sensors and manipulators mean",
        &[ROBOT, "An integer n of a sensor's field stands for n * scale, in the field's unit."],
    ),
    command(
        "GET",
        "<robot> <selection>...",
        Observer,
        "reads sensors, all at one and the same step",
        &[
            ROBOT,
            "<selection> is *, <sensor>, <sensor>.<feature>, or what it is, such as type=laser or",
            "model=LMS200,feature=180DegreeScan. DESCRIBE says which there are.",
        ],
    ),
    command(
        "PUSH",
        "<robot> <period_ms>|off [selection]...",
        Observer,
        "sends sensors at a period, without being asked",
        &[ROBOT, "Each comes as a STATE block. A new PUSH for the same robot replaces the last one."],
    ),
    command(
        "MOTION",
        "<robot>",
        Observer,
        "what a robot was told to do, and what it does: the truth, not a sensor",
        &[ROBOT, "DESCRIBE says what the numbers mean."],
    ),
    command(
        "HEAR",
        "<robot> [since=<number>] [said=1]",
        Observer,
        "the radio messages that a robot heard, or, with said=1, those that it said",
        &[ROBOT, "Give the next= of the last answer as since= of the next question, and you miss nothing."],
    ),
    command(
        "ROBOT",
        "<name> [team=<team>] [x=<m> y=<m> [theta=<rad>]] [file=<name> | lines=<n>]",
        Player,
        "makes a robot from a robot file",
        &[
            "With file= the server uses one of its own robot files: FILES lists them.",
            "With lines=<n> the robot file follows in n lines; without either it follows up to a line with a single dot.",
            "Without x and y it is put in a free place. It goes when this connection ends.",
        ],
    ),
    command("REMOVE", "<robot>", Player, "removes a robot", &[ROBOT]),
    command("FORWARD", "<robot> <m/s>", Player, "sets the translational velocity", &[ROBOT]),
    command("TURN", "<robot> <rad/s>", Player, "sets the rotational velocity, counter-clockwise", &[ROBOT]),
    command(
        "TWIST",
        "<robot> <forward m/s> <left m/s> <turn rad/s>",
        Player,
        "sets all three velocities",
        &[ROBOT],
    ),
    command(
        "DRIVE",
        "<robot> <number>...",
        Player,
        "sets the whole command vector; DESCRIBE says what its numbers mean",
        &[ROBOT],
    ),
    command(
        "MANIPULATE",
        "<robot> <manipulator> <state> [strength]",
        Player,
        "switches a manipulator, such as a kicker, to a state",
        &[ROBOT, "The strength is between 0 and 1; 1 if it is not given."],
    ),
    command("SAY", "<robot> <text>", Player, "broadcasts to all other robots", &[ROBOT]),
    command(
        "ANNOTATE",
        "<robot> <key> <json>",
        Player,
        "publishes a drawing or a value about a robot",
        &[ROBOT, "It replaces the last one under this key; the JSON value takes the rest of the line."],
    ),
    command("RESET", "", Operator, "brings the world back to its first step", &[]),
    command("SETSCORE", "<team> <goals>", Operator, "sets a team's goals", &[]),
    command(
        "PLACE",
        "<robot> <x m> <y m> <theta rad>",
        Operator,
        "puts a robot somewhere, at rest",
        &[ROBOT],
    ),
    command("BALL", "<number> <x m> <y m> [<vx m/s> <vy m/s>]", Operator, "puts a ball somewhere", &[]),
    command("PAUSE", "", Operator, "stops simulated time", &[]),
    command("RESUME", "", Operator, "lets simulated time go on", &[]),
    command("STEP", "[steps]", Operator, "makes steps at once, and then stands still", &[]),
    command(
        "SPEED",
        "<factor>|max|lockstep",
        Operator,
        "sets how fast simulated time goes",
        &["A recording runs backwards with a factor below 0."],
    ),
    command(
        "TIMELINE",
        "[kind=<kind>] [since=<moment>] [every=<steps>]",
        Observer,
        "says which moments can be had, and what happened when",
        &[
            "A moment is a number of steps since the server began; a reset does not set it back.",
            "Kinds are those of EVENTS, and message; kind= leaves out all others, and kind=none leaves out all.",
            "In a recording also difference (a new player decides otherwise) and departure (it is another world).",
            "since= leaves out what happened before that moment.",
            "every= thins out contacts and messages: at most one of each kind in so many moments.",
        ],
    ),
    command(
        "JUMP",
        "<moment>",
        Operator,
        "brings the world back to a moment, and lets it go on from there",
        &["In a recording it moves to that moment. TIMELINE says which moments there are."],
    ),
    command(
        "RECORD",
        "start|stop|save [name]",
        Operator,
        "begins or ends a recording, or saves the last 20 s as one",
        &["The file is made where the server was told to; without a name it gets one."],
    ),
    command(
        "REFEREE",
        "[line]",
        Operator,
        "says something to the referee",
        &["Without a line it lists what this world's referee knows."],
    ),
    command(
        "TAKE",
        "<robot>",
        Operator,
        "takes a robot over: its player is not asked, and only you drive it",
        &[ROBOT, "It is given back by GIVE, or when this connection ends."],
    ),
    command("GIVE", "<robot>", Operator, "gives a robot back that somebody has taken over", &[ROBOT]),
    command(
        "START",
        "<robot> plugin=<name> [params=<json>] [period_ms=<ms>] [file=<name> [team=<team>] [x=<m> y=<m> [theta=<rad>]]]",
        Operator,
        "starts a player plugin",
        &[
            "It drives a robot that has no player yet; with file= a new robot of that name is made,",
            "at x and y, or in a free place.",
            "PLAYERS lists the plugins, FILES the robot files.",
        ],
    ),
    command("STOP", "<robot>", Operator, "ends a robot's player plugin; the robot goes with it", &[ROBOT]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_found_in_any_case() {
        for (i, command) in COMMANDS.iter().enumerate() {
            assert_eq!(COMMANDS.iter().position(|c| c.word == command.word), Some(i), "{}", command.word);
            assert_eq!(Command::find(&command.word.to_lowercase()), Some(command));
        }
        assert_eq!(Command::nearest("FORWRAD").map(|c| c.word), Some("FORWARD"));
        assert_eq!(Command::nearest("xyzzy"), None);
    }
}
