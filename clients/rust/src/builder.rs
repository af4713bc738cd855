//! Who joins, with what, and the first words on the connection.

use crate::client::Client;
use crate::error::Error;
use crate::link::Shared;
use crate::sensors::Sensors;
use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use touchline_board::{
    ClockEstimate, ClockSync, Described, Message, MessageReader, PROTOCOL_VERSION, Request, Role, Selection,
    read_description,
};

#[derive(Clone, Debug)]
enum Robot {
    File(PathBuf),
    /// Contents of the robot file.
    Text(String),
    /// One of the server's files.
    Named(String),
}

/// Says who joins: [`Client::builder`].
#[derive(Clone, Debug)]
pub struct ClientBuilder {
    name: String,
    team: Option<String>,
    pose: Option<[f64; 3]>,
    robot: Option<Robot>,
    role: Role,
    key: Option<String>,
    selection: Selection,
    cycle: Duration,
    push: bool,
    timeout: Duration,
    rounds: u32,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            name: "robot".into(),
            team: None,
            pose: None,
            robot: None,
            role: Role::Player,
            key: None,
            selection: Selection::all(),
            cycle: Duration::from_millis(100),
            push: false,
            timeout: Duration::from_secs(5),
            rounds: ClockSync::DEFAULT_ROUNDS,
        }
    }
}

impl ClientBuilder {
    /// The robot's name, unique in the world: 1 to 32 of `A-Z a-z 0-9 _ - .`; `robot` if not given.
    pub fn name(self, name: &str) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Name of the robot's team; no team if not given.
    pub fn team(self, team: &str) -> Self {
        Self { team: Some(team.into()), ..self }
    }

    /// Where the robot starts: metres, metres, radians, in the world frame. A free place if not given.
    pub fn pose(self, x_m: f64, y_m: f64, theta_rad: f64) -> Self {
        Self { pose: Some([x_m, y_m, theta_rad]), ..self }
    }

    /// The robot file, read when connecting.
    pub fn robot_file(self, path: impl Into<PathBuf>) -> Self {
        Self { robot: Some(Robot::File(path.into())), ..self }
    }

    /// Contents of the robot file, instead of a path.
    pub fn robot_text(self, text: impl Into<String>) -> Self {
        Self { robot: Some(Robot::Text(text.into())), ..self }
    }

    /// One of the server's own robot files, such as `pioneer`.
    pub fn robot_named(self, name: &str) -> Self {
        Self { robot: Some(Robot::Named(name.into())), ..self }
    }

    /// What the client may do besides driving its robot, at a server that asks for no key.
    pub fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The key, where the server asks for one: it says what the client may do. `TOUCHLINE_KEY` of the environment if not given.
    pub fn key(self, key: &str) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// Which sensors are read in each cycle; all if not given.
    pub fn selection(self, selection: Selection) -> Self {
        Self { selection, ..self }
    }

    /// How often the sensors are read; 100 ms if not given. Zero: only when [`Client::read_sensors`] asks.
    pub fn cycle(self, cycle: Duration) -> Self {
        Self { cycle, ..self }
    }

    /// Whether the server sends the sensors unasked, at the cycle's period.
    pub fn push(self, push: bool) -> Self {
        Self { push, ..self }
    }

    /// How long an answer may take; 5 s if not given. [`Client::step`] has more for each step.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How many rounds of clock synchronisation are made; 8 if not given, at least 1.
    pub fn clock_rounds(self, rounds: u32) -> Self {
        Self { rounds: rounds.max(1), ..self }
    }

