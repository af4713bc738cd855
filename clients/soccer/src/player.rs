//! One player: datagrams in, datagrams out.

use crate::place::{Located, Mark, locate};
use crate::sights::Sights;
use crate::told::{Body, Refused, Seen, Told, What, player_type};
use std::fmt::Write;
use touchline_plugin_api::geometry::{sin_cos, wrap_angle};
use touchline_soccer_law::face::{BodyCommand, Side};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::landmarks;
use touchline_soccer_law::player_type::PlayerType;
use touchline_soccer_law::{PlayMode, SidedMode};
use touchline_soccer_team::{Decision, Frame, Mover, Play, Restraint, Scene, decide};

/// A ball that was not seen for so many cycles is looked for: first where it is thought to be, then all round.
const LOOK_CYCLES: u32 = 4;
const SEARCH_CYCLES: u32 = 9;
/// One turn of a search, radians: the narrow view's opening.
const SEARCH_TURN_RAD: f64 = 55.0 / 180.0 * std::f64::consts::PI;
/// Number of a mate whose number was not seen: behind all others where who is nearer is drawn by number.
const NO_NUMBER: u32 = 99;

/// A player of our team.
#[derive(Debug)]
pub struct Player {
    team: String,
    is_goalie: bool,
    server: ServerParams,
    landmarks: Vec<(&'static str, [f64; 2])>,
    /// Types that were told, by their numbers.
    types: Vec<Option<PlayerType>>,
    kind: PlayerType,
    seat: Option<(Side, u32)>,
    mode: PlayMode,
    /// Penalties that its team has taken in the shoot-out.
    penalty_kicks: u32,
    is_sent_off: bool,
    body: Body,
    here: Option<Located>,
    sights: Sights,
    restraint: Restraint,
    /// What is told of types and seats is told once, in whatever order.
    changed: Vec<(u32, u32)>,
}

impl Player {
    /// Before it has said hello.
    pub fn new(team: &str, is_goalie: bool) -> Self {
        let server = ServerParams::today();
        Self {
            team: team.to_owned(),
            is_goalie,
            landmarks: marks_of(&server),
            types: Vec::new(),
            kind: PlayerType::default_of(&server),
            server,
            seat: None,
            mode: PlayMode::BEFORE_KICK_OFF,
            penalty_kicks: 0,
            is_sent_off: false,
            body: Body { obeys: true, ..Body::default() },
            here: None,
            sights: Sights::default(),
            restraint: Restraint::default(),
            changed: Vec::new(),
        }
    }

    /// The first datagram, to the server's port of players; all others go to the port that its answer comes from.
    pub fn hello(&self) -> String {
        let goalie = if self.is_goalie { " (goalie)" } else { "" };
        format!("(init {} (version 18){goalie})", self.team)
    }

    /// Takes a datagram; gives the answer, if there is one.
    ///
    /// # Errors
    /// When the server refuses the player.
    pub fn told(&mut self, text: &str) -> Result<Option<String>, Refused> {
        match Told::read(text, &self.landmarks) {
            Told::Player { side, unum, mode } => {
                self.seat = Some((side, unum));
                self.play_mode(mode);
                return Ok(Some("(change_view narrow)".to_owned()));
            }
            Told::Server(server) => {
                self.landmarks = marks_of(&server);
                self.kind = PlayerType::default_of(&server);
                self.server = *server;
            }
            Told::Type(id, values) => {
                let place = id as usize;
                if place < 256 {
                    self.types.resize(self.types.len().max(place + 1), None);
                    self.types[place] = Some(player_type(&self.server, &values));
                }
                self.choose_type();
            }
            Told::Changed { unum, kind } => {
                self.changed.retain(|(other, _)| *other != unum);
                self.changed.push((unum, kind));
                self.choose_type();
            }
            Told::Body(body) => {
                self.body = body;
                self.pass_cycle();
            }
            Told::See { seen } => {
                self.see(&seen);
                if !self.server.synch_mode {
                    return Ok(self.act());
                }
            }
            Told::Referee { word } => {
                let red_card = |(side, unum): (Side, u32)| format!("red_card_{}_{unum}", side.letter());
                self.is_sent_off |= self.seat.map(red_card).is_some_and(|own| own == word);
                self.play_mode(word);
            }
            Told::Think => return Ok(Some(self.act().unwrap_or_default() + "(done)")),
            Told::Refused(refused) if self.seat.is_none() => return Err(refused),
            Told::Coach | Told::Types(_) | Told::Refused(_) | Told::Other => {}
        }
        Ok(None)
    }

