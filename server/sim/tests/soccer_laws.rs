//! A league's own law by its referee alone: the Soccer Server's ball, its kicks and catches, worked out from its description (spec/rcss.md,
//! sections 5 and 6). The core knows none of it: the referee is asked before the physics and after it. (G1, R2)

use crate::common::*;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::{InProcess, RefereeInstance};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{PrepareInput, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Encoded;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, MakeError, PluginFactory, World};

/// A cycle, seconds; velocities of the law are in metres per cycle.
const CYCLE_SECS: f64 = 0.1;
const DECAY: f64 = 0.94;
const KICK_POWER_RATE: f64 = 0.027;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Law {
    /// A ball's noise: each part of its velocity gets up to this part of its speed, either way.
    ball_rand: f64,
}

/// Refuses every kick of the core's, and does what the law says: kicks (state 1), catches (state 2), noise, decay.
struct CycleLaw(Law);

/// A referee's state: who holds the ball, if anybody.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
struct Caught(Option<u32>);

impl Referee for CycleLaw {
    const NAME: &'static str = "cycle-law";
    const SUMMARY: &'static str = "the ball of the Soccer Server";
    type Params = Law;
    type State = Encoded<Caught>;
    fn new(law: Law, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self(law))
    }
    fn description(&self) -> GameDescription {
        GameDescription { prepares: true, ..GameDescription::default() }
    }
    fn initial_state(&self) -> Self::State {
        Encoded(Caught::default())
    }
    fn prepare(
        &self,
        caught: &mut Self::State,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let ball = input.view.balls().next().ok_or_else(|| Fault::new("no ball"))?;
        let place = [ball.pose.x_m, ball.pose.y_m];
        let mut velocity = [ball.twist.x_m_s, ball.twist.y_m_s];
        for (index, kick) in input.kicks.iter().enumerate() {
            orders.refuse_kick(index);
            let robot = input.view.robot(kick.robot).ok_or_else(|| Fault::new("no robot"))?;
            let direction = robot.pose.theta_rad + kick.direction_rad;
            let acceleration = 100.0 * kick.strength * KICK_POWER_RATE / CYCLE_SECS;
            match kick.state {
                1 => {
                    velocity[0] += acceleration * libm::cos(direction);
                    velocity[1] += acceleration * libm::sin(direction);
                }
                _ => caught.0.0 = Some(kick.robot),
            }
        }
        if let Some(keeper) = caught.0.0.and_then(|robot| input.view.robot(robot)) {
            let mouth = keeper.pose.point_to_outer([0.32, 0.0]);
            orders.place_ball(0, mouth, [0.0; 2]);
            return Ok(());
        }
        let most = self.0.ball_rand * libm::hypot(velocity[0], velocity[1]);
        let mut noise = input.noise.stream();
        if most > 0.0 {
            velocity = velocity.map(|part| part + noise.uniform(-most, most));
        }
        orders.place_ball(0, place, velocity);
        Ok(())
    }
    fn judge(&self, _: &mut Self::State, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let ball = input.view.balls().next().ok_or_else(|| Fault::new("no ball"))?;
        let slowed = [ball.twist.x_m_s * DECAY, ball.twist.y_m_s * DECAY];
        orders.place_ball(0, [ball.pose.x_m, ball.pose.y_m], slowed);
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }

    fn referee(&self, c: &PluginChoice, setup: &RefereeSetup) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(InProcess::<CycleLaw, _>::referee(&c.params, setup).unwrap()))
    }
}

/// A free ball at the origin, and a robot behind it whose leg has the states still, kick and catch.
fn world(seed: u64, ball_rand: f64, velocity_m_s: [f64; 2]) -> World {
    let mut spec = equipped_robot();
    spec.sensors.clear();
    let leg = &mut spec.manipulators[0];
    let kick = leg.states.iter_mut().find(|state| state.kick.is_some()).unwrap();
    kick.shapes.clear();
    let law = kick.kick.as_mut().unwrap();
    (law.recharge_secs, law.direction_range_rad) = (0.0, Some([-FRAC_PI_2, FRAC_PI_2]));
    let catch = ManipulatorState { name: "catch".into(), ..kick.clone() };
    leg.states.push(catch);
    assert_eq!(leg.states.iter().position(|state| state.kick.is_some()), Some(1));
    let robot = RobotPlacement {
        name: "a".into(),
        team: None,
        spec: Arc::new(spec),
        pose: Some(Pose2::new(-0.35, 0.0, 0.0)),
        player: None,
    };
    let free = BallSpec { rolling_resistance_m_s2: 0.0, drag_per_m: 0.0, sliding: None, ..FREE_BALL };
    let scenario = Scenario {
        seed,
        dt_secs: CYCLE_SECS,
        physics: PhysicsLaw::Discs { contact: ContactRule::SoccerServer, bounding_circles: true },
        balls: vec![ball(free, [0.0; 2], velocity_m_s)],
        robots: vec![robot],
        referee: Some(PluginChoice::new("cycle-law", serde_json::json!({ "ball_rand": ball_rand }))),
        ..empty_scenario()
    };
    World::new(scenario, Arc::new(Factory)).unwrap()
}

