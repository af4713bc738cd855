//! The Soccer Server's world with the built plugins: bodies and ball by their closed forms, posts, and games of random commands. [spec 4 to 6, 10; W4, W5, I2]

use crate::build::plugin_dir;
use crate::program::root;
use serde_json::json;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;
use touchline_config::{load_robot, load_world};
use touchline_host::Host;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;
use touchline_sim::scenario::{RobotPlacement, Scenario};
use touchline_sim::{Action, Command, EventKind, World};
use touchline_soccer_law::face::{self, BodyCommand, Datum, Leg, Side, robot_name, state};
use touchline_soccer_law::params::SoccerParams;

fn host() -> Arc<Host> {
    Arc::new(Host::scan(&[plugin_dir().to_owned()]))
}

/// A shipped world with these players, and these parameters of the server beside its own.
fn world_of(
    host: &Arc<Host>,
    players: &[(Side, u32, Pose2)],
    server: serde_json::Value,
    change: impl Fn(&mut Scenario),
) -> World {
    let mut scenario = load_world(&root().join("worlds/soccer.toml"), &**host).unwrap();
    let spec = Arc::new(load_robot(&root().join("robots/soccer-player.toml"), &**host).unwrap());
    scenario.robots = players
        .iter()
        .map(|&(side, unum, pose)| RobotPlacement {
            name: robot_name(side, unum),
            team: Some(side.team()),
            spec: Arc::clone(&spec),
            pose: Some(pose),
            player: None,
        })
        .collect();
    let params = &mut scenario.referee.as_mut().unwrap().params;
    for (name, value) in server.as_object().unwrap() {
        params["server"][name] = value.clone();
    }
    change(&mut scenario);
    World::new(scenario, Arc::clone(host) as _).unwrap()
}

fn order(robot: u32, command: BodyCommand) -> Command {
    let action = Action::Drive(robot, command.to_numbers(0.0).to_vec());
    Command { client: 1, sequence: u64::from(robot), action }
}

fn tell(line: &str) -> Command {
    Command { client: 2, sequence: 0, action: Action::Referee(line.into()) }
}

fn dash(power: f64) -> BodyCommand {
    let leg = Leg { power, direction_rad: 0.0 };
    BodyCommand::Dash { left: leg, right: leg }
}

/// In play; players are put where they were meant to be, for before the kick-off they are kept in their halves.
fn begin(world: &mut World, players: &[(Side, u32, Pose2)], ball: [f64; 4]) {
    world.step(&[tell("mode play_on")]);
    let put = |&(side, unum, pose): &(Side, u32, Pose2)| {
        tell(&format!("move {} {unum} {} {} {}", side.word(), pose.x_m, pose.y_m, pose.theta_rad))
    };
    let mut lines: Vec<Command> = players.iter().map(put).collect();
    let [x, y, vx, vy] = ball;
    lines.push(tell(&format!("ball {x} {y} {vx} {vy}")));
    (0..).zip(&mut lines).for_each(|(sequence, line)| line.sequence = sequence);
    world.step(&lines);
}

fn datum(world: &World, robot: usize, datum: Datum) -> f64 {
    world.frame().robots[robot].motion_data[datum.index()]
}

fn no_fault(world: &World) {
    let faults: Vec<_> =
        world.events().filter(|event| matches!(event.kind, EventKind::Fault { .. })).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() < 1e-9, "{got} for {wanted}");
}

const EXACT: fn() -> serde_json::Value = || json!({ "player_rand": 0.0, "ball_rand": 0.0, "kick_rand": 0.0 });

