//! A log of a robot at work, as the trainer wants it: settings and velocities in cycles of one length.

use crate::columns::{Columns, Role};
use crate::error::LogError;
use crate::series::{Series, Track, twist_between};
use crate::table::Table;
use crate::units;
use touchline_skills::learned::{Axis, MAX_AXES};

/// A file with commands, and if it has none itself, another one with what the robot did.
#[derive(Clone, Debug)]
pub struct Source {
    /// Commands, and mostly the rest too.
    pub log: Table,
    /// Where the robot really was, if that is a file of its own.
    pub truth: Option<Table>,
}

/// Settings and velocities of an uninterrupted time, cycle by cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// The setting that held when the cycle began.
    pub commands: Vec<[f64; MAX_AXES]>,
    /// The mean velocity over the cycle, in the body frame.
    pub velocities: Vec<[f64; MAX_AXES]>,
    /// The first cycles that are known already, and are not foreseen.
    pub lead: usize,
}

/// Takes a row into a slow average.
pub fn add_to_slow(average: &mut [f64; MAX_AXES], row: &[f64; MAX_AXES], rate: f64) {
    average.iter_mut().zip(row).for_each(|(average, row)| *average += (row - *average) * rate);
}

impl Piece {
    /// The cycles that can be foreseen by somebody who has to know the `memory` cycles before.
    pub fn foreseen(&self, memory: usize) -> std::ops::Range<usize> {
        memory.max(self.lead)..self.len()
    }

    /// How many cycles it has.
    pub fn len(&self) -> usize {
        self.velocities.len()
    }

    /// Whether the piece has no cycles.
    pub fn is_empty(&self) -> bool {
        self.velocities.is_empty()
    }
}

/// A log, read and checked, not yet cut into cycles.
#[derive(Clone, Debug)]
pub struct Log {
    /// The file with the commands.
    pub file: String,
    /// The axes that have both a command and a measurement.
    pub axes: Vec<Axis>,
    /// Which columns were used, for people.
    pub columns: Vec<String>,
    /// The digest of each file.
    pub digests: Vec<String>,
    commands: Series,
    track: Track,
}

impl Log {
    /// Takes the columns that are needed from a source.
    ///
    /// # Errors
    /// When a column is missing or a number in it is wrong.
    pub fn read(source: &Source, columns: &Columns) -> Result<Self, LogError> {
        let table = &source.log;
        let mut used = vec![describe(table, Role::Time, columns.need(Role::Time, table)?)];
        let mut commands = Vec::new();
        for (axis, role) in
            Axis::ALL.into_iter().zip([Role::CommandForward, Role::CommandLeft, Role::CommandTurn])
        {
            let found = columns.find(role, table)?;
            commands.extend(found.map(|column| (axis, role, column)));
        }
        if commands.is_empty() {
            columns.need(Role::CommandForward, table)?;
        }
        let (axes, track) =
            track(source, columns, &commands.iter().map(|c| c.0).collect::<Vec<_>>(), &mut used)?;
        commands.retain(|(axis, ..)| axes.contains(axis));
        used.extend(commands.iter().map(|&(_, role, column)| describe(table, role, column)));
        let wanted: Vec<_> = commands.iter().map(|&(_, _, column)| column).collect();
        let commands = Series::read(table, columns, &wanted)?;
        for (index, axis) in axes.iter().enumerate() {
            let first = commands.rows[0][index];
            if commands.rows.iter().all(|row| row[index] == first) {
                let what =
                    format!("the {} command never changes: nothing can be learned from it", axis.as_str());
                return Err(LogError::new("program/log-too-short", &table.file, None, what)
                    .got(format!("{first} in all {} rows", commands.rows.len()))
                    .allowed("a command that takes several values")
                    .hint(
                        "record a log in which the robot starts, stops and turns; see docs/learned-motion.md",
                    ));
            }
        }
        let digests = [Some(table), source.truth.as_ref()].into_iter().flatten();
        let digests = digests.map(|table| table.digest.clone()).collect();
        Ok(Self { file: table.file.clone(), axes, columns: used, digests, commands, track })
    }

    /// The usual interval of the measurement, seconds.
    pub fn interval_secs(&self) -> f64 {
        self.track.interval_secs()
    }

    /// Cuts it into cycles: what begins before `1 - test` of the time, and the rest, with up to `lead` cycles before it.
    pub fn cut(&self, dt_secs: f64, test: f64, lead: usize) -> Cut {
        let fastest = |axes: &[Axis]| {
            let of_axes = self.axes.iter().enumerate().filter(|(_, axis)| axes.contains(axis));
            let commands = of_axes.flat_map(|(i, _)| self.commands.rows.iter().map(move |row| row[i].abs()));
            commands.fold(0.0, f64::max)
        };
        let fastest = [
            2.0 * fastest(&[Axis::Forward, Axis::Left]) + 0.3,
            // A robot may turn faster than it was told, and SLAM corrects headings in small steps.
            2.0 * fastest(&[Axis::Turn]) + 1.0,
        ];
        let spans = self.track.spans(fastest);
        let first = self.commands.times[0].max(spans.spans[0][0]);
        let last =
            self.commands.times[self.commands.times.len() - 1].min(spans.spans[spans.spans.len() - 1][1]);
        let border = first + (1.0 - test) * (last - first);
        let mut cut = Cut { train: Vec::new(), test: Vec::new(), gaps: spans.gaps, jumps: spans.jumps };
        for [start, end] in spans.spans {
            let (start, end) = (start.max(first), end.min(last));
            if start < border {
                cut.train.push(self.piece(start, end.min(border), dt_secs));
            }
            if end > border {
                // A test may know what was before it.
                let lead = ((border - start) / dt_secs).clamp(0.0, lead as f64).floor();
                let mut piece = self.piece(start.max(border) - lead * dt_secs, end, dt_secs);
                piece.lead = lead as usize;
                cut.test.push(piece);
            }
        }
        cut
    }

