//! Any bytes as the log of a real robot, any JSON as a learned model: no panic, and every error names the file. (M3, I6)
//!
//! What the fuzz targets `robotlog` and `learned` ask, and what is asked here of their corpora.

use touchline_skills::learned::{LearnedModel, MAX_AXES, MAX_HIDDEN, MAX_INPUTS};
use touchline_train::columns::Columns;
use touchline_train::kick::Kick;
use touchline_train::log::{Log, Source};
use touchline_train::table::Table;
use touchline_train::{LogError, drift::windows};

/// A log, read in all ways in which one is read. What is learned of a sound one is not asked: it takes seconds.
pub fn log(bytes: &[u8]) {
    let Some(table) = named(Table::read("run.csv", bytes)) else { return };
    let columns = Columns::default();
    named(Kick::read(&table, &columns));
    let source = Source { log: table, truth: None };
    named(windows(&source, &columns, 1.0));
    let Some(log) = named(Log::read(&source, &columns)) else { return };
    let dt_secs = log.interval_secs();
    assert!(dt_secs.is_finite() && dt_secs > 0.0, "an interval of {dt_secs} s");
    let cut = log.cut(dt_secs, 0.3, 4);
    let rows = source.log.rows();
    assert!(cut.train.len() + cut.test.len() <= rows + 2, "more pieces than rows");
}

fn named<T>(read: Result<T, LogError>) -> Option<T> {
    read.map_err(|error| {
        let text = error.to_string();
        assert!(text.starts_with("run.csv") && text.contains("docs/errors.md"), "{text}");
    })
    .ok()
}

/// A model that is accepted gives finite numbers, and stands when it is told to stand.
pub fn model(bytes: &[u8]) {
    let Ok(model) = serde_json::from_slice::<LearnedModel>(bytes) else { return };
    let Ok(network) = model.network() else { return };
    let (mut hidden, mut change) = ([0.0; MAX_HIDDEN], [0.0; MAX_AXES]);
    let [axes, width, units] = network.size();
    assert!(width <= MAX_INPUTS && units <= MAX_HIDDEN && (0.0..=1.0).contains(&model.slow_rate()));
    for inputs in [[0.0; MAX_INPUTS], [1.0; MAX_INPUTS], [-1e3; MAX_INPUTS]] {
        network.change(&inputs[..width], &mut hidden[..units], &mut change[..axes]);
        assert!(change.iter().all(|change| change.is_finite()));
        assert!(inputs[0] != 0.0 || change.iter().all(|&change| change == 0.0), "it moves at rest");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;
    use std::fmt::Write;

    /// A header and twenty rows of what a robot was told and did.
    fn table(header: &str, row: impl Fn(f64) -> Vec<f64>) -> Vec<u8> {
        let mut text = format!("{header}\n");
        for number in 0..20 {
            let row: Vec<String> = row(f64::from(number) * 0.1).iter().map(f64::to_string).collect();
            writeln!(text, "{}", row.join(",")).unwrap();
        }
        text.into_bytes()
    }

    #[test]
    fn a_thousand_mutants_of_logs_do_no_harm() {
        let step = |t: f64| if t > 0.5 { 0.5 } else { 0.0 };
        let made = vec![
            table("time,command_forward,command_turn,x,y,theta", |t| {
                vec![t, step(t), step(t), 0.3 * t, 0.01 * t, 0.2 * t]
            }),
            table("time,velocity_command,range", |t| vec![t, step(t), 0.4 * t]),
            table("time,command_forward,velocity_forward", |t| vec![t, step(t), 0.9 * step(t)]),
            table("time,x,y,theta,odometry_x,odometry_y,odometry_theta", |t| {
                vec![t, 0.3 * t, 0.0, 0.1 * t, 0.29 * t, 0.0, 0.11 * t]
            }),
            table("time,x,y", |t| vec![t, if t < 0.3 { 0.0 } else { 2.0 * t - t * t / 3.0 }, 0.0]),
            b"time 0 command_forward 1\n0 1 2\n\x1f\x8b\x08".to_vec(),
        ];
        replay("robotlog", made, log);
    }

    #[test]
    fn a_thousand_mutants_of_models_do_no_harm() {
        let model_of = |axes: &str, rows: usize| {
            let row = |width: usize, number: f64| vec![number; width];
            let width = rows * 4;
            serde_json::json!({
                "dt_s": 0.1, "axes": serde_json::from_str::<serde_json::Value>(axes).unwrap(),
                "velocities": 1, "commands": 1, "slow_s": 1.0,
                "command_range": vec![[-1.0, 1.0]; rows], "velocity_range": vec![[-1.0, 1.0]; rows],
                "command_scale": row(rows, 1.0), "velocity_scale": row(rows, 2.0),
                "linear": vec![row(width, 0.1); rows], "hidden": vec![row(width, -0.5); 2],
                "hidden_bias": [0.1, -0.2], "output": vec![row(2, 0.3); rows],
            })
            .to_string()
            .into_bytes()
        };
        let made = vec![model_of("[\"forward\"]", 1), model_of("[\"forward\", \"turn\"]", 2)];
        assert!(
            made.iter().all(|made| serde_json::from_slice::<LearnedModel>(made).unwrap().network().is_ok())
        );
        replay("learned", made, model);
    }
}
