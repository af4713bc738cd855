//! Which column of a log is what: said by the user, or recognised by its name.

use crate::error::LogError;
use crate::table::Table;
use std::collections::BTreeMap;

/// What a column can be. The order is that of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "Role::meaning says it")]
pub enum Role {
    Time,
    CommandForward,
    CommandLeft,
    CommandTurn,
    Position,
    X,
    Y,
    Theta,
    VelocityForward,
    VelocityLeft,
    VelocityTurn,
    OdometryX,
    OdometryY,
    OdometryTheta,
    OdometryForward,
    OdometryLeft,
    OdometryTurn,
    VelocityX,
    VelocityY,
}

/// A role, its name on the command line, what it means, and the column names that are taken for it with their factor to SI.
type Row = (Role, &'static str, &'static str, &'static [(&'static str, f64)]);

const ROLES: [Row; 19] = [
    (
        Role::Time,
        "time",
        "seconds",
        &[
            ("time", 1.0),
            ("t", 1.0),
            ("time_s", 1.0),
            ("timestamp", 1.0),
            ("stamp", 1.0),
            ("time_ms", 1e-3),
            ("time_us", 1e-6),
            ("time_ns", 1e-9),
        ],
    ),
    (
        Role::CommandForward,
        "command_forward",
        "the velocity setting forward, m/s",
        &[
            ("command_forward", 1.0),
            ("velocity_command", 1.0),
            ("cmd_v", 1.0),
            ("cmd_vx", 1.0),
            ("cmd_vel_x", 1.0),
            ("cmd_vel_linear_x", 1.0),
            ("forward_velocity", 1.0),
        ],
    ),
    (
        Role::CommandLeft,
        "command_left",
        "the velocity setting to the left, m/s",
        &[("command_left", 1.0), ("cmd_vy", 1.0), ("cmd_vel_y", 1.0), ("cmd_vel_linear_y", 1.0)],
    ),
    (
        Role::CommandTurn,
        "command_turn",
        "the turning velocity setting, rad/s",
        &[
            ("command_turn", 1.0),
            ("rotation_command", 1.0),
            ("cmd_w", 1.0),
            ("cmd_vel_theta", 1.0),
            ("cmd_vel_angular_z", 1.0),
            ("angular_velocity", 1.0),
        ],
    ),
    (
        Role::Position,
        "position",
        "the true position along the way forward, m",
        &[("position", 1.0), ("range", 1.0), ("distance", 1.0)],
    ),
    (
        Role::X,
        "x",
        "the true position, m",
        &[
            ("x", 1.0),
            ("x_m", 1.0),
            ("true_x", 1.0),
            ("truth_x", 1.0),
            ("map_x", 1.0),
            ("ground_truth_x", 1.0),
            ("position_x", 1.0),
            ("ball_x", 1.0),
        ],
    ),
    (
        Role::Y,
        "y",
        "the true position, m",
        &[
            ("y", 1.0),
            ("y_m", 1.0),
            ("true_y", 1.0),
            ("truth_y", 1.0),
            ("map_y", 1.0),
            ("ground_truth_y", 1.0),
            ("position_y", 1.0),
            ("ball_y", 1.0),
        ],
    ),
    (
        Role::Theta,
        "theta",
        "the true heading, rad",
        &[
            ("theta", 1.0),
            ("theta_rad", 1.0),
            ("true_theta", 1.0),
            ("truth_theta", 1.0),
            ("map_theta", 1.0),
            ("orientation", 1.0),
            ("yaw", 1.0),
        ],
    ),
    (
        Role::VelocityForward,
        "velocity_forward",
        "the true velocity forward, m/s",
        &[("velocity_forward", 1.0), ("v", 1.0), ("vx", 1.0), ("velocity_x", 1.0)],
    ),
    (
        Role::VelocityLeft,
        "velocity_left",
        "the true velocity to the left, m/s",
        &[("velocity_left", 1.0), ("vy", 1.0), ("velocity_y", 1.0)],
    ),
    (
        Role::VelocityTurn,
        "velocity_turn",
        "the true turning velocity, rad/s",
        &[("velocity_turn", 1.0), ("w", 1.0), ("omega", 1.0)],
    ),
    (Role::OdometryX, "odometry_x", "the position by odometry, m", &[("odometry_x", 1.0), ("odom_x", 1.0)]),
    (Role::OdometryY, "odometry_y", "the position by odometry, m", &[("odometry_y", 1.0), ("odom_y", 1.0)]),
    (
        Role::OdometryTheta,
        "odometry_theta",
        "the heading by odometry, rad",
        &[("odometry_theta", 1.0), ("odom_theta", 1.0)],
    ),
    (
        Role::OdometryForward,
        "odometry_forward",
        "the velocity forward by odometry, m/s",
        &[("odometry_forward", 1.0), ("odom_v", 1.0), ("forward_velocity", 1.0)],
    ),
    (
        Role::OdometryLeft,
        "odometry_left",
        "the velocity to the left by odometry, m/s",
        &[("odometry_left", 1.0), ("odom_vy", 1.0)],
    ),
    (
        Role::OdometryTurn,
        "odometry_turn",
        "the turning velocity by odometry, rad/s",
        &[("odometry_turn", 1.0), ("odom_w", 1.0), ("angular_velocity", 1.0)],
    ),
    (
        Role::VelocityX,
        "velocity_x",
        "a ball's velocity along the world's x, m/s",
        &[("velocity_x", 1.0), ("vx", 1.0), ("vel_x", 1.0), ("ball_vx", 1.0)],
    ),
    (
        Role::VelocityY,
        "velocity_y",
        "a ball's velocity along the world's y, m/s",
        &[("velocity_y", 1.0), ("vy", 1.0), ("vel_y", 1.0), ("ball_vy", 1.0)],
    ),
];