    /// The cycles of an uninterrupted time.
    fn piece(&self, start: f64, end: f64, dt_secs: f64) -> Piece {
        let mut piece = Piece::default();
        let cycles = ((end - start) / dt_secs).floor().max(0.0) as usize;
        for cycle in 0..cycles {
            let (from, to) = (start + cycle as f64 * dt_secs, start + (cycle + 1) as f64 * dt_secs);
            // A row that is a rounding error late is not late.
            let Some(held) = self.commands.held(from + 1e-6) else { continue };
            let mut command = [0.0; MAX_AXES];
            command[..held.len()].copy_from_slice(held);
            let mut velocity = [0.0; MAX_AXES];
            match &self.track {
                Track::Ways(_) => {
                    for ((velocity, a), b) in
                        velocity.iter_mut().zip(self.track.at(from)).zip(self.track.at(to))
                    {
                        *velocity = (b - a) / dt_secs;
                    }
                }
                Track::Poses(_) => {
                    let twist = twist_between(self.track.pose_at(from), self.track.pose_at(to), dt_secs);
                    let body = [twist.x_m_s, twist.y_m_s, twist.turn_rad_s];
                    for (velocity, axis) in velocity.iter_mut().zip(&self.axes) {
                        *velocity = body[*axis as usize];
                    }
                }
            }
            piece.commands.push(command);
            piece.velocities.push(velocity);
        }
        piece
    }
}

/// A log resampled into cycles, divided into training and test parts.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// Pieces to learn from.
    pub train: Vec<Piece>,
    /// Later, and never learned from.
    pub test: Vec<Piece>,
    /// Interruptions: rows too far apart in time.
    pub gaps: usize,
    /// Interruptions: rows too far apart in place.
    pub jumps: usize,
}

fn describe(table: &Table, role: Role, (column, factor): (usize, f64)) -> String {
    let factor = if factor == 1.0 { String::new() } else { format!("*{factor}") };
    format!("{}={}{factor}", role.as_str(), table.names[column])
}

/// What the robot did: true velocities, else true poses, else a position on a line, else odometry.
fn track(
    source: &Source,
    columns: &Columns,
    commanded: &[Axis],
    used: &mut Vec<String>,
) -> Result<(Vec<Axis>, Track), LogError> {
    let table = source.truth.as_ref().unwrap_or(&source.log);
    let velocities = [Role::VelocityForward, Role::VelocityLeft, Role::VelocityTurn];
    let mut found = Vec::new();
    for axis in commanded {
        let role = velocities[*axis as usize];
        found.extend(columns.find(role, table)?.map(|column| (*axis, role, column)));
    }
    if !found.is_empty() {
        used.extend(found.iter().map(|&(_, role, column)| describe(table, role, column)));
        let series = Series::read(table, columns, &found.iter().map(|f| f.2).collect::<Vec<_>>())?;
        let measured: Vec<_> = found.iter().map(|&(_, role, column)| (role, column)).collect();
        units::refuse_velocities(table, &series, &measured)?;
        return Ok((found.iter().map(|f| f.0).collect(), Track::of_velocities(series)));
    }
    for roles in [[Role::X, Role::Y, Role::Theta], [Role::OdometryX, Role::OdometryY, Role::OdometryTheta]] {
        if let Some(wanted) = pose_columns(table, columns, roles)? {
            used.extend(roles.into_iter().zip(&wanted).map(|(role, column)| describe(table, role, *column)));
            return Ok((commanded.to_vec(), pose_track(table, columns, roles, wanted)?));
        }
    }
    let position = columns.find(Role::Position, table)?;
    if let (Some(column), true) = (position, commanded.contains(&Axis::Forward)) {
        used.push(describe(table, Role::Position, column));
        let series = Series::read(table, columns, &[column])?;
        units::refuse_way(table, &series, (Role::Position, column))?;
        return Ok((vec![Axis::Forward], Track::Ways(series)));
    }
    let what = "no column says where the robot was or how fast it went";
    Err(LogError::new("program/log-no-column", &table.file, Some(1), what)
        .got(format!("the columns {}", table.names.join(", ")))
        .allowed("velocity_forward (and _left, _turn), or x, y and theta, or position, or odometry_x, _y and _theta")
        .hint("say which they are: --columns x=COLUMN,y=COLUMN,theta=COLUMN; or give a file with them: --truth FILE"))
}

/// The three columns of a pose; all or none.
///
/// # Errors
/// When some are there and others not.
pub fn pose_columns(
    table: &Table,
    columns: &Columns,
    roles: [Role; 3],
) -> Result<Option<[(usize, f64); 3]>, LogError> {
    let found = roles.map(|role| columns.find(role, table));
    let [a, b, c] = found;
    if let (None, None, None) = (a?, b?, c?) {
        return Ok(None);
    }
    let [a, b, c] = roles.map(|role| columns.need(role, table));
    Ok(Some([a?, b?, c?]))
}

/// The poses of three columns, in metres and radians.
///
/// # Errors
/// When a number in them is wrong, or they are in other units.
pub(crate) fn pose_track(
    table: &Table,
    columns: &Columns,
    roles: [Role; 3],
    wanted: [(usize, f64); 3],
) -> Result<Track, LogError> {
    let series = Series::read(table, columns, &wanted)?;
    let [a, b, c] = wanted;
    units::refuse_poses(table, &series, [(roles[0], a), (roles[1], b), (roles[2], c)])?;
    Ok(Track::poses(series))
}
