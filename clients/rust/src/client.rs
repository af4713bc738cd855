//! One robot in a running world.

use crate::builder::ClientBuilder;
use crate::error::Error;
use crate::link::{Shared, Waiter};
use crate::sensors::Sensors;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use touchline_board::{ClockEstimate, Described, Message, Request, Selection};
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::player::RobotDescription;
use touchline_plugin_api::radio::Channel;

/// So much longer may an order of steps take for each of them: a step of most worlds lasts so long in real time.
const PATIENCE_FOR_STEP: Duration = Duration::from_millis(10);

/// A robot of one's own in a running world. Dropping it ends the connection, and the robot goes.
pub struct Client {
    shared: Arc<Shared>,
    described: Described,
    clock: ClockEstimate,
    origin: Instant,
    timeout: Duration,
    cycle: Duration,
    /// Sensors that are read.
    selection: Selection,
    threads: Vec<JoinHandle<()>>,
    /// What [`Client::next_sensors`] gave last.
    seen_updates: AtomicU64,
    /// The next radio message that was not heard yet.
    next_message: Mutex<u64>,
}

/// A radio message that the robot heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// Counts up over the whole run.
    pub number: u64,
    /// The step in which it was heard.
    pub step: u64,
    /// The sender's number; [`NONE`](touchline_plugin_api::view::NONE) if it was no robot.
    pub from: u32,
    /// Name of the sender.
    pub from_name: String,
    /// Channel on which it was sent.
    pub channel: Channel,
    /// The direction in which the sender was, in this robot's frame, radians, where the world's radio tells it.
    pub bearing_rad: Option<f64>,
    /// Text of the message.
    pub text: String,
}

