//! A plugin that answers any bytes: statuses, lengths, records, JSON. What it gives is refused, or makes sense. (P1, P6, I6)
//!
//! It writes into its buffers only, as every plugin must ([`Table`]); what it says of them may be anything. What the fuzz target
//! `plugin` asks, and what is asked here of its corpus.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::path::Path;
use touchline_host::{AttemptResult, Host};
use touchline_plugin_api::abi::{
    Act, Buffer, Create, Created, Generate, INTERFACE_VERSION, Instance, Judge, MotionAdvance, MotionReply,
    Nothing, OrdersReply, Prepare, QuantisedReply, Reply, SensorAdvance, StateReply, Table, Text, kind_code,
    status,
};
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::{MAX_MOTION_DATA, MotionDescription, MotionInput, MotionSetup};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{OrderRecord, Orders};
use touchline_plugin_api::player::{PlayerInput, PlayerSetup, Readings};
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::referee::{PrepareInput, RefereeInput, RefereeSetup};
use touchline_plugin_api::sensor::{AdvanceInput, SensorInput, SensorSetup};
use touchline_plugin_api::view::WorldView;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;

const NAME: &str = "fuzzed";
/// A buffer is asked to be larger than this in one of many cases only: the memory is the fuzzer's.
const MOST_ASKED: u64 = 1 << 16;

thread_local! {
    /// What the plugin has still to say.
    static SCRIPT: Script = const { RefCell::new((Vec::new(), 0)) };
}

/// Its bytes, and where it goes on.
type Script = RefCell<(Vec<u8>, usize)>;

fn byte() -> u8 {
    SCRIPT.with_borrow_mut(|(bytes, at)| {
        let byte = bytes.get(*at).copied().unwrap_or_default();
        *at += 1;
        byte
    })
}

fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|_| byte()).collect()
}

fn word() -> u64 {
    u64::from_le_bytes(bytes(8).try_into().unwrap())
}

/// Any status; mostly that all went well.
fn any_status() -> i32 {
    match byte() % 16 {
        kind @ 1..=6 => i32::from(kind),
        7 => word() as i32,
        _ => status::OK,
    }
}

/// Fills a buffer from the script, and says of it what the script says.
///
/// # Safety
/// The buffer is valid.
unsafe fn fill<T>(buffer: &mut Buffer<T>, record_bytes: usize) {
    let mode = byte();
    if mode % 8 == 7 {
        // A lie, but about what is there: all that it may be said to have is written.
        // SAFETY: the buffer has so many places.
        unsafe { buffer.ptr.write_bytes(0, buffer.cap as usize) };
        (buffer.len, buffer.needed) = (word(), if mode < 16 { word() } else { word() % MOST_ASKED });
        return;
    }
    let count = u64::from(u16::from_le_bytes([byte(), byte()]) % 2048);
    buffer.needed = count;
    buffer.len = count.min(buffer.cap);
    for place in 0..buffer.len as usize {
        let record = bytes(record_bytes);
        // SAFETY: the place is in the buffer, and records are plain.
        unsafe { buffer.ptr.add(place).cast::<u8>().copy_from_nonoverlapping(record.as_ptr(), record_bytes) };
    }
}

/// Fills a buffer of text with a length of two bytes and what follows.
///
/// # Safety
/// The buffer is valid.
unsafe fn text(buffer: &mut Buffer<u8>, text: &[u8]) -> bool {
    buffer.needed = text.len() as u64;
    if buffer.needed > buffer.cap {
        return false;
    }
    // SAFETY: it fits.
    unsafe { buffer.ptr.copy_from_nonoverlapping(text.as_ptr(), text.len()) };
    buffer.len = buffer.needed;
    true
}

/// A JSON text of the script: its length, then its bytes. It is taken back if there is no room for it as yet.
unsafe fn said_text(buffer: &mut Buffer<u8>) -> i32 {
    let start = SCRIPT.with_borrow(|(_, at)| *at);
    let length = usize::from(u16::from_le_bytes([byte(), byte()]));
    let said = bytes(length);
    // SAFETY: the caller's promise.
    if unsafe { text(buffer, &said) } {
        return status::OK;
    }
    SCRIPT.with_borrow_mut(|(_, at)| *at = start);
    status::BUFFER_TOO_SMALL
}

