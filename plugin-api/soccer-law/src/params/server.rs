//! Parameters of the game: `server_param`.

use super::params;

params! {
    /// Parameters of the game, by their names in that server; the defaults are those of version 19.
    ServerParams {
        /// Width of the goals, metres.
        goal_width: f64 = 14.02, 7, [0.1, 100.0];
        /// How much speed hinders turning: a moment is divided by 1 + inertia_moment * speed.
        inertia_moment: f64 = 5.0, 7, [0.0, 1000.0];
        /// Radius of a player, metres.
        player_size: f64 = 0.3, 7, [0.01, 5.0];
        /// What is left of a player's velocity after a cycle.
        player_decay: f64 = 0.4, 7, [0.0, 1.0];
        /// Noise of a player's movement and turn, as a share of its speed or moment.
        player_rand: f64 = 0.1, 7, [0.0, 10.0];
        /// Weight of a player, for the wind.
        player_weight: f64 = 60.0, 7, [0.001, 1e6];
        /// Highest speed of a player, metres a cycle.
        player_speed_max: f64 = 1.05, 7, [0.01, 100.0];
        /// Highest acceleration of a player, metres a cycle squared.
        player_accel_max: f64 = 1.0, 7, [0.0, 100.0];
        /// Stamina at the beginning.
        stamina_max: f64 = 8000.0, 7, [1.0, 1e9];
        /// Stamina that comes back in a cycle at full recovery.
        stamina_inc_max: f64 = 45.0, 7, [0.0, 1e6];
        /// Recovery at the beginning.
        recover_init: f64 = 1.0, 9, [0.0, 1.0];
        /// Share of stamina_max below which recovery falls.
        recover_dec_thr: f64 = 0.3, 7, [0.0, 1.0];
        /// Recovery never falls below this.
        recover_min: f64 = 0.5, 7, [0.0, 1.0];
        /// By how much recovery falls in a cycle.
        recover_dec: f64 = 0.002, 7, [0.0, 1.0];
        /// Effort at the beginning.
        effort_init: f64 = 1.0, 7, [0.0, 1.0];
        /// Share of stamina_max below which effort falls.
        effort_dec_thr: f64 = 0.3, 7, [0.0, 1.0];
        /// Effort never falls below this.
        effort_min: f64 = 0.6, 7, [0.0, 1.0];
        /// By how much effort falls in a cycle.
        effort_dec: f64 = 0.005, 7, [0.0, 1.0];
        /// Share of stamina_max above which effort rises again.
        effort_inc_thr: f64 = 0.6, 7, [0.0, 1.0];
        /// By how much effort rises in a cycle.
        effort_inc: f64 = 0.01, 7, [0.0, 1.0];
        /// Noise of a kick.
        kick_rand: f64 = 0.1, 7, [0.0, 100.0];
        /// Whether the factors of noise per team count.
        team_actuator_noise: bool = false, 7, [];
        /// Factor of player_rand for the left team.
        prand_factor_l: f64 = 1.0, 7, [0.0, 100.0];
        /// Factor of player_rand for the right team.
        prand_factor_r: f64 = 1.0, 7, [0.0, 100.0];
        /// Factor of kick_rand for the left team.
        kick_rand_factor_l: f64 = 1.0, 7, [0.0, 100.0];
        /// Factor of kick_rand for the right team.
        kick_rand_factor_r: f64 = 1.0, 7, [0.0, 100.0];
        /// Radius of the ball, metres.
        ball_size: f64 = 0.085, 7, [0.001, 5.0];
        /// What is left of the ball's velocity after a cycle.
        ball_decay: f64 = 0.94, 7, [0.0, 1.0];
        /// Noise of the ball's movement, as a share of its speed.
        ball_rand: f64 = 0.05, 7, [0.0, 10.0];
        /// Weight of the ball, for the wind.
        ball_weight: f64 = 0.2, 7, [0.001, 1e6];
        /// Highest speed of the ball, metres a cycle.
        ball_speed_max: f64 = 3.0, 7, [0.01, 1000.0];
        /// Highest acceleration of the ball, metres a cycle squared.
        ball_accel_max: f64 = 2.7, 7, [0.0, 1000.0];
        /// Acceleration for each unit of a dash's power, metres a cycle squared.
        dash_power_rate: f64 = 0.006, 7, [0.0, 10.0];
        /// Acceleration of the ball for each unit of a kick's power, metres a cycle squared.
        kick_power_rate: f64 = 0.027, 7, [0.0, 10.0];
        /// How far a ball may be from a player's edge to be kicked, metres.
        kickable_margin: f64 = 0.7, 7, [0.001, 100.0];
        /// Sent to clients; counts for nothing.
        control_radius: f64 = 2.0, 7, [0.0, 100.0];
        /// Probability of a catch within the area that is surely reached.
        catch_probability: f64 = 1.0, 7, [0.0, 1.0];
        /// Length of the area in which a goalkeeper catches, metres.
        catchable_area_l: f64 = 1.2, 7, [0.0, 100.0];
        /// Its width, metres.
        catchable_area_w: f64 = 1.0, 7, [0.0, 100.0];
        /// How often a goalkeeper may move with a ball that it holds.
        goalie_max_moves: i32 = 2, 7, [0, 1000];
        /// Highest power of a kick.
        maxpower: f64 = 100.0, 7, [0.0, 1e6];
        /// Lowest power of a kick.
        minpower: f64 = -100.0, 7, [-1e6, 0.0];
        /// Largest moment of a turn, degrees.
        maxmoment: f64 = 180.0, 7, [0.0, 360.0];
        /// Smallest moment of a turn, degrees.
        minmoment: f64 = -180.0, 7, [-360.0, 0.0];
        /// Largest moment of a turn of the neck, degrees.
        maxneckmoment: f64 = 180.0, 7, [0.0, 360.0];
        /// Smallest moment of a turn of the neck, degrees.
        minneckmoment: f64 = -180.0, 7, [-360.0, 0.0];
        /// Largest angle of the neck, degrees.
        maxneckang: f64 = 90.0, 7, [0.0, 180.0];
        /// Smallest angle of the neck, degrees.
        minneckang: f64 = -90.0, 7, [-180.0, 0.0];
        /// Angle that a normal view has, degrees.
        visible_angle: f64 = 90.0, 7, [1.0, 360.0];
        /// Within this distance something is noticed all round, metres.
        visible_distance: f64 = 3.0, 7, [0.0, 1000.0];
        /// How far a player is heard, metres.
        audio_cut_dist: f64 = 50.0, 7, [0.0, 1e4];
        /// Step in which the logarithm of distances of ball and players is quantised.
        quantize_step: f64 = 0.1, 7, [1e-6, 10.0];
        /// Step in which the logarithm of distances of landmarks is quantised.
        quantize_step_l: f64 = 0.01, 7, [1e-6, 10.0];
        /// Distance of a corner kick from both lines, metres.
        ckick_margin: f64 = 1.0, 7, [0.0, 10.0];
        /// Where the wind blows to, degrees.
        wind_dir: f64 = 0.0, 7, [-360.0, 360.0];
        /// Strength of the wind.
        wind_force: f64 = 0.0, 7, [0.0, 1e6];
        /// Sent to clients; counts for nothing.
        wind_ang: f64 = 0.0, 7, [-360.0, 360.0];
        /// Noise of the wind.
        wind_rand: f64 = 0.0, 7, [0.0, 1e6];
        /// Whether there is no wind at all.
        wind_none: bool = false, 7, [];
        /// Whether the wind is drawn at the beginning.
        wind_random: bool = false, 7, [];
        /// Length of a half, seconds of ten cycles; -1 is without end.
        half_time: i32 = 300, 7, [-1, 86400];
        /// Cycles after which a ball that nobody kicks is dropped.
        drop_ball_time: i32 = 100, 7, [0, 1_000_000];
        /// UDP port of players and monitors.
        port: i32 = 6000, 8, [0, 65535];
        /// UDP port of the trainer.
        coach_port: i32 = 6001, 8, [0, 65535];
        /// UDP port of online coaches.
        olcoach_port: i32 = 6002, 8, [0, 65535];
        /// Freeform messages that a coach has in normal time.
        say_coach_cnt_max: i32 = 128, 7, [0, 1_000_000];
        /// Characters of a coach's freeform message.
        say_coach_msg_size: i32 = 128, 7, [0, 8000];
        /// Length of a cycle, milliseconds.
        simulator_step: i32 = 100, 7, [10, 60000];
        /// Interval of a player's normal view, milliseconds.
        send_step: i32 = 150, 7, [10, 60000];
        /// Interval in which commands are received, milliseconds.
        recv_step: i32 = 10, 7, [1, 60000];
        /// Interval of sense_body, milliseconds.
        sense_body_step: i32 = 100, 7, [10, 60000];
        /// Characters of a player's message.
        say_msg_size: i32 = 10, 7, [0, 2000];
        /// Window in which a coach's messages are counted, cycles.
        clang_win_size: i32 = 300, 7, [1, 1_000_000];
        /// Define messages in a window.
        clang_define_win: i32 = 1, 7, [0, 1000];
        /// Meta messages in a window.
        clang_meta_win: i32 = 1, 7, [0, 1000];
        /// Advice messages in a window.
        clang_advice_win: i32 = 1, 7, [0, 1000];
        /// Info messages in a window.
        clang_info_win: i32 = 1, 7, [0, 1000];
        /// Delete messages in a window.
        clang_del_win: i32 = 1, 8, [0, 1000];
        /// Rule messages in a window.
        clang_rule_win: i32 = 1, 8, [0, 1000];
        /// Cycles by which a coach's message is delayed in play.
        clang_mess_delay: i32 = 50, 7, [0, 100000];
        /// Messages of a coach that are delivered in a cycle.
        clang_mess_per_cycle: i32 = 1, 7, [0, 1000];
        /// Largest hearing capacity of a player.
        hear_max: i32 = 1, 7, [0, 1000];
        /// By how much it rises in a cycle.
        hear_inc: i32 = 1, 7, [0, 1000];
        /// What a message costs of it.
        hear_decay: i32 = 1, 7, [0, 1000];
        /// Cycles after a catch in which there is no other.
        catch_ban_cycle: i32 = 5, 7, [0, 1000];
        /// Whether a trainer may connect, and there is no automatic referee.
        coach: bool = false, 7, [];
        /// Whether a trainer may connect beside the automatic referee.
        coach_w_referee: bool = false, 7, [];
        /// Whether trainers hear in the oldest form.
        old_coach_hear: bool = false, 7, [];
        /// Interval of a coach's global view, milliseconds.
        send_vi_step: i32 = 100, 7, [10, 60000];
        /// Whether there is offside.
        use_offside: bool = true, 7, [];
        /// How near to the ball a marked player is offside, metres.
        offside_active_area_size: f64 = 2.5, 7, [0.0, 100.0];
        /// Whether players have to be in their own half at a kick-off.
        forbid_kick_off_offside: bool = true, 7, [];
        /// Sent to clients; counts for nothing.
        verbose: bool = false, 8, [];
        /// How far opponents have to be from a free kick, metres.
        offside_kick_margin: f64 = 9.15, 7, [0.0, 100.0];
        /// Factor by which a cycle takes longer in real time.
        slow_down_factor: i32 = 1, 7, [1, 1000];
        /// Whether a cycle waits until all clients are done.
        synch_mode: bool = false, 8, [];
        /// When in a cycle clients are told to think, milliseconds.
        synch_offset: i32 = 60, 8, [0, 60000];
        /// Sent to clients; counts for nothing.
        synch_micro_sleep: i32 = 1, 8, [0, 1_000_000];
        /// Goals of the left team at the beginning.
        start_goal_l: i32 = 0, 7, [0, 100000];
        /// Goals of the right team at the beginning.
        start_goal_r: i32 = 0, 7, [0, 100000];
        /// Whether the left team is told the whole state.
        fullstate_l: bool = false, 7, [];
        /// Whether the right team is told the whole state.
        fullstate_r: bool = false, 7, [];
        /// Divides the effect of the left team's dashes in the upper half.
        slowness_on_top_for_left_team: f64 = 1.0, 8, [0.001, 1000.0];
        /// Divides the effect of the right team's dashes in the upper half.
        slowness_on_top_for_right_team: f64 = 1.0, 8, [0.001, 1000.0];
        /// Sent to clients; no such file is read.
        landmark_file: String = "~/.rcssserver-landmark.xml", 8, [];
        /// Whether monitors are told what clients send.
        send_comms: bool = false, 8, [];
        /// Whether commands are logged.
        text_logging: bool = true, 8, [];
        /// Whether the game is logged.
        game_logging: bool = true, 8, [];
        /// Version of the game log; -1 is JSON.
        game_log_version: i32 = 6, 8, [-1, 6];
        /// Folder of the log of commands.
        text_log_dir: String = "./", 8, [];
        /// Folder of the game log.
        game_log_dir: String = "./", 8, [];
        /// Name of the log of commands, if it is fixed.
        text_log_fixed_name: String = "rcssserver", 8, [];
        /// Name of the game log, if it is fixed.
        game_log_fixed_name: String = "rcssserver", 8, [];
        /// Whether that name is fixed.
        text_log_fixed: bool = false, 8, [];
        /// Whether that name is fixed.
        game_log_fixed: bool = false, 8, [];
        /// Whether the date stands in the log's name.
        text_log_dated: bool = true, 8, [];
        /// Whether the date stands in the log's name.
        game_log_dated: bool = true, 8, [];
        /// Form of that date.
        log_date_format: String = "%Y%m%d%H%M%S-", 8, [];
        /// Whether times of the clock are logged.
        log_times: bool = false, 8, [];
        /// Whether messages are logged.
        record_messages: bool = false, 8, [];
        /// Level of compression of the log of commands.
        text_log_compression: i32 = 0, 8, [0, 9];
        /// Level of compression of the game log.
        game_log_compression: i32 = 0, 8, [0, 9];
        /// Sent to clients; counts for nothing.
        profile: bool = false, 8, [];
        /// Cycles after pointing in which an arm stays.
        point_to_ban: i32 = 5, 8, [0, 1000];
        /// Cycles for which an arm points.
        point_to_duration: i32 = 20, 8, [0, 1000];
        /// How far a tackle reaches to the front, metres.
        tackle_dist: f64 = 2.0, 8, [0.0, 100.0];
        /// How far a tackle reaches to the back, metres.
        tackle_back_dist: f64 = 0.0, 8, [0.0, 100.0];
        /// How far a tackle reaches to the side, metres.
        tackle_width: f64 = 1.25, 8, [0.001, 100.0];
        /// How sharp the edge of that area is.
        tackle_exponent: f64 = 6.0, 8, [0.1, 100.0];
        /// Cycles for which a tackling player lies.
        tackle_cycles: i32 = 10, 8, [0, 1000];
        /// Acceleration of the ball for each unit of a tackle's power.
        tackle_power_rate: f64 = 0.027, 8, [0.0, 10.0];
        /// Cycles of play after which a coach may speak freely.
        freeform_wait_period: i32 = 600, 8, [0, 1_000_000];
        /// For how many cycles it then may.
        freeform_send_period: i32 = 20, 8, [0, 1_000_000];
        /// Whether a second touch of a free kick is a fault.
        free_kick_faults: bool = true, 8, [];
        /// Whether a goalkeeper may not catch a pass of its own team.
        back_passes: bool = true, 8, [];
        /// Whether a goal kick has to leave the penalty area untouched.
        proper_goal_kicks: bool = false, 8, [];
        /// Below this speed a ball lies, metres a cycle.
        stopped_ball_vel: f64 = 0.01, 8, [0.0, 10.0];
        /// How often a goal kick is repeated.
        max_goal_kicks: i32 = 3, 8, [0, 1000];
        /// Whether the game starts by itself and the server ends after it.
        auto_mode: bool = false, 9, [];
        /// Cycles from the last player's connecting to the kick-off.
        kick_off_wait: i32 = 100, 9, [0, 1_000_000];
        /// Cycles for which players are waited for.
        connect_wait: i32 = 300, 9, [0, 1_000_000];
        /// Cycles from the game's end to the server's.
        game_over_wait: i32 = 100, 9, [0, 1_000_000];
        /// Program that starts the left team; not run from here.
        team_l_start: String = "", 9, [];
        /// Program that starts the right team; not run from here.
        team_r_start: String = "", 9, [];
        /// Whether keepaway is played.
        keepaway: bool = false, 9, [];
        /// Length of that game's area, metres.
        keepaway_length: f64 = 20.0, 9, [1.0, 105.0];
        /// Width of that game's area, metres.
        keepaway_width: f64 = 20.0, 9, [1.0, 68.0];
        /// Whether keepaway is logged.
        keepaway_logging: bool = true, 9, [];
        /// Folder of that log.
        keepaway_log_dir: String = "./", 9, [];
        /// Name of that log, if it is fixed.
        keepaway_log_fixed_name: String = "rcssserver", 9, [];
        /// Whether that name is fixed.
        keepaway_log_fixed: bool = false, 9, [];
        /// Whether the date stands in that log's name.
        keepaway_log_dated: bool = true, 9, [];
        /// Seconds after which keepaway starts by itself; -1 waits.
        keepaway_start: i32 = -1, 9, [-1, 1_000_000];
        /// Number of halves.
        nr_normal_halfs: i32 = 2, 9, [0, 1000];
        /// Number of halves of extra time after a draw.
        nr_extra_halfs: i32 = 2, 9, [0, 1000];
        /// Whether a draw is settled by penalty kicks.
        penalty_shoot_outs: bool = true, 9, [];
        /// Pause before a penalty kick, cycles.
        pen_before_setup_wait: i32 = 10, 9, [0, 100000];
        /// Time to take places for it, cycles.
        pen_setup_wait: i32 = 70, 9, [0, 100000];
        /// Time to begin it, cycles.
        pen_ready_wait: i32 = 10, 9, [0, 100000];
        /// Time to finish it, cycles.
        pen_taken_wait: i32 = 150, 9, [0, 100000];
        /// Kicks of each team.
        pen_nr_kicks: i32 = 5, 9, [0, 1000];
        /// Further pairs of kicks, if it is still a draw.
        pen_max_extra_kicks: i32 = 5, 9, [0, 1000];
        /// Distance of the ball from the goal line, metres.
        pen_dist_x: f64 = 42.5, 9, [0.0, 105.0];
        /// Whether the winner is drawn at last.
        pen_random_winner: bool = false, 9, [];
        /// How far the goalkeeper may leave the goal line, metres.
        pen_max_goalie_dist_x: f64 = 14.0, 9, [0.0, 105.0];
        /// Whether the taker may kick more than once.
        pen_allow_mult_kicks: bool = true, 9, [];
        /// Whether the referee places players that stand wrong.
        pen_coach_moves_players: bool = true, 9, [];
        /// A ball that stays within this distance is stuck, metres.
        ball_stuck_area: f64 = 3.0, 11, [0.0, 100.0];
        /// Sent to monitors; counts for nothing.
        coach_msg_file: String = "", 999, [];
        /// Highest power of a tackle.
        max_tackle_power: f64 = 100.0, 12, [0.0, 1e6];
        /// Highest power of a tackle backwards.
        max_back_tackle_power: f64 = 0.0, 12, [0.0, 1e6];
        /// Lowest of the highest speeds of heterogeneous players, metres a cycle.
        player_speed_max_min: f64 = 0.75, 12, [0.0, 100.0];
        /// Stamina beside the normal one that dashes may use.
        extra_stamina: f64 = 50.0, 12, [0.0, 1e6];
        /// When in a cycle players with a synchronous view see, milliseconds.
        synch_see_offset: i32 = 0, 12, [0, 60000];
        /// How many monitors may connect; -1 as many as the world file's limits.
        max_monitors: i32 = -1, 999, [-1, 100000];
        /// Length of a half of extra time, seconds of ten cycles.
        extra_half_time: i32 = 100, 13, [0, 86400];
        /// Stamina that comes back in the whole game; -1 is without end.
        stamina_capacity: f64 = 130600.0, 13, [-1.0, 1e12];
        /// Largest direction of a dash, degrees.
        max_dash_angle: f64 = 180.0, 13, [0.0, 180.0];
        /// Smallest direction of a dash, degrees.
        min_dash_angle: f64 = -180.0, 13, [-180.0, 0.0];
        /// Step in which that direction is quantised, degrees.
        dash_angle_step: f64 = 1.0, 13, [0.0, 360.0];
        /// Effect of a dash to the side.
        side_dash_rate: f64 = 0.4, 13, [0.0, 1.0];
        /// Effect of a dash backwards.
        back_dash_rate: f64 = 0.7, 13, [0.0, 1.0];
        /// Highest power of a dash.
        max_dash_power: f64 = 100.0, 13, [0.0, 1e6];
        /// Lowest power of a dash.
        min_dash_power: f64 = 0.0, 13, [-1e6, 0.0];
        /// Factor of kick_rand for tackles.
        tackle_rand_factor: f64 = 2.0, 14, [0.0, 1000.0];
        /// Probability with which the referee sees a foul.
        foul_detect_probability: f64 = 0.5, 14, [0.0, 1.0];
        /// tackle_exponent of a foul.
        foul_exponent: f64 = 10.0, 14, [0.1, 100.0];
        /// Cycles for which a fouled player lies.
        foul_cycles: i32 = 5, 14, [0, 1000];
        /// Whether a goal ends extra time.
        golden_goal: bool = false, 14, [];
        /// Probability with which a foul gets a red card instead of a yellow one.
        red_card_probability: f64 = 0.0, 15, [0.0, 1.0];
        /// Cycles after which too many defenders are a fault.
        illegal_defense_duration: i32 = 20, 16, [0, 1_000_000];
        /// How many defenders are too many; 0 is without this rule.
        illegal_defense_number: i32 = 0, 16, [0, 11];
        /// Depth of the area in which they are counted, metres.
        illegal_defense_dist_x: f64 = 16.5, 16, [0.0, 105.0];
        /// Its width, metres.
        illegal_defense_width: f64 = 40.32, 16, [0.0, 1000.0];
        /// Name that the left team has to have.
        fixed_teamname_l: String = "", 16, [];
        /// Name that the right team has to have.
        fixed_teamname_r: String = "", 16, [];
        /// Largest direction of a catch, degrees.
        max_catch_angle: f64 = 90.0, 17, [0.0, 360.0];
        /// Smallest direction of a catch, degrees.
        min_catch_angle: f64 = -90.0, 17, [-360.0, 0.0];
        /// Gaussian view: standard deviation for each metre of distance.
        dist_noise_rate: f64 = 0.0125, 19, [0.0, 10.0];
        /// Gaussian view: standard deviation for each metre from the focus.
        focus_dist_noise_rate: f64 = 0.0125, 19, [0.0, 10.0];
        /// The same for landmarks, of distance.
        land_dist_noise_rate: f64 = 0.00125, 19, [0.0, 10.0];
        /// The same for landmarks, from the focus.
        land_focus_dist_noise_rate: f64 = 0.00125, 19, [0.0, 10.0];
    }
}

