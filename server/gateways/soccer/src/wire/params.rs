//! The messages of parameters, each as the real server writes it for a version of the protocol.

use crate::number::General;
use std::fmt::Write;
use touchline_soccer_law::params::{ParamRow, ParamValue, PlayerParams, ServerParams};
use touchline_soccer_law::player_type::PlayerType;

/// Version of monitors and logs: they are told all.
pub const ALL: u32 = u32::MAX;

/// `server_param` for clients of a version: named and by the alphabet from version 8 on, before that numbers in a fixed order.
pub fn server_param(server: &ServerParams, version: u32) -> String {
    if version < 8 { server_in_order(server) } else { named("server_param ", server.alphabetical(), version) }
}

/// `player_param` for clients of a version.
pub fn player_param(player: &PlayerParams, version: u32) -> String {
    if version < 8 { player_in_order(player) } else { named("player_param ", player.alphabetical(), version) }
}

/// `player_type` of this number for clients of a version.
pub fn player_type(id: usize, player_type: &PlayerType, version: u32) -> String {
    let values = type_values(player_type);
    let mut text = String::new();
    if version < 8 {
        let _ = write!(text, "(player_type {id}");
        for (_, _, value) in values.iter().filter(|(since, ..)| *since <= 7) {
            let _ = write!(text, " {}", General(*value));
        }
    } else {
        let _ = write!(text, "(player_type (id {id})");
        for (_, name, value) in values.iter().filter(|(since, ..)| *since <= version) {
            let _ = write!(text, "({name} {})", General(*value));
        }
    }
    text.push(')');
    text
}

