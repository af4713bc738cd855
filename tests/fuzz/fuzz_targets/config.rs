//! Any text as a robot file and as a world file: no panic, and every problem has a place in the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use touchline_config::{Memory, Report, parse_robot, parse_world};

#[path = "../../../server/config/tests/support/mod.rs"]
mod support;

fuzz_target!(|text: &str| {
    let (name, fakes) = (Path::new("fuzz.toml"), support::Fakes { strict_laser: true });
    check(text, parse_robot(text, name, &Memory::default(), &fakes).map(|_| ()));
    check(text, parse_world(text, name, &Memory::default(), &fakes).map(|_| ()));
});

fn check(text: &str, report: Result<(), Report>) {
    if let Err(report) = report {
        assert!(!report.problems.is_empty());
        for problem in &report.problems {
            support::assert_place(problem, text);
            let _ = problem.to_string();
        }
    }
}
