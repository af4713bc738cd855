//! A robot file: from its text to a [`RobotSpec`] that every plugin in it has accepted.

use crate::document::{At, Document};
use crate::files::{self, MAX_ELEVATION_RAD, MAX_HEADING_RAD, RobotFile};
use crate::plugins::Plugins;
use crate::schema::{Schema, in_degrees, nearest};
use crate::shapes;
use crate::source::{FileSource, SourceFile};
use std::sync::{Arc, OnceLock};
use touchline_plugin_api::container::{Mount, SensorCatalogue, SensorDescription};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::SensorInstance;
use touchline_plugin_api::motion::{MotionDescription, MotionSetup};
use touchline_plugin_api::player::{ManipulatorDescription, RobotDescription};
use touchline_plugin_api::plugin::PluginKind;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_plugin_api::world::WorldDescription;
use touchline_sim::scenario::{
    CommandTiming, Hold, Kick, ManipulatorSpec, ManipulatorState, PluginChoice, Primitive, RobotSpec,
    SensorSpec, SensorTiming, Zone,
};

/// How high a robot's shape is that does not say it, metres.
const DEFAULT_Z_M: [f64; 2] = [0.0, 0.5];

/// A sensor may be so far outside of its robot's shapes, metres: brackets are rarely drawn.
const MAX_MOUNT_OFF_M: f64 = 0.1;

/// What a robot's plugins are told of the world, when they are made on trial.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub dt_secs: f64,
    pub teams: Vec<String>,
    pub world: WorldDescription,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { dt_secs: 0.01, teams: Vec::new(), world: WorldDescription::default() }
    }
}

/// The robot that gets the plugins which are made on trial; without a name it has that of its model.
#[derive(Default)]
pub(crate) struct First {
    pub name: Option<String>,
    pub team: Option<u32>,
}

/// A robot file that has nothing wrong with it.
pub(crate) struct CheckedRobot {
    pub spec: Arc<RobotSpec>,
    /// As a player sees it, still without name and team.
    pub description: RobotDescription,
}

pub(crate) fn schema() -> Option<&'static Schema> {
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::new(crate::robot_rules()).ok()).as_ref()
}

/// Reads a robot file; what is wrong is in the document. Its plugins are made as those of the first robot.
pub(crate) fn read(
    file: SourceFile,
    source: &dyn FileSource,
    plugins: &Plugins<'_>,
    surroundings: &Surroundings,
    first: First,
) -> (Document, Option<CheckedRobot>) {
    let mut document = Document::parse(file, source);
    if let Some(schema) = schema() {
        schema.check(&mut document, "");
    }
    for pointer in document.items("/body") {
        check_shape(&mut document, &pointer);
    }
    check_manipulators(&mut document);
    let First { name, team } = first;
    let name = name.or_else(|| document.read("/model")).unwrap_or_default();
    plugins.resolve_paths(&mut document, PluginKind::Motion, "/motion", source);
    for pointer in document.items("/sensor") {
        plugins.resolve_paths(&mut document, PluginKind::Sensor, &pointer, source);
    }
    let motion = check_motion(&mut document, plugins, surroundings, &name);
    let sensors = check_sensors(&mut document, plugins, surroundings, (&name, team), motion.as_ref());
    let checked = document.finish::<RobotFile>().and_then(|file| {
        let spec = spec(&file);
        let description = describe(&spec, motion?, sensors?);
        Some(CheckedRobot { spec: Arc::new(spec), description })
    });
    (document, checked)
}

fn check_shape(document: &mut Document, pointer: &str) {
    if let Some(shape) = document.read::<files::Shape>(pointer) {
        shapes::check(document, pointer, &shape.outline());
    }
}