/// The motion model and the physics carry a player by the closed form: v' = 0.4 (v + 0.6), s' = s - 55.
#[test]
fn a_player_dashes_by_the_closed_form() {
    let (host, heading) = (host(), 0.7f64);
    let players = [(Side::Left, 7, Pose2::new(-30.0, -20.0, heading))];
    let mut world = world_of(&host, &players, EXACT(), |_| {});
    begin(&mut world, &players, [40.0, 30.0, 0.0, 0.0]);
    let (mut way, mut speed) = (0.0, 0.0);
    for n in 1..=30 {
        world.step(&[order(0, dash(100.0))]);
        speed += 0.6;
        way += speed;
        speed *= 0.4;
        let robot = *world.view().robots().next().unwrap();
        close(robot.pose.x_m, -30.0 + way * heading.cos());
        close(robot.pose.y_m, -20.0 + way * heading.sin());
        close(robot.twist.x_m_s.hypot(robot.twist.y_m_s), 10.0 * speed);
        close(datum(&world, 0, Datum::Stamina), 8000.0 - 55.0 * f64::from(n));
    }
    no_fault(&world);
}

/// A turn of any size while it moves: it goes straight on, and its velocity keeps its direction.
#[test]
fn a_player_turns_while_it_goes_straight_on() {
    let host = host();
    let players = [(Side::Right, 2, Pose2::new(0.0, 3.0, 0.3))];
    let mut world = world_of(&host, &players, json!({ "player_rand": 0.0, "inertia_moment": 0.0 }), |_| {});
    begin(&mut world, &players, [40.0, 30.0, 0.0, 0.0]);
    world.step(&[order(0, dash(100.0))]);
    for (moment_rad, way) in [(3.0, 0.24), (-2.5, 0.096), (PI, 0.0384)] {
        let before = *world.view().robots().next().unwrap();
        world.step(&[order(0, BodyCommand::Turn { moment_rad })]);
        let after = *world.view().robots().next().unwrap();
        close(after.pose.x_m - before.pose.x_m, way * 0.3f64.cos());
        close(after.pose.y_m - before.pose.y_m, way * 0.3f64.sin());
        let turned = touchline_plugin_api::geometry::wrap_angle(after.pose.theta_rad - before.pose.theta_rad);
        assert!((turned - moment_rad).abs() < 1e-9 || (turned + moment_rad).abs() < 1e-9 && moment_rad == PI);
    }
}

/// Ball and players are reflected at the posts, lose nothing there, and decay as ever.
#[test]
fn posts_reflect_ball_and_players() {
    let host = host();
    let players = [(Side::Left, 2, Pose2::new(51.5, -7.07, 0.0))];
    let mut world = world_of(&host, &players, EXACT(), |_| {});
    // To the middle of the post's front at 52.38 - 0.085: 0.295 m there, and the rest of 1.4 m back.
    begin(&mut world, &players, [52.0, 7.07, 14.0, 0.0]);
    world.step(&[order(0, dash(100.0))]);
    let ball = *world.view().balls().next().unwrap();
    close(ball.pose.x_m, 52.295 - (1.4 - 0.295));
    close(ball.twist.x_m_s, -14.0 * 0.94);
    // 0.58 m to where it touches at 52.08, and 0.02 m back.
    let robot = *world.view().robots().next().unwrap();
    close(robot.pose.x_m, 52.08 - 0.02);
    close(robot.twist.x_m_s, -6.0 * 0.4);
    assert_ne!(datum(&world, 0, Datum::State) as u32 & state::POST_COLLIDE, 0);
    no_fault(&world);
}

/// A kick to the side, and what is left of the ball's velocity in each cycle.
#[test]
fn a_kicked_ball_follows_its_closed_form() {
    let host = host();
    let players = [(Side::Left, 9, Pose2::new(-0.785, 0.0, 0.0))];
    let mut world = world_of(&host, &players, EXACT(), |_| {});
    begin(&mut world, &players, [0.0; 4]);
    world.step(&[order(0, BodyCommand::Kick { power: 80.0, direction_rad: FRAC_PI_2 })]);
    let mut speed = 80.0 * 0.027 * (1.0 - 0.25 * 0.4 / 0.7);
    let mut way = 0.0;
    for _ in 0..12 {
        way += speed;
        speed *= 0.94;
        let ball = *world.view().balls().next().unwrap();
        close(ball.pose.y_m, way);
        close(ball.twist.y_m_s, 10.0 * speed);
        world.step(&[]);
    }
}

