//! Heterogeneous players: what a type differs by, and how the types of a game are drawn.

use crate::params::{PlayerParams, ServerParams};
use touchline_plugin_api::noise::{Noise, NoiseKey};

/// How often a type is drawn before it becomes the default one.
const MAX_TRIALS: u32 = 1000;
const EPSILON: f64 = 1e-10;
/// From corner to corner of a pitch of 105 by 68 metres.
const PITCH_DIAGONAL_M: f64 = 125.095_963_165_555;

/// One type of players; units as in [`ServerParams`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerType {
    /// Highest speed, metres a cycle.
    pub player_speed_max: f64,
    /// Stamina that comes back in a cycle at full recovery.
    pub stamina_inc_max: f64,
    /// What is left of the velocity after a cycle.
    pub player_decay: f64,
    /// How much speed hinders turning.
    pub inertia_moment: f64,
    /// Acceleration for each unit of a dash's power.
    pub dash_power_rate: f64,
    /// Radius, metres.
    pub player_size: f64,
    /// How far a ball may be from the edge to be kicked, metres.
    pub kickable_margin: f64,
    /// Noise of a kick.
    pub kick_rand: f64,
    /// Stamina beside the normal one.
    pub extra_stamina: f64,
    /// Largest effort.
    pub effort_max: f64,
    /// Smallest effort.
    pub effort_min: f64,
    /// Acceleration of the ball for each unit of a kick's power.
    pub kick_power_rate: f64,
    /// Probability with which the referee sees a foul.
    pub foul_detect_probability: f64,
    /// Stretch of the area in which a goalkeeper catches.
    pub catchable_area_l_stretch: f64,
    /// How far it sees what.
    pub sight: SightLengths,
    /// Noise of distances in the Gaussian view.
    pub noise: SightNoise,
}

/// Distances at which things become harder to tell, metres: `far` begins, at `too_far` it is impossible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SightLengths {
    /// Numbers of players begin to be missed.
    pub unum_far_length: f64,
    /// Numbers of players are missed always.
    pub unum_too_far_length: f64,
    /// Teams of players begin to be missed.
    pub team_far_length: f64,
    /// Teams of players are missed always.
    pub team_too_far_length: f64,
    /// Players are seen up to here.
    pub player_max_observation_length: f64,
    /// The ball's velocity begins to be missed.
    pub ball_vel_far_length: f64,
    /// The ball's velocity is missed always.
    pub ball_vel_too_far_length: f64,
    /// The ball is seen up to here.
    pub ball_max_observation_length: f64,
    /// Changes of landmarks begin to be missed.
    pub flag_chg_far_length: f64,
    /// Changes of landmarks are missed always.
    pub flag_chg_too_far_length: f64,
    /// Landmarks are seen up to here.
    pub flag_max_observation_length: f64,
}

/// Standard deviation of a distance for each metre, in the Gaussian view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SightNoise {
    /// Of the distance from the player.
    pub dist_noise_rate: f64,
    /// Of the distance from the focus.
    pub focus_dist_noise_rate: f64,
    /// Of a landmark's distance from the player.
    pub land_dist_noise_rate: f64,
    /// Of a landmark's distance from the focus.
    pub land_focus_dist_noise_rate: f64,
}

impl Default for SightLengths {
    fn default() -> Self {
        Self {
            unum_far_length: 20.0,
            unum_too_far_length: 40.0,
            team_far_length: PITCH_DIAGONAL_M,
            team_too_far_length: PITCH_DIAGONAL_M,
            player_max_observation_length: PITCH_DIAGONAL_M,
            ball_vel_far_length: 20.0,
            ball_vel_too_far_length: 40.0,
            ball_max_observation_length: PITCH_DIAGONAL_M,
            flag_chg_far_length: 20.0,
            flag_chg_too_far_length: 40.0,
            flag_max_observation_length: PITCH_DIAGONAL_M,
        }
    }
}

impl PlayerType {
    /// Type 0: what [`ServerParams`] say.
    pub fn default_of(server: &ServerParams) -> Self {
        Self {
            player_speed_max: server.player_speed_max,
            stamina_inc_max: server.stamina_inc_max,
            player_decay: server.player_decay,
            inertia_moment: server.inertia_moment,
            dash_power_rate: server.dash_power_rate,
            player_size: server.player_size,
            kickable_margin: server.kickable_margin,
            kick_rand: server.kick_rand,
            extra_stamina: server.extra_stamina,
            effort_max: server.effort_init,
            effort_min: server.effort_min,
            kick_power_rate: server.kick_power_rate,
            foul_detect_probability: server.foul_detect_probability,
            catchable_area_l_stretch: 1.0,
            sight: SightLengths::default(),
            noise: SightNoise {
                dist_noise_rate: server.dist_noise_rate,
                focus_dist_noise_rate: server.focus_dist_noise_rate,
                land_dist_noise_rate: server.land_dist_noise_rate,
                land_focus_dist_noise_rate: server.land_focus_dist_noise_rate,
            },
        }
    }

