//! The pitch: its measures, areas and landmarks. Metres, world frame: x to the right goal, y up; what the server calls top is y > 0.

use crate::face::Side;

/// From goal line to goal line.
pub const LENGTH_M: f64 = 105.0;
/// From touch line to touch line.
pub const WIDTH_M: f64 = 68.0;
/// Free space around the lines.
pub const MARGIN_M: f64 = 5.0;
/// Radius of the centre circle, and distance that opponents keep from a set play.
pub const CLEAR_DISTANCE_M: f64 = 9.15;
/// Penalty area, along x.
pub const PENALTY_AREA_LENGTH_M: f64 = 16.5;
/// Penalty area, along y.
pub const PENALTY_AREA_WIDTH_M: f64 = 40.32;
/// Goal area, along x.
pub const GOAL_AREA_LENGTH_M: f64 = 5.5;
/// Goal area, along y.
pub const GOAL_AREA_WIDTH_M: f64 = 18.32;
/// Behind the goal line.
pub const GOAL_DEPTH_M: f64 = 2.44;
/// Radius of a goal's post.
pub const POST_RADIUS_M: f64 = 0.06;
/// Half the pitch along x: where the right goal line is.
pub const HALF_LENGTH_M: f64 = LENGTH_M / 2.0;
/// Half the pitch along y: where the upper touch line is.
pub const HALF_WIDTH_M: f64 = WIDTH_M / 2.0;

/// A rectangle along the axes; its edges belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Lowest x and y.
    pub low: [f64; 2],
    /// Highest x and y.
    pub high: [f64; 2],
}

impl Area {
    /// Of a size around a centre.
    pub fn around([x, y]: [f64; 2], [length_m, width_m]: [f64; 2]) -> Self {
        Self { low: [x - length_m / 2.0, y - width_m / 2.0], high: [x + length_m / 2.0, y + width_m / 2.0] }
    }

    /// The whole pitch.
    pub fn pitch() -> Self {
        Self::around([0.0; 2], [LENGTH_M, WIDTH_M])
    }

    /// A side's penalty area.
    pub fn penalty(side: Side) -> Self {
        let x_m = -side.sign() * (HALF_LENGTH_M - PENALTY_AREA_LENGTH_M / 2.0);
        Self::around([x_m, 0.0], [PENALTY_AREA_LENGTH_M, PENALTY_AREA_WIDTH_M])
    }

    /// A side's goal area.
    pub fn goal(side: Side) -> Self {
        let x_m = -side.sign() * (HALF_LENGTH_M - GOAL_AREA_LENGTH_M / 2.0);
        Self::around([x_m, 0.0], [GOAL_AREA_LENGTH_M, GOAL_AREA_WIDTH_M])
    }

    /// The same with so much more on each edge, metres.
    pub fn wider(self, by_m: f64) -> Self {
        Self { low: self.low.map(|edge| edge - by_m), high: self.high.map(|edge| edge + by_m) }
    }

    /// Whether a point is in it.
    pub fn contains(&self, place: [f64; 2]) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&place[axis]))
    }

    /// The nearest point of its edges at x low or x high, for a point inside or outside.
    pub fn nearest_goal_line(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let edge =
            if (x - self.low[0]).abs() < (x - self.high[0]).abs() { self.low[0] } else { self.high[0] };
        [edge, y.max(self.low[1]).min(self.high[1])]
    }

    /// The nearest point of its edges at y low or y high.
    pub fn nearest_touch_line(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        // Between both, the server takes the lower one of its picture.
        let edge =
            if (y - self.high[1]).abs() < (y - self.low[1]).abs() { self.high[1] } else { self.low[1] };
        [x.max(self.low[0]).min(self.high[0]), edge]
    }

    /// The point of its edges that a point is moved to.
    pub fn nearest_edge(&self, place: [f64; 2]) -> [f64; 2] {
        let gap =
            |axis: usize| (place[axis] - self.low[axis]).abs().min((place[axis] - self.high[axis]).abs());
        if gap(0) < gap(1) { self.nearest_goal_line(place) } else { self.nearest_touch_line(place) }
    }
}

/// A disc; its edge belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its centre.
    pub centre: [f64; 2],
    /// Its radius, metres.
    pub radius_m: f64,
}

impl Circle {
    /// Whether a point is in it.
    pub fn contains(&self, place: [f64; 2]) -> bool {
        libm::hypot(place[0] - self.centre[0], place[1] - self.centre[1]) <= self.radius_m
    }

    /// The point of its edge in the direction of a point from its centre.
    pub fn nearest_edge(&self, place: [f64; 2]) -> [f64; 2] {
        let mut away = [place[0] - self.centre[0], place[1] - self.centre[1]];
        if away == [0.0; 2] {
            away = [1.0, -1.0];
        }
        let scale = self.radius_m / libm::hypot(away[0], away[1]);
        [self.centre[0] + away[0] * scale, self.centre[1] + away[1] * scale]
    }
}

/// Kind of a landmark: what a client is told of one that is too near or behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LandmarkKind {
    /// A goal's middle.
    Goal,
    /// A flag.
    Flag,
}

