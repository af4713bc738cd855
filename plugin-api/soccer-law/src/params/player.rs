//! Parameters of the players' types: `player_param`.

use super::params;

params! {
    /// Parameters of the players' types, by their names in that server; the defaults are those of version 19.
    PlayerParams {
        /// Number of types of players.
        player_types: i32 = 18, 7, [1, 1000];
        /// Substitutions after the first kick-off.
        subs_max: i32 = 3, 7, [0, 1000];
        /// How many players of a team may be of one type.
        pt_max: i32 = 1, 7, [0, 1000];
        /// Change of player_speed_max: smallest.
        player_speed_max_delta_min: f64 = 0.0, 7, [-100.0, 100.0];
        /// Change of player_speed_max: largest.
        player_speed_max_delta_max: f64 = 0.0, 7, [-100.0, 100.0];
        /// What it costs of stamina_inc_max.
        stamina_inc_max_delta_factor: f64 = 0.0, 7, [-1e9, 1e9];
        /// Change of player_decay: smallest.
        player_decay_delta_min: f64 = -0.1, 7, [-1.0, 1.0];
        /// Change of player_decay: largest.
        player_decay_delta_max: f64 = 0.1, 7, [-1.0, 1.0];
        /// What it costs of inertia_moment.
        inertia_moment_delta_factor: f64 = 25.0, 7, [-1e6, 1e6];
        /// Change of dash_power_rate against size: smallest.
        dash_power_rate_delta_min: f64 = 0.0, 7, [-10.0, 10.0];
        /// Change of dash_power_rate against size: largest.
        dash_power_rate_delta_max: f64 = 0.0, 7, [-10.0, 10.0];
        /// What it costs of player_size.
        player_size_delta_factor: f64 = -100.0, 7, [-1e6, 1e6];
        /// Change of kickable_margin: smallest.
        kickable_margin_delta_min: f64 = -0.1, 7, [-100.0, 100.0];
        /// Change of kickable_margin: largest.
        kickable_margin_delta_max: f64 = 0.1, 7, [-100.0, 100.0];
        /// What it costs of kick_rand.
        kick_rand_delta_factor: f64 = 1.0, 7, [-1e6, 1e6];
        /// Change of extra_stamina: smallest.
        extra_stamina_delta_min: f64 = 0.0, 7, [-1e6, 1e6];
        /// Change of extra_stamina: largest.
        extra_stamina_delta_max: f64 = 50.0, 7, [-1e6, 1e6];
        /// What it costs of the largest effort.
        effort_max_delta_factor: f64 = -0.004, 7, [-100.0, 100.0];
        /// What it costs of the smallest effort.
        effort_min_delta_factor: f64 = -0.004, 7, [-100.0, 100.0];
        /// Seed of the types; -1 takes the run's.
        random_seed: i32 = -1, 8, [-1, 2147483647];
        /// Change of dash_power_rate against stamina: smallest.
        new_dash_power_rate_delta_min: f64 = -0.0012, 8, [-10.0, 10.0];
        /// Change of dash_power_rate against stamina: largest.
        new_dash_power_rate_delta_max: f64 = 0.0008, 8, [-10.0, 10.0];
        /// What it costs of stamina_inc_max.
        new_stamina_inc_max_delta_factor: f64 = -6000.0, 8, [-1e9, 1e9];
        /// Whether any number of players may be of type 0.
        allow_mult_default_type: bool = false, 12, [];
        /// Change of kick_power_rate: smallest.
        kick_power_rate_delta_min: f64 = 0.0, 14, [-10.0, 10.0];
        /// Change of kick_power_rate: largest.
        kick_power_rate_delta_max: f64 = 0.0, 14, [-10.0, 10.0];
        /// What it costs of foul_detect_probability.
        foul_detect_probability_delta_factor: f64 = 0.0, 14, [-1e6, 1e6];
        /// Stretch of a goalkeeper's arms: smallest.
        catchable_area_l_stretch_min: f64 = 1.0, 14, [1.0, 2.0];
        /// Stretch of a goalkeeper's arms: largest.
        catchable_area_l_stretch_max: f64 = 1.3, 14, [1.0, 2.0];
    }
}

impl PlayerParams {
    /// The defaults of version 19.
    pub fn today() -> Self {
        Self::default()
    }

    /// The defaults of the manual of 2002.
    pub fn of_2002() -> Self {
        Self {
            player_types: 7,
            pt_max: 3,
            player_decay_delta_min: 0.0,
            player_decay_delta_max: 0.2,
            kickable_margin_delta_min: 0.0,
            kickable_margin_delta_max: 0.2,
            kick_rand_delta_factor: 0.5,
            extra_stamina_delta_max: 100.0,
            effort_max_delta_factor: -0.002,
            effort_min_delta_factor: -0.002,
            new_dash_power_rate_delta_min: 0.0,
            new_dash_power_rate_delta_max: 0.002,
            new_stamina_inc_max_delta_factor: -10_000.0,
            ..Self::default()
        }
    }
}
