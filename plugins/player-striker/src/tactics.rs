//! What to do: attack, support, look for the ball, or get free.
//!
//! All functions look at the scene and the memory, and answer with a velocity in the body frame.

use crate::eyes::Others;
use crate::memory::{FieldFrame, Memory};
use crate::plane::{Point, add, angle, dot, left_of, length, scale, sub, unit};
use crate::steer::{Drive, around, behind_ball};
use touchline_plugin_api::geometry::{Transform2, Twist2, wrap_angle};

/// What is known at one call.
pub struct Scene {
    /// The robot in the odometry frame.
    pub pose: Transform2,
    /// Its velocity in its body frame.
    pub twist: Twist2,
    /// The other robots.
    pub others: Others,
}

/// The sizes that matter to tactics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The robot's radius, metres.
    pub robot_m: f64,
    /// The ball's radius, metres.
    pub ball_m: f64,
    /// The circle on which it goes around the ball, metres.
    pub circle_m: f64,
    /// Half the width of the goal, metres.
    pub half_goal_m: f64,
    /// Half the width of the field, metres.
    pub half_width_m: f64,
    /// How near the goal has to be for a shot, metres.
    pub shot_m: f64,
    /// How near to its aim a shot has to pass, metres; `None` does not care.
    pub shot_error_m: Option<f64>,
}

/// Who goes for the ball, and what he sees of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attack {
    /// The ball in the body frame.
    pub ball: Point,
    /// The middle of the opponent's goal line, body frame.
    pub goal: Point,
    /// Where in the goal the ball shall go, body frame.
    pub aim: Point,
    /// How far `aim` is from `goal`, to the left as the ball sees it, metres.
    pub aside_m: f64,
    /// How far away the ball is, metres.
    pub ball_m: f64,
    /// In which direction the ball is, body frame.
    pub ball_rad: f64,
    /// The angle from the line robot-ball to the line ball-aim: 0 if the robot is behind the ball.
    pub off_rad: f64,
}

impl Attack {
    /// Whether the ball lies at the robot's front.
    fn has_ball(&self, sizes: &Sizes) -> bool {
        let [ahead_m, aside_m] = self.ball;
        ahead_m > 0.0 && ahead_m < sizes.robot_m + sizes.ball_m + 0.06 && aside_m.abs() < 0.13
    }
}

impl Scene {
    /// Looks at ball and goal. The aim is the side of the goal that is farther from its keeper.
    pub fn attack(&self, memory: &mut Memory, sizes: &Sizes) -> Attack {
        let ball = self.pose.to_inner(memory.ball);
        let goal = self.pose.to_inner(memory.opponent_goal(self.pose.origin()));
        let across = left_of(unit(sub(goal, ball)));
        let keeper = self
            .others
            .opponents()
            .iter()
            .map(|&at| sub(at, goal))
            .find(|from_goal| dot(*from_goal, *from_goal) < sizes.half_goal_m * sizes.half_goal_m + 0.5);
        let mut aside_m = match keeper {
            Some(from_goal) if dot(from_goal, across) > 0.0 => -0.6 * sizes.half_goal_m,
            Some(_) => 0.6 * sizes.half_goal_m,
            None => 0.0,
        };
        if sizes.shot_error_m.is_some() {
            let seen_m = keeper.map(|from_goal| {
                gap_m(ball, goal, add(goal, from_goal), sizes, &mut memory.side).unwrap_or(aside_m)
            });
            aside_m = memory.keep_aside(seen_m);
        }
        let aim = add(goal, scale(across, aside_m));
        let ball_rad = angle(ball);
        let off_rad = wrap_angle(angle(sub(aim, ball)) - ball_rad);
        Attack { ball, goal, aim, aside_m, ball_m: length(ball), ball_rad, off_rad }
    }

    /// Goes behind the ball and through it.
    pub fn go_for_ball(&self, memory: &mut Memory, attack: &Attack, drive: &Drive, sizes: &Sizes) -> Twist2 {
        if drive.sideways {
            self.swing(attack, drive, sizes)
        } else {
            self.run_up(memory, attack, drive, sizes)
        }
    }

    /// A holonomic robot swings around the ball while it faces it.
    fn swing(&self, attack: &Attack, drive: &Drive, sizes: &Sizes) -> Twist2 {
        let mut direction_rad = behind_ball(attack.ball_rad, attack.ball_m, attack.off_rad, sizes.circle_m);
        let beside_m = attack.ball_m - sizes.circle_m;
        if beside_m > 0.0 {
            direction_rad = self.avoid(direction_rad, beside_m, sizes);
        }
        let face_rad = if attack.has_ball(sizes) { angle(attack.aim) } else { attack.ball_rad };
        drive.go(direction_rad, 1.0, face_rad)
    }

