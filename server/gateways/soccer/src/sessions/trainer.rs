//! The session of a trainer, which arranges a world for exercises.

use super::Order;
use super::axes::{world_angle, world_place, world_velocity};
use super::bench;
use super::link::Link;
use super::shared::{Effect, Shared};
use crate::PlayMode;
use crate::state::{State, Who};
use crate::wire::global::Global;
use crate::wire::name::TeamNames;
use crate::wire::scan::{Scan, is_blank, is_word};
use crate::wire::{self, hear::Reader};
use touchline_soccer_law::face::{RefereeCommand, Side, TEAM_SIZE};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::{GOAL_DEPTH_M, HALF_LENGTH_M, HALF_WIDTH_M, POST_RADIUS_M};

const FORM: &str = "illegal_command_form";
const OBJECT: &str = "illegal_object_form";
/// Places and velocities are held to these, metres and metres a cycle.
pub const FARTHEST_M: f64 = 200.0;
const FASTEST: f64 = 5.0;

/// A trainer's client.
pub struct Trainer {
    /// Version of its protocol.
    pub version: u32,
    /// Whether it sees.
    pub has_eye: bool,
    /// Whether it hears.
    pub has_ear: bool,
    /// Whether it was asked to think in this cycle, and whether it has said that it is done.
    pub is_asked: bool,
    pub is_done: bool,
}

impl Trainer {
    /// A trainer that has just come, sees nothing and hears nothing.
    pub fn new(version: u32) -> Self {
        Self { version, has_eye: false, has_ear: false, is_asked: false, is_done: false }
    }

    /// How it reads messages.
    pub fn reader(&self) -> Reader {
        Reader::Trainer(self.version)
    }

    /// What it sees.
    pub fn global<'a>(&self, shared: &'a Shared) -> Global<'a> {
        let Shared { state, aware, names, .. } = shared;
        Global { version: self.version, side: None, state, aware, names }
    }

    /// A datagram from it.
    pub fn datagram(&mut self, link: &mut Link, shared: &mut Shared, datagram: &[u8]) {
        let (text, is_ended) = wire::text(datagram);
        if !is_ended && self.version >= 8 {
            shared.send(link, "(warning message_not_null_terminated)");
        }
        match self.command(link, shared, text) {
            Ok(Some(answer)) => shared.send(link, &answer),
            Ok(None) => {}
            Err(problem) => shared.send(link, &problem),
        }
    }

    fn command(
        &mut self,
        link: &mut Link,
        shared: &mut Shared,
        text: &[u8],
    ) -> Result<Option<String>, String> {
        let client = link.client;
        let mut scan = Scan::new(text);
        let word = scan.words(&["("]).and_then(|scan| scan.blanks().run(127, is_word));
        let error = |word: &str| format!("(error {word})");
        let answer = match word.ok_or_else(|| error(FORM))? {
            "start" => {
                shared.order(Order::Referee { client, command: RefereeCommand::Start });
                "(ok start)".to_owned()
            }
            "change_mode" => {
                let mode = mode(text).map_err(error)?;
                shared.order(Order::Referee { client, command: RefereeCommand::Mode(mode) });
                "(ok change_mode)".to_owned()
            }
            "move" => {
                let object = object(text, &shared.names).map_err(error)?;
                let commands = object.commands();
                commands.into_iter().for_each(|command| shared.order(Order::Referee { client, command }));
                "(ok move)".to_owned()
            }
            "look" => self.global(shared).look(),
            "team_names" => team_names(&shared.names, None),
            "recover" => {
                shared.order(Order::Referee { client, command: RefereeCommand::Recover });
                "(ok recover)\n".to_owned()
            }
            "check_ball" => check_ball(&shared.state, shared.server()),
            "say" => {
                let message = said(scan.rest(), shared.server()).ok_or_else(|| error(FORM))?;
                shared.effects.push(Effect::CoachSaid(None, message));
                "(ok say)".to_owned()
            }
            "ear" => {
                self.has_ear = switch(&mut scan).ok_or_else(|| error(FORM))?;
                format!("(ok ear {})", if self.has_ear { "on" } else { "off" })
            }
            "eye" => {
                self.has_eye = switch(&mut scan).ok_or_else(|| error(FORM))?;
                format!("(ok eye {})", if self.has_eye { "on" } else { "off" })
            }
            "change_player_type" => self.change_type(client, shared, &mut scan)?,
            "done" => {
                self.is_done = true;
                return Ok(None);
            }
            // That server's trainers cannot leave; here another one may come then.
            "bye" => {
                shared.effects.push(Effect::Gone(link.client));
                return Ok(None);
            }
            "compression" => {
                let level = scan.integer().filter(|level| *level <= 9).ok_or_else(|| error(FORM))?;
                shared.send(link, &format!("(ok compression {level})"));
                link.compress(level);
                return Ok(None);
            }
            _ => return Err(error("unknown_command")),
        };
        Ok(Some(answer))
    }

    fn change_type(&self, client: u32, shared: &mut Shared, scan: &mut Scan<'_>) -> Result<String, String> {
        let form = || format!("(error {FORM})");
        let name = scan.word().ok_or_else(form)?;
        let unum = scan.integer().ok_or_else(form)?;
        let side = shared.names.side(name).ok_or_else(|| "(warning no_team_found)".to_owned());
        let kind = scan.integer().ok_or_else(form)?;
        let side = side?;
        let count = shared.config.types.len();
        let new = usize::try_from(kind).ok().filter(|kind| *kind < count);
        let new = new.ok_or_else(|| "(error out_of_range_player_type)".to_owned())?;
        let who = bench::player(side, unum, shared).ok_or_else(|| "(warning no_such_player)".to_owned())?;
        shared.substitute(client, who, new);
        Ok(format!("(ok change_player_type {name} {unum} {kind})"))
    }
}

