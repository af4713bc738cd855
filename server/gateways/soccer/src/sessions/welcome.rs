//! How clients come: their first datagrams, and why some are sent away.

use super::coach::Coach;
use super::link::Link;
use super::monitor::Monitor;
use super::player::Player;
use super::trainer::Trainer;
use super::{ClientId, Order, Out, Port, Role, Session, Sessions};
use crate::PlayMode;
use crate::state::Who;
use crate::wire::init::{self, CoachInit, PlayerPort, TrainerInit};
use crate::wire::{self, VERSIONS};
use std::net::SocketAddr;
use touchline_soccer_law::face::{RefereeCommand, Side, TEAM_SIZE};

/// Versions of monitors that show text or records; JSON is -1.
const MONITORS: std::ops::RangeInclusive<i32> = 1..=5;

const NO_TEAM: &str = "no_such_team";
const NO_PLAYER: &str = "no_such_team_or_player";

impl Sessions {
    /// The first datagram of somebody.
    pub(super) fn welcome(&mut self, port: Port, address: SocketAddr, datagram: &[u8]) {
        let (text, _) = wire::text(datagram);
        let welcomed = match port {
            Port::Player => self.at_player_port(address, text),
            Port::Team(side) => self.at_team_port(address, side, text),
            Port::Coach if self.shared.config.has_team_ports => Err(NO_TEAM),
            Port::Coach => self.at_coach_port((port, address), None, text),
            Port::TeamCoach(side) => self.at_coach_port((port, address), Some(side), text),
            Port::Trainer => self.at_trainer_port(address, text),
        };
        if let Err(word) = welcomed {
            let bytes = format!("(error {word})\0").into_bytes();
            self.shared.outs.push(Out::Refuse(port, address, bytes));
        }
    }

