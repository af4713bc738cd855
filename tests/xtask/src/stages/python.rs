//! The Python stages: the plain client, the package as a user gets it, and what others use it with.

use super::rust::program;
use crate::report::Report;
use crate::shop::Shop;
use crate::tally;
use crate::tools::{self, PYTHON};

/// The type checker, pinned: another version finds other faults.
const MYPY: &str = "mypy==2.4.1";

/// Has ROS 2's message definitions, and no ROS.
const ROSBAGS: &str = "rosbags==0.11.9";

/// What the Python package is built and tested with, pinned as well.
pub const PACKAGE: &[&str] = &[
    "maturin==1.16.0",
    "numpy==2.4.6",
    "gymnasium==1.4.0",
    "pettingzoo==1.27.0",
    "pytest==9.2.0",
    ROSBAGS,
    MYPY,
];

/// PyTorch and what learns with it: some gigabytes, so only `--full` fetches them.
const TORCH: &[&str] = &[
    "maturin==1.16.0",
    "numpy==2.4.6",
    "pytest==9.2.0",
    "gymnasium==1.4.0",
    "pettingzoo==1.27.0",
    "torch==2.15.0",
    "stable-baselines3==2.9.2",
    "onnx",
    "matplotlib==3.11.2",
];

/// Ray's core, and what else the package needs; RLlib and PyTorch are not among it.
const RAY: &[&str] = &["maturin==1.16.0", "numpy==2.4.6", "pytest==9.2.0", "ray==2.60.0"];

/// ROS 2 (Kilted) as wheels, and another implementation of DDS. Of tf2_msgs and simulation_interfaces there are none.
const ROS2: &[&str] = &[
    "ros-rclpy==9.1.2 as rclpy",
    "ros-rmw-fastrtps-cpp==9.3.3 as rmw_fastrtps_cpp",
    "ros-rosgraph-msgs==2.3.0 as rosgraph_msgs",
    "ros-geometry-msgs==5.5.1 as geometry_msgs",
    "ros-nav-msgs==5.5.1 as nav_msgs",
    "ros-sensor-msgs==5.5.1 as sensor_msgs",
    "cyclonedds==11.0.1",
    "numpy==2.4.6",
];

/// The Python package's tests that need PyTorch.
const WITH_TORCH: [&str; 2] = ["tests/test_sb3.py", "tests/test_learn.py"];
/// Those that need Ray.
const ON_RAY: [&str; 2] = ["tests/test_ray.py", "tests/test_rllib.py"];
/// Those that need ROS 2.
const ON_ROS2: &str = "tests/ros2";

pub fn client(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&PYTHON]) {
        return Report::failed(reason);
    }
    let command =
        shop.program("python3", "clients/python", &["-m", "unittest", "discover", "-v", "-s", "tests/plain"]);
    Report::tests(shop.run(log, command), tally::unittest)
        .note_skipped("Python tests, each with its reason in the source")
}

/// The package as a user gets it: `pip install ./clients/python` into a Python of its own, and its tests there.
pub fn package(shop: &Shop, log: &str) -> Report {
    let elsewhere = [&["tests/plain", ON_ROS2], &WITH_TORCH[..], &ON_RAY].concat();
    let ignored: Vec<String> = elsewhere.iter().map(|tests| format!("--ignore={tests}")).collect();
    let chosen: Vec<&str> = std::iter::once("tests").chain(ignored.iter().map(String::as_str)).collect();
    in_python_of_its_own(shop, log, "package", PACKAGE, &chosen)
}

/// Under PyTorch and Stable-Baselines3.
pub fn sb3(shop: &Shop, log: &str) -> Report {
    in_python_of_its_own(shop, log, "torch", TORCH, &WITH_TORCH)
}

/// Ray's core alone: RLlib is tested if somebody has installed it there, and never fetched.
pub fn ray(shop: &Shop, log: &str) -> Report {
    in_python_of_its_own(shop, log, "ray", RAY, &ON_RAY)
}

/// The bridge over rclpy, seen through another implementation of DDS.
pub fn ros2(shop: &Shop, log: &str) -> Report {
    let program = match program(shop, log) {
        Ok(program) => program,
        Err(report) => return report,
    };
    let python = match tools::python_for(shop, log, "ros2", ROS2) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let arguments = ["-m", "unittest", "discover", "-v", "-s", ON_ROS2];
    let mut command = shop.program(&python, "clients/python", &arguments);
    command.env("TOUCHLINE_PROGRAM", program);
    Report::tests(shop.run(log, command), tally::unittest)
        .note_skipped("what needs tf2_msgs or simulation_interfaces, of which PyPI has no wheels")
}

pub fn types(shop: &Shop, log: &str) -> Report {
    let python = match tools::python_for(shop, log, "package", PACKAGE) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let cache = shop.target.join("verify/mypy").display().to_string();
    let arguments = ["-m", "mypy", "--cache-dir", &cache];
    Report::check(shop.run(log, shop.program(&python, "clients/python", &arguments)))
}

fn in_python_of_its_own(shop: &Shop, log: &str, name: &str, packages: &[&str], chosen: &[&str]) -> Report {
    // What the package gives is compared with what the program prints: one build of the plugins for both.
    let program = match program(shop, log) {
        Ok(program) => program,
        Err(report) => return report,
    };
    let python = match tools::python_for(shop, log, name, packages) {
        Ok(python) => python,
        Err(reason) => return Report::failed(reason),
    };
    let options = ["--no-build-isolation", "--no-deps", "--force-reinstall", "./clients/python"];
    let install = [&["-m", "pip", "install"], &options[..]].concat();
    let installed = shop.run(log, shop.program(&python, ".", &install));
    if !installed.success {
        return Report::check(installed);
    }
    // Tests of a package that cannot be imported count as skipped.
    let imported = shop.run(log, shop.program(&python, "clients/python/tests", &["-c", "import touchline"]));
    if !imported.success {
        return Report::check(imported);
    }
    let arguments = [&["-m", "pytest", "-v", "-rs", "-p", "no:cacheprovider"], chosen].concat();
    let mut command = shop.program(&python, "clients/python", &arguments);
    command.env("TOUCHLINE_PROGRAM", program);
    Report::tests(shop.run(log, command), tally::pytest)
        .note_skipped("Python tests, each with its reason in the log")
}
