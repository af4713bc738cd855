//! The session of a player: what its commands do to its body, its senses and its neighbours. What it is told: `senses`.

mod senses;

use super::Order;
use super::hearing::Hearing;
use super::link::Link;
use super::shared::{Effect, Shared};
use crate::state::Who;
use crate::wire;
use crate::wire::player_command::{PlayerCommand, PlayerCommands, TeamWord};
use touchline_soccer_law::face::{BodyCommand, Leg, Side, TEAM_SIZE, state};
use touchline_soccer_law::hearing::EarPart;

/// A power that the law holds to its range is held to this before.
const MOST_POWER: f64 = 1000.0;
/// Coordinates of a `move` are held to this, metres.
const FARTHEST_M: f64 = 200.0;

/// A player's client.
pub struct Player {
    /// Whom it plays.
    pub who: Who,
    /// Version of its protocol, 1 to 19.
    pub version: u32,
    /// What waits to be heard.
    pub hearing: Hearing,
    /// Ticks of its view since the last one.
    ticks: u32,
    /// Whether it was asked to think in this cycle, and whether it has said that it is done.
    pub is_asked: bool,
    pub is_done: bool,
    has_commanded: bool,
    legs: [Option<Leg>; 2],
    body: BodyCommand,
    /// Turn of the neck, degrees.
    neck: Option<f64>,
    has_moved_neck: bool,
}

impl Player {
    /// A player that has just come.
    pub fn new(who: Who, version: u32, shared: &Shared) -> Self {
        Self {
            who,
            version,
            hearing: Hearing::new(shared.server()),
            ticks: 0,
            is_asked: false,
            is_done: false,
            has_commanded: false,
            legs: [None; 2],
            body: BodyCommand::None,
            neck: None,
            has_moved_neck: false,
        }
    }

    /// What a client is told when it has come, or come back.
    pub fn greet(&self, link: &Link, shared: &mut Shared, comes_back: bool) {
        let (side, mode) = (self.who.side.letter(), shared.state.mode.word());
        let text = if comes_back {
            format!("(reconnect {side} {mode})")
        } else {
            format!("(init {side} {} {mode})", self.who.unum)
        };
        shared.send(link, &text);
        shared.send_params(link, self.version, Some(self.who.side));
        if !comes_back && self.version >= 18 {
            self.synchronise(link, shared);
        }
    }

    fn synchronise(&self, link: &Link, shared: &mut Shared) {
        let Shared { aware, config, .. } = shared;
        aware[self.who.place()].synchronise(&config.params.server);
        shared.send(link, "(ok synch_see)");
    }

    /// A datagram from it.
    pub fn datagram(&mut self, link: &mut Link, shared: &mut Shared, datagram: &[u8]) {
        let (text, is_ended) = wire::text(datagram);
        if !is_ended && self.version >= 8 {
            shared.send(link, "(warning message_not_null_terminated)");
        }
        let before = (self.body, self.legs, self.neck);
        for command in PlayerCommands::new(text) {
            if !link.admits_command() {
                break;
            }
            match command {
                Ok(PlayerCommand::Bye) => {
                    shared.effects.push(Effect::Gone(link.client));
                    return;
                }
                Ok(command) => self.command(command, link, shared),
                Err(_) => shared.send(link, "(error illegal_command_form)"),
            }
        }
        if before != (self.body, self.legs, self.neck) {
            self.drive(link, shared);
        }
    }

