use super::*;
use crate::phase::{self, Phase};
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::view::{NONE, Object, Role, Shape, WorldView};

const DT_SECS: f64 = 0.01;

/// A field of 10 x 5 m with goals of 2 x 0.5 m: team 0 owns the left one, team 1 the right one.
struct Pitch {
    referee: F2000,
    state: F2000State,
    game: GameState,
    objects: Vec<Object>,
    shapes: Vec<Shape>,
    told: Vec<String>,
    resets: usize,
    goals: Vec<u32>,
    /// What each robot was paid in all: one of no team, one of each team.
    paid: [f64; 3],
    ends: Vec<String>,
}

fn object(kind_code: u32, number: u32, x: f64, y: f64, radius_m: f64) -> Object {
    let zero: Object = bytemuck::Zeroable::zeroed();
    Object { kind_code, number, radius_m, pose: Pose2::new(x, y, 0.0), team: NONE, ..zero }
}

fn goal(team: u32, x: f64) -> Shape {
    let zero: Shape = bytemuck::Zeroable::zeroed();
    Shape { x_m: x, cos: 1.0, half_x_m: 0.25, half_y_m: 1.0, role_code: Role::Goal.code(), team, ..zero }
}

impl Pitch {
    fn new(params: F2000Params) -> Self {
        let setup = RefereeSetup {
            teams: vec!["blue".into(), "yellow".into()],
            dt_secs: DT_SECS,
            ..RefereeSetup::default()
        };
        let referee = F2000::new(params, &setup).unwrap();
        let state = referee.initial_state();
        let fixtures = Object { shape_count: 2, ..object(0, NONE, 0.0, 0.0, f64::INFINITY) };
        Self {
            referee,
            state,
            game: GameState::new(2, &phase::description()),
            objects: vec![fixtures, object(1, 0, 0.0, 0.0, 0.11), object(2, 0, 4.0, 2.0, 0.25)],
            shapes: vec![goal(0, -5.25), goal(1, 5.25)],
            told: Vec::new(),
            resets: 0,
            goals: Vec::new(),
            paid: [0.0; 3],
            ends: Vec::new(),
        }
    }

    /// In play from the first step on, nothing told yet.
    fn in_play() -> Self {
        let mut pitch = Self::new(F2000Params { kick_off_secs: 0.0, ..F2000Params::default() });
        pitch.step("");
        assert_eq!(pitch.phase(), Phase::Play);
        pitch
    }

    fn phase(&self) -> Phase {
        Phase::of(&self.game)
    }

    fn scores(&self) -> [i64; 2] {
        [self.game.score(0), self.game.score(1)]
    }

    fn ball(&mut self, x: f64, y: f64) {
        self.objects[1].pose = Pose2::new(x, y, 0.0);
    }

    fn ball_at(&self) -> [f64; 2] {
        [self.objects[1].pose.x_m, self.objects[1].pose.y_m]
    }

    /// One step; carries out the referee's orders as the world would.
    fn step(&mut self, commands: &str) {
        let game = self.game.clone();
        let input = RefereeInput {
            dt_secs: DT_SECS,
            view: WorldView::new(0, 0.0, &self.objects, &self.shapes),
            contacts: &[],
            waypoints: &[],
            motion_data: &[],
            game: game.view(),
            commands,
            noise: NoiseKey::default(),
        };
        let mut orders = Orders::default();
        self.referee.judge(&mut self.state, &input, &mut orders).unwrap();
        for order in orders.iter() {
            match order.unwrap() {
                Order::Game(game) => game.write_to(&mut self.game),
                Order::Event { kind: "goal", team, .. } => self.goals.push(team),
                Order::Announce(text) => self.told.push(text.into()),
                Order::PlaceBall { ball: 0, position: [x, y], velocity: [0.0, 0.0], .. } => self.ball(x, y),
                Order::Reward { robot, value } => self.paid[robot as usize] += value,
                Order::EndEpisode(word) => self.ends.push(word.into()),
                Order::ResetObjects => {
                    self.resets += 1;
                    self.ball(0.0, 0.0);
                }
                other => panic!("{other:?}"),
            }
        }
    }

    fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step(""));
    }
}

/// G1: the match opens with the first team's kick-off, which ends after its time.
#[test]
fn the_match_opens_with_a_kick_off() {
    let mut pitch = Pitch::new(F2000Params::default());
    pitch.step("");
    assert_eq!((pitch.phase(), pitch.game.restart.team), (Phase::KickOff, 0));
    pitch.steps(198);
    assert_eq!(pitch.phase(), Phase::KickOff);
    pitch.steps(2);
    assert_eq!((pitch.phase(), pitch.game.restart.team), (Phase::Play, NONE));
}

