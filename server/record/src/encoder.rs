//! Items in, the messages of all channels out: the same bytes for a file and for who watches live.

use crate::channels::{Channel, sensor_schema};
use crate::input::{Input, Tick};
use crate::log::{DigestsItem, Header, Item, PosesItem};
use crate::outlet::{ChannelInfo, Outlet};
use crate::poses::{BlockWriter, without_poses};
use crate::scene;
use crate::sensor_choice::SensorChoice;
use crate::sensors::Form;
use crate::state::{Roster, StateItem};
use crate::text::{self, Texts};
use crate::words::{FORK, fork_in_words, in_words};
use crate::writer::WriteError;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::layout::Feature;
use touchline_plugin_api::view::Object;
use touchline_sim::{Frame, Held, RobotFrame, RobotIdentity};

/// Makes the messages of all channels from what happens in a world.
///
/// What is written when it changes, such as the scene, a new encoder writes with its first state: whoever comes later
/// begins with one of his own.
pub struct Encoder<O> {
    out: O,
    header: Header,
    channels: BTreeMap<Channel, u16>,
    sensors: BTreeMap<(String, String, String), u16>,
    /// The robots of the last Frame, in its order.
    robots: Vec<OpenRobot>,
    /// Integers of the sensor that is being read; keeps its memory.
    quantised: Vec<u32>,
    block: BlockWriter,
    seen: Seen,
    texts: Texts,
    chosen: Vec<SensorChoice>,
    /// Text of the message that is being written; keeps its memory.
    text: Vec<u8>,
    /// No message is stamped with an earlier tick.
    begins: Tick,
}

/// A robot whose sensors' channels are open. What it holds is not freed, so the same address is the same robot.
struct OpenRobot {
    identity: Arc<RobotIdentity>,
    sensors: Vec<OpenSensor>,
}

/// A sensor that is wanted.
struct OpenSensor {
    /// Index among the robot's sensors.
    index: usize,
    /// Each feature's channel, and what it becomes there.
    features: Vec<(u16, Form)>,
}

/// What was written already and need not be written again.
#[derive(Default)]
struct Seen {
    roster: Option<Arc<Roster>>,
    event: u64,
    message: u64,
    annotations: BTreeMap<String, Arc<BTreeMap<String, String>>>,
    looks: BTreeMap<String, u64>,
    /// The last sample on each sensor's channel: the run and the step that it was taken in.
    samples: BTreeMap<u16, (u64, u64)>,
    /// The last reading of each that has no rate: the run, the tick and the checksum of its text.
    readings: BTreeMap<u16, (u64, Tick, u32)>,
}

impl<O: Outlet> Encoder<O> {
    /// Opens the channels that there always are.
    ///
    /// # Errors
    /// Those of the outlet.
    pub fn new(mut out: O, header: Header, chosen: Vec<SensorChoice>) -> Result<Self, WriteError> {
        let mut channels = BTreeMap::new();
        for channel in Channel::ALL {
            let id = out.open(&ChannelInfo {
                topic: channel.topic().into(),
                encoding: channel.encoding(),
                schema_name: channel.schema_name(),
                schema: channel.schema().map(|schema| schema.to_string()),
            })?;
            channels.insert(channel, id);
        }
        Ok(Self {
            out,
            header,
            channels,
            sensors: BTreeMap::new(),
            robots: Vec::new(),
            quantised: Vec::new(),
            block: BlockWriter::default(),
            seen: Seen::default(),
            texts: Texts::default(),
            chosen,
            text: Vec::new(),
            begins: 0,
        })
    }

    /// No message is stamped with an earlier tick.
    pub fn begins_at(&mut self, tick: Tick) {
        self.begins = tick;
    }

    /// The outlet that receives the messages.
    pub fn outlet(&mut self) -> &mut O {
        &mut self.out
    }

    /// Gives the outlet back.
    pub fn into_outlet(self) -> O {
        self.out
    }

