//! Sessions without sockets: clients with an address each, and a world that is what a test says.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use touchline_soccer::sessions::{Began, ClientId, Config, Order, Out, Piece, Port, Sessions, Source};
use touchline_soccer::state::{Happened, State, Who};
use touchline_soccer_law::face::{Side, state};
use touchline_soccer_law::params::SoccerParams;
use touchline_soccer_law::pitch::landmarks;
use touchline_soccer_law::player_type::player_types;

pub struct Rig {
    pub sessions: Sessions,
    pub state: State,
    /// What was sent to each address, without NULs.
    inbox: BTreeMap<SocketAddr, Vec<String>>,
    clients: BTreeMap<SocketAddr, ClientId>,
    addresses: BTreeMap<ClientId, SocketAddr>,
    pub orders: Vec<Order>,
    pub logs: Vec<Piece>,
}

/// The address of a client by its number.
pub fn address(client: u16) -> SocketAddr {
    ([127, 0, 0, 1], 20_000 + client).into()
}

pub fn config(params: SoccerParams) -> Config {
    Config {
        types: player_types(&params.server, &params.player, 5),
        landmarks: landmarks(params.server.goal_width),
        params,
        seed: 5,
        monitors_command: true,
        monitors: 32,
        players_awaited: 0,
        has_team_ports: false,
        is_logged: false,
        began: Began::at(1_769_903_998),
    }
}

impl Rig {
    pub fn new(params: SoccerParams) -> Self {
        Self::of(config(params))
    }

    pub fn of(config: Config) -> Self {
        Self {
            sessions: Sessions::new(config),
            state: State::empty(),
            inbox: BTreeMap::new(),
            clients: BTreeMap::new(),
            addresses: BTreeMap::new(),
            orders: Vec::new(),
            logs: Vec::new(),
        }
    }

    /// Sends a text with its NUL: to the client's own port, if it has one.
    pub fn send(&mut self, client: u16, text: &str) {
        self.send_to(Port::Player, client, text);
    }

    pub fn send_to(&mut self, port: Port, client: u16, text: &str) {
        self.send_bytes(port, client, format!("{text}\0").as_bytes());
    }

    pub fn send_bytes(&mut self, port: Port, client: u16, bytes: &[u8]) {
        let address = address(client);
        let source = match self.clients.get(&address) {
            Some(client) => Source::Client(*client),
            None => Source::Port(port, address),
        };
        self.sessions.datagram(source, bytes);
        self.carry_out();
    }

    /// Real time since the game was opened, milliseconds.
    pub fn at(&mut self, now_ms: u64) {
        self.sessions.at(now_ms);
    }

    pub fn lose(&mut self, client: u16) {
        self.sessions.lost(self.clients[&address(client)]);
        self.carry_out();
    }

    /// Nobody was done in time.
    pub fn miss(&mut self) {
        self.sessions.miss();
        self.carry_out();
    }

    /// Begins a synchronous game.
    pub fn start(&mut self) {
        self.sessions.start();
        self.carry_out();
    }

    /// To the port at which clients come, whoever it is.
    pub fn send_to_port(&mut self, port: Port, client: u16, bytes: &[u8]) {
        self.sessions.datagram(Source::Port(port, address(client)), bytes);
        self.carry_out();
    }

    fn carry_out(&mut self) {
        for out in self.sessions.take() {
            match out {
                Out::Refuse(_, to, bytes) => self.told(to, &bytes),
                Out::Open(client, address) => {
                    self.clients.insert(address, client);
                    self.addresses.insert(client, address);
                }
                Out::Send { client, bytes } => self.told(self.addresses[&client], &bytes),
                Out::Close(client) => {
                    self.clients.remove(&self.addresses[&client]);
                }
                Out::Log(piece) => self.logs.push(piece),
                Out::Order(order) => {
                    match &order {
                        Order::Join { who, is_goalie, .. } => {
                            let body = &mut self.state.players[who.place()];
                            body.bits = state::STAND | if *is_goalie { state::GOALIE } else { 0 };
                            body.body_rad = if who.side == Side::Left { 0.0 } else { std::f64::consts::PI };
                        }
                        Order::Leave { who, .. } => self.state.players[who.place()].bits = 0,
                        _ => {}
                    }
                    self.orders.push(order);
                }
            }
        }
    }

    fn told(&mut self, to: SocketAddr, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
        self.inbox.entry(to).or_default().push(text);
    }

    /// Whether a client has a port of its own.
    pub fn has_port(&self, client: u16) -> bool {
        self.clients.contains_key(&address(client))
    }

    /// Takes what was sent to a client.
    pub fn told_to(&mut self, client: u16) -> Vec<String> {
        self.inbox.remove(&address(client)).unwrap_or_default()
    }

    /// A step of the world, as it stands.
    pub fn step(&mut self, happened: Vec<Happened>) {
        self.state.step += 1;
        self.sessions.stepped(self.state.clone(), happened);
        self.carry_out();
    }

    pub fn tick(&mut self) {
        self.sessions.tick();
        self.carry_out();
    }

    /// A cycle in real time: the step and the nine passes behind it.
    pub fn cycle(&mut self) {
        self.step(Vec::new());
        (0..9).for_each(|_| self.tick());
    }

    /// The last motion command of a player.
    pub fn driven(&self, of: Who) -> Option<[f64; 8]> {
        self.orders.iter().rev().find_map(|order| match order {
            Order::Drive { who, numbers, .. } if *who == of => Some(*numbers),
            _ => None,
        })
    }
}
