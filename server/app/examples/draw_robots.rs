//! Draws the shipped robots from their files, for robots/README.md.
//!
//! `cargo build --release --workspace && cargo run --release -p touchline --example draw_robots` writes
//! `docs/images/robots/NAME.svg`: body and manipulators in all their states, kicking zones dashed, dribbling zones
//! dotted, sensors as dots. Forward is to the right; the bar is 10 cm. The twins without noise have their siblings'
//! pictures.

use std::fmt::Write as _;
use std::path::Path;
use touchline_host::Host;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::{Outline, Primitive, RobotSpec, Zone};

/// Pixels for a metre: small robots are drawn larger.
fn scale(radius_m: f64) -> f64 {
    90.0 / radius_m
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = std::env::current_exe()?;
    let plugins = program.parent().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned();
    let host = Host::scan(&[plugins]);
    let folder = root.join("docs/images/robots");
    std::fs::create_dir_all(&folder)?;
    for entry in std::fs::read_dir(root.join("robots"))? {
        let path = entry?.path();
        // A twin without noise looks like its sibling.
        let is_twin = path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("-perfect"));
        if is_twin || path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let robot = touchline_config::load_robot(&path, &host)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        std::fs::write(folder.join(format!("{name}.svg")), picture(&robot)?)?;
    }
    Ok(())
}

fn picture(robot: &RobotSpec) -> Result<String, std::fmt::Error> {
    let scale = scale(touchline_sim::radius_m(robot));
    let mut svg = String::new();
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="240" height="220" viewBox="-110 -105 240 220">"#
    )?;
    writeln!(svg, r##"<rect x="-110" y="-105" width="240" height="220" fill="#f4f6f5"/>"##)?;
    let colour = format!("#{:06x}", robot.colour);
    for primitive in &robot.body {
        shape(&mut svg, primitive, scale, &colour, 1.0)?;
    }
    for state in robot.manipulators.iter().flat_map(|manipulator| &manipulator.states) {
        for primitive in &state.shapes {
            shape(&mut svg, primitive, scale, "#808080", 0.5)?;
        }
        if let Some(kick) = &state.kick {
            zone(&mut svg, &kick.zone, scale, "6 4")?;
        }
        if let Some(hold) = &state.hold {
            zone(&mut svg, &hold.zone, scale, "1 3")?;
        }
    }
    // Forward.
    writeln!(
        svg,
        r##"<path d="M 0 0 L 22 0 m -7 -4 l 7 4 l -7 4" fill="none" stroke="#ffffff" stroke-width="2"/>"##
    )?;
    for sensor in &robot.sensors {
        let (x, y) = (sensor.mount.x_m * scale, -sensor.mount.y_m * scale);
        writeln!(
            svg,
            r##"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="#ffd000" stroke="#000000"><title>{}</title></circle>"##,
            sensor.id
        )?;
    }
    let bar = 0.1 * scale;
    writeln!(svg, r##"<path d="M -100 105 h {bar:.1}" stroke="#000000" stroke-width="3"/>"##)?;
    writeln!(svg, "</svg>")?;
    Ok(svg)
}

fn shape(
    svg: &mut String,
    primitive: &Primitive,
    scale: f64,
    colour: &str,
    opacity: f64,
) -> std::fmt::Result {
    let colour = primitive.colour.map_or_else(|| colour.to_owned(), |own| format!("#{own:06x}"));
    let style = format!(r##"fill="{colour}" fill-opacity="{opacity}" stroke="#202020""##);
    let pose = primitive.pose;
    match primitive.outline {
        Outline::Ellipse { length_m, width_m } => {
            let (x, y) = (pose.x_m * scale, -pose.y_m * scale);
            let (rx, ry) = (length_m / 2.0 * scale, width_m / 2.0 * scale);
            let turn = -pose.theta_rad.to_degrees();
            writeln!(
                svg,
                r#"<ellipse rx="{rx:.1}" ry="{ry:.1}" transform="translate({x:.1} {y:.1}) rotate({turn:.1})" {style}/>"#
            )
        }
        Outline::Rectangle { length_m, width_m } => {
            polygon(svg, pose, &corners(length_m, width_m), scale, &style)
        }
        Outline::Triangle { corners } => polygon(svg, pose, &corners, scale, &style),
    }
}

fn zone(svg: &mut String, zone: &Zone, scale: f64, dashes: &str) -> std::fmt::Result {
    let style = format!(r##"fill="none" stroke="#d02020" stroke-dasharray="{dashes}""##);
    polygon(svg, zone.pose, &corners(zone.size_m[0], zone.size_m[1]), scale, &style)
}

fn corners(length_m: f64, width_m: f64) -> [[f64; 2]; 4] {
    let (x, y) = (length_m / 2.0, width_m / 2.0);
    [[x, y], [-x, y], [-x, -y], [x, -y]]
}

fn polygon(svg: &mut String, pose: Pose2, corners: &[[f64; 2]], scale: f64, style: &str) -> std::fmt::Result {
    let points: Vec<String> = corners
        .iter()
        .map(|&corner| pose.point_to_outer(corner))
        .map(|[x, y]| format!("{:.1},{:.1}", x * scale, -y * scale))
        .collect();
    writeln!(svg, r#"<polygon points="{}" {style}/>"#, points.join(" "))
}