fn check_manipulators(document: &mut Document) {
    document.check_unique("/manipulator", "name");
    for manipulator in document.items("/manipulator") {
        let states = format!("{manipulator}/state");
        document.check_unique(&states, "name");
        for (index, state) in document.items(&states).into_iter().enumerate() {
            for shape in document.items(&format!("{state}/shape")) {
                check_shape(document, &shape);
            }
            check_ranges(document, &format!("{state}/kick"));
            let returns = format!("{state}/returns_after_s");
            if index == 0 && document.read::<f64>(&returns).is_some() {
                let what = "the first state cannot return to itself";
                document.report(&returns, At::Key, "config/bad-value", what).allowed =
                    Some("returns_after_s in any state but the first, to which it returns".into());
            }
        }
    }
}

/// Reports ranges of a kick that are none, or go farther than a kick can.
fn check_ranges(document: &mut Document, kick: &str) {
    let limits = [("direction_range_rad", [-7.0, 7.0]), ("elevation_range_rad", [0.0, MAX_ELEVATION_RAD])];
    for (key, [least, most]) in limits {
        let pointer = format!("{kick}/{key}");
        let Some([from, to]) = document.read::<[f64; 2]>(&pointer) else { continue };
        if !(least <= from && from <= to && to <= most) {
            let what = format!("\"{key}\" is no range that a kick can have");
            let problem = document.report(&pointer, At::Value, "config/bad-value", what);
            problem.allowed = Some(format!("{key} = [from, to], {least} <= from <= to <= {most} (radians)"));
            if from > to {
                problem.hint = Some("the two values look swapped".into());
            }
        }
    }
}

fn check_motion(
    document: &mut Document,
    plugins: &Plugins<'_>,
    surroundings: &Surroundings,
    robot: &str,
) -> Option<MotionDescription> {
    let choice = plugins.choice(document, PluginKind::Motion, "/motion")?;
    let setup = MotionSetup { robot: robot.into(), dt_secs: surroundings.dt_secs };
    let result = plugins.factory.motion(&choice, &setup);
    let instance = plugins.made(document, PluginKind::Motion, "/motion", result)?;
    Some(instance.description().clone())
}

/// All sensors' types and layouts, if nothing is wrong with any of them.
fn check_sensors(
    document: &mut Document,
    plugins: &Plugins<'_>,
    surroundings: &Surroundings,
    (robot, team): (&str, Option<u32>),
    motion: Option<&MotionDescription>,
) -> Option<Vec<Arc<dyn SensorInstance>>> {
    document.check_unique("/sensor", "id");
    let mut instances = Vec::new();
    let pointers = document.items("/sensor");
    let outline = outline(document);
    for pointer in &pointers {
        check_mount(document, pointer, outline.as_deref());
        let Some(choice) = plugins.choice(document, PluginKind::Sensor, pointer) else { continue };
        let Some(sensor) = document.read::<files::Sensor>(pointer) else { continue };
        // Without a motion model nothing can be said of what a sensor thinks of it.
        let Some(motion) = motion else { continue };
        check_follows(document, pointer, &sensor, motion);
        let setup = SensorSetup {
            robot: robot.into(),
            model: sensor.model.unwrap_or_else(|| sensor.id.clone()),
            id: sensor.id,
            mount: sensor.mount,
            dt_secs: surroundings.dt_secs,
            motion: motion.clone(),
            teams: surroundings.teams.clone(),
            team,
            fixtures: surroundings.world.fixtures.clone(),
        };
        let result = plugins.factory.sensor(&choice, &setup);
        instances.extend(plugins.made(document, PluginKind::Sensor, pointer, result));
    }
    (instances.len() == pointers.len()).then_some(instances)
}

/// Reports a sensor that follows what its motion model does not publish.
fn check_follows(document: &mut Document, pointer: &str, sensor: &files::Sensor, motion: &MotionDescription) {
    let Some(follows) = &sensor.follows else { return };
    let names = || motion.data.iter().map(|datum| datum.name.as_str());
    if names().any(|name| name == follows) {
        return;
    }
    let (known, near) = (names().collect::<Vec<_>>().join(", "), nearest(follows, names()));
    let what = format!("the motion model publishes no \"{follows}\"");
    let pointer = format!("{pointer}/follows");
    let problem = document.report(&pointer, At::Value, "config/unknown-datum", what);
    let publishes = if known.is_empty() { "nothing".to_owned() } else { known };
    problem.allowed = Some(format!("what this robot's motion model publishes: {publishes}"));
    problem.hint = near.map(|near| format!("did you mean \"{near}\"?"));
}