fn ball_of(world: &World) -> ([f64; 2], [f64; 2]) {
    let ball = world.view().balls().next().unwrap();
    ([ball.pose.x_m, ball.pose.y_m], [ball.twist.x_m_s, ball.twist.y_m_s])
}

fn switch(state: &str, strength: f64, direction_rad: Option<f64>) -> Command {
    let aim = Aim { direction_rad, ..Aim::strength(strength) };
    let (manipulator, state) = ("kicker".into(), state.into());
    Command { client: 1, sequence: 1, action: Action::Manipulate { robot: 0, manipulator, state, aim } }
}

/// W5: position += velocity, then velocity *= 0.94: after n cycles it is at v (1 - d^n) / (1 - d), and has d^n v.
#[test]
fn a_ball_decays_by_a_part_in_each_cycle() {
    let mut world = world(1, 0.0, [24.0, -7.0]);
    for n in 1..=60 {
        world.step(&[]);
        let (place, velocity) = ball_of(&world);
        let left = libm::pow(DECAY, f64::from(n));
        for (axis, per_cycle) in [2.4, -0.7].into_iter().enumerate() {
            let way_m = per_cycle * (1.0 - left) / (1.0 - DECAY);
            assert!((place[axis] - way_m).abs() < 1e-9, "cycle {n}: {place:?}, {way_m}");
            assert!((velocity[axis] - 10.0 * per_cycle * left).abs() < 1e-9, "cycle {n}: {velocity:?}");
        }
    }
}

/// W5, I2: the noise of each part is uniform within the given part of the speed (mean 0, variance 1/3), and comes from the given stream.
#[test]
fn its_noise_is_a_part_of_its_speed() {
    const BALL_RAND: f64 = 0.05;
    let mut drawn = Vec::new();
    for seed in 0..40 {
        let [mut world, mut again] = [seed, seed].map(|seed| self::world(seed, BALL_RAND, [24.0, 18.0]));
        for _ in 0..25 {
            let before = ball_of(&world).1;
            world.step(&[]);
            again.step(&[]);
            let after = ball_of(&world).1;
            let most = BALL_RAND * libm::hypot(before[0], before[1]);
            drawn.extend((0..2).map(|axis| (after[axis] / DECAY - before[axis]) / most));
        }
        assert_eq!(world.state_hash(), again.state_hash());
    }
    let n = drawn.len() as f64;
    assert!(drawn.iter().all(|part| part.abs() <= 1.0 + 1e-9));
    let mean = drawn.iter().sum::<f64>() / n;
    let variance = drawn.iter().map(|part| part * part).sum::<f64>() / n;
    // Five standard errors of 2000 draws: of the mean sqrt(1/3 / n), of the square sqrt(4/45 / n).
    assert!(mean.abs() < 5.0 * (1.0 / 3.0 / n).sqrt(), "{mean}");
    assert!((variance - 1.0 / 3.0).abs() < 5.0 * (4.0 / 45.0 / n).sqrt(), "{variance}");
}

/// R5: a kick of half power to the left, by the league's law: 50 * 0.027 = 1.35 m per cycle on top of the ball's velocity, and nothing of
/// the core's.
#[test]
fn a_kick_is_what_the_league_says() {
    let mut world = world(1, 0.0, [0.0; 2]);
    world.step(&[switch("kick", 0.5, Some(FRAC_PI_2))]);
    let (place, velocity) = ball_of(&world);
    let close = |got: [f64; 2], wanted: [f64; 2]| libm::hypot(got[0] - wanted[0], got[1] - wanted[1]) < 1e-9;
    assert!(close(place, [0.0, 1.35]), "{place:?}");
    assert!(close(velocity, [0.0, 13.5 * DECAY]), "{velocity:?}");
}

/// R5: what is caught is held where the keeper has it, however it came.
#[test]
fn a_caught_ball_is_held() {
    let mut world = world(1, 0.0, [-0.2, 0.1]);
    for cycle in 0..10 {
        let catch = switch("catch", 1.0, None);
        world.step(if cycle == 0 { std::slice::from_ref(&catch) } else { &[] });
        let (place, velocity) = ball_of(&world);
        assert!((place[0] + 0.03).abs() < 1e-9 && place[1].abs() < 1e-9, "cycle {cycle}: {place:?}");
        assert_eq!(velocity, [0.0; 2]);
    }
}
