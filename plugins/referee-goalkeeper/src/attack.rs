//! When an attack is over, and what it pays.

use crate::field::{distance_m, goal, to_mouth_m};
use crate::{Attack, Attacker, Goalkeeper};
use touchline_kit::goals::was_in_goal;
use touchline_plugin_api::game::Game;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::referee::RefereeInput;
use touchline_plugin_api::view::{Object, ObjectKind, Shape};

/// The values of [`Attack::last_touch`].
const ATTACKER: u32 = 1;
const KEEPER: u32 = 2;

/// What the referee looks at in one step.
pub struct Scene<'a> {
    pub referee: &'a Goalkeeper,
    pub input: &'a RefereeInput<'a>,
}

/// How an attack ended, with what the attackers are paid for it.
struct End {
    outcome: &'static str,
    text: String,
    reward: f64,
}

impl<'a> Scene<'a> {
    /// Judges one step.
    pub fn judge(&self, attack: &mut Attack, orders: &mut Orders) {
        self.watch_touches(attack);
        if attack.is_over == 1 {
            return;
        }
        let game = self.input.game;
        let game = Game { clock_secs: game.clock_secs + self.input.dt_secs, ..game };
        let Some(ball) = self.input.view.balls().next() else {
            orders.set_game_view(game);
            return;
        };
        let goal = goal(&self.input.view, self.referee.keepers);
        let end = self.end(attack, ball, goal);
        let params = &self.referee.params;
        let mut reward = self.shaping(attack, ball, goal) + params.reward_per_s * self.input.dt_secs;
        let mut won = None;
        if let Some(End { outcome, text, reward: last }) = end {
            attack.is_over = 1;
            reward += last;
            orders.announce(&text);
            if outcome == "goal" {
                let scorer = u32::from(self.referee.keepers == 0);
                won = Some(scorer);
                orders.event("goal", Some(scorer), "");
            }
            orders.end_episode(outcome);
        }
        if reward != 0.0 {
            for robot in self.input.view.robots() {
                orders.reward(robot.number, if self.is_keeper(robot) { -reward } else { reward });
            }
        }
        match won {
            Some(scorer) => {
                let mut game = game.to_state();
                game.teams[scorer as usize].score += 1;
                orders.set_game(&game);
            }
            None => orders.set_game_view(game),
        }
    }

    fn is_keeper(&self, robot: &Object) -> bool {
        robot.team == self.referee.keepers
    }