    fn command(&mut self, command: PlayerCommand<'_>, link: &mut Link, shared: &mut Shared) {
        use PlayerCommand as C;
        match command {
            C::Dash { power, dir_deg } => self.dash([true, true], power, dir_deg, shared),
            C::DashLeg { is_left, power, dir_deg } => self.dash([is_left, !is_left], power, dir_deg, shared),
            C::Turn(moment_deg) => {
                let server = shared.server();
                let moment = held(moment_deg, server.minmoment, server.maxmoment);
                let command = BodyCommand::Turn { moment_rad: ours(moment) };
                if self.take_body(command, shared) {
                    shared.aware_mut(self.who).counts.turn += 1;
                }
            }
            C::TurnNeck(moment_deg) => {
                if !self.has_moved_neck {
                    let server = shared.server();
                    let moment = held(moment_deg, server.minneckmoment, server.maxneckmoment);
                    (self.neck, self.has_moved_neck) = (Some(moment), true);
                    shared.aware_mut(self.who).counts.turn_neck += 1;
                }
            }
            C::Kick { power, dir_deg } => {
                let server = shared.server();
                let power = held(power, server.minpower, server.maxpower);
                let direction_rad = ours(held(dir_deg, server.minmoment, server.maxmoment));
                self.take_body(BodyCommand::Kick { power, direction_rad }, shared);
            }
            C::Catch(dir_deg) => {
                let server = shared.server();
                let direction_rad = ours(held(dir_deg, server.min_catch_angle, server.max_catch_angle));
                self.take_body(BodyCommand::Catch { direction_rad }, shared);
            }
            C::Tackle { power_or_angle, foul } => {
                let command = if self.version >= 12 {
                    let server = shared.server();
                    let angle = held(power_or_angle, server.minmoment, server.maxmoment);
                    BodyCommand::Tackle { direction_rad: ours(angle), foul }
                } else {
                    BodyCommand::TackleWithPower {
                        power: power_or_angle.clamp(-MOST_POWER, MOST_POWER),
                        foul,
                    }
                };
                if self.take_body(command, shared) {
                    shared.aware_mut(self.who).counts.tackle += 1;
                }
            }
            C::Move(place) => self.put(place, link, shared),
            C::Say(message) => {
                if message.len() <= shared.longest_saying() && link.admits_saying() {
                    shared.aware_mut(self.who).counts.say += 1;
                    shared.effects.push(Effect::Said(self.who, message.to_owned()));
                    shared.order(Order::Say { client: link.client, who: self.who, text: message.to_owned() });
                }
            }
            C::Score => {
                let [left, right] = shared.state.scores;
                let [own, other] = if self.who.side == Side::Left { [left, right] } else { [right, left] };
                let text = format!("(score {} {own} {other})", shared.state.time);
                shared.send(link, &text);
            }
            C::SenseBody => self.sense(link, shared),
            C::Compression(level) if level > 9 => {}
            C::Compression(level) => {
                shared.send(link, &format!("(ok compression {level})"));
                link.compress(level);
            }
            C::Done => self.is_done = true,
            C::Clang(versions) => {
                shared.seat_mut(self.who).language = versions;
                shared.send(link, &format!("(ok clang (ver {} {}))", versions[0], versions[1]));
                shared.effects.push(Effect::Language(self.who));
            }
            C::Ear { on, team, part } => self.listen(on, team, part, link, shared),
            C::LongKick | C::Bye => {}
            C::ChangeView { .. }
            | C::ChangeFocus { .. }
            | C::PointTo(_)
            | C::AttentionTo(_)
            | C::SynchSee
            | C::GaussianSee => self.attend(command, link, shared),
        }
    }

    /// Commands about how it looks, points and listens.
    fn attend(&mut self, command: PlayerCommand<'_>, link: &Link, shared: &mut Shared) {
        use PlayerCommand as C;
        let Shared { aware, config, state, .. } = shared;
        let (aware, server) = (&mut aware[self.who.place()], &config.params.server);
        match command {
            C::ChangeView { width, is_high } => aware.change_view(width, is_high, server),
            C::ChangeFocus { dist, dir_deg } => aware.change_focus(dist, dir_deg.to_radians()),
            C::PointTo(target) => {
                let target = target.map(|[dist, dir_deg]| [dist, dir_deg.to_radians()]);
                aware.arm.point(target, state.body(self.who));
            }
            C::SynchSee => self.synchronise(link, shared),
            C::GaussianSee => {
                aware.view.is_gaussian = true;
                shared.send(link, "(ok gaussian_see)");
            }
            C::AttentionTo(None) => {
                aware.attention = None;
                aware.counts.attention_to += 1;
            }
            C::AttentionTo(Some((team, unum))) => self.attend_to(team, unum, shared),
            _ => {}
        }
    }

