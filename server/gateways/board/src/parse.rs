//! From a line to a request: form, numbers and names; not whether the robot exists.

use crate::catalogue::Command;
use crate::command::{Role, Speed};
use crate::reply::{Reply, Value};
use crate::request::{AddRobot, RecordOrder, Request, RobotRef, RobotSource, StartPlayer};
use crate::selection::{Selection, Term};
use crate::text::{BadText, Scanner, Word};
use std::str::FromStr;
use touchline_plugin_api::player::is_robot_name;

/// What a line asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Parsed {
    Help(Option<&'static Command>),
    Hello {
        version: u32,
        name: String,
        role: Role,
        token: Option<String>,
    },
    Sync {
        t0_us: i64,
    },
    Offset {
        offset_us: i64,
    },
    Bye,
    Request(Request),
    /// A robot whose file follows in lines.
    Upload(AddRobot, UploadEnd),
}

/// How a robot file in lines ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UploadEnd {
    /// After so many lines.
    Lines(u64),
    /// With a line that is a single dot.
    Dot,
}

/// What the line's parameters may refer to.
pub(crate) trait Robots {
    /// The robot that is meant by this word.
    fn robot(&self, word: &str) -> Result<RobotRef, Reply>;
}

pub(crate) fn text_error(error: BadText) -> Reply {
    Reply::error("board/bad-text", error.to_string())
}

/// The parameters of one command.
struct Params<'a> {
    command: &'static Command,
    words: std::vec::IntoIter<Word<'a>>,
    fields: Vec<Word<'a>>,
}

impl<'a> Params<'a> {
    /// `keys` are the fields that the command knows.
    fn read(command: &'static Command, scanner: &mut Scanner<'a>, keys: &[&str]) -> Result<Self, Reply> {
        let (mut words, mut fields) = (Vec::new(), Vec::new());
        while let Some(word) = scanner.next_word().map_err(text_error)? {
            let Some(key) = word.key else {
                words.push(word);
                continue;
            };
            if !keys.contains(&key) {
                let message = format!("{} has no parameter {key}=; usage: {}", command.word, command.usage());
                return Err(Reply::error("board/bad-parameter", message).with("parameter", key));
            }
            if fields.iter().any(|field: &Word<'_>| field.key == Some(key)) {
                let message = format!("{key}= is given twice");
                return Err(Reply::error("board/bad-parameter", message).with("parameter", key));
            }
            fields.push(word);
        }
        Ok(Self { command, words: words.into_iter(), fields })
    }

    fn missing(&self, what: &str) -> Reply {
        let message = format!("{what} is missing; usage: {}", self.command.usage());
        Reply::error("board/missing-parameter", message).with("parameter", what)
    }

    fn text(&mut self, what: &str) -> Result<String, Reply> {
        self.words.next().map(|word| word.text.into_owned()).ok_or_else(|| self.missing(what))
    }

    fn field(&mut self, key: &str) -> Option<String> {
        let at = self.fields.iter().position(|field| field.key == Some(key))?;
        Some(self.fields.swap_remove(at).text.into_owned())
    }

    fn number(&mut self, what: &str) -> Result<f64, Reply> {
        let word = self.text(what)?;
        number(what, &word)
    }

    fn integer<T: FromStr>(&mut self, what: &str) -> Result<T, Reply> {
        let word = self.text(what)?;
        integer(what, &word)
    }

    fn numbers<const N: usize>(&mut self, whats: [&str; N]) -> Result<[f64; N], Reply> {
        let mut numbers = [0.0; N];
        for (number, what) in numbers.iter_mut().zip(whats) {
            *number = self.number(what)?;
        }
        Ok(numbers)
    }

    fn robot(&mut self, robots: &dyn Robots) -> Result<RobotRef, Reply> {
        let word = self.text("robot")?;
        robots.robot(&word)
    }