fn description(kind: PluginKind) -> Vec<u8> {
    let params_schema = serde_json::json!({ "type": "object" });
    serde_json::to_vec(&PluginDescription {
        name: NAME.into(),
        kind,
        version: "1.0.0".into(),
        summary: "Answers anything.".into(),
        params_schema,
    })
    .unwrap()
}

unsafe extern "C" fn describe<const KIND: usize>(
    _: *const Instance,
    _: *const Nothing,
    out: *mut Text,
) -> i32 {
    // SAFETY: the host's block is valid.
    let buffer = unsafe { &mut (*out).text };
    // SAFETY: and so is the buffer.
    if unsafe { text(buffer, &description(PluginKind::ALL[KIND])) } {
        status::OK
    } else {
        status::BUFFER_TOO_SMALL
    }
}

unsafe extern "C" fn describe_anything(_: *const Instance, _: *const Nothing, out: *mut Text) -> i32 {
    // SAFETY: the host's block is valid.
    unsafe { said_text(&mut (*out).text) }
}

unsafe extern "C" fn create(_: *const Instance, _: *const Create, out: *mut Created) -> i32 {
    static INSTANCE: u8 = 0;
    // SAFETY: the host's block is valid.
    let out = unsafe { &mut *out };
    // SAFETY: and so is its buffer.
    if unsafe { said_text(&mut out.text) } == status::BUFFER_TOO_SMALL {
        return status::BUFFER_TOO_SMALL;
    }
    let status = any_status();
    if status != status::OK || byte() % 16 != 15 {
        out.instance = (&raw const INSTANCE).cast_mut().cast();
    }
    status
}

unsafe extern "C" fn destroy(_: *const Instance, _: *const Nothing, out: *mut Reply) -> i32 {
    // SAFETY: the host's block is valid.
    unsafe { fill(&mut (*out).message, 1) };
    any_status()
}

unsafe extern "C" fn with_state<I>(_: *const Instance, _: *const I, out: *mut StateReply) -> i32 {
    // SAFETY: the host's block is valid.
    unsafe {
        fill(&mut (*out).state, 1);
        fill(&mut (*out).message, 1);
    }
    any_status()
}

unsafe extern "C" fn advance(_: *const Instance, _: *const MotionAdvance, out: *mut MotionReply) -> i32 {
    // SAFETY: the host's block is valid, and the output is plain numbers.
    unsafe {
        fill(&mut (*out).state, 1);
        let said = bytes(size_of_val(&(*out).output));
        (&raw mut (*out).output).cast::<u8>().copy_from_nonoverlapping(said.as_ptr(), said.len());
    }
    any_status()
}

unsafe extern "C" fn generate(_: *const Instance, _: *const Generate, out: *mut QuantisedReply) -> i32 {
    let status = any_status();
    // Mostly the length is left as it came, or nothing would ever be accepted.
    if byte().is_multiple_of(4) {
        // SAFETY: the host's block is valid.
        unsafe { fill(&mut (*out).quantised, 4) };
    }
    status
}

unsafe extern "C" fn order<I>(_: *const Instance, _: *const I, out: *mut OrdersReply) -> i32 {
    // SAFETY: the host's block is valid.
    unsafe {
        fill(&mut (*out).state, 1);
        fill(&mut (*out).records, size_of::<OrderRecord>());
        fill(&mut (*out).text, 1);
    }
    any_status()
}

const fn table(kind: PluginKind) -> Table {
    Table {
        interface_version: INTERFACE_VERSION,
        kind: kind_code(kind),
        unwinds: 1,
        checked_by_caller: 1,
        describe: describe_anything,
        create,
        destroy,
        initial_state: with_state::<Nothing>,
        advance_motion: advance,
        advance_sensor: with_state::<SensorAdvance>,
        generate,
        act: order::<Act>,
        prepare: order::<Prepare>,
        judge: order::<Judge>,
    }
}

static MOTION: Table = Table { describe: describe::<0>, ..table(PluginKind::ALL[0]) };
static SENSOR: Table = Table { describe: describe::<1>, ..table(PluginKind::ALL[1]) };
static PLAYER: Table = Table { describe: describe::<2>, ..table(PluginKind::ALL[2]) };
static REFEREE: Table = Table { describe: describe::<3>, ..table(PluginKind::ALL[3]) };
static ANY: [Table; 4] = [
    table(PluginKind::ALL[0]),
    table(PluginKind::ALL[1]),
    table(PluginKind::ALL[2]),
    table(PluginKind::ALL[3]),
];

