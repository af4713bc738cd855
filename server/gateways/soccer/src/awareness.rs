//! What a client decides of its player beside the body: how it looks, where it points to, to whom it listens; and what it has commanded so far.

use crate::state::{Body, Point, Who, direction, length, normal_angle};
use crate::wire::player_command::ViewWidth;
use touchline_soccer_law::params::ServerParams;

/// The eyes' focus is this far away at most, metres.
const MAX_FOCUS_M: f64 = 40.0;

/// All of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Awareness {
    /// How it looks.
    pub view: View,
    /// Distance, metres, and direction from the neck line, radians, of what the eyes are focused on.
    pub focus_point: [f64; 2],
    /// Where it points to.
    pub arm: Arm,
    /// To whom it listens first.
    pub attention: Option<Who>,
    /// Commands so far.
    pub counts: Counts,
}

/// How many commands of each kind were carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the command's name")]
pub struct Counts {
    pub kick: u32,
    pub dash: u32,
    pub turn: u32,
    pub catch: u32,
    pub moved: u32,
    pub turn_neck: u32,
    pub change_view: u32,
    pub say: u32,
    pub tackle: u32,
    pub attention_to: u32,
    pub change_focus: u32,
}

impl Counts {
    /// As shows and logs have them; the arm counts for itself.
    pub fn in_order(&self, point_to: u32) -> [u32; 12] {
        [
            self.kick,
            self.dash,
            self.turn,
            self.catch,
            self.moved,
            self.turn_neck,
            self.change_view,
            self.say,
            self.tackle,
            point_to,
            self.attention_to,
            self.change_focus,
        ]
    }
}

/// How a player looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// How wide.
    pub width: ViewWidth,
    /// Whether distances are seen too.
    pub is_high: bool,
    /// Whether it sees once a cycle or in a multiple of it, and not by its own clock.
    pub is_synchronous: bool,
    /// Whether distances have a Gaussian noise.
    pub is_gaussian: bool,
    /// Opening of the cone, radians.
    pub angle_rad: f64,
    /// Ticks from one view to the next.
    pub interval: u32,
}

impl View {
    /// At the beginning: normal, high, by its own clock.
    pub fn new(server: &ServerParams) -> Self {
        let view = Self {
            width: ViewWidth::Normal,
            is_high: true,
            is_synchronous: false,
            is_gaussian: false,
            angle_rad: 0.0,
            interval: 0,
        };
        view.looking(ViewWidth::Normal, server)
    }

    /// The same with this width, and high quality.
    fn looking(self, width: ViewWidth, server: &ServerParams) -> Self {
        let normal_rad = server.visible_angle.to_radians();
        let (part, interval) = match (self.is_synchronous, width) {
            (false, ViewWidth::Narrow) => (0.5, 2),
            (false, ViewWidth::Normal) => (1.0, 4),
            (false, ViewWidth::Wide) => (2.0, 8),
            (true, ViewWidth::Narrow) => (2.0 / 3.0, 1),
            (true, ViewWidth::Normal) => (4.0 / 3.0, 2),
            (true, ViewWidth::Wide) => (2.0, 3),
        };
        Self { width, is_high: true, angle_rad: normal_rad * part, interval, ..self }
    }
}

impl Awareness {
    /// At the beginning.
    pub fn new(server: &ServerParams) -> Self {
        Self {
            view: View::new(server),
            focus_point: [0.0; 2],
            arm: Arm::new(server),
            attention: None,
            counts: Counts::default(),
        }
    }

    /// `change_view`. Low quality is ignored when the view is synchronous.
    pub fn change_view(&mut self, width: ViewWidth, is_high: Option<bool>, server: &ServerParams) {
        if self.view.is_synchronous && is_high == Some(false) {
            return;
        }
        self.view = self.view.looking(width, server);
        match is_high {
            Some(false) => {
                self.view.is_high = false;
                self.view.interval /= 2;
            }
            Some(true) => {}
            None => self.focus_point[1] = self.bounded(self.focus_point[1]),
        }
        self.counts.change_view += 1;
    }

    /// `synch_see`.
    pub fn synchronise(&mut self, server: &ServerParams) {
        self.view.is_synchronous = true;
        self.view = self.view.looking(self.view.width, server);
    }

    /// `change_focus`: by a distance, metres, and a direction, radians.
    pub fn change_focus(&mut self, dist: f64, dir_rad: f64) {
        let [old_dist, old_dir] = self.focus_point;
        let dir = self.bounded(normal_angle(old_dir + dir_rad));
        self.focus_point = [(old_dist + dist).clamp(0.0, MAX_FOCUS_M), dir];
        self.counts.change_focus += 1;
    }

    /// A direction within the view.
    fn bounded(&self, dir_rad: f64) -> f64 {
        dir_rad.clamp(-self.view.angle_rad * 0.5, self.view.angle_rad * 0.5)
    }
}

/// An arm that may point somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    target: Point,
    /// Cycles since it moved.
    age: u32,
    ban: u32,
    duration: u32,
    /// How often it moved.
    pub count: u32,
}

impl Arm {
    fn new(server: &ServerParams) -> Self {
        let (ban, duration) = (server.point_to_ban.max(0) as u32, server.point_to_duration.max(0) as u32);
        Self { target: [0.0; 2], age: duration, ban, duration, count: 0 }
    }

    /// Whether it may be moved.
    fn is_movable(&self) -> bool {
        self.age >= self.ban
    }

    /// Whether it points somewhere.
    pub fn is_pointing(&self) -> bool {
        self.age < self.duration
    }

    /// The place to which it points, metres.
    pub fn target(&self) -> Option<Point> {
        self.is_pointing().then_some(self.target)
    }

    /// A cycle has passed.
    pub fn grow_old(&mut self) {
        self.age = self.age.saturating_add(1);
    }

    /// Points to a place at this distance, metres, and direction from the neck line, radians; or nowhere.
    pub fn point(&mut self, target: Option<[f64; 2]>, body: &Body) {
        if !self.is_movable() {
            return;
        }
        self.count += 1;
        match target {
            None => (self.target, self.age) = ([0.0; 2], self.duration),
            Some([dist, dir_rad]) => {
                let (sin, cos) = libm::sincos(body.face_rad() + dir_rad);
                let [x, y] = body.motion.pos;
                (self.target, self.age) = ([x + dist * cos, y + dist * sin], 0);
            }
        }
    }

    /// Cycles until it may be moved.
    pub fn movable_in(&self) -> u32 {
        self.ban.saturating_sub(self.age)
    }

    /// Cycles until it points no more.
    pub fn expires_in(&self) -> u32 {
        self.duration.saturating_sub(self.age)
    }

    /// Where it points to, from the player: distance, metres, and direction from its neck line, radians, not normalised.
    pub fn relative(&self, body: &Body) -> Option<[f64; 2]> {
        let [x, y] = body.motion.pos;
        let offset = [self.target[0] - x, self.target[1] - y];
        self.is_pointing().then(|| [length(offset), normal_angle(direction(offset) - body.face_rad())])
    }

    /// Direction to which it points, radians.
    pub fn direction_rad(&self, body: &Body) -> Option<f64> {
        let [x, y] = body.motion.pos;
        self.is_pointing().then(|| direction([self.target[0] - x, self.target[1] - y]))
    }
}