    fn keepers(&self) -> impl Iterator<Item = &'a Object> + use<'a, '_> {
        self.input.view.robots().filter(|robot| self.is_keeper(robot))
    }

    fn attackers(&self) -> impl Iterator<Item = &'a Object> + use<'a, '_> {
        self.input.view.robots().filter(|robot| !self.is_keeper(robot))
    }

    /// Keeps who touched the ball last, and who touches a keeper now.
    fn watch_touches(&self, attack: &mut Attack) {
        for contact in self.input.contacts {
            let objects = self.input.view.objects;
            let find = |index: u32| objects.get(index as usize);
            let (Some(a), Some(b)) = (find(contact.object_a), find(contact.object_b)) else { continue };
            let (ball_or_robot, robot) = if a.kind() == ObjectKind::Robot { (b, a) } else { (a, b) };
            if robot.kind() != ObjectKind::Robot {
                continue;
            }
            match ball_or_robot.kind() {
                ObjectKind::Ball if contact.began == 1 => {
                    let is_keeper = self.is_keeper(robot);
                    attack.last_touch = if is_keeper { KEEPER } else { ATTACKER };
                    attack.has_held |= u32::from(is_keeper);
                    attack.reached |= u32::from(!is_keeper);
                }
                ObjectKind::Robot if self.is_keeper(robot) != self.is_keeper(ball_or_robot) => {
                    let attacker = if self.is_keeper(robot) { ball_or_robot } else { robot };
                    if let Some(attacker) = attack.attacker(attacker.number) {
                        attacker.touches = match contact.began {
                            1 => attacker.touches + 1,
                            _ => attacker.touches.saturating_sub(1),
                        };
                    }
                }
                _ => {}
            }
        }
    }

    fn end(&self, attack: &mut Attack, ball: &Object, goal: Option<&Shape>) -> Option<End> {
        let params = &self.referee.params;
        let at = position(ball);
        let (waypoints, objects) = (self.input.waypoints, self.input.view.objects);
        let is_goal = goal.is_some_and(|goal| was_in_goal(goal, ball, waypoints, objects));
        let foul = self.foul(attack);
        if is_goal {
            return Some(End { outcome: "goal", text: "goal".into(), reward: params.reward_goal });
        }
        if !self.referee.field.contains(at) {
            return Some(End { outcome: "out", text: "the ball is out".into(), reward: params.reward_out });
        }
        if let Some(text) = foul {
            return Some(End { outcome: "foul", text, reward: params.reward_foul });
        }
        let text = self.saved(attack, ball)?;
        Some(End { outcome: "saved", text: text.into(), reward: params.reward_saved })
    }

    /// Whether a keeper has the ball, or has sent it away.
    fn saved(&self, attack: &mut Attack, ball: &Object) -> Option<&'static str> {
        let params = &self.referee.params;
        let gap_m =
            |keeper: &Object| distance_m(position(keeper), position(ball)) - keeper.radius_m - ball.radius_m;
        let gap_m = self.keepers().map(gap_m).fold(f64::INFINITY, f64::min);
        if gap_m <= params.hold_distance_m {
            attack.held_secs += self.input.dt_secs;
        } else {
            (attack.held_secs, attack.has_held) = (0.0, 0);
        }
        // Half a step of slack: the time is a sum of steps.
        if attack.has_held == 1 && attack.held_secs + 0.5 * self.input.dt_secs >= params.hold_secs {
            return Some("the keeper holds the ball");
        }
        let is_cleared = attack.last_touch == KEEPER && gap_m.is_finite() && gap_m > params.clear_distance_m;
        is_cleared.then_some("the keeper has cleared the ball")
    }

    fn foul(&self, attack: &mut Attack) -> Option<String> {
        let params = &self.referee.params;
        let mut foul = None;
        for robot in self.attackers() {
            let is_in_area = self.referee.field.is_in_area(position(robot));
            let pushes = self.pushes(robot);
            let Some(attacker) = attack.attacker(robot.number) else { continue };
            if attacker.touches > 0 && pushes {
                attacker.push_secs += self.input.dt_secs;
            }
            attacker.area_secs = if is_in_area { attacker.area_secs + self.input.dt_secs } else { 0.0 };
            let is_over = |secs: f64, limit_secs: f64| {
                limit_secs > 0.0 && secs + 0.5 * self.input.dt_secs >= limit_secs
            };
            if is_over(attacker.push_secs, params.push_secs) {
                foul = Some(format!("foul: robot {} pushes the keeper", robot.number));
            } else if is_over(attacker.area_secs, params.area_secs) {
                foul = Some(format!("foul: robot {} stays in the goal area", robot.number));
            }
        }
        foul
    }

    /// Whether this attacker moves towards the nearest keeper.
    fn pushes(&self, robot: &Object) -> bool {
        let own = position(robot);
        let nearer = |a: &'a Object, b: &'a Object| {
            if distance_m(position(b), own) < distance_m(position(a), own) { b } else { a }
        };
        self.keepers().reduce(nearer).is_some_and(|keeper| {
            let [x, y] = position(keeper);
            let (dx, dy) = (x - own[0], y - own[1]);
            let apart_m = distance_m([x, y], own).max(1e-9);
            let towards_m_s = (robot.twist.x_m_s * dx + robot.twist.y_m_s * dy) / apart_m;
            towards_m_s > self.referee.params.push_speed_m_s
        })
    }

    /// What the way of ball and attackers in this step pays.
    fn shaping(&self, attack: &mut Attack, ball: &Object, goal: Option<&Shape>) -> f64 {
        let params = &self.referee.params;
        let at = position(ball);
        let mut reward = 0.0;
        if params.reward_progress_per_m != 0.0
            && let Some(goal) = goal
        {
            let to_goal_m = if goal.contains(at) { 0.0 } else { to_mouth_m(at, goal) };
            // The first look at an attack only takes the distance.
            if attack.to_goal_m >= 0.0 {
                reward += params.reward_progress_per_m * (attack.to_goal_m - to_goal_m);
            }
            attack.to_goal_m = to_goal_m;
        }
        if params.reward_approach_per_m != 0.0 && attack.reached == 0 {
            let to_ball_m =
                self.attackers().map(|robot| distance_m(position(robot), at)).fold(f64::INFINITY, f64::min);
            if attack.to_ball_m >= 0.0 && to_ball_m.is_finite() {
                reward += params.reward_approach_per_m * (attack.to_ball_m - to_ball_m);
            }
            attack.to_ball_m = if to_ball_m.is_finite() { to_ball_m } else { -1.0 };
        }
        reward
    }
}

impl Attack {
    /// What is remembered of this robot; `None` if there are too many.
    fn attacker(&mut self, number: u32) -> Option<&mut Attacker> {
        let place = self.attackers.iter().position(|known| known.robot == number.wrapping_add(1));
        let place = place.or_else(|| self.attackers.iter().position(|known| known.robot == 0))?;
        let attacker = &mut self.attackers[place];
        attacker.robot = number.wrapping_add(1);
        Some(attacker)
    }
}

fn position(object: &Object) -> [f64; 2] {
    [object.pose.x_m, object.pose.y_m]
}