    /// The speed that endless dashing at full power comes to, metres a cycle: infinite where a dash moves who loses nothing of its speed, 0 where no dash moves anybody.
    pub fn real_speed_max(&self, server: &ServerParams) -> f64 {
        let gained = server.maxpower * self.dash_power_rate * self.effort_max;
        match self.player_decay {
            _ if gained == 0.0 => 0.0,
            decay if decay < 1.0 => gained / (1.0 - decay),
            _ => f64::INFINITY,
        }
    }

    /// Each ability is drawn with what it costs elsewhere.
    fn draw(server: &ServerParams, player: &PlayerParams, noise: &mut Noise) -> Self {
        let mut delta = |min: f64, max: f64| noise.uniform(min.min(max), min.max(max));
        let mut drawn = Self::default_of(server);
        // As in that server, the second trade of stamina and dashing replaces the first.
        let speed = delta(player.player_speed_max_delta_min, player.player_speed_max_delta_max);
        drawn.player_speed_max += speed;
        let decay = delta(player.player_decay_delta_min, player.player_decay_delta_max);
        drawn.player_decay += decay;
        drawn.inertia_moment += decay * player.inertia_moment_delta_factor;
        let size = delta(player.dash_power_rate_delta_min, player.dash_power_rate_delta_max);
        drawn.player_size += size * player.player_size_delta_factor;
        let dash = delta(player.new_dash_power_rate_delta_min, player.new_dash_power_rate_delta_max);
        drawn.dash_power_rate += dash;
        drawn.stamina_inc_max += dash * player.new_stamina_inc_max_delta_factor;
        let margin = delta(player.kickable_margin_delta_min, player.kickable_margin_delta_max);
        drawn.kickable_margin += margin;
        drawn.kick_rand += margin * player.kick_rand_delta_factor;
        let extra = delta(player.extra_stamina_delta_min, player.extra_stamina_delta_max);
        drawn.extra_stamina += extra;
        drawn.effort_max += extra * player.effort_max_delta_factor;
        drawn.effort_min += extra * player.effort_min_delta_factor;
        let kick = delta(player.kick_power_rate_delta_min, player.kick_power_rate_delta_max);
        drawn.kick_power_rate += kick;
        drawn.foul_detect_probability += kick * player.foul_detect_probability_delta_factor;
        drawn.catchable_area_l_stretch =
            delta(player.catchable_area_l_stretch_min, player.catchable_area_l_stretch_max);
        drawn
    }

    fn is_possible(&self, server: &ServerParams) -> bool {
        let above_zero = [
            self.player_speed_max,
            self.stamina_inc_max,
            self.player_decay,
            self.dash_power_rate,
            self.player_size,
            self.kickable_margin,
            self.effort_max,
            self.effort_min,
        ];
        let not_negative = [self.inertia_moment, self.kick_rand, self.extra_stamina];
        let speed = self.real_speed_max(server);
        above_zero.into_iter().all(|value| value > 0.0)
            && not_negative.into_iter().all(|value| value >= 0.0)
            && server.player_speed_max_min - EPSILON < speed
            && speed < self.player_speed_max + EPSILON
    }
}

/// The types of a game. Type 0 is the default; each other is drawn until it is possible, at most 1000 times, and then the default too.
///
/// The draws of a type depend on the seed and its number alone.
pub fn player_types(server: &ServerParams, player: &PlayerParams, seed: u64) -> Vec<PlayerType> {
    let default = PlayerType::default_of(server);
    let key = NoiseKey::for_owner(seed, "soccer/player-types");
    let drawn = (1..player.player_types.max(1) as u64).map(|index| {
        let mut noise = key.split(index).stream();
        let mut trials = (0..MAX_TRIALS).map(|_| PlayerType::draw(server, player, &mut noise));
        trials.find(|drawn| drawn.is_possible(server)).unwrap_or(default)
    });
    std::iter::once(default).chain(drawn).collect()
}

/// The seed of the types and the number that clients are told: `random_seed` if it is given, else one of the run's.
pub fn types_seed(player: &PlayerParams, run_seed: u64) -> i32 {
    if player.random_seed >= 0 { player.random_seed } else { (run_seed & 0x7fff_ffff) as i32 }
}
