//! Records of fixed size, as monitors of versions 1 and 2 and logs of versions 1 to 3 have them: numbers with the highest byte first. Pads are zeros,
//! where the real server sends and writes whatever its memory holds.

use super::params::TypeValues;
use crate::PlayMode;
use crate::log::{Player, STAMINA, Show, Team, VIEW};
use touchline_soccer_law::face::{Side, TEAM_SIZE};
use touchline_soccer_law::params::{ParamValue, PlayerParams, ServerParams};

/// Bytes of a datagram of version 1, and of version 2. Records of logs of version 1 are the former.
pub(crate) const SIZES: [usize; 2] = [2052, 2056];
/// Kinds of records.
pub(crate) const SHOW: i16 = 1;
pub(crate) const MESSAGE: i16 = 2;
pub(crate) const MODE: i16 = 5;
pub(crate) const TEAMS: i16 = 6;
pub(crate) const PLAYER_TYPE: i16 = 7;
pub(crate) const SERVER_PARAM: i16 = 8;
pub(crate) const PLAYER_PARAM: i16 = 9;
/// Bytes of what stands behind the head in logs of version 3.
const SERVER_PARAM_BYTES: usize = 396;
const PLAYER_PARAM_BYTES: usize = 132;
const PLAYER_TYPE_BYTES: usize = 88;
/// Parts of a metre: 16 in version 1, 65536 in version 2.
const COARSE: f64 = 16.0;
const FINE: f64 = 65536.0;
/// Characters of a message.
const MAX_MESSAGE: usize = 2047;

/// What a record holds behind its head, filled from its beginning.
struct Bytes(Vec<u8>);

impl Bytes {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn short(&mut self, number: i32) {
        self.0.extend_from_slice(&(number as i16).to_be_bytes());
    }

    fn coarse(&mut self, number: f64) {
        self.short(libm::rint(number * COARSE) as i32);
    }

    fn long(&mut self, number: f64) {
        self.0.extend_from_slice(&(libm::rint(number) as i32).to_be_bytes());
    }

    fn fine(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.long(number * FINE));
    }

    /// Zeros up to a multiple of so many bytes, as compilers place numbers.
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn sized(mut self, bytes: usize) -> Vec<u8> {
        self.0.resize(bytes, 0);
        self.0
    }
}

/// Names and goals of both sides; the goals of nobody are none.
pub fn teams(teams: &[Team; 2]) -> Vec<u8> {
    let mut out = Bytes::new();
    for team in teams {
        let mut name = team.name.clone().unwrap_or_default().into_bytes();
        name.resize(16, 0);
        out.0.extend_from_slice(&name);
        out.short(team.name.as_ref().map_or(0, |_| team.score as i32));
    }
    out.0
}

/// A show of version 1: mode, teams, ball, players, time.
pub fn short_show(mode: Option<PlayMode>, sides: &[Team; 2], show: &Show) -> Vec<u8> {
    let mut out = Bytes::new();
    out.0.push(mode.map_or(0, PlayMode::number));
    out.align(2);
    out.0.extend_from_slice(&teams(sides));
    let [x, y, ..] = show.ball;
    // What a player has here and a ball has not.
    (0..4).for_each(|_| out.short(0));
    [x, y].into_iter().for_each(|number| out.coarse(number));
    for (place, player) in places(show).into_iter().enumerate() {
        let (side, unum) =
            if place < TEAM_SIZE { (Side::Left, place + 1) } else { (Side::Right, place + 1 - TEAM_SIZE) };
        out.short(player.map_or(0, |player| player.state as i32));
        out.short(side.sign() as i32);
        out.short(unum as i32);
        let [x, y, ..] = player.map(|player| player.motion).unwrap_or_default();
        out.short(player.map_or(0, |player| libm::rint(player.body_deg) as i32));
        [x, y].into_iter().for_each(|number| out.coarse(number));
    }
    out.short(show.cycle as i32);
    out.0
}

/// A show of version 2: mode, teams, positions.
pub fn long_show(mode: Option<PlayMode>, sides: &[Team; 2], show: &Show) -> Vec<u8> {
    let mut out = Bytes::new();
    out.0.push(mode.map_or(0, PlayMode::number));
    out.align(2);
    out.0.extend_from_slice(&teams(sides));
    out.align(4);
    out.0.extend_from_slice(&positions(show));
    out.0
}

/// Ball, players, time, as logs of version 3 have them in a show.
pub fn positions(show: &Show) -> Vec<u8> {
    let mut out = Bytes::new();
    out.fine(&show.ball);
    for player in places(show) {
        match player {
            Some(player) => long_player(&mut out, player),
            None => out.0.resize(out.0.len() + 64, 0),
        }
    }
    out.short(show.cycle as i32);
    out.align(4);
    out.0
}