    fn end(mut self) -> Result<(), Reply> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => {
                let message = format!("\"{}\" is one too many; usage: {}", word.text, self.command.usage());
                Err(Reply::error("board/extra-parameter", message))
            }
        }
    }
}

fn number(what: &str, word: &str) -> Result<f64, Reply> {
    word.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| {
        Reply::error("board/bad-number", format!("{what}: \"{word}\" is no finite number"))
            .with("parameter", what)
    })
}

fn integer<T: FromStr>(what: &str, word: &str) -> Result<T, Reply> {
    word.parse().map_err(|_| {
        Reply::error("board/bad-number", format!("{what}: \"{word}\" is no whole number in range"))
            .with("parameter", what)
    })
}

fn bad<'v>(what: &str, got: impl Into<Value<'v>>, allowed: &str) -> Reply {
    Reply::error("board/bad-parameter", format!("{what} must be {allowed}"))
        .with("parameter", what)
        .with("got", got)
}

fn robot_name(name: String) -> Result<String, Reply> {
    if name.len() <= 32 && is_robot_name(&name) {
        return Ok(name);
    }
    Err(bad("name", &name, "1 to 32 of A-Z a-z 0-9 _ - . and neither a number, dots alone, nor me"))
}

/// What a robot is called in a command; `me` is left to the caller.
pub(crate) fn robot_ref(word: &str) -> RobotRef {
    match word.parse() {
        Ok(number) if word.bytes().all(|b| b.is_ascii_digit()) => RobotRef::Number(number),
        _ => RobotRef::Name(word.into()),
    }
}

/// A robot file has no more lines than it may have bytes.
const MAX_LINES: u64 = 65_536;

/// How many lines follow a ROBOT line that is refused.
pub(crate) fn upload_lines(mut scanner: Scanner<'_>) -> Option<u64> {
    while let Some(word) = scanner.next_raw() {
        if let Some(lines) = word.strip_prefix("lines=") {
            // So many are not coming, and nobody wants to pass over them.
            return lines.parse().ok().filter(|lines| *lines <= MAX_LINES);
        }
    }
    None
}

/// Reads the parameters of a command.
pub(crate) fn parse(
    command: &'static Command,
    mut scanner: Scanner<'_>,
    robots: &dyn Robots,
) -> Result<Parsed, Reply> {
    // Three commands take the rest of the line as it stands.
    match command.word {
        "SAY" | "ANNOTATE" | "REFEREE" => return rest_of_line(command, scanner, robots).map(Parsed::Request),
        "GET" | "PUSH" => return readings(command, scanner, robots).map(Parsed::Request),
        _ => {}
    }
    let keys: &[&str] = match command.word {
        "HELLO" => &["role", "token"],
        "EVENTS" => &["since", "kind"],
        "HEAR" => &["since", "said"],
        "TIMELINE" => &["kind", "since", "every"],
        "ROBOT" => &["team", "x", "y", "theta", "file", "lines"],
        "START" => &["plugin", "params", "period_ms", "file", "team", "x", "y", "theta"],
        _ => &[],
    };
    let mut params = Params::read(command, &mut scanner, keys)?;
    let parsed = with_params(&mut params, robots)?;
    params.end()?;
    Ok(parsed)
}

