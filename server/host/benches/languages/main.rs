//! What a plugin costs in C and in C++ against the same plugin in Rust: a compass with noise, and a 361-beam scan.
//!
//! Run by `cargo bench -p touchline-host --bench languages`; needs `cc` and `c++`. All three are called over the border, in turns; a line for
//! each gives nanoseconds for a reading and the ratio. The readings are compared first: they have the same bits.

#![allow(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a measurement may end")]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;
use touchline_host::Host;
use touchline_kit::rays::{FanTable, cast_fan};
use touchline_plugin_api::abi::{PluginCrate, SensorDoor, Table};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::instance::SensorInstance;
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_testing::FakeWorld;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;

const BEAMS: usize = 361;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Params {
    sigma_rad: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self { sigma_rad: 0.02 }
    }
}

struct Compass(Params, Field);

impl Sensor for Compass {
    const NAME: &'static str = "compass-rust";
    const SUMMARY: &'static str = "Measured";
    const TYPE: &'static str = "compass";
    type Params = Params;
    type State = Stateless;

    fn new(params: Params, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self(params, Field::signed("heading", "rad", 1e-4, &[])))
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("heading", vec![self.1.clone()])] }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let noise = input.noise.stream().gaussian(self.0.sigma_rad);
        quantised[0] = self.1.encode(wrap_angle(input.sensor_pose.theta_rad + noise));
        Ok(())
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoParams {}

struct Scan(FanTable, Field);

impl Sensor for Scan {
    const NAME: &'static str = "scan-rust";
    const SUMMARY: &'static str = "Measured";
    const TYPE: &'static str = "laser";
    type Params = NoParams;
    type State = Stateless;

    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        let table = FanTable::centred(std::f64::consts::PI, BEAMS);
        let field = Field::unsigned("ranges", "m", 1e-3, &[BEAMS as u32]);
        Ok(Self(table.ok_or_else(|| SetupError::new("no fan"))?, field))
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("scan", vec![self.1.clone()])] }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let mut ranges_m = [0.0; BEAMS];
        let SensorInput { view, sensor_pose, robot_object, .. } = input;
        cast_fan(view, *sensor_pose, &self.0, 8.0, 0.2, *robot_object, &mut ranges_m);
        for (count, range_m) in quantised.iter_mut().zip(ranges_m) {
            *count = self.1.encode(range_m);
        }
        Ok(())
    }
}

struct ThisCrate;
impl PluginCrate for ThisCrate {
    const VERSION: &'static str = "0.0.0";
    const UNWINDS: bool = true;
}

static COMPASS: Table = SensorDoor::<Compass, ThisCrate>::TABLE;
static SCAN: Table = SensorDoor::<Scan, ThisCrate>::TABLE;

/// Compiles the sources in C and C++ as the template's CMake project does.
fn compile(folder: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (compiler, standard, source) in [
        ("cc", "c11", "compass.c"),
        ("cc", "c11", "scan.c"),
        ("c++", "c++17", "compass.cpp"),
        ("c++", "c++17", "scan.cpp"),
    ] {
        let library = folder.join(format!("{}{}", source.replace('.', "_"), std::env::consts::DLL_SUFFIX));
        let mut command = Command::new(compiler);
        command.arg(format!("-std={standard}")).args([
            "-O3",
            "-DNDEBUG",
            "-ffp-contract=off",
            "-fno-math-errno",
            "-fPIC",
            "-shared",
        ]);
        command.args(["-fvisibility=hidden", "-I"]).arg(here.join("../../plugin-api/include"));
        command.arg(here.join("benches/languages").join(source)).arg("-o").arg(library).arg("-lm");
        assert!(command.status().unwrap().success(), "{command:?}");
    }
}

fn setup() -> SensorSetup {
    SensorSetup {
        robot: "r".into(),
        id: "s".into(),
        model: String::new(),
        mount: Mount::default(),
        dt_secs: 0.01,
        motion: Default::default(),
        teams: Vec::new(),
        team: None,
        fixtures: Vec::new(),
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    compile(folder.path());
    let mut host = Host::scan(&[folder.path().to_owned()]);
    for table in [&COMPASS, &SCAN] {
        // SAFETY: the tables are a door's own.
        unsafe { host.add_linked(Path::new("benches/languages/main.rs"), table) };
    }
    let world = FakeWorld::f2000()
        .robot(Pose2::new(0.5, 0.3, 0.2), 0)
        .robot(Pose2::new(2.0, 1.0, 0.0), 0)
        .robot(Pose2::new(-1.0, -2.0, 1.0), 0)
        .robot(Pose2::new(3.0, -1.5, 2.0), 0);
    let input = world.sensor_input(0, Mount::default());
    for (what, readings) in [("compass", 200_u32), ("scan", 20)] {
        let instances = ["rust", "c", "cpp"].map(|language| {
            let choice = PluginChoice::new(format!("{what}-{language}"), serde_json::json!({}));
            host.sensor(&choice, &setup()).unwrap_or_else(|error| panic!("{error}"))
        });
        compare(what, &instances, &input, readings);
    }
}

/// Prints what a reading costs in each language: the quickest of many rounds, which take turns.
fn compare(what: &str, instances: &[Arc<dyn SensorInstance>; 3], input: &SensorInput<'_>, readings: u32) {
    let mut quantised = vec![0; instances[0].layout().len()];
    let mut best_ns = [f64::INFINITY; 3];
    let mut first = Vec::new();
    for round in 0..4000_u64 {
        for (index, instance) in instances.iter().enumerate() {
            let start = Instant::now();
            for k in 0..readings {
                let noise = input.noise.at_step(round * 1000 + u64::from(k));
                quantised.fill(0);
                let reading =
                    instance.generate(&[], black_box(&SensorInput { noise, ..*input }), &mut quantised);
                assert_eq!(reading, Ok(()));
            }
            best_ns[index] = best_ns[index].min(start.elapsed().as_nanos() as f64 / f64::from(readings));
            if index == 0 {
                first.clone_from(&quantised);
            }
            assert_eq!(first, quantised, "the same reading in every language");
        }
    }
    let [rust_ns, c_ns, cpp_ns] = best_ns;
    println!(
        "{what}: Rust {rust_ns:.1} ns, C {c_ns:.1} ns ({:.2}), C++ {cpp_ns:.1} ns ({:.2})",
        c_ns / rust_ns,
        cpp_ns / rust_ns
    );
}
