//! What learners are paid: for goals, and for the way of the ball.

use crate::field::distance_m;
use crate::rules::Match;
use touchline_kit::visibility::GoalMouth;
use touchline_plugin_api::view::Shape;

impl Match<'_, '_> {
    /// Pays each robot of one of the two teams, and takes as much from each of the other.
    pub fn pay(&mut self, team: u32, reward: f64) {
        if reward == 0.0 {
            return;
        }
        for robot in self.input.view.robots().filter(|robot| robot.team < 2) {
            self.orders.reward(robot.number, if robot.team == team { reward } else { -reward });
        }
    }

    /// Pays for the way of the first ball since the last step.
    pub fn pay_progress(&mut self) {
        let per_m = self.referee.params.reward_progress_per_m;
        if per_m == 0.0 {
            return;
        }
        let Some(way_m) = self.ball_way_m() else { return };
        // The first look at a ball that was placed only takes the distance.
        if self.state.has_way == 1 {
            self.pay(0, per_m * (way_m - self.state.ball_way_m));
        }
        (self.state.ball_way_m, self.state.has_way) = (way_m, 1);
    }

    /// How far the first ball is on its way from the first team's goal to the second's, metres: half the difference of its
    /// distances, so that on the line from goal to goal a metre counts as one.
    fn ball_way_m(&self) -> Option<f64> {
        let ball = self.input.view.balls().next()?;
        let at = [ball.pose.x_m, ball.pose.y_m];
        let goal = |team: u32| self.referee.goals(&self.input.view).find(|goal| goal.team == team);
        Some(0.5 * (to_mouth_m(at, goal(0)?) - to_mouth_m(at, goal(1)?)))
    }
}

/// From a point to the nearest point of the goal line between the posts, metres; 0 in the goal.
fn to_mouth_m([x, y]: [f64; 2], goal: &Shape) -> f64 {
    if goal.contains([x, y]) {
        return 0.0;
    }
    let [[ax, ay], [bx, by]] = GoalMouth::of(goal).posts;
    let (dx, dy) = (bx - ax, by - ay);
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 { (((x - ax) * dx + (y - ay) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    distance_m([x, y], [ax + along * dx, ay + along * dy])
}