/// All values of a type: the version that is told first, name and value, in the wire's order.
pub type TypeValues = [(u32, &'static str, f64); 29];

/// All values of a type.
pub fn type_values(player_type: &PlayerType) -> TypeValues {
    let (sight, noise) = (&player_type.sight, &player_type.noise);
    [
        (7, "player_speed_max", player_type.player_speed_max),
        (7, "stamina_inc_max", player_type.stamina_inc_max),
        (7, "player_decay", player_type.player_decay),
        (7, "inertia_moment", player_type.inertia_moment),
        (7, "dash_power_rate", player_type.dash_power_rate),
        (7, "player_size", player_type.player_size),
        (7, "kickable_margin", player_type.kickable_margin),
        (7, "kick_rand", player_type.kick_rand),
        (7, "extra_stamina", player_type.extra_stamina),
        (7, "effort_max", player_type.effort_max),
        (7, "effort_min", player_type.effort_min),
        (14, "kick_power_rate", player_type.kick_power_rate),
        (14, "foul_detect_probability", player_type.foul_detect_probability),
        (14, "catchable_area_l_stretch", player_type.catchable_area_l_stretch),
        (18, "unum_far_length", sight.unum_far_length),
        (18, "unum_too_far_length", sight.unum_too_far_length),
        (18, "team_far_length", sight.team_far_length),
        (18, "team_too_far_length", sight.team_too_far_length),
        (18, "player_max_observation_length", sight.player_max_observation_length),
        (18, "ball_vel_far_length", sight.ball_vel_far_length),
        (18, "ball_vel_too_far_length", sight.ball_vel_too_far_length),
        (18, "ball_max_observation_length", sight.ball_max_observation_length),
        (18, "flag_chg_far_length", sight.flag_chg_far_length),
        (18, "flag_chg_too_far_length", sight.flag_chg_too_far_length),
        (18, "flag_max_observation_length", sight.flag_max_observation_length),
        (19, "dist_noise_rate", noise.dist_noise_rate),
        (19, "focus_dist_noise_rate", noise.focus_dist_noise_rate),
        (19, "land_dist_noise_rate", noise.land_dist_noise_rate),
        (19, "land_focus_dist_noise_rate", noise.land_focus_dist_noise_rate),
    ]
}

fn named(kind: &str, values: Vec<(&ParamRow, ParamValue<'_>)>, version: u32) -> String {
    let mut text = format!("({kind}");
    for (row, value) in values.into_iter().filter(|(row, _)| row.since <= version) {
        let _ = write!(text, "({} ", row.name);
        push(&mut text, value);
        text.push(')');
    }
    text.push(')');
    text
}

fn push(text: &mut String, value: ParamValue<'_>) {
    let _ = match value {
        ParamValue::Real(number) => write!(text, "{}", General(number)),
        ParamValue::Integer(number) => write!(text, "{number}"),
        ParamValue::Flag(flag) => write!(text, "{}", u8::from(flag)),
        ParamValue::Text(value) => write!(text, "\"{value}\""),
    };
}

/// One number of the positional messages.
enum Place {
    /// The parameter of this name.
    Named(&'static str),
    /// A number that comes from others.
    Derived(fn(&ServerParams) -> f64),
    /// Seven numbers that nobody uses any more.
    Gone,
}

/// The order of version 7.
const SERVER_ORDER: &[Place] = {
    use Place::{Derived, Gone, Named as N};
    &[
        N("goal_width"),
        N("inertia_moment"),
        N("player_size"),
        N("player_decay"),
        N("player_rand"),
        N("player_weight"),
        N("player_speed_max"),
        N("player_accel_max"),
        N("stamina_max"),
        N("stamina_inc_max"),
        N("recover_init"),
        N("recover_dec_thr"),
        N("recover_min"),
        N("recover_dec"),
        N("effort_init"),
        N("effort_dec_thr"),
        N("effort_min"),
        N("effort_dec"),
        N("effort_inc_thr"),
        N("effort_inc"),
        N("kick_rand"),
        N("team_actuator_noise"),
        N("prand_factor_l"),
        N("prand_factor_r"),
        N("kick_rand_factor_l"),
        N("kick_rand_factor_r"),
        N("ball_size"),
        N("ball_decay"),
        N("ball_rand"),
        N("ball_weight"),
        N("ball_speed_max"),
        N("ball_accel_max"),
        N("dash_power_rate"),
        N("kick_power_rate"),
        N("kickable_margin"),
        N("control_radius"),
        Derived(|server| server.control_radius - server.player_size),
        N("maxpower"),
        N("minpower"),
        N("maxmoment"),
        N("minmoment"),
        N("maxneckmoment"),
        N("minneckmoment"),
        N("maxneckang"),
        N("minneckang"),
        N("visible_angle"),
        N("visible_distance"),
        N("wind_dir"),
        N("wind_force"),
        N("wind_ang"),
        N("wind_rand"),
        Derived(ServerParams::kickable_area_m),
        N("catchable_area_l"),
        N("catchable_area_w"),
        N("catch_probability"),
        N("goalie_max_moves"),
        N("ckick_margin"),
        N("offside_active_area_size"),
        N("wind_none"),
        N("wind_random"),
        N("say_coach_cnt_max"),
        N("say_coach_msg_size"),
        N("clang_win_size"),
        N("clang_define_win"),
        N("clang_meta_win"),
        N("clang_advice_win"),
        N("clang_info_win"),
        N("clang_mess_delay"),
        N("clang_mess_per_cycle"),
        Derived(|server| f64::from(server.half_time_cycles())),
        Derived(|server| slowed(server, server.simulator_step)),
        Derived(|server| slowed(server, server.send_step)),
        N("recv_step"),
        Derived(|server| slowed(server, server.sense_body_step)),
        Derived(|server| server.schedule_ms() as f64),
        N("say_msg_size"),
        N("hear_max"),
        N("hear_inc"),
        N("hear_decay"),
        N("catch_ban_cycle"),
        N("slow_down_factor"),
        N("use_offside"),
        N("forbid_kick_off_offside"),
        N("offside_kick_margin"),
        N("audio_cut_dist"),
        N("quantize_step"),
        N("quantize_step_l"),
        Gone,
        N("coach"),
        N("coach_w_referee"),
        N("old_coach_hear"),
        Derived(|server| slowed(server, server.send_vi_step)),
        N("start_goal_l"),
        N("start_goal_r"),
        N("fullstate_l"),
        N("fullstate_r"),
        N("drop_ball_time"),
    ]
};

fn slowed(server: &ServerParams, step_ms: i32) -> f64 {
    f64::from(step_ms) * f64::from(server.slow_down_factor)
}

fn server_in_order(server: &ServerParams) -> String {
    let mut text = "(server_param".to_owned();
    for place in SERVER_ORDER {
        match place {
            Place::Named(name) => {
                text.push(' ');
                push(&mut text, server.get(name).unwrap_or(ParamValue::Integer(0)));
            }
            Place::Derived(number) => {
                let _ = write!(text, " {}", General(number(server)));
            }
            Place::Gone => text.push_str(&" -1".repeat(7)),
        }
    }
    text.push(')');
    text
}

/// Those of version 7 stand in their order already.
fn player_in_order(player: &PlayerParams) -> String {
    let mut text = "(player_param".to_owned();
    for row in PlayerParams::ROWS.iter().filter(|row| row.since <= 7) {
        text.push(' ');
        push(&mut text, player.get(row.name).unwrap_or(ParamValue::Integer(0)));
    }
    text.push(')');
    text
}

/// All parameters and types as monitors of JSON are told them.
pub fn as_json(server: &ServerParams, player: &PlayerParams, types: &[TypeValues]) -> Vec<String> {
    let object = |kind: &str, values: Vec<(&ParamRow, ParamValue<'_>)>| {
        let values: Vec<_> = values.into_iter().map(|(row, value)| json_pair(row.name, value)).collect();
        format!("{{\"{kind}\":{{{}}}}}", values.join(","))
    };
    let heads =
        [object("server_param", server.alphabetical()), object("player_param", player.alphabetical())];
    let types = types.iter().enumerate().map(|(id, values)| {
        let values = values.map(|(_, name, value)| json_pair(name, ParamValue::Real(value)));
        format!("{{\"player_type\":{{\"id\":{id},{}}}}}", values.join(","))
    });
    heads.into_iter().chain(types).collect()
}

fn json_pair(name: &str, value: ParamValue<'_>) -> String {
    match value {
        ParamValue::Real(number) => format!("\"{name}\":{}", General(number)),
        ParamValue::Integer(number) => format!("\"{name}\":{number}"),
        ParamValue::Flag(flag) => format!("\"{name}\":{flag}"),
        ParamValue::Text(text) => format!("\"{name}\":\"{}\"", text.replace('\\', "\\\\")),
    }
}
