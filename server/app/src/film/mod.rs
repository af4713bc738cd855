//! `touchline replay --video`: a recording as a film, drawn here, without a browser and without a screen.

mod encoder;
mod letters;
mod names;
mod picture;
mod rings;
mod sensing;
mod view;

use crate::cli::{Failure, VideoOptions};
use encoder::Encoder;
use picture::Painter;
use std::path::Path;
use touchline_record::Input;
use touchline_runtime::world_loop::Replay;
use touchline_sim::Action;

/// What came out.
pub struct Film {
    pub pictures: u64,
    pub secs: f64,
}

/// Looks at the file's name, before there is any work.
///
/// # Errors
/// When no film can have it.
pub fn check(file: &Path) -> Result<(), Failure> {
    encoder::codec_of(file).map(drop)
}

/// Writes a recording's film; `see` hears of each picture, and of how many there will be.
///
/// # Errors
/// When the file cannot be made.
pub fn film(
    replay: &Replay,
    file: &Path,
    options: &VideoOptions,
    speed: f64,
    mut see: impl FnMut(u64, u64),
) -> Result<Film, Failure> {
    for choice in &options.video_sensors {
        // Robots that came in later are there too.
        let came = replay.log().inputs.iter().flat_map(|timed| match &timed.input {
            Input::Step(commands) | Input::Apply(commands) => commands.as_slice(),
            Input::Seek(_) => &[],
        });
        let mut came = came.filter_map(|command| match &command.action {
            Action::AddRobot { name, spec, .. } => Some((name, spec)),
            _ => None,
        });
        if came.any(|(name, spec)| spec.sensors.iter().any(|sensor| choice.fits(name, &sensor.id))) {
            continue;
        }
        let checked = choice.check_in(replay.scenario());
        checked.map_err(|why| Failure::Configuration(format!("--video-sensors {why}")))?;
    }
    let dt_secs = replay.scenario().dt_secs;
    let span = (replay.oldest(), replay.newest());
    let ticks = ticks(span, dt_secs, options, speed);
    let count = ticks.len() as u64;
    if ticks.is_empty() {
        let (from, to) = (options.video_from, options.video_to.unwrap_or(f64::INFINITY));
        let (oldest_secs, newest_secs) = (span.0 as f64 * dt_secs, span.1 as f64 * dt_secs);
        return Err(Failure::Configuration(match from > to {
            true => format!("--video-from {from} lies behind --video-to {to}"),
            false => format!(
                "nothing lies between --video-from and --video-to: the recording has {oldest_secs:.2} s to {newest_secs:.2} s"
            ),
        }));
    }
    let size = options.video_size;
    let mut film = Encoder::start(file, size, options.video_rate)?;
    let mut painter: Option<Painter> = None;
    let mut drawn = 0;
    replay.each_frame(&ticks, |frame| {
        if painter.is_none() {
            painter = Painter::new(size, frame, replay.scenario());
        }
        drawn += 1;
        see(drawn, count);
        painter
            .as_ref()
            .map_or(Ok(()), |painter| film.write(painter.draw(frame, &options.video_sensors).data()))
    })?;
    film.finish()?;
    Ok(Film { pictures: count, secs: count as f64 / f64::from(options.video_rate) })
}

/// The tick that each picture shows: the last one by then, in simulated time, whatever time it takes to draw.
fn ticks((oldest, newest): (u64, u64), dt_secs: f64, options: &VideoOptions, speed: f64) -> Vec<u64> {
    let begin_secs = options.video_from.max(oldest as f64 * dt_secs);
    let end_secs = options.video_to.unwrap_or(f64::INFINITY).min(newest as f64 * dt_secs);
    let between_secs = speed / f64::from(options.video_rate);
    let at = |picture: u64| begin_secs + picture as f64 * between_secs;
    // A tick's own time may round to a little less than it.
    let tick = |secs: f64| ((secs / dt_secs + 1e-6).floor() as u64).min(newest);
    (0..).map(at).take_while(|&secs| secs <= end_secs + 1e-9).map(tick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(rate: u32, from: f64, to: Option<f64>) -> VideoOptions {
        let (video, video_sensors) = (None, Vec::new());
        VideoOptions {
            video,
            video_size: (320, 240),
            video_rate: rate,
            video_from: from,
            video_to: to,
            video_sensors,
        }
    }

    /// Pictures are as far apart as the rate and the speed say, and none is beyond the end.
    #[test]
    fn pictures_are_of_simulated_time() {
        assert_eq!(ticks((0, 10), 0.1, &options(10, 0.0, None), 1.0), (0..=10).collect::<Vec<_>>());
        assert_eq!(ticks((0, 10), 0.1, &options(10, 0.0, None), 2.0), [0, 2, 4, 6, 8, 10]);
        assert_eq!(ticks((0, 10), 0.1, &options(20, 0.5, Some(0.7)), 1.0), [5, 5, 6, 6, 7]);
        assert_eq!(ticks((0, 10), 0.1, &options(10, 0.9, Some(9.0)), 1.0), [9, 10]);
        assert!(ticks((0, 10), 0.1, &options(10, 2.0, None), 1.0).is_empty());
        assert_eq!(
            ticks((8, 10), 0.1, &options(10, 0.0, None), 1.0),
            [8, 9, 10],
            "a part begins where it was cut out"
        );
        assert_eq!(ticks((8, 10), 0.1, &options(10, 0.9, None), 1.0), [9, 10]);
    }
}