impl ServerParams {
    /// The defaults of version 19.
    pub fn today() -> Self {
        Self::default()
    }

    /// The defaults of the manual of 2002. What came later and cannot be left out has the value that makes it count for nothing: no
    /// end of stamina, no seen fouls, no drawn stuck balls.
    pub fn of_2002() -> Self {
        Self {
            ball_speed_max: 2.7,
            player_speed_max: 1.2,
            stamina_max: 4000.0,
            kick_rand: 0.0,
            catchable_area_l: 2.0,
            tackle_back_dist: 0.5,
            tackle_width: 1.0,
            max_back_tackle_power: 50.0,
            extra_half_time: 300,
            golden_goal: true,
            back_dash_rate: 0.5,
            side_dash_rate: 0.25,
            min_dash_power: -100.0,
            dash_angle_step: 90.0,
            stamina_capacity: -1.0,
            extra_stamina: 0.0,
            foul_detect_probability: 0.0,
            pen_before_setup_wait: 30,
            pen_setup_wait: 100,
            pen_ready_wait: 50,
            pen_taken_wait: 200,
            pen_max_extra_kicks: 10,
            ..Self::default()
        }
    }

    /// Length of a half, cycles; below zero without end.
    pub fn half_time_cycles(&self) -> i32 {
        self.cycles_of(self.half_time)
    }

