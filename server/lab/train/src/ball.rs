//! Fits the ball of a world file to the logs of real kicks. (W5)
//!
//! A kicked ball slides at one deceleration until its spin has caught up, and then rolls at another; air takes a part of
//! both. That is the form of a world's `[[ball]]`. It is compared with a ball that has a single deceleration.
//!
//! What a camera's filter says of a speed lags behind: each kick has a lag of its own (first order), and a first speed, which
//! are fitted with the ball and not kept. Both models have them, so neither is blamed for the filter. A filter that is slower than
//! the ball slides hides the sliding: then the fit ends at the limit of what a ball can be, and a form without sliding is taken.
//!
//! The fit is by Levenberg's and Marquardt's method on the errors of the speeds; large errors count in proportion and
//! not as squares (Huber), so a bump in the carpet does not make a ball.

use crate::error::LogError;
use crate::kick::Kick;
use crate::least_squares::{self, Problem};
use crate::twice::refuse_twice;
use serde::Serialize;

/// Errors above this count in proportion, m/s.
const LARGE_M_S: f64 = 0.1;
/// A ball that slides is braked by so much; friction is rarely stronger than weight, m/s^2.
const SLIDING_M_S2: [f64; 2] = [0.2, 10.0];
/// From a ball whose mass is mostly within half its radius to a hollow one.
const INERTIA_FACTOR: [f64; 2] = [0.2, 0.7];
/// The step in which a kick is foreseen, seconds.
const STEP_SECS: f64 = 0.005;
/// No kick takes longer, steps.
const MOST_STEPS: usize = 12_000;
/// A form that has more numbers is taken if it makes the held-out error smaller by this part.
const EARNS: f64 = 0.02;
/// The logs are held out in so many groups, one after the other.
const GROUPS: usize = 5;

/// How a ball slows down: the keys of a world file's `[[ball]]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BallModel {
    /// The deceleration by rolling, m/s^2.
    pub rolling_resistance_m_s2: f64,
    /// The deceleration by air over the square of the speed, 1/m.
    pub drag_per_m: f64,
    /// How it slides before it rolls, if it does.
    pub sliding: Option<SlidingModel>,
}

/// Sliding friction of a ball, and where sliding turns into rolling.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SlidingModel {
    /// The deceleration while it slides, m/s^2.
    pub deceleration_m_s2: f64,
    /// Moment of inertia over mass times radius squared.
    pub inertia_factor: f64,
}

impl SlidingModel {
    /// The part of its first speed from which it rolls.
    pub fn rolls_from(&self) -> f64 {
        1.0 / (1.0 + self.inertia_factor)
    }
}

impl BallModel {
    /// Whether its sliding is none that a ball has: the logs do not show it.
    fn is_at_a_limit(&self) -> bool {
        self.sliding.is_some_and(|sliding| {
            let limits =
                [(sliding.deceleration_m_s2, SLIDING_M_S2), (sliding.inertia_factor, INERTIA_FACTOR)];
            limits.iter().any(|(value, [low, high])| *value < 1.01 * low || *value > 0.99 * high)
        })
    }
}

/// How well one kick is described.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KickReport {
    /// Path of the log file.
    pub file: String,
    /// Digest of the file's contents.
    pub digest: String,
    /// How many speeds were compared.
    pub rows: usize,
    /// The way, metres.
    pub length_m: f64,
    /// The fitted speed after the kick, m/s.
    pub first_speed_m_s: f64,
    /// The fitted lag of the log's speeds, seconds.
    pub lag_s: f64,
    /// Root mean square of the speed's error, m/s, if this kick took no part in the fit of the ball.
    pub held_out_rms_m_s: Option<f64>,
    /// The same of the ball with a single deceleration.
    pub held_out_rms_single_m_s: Option<f64>,
}

/// A form of ball, with the fit to all logs for learning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormReport {
    /// Forces in this form, such as `rolling and drag`.
    pub form: &'static str,
    /// Fitted parameters of the ball.
    pub ball: BallModel,
    /// Root mean square of the speed's error over all held-out kicks, m/s; none if there was one log only.
    pub held_out_rms_m_s: Option<f64>,
}

