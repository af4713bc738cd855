//! What a robot's numbers mean, as lines: written by the server, read by clients. (C7)

use crate::message::{Message, ProtocolError};
use crate::reply::Reply;
use touchline_plugin_api::container::{Mount, SensorCatalogue, SensorDescription};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{CommandDimension, CommandPart, MotionDatum, MotionDescription};
use touchline_plugin_api::player::{ManipulatorDescription, RobotDescription};
use touchline_plugin_api::sensor::SensorDatum;

/// A robot as a client gets to know it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Described {
    /// Number of the robot, never used again in a run.
    pub number: u32,
    /// Name of its team; none for a robot without a team.
    pub team: Option<String>,
    /// Name, sensors, motion model and manipulators.
    pub robot: RobotDescription,
}

const PARTS: [(CommandPart, &str); 4] = [
    (CommandPart::Forward, "forward"),
    (CommandPart::Left, "left"),
    (CommandPart::Turn, "turn"),
    (CommandPart::Other, "other"),
];

/// How far and how wide a sensor looks, and when, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// The whole angle, radians, around the sensor's x axis.
    pub field_of_view_rad: Option<f64>,
    /// Largest distance, metres.
    pub range_max_m: Option<f64>,
    /// Samples per second.
    pub rate_hz: Option<f64>,
    /// From a sample until it can be read, seconds.
    pub delay_s: Option<f64>,
}

/// The answer to `DESCRIBE`. `team` is the name of the robot's team; `view` says of a sensor, by its index, what it
/// overlooks; `kicks` says of a manipulator's state, by their indices, whether it kicks.
pub fn describe(
    number: u32,
    team: Option<&str>,
    robot: &RobotDescription,
    view: impl Fn(usize) -> View,
    kicks: impl Fn(usize, usize) -> bool,
) -> Reply {
    let mut reply = Reply::block()
        .with("robot", number)
        .with("name", &robot.name)
        .with_some("team", team)
        .with_some("team_index", robot.team)
        .with("radius_m", robot.radius_m);
    for dimension in &robot.motion.dimensions {
        let part = PARTS.iter().find(|(part, _)| *part == dimension.part).map_or("other", |(_, word)| word);
        reply.push("DIM", |line| {
            line.word(&dimension.name)
                .field("unit", &dimension.unit)
                .field("min", dimension.min)
                .field("max", dimension.max)
                .field("part", part)
        });
    }
    for datum in &robot.motion.data {
        reply.push("DATUM", |line| line.word(&datum.name).field("unit", &datum.unit));
    }
    for (index, sensor) in robot.sensors.sensors.iter().enumerate() {
        describe_sensor(sensor, view(index), &mut reply);
    }
    for (index, manipulator) in robot.manipulators.iter().enumerate() {
        let kicks = manipulator.states.iter().enumerate().find(|(state, _)| kicks(index, *state));
        reply.push("MANIPULATOR", |line| {
            let line =
                manipulator.states.iter().fold(line.word(&manipulator.name), |line, state| line.word(state));
            line.some("kicks", kicks.map(|(_, state)| state.as_str()))
        });
    }
    reply
}

fn describe_sensor(sensor: &SensorDescription, view: View, reply: &mut Reply) {
    reply.push("SENSOR", |line| {
        line.word(&sensor.id)
            .field("model", &sensor.model)
            .field("type", &sensor.sensor_type)
            .field("plugin", &sensor.plugin)
            .field("x_m", sensor.mount.x_m)
            .field("y_m", sensor.mount.y_m)
            .field("z_m", sensor.mount.z_m)
            .field("theta_rad", sensor.mount.theta_rad)
            .some("follows", sensor.follows.as_ref())
            .some("field_of_view_rad", view.field_of_view_rad)
            .some("range_max_m", view.range_max_m)
            .some("rate_hz", view.rate_hz)
            .some("delay_s", view.delay_s)
            .field("integers", sensor.layout.len())
    });
    for datum in &sensor.data {
        reply.push("SETTABLE", |line| {
            line.word(&datum.name)
                .field("unit", &datum.unit)
                .field("initial", datum.initial)
                .field("min", datum.min)
                .field("max", datum.max)
        });
    }
    for feature in &sensor.layout.features {
        reply.push("FEATURE", |line| line.word(&feature.name).field("integers", feature.len()));
        for field in &feature.fields {
            let sizes: Vec<String> = field.shape.iter().map(u32::to_string).collect();
            let shape = if sizes.is_empty() { "scalar".into() } else { sizes.join("x") };
            reply.push("FIELD", |line| {
                line.word(&field.name)
                    .field("unit", &field.unit)
                    .field("scale", field.scale)
                    .field("signed", field.signed)
                    .field("shape", &shape)
            });
        }
    }
}