/// G1: the kick-off ends as soon as the ball moves.
#[test]
fn a_moved_ball_ends_the_kick_off() {
    let mut pitch = Pitch::new(F2000Params::default());
    pitch.steps(3);
    pitch.ball(0.3, 0.0);
    pitch.step("");
    assert_eq!(pitch.phase(), Phase::Play);
}

/// G1: a goal counts once, for the other team than the goal's owner; everything is reset and the conceding team
/// kicks off.
#[test]
fn a_goal_counts_once_for_the_other_team() {
    for (x, scorer) in [(5.2, 0u32), (-5.2, 1)] {
        let mut pitch = Pitch::in_play();
        pitch.ball(x, 0.5);
        pitch.step("");
        pitch.steps(20);
        let mut score = [0; 2];
        score[scorer as usize] = 1;
        assert_eq!(pitch.scores(), score);
        assert_eq!((pitch.goals.as_slice(), pitch.resets), (&[scorer][..], 1));
        assert_eq!(pitch.game.episode, 1);
    }
}

/// SL10: a ball in a goal's area is a goal under the crossbar, and none over it; one on the floor always is.
#[test]
fn a_ball_over_the_crossbar_is_no_goal() {
    for (z_m, top_m, is_goal) in [(0.5, 1.0, true), (0.95, 1.0, false), (2.0, 1.0, false), (0.0, 0.1, true)] {
        let mut pitch = Pitch::in_play();
        pitch.shapes.iter_mut().for_each(|goal| goal.z_top_m = top_m);
        pitch.ball(5.2, 0.5);
        pitch.objects[1].vertical.z_m = z_m;
        pitch.step("");
        assert_eq!(pitch.goals.len(), usize::from(is_goal), "{z_m} m, under {top_m} m");
    }
}

/// G1: a goal set by an operator in the score stays.
#[test]
fn a_score_set_from_outside_stays() {
    let mut pitch = Pitch::in_play();
    pitch.game.teams[1].score = 5;
    pitch.ball(-5.2, 0.0);
    pitch.step("");
    assert_eq!(pitch.scores(), [0, 6]);
}

/// G1: a ball that leaves the field comes back at the nearest point inside.
#[test]
fn a_ball_that_is_out_comes_back() {
    let mut pitch = Pitch::in_play();
    pitch.ball(1.0, 2.6);
    pitch.step("");
    assert_eq!(pitch.ball_at(), [1.0, 2.0]);
    // Beside the goal.
    pitch.ball(5.1, 1.5);
    pitch.step("");
    assert_eq!(pitch.ball_at(), [4.5, 1.5]);
    assert_eq!((pitch.scores(), pitch.resets), ([0; 2], 0));
}

/// G1: the ball is not put into a robot.
#[test]
fn a_ball_comes_back_beside_a_robot_not_in_it() {
    let mut pitch = Pitch::in_play();
    pitch.ball(4.0, 2.6);
    pitch.step("");
    let distance_m = field::distance_m(pitch.ball_at(), [4.0, 2.0]);
    assert!(distance_m > 0.11 + 0.25 && distance_m < 1.0, "{:?}", pitch.ball_at());
    let [x, y] = pitch.ball_at();
    assert!(x <= 4.5 && y <= 2.0);
}

/// G1: a ball that does not move for the given time is dropped on the nearest mark.
#[test]
fn a_stuck_ball_is_dropped_elsewhere() {
    let mut pitch = Pitch::in_play();
    pitch.ball(4.5, -2.2);
    pitch.steps(790);
    assert_eq!(pitch.ball_at(), [4.5, -2.2]);
    // A little movement does not count.
    pitch.ball(4.45, -2.2);
    pitch.steps(20);
    assert_eq!(pitch.ball_at(), [2.5, -1.25]);
    assert_eq!(pitch.told.last().map(String::as_str), Some("dropped ball"));
}

/// G1: two halves, the second opened by the other team, then the end.
#[test]
fn halves_end_on_time() {
    let mut pitch =
        Pitch::new(F2000Params { half_time_secs: 1.0, break_secs: 0.5, ..F2000Params::default() });
    pitch.steps(99);
    assert_eq!(pitch.phase(), Phase::KickOff);
    pitch.steps(1);
    assert_eq!((pitch.phase(), phase::half(&pitch.game)), (Phase::HalfTime, 1));
    assert!((pitch.game.clock_secs - 1.0).abs() < 1e-9);
    pitch.steps(50);
    assert_eq!((pitch.phase(), phase::half(&pitch.game), pitch.game.restart.team), (Phase::KickOff, 2, 1));
    pitch.steps(101);
    assert_eq!(pitch.phase(), Phase::Finished);
    let clock_secs = pitch.game.clock_secs;
    pitch.steps(100);
    assert_eq!(pitch.game.clock_secs, clock_secs);
}