    /// Whether the game is over for it: at its end, or after a red card, which closes its port.
    pub fn is_over(&self) -> bool {
        self.is_sent_off || self.mode == PlayMode::TIME_OVER
    }

    /// Where it thinks it is, world frame; `None` before it has seen enough.
    pub fn located(&self) -> Option<Located> {
        self.here
    }

    fn choose_type(&mut self) {
        let own = self.changed.iter().find(|(unum, _)| self.seat.is_some_and(|(_, own)| own == *unum));
        let kind = own.map_or(0, |(_, kind)| *kind as usize);
        if let Some(Some(kind)) = self.types.get(kind) {
            self.kind = *kind;
        }
    }

    /// Words of the referee that are no modes, such as those of a goal's number, change nothing.
    fn play_mode(&mut self, word: &str) {
        let is_over = ["time_up", "time_over"].contains(&word);
        let goal = ["goal_l", "goal_r"].into_iter().find(|goal| word.starts_with(&format!("{goal}_")));
        let mode =
            if is_over { Some(PlayMode::TIME_OVER) } else { PlayMode::from_word(goal.unwrap_or(word)) };
        if let Some(mode) = mode.or_else(|| (word == "half_time").then_some(PlayMode::BEFORE_KICK_OFF)) {
            let is_kicked = matches!(
                mode.sided(),
                Some((SidedMode::PenaltyMiss | SidedMode::PenaltyScore, side)) if self.seat.is_some_and(|(own, _)| own == side)
            );
            if is_kicked && mode != self.mode {
                self.penalty_kicks += 1;
            }
            self.mode = mode;
        }
    }

    /// Velocity of the own body, world frame, metres a cycle.
    fn velocity(&self, face_rad: f64) -> [f64; 2] {
        let (sin, cos) = sin_cos(face_rad + self.body.speed_direction_rad);
        [self.body.speed * cos, self.body.speed * sin]
    }

    fn pass_cycle(&mut self) {
        self.restraint.pass_cycle();
        self.sights.pass_cycle(self.server.ball_decay, self.server.player_decay);
        // Until it sees where it is: on by what it felt.
        if let Some(here) = self.here {
            let [x, y] = self.velocity(here.face_rad);
            let decay = self.kind.player_decay.max(0.1);
            self.here =
                Some(Located { place: [here.place[0] + x / decay, here.place[1] + y / decay], ..here });
        }
    }

