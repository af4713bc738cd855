//! The log of a kick: how fast the ball is, over the way that it has gone.
//!
//! A clock is not needed: speed over distance says what speed over time does. Speeds are the log's own, or worked out
//! from positions and times. Of a log with several kicks the fastest one that is long enough is taken. A ball that
//! somebody places elsewhere, as referees do, is not kicked.

use crate::columns::{Columns, Role};
use crate::error::LogError;
use crate::table::Table;
use crate::units::{Used, no_metres};
use std::ops::Range;

/// Slower is rest or noise, m/s.
const SLOWEST_M_S: f64 = 0.1;
/// No kick is slower at its fastest, m/s.
const SLOWEST_KICK_M_S: f64 = 3.0 * SLOWEST_M_S;
/// A kick begins with this part of its highest speed.
const BEGINS_AT: f64 = 0.2;
/// A ball that has come back by this much has met something, metres.
const BACK_M: f64 = 0.05;
/// Before it met something, filters have already seen it: so much of the way is left out, metres.
const MET_M: f64 = 0.4;
/// A ball that is so far off the line of its kick has met something, metres.
const OFF_LINE_M: f64 = 0.3;
/// A shorter way says nothing, metres.
const SHORTEST_M: f64 = 0.5;
/// Fewest rows that a kick must have.
const FEWEST_ROWS: usize = 8;
/// Faster is a mistake in the units, or a ball that somebody placed elsewhere, m/s.
const FASTEST_M_S: f64 = 50.0;
/// It is a mistake in the units if more rows than these are so fast, one after the other: so many see a ball that is placed.
const MOST_PLACED: usize = 4;
/// No ball rolls farther, metres.
const LONGEST_M: f64 = 1000.0;
/// By no larger factor does the way differ from what the speeds say, whatever a filter makes of these.
const MOST_APART: f64 = 10.0;
/// Rows of a ball come not more slowly, seconds.
const SLOWEST_ROWS_SECS: f64 = 1.0;
/// Nor faster: a clock that says so does not count seconds.
const FASTEST_ROWS_SECS: f64 = 1e-4;
/// In no more images, one after the other, does a camera see a ghost.
const MOST_GHOSTS: usize = 4;
/// A ghost is farther from the ball, metres: nearer it is noise.
const GHOST_M: f64 = 0.1;
/// So many rows before a peak, and after it, say what is usual there.
const AROUND: usize = 4;
/// A peak that is faster than what is usual around it by this factor may be a spike.
const SPIKE: f64 = 1.5;
/// The cosine of 15 degrees: by no more do a kick's velocity and its way differ.
const SAME_WAY: f64 = 0.966;
/// More rows than this are thinned out evenly: neighbours say the same.
const MOST_ROWS: usize = 400;

/// One kick: distance and speed of the ball over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Kick {
    /// The file, as the user named it.
    pub file: String,
    /// A digest of the file.
    pub digest: String,
    /// The way since the first row, metres; it grows.
    pub way_m: Vec<f64>,
    /// The speed, m/s.
    pub speed_m_s: Vec<f64>,
}

struct Row {
    row: usize,
    /// The time, if there is a clock.
    secs: Option<f64>,
    at: [f64; 2],
    velocity: [f64; 2],
    /// Whether the ball did not roll here from where it was.
    is_placed: bool,
}

impl Row {
    fn speed(&self) -> f64 {
        norm(self.velocity)
    }
}

/// What may be a kick.
#[derive(Default)]
struct Part {
    rows: Range<usize>,
    length_m: f64,
    fastest_m_s: f64,
}

impl Part {
    fn is_kick(&self) -> bool {
        self.rows.len() >= FEWEST_ROWS && self.length_m >= SHORTEST_M && self.fastest_m_s >= SLOWEST_KICK_M_S
    }
}

