//! Every struct, field and constant of `plugin.h` against the Rust types.

use super::{compile, folder, include};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use touchline_plugin_api::abi::{
    Act, Buffer, CTable, Create, Created, GameView, Generate, Head, INTERFACE_VERSION, Judge, MotionAdvance,
    MotionReply, Nothing, OrdersReply, Prepare, QuantisedReply, Reply, SensorAdvance, Slice, StateReply,
    Text, View, kind_code, status,
};
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::game::{Head as GameHead, Restart, TeamState};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::grid::GridFrame;
use touchline_plugin_api::motion::{MAX_DIMENSIONS, MAX_MOTION_DATA, MotionOutput};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{OrderRecord, code};
use touchline_plugin_api::player::{DataRecord, ManipulatorStatus, ReadingSpan};
use touchline_plugin_api::plugin::PluginKind;
use touchline_plugin_api::radio::{Channel, MessageRecord, Sender};
use touchline_plugin_api::referee::{CommandRecord, ContactRecord, KickRecord, WaypointRecord};
use touchline_plugin_api::sensor::MAX_SENSOR_DATA;
use touchline_plugin_api::view::{NONE, Object, ObjectKind, Role, Shape, ShapeKind};

/// The length of the field that a function picks.
fn field_size<T, F>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// For each struct its C name and the assertions of its length and of each field's place and length. A field that is not named here
/// does not compile.
macro_rules! records {
    ($($c:literal = $name:ident $(<$of:ty>)? { $($field:ident),* })*) => {{
        let mut records: Vec<(&str, String)> = Vec::new();
        $({
            type Record = $name $(<$of>)?;
            let _complete = |record: Record| { let $name { $($field: _),* } = record; };
            let mut text = format!("TL_ASSERT(sizeof({0}) == {1});\n", $c, size_of::<Record>());
            $(
                let (place, size) = (std::mem::offset_of!(Record, $field), field_size(|record: &Record| &record.$field));
                writeln!(text, "TL_ASSERT(offsetof({0}, {1}) == {place});", $c, stringify!($field)).unwrap();
                let narrow = if ["ptr", "instance"].contains(&stringify!($field)) { "TL_WIDE_" } else { "TL_" };
                writeln!(text, "{narrow}ASSERT(sizeof((({0} *)0)->{1}) == {size});", $c, stringify!($field)).unwrap();
            )*
            records.push(($c, text));
        })*
        records
    }};
}