    fn attend_to(&self, team: TeamWord<'_>, unum: i32, shared: &mut Shared) {
        let Some(side) = side_of(team, self.who.side, shared) else { return };
        // Only numbers that somebody has had can be listened to, and not oneself.
        let unum = u32::try_from(unum).ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum));
        let Some(who) = unum.map(|unum| Who { side, unum }).filter(|who| *who != self.who) else { return };
        if shared.seat(who).version > 0 || shared.state.body(who).bits != 0 {
            let aware = shared.aware_mut(self.who);
            // Versions before 8 hear all alike.
            aware.attention = Some(who).filter(|_| self.version >= 8);
            aware.counts.attention_to += 1;
        }
    }

    fn listen(
        &mut self,
        on: bool,
        team: Option<TeamWord<'_>>,
        part: Option<EarPart>,
        link: &Link,
        shared: &mut Shared,
    ) {
        let side = match team {
            None => None,
            Some(team) => match (side_of(team, self.who.side, shared), team) {
                (Some(side), _) => Some(side),
                (None, TeamWord::Named(name)) => {
                    return shared.send(link, &format!("(error no team with name {name})"));
                }
                (None, _) => return,
            },
        };
        self.hearing.set(on, side, part);
    }

    /// Takes a body command as the one of this cycle; whether there was none before, and the body obeys.
    fn take_body(&mut self, command: BodyCommand, shared: &Shared) -> bool {
        if self.has_commanded || !self.obeys(shared) {
            return false;
        }
        (self.body, self.has_commanded) = (command, true);
        true
    }

    /// A body that lies after a tackle or a foul does not.
    fn obeys(&self, shared: &Shared) -> bool {
        let body = shared.state.body(self.who);
        body.tackle_cycles == 0 && body.foul_cycles == 0
    }

    fn dash(&mut self, which: [bool; 2], power: f64, dir_deg: f64, shared: &Shared) {
        let is_whole = which == [true, true];
        let is_other = self.has_commanded && (is_whole || self.legs == [None; 2]);
        if is_other || !self.obeys(shared) {
            return;
        }
        let leg = Leg {
            power: power.clamp(-MOST_POWER, MOST_POWER),
            direction_rad: ours(held(dir_deg, -180.0, 180.0)),
        };
        for (own, _) in self.legs.iter_mut().zip(which).filter(|(own, wanted)| *wanted && own.is_none()) {
            *own = Some(leg);
        }
        let [left, right] = self.legs.map(Option::unwrap_or_default);
        (self.body, self.has_commanded) = (BodyCommand::Dash { left, right }, true);
    }

    fn put(&mut self, place: [f64; 2], link: &Link, shared: &mut Shared) {
        if self.has_commanded || !self.obeys(shared) {
            return;
        }
        let sign = self.who.side.sign();
        let [x, y] = place.map(|coordinate| coordinate.clamp(-FARTHEST_M, FARTHEST_M));
        let body = shared.state.body(self.who);
        match shared.state.mode.word() {
            "before_kick_off" | "goal_l" | "goal_r" => {
                let server = shared.server();
                let size =
                    shared.config.types.get(body.kind).map_or(server.player_size, |kind| kind.player_size);
                let is_before = shared.state.mode.word() == "before_kick_off";
                if is_before && server.forbid_kick_off_offside && x >= -size {
                    shared.send(link, "(warning moving_to_opponent_field)");
                }
            }
            "free_kick_l" | "free_kick_r" if shared.state.catcher == Some(self.who) => {}
            _ => return,
        }
        (self.body, self.has_commanded) = (BodyCommand::Move { place: [x * sign, -y * sign] }, true);
        shared.aware_mut(self.who).counts.moved += 1;
    }

    /// Tells the world what the body does in this cycle.
    fn drive(&self, link: &Link, shared: &mut Shared) {
        let numbers = self.body.to_numbers(ours(self.neck.unwrap_or(0.0)));
        shared.order(Order::Drive { client: link.client, who: self.who, numbers });
    }

    /// A step was made: what was commanded in it is over.
    pub fn stepped(&mut self, shared: &mut Shared) {
        let body = *shared.state.body(self.who);
        let aware = shared.aware_mut(self.who);
        aware.counts.dash += u32::from(matches!(self.body, BodyCommand::Dash { .. }));
        let did = |bit: u32, fault: u32| u32::from(body.is(bit) && !body.is(fault));
        match self.body {
            BodyCommand::Kick { .. } => aware.counts.kick += did(state::KICK, state::KICK_FAULT),
            BodyCommand::Catch { .. } => aware.counts.catch += did(state::CATCH, state::CATCH_FAULT),
            _ => {}
        }
        (self.body, self.legs, self.neck) = (BodyCommand::None, [None; 2], None);
        (self.has_commanded, self.has_moved_neck) = (false, false);
        (self.is_asked, self.is_done) = (false, false);
        self.hearing.recover(shared.server());
    }

    /// Whether its player is on the field.
    pub fn is_enabled(&self, shared: &Shared) -> bool {
        shared.state.body(self.who).is_enabled()
    }
}

/// An angle of the wire, degrees clockwise, as ours, radians counter-clockwise; without the sign of a zero.
fn ours(angle_deg: f64) -> f64 {
    let angle_rad = -angle_deg.to_radians();
    if angle_rad == 0.0 { 0.0 } else { angle_rad }
}

/// Held to a range, whichever end is given first.
fn held(value: f64, min: f64, max: f64) -> f64 {
    value.max(min.min(max)).min(max.max(min))
}

/// The side of a team's word, if the team has come.
fn side_of(team: TeamWord<'_>, own: Side, shared: &Shared) -> Option<Side> {
    match team {
        TeamWord::Our => Some(own),
        TeamWord::Opp => Some(own.opposite()),
        TeamWord::Left => Some(Side::Left),
        TeamWord::Right => Some(Side::Right),
        TeamWord::Named(name) => shared.names.side(name),
    }
}