/// A thing at a known place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landmark {
    /// Words of its name, such as `g r` or `f p l t`.
    pub name: &'static str,
    /// Goal or flag.
    pub kind: LandmarkKind,
    /// Where, metres.
    pub place: [f64; 2],
    /// Whether it stands outside of the pitch; clients before protocol 4 are not told of those.
    pub is_of_outer_ring: bool,
}

/// All landmarks in the order in which the server tells them: those of the field, then those of the outer ring. Goals' flags stand at the ends of a goal of this
/// width, metres.
pub fn landmarks(goal_width_m: f64) -> Vec<Landmark> {
    let (x, y) = (HALF_LENGTH_M, HALF_WIDTH_M);
    let (side, end) = (x + MARGIN_M, y + MARGIN_M);
    let (area_x, area_y) = (x - PENALTY_AREA_LENGTH_M, PENALTY_AREA_WIDTH_M / 2.0);
    let half_goal = goal_width_m / 2.0;
    let flags = [
        ("f c", 0.0, 0.0),
        ("f c t", 0.0, y),
        ("f c b", 0.0, -y),
        ("f r t", x, y),
        ("f r b", x, -y),
        ("f l t", -x, y),
        ("f l b", -x, -y),
        ("f g r b", x, -half_goal),
        ("g r", x, 0.0),
        ("f g r t", x, half_goal),
        ("f g l b", -x, -half_goal),
        ("g l", -x, 0.0),
        ("f g l t", -x, half_goal),
        ("f p r b", area_x, -area_y),
        ("f p r c", area_x, 0.0),
        ("f p r t", area_x, area_y),
        ("f p l b", -area_x, -area_y),
        ("f p l c", -area_x, 0.0),
        ("f p l t", -area_x, area_y),
        ("f t 0", 0.0, end),
        ("f t r 10", 10.0, end),
        ("f t r 20", 20.0, end),
        ("f t r 30", 30.0, end),
        ("f t r 40", 40.0, end),
        ("f t r 50", 50.0, end),
        ("f t l 10", -10.0, end),
        ("f t l 20", -20.0, end),
        ("f t l 30", -30.0, end),
        ("f t l 40", -40.0, end),
        ("f t l 50", -50.0, end),
        ("f b 0", 0.0, -end),
        ("f b r 10", 10.0, -end),
        ("f b r 20", 20.0, -end),
        ("f b r 30", 30.0, -end),
        ("f b r 40", 40.0, -end),
        ("f b r 50", 50.0, -end),
        ("f b l 10", -10.0, -end),
        ("f b l 20", -20.0, -end),
        ("f b l 30", -30.0, -end),
        ("f b l 40", -40.0, -end),
        ("f b l 50", -50.0, -end),
        ("f r 0", side, 0.0),
        ("f r t 10", side, 10.0),
        ("f r t 20", side, 20.0),
        ("f r t 30", side, 30.0),
        ("f r b 10", side, -10.0),
        ("f r b 20", side, -20.0),
        ("f r b 30", side, -30.0),
        ("f l 0", -side, 0.0),
        ("f l t 10", -side, 10.0),
        ("f l t 20", -side, 20.0),
        ("f l t 30", -side, 30.0),
        ("f l b 10", -side, -10.0),
        ("f l b 20", -side, -20.0),
        ("f l b 30", -side, -30.0),
    ];
    let landmark = |(name, x, y): (&'static str, f64, f64)| Landmark {
        name,
        kind: if name.starts_with('g') { LandmarkKind::Goal } else { LandmarkKind::Flag },
        place: [x, y],
        is_of_outer_ring: x.abs() > HALF_LENGTH_M || y.abs() > HALF_WIDTH_M,
    };
    flags.into_iter().map(landmark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_stand_where_the_server_has_them() {
        let all = landmarks(14.02);
        assert_eq!(all.len(), 55);
        assert_eq!(all.iter().filter(|landmark| landmark.is_of_outer_ring).count(), 36);
        let place = |name: &str| all.iter().find(|landmark| landmark.name == name).unwrap().place;
        assert_eq!(place("g r"), [52.5, 0.0]);
        assert_eq!(place("f g l t"), [-52.5, 7.01]);
        assert_eq!(place("f p r b"), [36.0, -20.16]);
        assert_eq!(place("f t l 20"), [-20.0, 39.0]);
        assert_eq!(place("f l b 30"), [-57.5, -30.0]);
    }

    #[test]
    fn who_is_in_an_area_goes_to_its_nearest_edge() {
        let area = Area::penalty(Side::Right);
        assert_eq!((area.low, area.high), ([36.0, -20.16], [52.5, 20.16]));
        assert!(area.contains([36.0, 20.16]) && !area.contains([35.9, 0.0]));
        assert_eq!(area.nearest_edge([37.0, 5.0]), [36.0, 5.0]);
        assert_eq!(area.nearest_edge([44.0, 19.0]), [44.0, 20.16]);
        assert_eq!(area.nearest_edge([60.0, 30.0]), [52.5, 20.16]);
        let circle = Circle { centre: [1.0, 0.0], radius_m: 2.0 };
        assert_eq!(circle.nearest_edge([1.5, 0.0]), [3.0, 0.0]);
        assert!(circle.contains(circle.nearest_edge([1.0, 0.0])));
    }
}