    /// A robot that cannot drive sideways goes to a place behind the ball first, turns, and takes a run from there.
    fn run_up(&self, memory: &mut Memory, attack: &Attack, drive: &Drive, sizes: &Sizes) -> Twist2 {
        const RUN_M: f64 = 0.5;
        let (off_rad, ball_rad) = (attack.off_rad.abs(), attack.ball_rad);
        // It begins a run only if it is well placed, and gives it up only if it misses.
        let (allowed_off_rad, allowed_rad) = if memory.running == 1 { (0.9, 1.2) } else { (0.5, 0.25) };
        let steady = memory.running == 1 || drive.turning_rad_s.abs() < 1.0;
        memory.running = u32::from(steady && off_rad < allowed_off_rad && ball_rad.abs() < allowed_rad);
        let beside_m = attack.ball_m - sizes.circle_m;
        if memory.running == 1 {
            if attack.has_ball(sizes) {
                // Its front keeps the ball: where it goes, the ball goes.
                return drive.go(angle(attack.aim).clamp(-0.5, 0.5), 1.0, 0.0);
            }
            let through_rad = behind_ball(ball_rad, attack.ball_m, attack.off_rad, sizes.circle_m);
            let bend_rad = (0.5 * wrap_angle(through_rad - ball_rad)).clamp(-0.3, 0.3);
            return drive.go(self.avoid(ball_rad + bend_rad, beside_m, sizes), 0.8, 0.0);
        }
        let near = beside_m < RUN_M + 0.3;
        if near && off_rad < 0.5 && (beside_m > -0.1 || ball_rad.abs() > 1.0) {
            return drive.face(ball_rad);
        }
        if beside_m < 0.0 && ball_rad.abs() < 1.3 {
            return Twist2 { x_m_s: -0.6 * drive.speed_m_s, ..drive.face(ball_rad) };
        }
        let forward = unit(sub(attack.aim, attack.ball));
        let place = sub(attack.ball, scale(forward, sizes.circle_m + RUN_M));
        let place_m = length(place);
        let direction_rad = around(angle(place), place_m, attack.ball, sizes.circle_m + 0.05);
        drive.go(self.avoid(direction_rad, place_m, sizes), (0.15 + 0.7 * place_m).min(1.0), 0.0)
    }

    /// Whether a kick straight ahead makes sense now.
    pub fn should_kick(&self, attack: &Attack, sizes: &Sizes) -> bool {
        let [ahead_m, aside_m] = attack.goal;
        if ahead_m <= 0.0 {
            return false;
        }
        if length(attack.goal) < sizes.shot_m {
            return aside_m.abs() < 0.8 * sizes.half_goal_m && self.is_aimed(attack, sizes);
        }
        // Far from the goal it plays the ball on when somebody comes too near.
        let pressed = self.others.opponents().iter().any(|&at| at[0] > 0.0 && length(at) < 0.9);
        pressed && aside_m.abs() < 0.5 * ahead_m
    }

    /// Whether a ball that is kicked now passes near enough to the aim.
    fn is_aimed(&self, attack: &Attack, sizes: &Sizes) -> bool {
        /// About as fast is a kicked ball, m/s: what the robot's turn adds to it is small against that.
        const SHOT_M_S: f64 = 5.0;
        /// Nearer to the goal there is no time to aim, metres.
        const CLOSE_M: f64 = 1.0;
        let way = sub(attack.goal, attack.ball);
        let Some(error_m) = sizes.shot_error_m.filter(|_| length(way) > CLOSE_M) else { return true };
        let shot = [1.0, self.twist.turn_rad_s * attack.ball[0] / SHOT_M_S];
        let towards = dot(shot, unit(way));
        if towards <= 0.0 {
            return false;
        }
        let meets = sub(scale(shot, length(way) / towards), way);
        (dot(meets, left_of(unit(way))) - attack.aside_m).abs() < error_m
    }