/// All that the robot's shapes cover in its frame, its manipulators in any of their states; `None` if one is wrong.
fn outline(document: &Document) -> Option<Vec<Primitive>> {
    let mut pointers = document.items("/body");
    for manipulator in document.items("/manipulator") {
        let states = document.items(&format!("{manipulator}/state"));
        pointers.extend(states.iter().flat_map(|state| document.items(&format!("{state}/shape"))));
    }
    let outline = |pointer: &String| {
        let shape = document.read::<files::Shape>(pointer)?;
        Some(shapes::primitive(&shape.outline(), DEFAULT_Z_M))
    };
    pointers.iter().map(outline).collect()
}

/// Reports a sensor that is not on its robot: it could stand in a wall, and would look through it. Its height is free: a
/// robot's own shapes never hide anything from its sensors, so they may sit within it, or on a mast above it.
fn check_mount(document: &mut Document, sensor: &str, outline: Option<&[Primitive]>) {
    let pointer = format!("{sensor}/mount");
    let mount = match document.value.pointer(&pointer) {
        Some(_) => document.read(&pointer),
        None => Some(Mount::default()),
    };
    let Some(mount) = mount else { return };
    if [mount.x_m, mount.y_m, mount.z_m].iter().any(|x| x.abs() > touchline_sim::scenario::MAX_COORDINATE_M) {
        let what = "the mounting is nowhere near the robot";
        let problem = document.report(&pointer, At::Value, "config/out-of-range", what);
        problem.allowed = Some("x_m, y_m, z_m between -1000 and 1000 (metres)".into());
        problem.hint = Some("mind the unit: metres".into());
        return;
    }
    if mount.theta_rad.abs() > MAX_HEADING_RAD {
        let pointer = format!("{pointer}/theta_rad");
        let what = "\"mount.theta_rad\" is outside what is allowed";
        let problem = document.report(&pointer, At::Value, "config/out-of-range", what);
        let limit = MAX_HEADING_RAD;
        problem.allowed =
            Some(format!("a number, -{limit} <= theta_rad <= {limit}: against the robot's heading, radians"));
        problem.hint = Some(in_degrees(mount.theta_rad));
    }
    let at = [mount.x_m, mount.y_m];
    let Some(shapes) = outline.filter(|shapes| !shapes.is_empty()) else { return };
    let off_m = |shape: &Primitive| touchline_sim::distance_m(shape, at);
    let off_m = shapes.iter().map(off_m).fold(f64::INFINITY, f64::min);
    // A millimetre for rounding.
    if off_m <= MAX_MOUNT_OFF_M + 1e-3 {
        return;
    }
    let what = format!("it is mounted {off_m:.2} m outside of the robot's own shapes");
    let problem = document.report(&pointer, At::Value, "config/mount-outside", what);
    problem.got.get_or_insert_with(|| format!("x_m = {}, y_m = {}", at[0], at[1]));
    problem.allowed =
        Some(format!("x_m, y_m within the shapes, or at most {MAX_MOUNT_OFF_M} m outside (metres)"));
    problem.hint = Some("mind the unit: metres; or give what carries it a shape in [[body]]".into());
}

