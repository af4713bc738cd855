//! The border without a library: an author's type called through its own table.

use super::*;
use crate::geometry::{Pose2, Twist2};
use crate::motion::{Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup};
use crate::noise::NoiseKey;
use crate::plugin::{Fault, PluginDescription, SetupError};
use crate::state::Encoded;
use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use std::mem::MaybeUninit;

/// A state that grows with each call.
struct Growing;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoParams {}

impl Motion for Growing {
    const NAME: &'static str = "growing";
    const SUMMARY: &'static str = "Remembers every command.";
    type Params = NoParams;
    type State = Encoded<Vec<f64>>;

    fn new(_: NoParams, setup: &MotionSetup) -> Result<Self, SetupError> {
        let mut error = SetupError::default();
        error.require(setup.dt_secs > 0.0, "dt_secs", "must be above 0");
        error.into_result().map(|()| Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription::default()
    }
    fn initial_state(&self) -> Self::State {
        Encoded(Vec::new())
    }
    fn advance(&self, state: &mut Self::State, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        assert!(input.dt_secs > 0.0, "no time: {} s", input.dt_secs);
        state.0.extend(input.command);
        Ok(MotionOutput::steady(Twist2::new(state.0.len() as f64, 0.0, 0.0)))
    }
}

struct ThisCrate;
impl PluginCrate for ThisCrate {
    const VERSION: &'static str = "1.2.3";
    const UNWINDS: bool = true;
}

static TABLE: Table = MotionDoor::<Growing, ThisCrate>::TABLE;

/// A call's room for text, at most 4096 bytes.
struct Memory([MaybeUninit<u8>; 4096]);

impl Memory {
    fn new() -> Self {
        Self([MaybeUninit::uninit(); 4096])
    }
    fn buffer(&mut self, cap: usize) -> Buffer<u8> {
        Buffer::of_uninit(&mut self.0[..cap])
    }
}

fn text(buffer: &Buffer<u8>) -> String {
    // SAFETY: the plugin wrote as much as it says.
    let bytes = unsafe { std::slice::from_raw_parts(buffer.ptr, buffer.len as usize) };
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn created(setup: &str, cap: usize) -> (i32, Created, String) {
    let (mut memory, mut message) = (Memory::new(), Memory::new());
    let input = Create {
        head: Head::of::<Create>(),
        params: Slice::of(b"{}".as_slice()),
        setup: Slice::of(setup.as_bytes()),
    };
    let mut reply = Created {
        head: Head::of::<Created>(),
        message: message.buffer(4096),
        instance: std::ptr::null_mut(),
        text: memory.buffer(cap),
    };
    // SAFETY: blocks and buffers are valid.
    let status = unsafe { (TABLE.create)(std::ptr::null(), &input, &mut reply) };
    let written = text(&reply.text);
    (status, reply, written)
}

fn advance(instance: *mut Instance, dt_secs: f64, state: &mut Vec<u8>) -> (i32, MotionReply, String) {
    let mut message = Memory::new();
    let command = [1.0, 2.0, 3.0];
    let input = MotionAdvance {
        head: Head::of::<MotionAdvance>(),
        dt_secs,
        command: Slice::of(&command),
        data: Slice::of(&[]),
        achieved: Twist2::ZERO,
        twist: crate::geometry::Twist2::default(),
        noise: NoiseKey::default(),
    };
    let mut reply = MotionReply {
        head: Head::of::<MotionReply>(),
        message: message.buffer(16),
        state: Buffer::of(state),
        output: MotionOutput::default(),
    };
    // SAFETY: blocks, buffers and the instance are valid.
    let status = unsafe { (TABLE.advance_motion)(instance, &input, &mut reply) };
    let said = text(&reply.message);
    (status, reply, said)
}

fn destroy(instance: *mut Instance) -> i32 {
    let input = Nothing { head: Head::of::<Nothing>() };
    let mut reply = Reply { head: Head::of::<Reply>(), message: Buffer::NONE };
    // SAFETY: nobody uses the instance any more.
    unsafe { (TABLE.destroy)(instance, &input, &mut reply) }
}

/// The export macros write the name down, since an attribute takes no constant.
#[test]
fn the_symbol_is_the_one_that_abi_stable_looks_for() {
    assert_eq!(abi_stable::library::ROOT_MODULE_LOADER_NAME, "_1as_0lib_1header_0root_bmodule_bloader");
}

/// P1: a table whose `advance_motion` takes another block is refused, so blocks are compared, not only the table.
#[test]
fn layouts_are_compared_to_the_last_record() {
    #[repr(C)]
    #[derive(StableAbi)]
    struct Mine {
        call: unsafe extern "C" fn(*const Instance, *const MotionAdvance, *mut MotionReply) -> i32,
    }
    mod other {
        use super::*;
        #[repr(C)]
        #[derive(StableAbi)]
        pub struct MotionAdvance {
            pub head: Head,
            pub dt_secs: f64,
            pub command: Slice<f64>,
            pub data: Slice<f64>,
            pub achieved: Twist2,
            pub twist: Pose2,
            pub noise: NoiseKey,
        }
        #[repr(C)]
        #[derive(StableAbi)]
        pub struct Mine {
            pub call: unsafe extern "C" fn(*const Instance, *const MotionAdvance, *mut MotionReply) -> i32,
        }
    }
    assert!(check_layout_compatibility(Mine::LAYOUT, Mine::LAYOUT).is_ok());
    assert!(check_layout_compatibility(Mine::LAYOUT, other::Mine::LAYOUT).is_err());
    assert!(check_layout_compatibility(RootRef::LAYOUT, RootRef::LAYOUT).is_ok());
}

#[test]
fn a_plugin_describes_itself() {
    let (mut memory, input) = (Memory::new(), Nothing { head: Head::of::<Nothing>() });
    let mut reply = Text { head: Head::of::<Text>(), message: Buffer::NONE, text: memory.buffer(4096) };
    // SAFETY: blocks and buffers are valid.
    let status = unsafe { (TABLE.describe)(std::ptr::null(), &input, &mut reply) };
    let description: PluginDescription = serde_json::from_str(&text(&reply.text)).unwrap();
    assert_eq!(status, status::OK);
    assert_eq!((description.name.as_str(), description.version.as_str()), ("growing", "1.2.3"));
    assert_eq!(description.kind, PluginKind::Motion);
}

/// A call that finds too little room does nothing, and says how much it needs.
#[test]
fn what_does_not_fit_is_not_done() {
    let setup = r#"{"robot":"r","dt_secs":0.01}"#;
    let (status, reply, _) = created(setup, 3);
    assert_eq!((status, reply.instance.is_null()), (status::BUFFER_TOO_SMALL, true));
    let (status, reply, description) = created(setup, reply.text.needed as usize);
    assert_eq!((status, description.len() as u64), (status::OK, reply.text.needed));

    let mut state = Vec::with_capacity(8);
    state.push(0);
    let (status, more, _) = advance(reply.instance, 0.01, &mut state);
    assert_eq!((status, more.state.needed, state.as_slice()), (status::BUFFER_TOO_SMALL, 25, [0].as_slice()));
    let mut state = Vec::with_capacity(25);
    state.push(0);
    let (status, fits, _) = advance(reply.instance, 0.01, &mut state);
    assert_eq!((status, fits.state.len, fits.output.twist.x_m_s), (status::OK, 25, 3.0));
    assert_eq!(destroy(reply.instance), status::OK);
}

/// P6: a panic becomes a status and a message, cut off where the buffer ends, and the instance goes on.
#[test]
fn a_panic_stays_on_its_side() {
    let (_, reply, _) = created(r#"{"robot":"r","dt_secs":0.01}"#, 4096);
    let mut state = vec![0; 64];
    state.truncate(1);
    let (status, panicked, message) = advance(reply.instance, -1.0, &mut state);
    assert_eq!((status, message.as_str()), (status::PANIC, "no time: -1 s"));
    assert_eq!((panicked.state.len, state.as_slice()), (1, [0].as_slice()));
    assert_eq!(advance(reply.instance, 1.0, &mut state).0, status::OK);
    destroy(reply.instance);
}

#[test]
fn wrong_parameters_come_as_json() {
    let (status, reply, said) = created(r#"{"robot":"r","dt_secs":-1}"#, 4096);
    let error: SetupError = serde_json::from_str(&said).unwrap();
    assert_eq!((status, reply.instance.is_null()), (status::SETUP, true));
    assert_eq!(error, SetupError::param("dt_secs", "must be above 0"));
}

/// Blocks of another size or version, and functions of another kind, are refused, not read.
#[test]
fn foreign_calls_are_refused() {
    let mut reply = Reply { head: Head::of::<Reply>(), message: Buffer::NONE };
    let heads = [
        Head { size: 4, ..Head::of::<Nothing>() },
        Head { version: INTERFACE_VERSION + 1, ..Head::of::<Nothing>() },
    ];
    for head in heads {
        // SAFETY: blocks are valid, if not as they should be; without an instance there is nothing to end.
        let status = unsafe { (TABLE.destroy)(std::ptr::null(), &Nothing { head }, &mut reply) };
        assert_eq!(status, status::BAD_BLOCK);
    }
    // SAFETY: null is allowed.
    let missing = unsafe { (TABLE.destroy)(std::ptr::null(), std::ptr::null(), &mut reply) };
    // SAFETY: the function reads nothing.
    let other_kind = unsafe { (TABLE.judge)(std::ptr::null(), std::ptr::null(), std::ptr::null_mut()) };
    assert_eq!((missing, other_kind), (status::BAD_BLOCK, status::UNSUPPORTED));
    assert_eq!(advance(std::ptr::null_mut(), 1.0, &mut vec![0]).0, status::FAULT);
}
