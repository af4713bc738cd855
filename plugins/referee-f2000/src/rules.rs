//! What happens when: one judgement of one step.
//!
//! A goal counts for the other team than the goal's owner. After it everything goes back to its starting place
//! and the team that conceded kicks off: for a short time only that team may move.

use crate::field::distance_m;
use crate::phase::{self, Phase};
use crate::{F2000, F2000State};
use touchline_kit::goals::was_in_goal;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::referee::RefereeInput;
use touchline_plugin_api::view::{Object, ObjectKind, Role, WorldView};

/// The match at one step, while it is judged.
pub struct Match<'a, 'b> {
    pub referee: &'a F2000,
    pub state: &'a mut F2000State,
    pub input: &'a RefereeInput<'b>,
    pub orders: &'a mut Orders,
    /// The game as it shall be after this step.
    pub game: GameState,
}

impl Match<'_, '_> {
    /// Opens the match at the first step.
    pub fn open(&mut self) {
        if self.state.opened == 0 {
            self.state.opened = 1;
            let first = self.referee.first_kick_off;
            phase::set_kick_off(&mut self.game, first);
            let phase = if self.referee.params.auto_start { Phase::KickOff } else { Phase::Stopped };
            self.enter(phase);
        }
    }

    /// Advances the clocks by one step and applies the rules.
    pub fn advance(&mut self) {
        let params = &self.referee.params;
        self.state.phase_secs += self.input.dt_secs;
        match Phase::of(&self.game) {
            Phase::Play => {
                self.game.clock_secs += self.input.dt_secs;
                self.pay_progress();
                self.watch_balls();
                self.watch_clock();
            }
            Phase::KickOff => {
                self.game.clock_secs += self.input.dt_secs;
                self.pay_progress();
                if self.first_ball_moved() || self.state.phase_secs >= params.kick_off_secs {
                    self.enter(Phase::Play);
                }
                self.watch_clock();
            }
            Phase::HalfTime => {
                if self.state.phase_secs >= params.break_secs {
                    self.begin_next_half();
                    // The second half is opened by the team that did not open the first.
                    let opened_by_second =
                        (phase::half(&self.game) + self.referee.first_kick_off).is_multiple_of(2);
                    self.kick_off(u32::from(opened_by_second));
                }
            }
            Phase::Stopped | Phase::Finished => {}
        }
    }

    /// Brings everything to its place and lets this team begin.
    pub fn kick_off(&mut self, team: u32) {
        self.orders.reset_objects();
        self.game.episode += 1;
        self.state.own_resets += u32::from(self.referee.params.goal_ends_episode);
        phase::set_kick_off(&mut self.game, team);
        self.announce(&format!("kick-off for {}", self.referee.teams[team as usize]));
        self.enter(Phase::KickOff);
    }

    /// Goes on to another phase.
    pub fn enter(&mut self, phase: Phase) {
        phase::enter(&mut self.game, phase);
        self.state.phase_secs = 0.0;
        self.state.still_secs = 0.0;
        // After a kick-off the ball is elsewhere only in the next step.
        self.state.anchored = 0;
        if phase != Phase::Play {
            self.state.has_way = 0;
        }
    }

    /// The break is over.
    pub fn begin_next_half(&mut self) {
        phase::count_half(&mut self.game);
        self.state.half_began_secs = self.game.clock_secs;
    }

    /// Ends the half: a break, or the end of the match.
    pub fn end_half(&mut self) {
        if phase::half(&self.game) < self.referee.params.halves {
            self.announce(&format!("half time: {}", self.score_text()));
            self.enter(Phase::HalfTime);
        } else {
            self.finish();
        }
    }

    /// Ends the match.
    pub fn finish(&mut self) {
        self.announce(&format!("the match is over: {}", self.score_text()));
        self.enter(Phase::Finished);
    }

    /// Drops the first ball on the nearest free mark.
    pub fn drop_ball(&mut self) {
        if let Some(ball) = self.input.view.balls().next() {
            let mark = self.referee.field.nearest_mark([ball.pose.x_m, ball.pose.y_m]);
            self.place(ball, mark);
            self.announce("dropped ball");
        }
    }