fn spec(file: &RobotFile) -> RobotSpec {
    let shapes = |shapes: &[files::Shape]| -> Vec<Primitive> {
        shapes.iter().map(|shape| shapes::primitive(&shape.outline(), DEFAULT_Z_M)).collect()
    };
    let body = shapes(&file.body);
    let height_m = body.iter().map(|primitive| primitive.z_m[1]).fold(0.0, f64::max);
    let zone = |zone: &files::Zone| Zone {
        pose: Pose2::new(zone.x_m, zone.y_m, zone.theta_rad),
        size_m: [zone.length_m, zone.width_m],
        height_m: zone.height_m.unwrap_or(height_m),
    };
    let hold = |hold: &files::Hold| Hold { zone: zone(&hold.zone), force_n: hold.force_n };
    let kick = |kick: &files::Kick| Kick {
        speed_m_s: kick.speed_m_s,
        direction_rad: kick.direction_rad,
        direction_range_rad: kick.direction_range_rad,
        elevation_rad: kick.elevation_rad,
        elevation_range_rad: kick.elevation_range_rad,
        zone: zone(&kick.zone),
        recharge_secs: kick.recharge_s,
        delay_secs: kick.delay_s,
        speed_scatter: kick.speed_scatter,
        direction_scatter_rad: kick.direction_scatter_rad,
        scatter_growth_s_m: kick.scatter_growth_s_m,
    };
    let state = |state: &files::State| ManipulatorState {
        name: state.name.clone(),
        shapes: shapes(&state.shape),
        kick: state.kick.as_ref().map(kick),
        hold: state.hold.as_ref().map(hold),
        returns_after_secs: state.returns_after_s,
    };
    RobotSpec {
        model: file.model.clone(),
        body,
        mass_kg: file.mass_kg,
        traction_m_s2: file.traction_m_s2,
        colour: shapes::colour(&file.colour),
        motion: choice(&file.motion.plugin, &file.motion.params, file.isolate || file.motion.isolate),
        sensors: file
            .sensor
            .iter()
            .map(|sensor| SensorSpec {
                id: sensor.id.clone(),
                model: sensor.model.clone().unwrap_or_else(|| sensor.id.clone()),
                mount: sensor.mount,
                follows: sensor.follows.clone(),
                choice: choice(&sensor.plugin, &sensor.params, file.isolate || sensor.isolate),
                timing: SensorTiming {
                    rate_hz: sensor.rate_hz,
                    phase_secs: sensor.phase_s,
                    delay_secs: sensor.delay_s,
                },
            })
            .collect(),
        manipulators: file
            .manipulator
            .iter()
            .map(|manipulator| ManipulatorSpec {
                name: manipulator.name.clone(),
                states: manipulator.state.iter().map(state).collect(),
            })
            .collect(),
        commands: CommandTiming {
            delay_secs: file.motion.command_delay_s,
            hold_secs: file.motion.command_hold_s,
        },
    }
}

pub(crate) fn choice(
    plugin: &str,
    params: &serde_json::Map<String, serde_json::Value>,
    isolate: bool,
) -> PluginChoice {
    PluginChoice { isolate, ..PluginChoice::new(plugin, params.clone().into()) }
}

fn describe(
    spec: &RobotSpec,
    motion: MotionDescription,
    sensors: Vec<Arc<dyn SensorInstance>>,
) -> RobotDescription {
    let sensors = spec.sensors.iter().zip(sensors).map(|(sensor, instance)| SensorDescription {
        id: sensor.id.clone(),
        model: sensor.model.clone(),
        sensor_type: instance.sensor_type().into(),
        plugin: sensor.choice.plugin.clone(),
        mount: sensor.mount,
        follows: sensor.follows.clone(),
        layout: instance.layout().clone(),
        data: instance.data().to_vec(),
    });
    let manipulators = spec.manipulators.iter().map(|manipulator| ManipulatorDescription {
        name: manipulator.name.clone(),
        states: manipulator.states.iter().map(|state| state.name.clone()).collect(),
    });
    RobotDescription {
        name: String::new(),
        team: None,
        radius_m: touchline_sim::radius_m(spec),
        motion,
        sensors: SensorCatalogue { sensors: sensors.collect() },
        manipulators: manipulators.collect(),
    }
}