fn host(table: &'static Table) -> (Host, bool) {
    let mut host = Host::default();
    // SAFETY: the table's functions write into their buffers only.
    let attempt = unsafe { host.add_linked(Path::new("fuzzed"), table) };
    let is_loaded = matches!(attempt.result, AttemptResult::Loaded(_));
    let _ = attempt.to_string();
    (host, is_loaded)
}

/// The first byte says what the plugin is, the rest what it answers.
pub fn answers(script: &[u8]) {
    let Some((&first, rest)) = script.split_first() else { return };
    SCRIPT.with_borrow_mut(|script| *script = (rest.to_vec(), 0));
    match first % 5 {
        0 => motion(),
        1 => sensor(),
        2 => player(),
        3 => referee(),
        _ => {
            let table = &ANY[usize::from(byte() % 4)];
            let _ = host(table);
        }
    }
}

fn choice() -> PluginChoice {
    PluginChoice::new(NAME, serde_json::json!({}))
}

fn view() -> WorldView<'static> {
    WorldView::new(1, 0.01, &[], &[])
}

fn motion() {
    let (host, is_loaded) = host(&MOTION);
    assert!(is_loaded);
    let Ok(motion) = host.motion(&choice(), &MotionSetup { robot: "r".into(), dt_secs: 0.01 }) else {
        return;
    };
    for dimension in &motion.description().dimensions {
        assert!(dimension.min <= dimension.max && dimension.min.is_finite() && dimension.max.is_finite());
    }
    let data = motion.description().data.len();
    assert!(data <= MAX_MOTION_DATA);
    let mut state = motion.initial_state().unwrap_or_default();
    for _ in 0..3 {
        let (twist, noise) = (Twist2::default(), NoiseKey::default());
        let input =
            MotionInput { dt_secs: 0.01, command: &[], data: &[], achieved: Twist2::ZERO, twist, noise };
        let before = state.clone();
        match motion.advance(&mut state, &input) {
            Ok(output) => {
                assert!(output.twist.is_finite() && output.end_twist.is_finite());
                assert!(output.data.iter().all(|datum| datum.is_finite()));
                assert!(output.data[data..].iter().all(|&datum| datum == 0.0));
            }
            Err(fault) => assert!(state == before && !fault.to_string().is_empty()),
        }
    }
}

fn sensor() {
    let (host, is_loaded) = host(&SENSOR);
    assert!(is_loaded);
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
    let Ok(sensor) = host.sensor(&choice(), &setup) else { return };
    let len = sensor.layout().len();
    if len > MOST_ASKED as usize {
        return;
    }
    let mut state = sensor.initial_state().unwrap_or_default();
    let (pose, noise) = (Pose2::ORIGIN, NoiseKey::default());
    for _ in 0..3 {
        let before = state.clone();
        let advance = AdvanceInput {
            dt_secs: 0.01,
            displacement: pose,
            twist: Twist2::ZERO,
            pose,
            motion_data: &[],
            data: &[],
            inbox: Inbox::default(),
            noise,
        };
        assert!(sensor.advance(&mut state, &advance).is_ok() || state == before);
        let input = SensorInput {
            view: view(),
            robot: 0,
            robot_object: 0,
            robot_pose: pose,
            robot_twist: Twist2::default(),
            sensor_pose: pose,
            sensor_z_m: 0.0,
            motion_data: &[],
            data: &[],
            noise,
        };
        let mut quantised = vec![0; len];
        let _ = sensor.generate(&state, &input, &mut quantised);
    }
}

fn player() {
    let (host, is_loaded) = host(&PLAYER);
    assert!(is_loaded);
    let setup = PlayerSetup::default();
    let Ok(player) = host.player(&choice(), &setup) else { return };
    assert!(player.wanted_sensors().is_empty(), "the robot has no sensors");
    let (mut state, game) = (player.initial_state().unwrap_or_default(), GameState::default());
    let input = PlayerInput {
        robot: 0,
        elapsed_secs: 0.01,
        readings: Readings { catalogue: &setup.robot.sensors, spans: &[], quantised: &[], stamp_secs: 0.0 },
        manipulators: &[],
        inbox: Inbox::default(),
        motion_data: &[],
        game: game.view(),
        view: view(),
        noise: NoiseKey::default(),
    };
    ordered(&mut state, |state, orders| player.sense_and_act(state, &input, orders).is_ok());
}

