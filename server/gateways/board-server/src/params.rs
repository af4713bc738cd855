//! The parameters of a line: words in their order, and fields by their keys; form, numbers and names, not whether a robot exists.

use crate::call::Call;
use crate::commands::Command;
use std::str::FromStr;
use touchline_board::{BadText, Reply, RobotRef, Scanner, Selection, Term, Value, Word};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::player::is_robot_name;
use touchline_sim::scenario::{PlayerChoice, PluginChoice};

/// The longest period of a push, and of a player's cycle: an hour.
pub(crate) const LONGEST_PERIOD_MS: f64 = 3_600_000.0;

/// A line that is no command as it stands: too many of these in a row end the connection.
#[derive(Debug)]
pub(crate) struct BadLine(pub Reply);

/// The words and fields of a line after its command.
pub(crate) struct Params<'a> {
    command: &'static Command,
    words: std::vec::IntoIter<Word<'a>>,
    fields: Vec<Word<'a>>,
}

impl<'a> Params<'a> {
    /// `keys` are the fields that the command knows.
    pub fn read(command: &'static Command, line: &'a str, keys: &[&str]) -> Result<Self, BadLine> {
        let (mut words, mut fields) = (Vec::new(), Vec::new());
        for word in words_of(line)? {
            let Some(key) = word.key else {
                words.push(word);
                continue;
            };
            let wrong = if !keys.contains(&key) {
                format!("{} has no parameter {key}=; usage: {}", command.word, command.usage())
            } else if fields.iter().any(|field: &Word<'_>| field.key == Some(key)) {
                format!("{key}= is given twice")
            } else {
                fields.push(word);
                continue;
            };
            return Err(BadLine(Reply::error("board/bad-parameter", wrong).with("parameter", key)));
        }
        Ok(Self { command, words: words.into_iter(), fields })
    }

    pub fn missing(&self, what: &str) -> BadLine {
        missing(self.command, what)
    }

    /// The next word, if there is one.
    pub fn next(&mut self) -> Option<String> {
        self.words.next().map(|word| word.text.into_owned())
    }

    pub fn has_more(&self) -> bool {
        self.words.len() > 0
    }

    pub fn text(&mut self, what: &str) -> Result<String, BadLine> {
        self.next().ok_or_else(|| self.missing(what))
    }

    pub fn field(&mut self, key: &str) -> Option<String> {
        let at = self.fields.iter().position(|field| field.key == Some(key))?;
        Some(self.fields.swap_remove(at).text.into_owned())
    }

    pub fn number(&mut self, what: &str) -> Result<f64, BadLine> {
        number(what, &self.text(what)?)
    }

    pub fn integer<T: FromStr>(&mut self, what: &str) -> Result<T, BadLine> {
        integer(what, &self.text(what)?)
    }

    pub fn numbers<const N: usize>(&mut self, whats: [&str; N]) -> Result<[f64; N], BadLine> {
        let mut numbers = [0.0; N];
        for (number, what) in numbers.iter_mut().zip(whats) {
            *number = self.number(what)?;
        }
        Ok(numbers)
    }

    pub fn robot(&mut self, call: &Call<'_>) -> Result<RobotRef, BadLine> {
        call.robot_ref(&self.text("robot")?)
    }

    /// The name of a new robot, or of a client.
    pub fn robot_name(&mut self, what: &str) -> Result<String, BadLine> {
        robot_name(self.text(what)?)
    }

    /// The number from which on something is told; from the beginning without one.
    pub fn since(&mut self) -> Result<u64, BadLine> {
        self.field("since").map_or(Ok(0), |word| integer("since", &word))
    }

    /// A number that may be said.
    pub fn number_field(&mut self, key: &str) -> Result<Option<f64>, BadLine> {
        self.field(key).map(|word| number(key, &word)).transpose()
    }

    /// Where a new robot shall be, if it is said: x and y in metres, theta in radians.
    pub fn pose(&mut self) -> Result<Option<Pose2>, BadLine> {
        match (self.number_field("x")?, self.number_field("y")?, self.number_field("theta")?) {
            (Some(x_m), Some(y_m), theta_rad) => {
                let theta_rad = theta_rad.map_or(Ok(0.0), |theta_rad| heading("theta", theta_rad))?;
                Ok(Some(Pose2::new(x_m, y_m, theta_rad)))
            }
            (None, None, None) => Ok(None),
            (None, _, _) => Err(self.missing("x=")),
            (_, None, _) => Err(self.missing("y=")),
        }
    }

    pub fn end(mut self) -> Result<(), BadLine> {
        let Some(word) = self.next() else { return Ok(()) };
        let message = format!("\"{word}\" is one too many; usage: {}", self.command.usage());
        Err(BadLine(Reply::error("board/extra-parameter", message)))
    }
}

/// The words of a line whose `key=value` are no fields: those of a selection.
pub(crate) struct Words<'a> {
    command: &'static Command,
    words: std::vec::IntoIter<Word<'a>>,
}