/// Result of fitting a ball to kicks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BallReport {
    /// The ball: of the forms, the simplest one that is nearly the best.
    pub ball: BallModel,
    /// The part of its first speed from which it rolls: 5/7 for a solid sphere, 3/5 for a hollow one, 1 if no sliding was
    /// seen.
    pub rolls_from: f64,
    /// All forms, the simplest first: that one has a single deceleration.
    pub forms: Vec<FormReport>,
    /// The kicks it was learned from, then those of the test.
    pub kicks: Vec<KickReport>,
    /// How the held-out kicks were chosen.
    pub held_out: String,
    /// Root mean square over all held-out kicks, m/s; none if there was one log only.
    pub held_out_rms_m_s: Option<f64>,
    /// The same of the ball with a single deceleration.
    pub held_out_rms_single_m_s: Option<f64>,
}

/// Combination of forces that is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Single,
    Drag,
    Sliding,
    SlidingAndDrag,
}

/// All forms with their names, the simplest first.
const FORMS: [(Form, &str); 4] = [
    (Form::Single, "single deceleration"),
    (Form::Drag, "rolling and drag"),
    (Form::Sliding, "sliding and rolling"),
    (Form::SlidingAndDrag, "sliding, rolling and drag"),
];

impl Form {
    /// Logarithms of the first guess: they keep everything positive.
    fn guess(self) -> Vec<f64> {
        let values: &[f64] = match self {
            Self::Single => &[0.4],
            Self::Drag => &[0.3, 0.01],
            Self::Sliding => &[0.3, 2.5, 0.4],
            Self::SlidingAndDrag => &[0.25, 2.5, 0.4, 0.01],
        };
        values.iter().map(|value| libm::log(*value)).collect()
    }

    fn model(self, shared: &[f64]) -> BallModel {
        let value = |index: usize, [low, high]: [f64; 2]| libm::exp(shared[index]).clamp(low, high);
        let sliding = || SlidingModel {
            deceleration_m_s2: value(1, SLIDING_M_S2),
            inertia_factor: value(2, INERTIA_FACTOR),
        };
        let drag = |index: usize| value(index, [1e-6, 10.0]);
        BallModel {
            rolling_resistance_m_s2: value(0, [1e-4, 100.0]),
            drag_per_m: match self {
                Self::Single | Self::Sliding => 0.0,
                Self::Drag => drag(1),
                Self::SlidingAndDrag => drag(3),
            },
            sliding: matches!(self, Self::Sliding | Self::SlidingAndDrag).then(sliding),
        }
    }
}

/// The speeds that a log with this lag would show of a ball, at the kick's places.
fn foresee(ball: &BallModel, first_speed_m_s: f64, lag_s: f64, kick: &Kick, out: &mut Vec<f64>) {
    out.clear();
    let (mut speed, mut rolling, mut way) = (first_speed_m_s, 0.0, 0.0);
    let mut shown = kick.speed_m_s[0];
    // Until the lag lets the first row's speed be seen, it has slid already.
    let slid_secs = -lag_s * libm::log(1.0 - (shown / first_speed_m_s).clamp(0.0, 0.9));
    for _ in 0..(slid_secs / STEP_SECS).min(200.0) as usize {
        (speed, rolling) = slowed(speed, rolling, STEP_SECS, ball);
    }
    (speed, rolling) = slowed(speed, rolling, slid_secs % STEP_SECS, ball);
    let keeps = libm::exp(-STEP_SECS / lag_s.max(1e-4));
    let mut next = 0;
    for _ in 0..MOST_STEPS {
        let (way_before, shown_before) = (way, shown);
        let middle = speed;
        (speed, rolling) = slowed(speed, rolling, STEP_SECS, ball);
        let mean = 0.5 * (middle + speed);
        way += mean * STEP_SECS;
        shown = mean + (shown - mean) * keeps;
        while next < kick.way_m.len() && kick.way_m[next] <= way {
            let part = (kick.way_m[next] - way_before) / (way - way_before).max(1e-12);
            out.push(shown_before + (shown - shown_before) * part);
            next += 1;
        }
        if next == kick.way_m.len() || speed <= 0.0 {
            break;
        }
    }
    // A ball that should have come to rest before is seen to rest.
    out.resize(kick.way_m.len(), 0.0);
}

