//! What the host makes of plugins that do not keep to the interface: tables made by hand. [P1, P6]

use crate::{AttemptResult, Host, Refusal};
use bytemuck::{Pod, Zeroable};
use std::path::Path;
use std::sync::Arc;
use touchline_plugin_api::abi::{
    Create, Created, Generate, INTERFACE_VERSION, Instance, MotionAdvance, MotionDoor, MotionReply, Nothing,
    OrdersReply, PluginCrate, QuantisedReply, RefereeDoor, SensorDoor, StateReply, Table, Text, status,
};
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{InProcess, MotionInstance};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{
    MAX_MOTION_DATA, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::plugin::{Fault, PluginKind, SetupError};
use touchline_plugin_api::radio::Channel;
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::{Encoded, Stateless};
use touchline_plugin_api::view::WorldView;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

struct ThisCrate;
impl PluginCrate for ThisCrate {
    const VERSION: &'static str = "1.2.3";
    const UNWINDS: bool = true;
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoParams {}

/// Counts its calls, and goes as far as it counts.
struct Good;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Calls([u64; 6]);

impl Motion for Good {
    const NAME: &'static str = "good";
    const SUMMARY: &'static str = "Counts.";
    type Params = NoParams;
    type State = Calls;

    fn new(_: NoParams, setup: &MotionSetup) -> Result<Self, SetupError> {
        if setup.robot.is_empty() { Err(SetupError::param("robot", "has no name")) } else { Ok(Self) }
    }
    fn description(&self) -> MotionDescription {
        MotionDescription::default()
    }
    fn initial_state(&self) -> Calls {
        Calls([7; 6])
    }
    fn advance(&self, state: &mut Calls, _: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        state.0[0] += 1;
        let twist = Twist2::new(state.0[0] as f64, 0.0, 0.0);
        Ok(MotionOutput { data: [1.0; MAX_MOTION_DATA], ..MotionOutput::steady(twist) })
    }
}

struct Scan;

impl Sensor for Scan {
    const NAME: &'static str = "scan";
    const SUMMARY: &'static str = "Three ones.";
    const TYPE: &'static str = "test";
    type Params = NoParams;
    type State = Stateless;

    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("f", vec![Field::unsigned("v", "1", 1.0, &[3])])] }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, _: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        quantised.fill(1);
        Ok(())
    }
}

/// Says a thousand things in each call, and remembers them.
struct Talker;

impl Referee for Talker {
    const NAME: &'static str = "talker";
    const SUMMARY: &'static str = "Says a thousand things.";
    type Params = NoParams;
    type State = Encoded<Vec<String>>;

    fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn initial_state(&self) -> Self::State {
        Encoded(Vec::new())
    }
    fn judge(&self, state: &mut Self::State, _: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        for n in 0..1000 {
            let text = format!("thing {n} of call {}", state.0.len() / 1000);
            orders.announce(&text);
            state.0.push(text);
        }
        Ok(())
    }
}

const GOOD: Table = MotionDoor::<Good, ThisCrate>::TABLE;
const SCAN: Table = SensorDoor::<Scan, ThisCrate>::TABLE;
const TALKER: Table = RefereeDoor::<Talker, ThisCrate>::TABLE;

/// The result of adding a plugin with this table.
fn attempt(table: Table) -> AttemptResult {
    let mut host = Host::default();
    // SAFETY: the tables of these tests break rules that the host checks, and keep the others.
    unsafe { host.add_linked(Path::new("made by hand"), Box::leak(Box::new(table))) }.result.clone()
}

fn refusal(table: Table) -> String {
    match attempt(table) {
        AttemptResult::Refused(refusal) => refusal.to_string(),
        other => panic!("{other:?}"),
    }
}

fn host(table: Table) -> Host {
    let mut host = Host::default();
    // SAFETY: as above.
    let added = unsafe { host.add_linked(Path::new("made by hand"), Box::leak(Box::new(table))) };
    assert!(matches!(added.result, AttemptResult::Loaded(_)), "{added}");
    host
}

fn choice(name: &str) -> PluginChoice {
    PluginChoice::new(name, serde_json::json!({}))
}

fn setup() -> MotionSetup {
    MotionSetup { robot: "r".into(), dt_secs: 0.01 }
}

