//! The poses at which is looked, and which of them is nearest.

use crate::localisation::Area;
use serde::{Deserialize, Serialize};
use touchline_plugin_api::geometry::{Pose2, wrap_angle};

/// The poses at which is looked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// The part of the plane that it covers.
    pub area: Area,
    /// The distance of two neighbours, metres.
    pub cell_m: f64,
    /// How many headings there are at each place.
    pub headings: u32,
}

impl Grid {
    /// How many places there are along x and y.
    pub fn places(&self) -> [usize; 2] {
        [0, 1].map(|axis| {
            let cells = (self.area.high[axis] - self.area.low[axis]) / self.cell_m;
            // A table of this size is a mistake; it is refused where the table is made.
            (cells.ceil().clamp(1.0, 1e6) as usize).max(1)
        })
    }

    /// How many poses there are.
    pub fn len(&self) -> usize {
        let [x, y] = self.places();
        x.saturating_mul(y).saturating_mul(self.headings as usize)
    }

    /// Whether the grid has no cell.
    pub fn is_empty(&self) -> bool {
        self.headings == 0
    }

    /// The middle of a cell; cells are numbered by heading first, then x, then y.
    pub fn pose(&self, cell: usize) -> Pose2 {
        let headings = self.headings as usize;
        let (place, heading) = (cell / headings, cell % headings);
        let [columns, _] = self.places();
        let at = |index: usize, axis: usize| self.area.low[axis] + (index as f64 + 0.5) * self.cell_m;
        let step_rad = std::f64::consts::TAU / f64::from(self.headings);
        Pose2::new(at(place % columns, 0), at(place / columns, 1), heading as f64 * step_rad)
    }

    /// The cell in which a pose lies; `None` outside.
    pub fn cell_of(&self, pose: Pose2) -> Option<usize> {
        let [columns, rows] = self.places();
        let at = |metres: f64, axis: usize| (metres - self.area.low[axis]) / self.cell_m;
        let (x, y) = (at(pose.x_m, 0), at(pose.y_m, 1));
        if !(x >= 0.0 && y >= 0.0 && x < columns as f64 && y < rows as f64) || self.headings == 0 {
            return None;
        }
        let turn = wrap_angle(pose.theta_rad) / std::f64::consts::TAU * f64::from(self.headings);
        let heading = (turn + 0.5).floor().rem_euclid(f64::from(self.headings)) as usize;
        Some((y as usize * columns + x as usize) * self.headings as usize + heading)
    }
}