/// Speed and rolling speed after a step, as the simulation has it, on a straight line.
fn slowed(mut speed: f64, mut rolling: f64, dt_secs: f64, ball: &BallModel) -> (f64, f64) {
    let mut rolling_secs = dt_secs;
    if let Some(sliding) = ball.sliding {
        let spin_up = sliding.deceleration_m_s2 / sliding.inertia_factor;
        let closes_in_secs = (speed - rolling).max(0.0) / (sliding.deceleration_m_s2 + spin_up);
        let secs = closes_in_secs.min(dt_secs);
        speed -= sliding.deceleration_m_s2 * secs;
        rolling += spin_up * secs;
        speed /= 1.0 + ball.drag_per_m * speed * secs;
        if closes_in_secs > dt_secs {
            return (speed.max(0.0), rolling);
        }
        rolling_secs -= secs;
    }
    let slower = ball.rolling_resistance_m_s2 + ball.drag_per_m * speed * speed;
    speed = (speed - slower * rolling_secs).max(0.0);
    (speed, speed)
}

/// A form of ball and some kicks, as a problem of least squares.
struct Fit<'a> {
    form: Form,
    kicks: &'a [&'a Kick],
    /// The ball, if it is known and only the kicks' own numbers are to be found.
    ball: Option<BallModel>,
}

impl Problem for Fit<'_> {
    fn shared(&self) -> usize {
        if self.ball.is_some() { 0 } else { self.form.guess().len() }
    }

    fn groups(&self) -> usize {
        self.kicks.len()
    }

    fn errors(&self, shared: &[f64], own: [f64; 2], group: usize, out: &mut Vec<f64>) {
        let ball = self.ball.unwrap_or_else(|| self.form.model(shared));
        let kick = self.kicks[group];
        let [speed, lag] = own.map(libm::exp);
        foresee(&ball, speed.min(100.0), lag.clamp(1e-3, 2.0), kick, out);
        for (error, measured) in out.iter_mut().zip(&kick.speed_m_s) {
            *error -= measured;
        }
    }

    fn limit(&self) -> f64 {
        LARGE_M_S
    }
}

/// Logarithms of a kick's own numbers: its first speed, and the lag.
fn first_own(kick: &Kick) -> [f64; 2] {
    let fastest = kick.speed_m_s.iter().fold(0.0f64, |a, b| a.max(*b));
    [libm::log(1.1 * fastest), libm::log(0.05)]
}

/// The ball that describes the kicks best.
fn fit(form: Form, kicks: &[&Kick]) -> BallModel {
    let own = kicks.iter().map(|kick| first_own(kick)).collect();
    let (shared, _) = least_squares::solve(&Fit { form, kicks, ball: None }, form.guess(), own);
    form.model(&shared)
}

/// A kick's own numbers for a given ball, and the sum of its squared errors.
fn describe(ball: BallModel, kick: &Kick) -> ([f64; 2], f64) {
    let problem = Fit { form: Form::Single, kicks: &[kick], ball: Some(ball) };
    let (_, own) = least_squares::solve(&problem, Vec::new(), vec![first_own(kick)]);
    let mut errors = Vec::new();
    problem.errors(&[], own[0], 0, &mut errors);
    (own[0].map(libm::exp), errors.iter().map(|error| error * error).sum())
}

/// Squared errors of the kicks that are held out, by kick: `None` for those that never are.
fn held_out(form: Form, kicks: &[Kick], tests: &[Kick]) -> Vec<Option<f64>> {
    let mut squares = vec![None; kicks.len()];
    if !tests.is_empty() {
        let ball = fit(form, &kicks.iter().collect::<Vec<_>>());
        squares.extend(tests.iter().map(|kick| Some(describe(ball, kick).1)));
        return squares;
    }
    let groups = GROUPS.min(kicks.len());
    for group in 0..groups {
        let others: Vec<&Kick> = kicks
            .iter()
            .enumerate()
            .filter(|(index, _)| index % groups != group)
            .map(|(_, kick)| kick)
            .collect();
        if others.is_empty() {
            break;
        }
        let ball = fit(form, &others);
        for index in (group..kicks.len()).step_by(groups) {
            squares[index] = Some(describe(ball, &kicks[index]).1);
        }
    }
    squares
}