fn motion(table: Table) -> Arc<dyn MotionInstance> {
    host(table).motion(&choice("good"), &setup()).unwrap()
}

fn make_error(table: Table) -> String {
    host(table).motion(&choice("good"), &setup()).err().expect("a bad table made an instance").to_string()
}

fn input() -> MotionInput<'static> {
    MotionInput {
        dt_secs: 0.01,
        command: &[],
        data: &[],
        achieved: Twist2::ZERO,
        twist: Twist2::default(),
        noise: NoiseKey::default(),
    }
}

fn view() -> WorldView<'static> {
    WorldView::new(1, 0.01, &[], &[])
}

/// Over the border or not, the same numbers and the same state.
#[test]
fn a_call_over_the_border_is_the_call() {
    let inside = InProcess::<Good, MotionDescription>::motion(&serde_json::json!({}), &setup()).unwrap();
    let outside = motion(GOOD);
    assert_eq!(inside.description(), outside.description());
    let mut states = [inside.initial_state().unwrap(), outside.initial_state().unwrap()];
    for _ in 0..3 {
        let expected = inside.advance(&mut states[0], &input()).unwrap();
        let got = outside.advance(&mut states[1], &input()).unwrap();
        assert_eq!(states[0], states[1]);
        // No datum is described: what is behind the described data is held at 0.
        assert_eq!(got, MotionOutput { data: [0.0; MAX_MOTION_DATA], ..expected });
    }
    assert_eq!(bytemuck::pod_read_unaligned::<Calls>(&states[1]).0, [10, 7, 7, 7, 7, 7]);
}

/// P1: each of these is refused in one sentence.
#[test]
fn tables_that_make_no_sense_are_refused() {
    let text = refusal(Table { interface_version: INTERFACE_VERSION + 1, ..GOOD });
    let newer = INTERFACE_VERSION + 1;
    let expected =
        format!("built for plugin-api interface {newer}, this server has interface {INTERFACE_VERSION}");
    assert!(text.starts_with(&expected), "{text}");
    assert_eq!(attempt(Table { unwinds: 0, ..GOOD }), AttemptResult::Refused(Refusal::CannotUnwind));
    assert!(refusal(Table { kind: 77, ..GOOD }).contains("there is no kind 77"));
    assert!(
        refusal(Table { kind: SCAN.kind, ..GOOD }).contains("says motion and has the functions of a sensor")
    );
}

/// P1: a plugin that cannot say what it is, or says too much, is refused.
#[test]
fn descriptions_that_make_no_sense_are_refused() {
    extern "C" fn no_json(_: *const Instance, _: *const Nothing, output: *mut Text) -> i32 {
        // SAFETY: the host's block and buffer are valid.
        unsafe {
            (*output).text.ptr.write(b'?');
            (*output).text.len = 1;
        }
        status::OK
    }
    extern "C" fn too_long(_: *const Instance, _: *const Nothing, output: *mut Text) -> i32 {
        // SAFETY: the host's block is valid.
        unsafe { (*output).text.len = (*output).text.cap + 1 };
        status::OK
    }
    extern "C" fn always_more(_: *const Instance, _: *const Nothing, output: *mut Text) -> i32 {
        // SAFETY: the host's block is valid.
        unsafe { (*output).text.needed = (*output).text.cap + 1 };
        status::BUFFER_TOO_SMALL
    }
    extern "C" fn more_for_nothing(_: *const Instance, _: *const Nothing, _: *mut Text) -> i32 {
        status::BUFFER_TOO_SMALL
    }
    extern "C" fn unheard_of(_: *const Instance, _: *const Nothing, _: *mut Text) -> i32 {
        -12
    }
    extern "C" fn silent(_: *const Instance, _: *const Nothing, _: *mut Text) -> i32 {
        status::PANIC
    }
    let cases: [(unsafe extern "C" fn(_, _, _) -> i32, &str); 6] = [
        (no_json, "expected value at line 1"),
        (too_long, "and there was room for"),
        (always_more, "asks for more room again and again"),
        (more_for_nothing, "asks for more room, and needs none"),
        (unheard_of, "there is no status -12"),
        (silent, "panicked: it does not say why"),
    ];
    for (describe, expected) in cases {
        let text = refusal(Table { describe, ..GOOD });
        assert!(text.contains(expected), "{text}");
    }
}