fn long_player(out: &mut Bytes, player: &Player) {
    out.short(player.state as i32);
    out.short(player.kind as i32);
    out.fine(&player.motion);
    let (quality, width_deg) = player.view.unwrap_or(VIEW);
    out.fine(&[player.body_deg, player.neck_deg, width_deg].map(f64::to_radians));
    out.short(i32::from(quality == 'h'));
    out.align(4);
    out.fine(&player.stamina.unwrap_or(STAMINA));
    let count = |index: usize| player.counts.get(index).map_or(0, |&count| count as i32);
    // Kick, dash, turn, say, turn_neck, catch, move, change_view.
    [0, 1, 2, 7, 5, 3, 4, 6].into_iter().for_each(|index| out.short(count(index)));
}

/// The players by their places among all.
fn places(show: &Show) -> [Option<&Player>; 2 * TEAM_SIZE] {
    let mut places = [None; 2 * TEAM_SIZE];
    for player in &show.players {
        if let Some(place) = places.get_mut(player.place()) {
            *place = Some(player);
        }
    }
    places
}

/// A record as monitors of version 1 or 2 get it.
fn datagram(version: u32, kind: i16, body: &[u8]) -> Vec<u8> {
    let mut out = Bytes(kind.to_be_bytes().to_vec());
    if version >= 2 {
        out.align(4);
    }
    out.0.extend_from_slice(body);
    out.sized(SIZES[usize::from(version >= 2)])
}

/// A show for monitors of version 1 or 2.
pub fn show(version: u32, mode: PlayMode, teams: &[Team; 2], show: &Show) -> Vec<u8> {
    let body =
        if version < 2 { short_show(Some(mode), teams, show) } else { long_show(Some(mode), teams, show) };
    datagram(version, SHOW, &body)
}

/// A message for monitors of version 1 or 2, and in logs of version 1.
pub fn message(version: u32, board: u32, text: &str) -> Vec<u8> {
    let mut out = Bytes::new();
    out.short(board as i32);
    let text = text.as_bytes();
    out.0.extend_from_slice(&text[..text.len().min(MAX_MESSAGE)]);
    datagram(version, MESSAGE, &out.0)
}

/// The parameters of the game, in the record of monitors of version 2.
pub fn server_param(server: &ServerParams) -> Vec<u8> {
    datagram(2, SERVER_PARAM, &server_param_record(server))
}

/// The parameters of the types, in the record of monitors of version 2.
pub fn player_param(player: &PlayerParams) -> Vec<u8> {
    datagram(2, PLAYER_PARAM, &player_param_record(player))
}

/// A type, in the record of monitors of version 2.
pub fn player_type(id: usize, values: &TypeValues) -> Vec<u8> {
    datagram(2, PLAYER_TYPE, &player_type_record(id, values))
}

