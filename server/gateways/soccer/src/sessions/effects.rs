//! What one session's command means for others.

use super::shared::Effect;
use super::{ClientId, Order, Out, Role, Sessions};
use crate::state::Who;
use crate::wire::hear::{self, Reader};
use crate::wire::name::write_player;
use touchline_soccer_law::face::Side;

impl Sessions {
    pub(super) fn carry_out_effects(&mut self) {
        while !self.shared.effects.is_empty() {
            for effect in std::mem::take(&mut self.shared.effects) {
                self.carry_out(effect);
            }
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        let time = self.shared.state.time;
        match effect {
            Effect::Gone(client) => self.gone(client),
            Effect::Said(who, message) if self.is_synchronous() => self.said.push((who, message)),
            Effect::Said(who, message) => self.hear_at_once(who, &message),
            Effect::CoachSaid(side, message) => self.coach_said(side, &message),
            Effect::LanguageSaid { side, said, message } => {
                let name = coach_name(Some(side), 7);
                self.pass_on(self.clock(), &format!("({name} {said} {})", cut(&message)));
                self.each(|role, link, shared| {
                    let is_told = match role {
                        Role::Player(player) => player.who.side == side && player.is_enabled(shared),
                        Role::Trainer(_) => true,
                        Role::Coach(_) | Role::Monitor(_) => false,
                    };
                    if let Some(reader) = role.reader(shared).filter(|_| is_told) {
                        shared.send(link, &hear::language(reader, time, name, &message));
                    }
                });
            }
            Effect::Language(who) => self.each(|role, link, shared| {
                if let Role::Coach(coach) = role
                    && coach.side == who.side
                    && let Some(text) = coach.language(who, shared)
                {
                    shared.send(link, &text);
                }
            }),
            Effect::Goalie(who) => {
                let text = format!("(change_player_type {} {} goalie)", who.side.letter(), who.unum);
                self.each(|role, link, shared| match role {
                    Role::Player(player) if player.version >= 16 && player.is_enabled(shared) => {
                        shared.send(link, &text);
                    }
                    Role::Coach(coach) if coach.version >= 16 => shared.send(link, &text),
                    Role::Monitor(monitor) => monitor.message(link, shared, &text),
                    _ => {}
                });
            }
            Effect::Monitors(text) => self.each(|role, link, shared| {
                if let Role::Monitor(monitor) = role {
                    monitor.message(link, shared, &text);
                }
            }),
        }
    }

    /// A player has spoken: coaches, the trainer and players of versions before 8 hear it at once.
    pub(super) fn hear_at_once(&mut self, who: Who, message: &str) {
        self.said(who, message, |version| version < 8);
        let mut name = String::new();
        // A string takes whatever is written.
        let _ = write_player(&mut name, 1, self.shared.names.of(who.side), who, false);
        self.pass_on(self.clock(), &format!("({name} {message})"));
        let (time, is_goalie) = (self.shared.state.time, self.shared.seat(who).is_goalie);
        self.each(|role, link, shared| {
            let (Some(reader @ (Reader::Coach(_) | Reader::Trainer(_))), side) =
                (role.reader(shared), role.side())
            else {
                return;
            };
            let team = shared.names.told(who.side, side);
            let text = hear::player(reader, time, team, who, is_goalie, message);
            shared.send(link, &text);
        });
    }

    fn coach_said(&mut self, side: Option<Side>, message: &str) {
        let time = self.shared.state.time;
        self.pass_on(self.clock(), &format!("({} {})", coach_name(side, 1), cut(message)));
        self.each(|role, link, shared| {
            let Some(reader) = role.reader(shared) else { return };
            match role {
                Role::Player(player) => {
                    let name = coach_name(side, player.version);
                    if player.version >= 8 {
                        player.hearing.keep_coach(name, message);
                    } else {
                        shared.send(link, &hear::coach(reader, time, name, message));
                    }
                }
                Role::Coach(_) if side.is_some() => {}
                Role::Coach(_) => shared.send(link, &hear::coach(reader, time, "referee", message)),
                // A trainer's own words come back to it as the referee's, in every version.
                Role::Trainer(_) => {
                    shared.send(link, &hear::coach(reader, time, coach_name(side, 1), message))
                }
                Role::Monitor(_) => {}
            }
        });
    }

    /// What the clock shows: its cycle, and cycles since it stopped.
    fn clock(&self) -> [u32; 2] {
        [self.shared.state.time, self.shared.state.stoppage]
    }

    /// Passes on to the monitors what was said when the clock showed this, where `send_comms` has it so.
    pub(super) fn pass_on(&mut self, clock: [u32; 2], text: &str) {
        if self.shared.server().send_comms {
            self.each(|role, link, shared| {
                if let Role::Monitor(monitor) = role {
                    monitor.message_at(clock, link, shared, text);
                }
            });
        }
    }

    pub(super) fn gone(&mut self, client: ClientId) {
        let Some(session) = self.sessions.remove(&client) else { return };
        self.addresses.remove(&(session.port, session.link.address));
        match session.role {
            Role::Player(player) => {
                let seat = self.shared.seat_mut(player.who);
                seat.client = None;
                self.shared.order(Order::Leave { client, who: player.who });
            }
            Role::Coach(coach) => self.shared.coaches[coach.side as usize] = None,
            Role::Trainer(_) => self.shared.trainer = None,
            Role::Monitor(_) => {}
        }
        self.shared.outs.push(Out::Close(client));
    }
}

/// As much of a coach's words as is passed on to monitors.
fn cut(message: &str) -> &str {
    const MOST_BYTES: usize = 2010;
    // What coaches say is ASCII.
    message.get(..MOST_BYTES).unwrap_or(message)
}

/// How a coach or a trainer is called, to readers of a version.
fn coach_name(side: Option<Side>, version: u32) -> &'static str {
    match side {
        Some(Side::Left) => "online_coach_left",
        Some(Side::Right) => "online_coach_right",
        None if version < 7 => "referee",
        None => "coach",
    }
}
