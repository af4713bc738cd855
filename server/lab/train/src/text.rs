//! What was learned, as part of a robot or world file.

use crate::ball::BallReport;
use crate::odometry::OdometryReport;
use std::fmt::Write;
use touchline_skills::learned::LearnedModel;

/// The model as a file that a robot file includes: `include = ["model.toml"]`.
///
/// Every number is written so that it is read as the same number.
pub fn model_text(model: &LearnedModel) -> String {
    let mut text = String::from(
        "# A motion model learned from a real robot's log by `touchline train motion`: part of a robot file.\n\n\
         [motion]\nplugin = \"learned\"\n\n[motion.params]\n",
    );
    let quoted = |word: &str| format!("{word:?}");
    let axes: Vec<String> = model.axes.iter().map(|axis| quoted(axis.as_str())).collect();
    let lines = [
        ("dt_s", format!("{:?}", model.dt_s)),
        ("axes", format!("[{}]", axes.join(", "))),
        ("velocities", model.velocities.to_string()),
        ("commands", model.commands.to_string()),
        ("slow_s", format!("{:?}", model.slow_s)),
        ("command_range", format!("{:?}", model.command_range)),
        ("velocity_range", format!("{:?}", model.velocity_range)),
        ("command_scale", format!("{:?}", model.command_scale)),
        ("velocity_scale", format!("{:?}", model.velocity_scale)),
        ("linear", matrix(&model.linear)),
        ("hidden", matrix(&model.hidden)),
        ("hidden_bias", format!("{:?}", model.hidden_bias)),
        ("output", matrix(&model.output)),
    ];
    for (key, value) in lines {
        let _ = writeln!(text, "{key} = {value}");
    }
    text.push_str("\n# What it was learned from; nothing is computed from it.\n[motion.params.source]\n");
    for (key, value) in &model.source {
        let _ = writeln!(text, "{key} = {}", toml_string(value));
    }
    text
}

fn matrix(rows: &[Vec<f64>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| format!("    {row:?},\n")).collect();
    if rows.is_empty() { "[]".into() } else { format!("[\n{}]", rows.concat()) }
}

/// A basic string of TOML.
fn toml_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The errors of an odometry as part of a robot file.
pub fn odometry_text(report: &OdometryReport) -> String {
    let mut text = format!(
        "# Wheel encoders, with the errors of a real robot's log: fitted by `touchline train odometry`.\n\
         # Drift after {} s, of the log and of this: median {:.3} and {:.3} m, 90 % {:.3} and {:.3} m ({} windows).\n\n\
         [[sensor]]\nid = \"odometry\"\nmodel = \"wheels\"\nplugin = \"odometry\"\n\n[sensor.params]\n",
        report.horizon_s,
        report.log.position_median_m,
        report.simulated.position_median_m,
        report.log.position_90_m,
        report.simulated.position_90_m,
        report.windows
    );
    let params = report.params;
    for (key, value) in [
        ("sigma_distance_m_per_sqrt_m", params.sigma_distance_m_per_sqrt_m),
        ("sigma_heading_rad_per_sqrt_rad", params.sigma_heading_rad_per_sqrt_rad),
        ("sigma_heading_rad_per_sqrt_m", params.sigma_heading_rad_per_sqrt_m),
        ("distance_scale_error", params.distance_scale_error),
        ("turn_scale_error", params.turn_scale_error),
        ("heading_bias_rad_per_m", params.heading_bias_rad_per_m),
    ] {
        // Four digits are more than any log can tell.
        let _ = writeln!(text, "{key} = {:?}", (value * 1e5).round() / 1e5);
    }
    text
}

/// The ball as lines for a world file's `[[ball]]`.
pub fn ball_text(report: &BallReport) -> String {
    let mut text = String::from(
        "# How the ball slows down: fitted to kicks by `touchline train ball`. Lines for a [[ball]] of a world file.\n",
    );
    for kick in &report.kicks {
        let _ = writeln!(text, "# {} {}", kick.file.replace(char::is_control, "?"), kick.digest);
    }
    let _ = writeln!(text, "# Held out: {}. Errors of the speeds there:", report.held_out);
    for form in &report.forms {
        let error = form.held_out_rms_m_s.map_or("not known".into(), |error| format!("{error:.3} m/s"));
        let _ = writeln!(text, "# {}: {error}", form.form);
    }
    match report.ball.sliding {
        Some(_) => {
            let _ = writeln!(text, "# It rolls from {:.3} of its first speed.", report.rolls_from);
        }
        None => text.push_str("# No sliding is seen in these logs.\n"),
    }
    let ball = &report.ball;
    let _ = writeln!(text, "rolling_resistance_m_s2 = {:.4}", ball.rolling_resistance_m_s2);
    let _ = writeln!(text, "drag_per_m = {:.5}", ball.drag_per_m);
    if let Some(sliding) = ball.sliding {
        let _ = writeln!(
            text,
            "sliding = {{ deceleration_m_s2 = {:.3}, inertia_factor = {:.4} }}",
            sliding.deceleration_m_s2, sliding.inertia_factor
        );
    }
    text
}