fn norm([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

impl Kick {
    /// Reads a log's fastest kick.
    ///
    /// # Errors
    /// When columns are missing, a row in use holds no numbers, time runs backwards, nothing is kicked, or it is not in metres.
    pub fn read(table: &Table, columns: &Columns) -> Result<Self, LogError> {
        let mut rows = rows(table, columns)?;
        let too_short = |what: &str| LogError::new("program/log-too-short", &table.file, None, what);
        let allowed = format!("a ball that is kicked and rolls for at least {SHORTEST_M} m");
        let one_kick =
            "log one kick in each file, from before the kick until the ball rests or meets something";
        if rows.len() < FEWEST_ROWS {
            let line = rows.last().map(|row| table.line(row.row));
            return Err(LogError::new("program/log-too-short", &table.file, line, "the log is too short")
                .got(format!("{} rows in which the ball is seen", rows.len()))
                .allowed(allowed)
                .hint(one_kick));
        }
        let placed = rows.chunk_by(|a, b| a.is_placed && b.is_placed);
        let placed = placed.filter(|rows| rows[0].is_placed).map(<[Row]>::len).max().unwrap_or(0);
        if placed > MOST_PLACED {
            let faster = |a: usize, b: usize| if rows[b].speed() > rows[a].speed() { b } else { a };
            let peak = &rows[(0..rows.len()).fold(0, faster)];
            let line = Some(table.line(peak.row));
            return Err(LogError::new("program/log-not-si", &table.file, line, "no ball is that fast")
                .got(format!("{:.1} m/s, and too much in {placed} rows one after the other", peak.speed()))
                .allowed(format!("at most {FASTEST_M_S} m/s, but for {MOST_PLACED} rows in which somebody places the ball"))
                .hint("if the log is in millimetres: --columns x=COLUMN*0.001,y=COLUMN*0.001, and so for velocities"));
        }
        let found = find(&mut rows);
        let (part, length_m) = (&rows[found.rows.clone()], found.length_m);
        if !found.is_kick() {
            let fastest = found.fastest_m_s;
            return Err(too_short("the ball is not kicked in this log, or not far")
                .got(format!("{length_m:.2} m of way at up to {fastest:.2} m/s, in {} rows", part.len()))
                .allowed(allowed)
                .hint(one_kick));
        }
        let first = &part[0];
        refuse_other_units(table, columns, part, length_m)?;
        let (mut way_m, mut speed_m_s) = (Vec::new(), Vec::new());
        let thin = part.len().div_ceil(MOST_ROWS);
        for row in part.iter().step_by(thin) {
            let way = norm([row.at[0] - first.at[0], row.at[1] - first.at[1]]);
            if way_m.last().is_none_or(|before| way > *before) {
                way_m.push(way);
                speed_m_s.push(row.speed());
            }
        }
        Ok(Self { file: table.file.clone(), digest: table.digest.clone(), way_m, speed_m_s })
    }
}

/// The rows in which the ball is seen; rows of zeros are none.
fn rows(table: &Table, columns: &Columns) -> Result<Vec<Row>, LogError> {
    let (x, y) = (columns.need(Role::X, table)?, columns.need(Role::Y, table)?);
    let time = columns.find(Role::Time, table)?;
    let velocity = columns.find(Role::VelocityX, table)?.zip(columns.find(Role::VelocityY, table)?);
    if velocity.is_none() && time.is_none() {
        return Err(LogError::new(
            "program/log-no-column",
            &table.file,
            Some(1),
            "no columns say how fast the ball is",
        )
        .got(format!("the columns {}", table.names.join(", ")))
        .allowed("velocity_x and velocity_y (vx, vy), or a clock (time, t, timestamp)")
        .hint("say which ones: --columns velocity_x=COLUMN,velocity_y=COLUMN or --columns time=COLUMN"));
    }
    let (mut rows, mut times): (Vec<Row>, Vec<f64>) = (Vec::new(), Vec::new());
    for row in 0..table.rows() {
        let number = |(column, factor): (usize, f64)| table.number(row, column, factor);
        let at = [number(x)?, number(y)?];
        let velocity = velocity.map(|(vx, vy)| Ok::<_, LogError>([number(vx)?, number(vy)?])).transpose()?;
        let now = time.map(number).transpose()?;
        if let Some(now) = now {
            if let Some(before) = times.last().filter(|before| now < **before) {
                let line = Some(table.line(row));
                return Err(LogError::new(
                    "program/log-time-backwards",
                    &table.file,
                    line,
                    "time runs backwards",
                )
                .got(format!("{now} s after {before} s"))
                .allowed("times that grow from row to row")
                .hint("sort the rows by time, or give each kick as a log of its own"));
            }
            if times.last() == Some(&now) {
                continue;
            }
            times.push(now);
        }
        let is_seen = at != [0.0; 2] || velocity.is_some_and(|velocity| velocity != [0.0; 2]);
        if is_seen {
            rows.push(Row { row, secs: now, at, velocity: velocity.unwrap_or_default(), is_placed: false });
        } else if time.is_some() {
            times.pop();
        }
    }
    drop_ghosts(&mut rows);
    if velocity.is_none() {
        let times: Vec<f64> = rows.iter().filter_map(|row| row.secs).collect();
        for (row, velocity) in differences(&rows, &times).into_iter().enumerate() {
            rows[row].velocity = velocity;
        }
    }
    rows.iter_mut().for_each(|row| row.is_placed = row.speed() > FASTEST_M_S);
    Ok(rows)
}

/// Drops a camera's ghosts: in a few images the ball is seen elsewhere, farther from where it is before and after than these are
/// from each other.
fn drop_ghosts(rows: &mut Vec<Row>) {
    let apart_m = |a: &Row, b: &Row| norm([b.at[0] - a.at[0], b.at[1] - a.at[1]]);
    let ghosts = |before: &Row, next: &[Row]| {
        let are_ghosts = |ghosts: &usize| {
            next.get(*ghosts).is_some_and(|after| {
                let near_m = apart_m(before, after).max(GHOST_M);
                let is_far = |row: &Row| apart_m(before, row) > near_m && apart_m(row, after) > near_m;
                next[..*ghosts].iter().all(is_far)
            })
        };
        (1..=MOST_GHOSTS).find(are_ghosts).unwrap_or(0)
    };
    let (mut is_ghost, mut row) = (vec![false; rows.len()], 0);
    while row + 1 < rows.len() {
        let found = ghosts(&rows[row], &rows[row + 1..]);
        is_ghost[row + 1..=row + found].fill(true);
        row += found + 1;
    }
    let mut is_ghost = is_ghost.into_iter();
    rows.retain(|_| !is_ghost.next().unwrap_or(false));
}

/// Speeds in metres a second, but places in millimetres, or the other way round: then way and speeds do not belong together.
fn refuse_other_units(table: &Table, columns: &Columns, part: &[Row], length_m: f64) -> Result<(), LogError> {
    let used = |roles: [Role; 2]| -> Result<Vec<Used>, LogError> {
        roles.into_iter().map(|role| Ok((role, columns.need(role, table)?))).collect()
    };
    let places = || used([Role::X, Role::Y]);
    if length_m > LONGEST_M {
        return Err(no_metres(table, &places()?, format!("a way of {length_m:.1} m"))
            .allowed(format!("at most {LONGEST_M} m")));
    }
    // Speeds that were worked out from the places belong to them.
    if columns.find(Role::VelocityX, table)?.zip(columns.find(Role::VelocityY, table)?).is_none() {
        return Ok(());
    }
    let steps = (part.len() - 1) as f64;
    let mean_m_s = part.windows(2).map(|two| 0.5 * (two[0].speed() + two[1].speed())).sum::<f64>() / steps;
    let says = format!("a way of {length_m:.2} m at {mean_m_s:.2} m/s, in {} rows", part.len());
    let secs = part[part.len() - 1].secs.zip(part[0].secs).map(|(last, first)| last - first);
    let rows = FASTEST_ROWS_SECS..=SLOWEST_ROWS_SECS;
    // A clock that does not count seconds is none: nothing else is taken from it.
    let Some(secs) = secs.filter(|secs| rows.contains(&(secs / steps))) else {
        let apart = length_m / mean_m_s / steps;
        if apart <= SLOWEST_ROWS_SECS {
            return Ok(());
        }
        return Err(no_metres(table, &places()?, format!("{says}, which are {apart:.1} s apart then"))
            .allowed(format!("rows that are at most {SLOWEST_ROWS_SECS} s apart")));
    };
    let apart = length_m / (mean_m_s * secs);
    let wrong = if apart > MOST_APART {
        places()?
    } else if apart < 1.0 / MOST_APART {
        used([Role::VelocityX, Role::VelocityY])?
    } else {
        return Ok(());
    };
    Err(no_metres(table, &wrong, format!("{says} and {secs:.2} s"))
        .allowed(format!("a way of {:.2} m, or up to {MOST_APART} times more or less", mean_m_s * secs)))
}

/// Velocities from the places two rows before and after.
fn differences(rows: &[Row], times: &[f64]) -> Vec<[f64; 2]> {
    let last = rows.len().saturating_sub(1);
    let velocity = |row: usize| {
        let (a, b) = (row.saturating_sub(2), (row + 2).min(last));
        let secs = times[b] - times[a];
        let along = |axis: usize| if secs > 0.0 { (rows[b].at[axis] - rows[a].at[axis]) / secs } else { 0.0 };
        [along(0), along(1)]
    };
    (0..rows.len()).map(velocity).collect()
}

/// The fastest kick, or what is most like one. A ball that is placed seems to be fast for a few rows, before and after which it
/// is not: so peaks are tried in turn, and no kick goes on over what was none.
fn find(rows: &mut [Row]) -> Part {
    let mut peaks: Vec<usize> = (0..rows.len()).filter(|row| !rows[*row].is_placed).collect();
    // Of those that are equally fast the first.
    peaks.sort_by(|a, b| rows[*b].speed().total_cmp(&rows[*a].speed()));
    // Each row is looked at once, or twice, however many peaks there are.
    let mut is_tried = vec![false; rows.len()];
    let mut best = Part::default();
    for peak in peaks {
        if is_tried[peak] {
            continue;
        }
        if is_spike(rows, peak) {
            // With the rows whose velocities the ghost is in; what is around these may still be a kick.
            for row in peak.saturating_sub(2)..(peak + 3).min(rows.len()) {
                (rows[row].is_placed, is_tried[row]) = (true, true);
            }
            continue;
        }
        let (part, end) = cut(rows, peak);
        if part.is_kick() {
            return part;
        }
        let (range, fastest_m_s) = (part.rows.clone(), part.fastest_m_s);
        rows[range.clone()].iter_mut().for_each(|row| row.is_placed = true);
        is_tried[range.start..end.max(range.end)].fill(true);
        if range.len() > best.rows.len() {
            best = part;
        }
        if fastest_m_s < SLOWEST_KICK_M_S {
            break;
        }
    }
    best
}

/// Whether this is a ghost that is still there, near the ball for how far that rolls from image to image: fast in an
/// image or two only, and not where the ball goes around these, or back again.
fn is_spike(rows: &[Row], peak: usize) -> bool {
    let (first, end) = (peak.saturating_sub(AROUND), (peak + AROUND + 1).min(rows.len()));
    let usual_m_s = |rows: &[Row]| {
        let mut speeds: Vec<f64> = rows.iter().map(Row::speed).collect();
        speeds.sort_by(f64::total_cmp);
        speeds.get(speeds.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
    };
    let velocity = rows[peak].velocity;
    let speed = norm(velocity);
    // A kick's first row is fast as those after it, its last one as those before.
    if speed <= SPIKE * usual_m_s(&rows[first..peak]).max(usual_m_s(&rows[peak + 1..end])) {
        return false;
    }
    let way = |from: &Row, to: &Row| [to.at[0] - from.at[0], to.at[1] - from.at[1]];
    let along = |[x, y]: [f64; 2]| (x * velocity[0] + y * velocity[1]) / speed;
    let chord = way(&rows[first], &rows[end - 1]);
    let comes_back = rows[first..end].windows(2).any(|two| along(way(&two[0], &two[1])) < -BACK_M);
    comes_back || along(chord) < SAME_WAY * norm(chord)
}

/// The part from the kick until the ball rests, meets something or is placed elsewhere, and the row of that.
fn cut(rows: &[Row], peak: usize) -> (Part, usize) {
    let top = &rows[peak];
    let direction = top.velocity.map(|part| part / top.speed());
    let along = |[x, y]: [f64; 2]| x * direction[0] + y * direction[1];
    let place = |row: &Row| {
        let [x, y] = [row.at[0] - top.at[0], row.at[1] - top.at[1]];
        [along([x, y]), y * direction[0] - x * direction[1]]
    };
    let slow_m_s = (BEGINS_AT * top.speed()).max(SLOWEST_M_S);
    // A ball that came from where it goes was not kicked yet.
    let is_before = |row: &Row| row.speed() < slow_m_s || row.is_placed || along(row.velocity) < 0.0;
    let first = rows[..peak].iter().rposition(is_before).map_or(0, |row| row + 1);
    let (mut farthest_m, mut end, mut met) = (0.0f64, rows.len(), false);
    for (index, row) in rows.iter().enumerate().skip(peak) {
        if row.is_placed {
            end = index;
            break;
        }
        let [along, off] = place(row);
        farthest_m = farthest_m.max(along);
        met = along < farthest_m - BACK_M || off.abs() > OFF_LINE_M;
        if met || row.speed() < SLOWEST_M_S {
            end = index;
            break;
        }
    }
    let seen = end;
    if met {
        let is_before = |row: &Row| place(row)[0] < farthest_m - MET_M;
        end = peak + rows[peak..end].iter().take_while(|row| is_before(row)).count();
    }
    let range = first..end.max(peak + 1);
    let (first, last) = (&rows[range.start], &rows[range.end - 1]);
    let length_m = norm([last.at[0] - first.at[0], last.at[1] - first.at[1]]);
    (Part { rows: range, length_m, fastest_m_s: top.speed() }, seen)
}
