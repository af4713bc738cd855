//! The session of a monitor: it is shown every cycle, and may be the human referee's hand.

use super::axes::{world_angle, world_place};
use super::link::Link;
use super::shared::{Effect, Shared};
use super::trainer::{self, Object};
use super::{Order, Out};
use crate::PlayMode;
use crate::log;
use crate::state::Who;
use crate::wire::params::{self, ALL};
use crate::wire::scan::Scan;
use crate::wire::{self, show, show_binary};
use touchline_soccer_law::face::{Card, RefereeCommand, Side, TEAM_SIZE};

/// Monitors say places in sixteenths of a metre.
const COARSE: f64 = 16.0;

/// A monitor's client.
pub struct Monitor {
    /// 1 to 5, or -1 for JSON.
    pub version: i32,
}

impl Monitor {
    /// What it is told when it has come.
    pub fn greet(&self, link: &Link, shared: &mut Shared) {
        match self.version {
            1 => {}
            2 => {
                let config = &shared.config;
                let heads = [
                    show_binary::server_param(&config.params.server),
                    show_binary::player_param(&config.params.player),
                ];
                let types = config.types.iter().map(params::type_values).enumerate();
                let types = types.map(|(id, values)| show_binary::player_type(id, &values));
                let all: Vec<_> = heads.into_iter().chain(types).map(|bytes| link.pack(bytes)).collect();
                shared.outs.extend(all.into_iter().map(|bytes| Out::Send { client: link.client, bytes }));
            }
            ..=0 => {
                let config = &shared.config;
                let types: Vec<_> = config.types.iter().map(params::type_values).collect();
                for text in params::as_json(&config.params.server, &config.params.player, &types) {
                    shared.send(link, &text);
                }
            }
            _ => shared.send_params(link, ALL, None),
        }
    }

    /// Shows it the world after a step.
    pub fn show(&self, link: &Link, shared: &mut Shared, record: &log::Show) {
        let (state, names) = (&shared.state, &shared.names);
        let bytes = match self.version {
            1 | 2 => {
                let exact = show::exact(state, &shared.aware);
                let teams = show::teams(state, names);
                link.pack(show_binary::show(self.version as u32, state.mode, &teams, &exact))
            }
            ..=0 => link.packed(&show::json(state, names, record)),
            version => link.packed(&show::text(version as u32, state, names, record)),
        };
        shared.outs.push(Out::Send { client: link.client, bytes });
    }

    /// Sends it a text for its board.
    pub fn message(&self, link: &Link, shared: &mut Shared, text: &str) {
        self.message_at([shared.state.time, shared.state.stoppage], link, shared, text);
    }

    /// The same of when the clock showed this: its cycle, and cycles since it stopped.
    pub fn message_at(&self, [time, stoppage]: [u32; 2], link: &Link, shared: &mut Shared, text: &str) {
        let bytes = match self.version {
            1 | 2 => link.pack(show_binary::message(self.version as u32, 1, text)),
            ..=0 => link.packed(&show::json_message(time, stoppage, 1, text)),
            _ => link.packed(&show::message(time, text)),
        };
        shared.outs.push(Out::Send { client: link.client, bytes });
    }

    /// A datagram from it.
    pub fn datagram(&mut self, link: &mut Link, shared: &mut Shared, datagram: &[u8]) {
        let (text, is_ended) = wire::text(datagram);
        if !is_ended && self.version != 1 {
            self.message(link, shared, "(warning message_not_null_terminated)");
        }
        if text == b"(dispbye)" {
            return shared.effects.push(Effect::Gone(link.client));
        }
        if text.starts_with(b"(compression") {
            return self.compress(link, shared, text);
        }
        if !shared.config.monitors_command {
            return self.message(link, shared, "(error not_allowed)");
        }
        match self.command(link, shared, text) {
            Ok(answer) => answer.into_iter().for_each(|answer| self.message(link, shared, &answer)),
            Err(word) => self.message(link, shared, &format!("(error {word})")),
        }
    }

    fn compress(&self, link: &mut Link, shared: &mut Shared, text: &[u8]) {
        let level = Scan::new(text).words(&["(", "compression"]).and_then(Scan::integer);
        match level.filter(|level| *level <= 9) {
            None => self.message(link, shared, "(error illegal_command_form)"),
            Some(level) => {
                self.message(link, shared, &format!("(ok compression {level})"));
                link.compress(level);
            }
        }
    }

