//! Chip kicks in the shipped worlds, on the built server: over a robot, under the crossbar and over it. (SL10)

use crate::client::{Client, number};
use crate::program::Server;

/// What became of the one kick of a world.
struct Chip {
    /// x, z and height above the floor's highest point of what it passes: places of the ball in each step.
    way: Vec<[f64; 3]>,
    goals: usize,
    announcements: Vec<String>,
}

impl Chip {
    fn of(world: &str, line: &str) -> Self {
        let server = Server::start(world, &["--studio", "off", "--speed", "lockstep"]);
        let mut desk = Client::operator(&server);
        desk.ok("STEP");
        desk.ok("TAKE blue-1");
        desk.ok(line);
        let mut way = Vec::new();
        for _ in 0..100 {
            desk.ok("STEP");
            let world = desk.ok("WORLD");
            let ball = world.line("BALL ");
            way.push(["x", "z", "vz"].map(|key| number(ball, key)));
        }
        let goals = desk.ok("EVENTS kind=goal").lines.len();
        let announcements = desk.ok("EVENTS kind=announcement").lines;
        Self { way, goals, announcements }
    }

    /// The lowest height of the ball while it was so far, metres.
    fn lowest_m(&self, from_m: f64, to_m: f64) -> f64 {
        let within = self.way.iter().filter(|[x, _, _]| (from_m..=to_m).contains(x));
        within.map(|[_, z, _]| *z).fold(f64::INFINITY, f64::min)
    }
}

/// SL10: the ball flies over the robot that stands in the way, and hops into the goal under the crossbar.
#[test]
fn a_chip_kick_goes_over_a_robot_and_under_the_crossbar() {
    let chip = Chip::of("worlds/chip-kick.toml", "MANIPULATE blue-1 chip kick");
    let over = chip.lowest_m(4.68 - 0.1, 4.68 + 0.1);
    assert!((0.15..1.0).contains(&over), "over the robot: {over} m");
    let under = chip.lowest_m(5.9, 6.05);
    assert!((0.05..0.155 - 0.043).contains(&under), "in the air, under the crossbar: {under} m");
    assert_eq!(chip.goals, 1, "{:?}", chip.announcements);
}

/// SL10: the same kick from nearer goes over the crossbar, and is no goal.
#[test]
fn the_same_kick_from_nearer_goes_over_the_crossbar() {
    let chip = Chip::of("worlds/chip-over.toml", "MANIPULATE blue-1 chip kick");
    let over = chip.lowest_m(6.0 - 0.0215, 6.18);
    assert!((0.175..1.0).contains(&over), "over the crossbar: {over} m");
    assert_eq!(chip.goals, 0);
    assert!(chip.announcements.iter().any(|line| line.contains("ball out")), "{:?}", chip.announcements);
}

/// R5: the elevation is the command's, as far as the robot file says: a flatter kick from nearer is stopped by the goal's crossbar or robot, and one that
/// is flatter than the file allows is refused.
#[test]
fn the_elevation_of_a_kick_is_the_commands() {
    let high = Chip::of("worlds/chip-kick.toml", "MANIPULATE blue-1 chip kick 1 elevation=1.1");
    let highest = |chip: &Chip| chip.way.iter().map(|[_, z, _]| *z).fold(0.0, f64::max);
    let expected = (4.0 * 1.1_f64.sin()).powi(2) / 2.0 / 9.81;
    // Between two steps it is a little higher than at them.
    assert!((highest(&high) - expected).abs() < 1e-3, "{} for {expected} m", highest(&high));
    let server = Server::start("worlds/chip-kick.toml", &["--studio", "off", "--speed", "lockstep"]);
    let mut desk = Client::operator(&server);
    for wrong in ["chip kick 1 elevation=0.2", "chip kick 1 direction=0.1", "kicker kick 1 elevation=0.7"] {
        desk.refused(&format!("MANIPULATE blue-1 {wrong}"), "sim/bad-number");
    }
    desk.refused("MANIPULATE blue-1 chip kick 1 elevation=high", "board/bad-number");
}

/// C6: an operator throws a ball, and reads where it is.
#[test]
fn a_ball_is_thrown_by_hand() {
    let server = Server::start("worlds/chip-kick.toml", &["--studio", "off", "--speed", "lockstep"]);
    let mut desk = Client::operator(&server);
    desk.ok("BALL 0 1 0 0 0 z=1 vz=2");
    let ball = desk.ok("WORLD").line("BALL ").to_owned();
    assert_eq!([number(&ball, "z"), number(&ball, "vz")], [1.0, 2.0]);
    desk.ok("STEP 10");
    let ball = desk.ok("WORLD").line("BALL ").to_owned();
    assert!((number(&ball, "z") - (1.0 + 0.2 - 9.81 / 200.0)).abs() < 1e-9, "{ball}");
    desk.refused("BALL 0 0 0 z=-1", "sim/bad-number");
}
