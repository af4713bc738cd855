//! Shapes: what a schema cannot say of their keys.

use crate::document::{At, Document};
use crate::files::{self, ShapeKeys, SurfaceKeys};
use touchline_sim::scenario::{Combine, MAX_COORDINATE_M, Outline, Primitive, Surface};

/// Overlaps up to this depth are rounding, metres.
pub(crate) const TOUCH_M: f64 = 1e-3;

/// Reports what is wrong with a shape's keys as a whole.
pub(crate) fn check(document: &mut Document, pointer: &str, keys: &ShapeKeys<'_>) {
    let (name, needed): (_, &[&str]) = match keys.shape {
        files::Outline::Rectangle => ("rectangle", &["length_m", "width_m"]),
        files::Outline::Ellipse => ("ellipse", &["length_m", "width_m"]),
        files::Outline::Circle => ("circle", &["radius_m"]),
        files::Outline::Triangle => ("triangle", &["corners_m"]),
    };
    let set = [
        ("length_m", keys.length_m.is_some()),
        ("width_m", keys.width_m.is_some()),
        ("radius_m", keys.radius_m.is_some()),
        ("corners_m", keys.corners_m.is_some()),
    ];
    for (key, is_set) in set {
        let rule = format!("a {name} has {}", needed.join(" and "));
        let pointer = format!("{pointer}/{key}");
        match (needed.contains(&key), is_set) {
            (true, false) => {
                let problem =
                    document.report(&pointer, At::Key, "config/missing-key", format!("\"{key}\" is missing"));
                problem.got = None;
                problem.allowed = Some(rule);
            }
            (false, true) => {
                let what = format!("a {name} has no \"{key}\"");
                document.report(&pointer, At::Key, "config/bad-value", what).allowed = Some(rule);
            }
            _ => {}
        }
    }
    if let Some([a, b, c]) = keys.corners_m {
        let twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let is_far = [a, b, c].iter().flatten().any(|x| x.abs() > MAX_COORDINATE_M);
        if is_far || twice_area.abs() < 1e-9 {
            let what = "the corners do not make a triangle".to_owned();
            let problem =
                document.report(&format!("{pointer}/corners_m"), At::Value, "config/bad-value", what);
            problem.allowed = Some("three corners that are not in one line, at most 1000 m away".into());
        }
    }
    if let Some([bottom, top]) = keys.z_m
        && !(bottom <= top && bottom.abs() <= MAX_COORDINATE_M && top.abs() <= MAX_COORDINATE_M)
    {
        let what = "the lowest height is above the highest".to_owned();
        let problem = document.report(&format!("{pointer}/z_m"), At::Value, "config/bad-value", what);
        problem.allowed = Some("z_m = [lowest, highest], -1000 <= lowest <= highest <= 1000 (metres)".into());
        if bottom > top {
            problem.hint = Some("the two values look swapped".into());
        }
    }
    check_surface(document, pointer, keys.surface);
}

/// Reports a surface of which only one half is said.
pub(crate) fn check_surface(document: &mut Document, pointer: &str, keys: SurfaceKeys) {
    let rule =
        keys.friction_rule.map(|_| "friction_rule").or(keys.restitution_rule.map(|_| "restitution_rule"));
    let (set, missing) = match (keys.friction, keys.restitution, rule) {
        (Some(_), None, _) => ("friction", "restitution"),
        (None, Some(_), _) => ("restitution", "friction"),
        (None, None, Some(rule)) => (rule, "friction and restitution"),
        _ => return,
    };
    let what = format!("\"{set}\" is set without \"{missing}\"");
    let problem = document.report(&format!("{pointer}/{set}"), At::Key, "config/bad-value", what);
    problem.allowed = Some("both make a surface of its own; neither takes the world's".into());
    problem.hint = Some(format!("add {missing}"));
}

/// The surface of a shape or ball, if it has one of its own.
pub(crate) fn surface(keys: SurfaceKeys) -> Option<Surface> {
    let surface = Surface::new(keys.friction?, keys.restitution?);
    Some(with_rules(surface, keys.friction_rule, keys.restitution_rule))
}

/// A surface that combines with others as a file says.
pub(crate) fn with_rules(
    surface: Surface,
    friction: Option<files::Combine>,
    restitution: Option<files::Combine>,
) -> Surface {
    let rule = |rule| match rule {
        files::Combine::Mean => Combine::Mean,
        files::Combine::Product => Combine::Product,
        files::Combine::Greater => Combine::Greater,
        files::Combine::Own => Combine::Own,
    };
    Surface {
        friction_rule: friction.map_or(surface.friction_rule, rule),
        restitution_rule: restitution.map_or(surface.restitution_rule, rule),
        ..surface
    }
}

/// A colour that the schema has accepted.
pub(crate) fn colour(text: &str) -> u32 {
    u32::from_str_radix(text.trim_start_matches('#'), 16).unwrap_or_default()
}

/// A shape that [`check`] found nothing wrong with.
pub(crate) fn primitive(keys: &ShapeKeys<'_>, default_z_m: [f64; 2]) -> Primitive {
    let (length_m, width_m) = (keys.length_m.unwrap_or_default(), keys.width_m.unwrap_or_default());
    let outline = match keys.shape {
        files::Outline::Rectangle => Outline::Rectangle { length_m, width_m },
        files::Outline::Ellipse => Outline::Ellipse { length_m, width_m },
        files::Outline::Circle => Outline::circle(keys.radius_m.unwrap_or_default()),
        files::Outline::Triangle => Outline::Triangle { corners: keys.corners_m.unwrap_or_default() },
    };
    Primitive {
        outline,
        pose: keys.pose,
        z_m: keys.z_m.unwrap_or(default_z_m),
        colour: keys.colour.map(colour),
        surface: surface(keys.surface),
    }
}