    /// The place from which it can help, body frame: the first supporter beside and behind the ball, the others side by side between
    /// the ball and their own goal.
    pub fn place_to_support(&self, memory: &Memory, rank: usize, field: FieldFrame, sizes: &Sizes) -> Point {
        let ball = field.to_field(memory.ball);
        let own = field.to_field(self.pose.origin());
        let away = |reference: f64| if reference < 0.0 { -1.0 } else { 1.0 };
        // On a field without room inside the lines it stays on the middle line.
        let x_max = (field.half_length_m - 1.3).max(0.0);
        let y_max = (sizes.half_width_m - 0.6).max(0.0);
        let inside = |[x, y]: Point| [x.clamp(-x_max, x_max), y.clamp(-y_max, y_max)];
        let mut place = inside(if rank <= 1 {
            // Beside the ball on the side where it is already, unless that is next to the line.
            let side = if ball[1].abs() > 0.5 * sizes.half_width_m {
                -away(ball[1])
            } else {
                away(own[1] - ball[1])
            };
            [ball[0] - 1.3, ball[1] + 1.3 * side]
        } else {
            [ball[0] - 3.0, 0.4 * ball[1]]
        });
        if length(sub(place, ball)) < ROOM_M {
            place[1] = ball[1] - ROOM_M * away(ball[1]);
        }
        if rank > 2 {
            place = off_the_ball(place_in_line(rank - 2, place, [x_max, y_max]), ball, x_max);
        }
        self.pose.to_inner(field.to_odometry(place))
    }

    /// Goes to a place, around robots and the ball, and faces the ball.
    pub fn go_to(&self, place: Point, ball: Point, drive: &Drive, sizes: &Sizes) -> Twist2 {
        const THERE_M: f64 = 0.3;
        let distance_m = length(place);
        if distance_m < THERE_M {
            return drive.face(angle(ball));
        }
        let direction_rad = around(angle(place), distance_m, ball, sizes.circle_m + 0.2);
        let direction_rad = self.avoid(direction_rad, distance_m, sizes);
        drive.go(direction_rad, distance_m / 0.8, angle(ball))
    }

    /// Looks for a ball that it has lost: where it was last, then turning, then from somewhere else.
    pub fn search(&self, memory: &mut Memory, elapsed_secs: f64, drive: &Drive, sizes: &Sizes) -> Twist2 {
        const TURN_SECS: f64 = 4.0;
        const WALK_SECS: f64 = 2.0;
        if memory.ball_known == 1 {
            let last = self.pose.to_inner(memory.ball);
            if length(last) > 0.8 && memory.ball_age_secs < 5.0 {
                return self.go_to(last, last, drive, sizes);
            }
            memory.ball_known = 0;
            memory.search_secs = 0.0;
            memory.search_turn = if last[1] < 0.0 { -1.0 } else { 1.0 };
        }
        memory.search_secs += elapsed_secs;
        if libm::fmod(memory.search_secs, TURN_SECS + WALK_SECS) < TURN_SECS {
            let side = if memory.search_turn < 0.0 { -0.6 } else { 0.6 };
            return Twist2::new(0.0, 0.0, side * drive.turn_rad_s);
        }
        // From the middle of the field most of it is in view.
        let centre = memory.field().map_or([1.0, 0.0], |f| self.pose.to_inner(f.to_odometry([0.0, 0.0])));
        if length(centre) < 0.5 {
            return Twist2::new(0.0, 0.0, 0.6 * drive.turn_rad_s);
        }
        drive.go(self.avoid(angle(centre), length(centre), sizes), 0.6, angle(centre))
    }

    /// Drives backwards, turning to the side that `memory` holds.
    pub fn back_off(memory: &Memory, drive: &Drive) -> Twist2 {
        let side = memory.backing_turn;
        let left_m_s = if drive.sideways { 0.5 * drive.speed_m_s * side } else { 0.0 };
        Twist2::new(-0.6 * drive.speed_m_s, left_m_s, 0.4 * drive.turn_rad_s * side)
    }

    /// Whether it has asked for speed in vain for longer than `stuck_after_secs`.
    pub fn is_stuck(
        &self,
        memory: &mut Memory,
        elapsed_secs: f64,
        stuck_after_secs: f64,
        drive: &Drive,
    ) -> bool {
        let [asked_m_s, asked_rad_s] = memory.asked;
        let moves_m_s = length([self.twist.x_m_s, self.twist.y_m_s]);
        let pushes = asked_m_s > 0.25 * drive.speed_m_s && moves_m_s < 0.2 * asked_m_s;
        let twists = asked_rad_s > 0.3 * drive.turn_rad_s && self.twist.turn_rad_s.abs() < 0.1 * asked_rad_s;
        // One that stands on purpose and turns is not stuck, and neither is one that pushes and turns.
        let stuck = if asked_m_s > 0.25 * drive.speed_m_s { pushes } else { twists };
        let change_secs = if stuck { elapsed_secs } else { -2.0 * elapsed_secs };
        memory.blocked_secs = (memory.blocked_secs + change_secs).max(0.0);
        memory.blocked_secs > stuck_after_secs
    }