/// C6, G1: commands from outside.
#[test]
fn commands_are_obeyed() {
    let mut pitch = Pitch::new(F2000Params::default());
    pitch.steps(201);
    let clock = |pitch: &Pitch| pitch.game.clock_secs;
    pitch.step("STOP\n");
    let stopped_at = clock(&pitch);
    pitch.steps(10);
    assert_eq!((pitch.phase(), clock(&pitch)), (Phase::Stopped, stopped_at));
    pitch.step("start");
    assert_eq!(pitch.phase(), Phase::Play);
    pitch.step("KICKOFF yellow");
    assert_eq!((pitch.game.restart.team, pitch.resets), (1, 1));
    pitch.steps(2);
    pitch.ball(4.0, 0.0);
    pitch.step("DROP");
    assert_eq!(pitch.ball_at(), [2.5, 1.25]);
    pitch.step("HALF");
    assert_eq!(pitch.phase(), Phase::HalfTime);
    pitch.step("FINISH");
    assert_eq!(pitch.phase(), Phase::Finished);
    (pitch.game.teams[0].score, pitch.game.teams[1].score) = (3, 1);
    pitch.step("START");
    assert_eq!((pitch.phase(), pitch.scores()), (Phase::KickOff, [0; 2]));
    assert!(pitch.game.clock_secs <= DT_SECS);
}

#[test]
fn an_unknown_command_is_answered_with_what_is_known() {
    let mut pitch = Pitch::in_play();
    let game = pitch.game.clone();
    pitch.told.clear();
    pitch.step("OFFSIDE\nKICKOFF\nKICKOFF green");
    assert_eq!(pitch.told.len(), 3);
    assert!(pitch.told[0].contains("OFFSIDE") && pitch.told[0].contains("KICKOFF <team>"));
    assert!(pitch.told[2].contains("blue and yellow"));
    assert_eq!(pitch.phase(), Phase::of(&game));
}

#[test]
fn it_waits_for_start_if_told_so() {
    let mut pitch = Pitch::new(F2000Params {
        auto_start: false,
        first_kick_off: Some("yellow".into()),
        ..F2000Params::default()
    });
    pitch.steps(5);
    assert_eq!((pitch.phase(), pitch.game.clock_secs), (Phase::Stopped, 0.0));
    pitch.step("START");
    assert_eq!((pitch.phase(), pitch.game.restart.team), (Phase::KickOff, 1));
}

#[test]
fn wrong_parameters_are_all_named() {
    let params = F2000Params {
        field_length_m: -1.0,
        stuck_secs: f64::NAN,
        halves: 0,
        reward_goal: f64::NAN,
        reward_progress_per_m: 2000.0,
        ..F2000Params::default()
    };
    assert!(params.check().unwrap_err().problems.len() >= 5);
    let setup = |teams: &[&str]| RefereeSetup {
        teams: teams.iter().map(ToString::to_string).collect(),
        dt_secs: DT_SECS,
        ..RefereeSetup::default()
    };
    assert!(F2000::new(F2000Params::default(), &setup(&["blue"])).is_err());
    let green = F2000Params { first_kick_off: Some("green".into()), ..F2000Params::default() };
    assert!(F2000::new(green, &setup(&["blue", "yellow"])).is_err());
}

/// A match with a robot in each team, for learners.
fn learners(params: F2000Params) -> Pitch {
    let mut pitch = Pitch::new(F2000Params { kick_off_secs: 0.0, ..params });
    for (number, team, x) in [(1, 0, -2.0), (2, 1, 2.0)] {
        pitch.objects.push(Object { team, ..object(2, number, x, 1.0, 0.25) });
    }
    pitch.step("");
    pitch
}

/// A goal pays the team that scores what it costs the other, whoever scores; without the parameter it pays nothing.
#[test]
fn a_goal_is_paid_by_the_other_team() {
    for (x, paid) in [(5.2, [0.0, 3.0, -3.0]), (-5.2, [0.0, -3.0, 3.0])] {
        let mut pitch = learners(F2000Params { reward_goal: 3.0, ..F2000Params::default() });
        pitch.ball(x, 0.5);
        pitch.steps(10);
        assert_eq!((pitch.paid, pitch.ends.len(), pitch.resets), (paid, 0, 1));
    }
    let mut pitch = learners(F2000Params::default());
    pitch.ball(5.2, 0.5);
    pitch.steps(10);
    assert_eq!(pitch.paid, [0.0; 3]);
}

