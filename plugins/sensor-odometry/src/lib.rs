//! Odometry: where the robot believes to be from what its wheels did, and how fast it goes. [S1, R4]
//!
//! The state is the believed pose, in a frame that begins where the robot began. Each step adds what was achieved,
//! with noise that grows with the way and the turn ([`Odometer::counted`]), so the pose drifts.
//!
//! # Not here
//! The motion data: the motion model publishes it, and it is passed on as it is.
//!
//! # Reference
//! S. Thrun, W. Burgard, D. Fox, *Probabilistic Robotics* (2005), chapter 5, odometry motion model. Departures: the
//! variance grows in proportion to the way, so that it does not depend on the length of a step.

#![forbid(unsafe_code)]

mod params;

pub use params::OdometryParams;
use touchline_kit::data::Odometry;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::layout::{Feature, Layout, encode};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorInput, SensorSetup};

pub struct Odometer {
    params: OdometryParams,
    feature: Feature,
    /// Variances of the heading: by turn, rad^2 per radian, and by way, rad^2 per metre.
    heading_variance: [f64; 2],
}

impl Sensor for Odometer {
    const NAME: &'static str = "odometry";
    const SUMMARY: &'static str = "Odometry: pose by dead reckoning with drift, velocities, motion data.";
    const TYPE: &'static str = "odometry";
    const SERVES_ALL: bool = true;
    const IS_DEAF: bool = true;
    type Params = OdometryParams;
    /// The believed pose in the odometry frame.
    type State = Pose2;

    fn new(params: Self::Params, setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let heading_variance = [params.sigma_heading_rad_per_sqrt_rad, params.sigma_heading_rad_per_sqrt_m]
            .map(|sigma| sigma * sigma);
        Ok(Self { params, feature: Odometry::feature(&setup.motion), heading_variance })
    }

    fn layout(&self) -> Layout {
        Layout { features: vec![self.feature.clone()] }
    }

    fn initial_state(&self) -> Pose2 {
        Pose2::ORIGIN
    }

    #[inline]
    fn advance(&self, state: &mut Pose2, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        // Wheels that do not turn count nothing.
        if input.displacement != Pose2::ORIGIN {
            *state = state.compose(self.counted(input.displacement, input.noise));
        }
        Ok(())
    }

    #[inline]
    fn generate(&self, state: &Pose2, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let twist = self.measured(input.robot_twist, input.noise);
        let head = [state.x_m, state.y_m, state.theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s];
        // In the order of `Odometry::feature`; the tests read it back by name.
        let (head_quantised, data_quantised) = quantised.split_at_mut(head.len());
        let (head_fields, data_fields) = self.feature.fields.split_at(head.len());
        for (quantised, fields, values) in
            [(head_quantised, head_fields, &head[..]), (data_quantised, data_fields, input.motion_data)]
        {
            for ((count, field), &value) in quantised.iter_mut().zip(fields).zip(values) {
                // All fields of this feature are signed.
                *count = encode(value, field.scale, true);
            }
        }
        Ok(())
    }
}

/// Readings and integration draw from streams of their own.
const VELOCITY_STREAM: u64 = 1;

impl Odometer {
    /// What the wheels count of a displacement in the body frame.
    #[inline]
    fn counted(&self, true_step: Pose2, noise: NoiseKey) -> Pose2 {
        let params = &self.params;
        let way_m = (true_step.x_m * true_step.x_m + true_step.y_m * true_step.y_m).sqrt();
        let turn_rad = true_step.theta_rad.abs();
        let [by_turn, by_way] = self.heading_variance;
        let heading_sigma_rad = (by_turn * turn_rad + by_way * way_m).sqrt();
        // As a part of the way, the error of its length has the deviation sigma / sqrt(way).
        let way_sigma = if way_m > 0.0 { params.sigma_distance_m_per_sqrt_m / way_m.sqrt() } else { 0.0 };
        let [way_error, heading_error_rad] = noise.stream().gaussian_pair([way_sigma, heading_sigma_rad]);
        let scale = 1.0 + params.distance_scale_error + way_error;
        Pose2::new(
            true_step.x_m * scale,
            true_step.y_m * scale,
            true_step.theta_rad * (1.0 + params.turn_scale_error)
                + params.heading_bias_rad_per_m * way_m
                + heading_error_rad,
        )
    }

    fn measured(&self, twist: Twist2, noise: NoiseKey) -> Twist2 {
        let OdometryParams { sigma_velocity_m_s, sigma_turn_rad_s, .. } = self.params;
        if sigma_velocity_m_s == 0.0 && sigma_turn_rad_s == 0.0 {
            return twist;
        }
        let mut noise = noise.split(VELOCITY_STREAM).stream();
        Twist2::new(
            twist.x_m_s + noise.gaussian(sigma_velocity_m_s),
            twist.y_m_s + noise.gaussian(sigma_velocity_m_s),
            twist.turn_rad_s + noise.gaussian(sigma_turn_rad_s),
        )
    }
}

touchline_plugin_api::export_sensor!(Odometer);

#[cfg(test)]
mod tests;