    /// How far it is from playing the ball on, metres: the way to the ball, and more if it is on the wrong side.
    pub fn cost_m(&self, attack: &Attack) -> f64 {
        attack.ball_m + 0.5 * attack.off_rad.abs()
    }

    fn avoid(&self, direction_rad: f64, target_m: f64, sizes: &Sizes) -> f64 {
        // The nearest one only: two detours can add up to a third collision.
        let room_m = 2.0 * sizes.robot_m + 0.1;
        self.others.nearest.map_or(direction_rad, |at| around(direction_rad, target_m, at, room_m))
    }
}

/// The middle of a gap between the keeper and a post, as the ball sees it: metres to the left of the goal's middle; `None` if
/// there is none. It is the wider one, and stays the same `side` as long as the other is not much wider.
///
/// The keeper is taken to be as broad as a robot of half a metre.
fn gap_m(ball: Point, goal: Point, keeper: Point, sizes: &Sizes, side: &mut u32) -> Option<f64> {
    const HALF_KEEPER_M: f64 = 0.25;
    const MUCH_M: f64 = 0.3;
    let way = sub(goal, ball);
    let (forward, left) = (unit(way), left_of(unit(way)));
    let ahead_m = dot(sub(keeper, ball), forward);
    if ahead_m <= sizes.ball_m {
        return None;
    }
    // Its shadow on the goal line, wider by the ball on both sides.
    let scale = length(way) / ahead_m;
    let (middle_m, half_m) = (scale * dot(sub(keeper, ball), left), scale * (HALF_KEEPER_M + sizes.ball_m));
    let post_m = sizes.half_goal_m - sizes.ball_m;
    let (left_m, right_m) = (post_m - (middle_m + half_m), (middle_m - half_m) + post_m);
    let favour_m = match *side {
        1 => MUCH_M,
        2 => -MUCH_M,
        _ => 0.0,
    };
    let is_left = left_m + favour_m > right_m && left_m > 0.0 || right_m <= 0.0;
    if left_m.max(right_m) <= 0.0 {
        return None;
    }
    *side = if is_left { 1 } else { 2 };
    Some(if is_left { post_m - left_m / 2.0 } else { right_m / 2.0 - post_m })
}

/// So near to the ball nobody stands who helps, metres.
const ROOM_M: f64 = 1.2;

/// A place in line that leaves the ball its room, behind it, or where the field ends before it; field frame.
fn off_the_ball(place: Point, ball: Point, x_max: f64) -> Point {
    let aside_m = place[1] - ball[1];
    if length(sub(place, ball)) >= ROOM_M {
        return place;
    }
    let along_m = (ROOM_M * ROOM_M - aside_m * aside_m).max(0.0).sqrt();
    let x = if ball[0] - along_m >= -x_max { ball[0] - along_m } else { ball[0] + along_m };
    [x, place[1]]
}

/// Where the one of this number stands in lines across the field, field frame: the first at `middle`, the others beside it in turn, and where the
/// field ends (`most`), in the next line.
fn place_in_line(number: usize, middle: Point, [x_max, y_max]: Point) -> Point {
    /// From one to the next: room to pass between two robots.
    const GAP_M: f64 = 1.6;
    let [x, y] = [middle[0].clamp(-x_max, x_max), middle[1].clamp(-y_max, y_max)];
    // How many stand on either side of the middle.
    let [left, right] = [y_max - y, y_max + y].map(|room_m| (room_m / GAP_M) as usize);
    let (line, column) = (number / (left + right + 1), number % (left + right + 1));
    let both = 2 * left.min(right);
    let aside = match column {
        0 => 0.0,
        beside if beside <= both => beside.div_ceil(2) as f64 * if beside % 2 == 1 { 1.0 } else { -1.0 },
        beyond => (beyond - both / 2) as f64 * if left > right { 1.0 } else { -1.0 },
    };
    let back_m = GAP_M * line as f64;
    // Where there is no field behind them, before them.
    let x = if x - back_m >= -x_max { x - back_m } else { x + back_m };
    [x, y + GAP_M * aside]
}
