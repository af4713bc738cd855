//! Plays the challenges that one robot can play: it kicks a ball so that it comes to rest at a target, or runs along +x.
//!
//! It is somebody to be compared with, and looks at the world itself: on a robot without eyes for all that, it would need some.
//!
//! # Invariants
//! - It remembers nothing: what it does depends on what is, and on its parameters.

#![forbid(unsafe_code)]

mod params;

pub use params::{ChallengerParams, Play};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::{CommandPart, MotionDescription};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_api::view::Object;

/// A ball that is faster is on its way, m/s.
const ROLLS_M_S: f64 = 0.03;
/// It turns towards a direction so fast, 1/s.
const TURN_GAIN_PER_S: f64 = 3.0;

pub struct Challenger {
    params: ChallengerParams,
    speed_m_s: f64,
    turn_rad_s: f64,
    is_holonomic: bool,
    /// The kicker's number and that of its state.
    kicker: Option<(usize, usize)>,
    /// The number of a dribbler and of the state in which it is off: one that pulls would take from a kick.
    dribbler: Option<(usize, usize)>,
}

impl Player for Challenger {
    const NAME: &'static str = "challenger";
    const SUMMARY: &'static str = "Plays the challenges that one robot can play: a kick at a target, a run.";
    type Params = ChallengerParams;
    type State = Stateless;

    fn new(params: ChallengerParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        params.check()?;
        let motion = &setup.robot.motion;
        let kicker = setup.robot.manipulator("kicker", "kick");
        if params.play == Play::Kick && kicker.is_none() {
            return Err(SetupError::new("this robot has no manipulator \"kicker\" with a state \"kick\""));
        }
        Ok(Self {
            speed_m_s: highest(motion, CommandPart::Forward)? * params.speed_fraction,
            turn_rad_s: highest(motion, CommandPart::Turn)?,
            is_holonomic: motion.dimension(CommandPart::Left).is_some(),
            kicker,
            dribbler: setup.robot.manipulator("dribbler", "off"),
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
        let twist = match self.params.play {
            Play::Run => self.run(own),
            Play::Kick => match input.view.balls().next() {
                Some(ball) => self.kick(own, ball, input, orders),
                None => Twist2::ZERO,
            },
        };
        orders.drive_twist(twist);
        Ok(())
    }
}

impl Challenger {
    /// Along +x.
    fn run(&self, own: &Object) -> Twist2 {
        Twist2::new(self.speed_m_s, 0.0, self.turn_to(-own.pose.theta_rad))
    }

    /// To the ball, on the line from it to the target, and kicks when it has it.
    fn kick(&self, own: &Object, ball: &Object, input: &PlayerInput<'_>, orders: &mut Orders) -> Twist2 {
        let squared_m_s = ball.twist.x_m_s * ball.twist.x_m_s + ball.twist.y_m_s * ball.twist.y_m_s;
        if squared_m_s > ROLLS_M_S * ROLLS_M_S {
            return Twist2::ZERO;
        }
        if let Some((dribbler, off)) = self.dribbler
            && input.manipulators.get(dribbler).is_some_and(|now| now.state as usize != off)
        {
            orders.manipulate(dribbler, off, 1.0);
        }
        let target = [self.params.target_x_m, self.params.target_y_m];
        let at = [ball.pose.x_m, ball.pose.y_m];
        let (dx, dy) = (target[0] - at[0], target[1] - at[1]);
        let far_m = (dx * dx + dy * dy).sqrt();
        let is_ready = |kicker: usize| {
            input.manipulators.get(kicker).is_some_and(|now| now.has_ball == 1 && now.ready_in_secs <= 0.0)
        };
        let aim_rad = own.pose.bearing_rad(target);
        if let Some((kicker, state)) = self.kicker
            && is_ready(kicker)
            && aim_rad.abs() <= self.params.aim_rad
        {
            orders.manipulate(kicker, state, self.params.strength(far_m));
            return Twist2::ZERO;
        }
        let to_ball = own.pose.point_to_inner(at);
        let gap_m = (to_ball[0] * to_ball[0] + to_ball[1] * to_ball[1]).sqrt();
        // Slower the nearer it is: what it brings along is added to the kick.
        let forward_m_s = (self.params.approach_per_s * gap_m).min(self.speed_m_s);
        if self.is_holonomic {
            let left_m_s = (2.0 * to_ball[1]).clamp(-self.speed_m_s, self.speed_m_s);
            return Twist2::new(forward_m_s, left_m_s, self.turn_to(aim_rad));
        }
        Twist2::new(forward_m_s, 0.0, self.turn_to(own.pose.bearing_rad(at)))
    }

    fn turn_to(&self, direction_rad: f64) -> f64 {
        (TURN_GAIN_PER_S * direction_rad).clamp(-self.turn_rad_s, self.turn_rad_s)
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
