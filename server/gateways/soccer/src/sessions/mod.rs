//! The sessions of all clients as one machine without sockets and clock: datagrams, steps and passes go in; datagrams and orders come out.
//!
//! Whoever drives it ([`crate::service`]) owns the sockets, tells it each step of the world ([`Sessions::stepped`]) and each 10 ms
//! ([`Sessions::tick`]), and carries out what it [`Sessions::take`]s.

mod axes;
mod bench;
mod coach;
mod effects;
mod graphic;
mod hearing;
mod journal;
mod link;
mod monitor;
mod patience;
mod player;
mod role;
mod schedule;
mod shared;
mod synch;
mod traffic;
mod trainer;
mod vision;
mod welcome;
mod words;

pub use journal::Piece;
pub use schedule::TICK_MS;
pub use traffic::{Began, ClientId, Config, Order, Out, Port, Source};

use crate::state::{Happened, State, Who};
use crate::statistics::{Counter, Statistics};
use crate::wire::show;
use bench::Bench;
use journal::Journal;
use link::Link;
use player::Player;
use role::{LAST_RANK, Role};
use schedule::{Due, Schedule};
use shared::{Effect, Shared, changed_type};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use touchline_soccer_law::face::Side;

/// One client.
struct Session {
    link: Link,
    port: Port,
    /// Whether it must not send to the port at which it came.
    is_dedicated: bool,
    role: Role,
}

/// All sessions of a game.
pub struct Sessions {
    shared: Shared,
    sessions: BTreeMap<ClientId, Session>,
    addresses: BTreeMap<(Port, SocketAddr), ClientId>,
    next: ClientId,
    schedule: Schedule,
    synch: synch::Synch,
    over: i64,
    /// What was said in this cycle and is heard when it ends, in synchronous mode.
    said: Vec<(Who, String)>,
    journal: Journal,
    counter: Counter,
}

impl Sessions {
    /// Of a game that nobody has come to.
    pub fn new(config: Config) -> Self {
        let schedule = Schedule::new(&config.params.server);
        let mut journal = Journal::new(config.params.server.game_log_version);
        let counter = Counter::new(&config.params.server);
        let mut shared = Shared::new(config);
        if shared.config.is_logged {
            let head = journal.head(&mut shared);
            shared.outs.push(Out::Log(head));
        }
        Self {
            schedule,
            synch: synch::Synch::default(),
            over: 0,
            said: Vec::new(),
            journal,
            counter,
            shared,
            sessions: BTreeMap::new(),
            addresses: BTreeMap::new(),
            next: 1,
        }
    }

    /// Whether steps wait for the clients.
    pub fn is_synchronous(&self) -> bool {
        self.shared.server().synch_mode
    }

    /// The longest message of a player, bytes.
    pub fn longest_saying(&self) -> usize {
        self.shared.longest_saying()
    }

    /// Length of a cycle in real time, milliseconds.
    pub fn cycle_ms(&self) -> i64 {
        self.schedule.step_ms()
    }

    /// The world as clients are told it.
    pub fn state(&self) -> &State {
        &self.shared.state
    }

    /// Name of a team; empty as long as nobody has come.
    pub fn team_name(&self, side: Side) -> &str {
        self.shared.names.of(side)
    }

    /// How many players are connected.
    pub fn players(&self) -> usize {
        self.shared.players()
    }

    /// What is to be done since this was last asked, in its order.
    pub fn take(&mut self) -> Vec<Out> {
        std::mem::take(&mut self.shared.outs)
    }

    /// A datagram has come.
    pub fn datagram(&mut self, source: Source, datagram: &[u8]) {
        let datagram = &datagram[..datagram.len().min(crate::wire::MAX_DATAGRAM)];
        if datagram.is_empty() {
            return;
        }
        match source {
            Source::Client(client) => self.of_client(client, datagram),
            Source::Port(port, address) => match self.addresses.get(&(port, address)) {
                None => self.welcome(port, address, datagram),
                Some(&client) if self.sessions.get(&client).is_some_and(|session| session.is_dedicated) => {
                    if let Some(session) = self.sessions.get_mut(&client) {
                        session.link.heard_ms = self.shared.now_ms;
                        if session.link.admits() {
                            self.shared.send(&session.link, "(error only_init_allowed_on_init_port)");
                        }
                    }
                }
                Some(&client) => self.of_client(client, datagram),
            },
        }
        self.carry_out_effects();
        self.go_on();
    }