fn records() -> Vec<(&'static str, String)> {
    records! {
        "tl_pose" = Pose2 { x_m, y_m, theta_rad }
        "tl_twist" = Twist2 { x_m_s, y_m_s, turn_rad_s }
        "tl_noise_key" = NoiseKey { owner, step }
        "tl_vertical" = Vertical { z_m, speed_m_s }
        "tl_object" = Object { pose, twist, radius_m, vertical, kind_code, number, team, colour, first_shape, shape_count, shirt, reserved }
        "tl_shape" = Shape {
            x_m, y_m, cos, sin, half_x_m, half_y_m, corner_b, corner_c, z_bottom_m, z_top_m, radius_m, kind_code,
            role_code, object, team, colour, solid
        }
        "tl_restart" = Restart { place, deadline_secs, kind, team }
        "tl_team" = TeamState { score, may_move, reserved }
        "tl_game_head" = GameHead { clock_secs, restart, phase, episode, teams, values }
        "tl_game" = GameView { clock_secs, restart, phase, episode, teams, values }
        "tl_manipulator" = ManipulatorStatus { state, has_ball, ready_in_secs }
        "tl_reading_span" = ReadingSpan { start, len, stamp_secs }
        "tl_message" = MessageRecord { from, start, len, channel, sender, from_team, from_shirt, reserved, bearing_rad }
        "tl_data" = DataRecord { robot, len, values }
        "tl_contact" = ContactRecord { object_a, object_b, began, fixture }
        "tl_waypoint" = WaypointRecord { object, reserved, x_m, y_m, z_m, secs }
        "tl_order" = OrderRecord { code, target, index, text_start, text_len, text_split, values }
        "tl_motion_output" = MotionOutput { twist, end_twist, data }
        "tl_text_slice" = Slice<u8> { ptr, len }
        "tl_byte_slice" = Slice<u8> { ptr, len }
        "tl_number_slice" = Slice<f64> { ptr, len }
        "tl_quantised_slice" = Slice<u32> { ptr, len }
        "tl_object_slice" = Slice<Object> { ptr, len }
        "tl_shape_slice" = Slice<Shape> { ptr, len }
        "tl_reading_slice" = Slice<ReadingSpan> { ptr, len }
        "tl_manipulator_slice" = Slice<ManipulatorStatus> { ptr, len }
        "tl_message_slice" = Slice<MessageRecord> { ptr, len }
        "tl_data_slice" = Slice<DataRecord> { ptr, len }
        "tl_contact_slice" = Slice<ContactRecord> { ptr, len }
        "tl_waypoint_slice" = Slice<WaypointRecord> { ptr, len }
        "tl_team_slice" = Slice<TeamState> { ptr, len }
        "tl_text_buffer" = Buffer<u8> { ptr, len, cap, needed }
        "tl_byte_buffer" = Buffer<u8> { ptr, len, cap, needed }
        "tl_quantised_buffer" = Buffer<u32> { ptr, len, cap, needed }
        "tl_order_buffer" = Buffer<OrderRecord> { ptr, len, cap, needed }
        "tl_head" = Head { size, version }
        "tl_grid" = GridFrame { x_m, y_m, cell_m, radius_m, columns, rows, first, reserved }
        "tl_grid_slice" = Slice<GridFrame> { ptr, len }
        "tl_index_slice" = Slice<u32> { ptr, len }
        "tl_view" = View { step, time_secs, objects, shapes, grid, cells }
        "tl_nothing" = Nothing { head }
        "tl_create" = Create { head, params, setup }
        "tl_motion_advance" = MotionAdvance { head, dt_secs, command, data, achieved, twist, noise }
        "tl_sensor_advance" = SensorAdvance { head, dt_secs, displacement, twist, pose, motion_data, data, inbox_records, inbox_text, noise }
        "tl_generate" = Generate {
            head, view, robot, robot_object, robot_pose, robot_twist, sensor_pose, sensor_z_m, motion_data, data,
            noise, state
        }
        "tl_act" = Act {
            head, robot, reserved, elapsed_secs, stamp_secs, spans, quantised, manipulators, inbox_records, inbox_text,
            motion_data, game, view, noise
        }
        "tl_command" = CommandRecord { robot, len, values }
        "tl_kick" = KickRecord { robot, manipulator, state, reserved, strength, direction_rad, elevation_rad }
        "tl_command_slice" = Slice<CommandRecord> { ptr, len }
        "tl_kick_slice" = Slice<KickRecord> { ptr, len }
        "tl_prepare" = Prepare { head, dt_secs, view, commands, kicks, motion_data, game, noise }
        "tl_judge" = Judge { head, dt_secs, view, contacts, waypoints, motion_data, game, commands, noise }
        "tl_reply" = Reply { head, message }
        "tl_text_reply" = Text { head, message, text }
        "tl_created" = Created { head, message, instance, text }
        "tl_state_reply" = StateReply { head, message, state }
        "tl_motion_reply" = MotionReply { head, message, state, output }
        "tl_quantised_reply" = QuantisedReply { head, message, quantised }
        "tl_orders_reply" = OrdersReply { head, message, state, records, text }
        "touchline_plugin" = CTable {
            interface_version, kind, size, reserved, describe, create, destroy, initial_state, advance_motion,
            advance_sensor, generate, act, prepare, judge
        }
    }
}

/// All constants, by their names in C.
fn constants() -> Vec<(String, u64)> {
    let fixed: [(&str, u64); 5] = [
        ("TL_INTERFACE_VERSION", INTERFACE_VERSION.into()),
        ("TL_NONE", NONE.into()),
        ("TL_MAX_DIMENSIONS", MAX_DIMENSIONS as u64),
        ("TL_MAX_MOTION_DATA", MAX_MOTION_DATA as u64),
        ("TL_MAX_SENSOR_DATA", MAX_SENSOR_DATA as u64),
    ];
    let statuses = [
        ("TL_OK", status::OK),
        ("TL_BUFFER_TOO_SMALL", status::BUFFER_TOO_SMALL),
        ("TL_FAULT", status::FAULT),
        ("TL_PANIC", status::PANIC),
        ("TL_BAD_BLOCK", status::BAD_BLOCK),
        ("TL_UNSUPPORTED", status::UNSUPPORTED),
        ("TL_SETUP", status::SETUP),
    ];
    let orders = [
        ("DRIVE", code::DRIVE),
        ("DRIVE_TWIST", code::DRIVE_TWIST),
        ("MANIPULATE", code::MANIPULATE),
        ("SAY", code::SAY),
        ("PLACE_ROBOT", code::PLACE_ROBOT),
        ("PLACE_BALL", code::PLACE_BALL),
        ("ANNOTATE", code::ANNOTATE),
        ("END", code::END),
        ("GAME", code::GAME),
        ("EVENT", code::EVENT),
        ("ANNOUNCE", code::ANNOUNCE),
        ("RESET_OBJECTS", code::RESET_OBJECTS),
        ("REWARD", code::REWARD),
        ("END_EPISODE", code::END_EPISODE),
        ("REMOVE_ROBOT", code::REMOVE_ROBOT),
        ("HOLD_ROBOT", code::HOLD_ROBOT),
        ("SET_DATUM", code::SET_DATUM),
        ("MEASURE", code::MEASURE),
        ("TELL", code::TELL),
        ("REFUSE_KICK", code::REFUSE_KICK),
        ("SET_SENSOR", code::SET_SENSOR),
        ("EXCHANGE_PLAYER", code::EXCHANGE_PLAYER),
        ("RULE", code::RULE),
    ];
    let mut all: Vec<(String, u64)> = fixed.map(|(name, value)| (name.to_owned(), value)).to_vec();
    all.extend(statuses.map(|(name, value)| (name.to_owned(), value as u64)));
    all.extend(orders.map(|(name, value)| (format!("TL_ORDER_{name}"), value.into())));
    // The other words are those that serde writes.
    let named = |prefix: &str, word: serde_json::Value, value: u32| {
        (format!("TL_{prefix}_{}", word.as_str().unwrap().to_uppercase().replace('-', "_")), u64::from(value))
    };
    let word = |value: serde_json::Result<serde_json::Value>| value.unwrap();
    for kind in PluginKind::ALL {
        all.push(named("KIND", word(serde_json::to_value(kind)), kind_code(kind)));
    }
    for kind in [ObjectKind::Fixtures, ObjectKind::Ball, ObjectKind::Robot] {
        all.push(named("OBJECT", word(serde_json::to_value(kind)), kind as u32));
    }
    for channel in Channel::ALL {
        all.push(named("CHANNEL", word(serde_json::to_value(channel)), channel as u32));
    }
    for sender in [Sender::Robot, Sender::TeamPlayer, Sender::Referee] {
        all.push(named("SENDER", word(serde_json::to_value(sender)), sender as u32));
    }
    for kind in [ShapeKind::Rectangle, ShapeKind::Ellipse, ShapeKind::Triangle] {
        all.push(named("SHAPE", word(serde_json::to_value(kind)), kind as u32));
    }
    for role in [Role::None, Role::Wall, Role::Goal, Role::Pole, Role::Line, Role::Marker, Role::Area] {
        all.push(named("ROLE", word(serde_json::to_value(role)), role.code()));
    }
    all
}