impl<'a> Words<'a> {
    pub fn read(command: &'static Command, line: &'a str) -> Result<Self, BadLine> {
        Ok(Self { command, words: words_of(line)?.into_iter() })
    }

    pub fn next(&mut self, what: &str) -> Result<String, BadLine> {
        let word = self.words.next().ok_or_else(|| missing(self.command, what))?;
        Ok(word.text.into_owned())
    }

    pub fn is_empty(&self) -> bool {
        self.words.len() == 0
    }

    pub fn robot(&mut self, call: &Call<'_>) -> Result<RobotRef, BadLine> {
        call.robot_ref(&self.next("robot")?)
    }

    /// All that is left.
    pub fn selection(self) -> Result<Selection, BadLine> {
        const ALLOWED: &str = "*, <sensor>, <sensor>.<feature>, or model=, type=, feature= with commas";
        let command = self.command;
        let term = |word: Word<'_>| {
            let text = match word.key {
                Some(key) => format!("{key}={}", word.text),
                None => word.text.into_owned(),
            };
            Term::from_word(&text).ok_or_else(|| bad("selection", &text, ALLOWED))
        };
        let terms = self.words.map(term).collect::<Result<Vec<Term>, BadLine>>()?;
        if terms.is_empty() { Err(missing(command, "selection")) } else { Ok(Selection { terms }) }
    }
}

fn words_of(line: &str) -> Result<Vec<Word<'_>>, BadLine> {
    let mut scanner = Scanner::new(line);
    let mut words = Vec::new();
    while let Some(word) = scanner.next_word().map_err(text_error)? {
        words.push(word);
    }
    Ok(words)
}

/// How often a player acts unless told otherwise, as in a world file: 30 times a second.
const DEFAULT_PERIOD_SECS: f64 = 1.0 / 30.0;

/// The player that `plugin`, `params=` and `period_ms=` choose.
pub(crate) fn player_choice(params: &mut Params<'_>, plugin: String) -> Result<PlayerChoice, BadLine> {
    let period_ms = params.field("period_ms").map(|word| number("period_ms", &word)).transpose()?;
    if let Some(period_ms) = period_ms.filter(|period_ms| !(1.0..=LONGEST_PERIOD_MS).contains(period_ms)) {
        return Err(bad("period_ms", period_ms, "from 1 to 3600000"));
    }
    let json = params.field("params");
    let params = serde_json::from_str(json.as_deref().unwrap_or("{}"))
        .map_err(|error| BadLine(Reply::error("board/bad-json", format!("params is no JSON: {error}"))))?;
    Ok(PlayerChoice {
        choice: PluginChoice::new(plugin, params),
        period_secs: period_ms.map_or(DEFAULT_PERIOD_SECS, |period_ms| period_ms / 1000.0),
    })
}

pub(crate) fn text_error(error: BadText) -> BadLine {
    BadLine(Reply::error("board/bad-text", error.to_string()))
}

pub(crate) fn missing(command: &Command, what: &str) -> BadLine {
    let message = format!("{what} is missing; usage: {}", command.usage());
    BadLine(Reply::error("board/missing-parameter", message).with("parameter", what))
}

pub(crate) fn number(what: &str, word: &str) -> Result<f64, BadLine> {
    word.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| {
        let message = format!("{what}: \"{word}\" is no finite number");
        BadLine(Reply::error("board/bad-number", message).with("parameter", what))
    })
}

/// A heading is at most a whole turn, as in files: what is more was meant in degrees.
pub(crate) fn heading(what: &str, theta_rad: f64) -> Result<f64, BadLine> {
    const TURN_RAD: f64 = 6.3;
    if theta_rad.abs() <= TURN_RAD {
        return Ok(theta_rad);
    }
    let meant_rad = theta_rad.to_radians();
    let message = format!("{what}: angles are in radians: {theta_rad} degrees are {meant_rad:.4} rad");
    Err(BadLine(Reply::error("board/bad-number", message).with("parameter", what)))
}

pub(crate) fn integer<T: FromStr>(what: &str, word: &str) -> Result<T, BadLine> {
    word.parse().map_err(|_| {
        let message = format!("{what}: \"{word}\" is no whole number in range");
        BadLine(Reply::error("board/bad-number", message).with("parameter", what))
    })
}

pub(crate) fn bad<'v>(what: &str, got: impl Into<Value<'v>>, allowed: &str) -> BadLine {
    let reply = Reply::error("board/bad-parameter", format!("{what} must be {allowed}"));
    BadLine(reply.with("parameter", what).with("got", got))
}

pub(crate) fn robot_name(name: String) -> Result<String, BadLine> {
    if name.len() <= 32 && is_robot_name(&name) {
        return Ok(name);
    }
    Err(bad("name", &name, "1 to 32 of A-Z a-z 0-9 _ - . and neither a number, dots alone, nor me"))
}