fn with_params(params: &mut Params<'_>, robots: &dyn Robots) -> Result<Parsed, Reply> {
    let request = match params.command.word {
        "HELP" => {
            let Some(word) = params.words.next() else { return Ok(Parsed::Help(None)) };
            return Command::find(&word.text)
                .map(|command| Parsed::Help(Some(command)))
                .ok_or_else(|| unknown_command(&word.text));
        }
        "HELLO" => return hello(params),
        "SYNC" => return Ok(Parsed::Sync { t0_us: params.integer("t0_us")? }),
        "OFFSET" => return Ok(Parsed::Offset { offset_us: params.integer("offset_us")? }),
        "BYE" => return Ok(Parsed::Bye),
        "ROBOT" => return robot(params),
        "STATUS" => Request::Status,
        "LIST" => Request::List,
        "WORLD" => Request::World,
        "SCORE" => Request::Score,
        "PLAYERS" => Request::Players(match params.words.len() {
            0 => None,
            _ => Some(params.text("plugin")?),
        }),
        "FILES" => Request::Files,
        "EVENTS" => Request::Events { since: since(params)?, kind: params.field("kind") },
        "DESCRIBE" => Request::Describe(params.robot(robots)?),
        "MOTION" => Request::Motion(params.robot(robots)?),
        "HEAR" => Request::Hear {
            robot: params.robot(robots)?,
            since: since(params)?,
            said: match params.field("said").as_deref() {
                None | Some("0") => false,
                Some("1") => true,
                Some(other) => return Err(bad("said", other, "0 or 1")),
            },
        },
        "REMOVE" => Request::RemoveRobot(params.robot(robots)?),
        "FORWARD" => Request::Forward { robot: params.robot(robots)?, forward_m_s: params.number("m/s")? },
        "TURN" => Request::Turn { robot: params.robot(robots)?, turn_rad_s: params.number("rad/s")? },
        "TWIST" => {
            let robot = params.robot(robots)?;
            let [forward_m_s, left_m_s, turn_rad_s] =
                params.numbers(["forward m/s", "left m/s", "turn rad/s"])?;
            Request::Twist { robot, forward_m_s, left_m_s, turn_rad_s }
        }
        "DRIVE" => {
            let robot = params.robot(robots)?;
            let mut command = vec![params.number("number")?];
            while params.words.len() > 0 {
                command.push(params.number("number")?);
            }
            Request::Drive { robot, command }
        }
        "MANIPULATE" => manipulate(params, robots)?,
        "RESET" => Request::Reset,
        "SETSCORE" => Request::SetScore { team: params.text("team")?, goals: params.integer("goals")? },
        "PLACE" => {
            let robot = params.robot(robots)?;
            Request::PlaceRobot { robot, pose: params.numbers(["x m", "y m", "theta rad"])? }
        }
        "BALL" => {
            let ball = params.integer("number")?;
            let position = params.numbers(["x m", "y m"])?;
            let at_rest = params.words.len() == 0;
            let velocity = if at_rest { [0.0; 2] } else { params.numbers(["vx m/s", "vy m/s"])? };
            Request::PlaceBall { ball, position, velocity }
        }
        "PAUSE" => Request::Pause,
        "RESUME" => Request::Resume,
        "STEP" => {
            let steps = if params.words.len() == 0 { 1 } else { params.integer("steps")? };
            if steps == 0 {
                return Err(bad("steps", 0u32, "at least 1"));
            }
            Request::Step { steps }
        }
        "SPEED" => Request::Speed(speed(&params.text("speed")?)?),
        "TIMELINE" => {
            let every = params.field("every").map_or(Ok(1), |word| integer("every", &word))?;
            Request::Timeline { kind: params.field("kind"), since: since(params)?, every }
        }
        "JUMP" => Request::Jump { moment: params.integer("moment")? },
        "RECORD" => record(params)?,
        "START" => start(params, robots)?,
        "STOP" => Request::StopPlayer(params.robot(robots)?),
        "TAKE" => Request::TakeRobot(params.robot(robots)?),
        "GIVE" => Request::GiveRobot(params.robot(robots)?),
        word => return Err(unknown_command(word)),
    };
    Ok(Parsed::Request(request))
}

fn record(params: &mut Params<'_>) -> Result<Request, Reply> {
    let word = params.text("what")?;
    let order = match word.to_ascii_lowercase().as_str() {
        "start" => RecordOrder::Start,
        "stop" => RecordOrder::Stop,
        "save" => RecordOrder::Save,
        _ => return Err(bad("what", &word, "start, stop or save")),
    };
    let has_name = order != RecordOrder::Stop && params.words.len() > 0;
    let name = has_name.then(|| params.text("name")).transpose()?;
    Ok(Request::Record { order, name })
}