    fn of_client(&mut self, client: ClientId, datagram: &[u8]) {
        let Some(session) = self.sessions.get_mut(&client) else { return };
        let (link, shared) = (&mut session.link, &mut self.shared);
        // Also where no more is looked at, as while time stands: who says too much is not silent.
        link.heard_ms = shared.now_ms;
        if !link.admits() {
            return;
        }
        let datagram = link.unpacked(datagram);
        if datagram.is_empty() || !link.admits_bytes(datagram.len()) {
            return;
        }
        let lines = self.journal.received(shared, &session.role, &datagram);
        shared.outs.extend(lines.into_iter().map(Out::Log));
        match &mut session.role {
            Role::Player(player) => player.datagram(link, shared, &datagram),
            Role::Monitor(monitor) => monitor.datagram(link, shared, &datagram),
            Role::Coach(coach) => coach.datagram(link, shared, &datagram),
            Role::Trainer(trainer) => trainer.datagram(link, shared, &datagram),
        }
    }

    /// A client cannot be reached any more.
    pub fn lost(&mut self, client: ClientId) {
        self.shared.effects.push(Effect::Gone(client));
        self.carry_out_effects();
        self.go_on();
    }

    /// Where a client's orders stand among all of a cycle: players by their numbers, coaches, the trainer, monitors.
    pub fn rank(&self, client: ClientId) -> usize {
        self.sessions.get(&client).map_or(LAST_RANK, |session| session.role.rank())
    }

    /// The world has made a step.
    pub fn stepped(&mut self, state: State, happened: Vec<Happened>) {
        self.log_held();
        Side::BOTH.into_iter().for_each(|side| Bench::before_step(side, &mut self.shared));
        self.carry_out_effects();
        self.shared.before = self.shared.state.places();
        let ends_half = self.foresee(&happened);
        let left = self.shared.change(state);
        self.count();
        for aware in &mut self.shared.aware {
            aware.arm.grow_old();
        }
        for session in self.sessions.values_mut() {
            session.link.renew();
            match &mut session.role {
                Role::Player(player) => player.stepped(&mut self.shared),
                Role::Coach(coach) => (coach.is_asked, coach.is_done) = (false, false),
                Role::Trainer(trainer) => (trainer.is_asked, trainer.is_done) = (false, false),
                Role::Monitor(_) => {}
            }
        }
        happened.into_iter().for_each(|happened| self.happens(happened));
        self.shared.effects.extend(left.into_iter().map(Effect::Gone));
        Side::BOTH.into_iter().for_each(|side| Bench::after_step(side, &mut self.shared));
        self.carry_out_effects();
        self.show();
        if self.shared.config.is_logged
            && let Some(piece) = self.journal.step(&self.shared, ends_half)
        {
            self.shared.outs.push(Out::Log(piece));
        }
        self.step_made();
        let due = self.schedule.stepped();
        self.pass(due);
        if due.think {
            self.think();
        }
        self.count_game_over();
        self.go_on();
    }

    /// Whether the game's log has more than its head: what clients have said before is no game.
    pub fn has_log(&self) -> bool {
        self.journal.has_begun()
    }

    /// Ends the game's log.
    pub fn finish(&mut self) {
        self.log_held();
        if self.shared.config.is_logged {
            let end = self.journal.end(&self.shared);
            self.shared.outs.push(Out::Log(end));
        }
    }

    fn count(&mut self) {
        let State { mode, ball, players, .. } = &self.shared.state;
        let [[x, y], [vx, vy]] = [ball.pos, ball.vel];
        let players = Who::all().zip(players).map(|(who, body)| (who.side, who.unum, body.bits));
        self.counter.cycle(*mode, [x, y, vx, vy], players);
    }

    /// What the game has come to so far.
    pub fn statistics(&self) -> Statistics {
        self.counter.statistics()
    }