/// One number of the parameter records: as 65536th, or a whole one.
enum Field {
    Long(&'static str),
    Short(&'static str),
    Kickable,
    ControlWidth,
    Slowed(&'static str),
    Schedule,
    Gone,
}

/// The parameters of the game.
pub fn server_param_record(server: &ServerParams) -> Vec<u8> {
    use Field::{ControlWidth, Gone, Kickable, Long as L, Schedule, Short as S, Slowed};
    const FIELDS: &[Field] = &[
        L("goal_width"),
        L("inertia_moment"),
        L("player_size"),
        L("player_decay"),
        L("player_rand"),
        L("player_weight"),
        L("player_speed_max"),
        L("player_accel_max"),
        L("stamina_max"),
        L("stamina_inc_max"),
        L("recover_init"),
        L("recover_dec_thr"),
        L("recover_min"),
        L("recover_dec"),
        L("effort_init"),
        L("effort_dec_thr"),
        L("effort_min"),
        L("effort_dec"),
        L("effort_inc_thr"),
        L("effort_inc"),
        L("kick_rand"),
        S("team_actuator_noise"),
        L("prand_factor_l"),
        L("prand_factor_r"),
        L("kick_rand_factor_l"),
        L("kick_rand_factor_r"),
        L("ball_size"),
        L("ball_decay"),
        L("ball_rand"),
        L("ball_weight"),
        L("ball_speed_max"),
        L("ball_accel_max"),
        L("dash_power_rate"),
        L("kick_power_rate"),
        L("kickable_margin"),
        L("control_radius"),
        ControlWidth,
        L("maxpower"),
        L("minpower"),
        L("maxmoment"),
        L("minmoment"),
        L("maxneckmoment"),
        L("minneckmoment"),
        L("maxneckang"),
        L("minneckang"),
        L("visible_angle"),
        L("visible_distance"),
        L("wind_dir"),
        L("wind_force"),
        L("wind_ang"),
        L("wind_rand"),
        Kickable,
        L("catchable_area_l"),
        L("catchable_area_w"),
        L("catch_probability"),
        S("goalie_max_moves"),
        L("ckick_margin"),
        L("offside_active_area_size"),
        S("wind_none"),
        S("wind_random"),
        S("say_coach_cnt_max"),
        S("say_coach_msg_size"),
        S("clang_win_size"),
        S("clang_define_win"),
        S("clang_meta_win"),
        S("clang_advice_win"),
        S("clang_info_win"),
        S("clang_mess_delay"),
        S("clang_mess_per_cycle"),
        S("half_time"),
        Slowed("simulator_step"),
        Slowed("send_step"),
        S("recv_step"),
        Slowed("sense_body_step"),
        Schedule,
        S("say_msg_size"),
        S("hear_max"),
        S("hear_inc"),
        S("hear_decay"),
        S("catch_ban_cycle"),
        S("slow_down_factor"),
        S("use_offside"),
        S("forbid_kick_off_offside"),
        L("offside_kick_margin"),
        L("audio_cut_dist"),
        L("quantize_step"),
        L("quantize_step_l"),
        Gone,
        Gone,
        Gone,
        Gone,
        Gone,
        Gone,
        Gone,
        S("coach"),
        S("coach_w_referee"),
        S("old_coach_hear"),
        Slowed("send_vi_step"),
        L("slowness_on_top_for_left_team"),
        L("slowness_on_top_for_left_team"),
        L("keepaway_length"),
        L("keepaway_width"),
        L("ball_stuck_area"),
        L("max_tackle_power"),
        L("max_back_tackle_power"),
        L("tackle_dist"),
        L("tackle_back_dist"),
        L("tackle_width"),
        S("start_goal_l"),
        S("start_goal_r"),
        S("fullstate_l"),
        S("fullstate_r"),
        S("drop_ball_time"),
        S("synch_mode"),
        S("synch_offset"),
        S("synch_micro_sleep"),
        S("point_to_ban"),
        S("point_to_duration"),
    ];
    let number = |name: &str| server.get(name).map_or(0.0, plain);
    let mut out = Bytes::new();
    for field in FIELDS {
        let (is_long, value) = match field {
            L(name) => (true, number(name)),
            S(name) => (false, number(name)),

            Kickable => (true, server.kickable_area_m()),
            ControlWidth => (true, server.control_radius - server.player_size),
            Slowed(name) => (false, number(name) * f64::from(server.slow_down_factor)),
            Schedule => (false, server.schedule_ms() as f64),
            Gone => (true, -1.0),
        };
        if is_long {
            out.align(4);
            // Cut, where all other records are rounded.
            out.long((value * FINE).trunc());
        } else {
            out.short(value as i32);
        }
    }
    out.sized(SERVER_PARAM_BYTES)
}

fn plain(value: ParamValue<'_>) -> f64 {
    match value {
        ParamValue::Real(number) => number,
        ParamValue::Integer(number) => f64::from(number),
        ParamValue::Flag(flag) => f64::from(flag),
        ParamValue::Text(_) => 0.0,
    }
}

/// The parameters of the types.
pub fn player_param_record(player: &PlayerParams) -> Vec<u8> {
    let mut out = Bytes::new();
    [player.player_types, player.subs_max, player.pt_max].into_iter().for_each(|number| out.short(number));
    out.align(4);
    for row in &PlayerParams::ROWS[3..] {
        match player.get(row.name) {
            // Halves are added and the rest is cut off, which rounds what is below 0 up.
            Some(ParamValue::Real(number)) => out.long((number * FINE + 0.5).trunc()),
            Some(ParamValue::Integer(number)) => out.long(f64::from(number)),
            _ => {}
        }
    }
    // A spare number.
    out.long(0.0);
    out.short(i32::from(player.allow_mult_default_type));
    out.sized(PLAYER_PARAM_BYTES)
}

/// A type.
pub fn player_type_record(id: usize, values: &TypeValues) -> Vec<u8> {
    let mut out = Bytes::new();
    out.short(id as i32);
    out.align(4);
    let values = values.iter().filter(|(since, ..)| *since <= 14);
    values.for_each(|(_, _, value)| out.long(value * FINE));
    out.sized(PLAYER_TYPE_BYTES)
}