/// The first of two plugins of one name is used, and the second is told where the first is.
#[test]
fn a_name_is_given_once() {
    let mut host = host(GOOD);
    // SAFETY: the table is whole.
    let second = unsafe { host.add_linked(Path::new("another"), Box::leak(Box::new(GOOD))) };
    assert_eq!(second.to_string(), "another: there is a motion plugin \"good\" already, from made by hand");
    assert_eq!(host.path_of(PluginKind::Motion, "good"), Some(Path::new("made by hand")));
    assert_eq!(PluginFactory::attempts(&host, PluginKind::Motion, "goood").len(), 1);
}

#[test]
fn what_cannot_be_made_is_said() {
    let missing = host(GOOD).motion(&choice("goood"), &setup()).err();
    assert_eq!(
        missing,
        Some(MakeError::no_such_plugin(
            PluginKind::Motion,
            "goood",
            [(PluginKind::Motion, "good")].into_iter()
        ))
    );
    let refused = host(GOOD).motion(&choice("good"), &MotionSetup { robot: String::new(), ..setup() }).err();
    assert_eq!(refused.unwrap().to_string(), "motion plugin \"good\": robot: has no name");
    let unknown = PluginChoice { params: serde_json::json!({"speed": 1}), ..choice("good") };
    let refused = host(GOOD).motion(&unknown, &setup()).err().unwrap().to_string();
    assert!(refused.contains("unknown field `speed`"), "{refused}");

    extern "C" fn nothing(_: *const Instance, _: *const Create, _: *mut Created) -> i32 {
        status::OK
    }
    assert!(make_error(Table { create: nothing, ..GOOD }).contains("there is no instance"));
    // A sensor's `create` gives no motion model's description.
    assert!(make_error(Table { create: SCAN.create, ..GOOD }).contains("cannot read the setup"));
}

/// P6: a failing call is a fault with a reason, and leaves the state as it was.
#[test]
fn a_failed_call_leaves_no_trace() {
    type Advance = unsafe extern "C" fn(*const Instance, *const MotionAdvance, *mut MotionReply) -> i32;
    /// Scribbles over the state, then does what the case says.
    fn scribble(output: *mut MotionReply) -> &'static mut MotionReply {
        // SAFETY: the host's block and buffer are valid.
        unsafe {
            (*output).state.ptr.write_bytes(0xff, (*output).state.len as usize);
            &mut *output
        }
    }
    extern "C" fn nan(_: *const Instance, _: *const MotionAdvance, output: *mut MotionReply) -> i32 {
        scribble(output).output.twist.turn_rad_s = f64::NAN;
        status::OK
    }
    extern "C" fn far(_: *const Instance, _: *const MotionAdvance, output: *mut MotionReply) -> i32 {
        scribble(output).output.twist.x_m_s = f64::INFINITY;
        status::OK
    }
    extern "C" fn long(_: *const Instance, _: *const MotionAdvance, output: *mut MotionReply) -> i32 {
        scribble(output).state.len = u64::MAX;
        status::OK
    }
    extern "C" fn huge(_: *const Instance, _: *const MotionAdvance, output: *mut MotionReply) -> i32 {
        scribble(output).state.needed = u64::MAX;
        status::BUFFER_TOO_SMALL
    }
    extern "C" fn wrong(_: *const Instance, _: *const MotionAdvance, output: *mut MotionReply) -> i32 {
        scribble(output);
        status::SETUP
    }
    extern "C" fn lying(_: *const Instance, _: *const MotionAdvance, output: *mut MotionReply) -> i32 {
        scribble(output).message.len = u64::MAX;
        status::FAULT
    }
    let cases: [(Advance, &str); 7] = [
        (nan, "bad output: its velocity is not finite"),
        (far, "bad output: its velocity is not finite"),
        (long, "bad output: it gives 18446744073709551615 records, and there was room for"),
        (huge, "at most 67108864 bytes are taken"),
        (wrong, "a status that only create has"),
        (lying, "it does not say why"),
        (SCAN_AS_MOTION, "bad output: it lacks this function of its kind"),
    ];
    const SCAN_AS_MOTION: Advance = SCAN.advance_motion;
    for (advance_motion, expected) in cases {
        let instance = motion(Table { advance_motion, checked_by_caller: 1, ..GOOD });
        let mut state = instance.initial_state().unwrap();
        let before = state.clone();
        let fault = instance.advance(&mut state, &input()).unwrap_err().to_string();
        assert!(fault.contains(expected), "{fault}");
        assert_eq!(state, before, "{expected}");
    }
}