/// P7: a struct, field or constant that is other than in Rust, or missing on one side, fails the build of this test's C file.
#[test]
fn the_header_is_what_rust_says() {
    let header = std::fs::read_to_string(include().join("touchline/plugin.h")).unwrap();
    let records = records();
    let structs: BTreeSet<&str> =
        header.split("typedef struct ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
    let known: BTreeSet<&str> = records.iter().map(|(name, _)| *name).chain(["tl_instance"]).collect();
    assert_eq!(structs, known);

    let constants = constants();
    let numbered = header.split_whitespace().collect::<Vec<_>>();
    let is_constant =
        |word: &str| word.starts_with("TL_") && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let in_enums =
        numbered.windows(2).filter(|pair| pair[1] == "=" && is_constant(pair[0])).map(|pair| pair[0]);
    let defined =
        numbered.windows(2).filter(|pair| pair[0] == "#define" && is_constant(pair[1])).map(|pair| pair[1]);
    let in_header: BTreeSet<&str> = in_enums.chain(defined).filter(|word| *word != "TL_EXPORT").collect();
    let known: BTreeSet<&str> = constants.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(in_header, known);

    let mut text = String::from(
        "#include <touchline/plugin.h>\n#ifdef __cplusplus\n#define TL_ASSERT(fact) static_assert(fact, #fact)\n#else\n\
         #define TL_ASSERT(fact) _Static_assert(fact, #fact)\n#endif\n\
         #ifdef TL_NARROW\n#define TL_WIDE_ASSERT(fact) TL_ASSERT(1)\n#else\n#define TL_WIDE_ASSERT TL_ASSERT\n#endif\n",
    );
    for (name, value) in &constants {
        writeln!(text, "TL_ASSERT({name} == {value}u);").unwrap();
    }
    // Functions are called in the plugin's own program: their table need not be the same.
    let is_table = |name: &str| name == "touchline_plugin";
    records.iter().filter(|(name, _)| !is_table(name)).for_each(|(_, record)| text += record);
    text += "#ifndef TL_NARROW\n";
    records.iter().filter(|(name, _)| is_table(name)).for_each(|(_, record)| text += record);
    text += "#endif\n";
    let folder = folder("layout");
    let source = folder.join("layout.c").display().to_string();
    let object = folder.join("layout.o").display().to_string();
    std::fs::write(&source, text).unwrap();
    compile("cc", &["-std=c11", "-c", &source, "-o", &object]);
    compile("c++", &["-std=c++17", "-x", "c++", "-c", &source, "-o", &object]);
    // P7: as on a machine of 32 bits whose 64-bit numbers lie at multiples of eight, such as WebAssembly: every block, record, slice and buffer
    // has the same length and the same places.
    let narrow = ["-m32", "-malign-double", "-ffreestanding", "-DTL_NARROW"];
    if cfg!(target_arch = "x86_64") {
        compile("cc", &[&narrow[..], &["-std=c11", "-c", &source, "-o", &object]].concat());
    }
}