/// Random commands of 22 players, with every number that a client may send.
fn random_commands(key: NoiseKey, step: u64) -> Vec<Command> {
    let mut noise = key.at_step(step).stream();
    let mut commands: Vec<Command> = (0..22)
        .map(|robot| {
            let huge = if noise.chance(0.01) { 1e300 } else { 1.0 };
            let mut number = |most: f64| huge * noise.uniform(-most, most);
            let (power, angle_rad, kind) = (number(120.0), number(4.0), number(3.5).abs() * 2.0);
            let leg = Leg { power, direction_rad: angle_rad };
            let command = match kind as u32 {
                0 | 1 => BodyCommand::Dash { left: leg, right: leg },
                2 => BodyCommand::Turn { moment_rad: angle_rad },
                3 => BodyCommand::Kick { power, direction_rad: angle_rad },
                4 => BodyCommand::Tackle { direction_rad: angle_rad, foul: power > 0.0 },
                5 => BodyCommand::Catch { direction_rad: angle_rad },
                _ => BodyCommand::Move { place: [number(60.0), number(40.0)] },
            };
            order(robot, command)
        })
        .collect();
    // Robots go when they are sent off; the ball comes to somebody.
    if step % 40 == 7 {
        commands.push(tell(&format!("ball {} {}", noise.uniform(-40.0, 40.0), noise.uniform(-30.0, 30.0))));
    }
    if step % 97 == 11 {
        commands.push(tell(["start", "mode penalty_taken_l", "recover", "drop 1 2"][step as usize % 4]));
    }
    commands
}

fn line_up() -> Vec<(Side, u32, Pose2)> {
    let place = |side: Side, unum: u32| {
        let x_m = -side.sign() * (2.0 + 4.0 * f64::from(unum % 4));
        Pose2::new(x_m, 5.0 * f64::from(unum) - 30.0, 0.0)
    };
    Side::BOTH
        .into_iter()
        .flat_map(|side| (1..=11).map(move |unum| (side, unum, place(side, unum))))
        .collect()
}

fn random_game(host: &Arc<Host>, seed: u64, steps: u64) -> World {
    let server = json!({ "half_time": 20, "red_card_probability": 0.02 });
    let mut world = world_of(host, &line_up(), server, |scenario| scenario.seed = seed);
    world.step(&[tell("goalie left 1")]);
    world.step(&[tell("start")]);
    let key = NoiseKey::for_owner(seed, "commands");
    for step in 0..steps {
        world.step(&random_commands(key, step));
    }
    world
}

/// I6, I2: whatever players send, the referee judges on; the same seed and commands give the same bits.
#[test]
fn games_of_random_commands_go_on_and_repeat() {
    let host = host();
    let one = random_game(&host, 5, 700);
    no_fault(&one);
    assert_eq!(one.state_hash(), random_game(&host, 5, 700).state_hash());
    assert_ne!(one.state_hash(), random_game(&host, 6, 700).state_hash());
    let said = one.events().filter(|event| matches!(event.kind, EventKind::Announcement(_))).count();
    assert!(said > 3, "{said}");
}

/// The whole game without anybody: auto_mode starts it, and one half later it is over, for there are no teams.
#[test]
fn a_game_without_players_ends_by_itself() {
    let host = host();
    let server = json!({ "auto_mode": true, "connect_wait": 10, "kick_off_wait": 5, "half_time": 5 });
    let mut world = world_of(&host, &[], server, |_| {});
    let mode = |world: &World| face::mode_of_phase(world.frame().game.phase).unwrap().word();
    assert_eq!(mode(&world), "before_kick_off");
    (0..200).for_each(|_| drop(world.step(&[])));
    assert_eq!(mode(&world), "time_over");
    no_fault(&world);
}

/// The two eras: what the world files say is what the law's tables say.
#[test]
fn the_world_files_are_the_two_eras() {
    let host = host();
    for (file, params) in [("soccer", SoccerParams::today()), ("soccer-2002", SoccerParams::of_2002())] {
        let scenario = load_world(&root().join(format!("worlds/{file}.toml")), &*host).unwrap();
        let said: SoccerParams = serde_json::from_value(scenario.referee.unwrap().params).unwrap();
        assert_eq!(said, params, "{file}");
    }
}