/// P6: a state whose end panics is as it was, too.
#[test]
fn a_panic_at_a_states_end_leaves_no_trace() {
    #[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
    struct Fuse(u32);
    impl Drop for Fuse {
        fn drop(&mut self) {
            assert!(self.0 < 2 || std::thread::panicking(), "burnt down");
        }
    }
    struct Burning;
    impl Referee for Burning {
        const NAME: &'static str = "burning";
        const SUMMARY: &'static str = "Fails when its state is let go.";
        type Params = NoParams;
        type State = Encoded<Fuse>;

        fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
            Ok(Self)
        }
        fn initial_state(&self) -> Self::State {
            Encoded(Fuse(1))
        }
        fn judge(
            &self,
            state: &mut Self::State,
            _: &RefereeInput<'_>,
            orders: &mut Orders,
        ) -> Result<(), Fault> {
            state.0.0 += 1;
            orders.announce("burning");
            Ok(())
        }
    }
    let game = GameState::default();
    let input = RefereeInput {
        dt_secs: 0.01,
        view: view(),
        contacts: &[],
        waypoints: &[],
        motion_data: &[],
        game: game.view(),
        commands: "",
        noise: NoiseKey::default(),
    };
    let host = host(RefereeDoor::<Burning, ThisCrate>::TABLE);
    let referee = host.referee(&choice("burning"), &RefereeSetup::default()).unwrap();
    let mut state = referee.initial_state().unwrap();
    let (before, mut orders) = (state.clone(), Orders::default());
    let fault = referee.judge(&mut state, &input, &mut orders).unwrap_err().to_string();
    assert!(fault.contains("panicked: burnt down"), "{fault}");
    assert_eq!((state, orders.records.len()), (before, 0));
}

/// A sensor gives as many integers as its layout has, not one more or less.
#[test]
fn counts_are_counted() {
    extern "C" fn short(_: *const Instance, _: *const Generate, output: *mut QuantisedReply) -> i32 {
        // SAFETY: the host's block is valid.
        unsafe { (*output).quantised.len = 2 };
        status::OK
    }
    extern "C" fn long(_: *const Instance, _: *const Generate, output: *mut QuantisedReply) -> i32 {
        // SAFETY: the host's block is valid.
        unsafe { (*output).quantised.needed = 400 };
        status::BUFFER_TOO_SMALL
    }
    let setup = SensorSetup {
        robot: "r".into(),
        id: "s".into(),
        model: "m".into(),
        mount: Default::default(),
        dt_secs: 0.01,
        motion: MotionDescription::default(),
        teams: Vec::new(),
        team: None,
        fixtures: Vec::new(),
    };
    let read = |table: Table, len: usize| {
        let sensor = host(table).sensor(&choice("scan"), &setup).unwrap();
        assert_eq!((sensor.sensor_type(), sensor.is_stateless(), sensor.layout().len()), ("test", true, 3));
        let input = SensorInput {
            view: view(),
            robot: 0,
            robot_object: 0,
            robot_pose: Pose2::ORIGIN,
            robot_twist: Twist2::default(),
            sensor_pose: Pose2::ORIGIN,
            sensor_z_m: 0.0,
            motion_data: &[],
            data: &[],
            noise: NoiseKey::default(),
        };
        let mut quantised = vec![0; len];
        sensor.generate(&[], &input, &mut quantised).map(|()| quantised).map_err(|fault| fault.to_string())
    };
    assert_eq!(read(SCAN, 3), Ok(vec![1, 1, 1]));
    assert_eq!(read(SCAN, 4), Err("asked for 4 integers; its layout has 3".into()));
    let given = |n| {
        Err(format!("bad output: it gives {n} integers; its layout has 3: leave `quantised.len` as it came"))
    };
    assert_eq!(read(Table { generate: short, ..SCAN }, 3), given(2));
    let more = "bad output: it returned TL_BUFFER_TOO_SMALL; a sensor's reading never needs more room";
    assert_eq!(read(Table { generate: long, ..SCAN }, 3), Err(more.into()));
}