fn rms(squares: &[Option<f64>], kicks: &[&Kick]) -> Option<f64> {
    let pairs = squares.iter().zip(kicks).filter_map(|(squares, kick)| Some(((*squares)?, kick.way_m.len())));
    let (sum, rows) = pairs.fold((0.0, 0), |(sum, rows), (squares, n)| (sum + squares, rows + n));
    (rows > 0).then(|| (sum / rows as f64).sqrt())
}

/// Fits a ball to the kicks, and tests it: on `tests` if there are any, else on each of five groups of the kicks in
/// turn, with the ball of the other four.
///
/// # Errors
/// When there is no kick, a log is there twice, or the logs are of nothing that slows down as a ball does.
pub fn fit_ball(kicks: &[Kick], tests: &[Kick]) -> Result<BallReport, LogError> {
    if kicks.is_empty() {
        return Err(LogError::new("program/log-too-short", "", None, "there is no log to learn from")
            .got("no file")
            .allowed("one kick or more, each in a file of its own")
            .hint("name the logs: touchline train ball KICK.csv…"));
    }
    let all: Vec<&Kick> = kicks.iter().chain(tests).collect();
    refuse_twice(all.iter().map(|kick| (kick.file.as_str(), kick.digest.as_str())))?;
    let learned: Vec<&Kick> = kicks.iter().collect();
    let squares = FORMS.map(|(form, _)| held_out(form, kicks, tests));
    let errors = [0, 1, 2, 3].map(|index: usize| rms(&squares[index], &all));
    let forms: Vec<FormReport> = FORMS
        .iter()
        .zip(errors)
        .map(|((form, name), held_out_rms_m_s)| FormReport {
            form: name,
            ball: fit(*form, &learned),
            held_out_rms_m_s,
        })
        .collect();
    if FORMS.iter().zip(&forms).all(|((form, _), found)| found.ball == form.model(&form.guess())) {
        return Err(LogError::new("program/log-not-si", &kicks[0].file, None, "no ball slows down like this")
            .got("no form that describes the kicks better than its first guess")
            .allowed("places in metres and speeds in metres a second, of a ball that rolls")
            .hint("mind the units: --columns x=COLUMN*0.001,y=COLUMN*0.001, and so for velocities, if they are in millimetres"));
    }
    let is_better =
        |index: usize, best: usize| errors[index] < errors[best].map(|error| (1.0 - EARNS) * error);
    // With one log only nothing can be held out: the form is the one that is known from theory.
    let chosen = (0..FORMS.len())
        .filter(|&index| errors[index].is_some() && !forms[index].ball.is_at_a_limit())
        .reduce(|best, index| if is_better(index, best) { index } else { best })
        .unwrap_or(2);
    let ball = forms[chosen].ball;
    let reports = all.iter().enumerate().map(|(index, kick)| {
        let ([first_speed_m_s, lag_s], _) = describe(ball, kick);
        let rows = kick.way_m.len();
        let rms = |form: usize| squares[form][index].map(|squares| (squares / rows as f64).sqrt());
        KickReport {
            file: kick.file.clone(),
            digest: kick.digest.clone(),
            rows,
            length_m: kick.way_m.last().copied().unwrap_or_default(),
            first_speed_m_s,
            lag_s,
            held_out_rms_m_s: rms(chosen),
            held_out_rms_single_m_s: rms(0),
        }
    });
    Ok(BallReport {
        ball,
        rolls_from: ball.sliding.map_or(1.0, |sliding| sliding.rolls_from()),
        kicks: reports.collect(),
        held_out: match (tests.len(), kicks.len()) {
            (0, 1) => "nothing: there is one log only".into(),
            (0, n) => format!("each of {} groups of the logs in turn", GROUPS.min(n)),
            (n, _) => format!("{n} logs of their own"),
        },
        held_out_rms_m_s: errors[chosen],
        held_out_rms_single_m_s: errors[0],
        forms,
    })
}