    /// Tells something to all who watch.
    pub fn announce(&mut self, text: &str) {
        self.orders.announce(text);
    }

    /// Tells when a ball hits a post.
    pub fn tell_posts(&mut self) {
        let WorldView { objects, shapes, .. } = self.input.view;
        for contact in self.input.contacts.iter().filter(|contact| contact.began == 1) {
            let [a, b] = [contact.object_a, contact.object_b].map(|object| objects.get(object as usize));
            let is_ball = |object: Option<&Object>| object.is_some_and(|o| o.kind() == ObjectKind::Ball);
            let fixture = contact.fixture as usize;
            let is_post = shapes.get(fixture).is_some_and(|shape| shape.has_role(Role::Pole));
            if is_post && (is_ball(a) || is_ball(b)) {
                let name = self.referee.fixtures.get(fixture).map_or("a post", String::as_str);
                self.orders.event("post", None, name);
            }
        }
    }

    /// Such as `blue 2, yellow 1`.
    fn score_text(&self) -> String {
        let [first, second] = &self.referee.teams;
        format!("{first} {}, {second} {}", self.game.score(0), self.game.score(1))
    }

    fn watch_clock(&mut self) {
        let half_secs = self.referee.params.half_time_secs;
        // Half a step of slack: the clock is a sum of steps.
        let played_secs = self.game.clock_secs - self.state.half_began_secs + 0.5 * self.input.dt_secs;
        let in_half = matches!(Phase::of(&self.game), Phase::Play | Phase::KickOff);
        if in_half && played_secs >= half_secs {
            self.end_half();
        }
    }

    fn watch_balls(&mut self) {
        for ball in self.input.view.balls() {
            let position = [ball.pose.x_m, ball.pose.y_m];
            let mut goals = self.referee.goals(&self.input.view);
            let (waypoints, objects) = (self.input.waypoints, self.input.view.objects);
            let goal = goals.find(|goal| goal.team < 2 && was_in_goal(goal, ball, waypoints, objects));
            if let Some(goal) = goal {
                return self.count_goal(1 - goal.team);
            }
            if !self.referee.field.contains(position) {
                self.place(ball, self.referee.field.nearest_inside(position));
                self.announce("ball out");
            }
        }
        let moved = self.first_ball_moved();
        self.state.still_secs = if moved { 0.0 } else { self.state.still_secs + self.input.dt_secs };
        let stuck_secs = self.referee.params.stuck_secs;
        if stuck_secs > 0.0 && self.state.still_secs >= stuck_secs {
            self.drop_ball();
        }
    }

    fn count_goal(&mut self, team: u32) {
        self.game.teams[team as usize].score += 1;
        self.orders.event("goal", Some(team), "");
        self.pay(team, self.referee.params.reward_goal);
        if self.referee.params.goal_ends_episode {
            self.state.is_over = 1;
            self.orders.end_episode("goal");
        } else {
            self.kick_off(1 - team);
        }
    }

    /// Whether the first ball has left the place where it was last known to lie.
    fn first_ball_moved(&mut self) -> bool {
        let Some(ball) = self.input.view.balls().next() else { return true };
        let position = [ball.pose.x_m, ball.pose.y_m];
        let known = self.state.anchored == 1;
        let far = distance_m(position, self.state.ball_anchor) > self.referee.params.stuck_distance_m;
        if !known || far {
            self.state.ball_anchor = position;
            self.state.anchored = 1;
        }
        known && far
    }

    fn place(&mut self, ball: &Object, wish: [f64; 2]) {
        let place = self.referee.field.free_near(wish, ball.radius_m, ball.number, self.input.view);
        self.orders.place_ball(ball.number, place, [0.0, 0.0]);
        self.state.still_secs = 0.0;
        self.state.anchored = 0;
        // A way on which nobody played it pays nothing.
        self.state.has_way = 0;
    }
}