/// Reads the answer to `DESCRIBE`. Lines of a kind that is not known are left out.
///
/// # Errors
/// When something is missing, or out of place.
pub fn read_description(message: &Message) -> Result<Described, ProtocolError> {
    let text = |message: &Message, key: &str| -> Result<String, ProtocolError> {
        message.field(key).map(str::to_owned).ok_or_else(|| ProtocolError::Missing(format!("{key}=")))
    };
    let mut described = Described {
        number: message.number("robot")?,
        team: message.field("team").map(str::to_owned),
        robot: RobotDescription {
            name: text(message, "name")?,
            team: message.field("team_index").map(|_| message.number("team_index")).transpose()?,
            radius_m: message.number("radius_m")?,
            motion: MotionDescription::default(),
            sensors: SensorCatalogue::default(),
            manipulators: Vec::new(),
        },
    };
    let robot = &mut described.robot;
    for line in &message.lines {
        let out_of_place = || ProtocolError::BadLine(line.clone());
        let line = Message::read(line)?;
        let sensors = &mut robot.sensors.sensors;
        match line.word.as_str() {
            "DIM" => {
                let part = line.field("part").unwrap_or_default();
                robot.motion.dimensions.push(CommandDimension {
                    name: line.at(0)?.into(),
                    unit: text(&line, "unit")?,
                    min: line.number("min")?,
                    max: line.number("max")?,
                    part: PARTS.iter().find(|(_, word)| *word == part).map_or(CommandPart::Other, |p| p.0),
                });
            }
            "DATUM" => {
                robot.motion.data.push(MotionDatum::new(line.at(0)?, &text(&line, "unit")?));
            }
            "SENSOR" => sensors.push(SensorDescription {
                id: line.at(0)?.into(),
                model: text(&line, "model")?,
                sensor_type: text(&line, "type")?,
                plugin: text(&line, "plugin")?,
                mount: Mount {
                    x_m: line.number("x_m")?,
                    y_m: line.number("y_m")?,
                    z_m: line.number("z_m")?,
                    theta_rad: line.number("theta_rad")?,
                },
                follows: line.field("follows").map(str::to_owned),
                layout: Layout::default(),
                data: Vec::new(),
            }),
            "SETTABLE" => {
                let data = &mut sensors.last_mut().ok_or_else(out_of_place)?.data;
                data.push(SensorDatum {
                    name: line.at(0)?.into(),
                    unit: text(&line, "unit")?,
                    initial: line.number("initial")?,
                    min: line.number("min")?,
                    max: line.number("max")?,
                });
            }
            "FEATURE" => {
                let features = &mut sensors.last_mut().ok_or_else(out_of_place)?.layout.features;
                features.push(Feature::new(line.at(0)?, Vec::new()));
            }
            "FIELD" => {
                let sensor = sensors.last_mut().ok_or_else(out_of_place)?;
                let feature = sensor.layout.features.last_mut().ok_or_else(out_of_place)?;
                feature.fields.push(Field {
                    name: line.at(0)?.into(),
                    unit: text(&line, "unit")?,
                    scale: line.number("scale")?,
                    signed: line.number::<u8>("signed")? != 0,
                    shape: read_shape(&text(&line, "shape")?).ok_or_else(out_of_place)?,
                });
            }
            "MANIPULATOR" => {
                let (name, states) = line.words.split_first().ok_or_else(out_of_place)?;
                robot
                    .manipulators
                    .push(ManipulatorDescription { name: name.clone(), states: states.to_vec() });
            }
            _ => {}
        }
    }
    Ok(described)
}