    /// Makes messages of one item; items come in the order of their ticks.
    ///
    /// # Errors
    /// Those of the outlet.
    pub fn write(&mut self, item: &Item) -> Result<(), WriteError> {
        match item {
            Item::Input(input) => {
                // What was carried out while time stood lies between two samples of one tick: their order tells.
                if !matches!(input.input, Input::Step(_)) {
                    self.write_block()?;
                    self.out.keep_order()?;
                }
                let text = serde_json::to_vec(input).map_err(std::io::Error::from)?;
                self.put(self.channels[&Channel::Inputs], input.tick, &text)?;
                match input.input {
                    Input::Seek(to) => {
                        let text = fork_in_words(to, self.header.scenario.dt_secs);
                        self.write_event(input.tick, FORK, 2, &text)
                    }
                    Input::Step(_) | Input::Apply(_) => Ok(()),
                }
            }
            Item::Poses(poses) => self.write_poses(poses),
            Item::Digests(digests) => self.write_digests(digests),
            Item::State(state) => self.write_state(state),
            Item::Frame(tick, frame) => self.write_sensors(*tick, frame),
            Item::Gap(gap) => self.json(Channel::Gaps, gap.from, &json!(gap)),
        }
    }

    /// Writes the poses that wait for more to share a message with.
    ///
    /// # Errors
    /// Those of the outlet.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.write_block()
    }

    fn write_poses(&mut self, poses: &PosesItem) -> Result<(), WriteError> {
        let Self { block, out, header, channels, .. } = self;
        let channel = channels[&Channel::Poses];
        block.push(poses, |tick, bytes| out.message(channel, header.nanoseconds(tick), bytes))
    }

    fn write_digests(&mut self, item: &DigestsItem) -> Result<(), WriteError> {
        self.write_block()?;
        let block = without_poses([item.tick, item.step, item.run], &item.digests);
        self.put(self.channels[&Channel::Poses], item.tick, &block)
    }

    fn write_block(&mut self) -> Result<(), WriteError> {
        let Self { block, out, header, channels, .. } = self;
        let channel = channels[&Channel::Poses];
        block.flush(|tick, bytes| out.message(channel, header.nanoseconds(tick), bytes))
    }

    fn write_state(&mut self, state: &StateItem) -> Result<(), WriteError> {
        if !self.seen.roster.as_ref().is_some_and(|roster| Arc::ptr_eq(roster, &state.roster)) {
            let texts = std::mem::take(&mut self.texts);
            self.texts = Texts::of(&state.roster, self.seen.roster.as_deref().map(|known| (known, texts)));
            if !self.seen.roster.as_ref().is_some_and(|known| known.looks_the_same(&state.roster)) {
                self.write_looks(state.tick, &state.roster)?;
            }
            self.write_annotations(state.tick, &state.roster)?;
            self.seen.roster = Some(Arc::clone(&state.roster));
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        self.texts.state(&mut text, state);
        self.put(self.channels[&Channel::State], state.tick, &text)?;
        text.clear();
        self.texts.transforms(&mut text, &state.poses, self.header.nanoseconds(state.tick));
        self.put(self.channels[&Channel::Transforms], state.tick, &text)?;
        self.text = text;
        self.write_told(state)
    }

    /// What looks other than before.
    fn write_looks(&mut self, tick: Tick, roster: &Roster) -> Result<(), WriteError> {
        let mut changed: Vec<&Object> = Vec::new();
        let mut there = BTreeMap::new();
        for object in &*roster.objects {
            let (name, looks) = (scene::entity_id(roster, object), looks(roster, object));
            if self.seen.looks.get(&*name) != Some(&looks) {
                changed.push(object);
            }
            there.insert(name.into_owned(), looks);
        }
        let seen = std::mem::take(&mut self.seen.looks);
        let gone: Vec<String> = seen.into_keys().filter(|name| !there.contains_key(name)).collect();
        self.seen.looks = there;
        if changed.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let scene = scene::scene(roster, &changed, &gone, self.header.nanoseconds(tick));
        self.json(Channel::Scene, tick, &scene)
    }

    /// Events and messages that were not written yet.
    fn write_told(&mut self, state: &StateItem) -> Result<(), WriteError> {
        let recent = &state.recent;
        let (first, first_message) = (self.seen.event, self.seen.message);
        if (recent.next_event, recent.next_message) == (first, first_message) {
            return Ok(());
        }
        // Events are stamped by their own step, unless the world was reset in between.
        let tick_of = |step: u64| state.tick.saturating_sub(state.step.saturating_sub(step));
        for event in recent.events.iter().filter(|event| event.number >= first) {
            let at = tick_of(event.step);
            let (kind, level, text) = in_words(&event.kind, &self.header.scenario.teams);
            self.write_event(at, kind, level, &text)?;
        }
        for message in recent.messages.iter().filter(|message| message.number >= first_message) {
            let at = tick_of(message.step);
            let mut text = std::mem::take(&mut self.text);
            text.clear();
            text::radio(&mut text, at, message);
            self.put(self.channels[&Channel::Radio], at, &text)?;
            self.text = text;
        }
        (self.seen.event, self.seen.message) = (recent.next_event, recent.next_message);
        Ok(())
    }

    fn write_event(&mut self, at: Tick, kind: &str, level: u8, text: &str) -> Result<(), WriteError> {
        let timestamp = scene::time(self.header.nanoseconds(at));
        let log =
            LogMessage { file: "", kind, level, line: 0, message: text, name: "world", tick: at, timestamp };
        self.json(Channel::Events, at, &log)
    }

    fn write_annotations(&mut self, tick: Tick, roster: &Roster) -> Result<(), WriteError> {
        // No robot is nameless: what is the world's has no name.
        let of_world = std::iter::once(("", &roster.annotations));
        let of_robots = roster.robots.iter().map(|robot| (robot.identity.name.as_str(), &robot.annotations));
        for (name, annotations) in of_world.chain(of_robots) {
            let known = self.seen.annotations.get(name);
            let is_known = known.map_or(annotations.is_empty(), |known| Arc::ptr_eq(known, annotations));
            if is_known {
                continue;
            }
            let mut text = std::mem::take(&mut self.text);
            text.clear();
            text::annotations(&mut text, tick, name, annotations);
            let put = self.put(self.channels[&Channel::Annotations], tick, &text);
            self.text = text;
            put?;
            self.seen.annotations.insert(name.to_owned(), Arc::clone(annotations));
        }
        Ok(())
    }

    fn write_sensors(&mut self, tick: Tick, frame: &Frame) -> Result<(), WriteError> {
        if self.chosen.is_empty() {
            return Ok(());
        }
        self.open_sensors(frame)?;
        let Self { out, header, robots, seen, text, quantised, .. } = self;
        for (robot, of_robot) in frame.robots.iter().zip(robots) {
            for OpenSensor { index, features } in &of_robot.sensors {
                let (sensor, features) = (&robot.identity.description.sensors.sensors[*index], &features[..]);
                if !features.iter().any(|&(channel, _)| out.wants(channel)) {
                    continue;
                }
                // One that failed has its fault among the events.
                let Ok(Some(taken)) = frame.read_sensor(robot, *index, quantised) else { continue };
                let age = ((frame.time_secs - taken.time_secs) * 1e9).round() as u64;
                let stamp = header.nanoseconds(tick).saturating_sub(age);
                let is_held = matches!(robot.held.get(*index), Some(Held::Sample(_)));
                for ((number, feature), &(channel, form)) in
                    sensor.layout.features.iter().enumerate().zip(features)
                {
                    if !out.wants(channel) {
                        continue;
                    }
                    // A sample is written once, however long it is the last.
                    let sample = (frame.run, taken.step);
                    if is_held && seen.samples.insert(channel, sample) == Some(sample) {
                        continue;
                    }
                    let part = &quantised[sensor.layout.range(number)];
                    let place = (robot.identity.name.as_str(), sensor.mount.pose(), sensor.mount.z_m);
                    text.clear();
                    // The layout is the sensor's own, so its integers fit.
                    if form.write(text, feature, part, place, stamp).is_err() {
                        continue;
                    }
                    // While time stands each command shows the world again: what says the same is not said twice.
                    let reading = (frame.run, tick, crc32fast::hash(text));
                    if is_held || seen.readings.insert(channel, reading) != Some(reading) {
                        out.message(channel, header.nanoseconds(tick), text)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The channels of the sensors that are wanted: looked up again only when there are other robots.
    fn open_sensors(&mut self, frame: &Frame) -> Result<(), WriteError> {
        let is_same =
            |(robot, known): (&RobotFrame, &OpenRobot)| Arc::ptr_eq(&robot.identity, &known.identity);
        if frame.robots.len() == self.robots.len() && frame.robots.iter().zip(&self.robots).all(is_same) {
            return Ok(());
        }
        self.robots.clear();
        for RobotFrame { identity, .. } in &frame.robots {
            let mut sensors = Vec::new();
            for (index, sensor) in identity.description.sensors.sensors.iter().enumerate() {
                if !self.chosen.iter().any(|choice| choice.fits(&identity.name, &sensor.id)) {
                    continue;
                }
                let channel = |feature: &Feature| {
                    let form = Form::of(feature);
                    Ok((self.sensor_channel(&identity.name, &sensor.id, &feature.name, form)?, form))
                };
                let features =
                    sensor.layout.features.iter().map(channel).collect::<Result<_, WriteError>>()?;
                sensors.push(OpenSensor { index, features });
            }
            self.robots.push(OpenRobot { identity: Arc::clone(identity), sensors });
        }
        Ok(())
    }

    fn sensor_channel(
        &mut self,
        robot: &str,
        sensor: &str,
        feature: &str,
        form: Form,
    ) -> Result<u16, WriteError> {
        let key = (robot.to_owned(), sensor.to_owned(), feature.to_owned());
        if let Some(&channel) = self.sensors.get(&key) {
            return Ok(channel);
        }
        let name = form.schema_name();
        let channel = self.out.open(&ChannelInfo {
            topic: format!("/sensors/{robot}/{sensor}/{feature}"),
            encoding: "json",
            schema_name: name,
            schema: Some(sensor_schema(name).to_string()),
        })?;
        self.sensors.insert(key, channel);
        Ok(channel)
    }

    fn json(&mut self, channel: Channel, tick: Tick, value: &impl Serialize) -> Result<(), WriteError> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        serde_json::to_writer(&mut text, value).map_err(std::io::Error::from)?;
        let put = self.put(self.channels[&channel], tick, &text);
        self.text = text;
        put
    }

    fn put(&mut self, channel: u16, tick: Tick, data: &[u8]) -> Result<(), WriteError> {
        self.out.message(channel, self.header.nanoseconds(tick.max(self.begins)), data)
    }
}

/// `foxglove.Log`.
#[derive(Serialize)]
struct LogMessage<'a> {
    file: &'static str,
    kind: &'a str,
    level: u8,
    line: u32,
    message: &'a str,
    name: &'static str,
    tick: Tick,
    timestamp: scene::Time,
}

/// A number that changes when an object looks other than before.
fn looks(roster: &Roster, object: &Object) -> u64 {
    let robot = roster.robot(object.number).filter(|_| object.kind_code == 2);
    let mut hash = u64::from(object.colour) << 32 | u64::from(object.shape_count);
    for &state in robot.iter().flat_map(|robot| &*robot.manipulators) {
        hash = hash.rotate_left(7) ^ u64::from(state).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}
