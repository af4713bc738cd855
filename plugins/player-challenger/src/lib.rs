//! Plays challenges: kicks and throws a ball, runs, meets a rolling ball, keeps a ball or takes it, passes.
//!
//! It is somebody to be compared with, and looks at the world itself: on a robot without eyes for all that, it would need some.
//!
//! # Invariants
//! - It remembers nothing: what it does depends on what is, and on its parameters.

#![forbid(unsafe_code)]

mod alone;
mod ball;
mod params;
mod team;

pub use params::{ChallengerParams, Play};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::{Twist2, sin_cos};
use touchline_plugin_api::motion::{CommandPart, MotionDescription};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_api::view::Object;

/// It turns towards a direction so fast, 1/s.
const TURN_GAIN_PER_S: f64 = 3.0;

pub struct Challenger {
    params: ChallengerParams,
    speed_m_s: f64,
    turn_rad_s: f64,
    is_holonomic: bool,
    /// The kicker's number and that of its state; a throw has one of its own.
    kicker: Option<(usize, usize)>,
    /// The number of a dribbler and of the state in which it is off: one that pulls would take from a kick.
    dribbler: Option<(usize, usize)>,
    /// The place of the square's size among what the referee says.
    half_side: Option<usize>,
}

impl Player for Challenger {
    const NAME: &'static str = "challenger";
    const SUMMARY: &'static str =
        "Plays challenges: kicks, throws, runs, meets a rolling ball, keeps and passes.";
    type Params = ChallengerParams;
    type State = Stateless;

    fn new(params: ChallengerParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        params.check()?;
        let motion = &setup.robot.motion;
        let is_holonomic = motion.dimension(CommandPart::Left).is_some();
        let manipulator = params.play.manipulator();
        let kicker = manipulator.and_then(|name| setup.robot.manipulator(name, "kick"));
        if let Some(name) = manipulator.filter(|_| kicker.is_none()) {
            let message = format!("this robot has no manipulator \"{name}\" with a state \"kick\"");
            return Err(SetupError::new(message));
        }
        if !is_holonomic && !matches!(params.play, Play::Kick | Play::Run) {
            return Err(SetupError::new("this robot cannot drive sideways, and this play needs it"));
        }
        Ok(Self {
            speed_m_s: highest(motion, CommandPart::Forward)? * params.speed_fraction,
            turn_rad_s: highest(motion, CommandPart::Turn)?,
            is_holonomic,
            kicker,
            dribbler: setup.robot.manipulator("dribbler", "off"),
            half_side: setup.world.game.value("half-side"),
            params,
        })
    }

    fn wants(&self) -> Vec<FeatureHandle> {
        Vec::new()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn sense_and_act(
        &self,
        _: &mut Stateless,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let Some(own) = input.view.robot(input.robot) else { return Ok(()) };
        let twist = match (self.params.play, input.view.balls().next()) {
            (Play::Run, _) => self.run(own),
            (_, None) => Twist2::ZERO,
            (Play::Kick, Some(ball)) => self.kick(own, ball, input, orders),
            (Play::Throw, Some(ball)) => self.throw(own, ball, input, orders),
            (Play::Volley, Some(ball)) => self.volley(own, ball, input, orders),
            (Play::Roll, Some(ball)) => self.meet(own, ball, input, orders),
            (Play::Keep, Some(ball)) => self.keep(own, ball, input, orders),
            (Play::Take, Some(ball)) => self.take(own, ball),
            (Play::Pass, Some(ball)) => self.pass(own, ball, input, orders),
        };
        orders.drive_twist(twist);
        Ok(())
    }
}

impl Challenger {
    fn target(&self) -> [f64; 2] {
        [self.params.target_x_m, self.params.target_y_m]
    }

    fn turn_to(&self, direction_rad: f64) -> f64 {
        (TURN_GAIN_PER_S * direction_rad).clamp(-self.turn_rad_s, self.turn_rad_s)
    }

    /// With this velocity in the world, m/s, no faster than it is, turning to a direction in its own frame.
    fn drive(&self, own: &Object, [x, y]: [f64; 2], direction_rad: f64) -> Twist2 {
        let speed_m_s = (x * x + y * y).sqrt();
        let scale = if speed_m_s > self.speed_m_s { self.speed_m_s / speed_m_s } else { 1.0 };
        let (sin, cos) = sin_cos(own.pose.theta_rad);
        let (forward, left) = (cos * x + sin * y, cos * y - sin * x);
        Twist2::new(scale * forward, scale * left, self.turn_to(direction_rad))
    }
}

fn highest(motion: &MotionDescription, part: CommandPart) -> Result<f64, SetupError> {
    let dimension = motion.dimension(part).and_then(|place| motion.dimensions.get(place));
    let missing = || SetupError::new(format!("this robot's motion model has no velocity {part:?}"));
    dimension.map(|dimension| dimension.max).ok_or_else(missing)
}

touchline_plugin_api::export_player!(Challenger);

#[cfg(test)]
mod tests;