    /// Connects, agrees on the version, synchronises the clocks, and makes the robot.
    ///
    /// # Errors
    /// When any of this fails; a robot file that is wrong gives [`Error::Refused`] with all its problems.
    pub fn connect(self, address: impl ToSocketAddrs + std::fmt::Debug) -> Result<Client, Error> {
        let robot = self.request()?;
        let connect_error = |source| Error::Connect { address: format!("{address:?}"), source };
        let stream = self.open(&address).map_err(connect_error)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(self.timeout))?;
        stream.set_write_timeout(Some(self.timeout))?;
        let mut talk = Talk { stream, reader: MessageReader::new(), origin: Instant::now() };
        talk.greet(&self)?;
        let clock = talk.synchronise(self.rounds)?;
        let number: u32 = talk.ask(&robot)?.number("robot")?;
        let described = read_description(&talk.ask(&Request::new("DESCRIBE").plain(number))?)?;
        self.start(talk, described, clock)
    }

    /// Makes the command that asks for the robot.
    fn request(&self) -> Result<Request, Error> {
        let mut request = Request::new("ROBOT").text(&self.name);
        if let Some(team) = &self.team {
            request = request.field("team", team);
        }
        for (key, number) in ["x", "y", "theta"].into_iter().zip(self.pose.into_iter().flatten()) {
            request = request.plain(format_args!("{key}={number}"));
        }
        match self.robot.as_ref().ok_or(Error::NoRobot)? {
            Robot::Named(name) => Ok(request.field("file", name)),
            Robot::Text(text) => Ok(request.file(text)),
            Robot::File(path) => match std::fs::read_to_string(path) {
                Ok(text) => Ok(request.file(&text)),
                Err(source) => Err(Error::RobotFile { path: path.clone(), source }),
            },
        }
    }

    /// The first of the address's hosts that answers in time.
    fn open(&self, address: &impl ToSocketAddrs) -> std::io::Result<TcpStream> {
        let mut last = std::io::Error::new(std::io::ErrorKind::InvalidInput, "no such host");
        for host in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&host, self.timeout) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn start(self, talk: Talk, described: Described, clock: ClockEstimate) -> Result<Client, Error> {
        let Talk { stream, reader, origin } = talk;
        let sensors = Sensors::new(Arc::new(described.robot.sensors.clone()));
        stream.set_read_timeout(None)?;
        let shared = Arc::new(Shared::new(stream.try_clone()?, described.number, sensors));
        let receiver = {
            let shared = shared.clone();
            std::thread::Builder::new()
                .name("touchline-receive".into())
                .spawn(move || shared.receive(stream, reader))?
        };
        let mut client =
            Client::new(shared, described, clock, origin, self.timeout, self.cycle, self.selection);
        client.add_thread(receiver);
        if self.push && !self.cycle.is_zero() {
            client.start_push()?;
        } else {
            client.start_pull()?;
        }
        Ok(client)
    }
}

/// The connection before its threads are there: one question, one answer.
struct Talk {
    stream: TcpStream,
    reader: MessageReader,
    origin: Instant,
}

impl Talk {
    fn now_us(&self) -> i64 {
        self.origin.elapsed().as_micros() as i64
    }

    fn next(&mut self) -> Result<Message, Error> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(message) = self.reader.next_message()? {
                if message.word == "CLOSE" {
                    return Err(Error::Closed(message.words.join(": ")));
                }
                return Ok(message);
            }
            match self.stream.read(&mut buffer)? {
                0 => return Err(Error::Closed("it closed the connection".into())),
                len => self.reader.extend(&buffer[..len]),
            }
        }
    }

    fn say(&mut self, command: &str, bytes: &[u8]) -> Result<Message, Error> {
        self.stream.write_all(bytes)?;
        let message = self.next()?;
        if message.word == "OK" { Ok(message) } else { Err(Error::refused(command, &message)) }
    }

    fn ask(&mut self, request: &Request) -> Result<Message, Error> {
        self.say(request.word(), request.bytes())
    }

    fn greet(&mut self, builder: &ClientBuilder) -> Result<(), Error> {
        let greeting = self.next()?;
        if greeting.word != "TOUCHLINE" {
            let got: String = greeting.word.chars().take(40).collect();
            return Err(Error::NotOurServer(format!("no Touchline server answers there: it says \"{got}\"")));
        }
        let version: u32 = greeting.at(0)?.parse().unwrap_or(0);
        if version != PROTOCOL_VERSION {
            return Err(Error::NotOurServer(format!(
                "the server speaks protocol version {version}, this client {PROTOCOL_VERSION}"
            )));
        }
        let mut hello = format!("HELLO {PROTOCOL_VERSION} ").into_bytes();
        touchline_board::write_text(&builder.name, &mut hello);
        let of_environment = || std::env::var("TOUCHLINE_KEY").ok().filter(|key| !key.is_empty());
        match builder.key.clone().or_else(of_environment) {
            Some(key) => {
                hello.extend_from_slice(b" key=");
                touchline_board::write_text(&key, &mut hello);
            }
            None => hello.extend_from_slice(format!(" role={}", builder.role).as_bytes()),
        }
        hello.push(b'\n');
        self.say("HELLO", &hello).map(|_| ())
    }

    fn synchronise(&mut self, rounds: u32) -> Result<ClockEstimate, Error> {
        let mut sync = ClockSync::default();
        for _ in 0..rounds {
            let t0 = self.now_us();
            let answer = self.say("SYNC", format!("SYNC {t0}\n").as_bytes())?;
            let t3 = self.now_us();
            sync.add(t0, answer.number("t1")?, answer.number("t2")?, t3);
        }
        let best =
            sync.best().ok_or_else(|| Error::NotOurServer("the server's clock runs backwards".into()))?;
        self.say("OFFSET", format!("OFFSET {}\n", best.offset_us).as_bytes())?;
        Ok(best)
    }
}
