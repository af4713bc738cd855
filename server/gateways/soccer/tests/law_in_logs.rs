//! The law of bodies and ball against a game that the real server has played, where its log is at hand. [spec 4, 6]

use crate::samples;
use touchline_plugin_api::noise::NoiseKey;
use touchline_soccer::log::{GameLog, Player};
use touchline_soccer_law::body::{Dasher, Stamina, dash};
use touchline_soccer_law::face::{Leg, state};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;

/// A log prints four digits behind the point; a sum of three of them is off by as much.
const PRINTED: f64 = 2e-4;

fn types(log: &GameLog, server: &ServerParams) -> Vec<PlayerType> {
    let tables = log.parameters.iter().filter(|table| table.kind == "player_type");
    tables
        .map(|table| {
            let value = |name: &str| -> f64 {
                table.values.iter().find(|(other, _)| other == name).unwrap().1.parse().unwrap()
            };
            PlayerType {
                stamina_inc_max: value("stamina_inc_max"),
                player_decay: value("player_decay"),
                dash_power_rate: value("dash_power_rate"),
                extra_stamina: value("extra_stamina"),
                effort_max: value("effort_max"),
                effort_min: value("effort_min"),
                ..PlayerType::default_of(server)
            }
        })
        .collect()
}

/// By how much a step is not what a dash of this cost in some whole degree comes to: at most noise of a tenth of the speed.
fn off_by(
    server: &ServerParams,
    player_type: &PlayerType,
    before: &Player,
    after: &Player,
    cost: f64,
) -> f64 {
    let [stamina, effort, recovery] = before.stamina.unwrap();
    // The server's y points down, and its angles go clockwise.
    let velocity = [before.motion[2], -before.motion[3]];
    let stamina = Stamina { stamina, effort, recovery, capacity: before.capacity.unwrap() };
    let dasher = Dasher {
        player_type,
        stamina: &stamina,
        velocity,
        heading_rad: -before.body_deg.to_radians(),
        slowness: 1.0,
        player_rand: 0.0,
    };
    let moved = [after.motion[0] - before.motion[0], before.motion[1] - after.motion[1]];
    let mut noise = NoiseKey::default().stream();
    let off = |degree: i32| {
        let leg = Leg { power: cost, direction_rad: f64::from(degree).to_radians() };
        let accel = dash(server, &dasher, [leg; 2], &mut noise).accel;
        let wanted = [velocity[0] + accel[0], velocity[1] + accel[1]];
        libm::hypot(moved[0] - wanted[0], moved[1] - wanted[1])
            - server.player_rand * libm::hypot(wanted[0], wanted[1])
    };
    (-180..180).map(off).fold(f64::INFINITY, f64::min)
}

/// In every cycle of a game of 3 against 3 velocities decay by the type's player_decay, stamina comes back by recovery and stamina_inc_max, and dashes
/// accelerate as the law says.
#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn a_game_of_the_real_server_follows_the_law() {
    let folder = samples::folder();
    let log =
        GameLog::read(&std::fs::read(folder.join("short_helios_3v3_40cycles_v6.rcg")).unwrap()).unwrap();
    let server = ServerParams::today();
    let types = types(&log, &server);
    let shows: Vec<_> = log.shows().collect();
    let (mut steps, mut dashes) = (0, 0);
    for pair in shows.windows(2).filter(|pair| pair[1].cycle == pair[0].cycle + 1) {
        for (before, after) in pair[0].players.iter().zip(&pair[1].players) {
            let collided = state::BALL_COLLIDE | state::PLAYER_COLLIDE | state::POST_COLLIDE;
            if before.state & state::STAND == 0 || after.state & collided != 0 {
                continue;
            }
            let player_type = &types[after.kind as usize];
            let (from, to) = (before.motion, after.motion);
            for axis in 0..2 {
                let left = player_type.player_decay * (to[axis] - from[axis]);
                assert!(
                    (left - to[axis + 2]).abs() < PRINTED,
                    "cycle {}: {before:?}, {after:?}",
                    pair[1].cycle
                );
            }
            steps += 1;
            let ([stamina, ..], [next, _, recovery]) = (before.stamina.unwrap(), after.stamina.unwrap());
            let cost = stamina + recovery * player_type.stamina_inc_max - next;
            // Who is at the top may have spent anything.
            if next >= server.stamina_max || cost < 0.5 {
                continue;
            }
            assert!(cost < 100.05, "{cost}");
            let off = off_by(&server, player_type, before, after, cost);
            assert!(off < PRINTED, "cycle {}: {off}, {before:?}, {after:?}", pair[1].cycle);
            dashes += 1;
        }
    }
    assert!(steps > 200 && dashes > 100, "{steps} steps, {dashes} dashes");
}
