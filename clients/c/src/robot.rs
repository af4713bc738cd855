//! What a robot is made of, as tables that C can walk through.

use crate::status::c_text;
use std::any::Any;
use std::ffi::{CString, c_char};
use touchline_client::motion::CommandPart;
use touchline_client::{Client, SensorCatalogue};

/// Which of the standard commands sets a number of the command vector.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchlinePart {
    /// The translational velocity, forward.
    Forward = 0,
    /// The translational velocity to the left.
    Left = 1,
    /// The rotational velocity.
    Turn = 2,
    /// None of them: set by `touchline_drive` alone.
    Other = 3,
}

/// One number of the command vector of `touchline_drive`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineDimension {
    /// Such as `forward`.
    pub name: *const c_char,
    /// Such as `m/s`.
    pub unit: *const c_char,
    /// The lowest number that has an effect.
    pub min: f64,
    /// The highest number that has an effect.
    pub max: f64,
    /// Which standard command sets it.
    pub part: TouchlinePart,
}

/// One published number of the motion model's internal state.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineDatum {
    /// Such as `wheel-left`: the field `motion/wheel-left` of the feature `odometry`.
    pub name: *const c_char,
    /// Such as `rad/s`.
    pub unit: *const c_char,
}

/// One named quantity of a feature. An integer n stands for `n * scale` in its unit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineField {
    /// Such as `ranges`.
    pub name: *const c_char,
    /// Such as `m`.
    pub unit: *const c_char,
    /// Units for each count.
    pub scale: f64,
    /// Whether an integer is a two's complement number of 32 bits.
    pub is_signed: bool,
    /// Where its integers begin among the feature's.
    pub first: usize,
    /// How many integers it has.
    pub integer_count: usize,
    /// Its shape, rows first; a scalar has none.
    pub shape: *const u32,
    /// How many numbers the shape has.
    pub shape_count: usize,
}

/// A group of fields that is read by its name, whichever sensor gives it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineFeatureInfo {
    /// Such as `ball` or `180DegreeScan`.
    pub name: *const c_char,
    /// How many integers it has.
    pub integer_count: usize,
    /// Its fields, in the order of the integers.
    pub fields: *const TouchlineField,
    /// How many.
    pub field_count: usize,
}

/// A sensor.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineSensorInfo {
    /// Its name within the robot, such as `laser`.
    pub id: *const c_char,
    /// The make, such as `LMS200`.
    pub model: *const c_char,
    /// What it is, such as `laser`.
    pub sensor_type: *const c_char,
    /// The server's plugin that generates it.
    pub plugin: *const c_char,
    /// Where it sits, forward of the robot's centre, metres.
    pub x_m: f64,
    /// To the left of the robot's centre, metres.
    pub y_m: f64,
    /// Above the floor, metres.
    pub z_m: f64,
    /// Its x axis against the robot's, radians, counter-clockwise.
    pub theta_rad: f64,
    /// What it gives.
    pub features: *const TouchlineFeatureInfo,
    /// How many.
    pub feature_count: usize,
}

/// A part of the robot that switches between states, such as a kicker.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineManipulator {
    /// Such as `kicker`.
    pub name: *const c_char,
    /// Its states' names; it starts in the first.
    pub states: *const *const c_char,
    /// How many.
    pub state_count: usize,
}

/// A robot: all that is in here lives as long as the client.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchlineRobot {
    /// Its number in the world.
    pub number: u32,
    /// The number of its team, in the order of the world's teams; -1: none.
    pub team_index: i32,
    /// Its name.
    pub name: *const c_char,
    /// Its team's name; NULL: none.
    pub team: *const c_char,
    /// No point of it is farther from its origin, metres.
    pub radius_m: f64,
    /// The numbers of its command vector.
    pub dimensions: *const TouchlineDimension,
    /// How many.
    pub dimension_count: usize,
    /// What its motion model publishes.
    pub motion_data: *const TouchlineDatum,
    /// How many.
    pub motion_data_count: usize,
    /// Its sensors, in the order of the robot file.
    pub sensors: *const TouchlineSensorInfo,
    /// How many.
    pub sensor_count: usize,
    /// Its manipulators.
    pub manipulators: *const TouchlineManipulator,
    /// How many.
    pub manipulator_count: usize,
}