/// `on` or `off` behind a command's word.
pub fn switch(scan: &mut Scan<'_>) -> Option<bool> {
    match scan.blanks().run(15, |byte| !b" ()".contains(&byte)) {
        Some("on") => Some(true),
        Some("off") => Some(false),
        _ => None,
    }
}

/// What `(say MESSAGE)` says, from behind its word: without the last parenthesis, and not longer than a freeform message. Whatever hangs on the
/// word belongs to it: `(say)` says nothing.
pub fn said(rest: &[u8], server: &ServerParams) -> Option<String> {
    let hanging = rest.iter().position(|&byte| is_blank(byte))?;
    let mut scan = Scan::new(&rest[hanging..]);
    let message = scan.blanks().run(usize::MAX, crate::wire::is_spoken)?;
    let most = server.say_coach_msg_size.max(0) as usize;
    let message =
        if message.len() > most { &message[..most] } else { message.strip_suffix(')').unwrap_or(message) };
    Some(message.to_owned())
}

/// `(ok team_names (team l A) (team r B))`, with the newline that the real server sends.
pub fn team_names(names: &TeamNames, to: Option<Side>) -> String {
    let team = |side: Side| {
        let name = names.told(side, to);
        if names.of(side).is_empty() { String::new() } else { format!(" (team {} {name})", side.letter()) }
    };
    format!("(ok team_names{}{})\n", team(Side::Left), team(Side::Right))
}

/// `(ok check_ball T WHERE)`.
pub fn check_ball(state: &State, server: &ServerParams) -> String {
    let [x, y] = state.ball.pos;
    let size = server.ball_size;
    // The goals reach from a ball's radius behind the line over their depth.
    let from_m = HALF_LENGTH_M + size;
    let is_in_goal = (from_m..=from_m + GOAL_DEPTH_M).contains(&x.abs())
        && y.abs() <= (server.goal_width + POST_RADIUS_M) * 0.5;
    let place = match is_in_goal {
        true if x < 0.0 => "goal_l",
        true => "goal_r",
        false if x.abs() <= from_m && y.abs() <= HALF_WIDTH_M + size => "in_field",
        false => "out_of_field",
    };
    format!("(ok check_ball {} {place})", state.time)
}

/// The mode of `(change_mode WORD)`.
pub fn mode(text: &[u8]) -> Result<PlayMode, &'static str> {
    let mut scan = Scan::new(text);
    let scan = scan.words(&["(", "change_mode"]).ok_or(FORM)?;
    PlayMode::from_word(scan.blanks().run(127, is_word).ok_or(FORM)?).ok_or("illegal_mode")
}

/// Something that is moved, and where to; in the wire's units.
pub struct Object {
    who: Option<Who>,
    place: [f64; 2],
    angle_deg: Option<f64>,
    velocity: Option<[f64; 2]>,
    /// Whether it is a player that nobody knows: nothing is moved, and all is well.
    is_nobody: bool,
}

/// What `(move (ball|player TEAM UNUM) X Y [ANGLE [VX VY]])` moves.
pub fn object(text: &[u8], names: &TeamNames) -> Result<Object, &'static str> {
    let mut scan = Scan::new(text);
    let scan = scan.words(&["(", "move", "("]).ok_or(OBJECT)?;
    let name = scan.blanks().run(127, |byte| byte != b')').ok_or(OBJECT)?;
    let scan = scan.words(&[")"]).ok_or(OBJECT)?;
    let (x, y) = scan.number().zip(scan.number()).ok_or(OBJECT)?;
    let angle_deg = scan.number();
    let vx = scan.number();
    let vy = scan.number();
    let velocity = match (vx, vy) {
        (Some(vx), Some(vy)) => Some([vx, vy]),
        (None, None) => None,
        _ => return Err(FORM),
    };
    let place = [x, y].map(|coordinate| coordinate.clamp(-FARTHEST_M, FARTHEST_M));
    let object = |who, is_nobody| Object { who, place, angle_deg, velocity, is_nobody };
    if name == "ball" {
        return Ok(object(None, false));
    }
    let mut scan = Scan::new(name.as_bytes());
    // What follows a player's number is passed over, such as ` goalie`.
    let (team, unum) =
        scan.words(&["player"]).and_then(|scan| scan.word().zip(scan.integer())).ok_or(OBJECT)?;
    let unum = u32::try_from(unum).ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum)).ok_or(OBJECT)?;
    let who = names.side(team).map(|side| Who { side, unum });
    Ok(object(who, who.is_none()))
}

impl Object {
    /// What the referee is told.
    pub fn commands(&self) -> Option<RefereeCommand> {
        if self.is_nobody {
            return None;
        }
        let place = world_place(self.place);
        let velocity =
            self.velocity.map(|velocity| world_velocity(velocity.map(|v| v.clamp(-FASTEST, FASTEST))));
        Some(match self.who {
            None => RefereeCommand::Ball { place, velocity: velocity.unwrap_or_default() },
            Some(Who { side, unum }) => {
                let theta_rad = self.angle_deg.map(|angle| world_angle(angle.clamp(-180.0, 180.0)));
                RefereeCommand::Move { side, unum, place, theta_rad, velocity }
            }
        })
    }
}