    fn see(&mut self, seen: &[Seen<'_>]) {
        let marks = seen.iter().filter_map(|thing| match thing.what {
            What::Landmark(place) => {
                Some(Mark { place, distance_m: thing.distance_m, direction_rad: thing.direction_rad })
            }
            _ => None,
        });
        self.here = locate(&marks.collect::<Vec<_>>()).or(self.here);
        if let Some(here) = self.here {
            let velocity = self.velocity(here.face_rad);
            self.sights.see(seen, &self.team, &here, velocity);
        }
    }

    /// What it does in this cycle.
    fn act(&mut self) -> Option<String> {
        let ((side, unum), here) = (self.seat?, self.here?);
        let frame = Frame::of(side);
        let play = Play::of(self.mode, side);
        let heading_rad = wrap_angle(here.face_rad - self.body.neck_rad);
        let me = Mover { place: here.place, velocity: self.velocity(here.face_rad), heading_rad };
        // Before a kick-off the ball lies in the middle, seen or not.
        let ball = match (self.sights.ball, play) {
            (Some(ball), _) => ball,
            (None, Play::Before) => Default::default(),
            (None, _) => return Some(self.search(None)),
        };
        if play != Play::Before && ball.age > LOOK_CYCLES && self.body.obeys {
            let [x, y] = [0, 1].map(|axis| ball.mover.place[axis] - me.place[axis]);
            let is_guessed = ball.age <= SEARCH_CYCLES;
            return Some(self.search(is_guessed.then(|| wrap_angle(libm::atan2(y, x) - heading_rad))));
        }
        let known = || self.sights.others.iter();
        let mates = known().filter(|other| other.is_mate);
        let opponents = known().filter(|other| !other.is_mate);
        let mut scene = Scene {
            is_goalie: self.is_goalie,
            neck_rad: self.body.neck_rad,
            stamina: self.body.stamina,
            obeys: self.body.obeys,
            mates: mates
                .map(|mate| (mate.unum.unwrap_or(NO_NUMBER), in_team(mate.track.mover, frame)))
                .take(10)
                .collect(),
            opponents: opponents.map(|other| in_team(other.track.mover, frame)).take(11).collect(),
            play,
            penalty_kicks: self.penalty_kicks,
            ..Scene::new(&self.server, &self.kind, unum, in_team(me, frame), in_team(ball.mover, frame))
        };
        self.restraint.apply(&mut scene);
        let decision = decide(&scene);
        self.restraint.note(&decision, &scene);
        Some(words(&decision))
    }

    /// Turns to where the ball may be: by an angle, or on all round.
    fn search(&self, towards_rad: Option<f64>) -> String {
        let slow = 1.0 + self.kind.inertia_moment * self.body.speed;
        let turn_rad = towards_rad.unwrap_or(SEARCH_TURN_RAD) * slow;
        let command = BodyCommand::Turn { moment_rad: turn_rad };
        words(&Decision { command, turn_neck_rad: -self.body.neck_rad, takes_set_play: false })
    }
}

fn marks_of(server: &ServerParams) -> Vec<(&'static str, [f64; 2])> {
    landmarks(server.goal_width).iter().map(|landmark| (landmark.name, landmark.place)).collect()
}

fn in_team(mover: Mover, frame: Frame) -> Mover {
    Mover {
        place: frame.turn(mover.place),
        velocity: frame.turn(mover.velocity),
        heading_rad: frame.turn_angle(mover.heading_rad),
    }
}

/// The commands on the wire: degrees clockwise; a place in the team's own frame, y down.
fn words(decision: &Decision) -> String {
    let degrees = |rad: f64| {
        let degrees = -rad.to_degrees();
        format!("{:.2}", degrees.clamp(-180.0, 180.0))
    };
    let mut text = match decision.command {
        BodyCommand::None => String::new(),
        BodyCommand::Dash { left, .. } => format!("(dash {:.2} {})", left.power, degrees(left.direction_rad)),
        BodyCommand::Turn { moment_rad } => format!("(turn {})", degrees(moment_rad)),
        BodyCommand::Kick { power, direction_rad } => format!("(kick {power:.2} {})", degrees(direction_rad)),
        BodyCommand::Tackle { direction_rad, foul } => {
            let foul = if foul { " on" } else { "" };
            format!("(tackle {}{foul})", degrees(direction_rad))
        }
        BodyCommand::TackleWithPower { power, .. } => format!("(tackle {power:.2})"),
        BodyCommand::Catch { direction_rad } => format!("(catch {})", degrees(direction_rad)),
        BodyCommand::Move { place: [x, y] } => format!("(move {x:.2} {:.2})", -y),
    };
    let _ = write!(text, "(turn_neck {})", degrees(decision.turn_neck_rad));
    text
}