impl Role {
    fn row(self) -> &'static Row {
        // The table is in the order of the enum.
        &ROLES[self as usize]
    }

    /// Its name on the command line.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// What it means, with its unit.
    pub fn meaning(self) -> &'static str {
        self.row().2
    }
}

/// What the user said about the columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns(BTreeMap<Role, (String, f64)>);

impl Columns {
    /// Reads `role=column`, `role=column*factor`, parted by commas.
    ///
    /// # Errors
    /// What is wrong with it, for a person.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut columns = BTreeMap::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let roles = || ROLES.map(|row| row.1).join(", ");
            let (role, column) = part.split_once('=').ok_or_else(|| {
                format!("\"{part}\" is not ROLE=COLUMN or ROLE=COLUMN*FACTOR; roles are {}", roles())
            })?;
            let found = ROLES.iter().find(|row| row.1 == role.trim());
            let role = found.ok_or_else(|| format!("no role \"{}\"; roles are {}", role.trim(), roles()))?.0;
            // A name may have a star in it: only a number behind the last one is a factor.
            let scaled = column.rsplit_once('*').and_then(|(name, factor)| {
                let factor = factor.trim().parse::<f64>().ok()?;
                (factor.is_finite() && factor != 0.0).then_some((name, factor))
            });
            let (name, factor) = scaled.unwrap_or((column, 1.0));
            if columns.insert(role, (name.trim().to_owned(), factor)).is_some() {
                return Err(format!("{} is given twice", role.as_str()));
            }
        }
        Ok(Self(columns))
    }

    /// Adds what the other one says; it wins.
    pub fn merged(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The column that plays this role, and its factor to SI units.
    ///
    /// # Errors
    /// When the user named a column that the log does not have.
    pub fn find(&self, role: Role, table: &Table) -> Result<Option<(usize, f64)>, LogError> {
        if let Some((name, factor)) = self.0.get(&role) {
            let exact = table.names.iter().position(|column| column == name);
            let by_number = || name.parse::<usize>().ok().filter(|n| (1..=table.names.len()).contains(n));
            return match exact.or_else(|| by_number().map(|n| n - 1)) {
                Some(column) => Ok(Some((column, *factor))),
                None => Err(missing(table, format!("there is no column \"{name}\""))
                    .allowed(format!("--columns {}=COLUMN with one of these", role.as_str()))
                    .hint(format!(
                        "mind the spelling, or give its number, from 1: --columns {}=2",
                        role.as_str()
                    ))),
            };
        }
        let known = role.row().3.iter();
        let mut found = known.filter_map(|(known, factor)| {
            let column = table.names.iter().position(|name| plain(name) == *known)?;
            Some((column, *factor))
        });
        Ok(found.next())
    }

    /// The column that plays this role.
    ///
    /// # Errors
    /// When there is none.
    pub fn need(&self, role: Role, table: &Table) -> Result<(usize, f64), LogError> {
        self.find(role, table)?.ok_or_else(|| {
            let names: Vec<&str> = role.row().3.iter().map(|(name, _)| *name).collect();
            missing(table, format!("no column is the {}", role.as_str().replace('_', " ")))
                .allowed(format!("{}: a column named {}", role.meaning(), names.join(", ")))
                .hint(format!("say which one it is: --columns {}=COLUMN", role.as_str()))
        })
    }
}

fn missing(table: &Table, what: String) -> LogError {
    LogError::new("program/log-no-column", &table.file, Some(1), what)
        .got(format!("the columns {}", table.names.join(", ")))
}

/// A name without case, blanks and signs.
fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}
