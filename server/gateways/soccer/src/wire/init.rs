//! The first datagram of a client at one of the three ports: who it wants to be. A text ends before its NUL; a newline at its end is dropped.

use super::scan::{Scan, is_blank, is_word};

/// A team's or coach's name has so many characters at most.
const MAX_TEAM_NAME: usize = 15;
const MAX_COACH_NAME: usize = 127;
/// Version of a player or trainer that says none, and of an online coach.
const OLDEST: f64 = 3.0;
const OLDEST_COACH: f64 = 5.0;

/// Who somebody at the players' port wants to be.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerPort<'a> {
    /// `(init TEAM [(version V)] [(goalie)])`.
    Player {
        /// Name of the team.
        team: &'a str,
        /// Version of the protocol; a fraction counts for nothing.
        version: f64,
        /// Whether it is the goalkeeper.
        goalie: bool,
    },
    /// `(reconnect TEAM UNUM)`.
    Reconnect {
        /// Name of the team.
        team: &'a str,
        /// Uniform number.
        unum: i32,
    },
    /// `(dispinit [version V])`.
    Monitor {
        /// 1 to 5, or -1 for JSON.
        version: f64,
    },
}

/// Who somebody at the online coaches' port wants to be.
#[derive(Clone, Debug, PartialEq)]
pub struct CoachInit<'a> {
    /// Name of the team.
    pub team: &'a str,
    /// Name of the coach; may be empty.
    pub name: &'a str,
    /// Version of the protocol.
    pub version: f64,
}

/// The first word of a trainer.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainerInit {
    /// `(init [(version V)])`.
    Init {
        /// Version of the protocol.
        version: f64,
    },
    /// An old trainer, which says no init: its first command.
    Old,
}

/// The word of a refusal, such as `illegal_teamname`: it is sent as `(error WORD)`.
pub type Refusal = &'static str;

/// Without a newline at the end.
pub fn without_newline(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\n").unwrap_or(text)
}

/// Reads the first datagram at the players' port.
pub fn at_player_port(text: &[u8]) -> Result<PlayerPort<'_>, Refusal> {
    let text = without_newline(text);
    if text.starts_with(b"(dispinit)") {
        return Ok(PlayerPort::Monitor { version: 1.0 });
    }
    let mut scan = Scan::new(text);
    if let Some(version) = scan.words(&["(", "dispinit", "version"]).and_then(Scan::number) {
        return Ok(PlayerPort::Monitor { version });
    }
    if text.starts_with(b"(init ") {
        return player(text);
    }
    if text.starts_with(b"(reconnect ") {
        let mut scan = Scan::new(&text["(reconnect ".len()..]);
        let named = scan.word().zip(scan.integer());
        let (team, unum) = named.ok_or("illegal_command_form")?;
        return Ok(PlayerPort::Reconnect { team, unum });
    }
    Err("unknown_command")
}

fn player(text: &[u8]) -> Result<PlayerPort<'_>, Refusal> {
    let mut scan = Scan::new(&text["(init".len()..]);
    let team = scan.blanks().run(MAX_TEAM_NAME, is_name).ok_or("illegal_teamname")?;
    let is_apart = scan.rest().first().is_some_and(|&byte| is_blank(byte));
    scan.blanks();
    if !is_apart && !is_open_or_close(scan.rest()) || scan.rest().is_empty() {
        return Err("illegal_teamname_or_too_long_teamname");
    }
    let (mut version, mut goalie) = (OLDEST, false);
    let from = scan.rest().iter().position(|&byte| byte == b'(').unwrap_or(scan.rest().len());
    let mut scan = Scan::new(&scan.rest()[from..]);
    while scan.rest().first().is_some_and(|&byte| byte != b')') {
        if scan.rest().starts_with(b"(version ") {
            version = version_group(&mut scan).ok_or("illegal_command_form")?;
        } else if scan.rest().starts_with(b"(goalie)") {
            goalie = true;
            scan = Scan::new(&scan.rest()["(goalie)".len()..]);
        } else {
            return Err("illegal_command_form");
        }
        let is_apart = scan.rest().first().is_some_and(|&byte| is_blank(byte));
        if !is_apart && !is_open_or_close(scan.rest()) {
            return Err("illegal_command_form");
        }
        scan.blanks();
    }
    Ok(PlayerPort::Player { team, version, goalie })
}

/// Reads the first datagram at the online coaches' port.
pub fn at_coach_port(text: &[u8]) -> Result<CoachInit<'_>, Refusal> {
    let text = without_newline(text);
    let mut scan = Scan::new(text.strip_prefix(b"(init").ok_or("illegal_command_form")?);
    let team = scan.blanks().run(MAX_TEAM_NAME, is_name).ok_or("illegal_command_form")?;
    scan.blanks();
    let mut name = "";
    if !scan.rest().starts_with(b"(") {
        // `(init TEAM)` too: the parenthesis is no name.
        name = scan.run(MAX_COACH_NAME, is_name).ok_or("illegal_command_form")?;
        let is_apart = scan.rest().first().is_some_and(|&byte| is_blank(byte));
        if !is_apart && !is_open_or_close(scan.rest()) {
            return Err("illegal_coachname_or_too_long_coachname");
        }
    }
    let mut version = OLDEST_COACH;
    if let Some(from) = scan.rest().iter().position(|&byte| byte == b'(')
        && scan.rest()[from..].starts_with(b"(version")
    {
        let mut scan = Scan::new(&scan.rest()[from..]);
        version = version_group(&mut scan).ok_or("illegal_command_form")?;
        let is_apart = scan.rest().first().is_some_and(|&byte| is_blank(byte));
        if !is_apart && !is_open_or_close(scan.rest()) || version < OLDEST_COACH {
            return Err("illegal_client_version");
        }
    }
    Ok(CoachInit { team, name, version })
}