pub(crate) fn unknown_command(word: &str) -> Reply {
    // A long word in the answer helps nobody.
    let short: String = word.chars().take(32).collect();
    let hint = match Command::nearest(&short) {
        Some(command) => format!("did you mean {}?", command.word),
        None => "HELP lists all".into(),
    };
    Reply::error("board/unknown-command", format!("no command \"{short}\"; {hint}"))
}

fn hello(params: &mut Params<'_>) -> Result<Parsed, Reply> {
    let version = params.integer("version")?;
    let name = robot_name(params.text("name")?)?;
    let role = match params.field("role") {
        None => Role::Player,
        Some(word) => {
            Role::from_word(&word).ok_or_else(|| bad("role", &word, "observer, player or operator"))?
        }
    };
    Ok(Parsed::Hello { version, name, role, token: params.field("token") })
}

fn robot(params: &mut Params<'_>) -> Result<Parsed, Reply> {
    let name = robot_name(params.text("name")?)?;
    let pose = pose(params)?;
    let team = params.field("team");
    let (file, lines) = (params.field("file"), params.field("lines"));
    let robot = |source| AddRobot { name, team, pose, source };
    let text = RobotSource::Text(String::new());
    match (file, lines) {
        (Some(_), Some(_)) => Err(bad("lines", "given", "left out where file= is given")),
        (Some(file), None) => Ok(Parsed::Request(Request::AddRobot(robot(RobotSource::File(file))))),
        (None, None) => Ok(Parsed::Upload(robot(text), UploadEnd::Dot)),
        (None, Some(lines)) => match integer("lines", &lines)? {
            lines if lines > MAX_LINES => Err(bad("lines", lines, "at most 65536")),
            lines => Ok(Parsed::Upload(robot(text), UploadEnd::Lines(lines))),
        },
    }
}

/// Where a new robot shall be, if it is said.
fn pose(params: &mut Params<'_>) -> Result<Option<[f64; 3]>, Reply> {
    let mut coordinate = |key: &str| params.field(key).map(|word| number(key, &word)).transpose();
    match (coordinate("x")?, coordinate("y")?, coordinate("theta")?) {
        (Some(x), Some(y), theta) => Ok(Some([x, y, theta.unwrap_or(0.0)])),
        (None, None, None) => Ok(None),
        (None, _, _) => Err(params.missing("x=")),
        (_, None, _) => Err(params.missing("y=")),
    }
}

fn since(params: &mut Params<'_>) -> Result<u64, Reply> {
    params.field("since").map_or(Ok(0), |word| integer("since", &word))
}

fn manipulate(params: &mut Params<'_>, robots: &dyn Robots) -> Result<Request, Reply> {
    let robot = params.robot(robots)?;
    let (manipulator, state) = (params.text("manipulator")?, params.text("state")?);
    let strength = if params.words.len() == 0 { 1.0 } else { params.number("strength")? };
    if !(0.0..=1.0).contains(&strength) {
        return Err(bad("strength", strength, "between 0 and 1"));
    }
    Ok(Request::Manipulate { robot, manipulator, state, strength })
}

fn speed(word: &str) -> Result<Speed, Reply> {
    match word {
        "max" => Ok(Speed::Max),
        "lockstep" => Ok(Speed::Lockstep),
        word => match word.parse::<f64>() {
            Ok(factor) if factor.is_finite() && factor != 0.0 => Ok(Speed::Factor(factor)),
            _ => Err(bad("speed", word, "a number other than 0, max or lockstep")),
        },
    }
}