/// The most integers of one field: more is a mistake, and would not fit in memory.
const MOST_INTEGERS: u64 = 1 << 28;

fn read_shape(text: &str) -> Option<Vec<u32>> {
    if text == "scalar" {
        return Some(Vec::new());
    }
    let sizes: Vec<u32> = text.split('x').map(|size| size.parse().ok()).collect::<Option<_>>()?;
    let integers = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size.into()))?;
    (integers <= MOST_INTEGERS).then_some(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::MessageReader;
    use proptest::prelude::*;

    fn name() -> impl Strategy<Value = String> {
        "[a-zA-Z0-9_ =\"-]{1,8}"
    }

    fn field() -> impl Strategy<Value = Field> {
        (name(), "m|rad|m/s|1", 1e-9..1e3f64, any::<bool>(), prop::collection::vec(0u32..100, 0..3))
            .prop_map(|(name, unit, scale, signed, shape)| Field { name, unit, scale, signed, shape })
    }

    fn sensor() -> impl Strategy<Value = SensorDescription> {
        let features = prop::collection::vec((name(), prop::collection::vec(field(), 0..3)), 0..3);
        let data = prop::collection::vec((name(), -9.0..0.0f64, 0.0..9.0f64), 0..3);
        let follows = prop::option::of(name());
        (name(), name(), name(), any::<[i16; 4]>(), features, data, follows).prop_map(
            |(id, model, word, mount, features, data, follows)| {
                let datum =
                    |(name, min, max)| SensorDatum { name, unit: "rad".into(), initial: 0.0, min, max };
                let [x_m, y_m, z_m, theta_rad] = mount.map(|n| f64::from(n) / 1024.0);
                SensorDescription {
                    id,
                    model,
                    sensor_type: word.clone(),
                    plugin: word,
                    mount: Mount { x_m, y_m, z_m, theta_rad },
                    follows,
                    data: data.into_iter().map(datum).collect(),
                    layout: Layout {
                        features: features
                            .into_iter()
                            .map(|(name, fields)| Feature { name, fields })
                            .collect(),
                    },
                }
            },
        )
    }

    fn robot() -> impl Strategy<Value = RobotDescription> {
        let dimension = (name(), -9.0..0.0f64, 0.0..9.0f64, 0usize..4).prop_map(|(name, min, max, part)| {
            CommandDimension { name, unit: "m/s".into(), min, max, part: PARTS[part].0 }
        });
        let manipulator = (name(), prop::collection::vec(name(), 1..4))
            .prop_map(|(name, states)| ManipulatorDescription { name, states });
        (
            name(),
            prop::option::of(0u32..4),
            prop::collection::vec(dimension, 0..4),
            prop::collection::vec(sensor(), 0..3),
            prop::collection::vec(manipulator, 0..3),
        )
            .prop_map(|(name, team, dimensions, sensors, manipulators)| RobotDescription {
                name,
                team,
                radius_m: 0.25,
                motion: MotionDescription {
                    dimensions,
                    data: vec![MotionDatum::new("wheel-left", "rad/s")],
                    ..MotionDescription::default()
                },
                sensors: SensorCatalogue { sensors },
                manipulators,
            })
    }

    proptest! {
        /// C7: all that a client needs comes back, whatever the names.
        #[test]
        fn a_description_survives_the_wire(robot in robot(), number in any::<u32>()) {
            let mut bytes = Vec::new();
            let team = robot.team.map(|index| format!("team {index}"));
            describe(number, team.as_deref(), &robot, |_| View::default(), |_, state| state > 0).write(None, "DESCRIBE", &mut bytes);
            let mut reader = MessageReader::new();
            reader.extend(&bytes);
            let message = reader.next_message().unwrap().unwrap();
            prop_assert_eq!(read_description(&message).unwrap(), Described { number, team, robot });
        }
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        assert_eq!(read_shape("8x2"), Some(vec![8, 2]));
        for text in ["", "x", "8x", "-1", "4294967295x4294967295"] {
            assert_eq!(read_shape(text), None, "{text:?}");
        }
    }
}