/// Reads the first datagram at the trainer's port.
pub fn at_trainer_port(text: &[u8]) -> Result<TrainerInit, Refusal> {
    let text = without_newline(text);
    let mut scan = Scan::new(text);
    let word = scan.words(&["("]).and_then(|scan| scan.blanks().run(127, is_word));
    if word.ok_or("illegal_command_form")? != "init" {
        return Ok(TrainerInit::Old);
    }
    let version = match scan.words(&["(", "version"]) {
        Some(scan) => scan.number().unwrap_or(OLDEST),
        None => OLDEST,
    };
    if version < 1.0 { Err("illegal_command_form") } else { Ok(TrainerInit::Init { version }) }
}

/// `(version V)`, and the blanks behind it are left.
fn version_group(scan: &mut Scan<'_>) -> Option<f64> {
    let version = scan.words(&["(", "version"])?.number()?;
    scan.words(&[")"])?;
    Some(version)
}

fn is_open_or_close(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'(' | b')'))
}

/// The characters of names: letters, and all from `+` to `_` in ASCII's order, which is how that server's reader takes its `[+-_a-zA-Z0-9]`;
/// but for those that would break what it prints them into.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || (b'+'..=b'_').contains(&byte) && !b"\\".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(team: &str, version: f64, goalie: bool) -> Result<PlayerPort<'_>, Refusal> {
        Ok(PlayerPort::Player { team, version, goalie })
    }

    /// Spec 2.1: forms that were seen, and each refusal.
    #[test]
    fn players_say_who_they_are() {
        let read = |text: &'static str| at_player_port(text.as_bytes());
        assert_eq!(read("(init Puck (version 7) (goalie))"), player("Puck", 7.0, true));
        assert_eq!(read("(init KrisA (version 9))"), player("KrisA", 9.0, false));
        assert_eq!(read("(init UvA (version 12.000000))\n"), player("UvA", 12.0, false));
        assert_eq!(read("(init WE2 (goalie)(version 15.1))"), player("WE2", 15.1, true));
        assert_eq!(read("(init Old)"), player("Old", 3.0, false));
        assert_eq!(read("(init  A-b_c+9   (version 8) )"), player("A-b_c+9", 8.0, false));
        assert_eq!(read("(init ExactlyFifteen1 (version 8))"), player("ExactlyFifteen1", 8.0, false));
        let too_long = Err("illegal_teamname_or_too_long_teamname");
        assert_eq!(read("(init SixteenLettersXX (version 8))"), too_long);
        assert_eq!(read("(init A"), too_long);
        assert_eq!(read("(init \"A\")"), Err("illegal_teamname"));
        assert_eq!(read("(init (version 8))"), Err("illegal_teamname"));
        assert_eq!(read("(init A (version x))"), Err("illegal_command_form"));
        assert_eq!(read("(init A (version 8)"), Err("illegal_command_form"));
        assert_eq!(read("(init A (keeper))"), Err("illegal_command_form"));
        assert_eq!(read("(init A (goalie)x)"), Err("illegal_command_form"));
        assert_eq!(read("(turn 5)"), Err("unknown_command"));
        assert_eq!(read(""), Err("unknown_command"));
        assert_eq!(read("(reconnect A 3)"), Ok(PlayerPort::Reconnect { team: "A", unum: 3 }));
        assert_eq!(read("(reconnect A)"), Err("illegal_command_form"));
        assert_eq!(read("(dispinit)"), Ok(PlayerPort::Monitor { version: 1.0 }));
        assert_eq!(read("(dispinit version 5)"), Ok(PlayerPort::Monitor { version: 5.0 }));
        assert_eq!(read("(dispinit version -1)\n"), Ok(PlayerPort::Monitor { version: -1.0 }));
        assert_eq!(read("(dispinit version)"), Err("unknown_command"));
    }

    /// Spec 2.2 and 2.3.
    #[test]
    fn coaches_say_who_they_are() {
        let read = |text: &'static str| at_coach_port(text.as_bytes());
        let coach = |team, name, version| Ok(CoachInit { team, name, version });
        assert_eq!(read("(init A (version 18))"), coach("A", "", 18.0));
        assert_eq!(read("(init A Boss (version 8.5))\n"), coach("A", "Boss", 8.5));
        assert_eq!(read("(init A)"), Err("illegal_command_form"));
        assert_eq!(read("(init A Boss)"), coach("A", "Boss", 5.0));
        assert_eq!(read("(init A (version 4))"), Err("illegal_client_version"));
        assert_eq!(read("(init)"), Err("illegal_command_form"));
        assert_eq!(read("(eye on)"), Err("illegal_command_form"));
        let read = |text: &'static str| at_trainer_port(text.as_bytes());
        assert_eq!(read("(init (version 16))"), Ok(TrainerInit::Init { version: 16.0 }));
        assert_eq!(read("(init)"), Ok(TrainerInit::Init { version: 3.0 }));
        assert_eq!(read("(init (version 0))"), Err("illegal_command_form"));
        assert_eq!(read("(move (ball) 0 0)"), Ok(TrainerInit::Old));
        assert_eq!(read("init"), Err("illegal_command_form"));
    }
}