fn referee() {
    let (host, is_loaded) = host(&REFEREE);
    assert!(is_loaded);
    let Ok(referee) = host.referee(&choice(), &RefereeSetup::default()) else { return };
    let description = referee.description();
    assert!(
        !description.phases.is_empty() && description.values.iter().all(|value| value.initial.is_finite())
    );
    let (mut state, game) = (referee.initial_state().unwrap_or_default(), GameState::default());
    let (noise, dt_secs) = (NoiseKey::default(), 0.01);
    let prepare = PrepareInput {
        dt_secs,
        view: view(),
        commands: &[],
        kicks: &[],
        motion_data: &[],
        game: game.view(),
        noise,
    };
    let judge = RefereeInput {
        dt_secs,
        view: view(),
        contacts: &[],
        waypoints: &[],
        motion_data: &[],
        game: game.view(),
        commands: "",
        noise,
    };
    ordered(&mut state, |state, orders| referee.prepare(state, &prepare, orders).is_ok());
    ordered(&mut state, |state, orders| referee.judge(state, &judge, orders).is_ok());
}

/// Orders are appended, all of them readable; or state and orders are as they were.
fn ordered(state: &mut Vec<u8>, mut call: impl FnMut(&mut Vec<u8>, &mut Orders) -> bool) {
    let mut orders = Orders::default();
    orders.say("before");
    for _ in 0..3 {
        let (state_before, orders_before) = (state.clone(), orders.records.len());
        if call(state, &mut orders) {
            assert!(orders.check().is_ok() && orders.iter().all(|order| order.is_ok()));
        } else {
            assert!(*state == state_before && orders.records.len() == orders_before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    /// A script: what it is, what it says of itself, and then calls that go well.
    fn script(kind: u8, json: &str, calls: &[u8]) -> Vec<u8> {
        let length = (json.len() as u16).to_le_bytes();
        [&[kind][..], &length, json.as_bytes(), &[0, 0], calls].concat()
    }

    fn made() -> Vec<Vec<u8>> {
        let mut orders = Orders::default();
        orders.drive(&[0.5, -1.0]);
        orders.say("hello");
        orders.annotate("key", &serde_json::json!([1, 2]));
        orders.place_ball(0, [0.5, 0.5], [0.0; 2]);
        orders.event("goal", Some(0), "for blue");
        orders.set_game(&GameState::default());
        orders.end_episode("goal");
        let count = |count: usize| [&[0][..], &(count as u16).to_le_bytes()].concat();
        let records: &[u8] = bytemuck::cast_slice(&orders.records);
        let one = [
            &count(3)[..],
            b"abc",
            &count(orders.records.len()),
            records,
            &count(orders.text.len()),
            &orders.text,
            &[0],
        ]
        .concat();
        let calls = [&count(2)[..], b"xy", &count(0), &[0], &one, &one, &one].concat();
        let motion = r#"{"dimensions":[{"name":"forward","min":-1.0,"max":1.0,"unit":"m/s"}],"data":[]}"#;
        let layout = r#"{"sensor_type":"test","stateless":false,"layout":{"features":[{"name":"f","fields":[{"name":"v","unit":"1","scale":1.0,"signed":false,"shape":[3]}]}]},"data":[{"name":"width","unit":"rad","min":0.0,"max":2.0,"initial":1.0}]}"#;
        let game = r#"{"phases":["play"],"restarts":["kick-off"],"values":[{"name":"half","initial":1.0}]}"#;
        vec![
            script(0, motion, &calls),
            script(1, layout, &calls),
            script(2, "[]", &calls),
            script(3, game, &calls),
            script(3, "null", &calls),
            [
                &[4, 2][..],
                &script(0, std::str::from_utf8(&description(PluginKind::ALL[2])).unwrap(), &[])[1..],
            ]
            .concat(),
        ]
    }

    #[test]
    fn a_thousand_mutants_do_no_harm() {
        replay("plugin", made(), answers);
    }
}