    /// One command of the human referee; its answer, if it has one.
    fn command(&self, link: &Link, shared: &mut Shared, text: &[u8]) -> Result<Option<String>, &'static str> {
        let client = link.client;
        let mut tell = |command| shared.order(Order::Referee { client, command });
        if text == b"(dispstart)" {
            tell(RefereeCommand::Start);
        } else if text.starts_with(b"(dispfoul") {
            let [x, y, side] = integers(text, "dispfoul")?;
            let place = place(x, y);
            match side_of(side) {
                Some(side) => tell(RefereeCommand::Foul { side, place }),
                None => tell(RefereeCommand::Drop { place }),
            }
        } else if text.starts_with(b"(dispplayer") {
            let [side, unum, x, y, angle] = integers(text, "dispplayer")?;
            if let Some(who) = who(side, unum) {
                let place = place(x, y);
                let theta_rad = Some(world_angle(f64::from(angle).clamp(-180.0, 180.0)));
                let Who { side, unum } = who;
                tell(RefereeCommand::Move { side, unum, place, theta_rad, velocity: Some([0.0; 2]) });
            }
        } else if text.starts_with(b"(dispdiscard") {
            let [side, unum] = integers(text, "dispdiscard")?;
            if let Some(Who { side, unum }) = who(side, unum) {
                tell(RefereeCommand::Discard { side, unum });
            }
        } else if text.starts_with(b"(dispcard") {
            let mut scan = Scan::new(text);
            let scan = scan.words(&["(", "dispcard"]).ok_or(FORM)?;
            let (side, unum) = scan.integer().zip(scan.integer()).ok_or(FORM)?;
            let card = match scan.blanks().run(7, |byte| byte != b')') {
                Some("yellow") => Card::Yellow,
                Some("red") => Card::Red,
                _ => return Err(FORM),
            };
            if let Some(Who { side, unum }) = who(side, unum) {
                tell(RefereeCommand::Card { side, unum, card });
            }
        } else if shared.trains() {
            return self.train(link, shared, text).map(Some);
        } else {
            return Err(FORM);
        }
        Ok(None)
    }

    /// What a monitor may do where a trainer may come.
    fn train(&self, link: &Link, shared: &mut Shared, text: &[u8]) -> Result<String, &'static str> {
        let client = link.client;
        if text.starts_with(b"(start)") {
            shared.order(Order::Referee { client, command: RefereeCommand::Start });
            return Ok("(ok start)".into());
        }
        if text.starts_with(b"(change_mode") {
            let mode: PlayMode = trainer::mode(text)?;
            shared.order(Order::Referee { client, command: RefereeCommand::Mode(mode) });
            return Ok("(ok change_mode)".into());
        }
        if text.starts_with(b"(move") {
            let object: Object = trainer::object(text, &shared.names)?;
            let commands = object.commands();
            commands.into_iter().for_each(|command| shared.order(Order::Referee { client, command }));
            return Ok("(ok move)".into());
        }
        if text.starts_with(b"(recover") {
            shared.order(Order::Referee { client, command: RefereeCommand::Recover });
            return Ok("(ok recover)".into());
        }
        if text.starts_with(b"(check_ball") {
            return Ok(trainer::check_ball(&shared.state, shared.server()));
        }
        Err(FORM)
    }
}

const FORM: &str = "illegal_command_form";

/// Whole numbers behind a command's word.
fn integers<const N: usize>(text: &[u8], word: &str) -> Result<[i32; N], &'static str> {
    let mut scan = Scan::new(text);
    let scan = scan.words(&["(", word]).ok_or(FORM)?;
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = scan.integer().ok_or(FORM)?;
    }
    Ok(numbers)
}

/// A place in sixteenths of a metre in the world's axes, held to where a trainer may put something.
fn place(x: i32, y: i32) -> [f64; 2] {
    let held = |number: i32| (f64::from(number) / COARSE).clamp(-trainer::FARTHEST_M, trainer::FARTHEST_M);
    world_place([held(x), held(y)])
}

/// 1 is left, -1 right.
fn side_of(number: i32) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.sign() == f64::from(number))
}

fn who(side: i32, unum: i32) -> Option<Who> {
    let unum = u32::try_from(unum).ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum))?;
    side_of(side).map(|side| Who { side, unum })
}