fn start(params: &mut Params<'_>, robots: &dyn Robots) -> Result<Request, Reply> {
    let word = params.text("robot")?;
    let plugin = params.field("plugin").ok_or_else(|| params.missing("plugin="))?;
    let period_ms = params.field("period_ms").map(|word| number("period_ms", &word)).transpose()?;
    if let Some(period_ms) = period_ms.filter(|period_ms| !(1.0..=LONGEST_PERIOD_MS).contains(period_ms)) {
        return Err(bad("period_ms", period_ms, "from 1 to 3600000"));
    }
    let (file, team, json) = (params.field("file"), params.field("team"), params.field("params"));
    let pose = pose(params)?;
    if let (None, Some([x, _, _])) = (&file, pose) {
        return Err(bad("x", x, "left out where no file= makes a robot"));
    }
    let robot = match &file {
        Some(_) => RobotRef::Name(robot_name(word)?),
        None => robots.robot(&word)?,
    };
    Ok(Request::StartPlayer(StartPlayer { robot, plugin, params: json, period_ms, file, team, pose }))
}

fn rest_of_line(
    command: &'static Command,
    mut scanner: Scanner<'_>,
    robots: &dyn Robots,
) -> Result<Request, Reply> {
    let missing = |what: &str| {
        Reply::error("board/missing-parameter", format!("{what} is missing; usage: {}", command.usage()))
            .with("parameter", what)
    };
    if command.word == "REFEREE" {
        let text = scanner.rest_text().map_err(text_error)?;
        return Ok(if text.is_empty() { Request::RefereeCommands } else { Request::Referee(text.into()) });
    }
    let word = scanner.next_word().map_err(text_error)?.ok_or_else(|| missing("robot"))?;
    let robot = robots.robot(&word.text)?;
    if command.word == "SAY" {
        let text = scanner.rest_text().map_err(text_error)?;
        return if text.is_empty() {
            Err(missing("text"))
        } else {
            Ok(Request::Say { robot, text: text.into() })
        };
    }
    let key = scanner.next_word().map_err(text_error)?.ok_or_else(|| missing("key"))?;
    let value = scanner.rest();
    if value.is_empty() {
        return Err(missing("json"));
    }
    Ok(Request::Annotate { robot, key: key.text.into(), value: value.into() })
}

/// The longest period of a push, an hour.
const LONGEST_PERIOD_MS: f64 = 3_600_000.0;

fn readings(
    command: &'static Command,
    mut scanner: Scanner<'_>,
    robots: &dyn Robots,
) -> Result<Request, Reply> {
    let mut words = Vec::new();
    while let Some(word) = scanner.next_word().map_err(text_error)? {
        words.push(word);
    }
    let missing = |what: &str| {
        Reply::error("board/missing-parameter", format!("{what} is missing; usage: {}", command.usage()))
            .with("parameter", what)
    };
    let mut words = words.into_iter().peekable();
    let robot = robots.robot(&words.next().ok_or_else(|| missing("robot"))?.text)?;
    let mut period_us = 0;
    if command.word == "PUSH" {
        let word = words.next().ok_or_else(|| missing("period_ms"))?;
        if word.text == "off" && words.peek().is_none() {
            return Ok(Request::PushOff(robot));
        }
        let period_ms = number("period_ms", &word.text)?;
        if !(1.0..=LONGEST_PERIOD_MS).contains(&period_ms) {
            return Err(bad("period_ms", period_ms, "between 1 and 3600000, or off"));
        }
        period_us = (period_ms * 1000.0) as u64;
    }
    let terms: Result<Vec<Term>, Reply> = words
        .map(|word| {
            let text = match word.key {
                Some(key) => format!("{key}={}", word.text),
                None => word.text.into_owned(),
            };
            Term::from_word(&text).ok_or_else(|| {
                bad(
                    "selection",
                    &text,
                    "*, <sensor>, <sensor>.<feature>, or model=, type=, feature= with commas",
                )
            })
        })
        .collect();
    let selection = Selection { terms: terms? };
    if selection.terms.is_empty() {
        return Err(missing("selection"));
    }
    Ok(match command.word {
        "PUSH" => Request::Push { robot, period_us, selection },
        _ => Request::Get { robot, selection },
    })
}