/// The table, and all that it points to.
pub struct Robot {
    table: Box<TouchlineRobot>,
    _store: Store,
}

/// Keeps what the tables point to; nothing in it is moved or changed.
#[derive(Default)]
struct Store {
    texts: Vec<CString>,
    lists: Vec<Box<dyn Any>>,
}

impl Store {
    fn text(&mut self, text: &str) -> *const c_char {
        let text = c_text(text);
        let pointer = text.as_ptr();
        self.texts.push(text);
        pointer
    }

    fn list<T: 'static>(&mut self, list: Vec<T>) -> *const T {
        let pointer = list.as_ptr();
        self.lists.push(Box::new(list));
        pointer
    }
}

impl Robot {
    /// The tables of a client's robot.
    pub fn new(client: &Client) -> Self {
        let mut store = Store::default();
        let robot = client.description();
        let mut dimensions = Vec::new();
        for dimension in &robot.motion.dimensions {
            dimensions.push(TouchlineDimension {
                name: store.text(&dimension.name),
                unit: store.text(&dimension.unit),
                min: dimension.min,
                max: dimension.max,
                part: match dimension.part {
                    CommandPart::Forward => TouchlinePart::Forward,
                    CommandPart::Left => TouchlinePart::Left,
                    CommandPart::Turn => TouchlinePart::Turn,
                    CommandPart::Other => TouchlinePart::Other,
                },
            });
        }
        let mut data = Vec::new();
        for datum in &robot.motion.data {
            data.push(TouchlineDatum { name: store.text(&datum.name), unit: store.text(&datum.unit) });
        }
        let mut manipulators = Vec::new();
        for manipulator in &robot.manipulators {
            let states: Vec<_> = manipulator.states.iter().map(|state| store.text(state)).collect();
            manipulators.push(TouchlineManipulator {
                name: store.text(&manipulator.name),
                state_count: states.len(),
                states: store.list(states),
            });
        }
        let sensors = sensors(&robot.sensors, &mut store);
        let table = TouchlineRobot {
            number: client.robot_number(),
            team_index: robot.team.and_then(|team| i32::try_from(team).ok()).unwrap_or(-1),
            name: store.text(&robot.name),
            team: client.team().map_or(std::ptr::null(), |team| store.text(team)),
            radius_m: robot.radius_m,
            dimension_count: dimensions.len(),
            dimensions: store.list(dimensions),
            motion_data_count: data.len(),
            motion_data: store.list(data),
            sensor_count: sensors.len(),
            sensors: store.list(sensors),
            manipulator_count: manipulators.len(),
            manipulators: store.list(manipulators),
        };
        Self { table: Box::new(table), _store: store }
    }

    /// What C gets.
    pub fn table(&self) -> &TouchlineRobot {
        &self.table
    }
}

fn sensors(catalogue: &SensorCatalogue, store: &mut Store) -> Vec<TouchlineSensorInfo> {
    let mut sensors = Vec::new();
    for sensor in &catalogue.sensors {
        let mut features = Vec::new();
        for feature in &sensor.layout.features {
            let (mut fields, mut first) = (Vec::new(), 0);
            for field in &feature.fields {
                fields.push(TouchlineField {
                    name: store.text(&field.name),
                    unit: store.text(&field.unit),
                    scale: field.scale,
                    is_signed: field.signed,
                    first,
                    integer_count: field.len(),
                    shape_count: field.shape.len(),
                    shape: store.list(field.shape.clone()),
                });
                first += field.len();
            }
            features.push(TouchlineFeatureInfo {
                name: store.text(&feature.name),
                integer_count: feature.len(),
                field_count: fields.len(),
                fields: store.list(fields),
            });
        }
        sensors.push(TouchlineSensorInfo {
            id: store.text(&sensor.id),
            model: store.text(&sensor.model),
            sensor_type: store.text(&sensor.sensor_type),
            plugin: store.text(&sensor.plugin),
            x_m: sensor.mount.x_m,
            y_m: sensor.mount.y_m,
            z_m: sensor.mount.z_m,
            theta_rad: sensor.mount.theta_rad,
            feature_count: features.len(),
            features: store.list(features),
        });
    }
    sensors
}