    fn log_held(&mut self) {
        let lines = self.journal.take_held();
        self.shared.outs.extend(lines.into_iter().map(Out::Log));
    }

    /// The world has changed while time stood.
    pub fn refresh(&mut self, state: State) {
        self.shared.change(state);
        self.go_on();
    }

    /// 10 ms of real time have passed since the last step or tick.
    pub fn tick(&mut self) {
        if !self.is_synchronous() && !self.schedule.is_at_step() {
            let due = self.schedule.tick();
            self.pass(due);
        }
    }

    fn happens(&mut self, happened: Happened) {
        match happened {
            Happened::Word(word) => self.word(&word, [self.shared.state.time, self.shared.state.stoppage]),
            Happened::EarlierWord(word, clock) => self.word(&word, clock),
            Happened::Type(who, kind) => {
                self.shared.bench_mut(who.side).has_type(who.unum, kind);
                self.each(|role, link, shared| {
                    if let Some(side) = role.learns_types() {
                        shared.send(link, &changed_type(who, kind, side));
                    }
                });
                let text = format!("(change_player_type {} {} {kind})", who.side.letter(), who.unum);
                self.shared.effects.push(Effect::Monitors(text));
            }
            Happened::TooManyMoves(who) => {
                let client = self.shared.seat(who).client;
                if let Some(session) = client.and_then(|client| self.sessions.get(&client)) {
                    self.shared.send(&session.link, "(error too_many_moves)");
                }
            }
            // Who is told at once was told when it was said; from others it comes now.
            Happened::Said(who, message) => {
                let is_ours = self.shared.seat(who).version > 0;
                self.said(who, &message, |version| version >= 8 || !is_ours);
            }
        }
    }

    /// Calls a function for each session.
    fn each(&mut self, mut call: impl FnMut(&mut Role, &Link, &mut Shared)) {
        for session in self.sessions.values_mut() {
            call(&mut session.role, &session.link, &mut self.shared);
        }
    }

    fn said(&mut self, who: Who, message: &str, is_told: impl Fn(u32) -> bool) {
        self.each(|role, link, shared| {
            if let Role::Player(player) = role
                && is_told(player.version)
            {
                player.told(who, message, link, shared);
            }
        });
    }

    fn show(&mut self) {
        if self.sessions.values().any(|session| matches!(session.role, Role::Monitor(_))) {
            let record = show::record(&self.shared.state, &self.shared.aware);
            self.each(|role, link, shared| {
                if let Role::Monitor(monitor) = role {
                    monitor.show(link, shared, &record);
                }
            });
        }
    }

    /// What is due in a pass, in the real server's order.
    fn pass(&mut self, due: Due) {
        if due.sense_body {
            self.players_do(|player, link, shared| player.sense_all(link, shared));
            self.players_do(|player, link, shared| {
                if player.version >= 8 {
                    player.hear_all(link, shared);
                }
            });
        }
        if due.see {
            self.players_do(|player, link, shared| player.look(false, link, shared));
        }
        if due.synch_see {
            self.players_do(|player, link, shared| player.look(true, link, shared));
        }
        if due.coach {
            self.each(|role, link, shared| {
                let text = match role {
                    Role::Trainer(trainer) if trainer.has_eye => trainer.global(shared).see(),
                    Role::Coach(coach) if coach.has_eye => coach.global(shared).see(),
                    _ => return,
                };
                shared.send(link, &text);
            });
        }
    }

    fn players_do(&mut self, mut call: impl FnMut(&mut Player, &Link, &mut Shared)) {
        self.each(|role, link, shared| {
            if let Role::Player(player) = role {
                call(player, link, shared);
            }
        });
    }

    /// In a game that ends the server, its clients have some cycles after it.
    fn count_game_over(&mut self) {
        let server = self.shared.server();
        if !server.auto_mode || self.shared.state.mode != crate::PlayMode::TIME_OVER {
            self.over = 0;
            return;
        }
        self.over += 1;
        if self.over == i64::from(server.game_over_wait.max(1)) {
            self.shared.order(Order::End);
        }
    }
}
