//! A motion model that misbehaves on purpose, to prove that nobody else is harmed. [P1, P6]
//!
//! Until its time has come it drives forward as commanded.

#![forbid(unsafe_code)]

use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::Deserialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, MAX_DIMENSIONS, MAX_MOTION_DATA, Motion, MotionDatum, MotionDescription,
    MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::plugin::{Fault, SetupError};

/// What it does wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Nothing.
    #[default]
    Not,
    /// Panics when an instance is made.
    PanicInNew,
    /// Panics when an instance ends.
    PanicInDrop,
    /// Panics in a step.
    Panic,
    /// Panics in a step, with a value that is no text and panics itself when it is dropped.
    PanicTwice,
    /// Gives an error in a step.
    Error,
    /// Gives NaN in a step.
    Nan,
    /// Gives an infinite velocity in a step.
    Infinite,
    /// Gives an infinite motion datum in a step.
    InfiniteData,
    /// Takes more numbers in a command than there may be.
    TooManyDimensions,
    /// Takes a command without limits, which has no JSON.
    Unlimited,
    /// Does not return from a step.
    Hang,
    /// Does not return from a step before the file `until` is there.
    Dawdle,
    /// Gives up in a step, and with it the whole program.
    Abort,
    /// Calls itself in a step until the stack is full.
    Overflow,
    /// Ends the program in a step as if all were well.
    Exit,
    /// Takes 100 MB in each step, and keeps them.
    Leak,
    /// Reads the list of users.
    ReadFile,
    /// Writes a file.
    WriteFile,
    /// Listens for connections.
    Listen,
    /// Starts a program.
    Spawn,
    /// Starts a thread, which never ends.
    Thread,
}

/// What came of something that a plugin has no business with.
fn tried<T>(result: io::Result<T>) -> Fault {
    match result {
        Ok(_) => Fault::new("misbehaves: it was let"),
        Err(error) => Fault::new(format!("misbehaves: it was refused: {error}")),
    }
}

/// The parameters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MisbehaveParams {
    /// What it does wrong.
    #[serde(default)]
    how: How,
    /// How many steps it behaves before it does what it does in a step.
    #[serde(default)]
    after_steps: u64,
    /// A file that gets a line, the robot's name, for every instance that is made.
    #[serde(default)]
    notes: Option<PathBuf>,
    /// A file: when it is there, `dawdle` returns.
    #[serde(default)]
    until: Option<PathBuf>,
}

#[allow(clippy::disallowed_types, reason = "it breaks every rule on purpose")]
fn note(notes: &Path, robot: &str) -> io::Result<()> {
    writeln!(fs::File::options().create(true).append(true).open(notes)?, "{robot}")
}

/// The motion model.
pub struct Misbehave {
    params: MisbehaveParams,
}

/// How many steps were made.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Steps(u64);

struct PanicsInDrop;

impl Drop for PanicsInDrop {
    fn drop(&mut self) {
        panic!("misbehaves: the panic's own value");
    }
}

#[allow(unconditional_recursion)]
fn fill_stack(depth: f64) -> f64 {
    let page = std::hint::black_box([depth; 512]);
    fill_stack(page[7] + 1.0) + page[8]
}

impl Motion for Misbehave {
    const NAME: &'static str = "misbehave";
    const SUMMARY: &'static str = "Misbehaves on purpose: for tests.";
    type Params = MisbehaveParams;
    type State = Steps;

    fn new(params: Self::Params, setup: &MotionSetup) -> Result<Self, SetupError> {
        assert!(params.how != How::PanicInNew, "misbehaves: robot {}", setup.robot);
        let mut error = SetupError::default();
        error.require(params.after_steps <= 1_000_000, "after_steps", "must be at most 1000000");
        error.into_result()?;
        if let Some(notes) = &params.notes {
            note(notes, &setup.robot).unwrap_or_else(|error| panic!("{}: {error}", notes.display()));
        }
        Ok(Self { params })
    }

    fn description(&self) -> MotionDescription {
        let max = if self.params.how == How::Unlimited { f64::INFINITY } else { 1.0 };
        let forward = CommandDimension::symmetric("forward", "m/s", max, CommandPart::Forward);
        let steps = MotionDatum::new("steps", "1");
        let n = if self.params.how == How::TooManyDimensions { MAX_DIMENSIONS + 1 } else { 1 };
        MotionDescription { dimensions: vec![forward; n], data: vec![steps], ..MotionDescription::default() }
    }

    fn initial_state(&self) -> Self::State {
        Steps(0)
    }

    #[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "it breaks every rule on purpose")]
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        state.0 += 1;
        let &[forward_m_s] = input.command else {
            return Err(Fault::new(format!("a command of {} numbers, expected 1", input.command.len())));
        };
        let mut data = [0.0; MAX_MOTION_DATA];
        data[0] = state.0 as f64;
        let mut output = MotionOutput { data, ..MotionOutput::steady(Twist2::new(forward_m_s, 0.0, 0.0)) };
        if state.0 > self.params.after_steps {
            match self.params.how {
                How::Panic => panic!("misbehaves: step {}", state.0),
                How::PanicTwice => std::panic::panic_any(PanicsInDrop),
                How::Error => return Err(Fault::new(format!("misbehaves: step {}", state.0))),
                How::Nan => output.twist.y_m_s = f64::NAN,
                How::Infinite => output.end_twist.turn_rad_s = f64::INFINITY,
                How::InfiniteData => output.data[0] = f64::NEG_INFINITY,
                How::Hang => loop {
                    std::thread::park();
                },
                How::Dawdle => {
                    while self.params.until.as_deref().is_some_and(|file| !file.exists()) {
                        std::thread::sleep(std::time::Duration::from_millis(5));
                    }
                }
                How::Abort => std::process::abort(),
                How::Overflow => output.data[0] = fill_stack(state.0 as f64),
                How::Exit => std::process::exit(0),
                How::Leak => std::mem::forget(std::hint::black_box(vec![1_u8; 100 << 20])),
                How::ReadFile => return Err(tried(fs::read("/etc/passwd"))),
                How::WriteFile => {
                    let file =
                        std::env::temp_dir().join(format!("touchline-misbehaves-{}", std::process::id()));
                    return Err(tried(fs::write(&file, "").and_then(|()| fs::remove_file(&file))));
                }
                How::Listen => return Err(tried(std::net::TcpListener::bind("127.0.0.1:0"))),
                How::Spawn => return Err(tried(std::process::Command::new("true").status())),
                How::Thread => return Err(tried(std::thread::Builder::new().spawn(std::thread::park))),
                _ => {}
            }
        }
        Ok(output)
    }
}

impl Drop for Misbehave {
    fn drop(&mut self) {
        assert!(self.params.how != How::PanicInDrop, "misbehaves: the end");
    }
}

touchline_plugin_api::export_motion!(Misbehave);