/// A goal can end the episode: it is said and paid once, nothing is moved, and after the next start it goes on.
#[test]
fn a_goal_can_end_the_episode() {
    let params = F2000Params { reward_goal: 1.0, goal_ends_episode: true, ..F2000Params::default() };
    let mut pitch = learners(params);
    pitch.ball(5.2, 0.5);
    pitch.steps(1200);
    assert_eq!((pitch.ends.as_slice(), pitch.resets), (&["goal".to_owned()][..], 0));
    assert_eq!((pitch.paid, pitch.scores(), pitch.ball_at()), ([0.0, 1.0, -1.0], [1, 0], [5.2, 0.5]));
    // What the world does at the next start.
    pitch.game.episode += 1;
    pitch.ball(0.0, 0.0);
    pitch.steps(2);
    assert_eq!(pitch.phase(), Phase::Play);
    pitch.ball(-5.2, 0.5);
    pitch.steps(2);
    assert_eq!((pitch.ends.len(), pitch.paid, pitch.scores()), (2, [0.0; 3], [0, 1]));
}

/// G1: each episode of a served world is a match of its own: neither clock nor score of those before end it, and a goal in it is told and paid.
#[test]
fn an_episode_that_the_world_begins_is_a_match_of_its_own() {
    let params = F2000Params {
        half_time_secs: 1.0,
        halves: 1,
        goal_ends_episode: true,
        reward_goal: 1.0,
        ..F2000Params::default()
    };
    let mut pitch = learners(params);
    // Two seconds, then the world begins the next one by itself.
    pitch.steps(199);
    assert_eq!(pitch.phase(), Phase::Finished);
    for episode in 1..4 {
        pitch.game.episode = episode;
        pitch.ball(0.0, 0.0);
        (pitch.paid, pitch.ends) = ([0.0; 3], Vec::new());
        pitch.steps(5);
        assert_eq!((pitch.phase(), pitch.scores()), (Phase::Play, [0; 2]));
        pitch.ball(5.2, 0.5);
        pitch.steps(195);
        assert_eq!((pitch.ends.as_slice(), pitch.paid), (&["goal".to_owned()][..], [0.0, 1.0, -1.0]));
    }
}

/// G1: the referee's own kick-off begins no episode: clock, score and half go on.
#[test]
fn a_kick_off_within_an_episode_goes_on_with_the_match() {
    let params = F2000Params {
        half_time_secs: 1.0,
        break_secs: 0.5,
        goal_ends_episode: true,
        ..F2000Params::default()
    };
    let mut pitch = Pitch::new(params);
    pitch.game.teams[1].score = 2;
    pitch.steps(151);
    assert_eq!((pitch.phase(), phase::half(&pitch.game), pitch.resets), (Phase::KickOff, 2, 1));
    assert_eq!((pitch.scores(), pitch.game.restart.team), ([0, 2], 1));
    pitch.steps(110);
    assert_eq!(pitch.phase(), Phase::Finished);
}

/// W7: its own resets are counted where they are read, so that a match without episodes has no state of them.
#[test]
fn own_resets_are_counted_for_episodes_alone() {
    for (goal_ends_episode, counted) in [(false, 0), (true, 1)] {
        let mut pitch = Pitch::new(F2000Params { goal_ends_episode, ..F2000Params::default() });
        pitch.step("KICKOFF yellow");
        assert_eq!((pitch.resets, pitch.state.own_resets), (1, counted));
    }
}

/// On the line from goal to goal a metre is paid as a metre; there and back pays nothing, and neither does what the
/// referee does with the ball.
#[test]
fn the_way_of_the_ball_is_paid() {
    let mut pitch = learners(F2000Params { reward_progress_per_m: 0.5, ..F2000Params::default() });
    let way = |pitch: &mut Pitch, x: f64, y: f64| {
        pitch.ball(x, y);
        pitch.step("");
        pitch.paid
    };
    pitch.step("");
    assert_eq!(way(&mut pitch, 2.0, 0.0), [0.0, 1.0, -1.0]);
    assert_eq!(way(&mut pitch, -2.0, 0.0), [0.0, -1.0, 1.0]);
    way(&mut pitch, 1.0, 2.4);
    assert!(way(&mut pitch, 0.0, 0.0)[1].abs() < 1e-12);
    let before = way(&mut pitch, 3.0, 2.45);
    // Out, at its nearest point to the line: it is put back, which is not paid.
    let out = way(&mut pitch, 3.0, 2.55);
    assert!((out[1] - before[1]).abs() < 0.05);
    pitch.steps(3);
    assert_eq!((pitch.ball_at(), pitch.paid), ([3.0, 2.0], out));
}

