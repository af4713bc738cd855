//! Circles that a world file has made of straight lines, such as a field's centre circle, drawn round.

use touchline_plugin_api::view::{Role, Shape, ShapeKind};

/// Fewer straight parts are no circle.
const FEWEST_PARTS: usize = 8;
/// Their middles are this near to one circle, metres.
const CLOSE_M: f64 = 0.01;

/// A circle, metres.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    pub x_m: f64,
    pub y_m: f64,
    pub radius_m: f64,
    pub width_m: f64,
    pub colour: u32,
}

/// The circles among fixtures, and what is no part of one.
pub fn find(fixtures: Vec<Shape>) -> (Vec<Ring>, Vec<Shape>) {
    let is_line = |shape: &Shape| {
        shape.has_role(Role::Line) && shape.solid == 0 && shape.kind() == ShapeKind::Rectangle
    };
    let (lines, mut rest): (Vec<Shape>, Vec<Shape>) = fixtures.into_iter().partition(is_line);
    let mut groups: Vec<Vec<Shape>> = Vec::new();
    for line in lines {
        match groups.iter_mut().find(|group| are_alike(&group[0], &line)) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    let mut rings = Vec::new();
    for group in groups {
        match ring_of(&group) {
            Some(ring) => rings.push(ring),
            None => rest.extend(group),
        }
    }
    (rings, rest)
}

fn are_alike(one: &Shape, other: &Shape) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
    one.colour == other.colour && near(one.half_x_m, other.half_x_m) && near(one.half_y_m, other.half_y_m)
}

fn ring_of(group: &[Shape]) -> Option<Ring> {
    let mean = |of: &dyn Fn(&Shape) -> f64| group.iter().map(of).sum::<f64>() / group.len() as f64;
    let (x_m, y_m) = (mean(&|part| part.x_m), mean(&|part| part.y_m));
    let from_middle = |part: &Shape| (part.x_m - x_m).hypot(part.y_m - y_m);
    let middle_m = mean(&from_middle);
    let is_round = group.len() >= FEWEST_PARTS
        && middle_m >= CLOSE_M
        && group.iter().all(|part| (from_middle(part) - middle_m).abs() <= CLOSE_M);
    let (along_m, across_m) =
        (group[0].half_x_m.max(group[0].half_y_m), group[0].half_x_m.min(group[0].half_y_m));
    // A straight part touches the circle in its middle, or its ends lie on it: the circle lies between.
    let radius_m = (middle_m + middle_m.hypot(along_m)) / 2.0;
    is_round.then_some(Ring { x_m, y_m, radius_m, width_m: 2.0 * across_m, colour: group[0].colour })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use std::f64::consts::TAU;

    fn line(x_m: f64, y_m: f64, half_x_m: f64) -> Shape {
        Shape { x_m, y_m, half_x_m, half_y_m: 0.025, role_code: Role::Line.code(), ..Shape::zeroed() }
    }

    /// Sixteen chords of a circle of 1 m are one circle, halfway between their middles and their ends; a field's other lines stay lines.
    #[test]
    fn chords_are_a_circle() {
        let (middle_m, half_m) = ((TAU / 32.0).cos(), (TAU / 32.0).sin());
        let chord = |at: f64| (TAU * at / 16.0).sin_cos();
        let chords = (0..16_u8).map(|at| chord(at.into()));
        let chords = chords.map(|(sin, cos)| line(2.0 + middle_m * cos, middle_m * sin, half_m));
        let sides = [line(0.0, 3.0, 6.0), line(0.0, -3.0, 6.0)];
        let (rings, rest) = find(chords.chain(sides).collect());
        let [ring] = rings[..] else { panic!("{rings:?}") };
        assert!((ring.x_m - 2.0).abs() < 1e-9 && ring.y_m.abs() < 1e-9, "{ring:?}");
        assert!((ring.radius_m - (1.0 + middle_m) / 2.0).abs() < 1e-9 && ring.width_m == 0.05, "{ring:?}");
        assert_eq!(rest, sides);
    }
}