    /// Length of a half of extra time, cycles.
    pub fn extra_half_time_cycles(&self) -> i32 {
        self.cycles_of(self.extra_half_time)
    }

    /// The cycles that fit into these seconds.
    fn cycles_of(&self, secs: i32) -> i32 {
        let cycles = f64::from(secs) * 1000.0 / f64::from(self.simulator_step.max(1));
        (cycles + 0.5) as i32
    }

    /// How far the centres of a player and a ball may be apart for a kick, metres.
    pub fn kickable_area_m(&self) -> f64 {
        self.player_size + self.ball_size + self.kickable_margin
    }

    /// The least common multiple of all intervals, milliseconds: after so long the schedule begins anew. The largest number that there is if it is
    /// more.
    pub fn schedule_ms(&self) -> i64 {
        let offset = if self.synch_mode { self.synch_offset } else { 1 };
        let steps =
            [self.simulator_step, self.send_step, self.recv_step, self.sense_body_step, self.send_vi_step];
        let steps = steps.map(|step| step.saturating_mul(self.slow_down_factor));
        let multiple =
            steps.into_iter().chain([self.synch_see_offset, offset]).try_fold(1_i64, |multiple, step| {
                let step = i64::from(step.max(1));
                (multiple / greatest_common_divisor(multiple, step)).checked_mul(step)
            });
        multiple.unwrap_or(i64::MAX)
    }
}

fn greatest_common_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