    fn at_player_port(&mut self, address: SocketAddr, text: &[u8]) -> Result<(), &'static str> {
        let has_team_ports = self.shared.config.has_team_ports;
        match init::at_player_port(text)? {
            PlayerPort::Monitor { version } => self.watch(address, version, text),
            PlayerPort::Player { .. } if has_team_ports => Err("no_more_team"),
            PlayerPort::Reconnect { .. } if has_team_ports => Err(NO_PLAYER),
            PlayerPort::Player { team, version, goalie } => {
                let side = self.side_for(team)?;
                self.join((Port::Player, address), side, (team, version, goalie), text)
            }
            PlayerPort::Reconnect { team, unum } => {
                let side = self.shared.names.side(team).ok_or(NO_PLAYER)?;
                self.come_back((Port::Player, address), side, unum, text)
            }
        }
    }

    /// Where a team has its own port nobody else comes to its side, and its side is the port's.
    fn at_team_port(&mut self, address: SocketAddr, side: Side, text: &[u8]) -> Result<(), &'static str> {
        let from = (Port::Team(side), address);
        let names = &self.shared.names;
        match init::at_player_port(text)? {
            PlayerPort::Monitor { .. } => Err("no_more_monitor"),
            PlayerPort::Player { team, version, goalie } => {
                let is_its = names.of(side).is_empty() || names.of(side) == team;
                if !is_its || names.of(side.opposite()) == team {
                    return Err("no_more_team");
                }
                self.join(from, side, (team, version, goalie), text)
            }
            PlayerPort::Reconnect { team, .. } if names.of(side) != team => Err(NO_PLAYER),
            PlayerPort::Reconnect { unum, .. } => self.come_back(from, side, unum, text),
        }
    }

    /// The side to which players of a team come.
    fn side_for(&mut self, team: &str) -> Result<Side, &'static str> {
        let side = self.shared.team_for(team);
        side.or_else(|| self.replace_team()).ok_or("no_more_team")
    }

    fn join(
        &mut self,
        from: (Port, SocketAddr),
        side: Side,
        (team, version, is_goalie): (&str, f64, bool),
        text: &[u8],
    ) -> Result<(), &'static str> {
        const FULL: &str = "no_more_player_or_goalie_or_illegal_client_version";
        // So logs call a team that has not come.
        if team == "null" {
            return Err("illegal_teamname");
        }
        if self.shared.names.is_fixed(team) {
            return Err("conflict_with_fixed_teamname");
        }
        let version = known(version).ok_or(FULL)?;
        if is_goalie && self.shared.has_goalie(side) {
            return Err(FULL);
        }
        let free = self.shared.free_number(side);
        let who = free.or_else(|| self.replace_player(side)).ok_or(FULL)?;
        self.shared.names.set(side, team);
        let seat = self.shared.seat_mut(who);
        (seat.version, seat.is_goalie) = (version, is_goalie);
        self.sit_down(from, who, false, text);
        Ok(())
    }

    /// A player whose client has gone is taken up again; one that is played is not.
    fn come_back(
        &mut self,
        from: (Port, SocketAddr),
        side: Side,
        unum: i32,
        text: &[u8],
    ) -> Result<(), &'static str> {
        let shared = &self.shared;
        if shared.state.mode == PlayMode::PLAY_ON {
            return Err("cannot_reconnect_while_playon");
        }
        let unum =
            u32::try_from(unum).ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum)).ok_or(NO_PLAYER)?;
        let who = Who { side, unum };
        let seat = shared.seat(who);
        if seat.version == 0 {
            return Err(NO_PLAYER);
        }
        if seat.is_sent_off {
            return Err("red_carded_player");
        }
        if seat.client.is_some() {
            return Err(NO_PLAYER);
        }
        self.sit_down(from, who, true, text);
        Ok(())
    }

    /// A client plays a player from now on.
    fn sit_down(&mut self, (port, address): (Port, SocketAddr), who: Who, comes_back: bool, text: &[u8]) {
        let client = self.open(port, address);
        let shared = &mut self.shared;
        let seat = shared.seat_mut(who);
        (seat.client, seat.has_played) = (Some(client), false);
        let (version, is_goalie) = (seat.version, seat.is_goalie);
        shared.order(Order::Join { client, who, is_goalie });
        if is_goalie {
            let command = RefereeCommand::Goalie { side: who.side, unum: who.unum };
            shared.order(Order::Referee { client, command });
        }
        let player = Player::new(who, version, shared);
        let link = Link::new(client, address, shared.now_ms);
        player.greet(&link, shared, comes_back);
        self.add(port, link, version >= 8, Role::Player(Box::new(player)), text);
    }

    fn watch(&mut self, address: SocketAddr, version: f64, text: &[u8]) -> Result<(), &'static str> {
        let version = version as i32;
        let monitors =
            self.sessions.values().filter(|session| matches!(session.role, Role::Monitor(_))).count();
        let told = self.shared.server().max_monitors;
        let most = usize::try_from(told).ok().filter(|most| *most > 0).unwrap_or(usize::MAX);
        if version != -1 && !MONITORS.contains(&version) {
            return Err("illegal_client_version");
        }
        if monitors >= most.min(self.shared.config.monitors) && !self.replace_monitor() {
            return Err("no_more_monitor");
        }
        let is_dedicated = version != 1;
        let client = self.open(Port::Player, address);
        let (monitor, link) = (Monitor { version }, Link::new(client, address, self.shared.now_ms));
        monitor.greet(&link, &mut self.shared);
        self.add(Port::Player, link, is_dedicated, Role::Monitor(monitor), text);
        Ok(())
    }

    fn at_coach_port(
        &mut self,
        (port, address): (Port, SocketAddr),
        own: Option<Side>,
        text: &[u8],
    ) -> Result<(), &'static str> {
        let CoachInit { team, name, version } = init::at_coach_port(text)?;
        let side = self.shared.names.side(team).filter(|side| own.is_none_or(|own| own == *side));
        let side = side.ok_or(NO_TEAM)?;
        let before = self.shared.coaches[side as usize];
        if self.is_held(before) {
            return Err("already_have_coach");
        }
        let version = known(version).ok_or("illegal_client_version")?;
        before.into_iter().for_each(|client| self.gone(client));
        let client = self.open(port, address);
        self.shared.coaches[side as usize] = Some(client);
        name.clone_into(&mut self.shared.coach_names[side as usize]);
        let coach = Coach::new(side, version);
        let link = Link::new(client, address, self.shared.now_ms);
        coach.greet(&link, &mut self.shared);
        self.add(port, link, version >= 8, Role::Coach(Box::new(coach)), text);
        Ok(())
    }

    fn at_trainer_port(&mut self, address: SocketAddr, text: &[u8]) -> Result<(), &'static str> {
        if !self.shared.trains() {
            return Err("connected_offline_coach_without_coach_mode");
        }
        const TAKEN: &str = "already_have_offline_coach";
        let before = self.shared.trainer;
        if self.is_held(before) {
            return Err(TAKEN);
        }
        let (version, is_old) = match init::at_trainer_port(text)? {
            TrainerInit::Init { version } => (known(version).ok_or("illegal_client_version")?, false),
            // Any word would do: a stray one shall not drive out a trainer that has nothing to say.
            TrainerInit::Old if before.is_some() => return Err(TAKEN),
            TrainerInit::Old => (1, true),
        };
        before.into_iter().for_each(|client| self.gone(client));
        let client = self.open(Port::Trainer, address);
        self.shared.trainer = Some(client);
        let (mut trainer, mut link) = (Trainer::new(version), Link::new(client, address, self.shared.now_ms));
        if is_old {
            // Its first word starts the game, and is a command as well.
            self.shared.order(Order::Referee { client, command: RefereeCommand::Start });
            trainer.datagram(&mut link, &mut self.shared, &[text, b"\0"].concat());
        } else {
            self.shared.send(&link, "(init ok)");
            self.shared.send_params(&link, version, None);
        }
        self.add(Port::Trainer, link, version >= 8, Role::Trainer(trainer), text);
        Ok(())
    }

    /// Gives a client its number, and its port.
    fn open(&mut self, port: Port, address: SocketAddr) -> ClientId {
        let client = self.next;
        self.next += 1;
        self.addresses.insert((port, address), client);
        self.shared.outs.push(Out::Open(client, address));
        client
    }

    /// A client is there; `text` is what it came with.
    fn add(&mut self, port: Port, link: Link, is_dedicated: bool, role: Role, text: &[u8]) {
        let lines = self.journal.received(&self.shared, &role, init::without_newline(text));
        self.shared.outs.extend(lines.into_iter().map(Out::Log));
        self.sessions.insert(link.client, Session { link, port, is_dedicated, role });
    }
}

/// A version that there is; a fraction counts for nothing.
fn known(version: f64) -> Option<u32> {
    let version = version as u32;
    VERSIONS.contains(&version).then_some(version)
}