impl Client {
    /// Begins a connection: name, team and robot file are set on the builder.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    pub(crate) fn new(
        shared: Arc<Shared>,
        described: Described,
        clock: ClockEstimate,
        origin: Instant,
        timeout: Duration,
        cycle: Duration,
        selection: Selection,
    ) -> Self {
        Self {
            shared,
            described,
            clock,
            origin,
            timeout,
            cycle,
            selection,
            threads: Vec::new(),
            seen_updates: AtomicU64::new(0),
            next_message: Mutex::new(0),
        }
    }

    pub(crate) fn add_thread(&mut self, thread: JoinHandle<()>) {
        self.threads.push(thread);
    }

    pub(crate) fn start_push(&mut self) -> Result<(), Error> {
        let period_ms = self.cycle.as_micros() as f64 / 1000.0;
        self.command(&self.request("PUSH").plain(period_ms).selection(&self.selection))
    }

    fn get(&self) -> Request {
        self.request("GET").selection(&self.selection)
    }

    pub(crate) fn start_pull(&mut self) -> Result<(), Error> {
        // A selection that does not fit is an error here, not silence later.
        self.ask(&self.get())?;
        if self.cycle.is_zero() {
            return Ok(());
        }
        let get = self.get();
        let (shared, cycle) = (self.shared.clone(), self.cycle);
        let pull = move || {
            let mut next = Instant::now();
            while shared.send(get.bytes(), Waiter::Container).is_ok() {
                // After a pause of the program there is one question, not many.
                next = (next + cycle).max(Instant::now());
                if !shared.rest(next.saturating_duration_since(Instant::now())) {
                    break;
                }
            }
        };
        self.threads.push(std::thread::Builder::new().name("touchline-pull".into()).spawn(pull)?);
        Ok(())
    }

    /// A command about this robot.
    fn request(&self, word: &'static str) -> Request {
        Request::new(word).plain(self.described.number)
    }

    /// The robot's number in the world.
    pub fn robot_number(&self) -> u32 {
        self.described.number
    }

    /// Name of the robot's team; none for a robot without a team.
    pub fn team(&self) -> Option<&str> {
        self.described.team.as_deref()
    }

    /// What its motion commands, sensors and manipulators mean.
    pub fn description(&self) -> &RobotDescription {
        &self.described.robot
    }

    /// The client's clock, seconds: all stamps are on it.
    pub fn now_secs(&self) -> f64 {
        self.origin.elapsed().as_secs_f64()
    }

    /// How the clocks were synchronised: the offset is this clock minus the server's.
    pub fn clock(&self) -> ClockEstimate {
        self.clock
    }

    /// The newest readings, all of one step; empty before the first came.
    pub fn sensors(&self) -> Arc<Sensors> {
        self.shared.sensors()
    }

    /// Waits for readings that are newer than those that this function gave last.
    ///
    /// # Errors
    /// When the connection ends, or none come in time.
    pub fn next_sensors(&self) -> Result<Arc<Sensors>, Error> {
        self.next_sensors_within(self.timeout.max(2 * self.cycle))
    }

    /// [`Client::next_sensors`], with a time limit of its own.
    ///
    /// # Errors
    /// When the connection ends, or none come in time.
    pub fn next_sensors_within(&self, timeout: Duration) -> Result<Arc<Sensors>, Error> {
        let seen = self.seen_updates.load(Ordering::Relaxed);
        let sensors = self.shared.sensors_after(seen, timeout)?;
        self.seen_updates.fetch_max(sensors.updates(), Ordering::Relaxed);
        Ok(sensors)
    }

    /// Asks for the sensors now and waits for the answer: it shows what all commands before it did.
    ///
    /// This is how one reads in lockstep, where time stands between two steps.
    ///
    /// # Errors
    /// When the connection ends, or no answer comes in time.
    pub fn read_sensors(&self) -> Result<Arc<Sensors>, Error> {
        self.shared.call_bytes("GET", self.get().bytes(), Waiter::Reading, self.timeout)?;
        let sensors = self.shared.sensors();
        self.seen_updates.fetch_max(sensors.updates(), Ordering::Relaxed);
        Ok(sensors)
    }

    /// Ends the connection: whoever waits in another thread gets [`Error::Closed`], and so does every call after this.
    pub fn disconnect(&self) {
        self.shared.leave();
    }

    /// Sends any request and waits for its answer; what has no function of its own, such as an operator's commands.
    ///
    /// # Errors
    /// When the server refuses it, the connection ends, or no answer comes in time.
    pub fn ask(&self, request: &Request) -> Result<Message, Error> {
        self.shared.call(request, self.timeout)
    }

    /// Sends one line of the protocol as it is and waits for its answer: for what has no [`Request`].
    ///
    /// # Errors
    /// [`Error::BadText`] for what gets no answer, or more than one: no words, several lines, a robot file that is to
    /// follow. Else as [`Client::ask`].
    pub fn ask_line(&self, line: &str) -> Result<Message, Error> {
        let line = line.trim();
        if line.contains(|c: char| c.is_control()) {
            return Err(Error::BadText("a command stands in one line"));
        }
        let mut words = line.split(' ').filter(|word| !word.is_empty() && !word.starts_with('#'));
        let word = words.next().ok_or(Error::BadText("a command has a word"))?.to_ascii_uppercase();
        let has = |key| words.clone().any(|word| word.starts_with(key));
        if word == "ROBOT" && has("lines=") {
            return Err(Error::BadText("a robot is made here from one of the server's files: file=<name>"));
        }
        let bytes = [line.as_bytes(), b"\n"].concat();
        self.shared.call_bytes(&word, &bytes, Waiter::Call, self.timeout)
    }

    /// Makes steps of a world that stands or is in lockstep, and says the number of the last one: for operators. Fewer are
    /// made if an episode ends before.
    ///
    /// The answer may take as long as any other, and 10 ms more for each step; an order by [`Client::ask`] has no more time
    /// than the builder's [`timeout`](ClientBuilder::timeout).
    ///
    /// # Errors
    /// When the client may not order steps, the connection ends, or no answer comes in time.
    pub fn step(&self, steps: u32) -> Result<u64, Error> {
        let timeout = self.timeout.saturating_add(PATIENCE_FOR_STEP.saturating_mul(steps));
        let answer = self.shared.call(&Request::new("STEP").plain(steps), timeout)?;
        Ok(answer.number("step")?)
    }

    fn command(&self, request: &Request) -> Result<(), Error> {
        self.ask(request).map(|_| ())
    }

    /// Sets all standard velocities: m/s forward, m/s to the left, rad/s.
    ///
    /// # Errors
    /// When the robot has no such velocity and it is not 0, or the connection ends.
    pub fn twist(&self, forward_m_s: f64, left_m_s: f64, turn_rad_s: f64) -> Result<(), Error> {
        self.command(&self.request("TWIST").numbers(&[forward_m_s, left_m_s, turn_rad_s]))
    }

    /// Sets the translational velocity, m/s.
    ///
    /// # Errors
    /// When the robot has none, or the connection ends.
    pub fn forward(&self, forward_m_s: f64) -> Result<(), Error> {
        self.command(&self.request("FORWARD").plain(forward_m_s))
    }

    /// Sets the rotational velocity, rad/s.
    ///
    /// # Errors
    /// When the robot has none, or the connection ends.
    pub fn turn(&self, turn_rad_s: f64) -> Result<(), Error> {
        self.command(&self.request("TURN").plain(turn_rad_s))
    }

    /// Sets the whole command vector: as many numbers as [`RobotDescription::motion`] has dimensions.
    ///
    /// # Errors
    /// When there are more or fewer, or the connection ends.
    pub fn drive(&self, command: &[f64]) -> Result<(), Error> {
        self.command(&self.request("DRIVE").numbers(command))
    }

    /// Switches a manipulator to a state, with a strength in `[0, 1]`.
    ///
    /// # Errors
    /// When there is no such state, or the connection ends.
    pub fn manipulate(&self, manipulator: &str, state: &str, strength: f64) -> Result<(), Error> {
        self.command(&self.request("MANIPULATE").text(manipulator).text(state).plain(strength))
    }

    /// The same with direction and elevation, where the state's robot file leaves them to the command.
    ///
    /// # Errors
    /// When there is no such state, it does not leave them or not so far, or the connection ends.
    pub fn manipulate_aimed(&self, manipulator: &str, state: &str, aim: Aim) -> Result<(), Error> {
        let request = self.request("MANIPULATE").text(manipulator).text(state).plain(aim.strength);
        let angles = [("direction", aim.direction_rad), ("elevation", aim.elevation_rad)];
        let given = angles.into_iter().filter_map(|(key, angle_rad)| Some((key, angle_rad?)));
        self.command(&given.fold(request, |line, (key, angle_rad)| line.field(key, &angle_rad.to_string())))
    }

    /// Broadcasts to all other robots.
    ///
    /// # Errors
    /// When the message is too long for the world's radio, or the connection ends.
    pub fn say(&self, text: &str) -> Result<(), Error> {
        self.command(&self.request("SAY").quoted(text))
    }

    /// Says something on the channel of the robot's team: nobody else hears it.
    ///
    /// # Errors
    /// When the robot has no team, the message is too long for the world's radio, or the connection ends.
    pub fn say_to_team(&self, text: &str) -> Result<(), Error> {
        self.command(&self.request("SAY").plain("channel=team").quoted(text))
    }

    /// Sets a number of a sensor that can be set, such as `camera`'s `view-width`: one of its
    /// [`data`](touchline_plugin_api::container::SensorDescription::data).
    ///
    /// # Errors
    /// When there is no such number, the value is out of its range, or the connection ends.
    pub fn set_sensor(&self, sensor: &str, datum: &str, value: f64) -> Result<(), Error> {
        self.command(&self.request("SET").text(sensor).text(datum).plain(value))
    }

    /// The radio messages that came since this function was called last.
    ///
    /// # Errors
    /// When the connection ends.
    pub fn heard(&self) -> Result<Vec<Heard>, Error> {
        // Held until the answer is here: no message is given to two threads.
        let mut next = self.next_message.lock();
        let answer = self.ask(&self.request("HEAR").plain(format_args!("since={next}")))?;
        let read = |line: &String| -> Result<Heard, Error> {
            let line = Message::read(line)?;
            Ok(Heard {
                number: line.at(0)?.parse().unwrap_or(0),
                step: line.number("step")?,
                from: line.number("from")?,
                from_name: line.field("name").unwrap_or_default().into(),
                channel: match line.field("channel") {
                    Some("team") => Channel::Team,
                    _ => Channel::All,
                },
                bearing_rad: line.field("bearing_rad").and_then(|bearing| bearing.parse().ok()),
                text: line.at(1)?.into(),
            })
        };
        let heard = answer.lines.iter().map(read).collect::<Result<_, _>>()?;
        *next = answer.number("next")?;
        Ok(heard)
    }

    /// Publishes a drawing or a value, as JSON, in place of the last one under this key.
    ///
    /// # Errors
    /// When the JSON has line ends in it or the server refuses it, or the connection ends.
    pub fn annotate(&self, key: &str, json: &str) -> Result<(), Error> {
        if json.contains(|c: char| c.is_control()) {
            return Err(Error::BadText("the JSON of an annotation stands in one line"));
        }
        self.command(&self.request("ANNOTATE").text(key).plain(json))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.leave();
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so already.
            let _ = thread.join();
        }
    }
}