/// Buffers grow until all orders fit, and the texts of several givers do not get mixed up.
#[test]
fn orders_of_any_length_are_appended() {
    let game = GameState::default();
    let input = RefereeInput {
        dt_secs: 0.01,
        view: view(),
        contacts: &[],
        waypoints: &[],
        motion_data: &[],
        game: game.view(),
        commands: "",
        noise: NoiseKey::default(),
    };
    let judge = |table: Table, state: &mut Vec<u8>, orders: &mut Orders| {
        let referee = host(table).referee(&choice("talker"), &RefereeSetup::default()).unwrap();
        if state.is_empty() {
            *state = referee.initial_state().unwrap();
        }
        referee.judge(state, &input, orders).map_err(|fault| fault.to_string())
    };
    let (mut state, mut orders) = (Vec::new(), Orders::default());
    orders.say("before");
    judge(TALKER, &mut state, &mut orders).unwrap();
    judge(TALKER, &mut state, &mut orders).unwrap();
    let read: Vec<_> = orders.iter().map(Result::unwrap).collect();
    assert_eq!(read.len(), 2001);
    assert_eq!(read[0], Order::Say { channel: Channel::All, text: "before" });
    assert_eq!(read[1], Order::Announce("thing 0 of call 0"));
    assert_eq!(read[2000], Order::Announce("thing 999 of call 1"));

    extern "C" fn unreadable(
        _: *const Instance,
        _: *const touchline_plugin_api::abi::Judge,
        output: *mut OrdersReply,
    ) -> i32 {
        // SAFETY: the host's block is valid.
        let records = unsafe { &mut (*output).records };
        if records.cap == 0 {
            records.needed = 1;
            return status::BUFFER_TOO_SMALL;
        }
        // SAFETY: there is room for one; zeros are a record, with a code that nobody knows.
        unsafe { records.ptr.write_bytes(0, 1) };
        records.len = 1;
        status::OK
    }
    let (before, count) = (state.clone(), orders.records.len());
    let fault = judge(Table { judge: unreadable, checked_by_caller: 1, ..TALKER }, &mut state, &mut orders)
        .unwrap_err();
    assert_eq!(fault, "bad output: order 0 (code 0) is not readable");
    assert_eq!((state, orders.records.len()), (before, count));
}

/// P6: a plugin that asks for more room again and again is asked four times, and not until nothing is left.
#[test]
fn who_never_has_room_enough_is_stopped() {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    extern "C" fn more(
        _: *const Instance,
        _: *const touchline_plugin_api::abi::Judge,
        output: *mut OrdersReply,
    ) -> i32 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the host's block is valid.
        let text = unsafe { &mut (*output).text };
        text.needed = text.cap + 1;
        status::BUFFER_TOO_SMALL
    }
    let game = GameState::default();
    let input = RefereeInput {
        dt_secs: 0.01,
        view: view(),
        contacts: &[],
        waypoints: &[],
        motion_data: &[],
        game: game.view(),
        commands: "",
        noise: NoiseKey::default(),
    };
    let referee =
        host(Table { judge: more, ..TALKER }).referee(&choice("talker"), &RefereeSetup::default()).unwrap();
    let mut state = referee.initial_state().unwrap();
    let fault = referee.judge(&mut state, &input, &mut Orders::default()).unwrap_err().to_string();
    assert!(fault.contains("asks for more room again and again"), "{fault}");
    assert_eq!(CALLS.load(Relaxed), 4);
}

/// An instance that fails at its end is gone all the same, and one that cannot tell its state says so.
#[test]
fn ends_and_beginnings_may_fail() {
    extern "C" fn fails<I, O>(_: *const Instance, _: *const I, _: *mut O) -> i32 {
        status::FAULT
    }
    drop(motion(Table { destroy: fails, ..GOOD }));
    let instance = motion(Table { initial_state: fails::<Nothing, StateReply>, ..GOOD });
    assert_eq!(instance.initial_state(), Err(Fault::Reported("it does not say why".into())));
}