/// P6: the rules that every referee plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<F2000>("{}");
}

/// G1: an episode that ends by its time, of which the referee is not told, leaves nothing to the next: the world's reset of the ball is no way, and a ball that lies there is not stuck yet.
#[test]
fn a_reset_by_the_world_begins_anew() {
    let params = F2000Params { reward_progress_per_m: 1.0, stuck_secs: 1.0, ..F2000Params::default() };
    let mut pitch = learners(params);
    pitch.step("");
    pitch.ball(0.25, 0.0);
    pitch.steps(90);
    assert_eq!(pitch.paid, [0.0, 0.25, -0.25]);
    // What the world does at the next start; the ball happens to lie near.
    pitch.game.episode += 1;
    pitch.ball(0.0, 0.0);
    pitch.steps(90);
    assert_eq!(
        (pitch.paid, pitch.told.iter().any(|told| told == "dropped ball")),
        ([0.0, 0.25, -0.25], false)
    );
}

/// C6, G1: a kick-off that was ordered while the ball lay elsewhere lasts: that the ball is brought to its place is no move of it.
#[test]
fn an_ordered_kick_off_lasts() {
    let mut pitch = Pitch::new(F2000Params::default());
    pitch.steps(201);
    pitch.ball(2.0, 0.0);
    pitch.step("KICKOFF yellow");
    pitch.steps(10);
    assert_eq!((pitch.phase(), pitch.game.restart.team), (Phase::KickOff, 1));
}

/// C6, G1: who orders a kick-off in the break begins the next half; the break can neither be begun anew nor be stopped.
#[test]
fn orders_in_the_break_lead_to_the_next_half() {
    let params = F2000Params { half_time_secs: 1.0, break_secs: 0.5, ..F2000Params::default() };
    let mut pitch = Pitch::new(params);
    pitch.steps(100);
    assert_eq!((pitch.phase(), phase::half(&pitch.game)), (Phase::HalfTime, 1));
    for order in ["HALF", "STOP", "START"] {
        pitch.steps(10);
        pitch.step(order);
        assert_eq!((pitch.phase(), phase::half(&pitch.game)), (Phase::HalfTime, 1), "{order}");
    }
    assert_eq!(pitch.told.iter().filter(|told| told.starts_with("half time")).count(), 1, "{:?}", pitch.told);
    assert!(pitch.told.iter().any(|told| told.contains("STOP does nothing")), "{:?}", pitch.told);
    pitch.step("KICKOFF yellow");
    assert_eq!((pitch.phase(), phase::half(&pitch.game)), (Phase::KickOff, 2));
    pitch.steps(90);
    assert_eq!((pitch.phase(), phase::half(&pitch.game)), (Phase::KickOff, 2));
    pitch.steps(12);
    assert_eq!(pitch.phase(), Phase::Finished);

    // The break lasts as long as if nobody had ordered anything.
    let params = F2000Params { half_time_secs: 1.0, break_secs: 0.5, ..F2000Params::default() };
    let mut pitch = Pitch::new(params);
    pitch.steps(140);
    pitch.step("HALF");
    pitch.steps(9);
    assert_eq!((pitch.phase(), phase::half(&pitch.game)), (Phase::KickOff, 2));
}

/// C6, G1: what is over stays over until a new match is begun, also one that was finished in its first half.
#[test]
fn a_finished_match_takes_start_alone() {
    let mut pitch = Pitch::new(F2000Params::default());
    pitch.steps(201);
    pitch.step("FINISH");
    pitch.told.clear();
    for order in ["HALF", "KICKOFF yellow", "STOP", "DROP", "FINISH"] {
        pitch.step(order);
        pitch.steps(400);
        assert_eq!((pitch.phase(), pitch.resets), (Phase::Finished, 0), "{order}");
    }
    assert!(
        pitch.told.len() == 5 && pitch.told.iter().all(|told| told.contains("START")),
        "{:?}",
        pitch.told
    );
    pitch.step("START");
    assert_eq!(pitch.phase(), Phase::KickOff);
}
