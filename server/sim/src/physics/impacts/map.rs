//! Which fixtures are around a place: a map of square cells, each with the list of what somebody in it may meet.

use super::super::shape::Vec2;

/// How far somebody in a cell may reach that asks its list, metres: a robot and its way of a step. Who reaches farther asks all.
const REACH_M: f64 = 0.6;
/// The least side of a cell, metres.
const LEAST_CELL_M: f64 = 0.5;
/// At most so many cells along either side of the map.
const MOST_CELLS: usize = 64;

/// Grid that finds the fixtures near a place.
pub struct Map {
    low: Vec2,
    cells_per_m: Vec2,
    /// How many along x and y.
    counts: Vec2,
    columns: usize,
    /// The end of each cell's list, row by row; it begins where the one before ends, and the first behind the list of all.
    ends: Vec<u32>,
    /// The list of all, then those of the cells, each in the order of the fixtures.
    places: Vec<u32>,
    /// How many fixtures there are.
    all: usize,
}

impl Map {
    pub fn new(bounds: &[[Vec2; 2]]) -> Self {
        let all = bounds.len();
        let mut places: Vec<u32> = (0..all as u32).collect();
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for axis in 0..2 {
            low[axis] = bounds.iter().map(|bounds| bounds[0][axis]).fold(low[axis], f64::min);
            high[axis] = bounds.iter().map(|bounds| bounds[1][axis]).fold(high[axis], f64::max);
        }
        let count = |axis: usize| {
            let cells = ((high[axis] - low[axis]) / LEAST_CELL_M).floor();
            // Without fixtures there is no map.
            if cells.is_finite() { (cells as usize).clamp(1, MOST_CELLS) } else { 0 }
        };
        let counts = [count(0), count(1)];
        let side = |axis: usize| (high[axis] - low[axis]) / counts[axis] as f64;
        let mut ends = Vec::with_capacity(counts[0] * counts[1]);
        for row in 0..counts[1] {
            for column in 0..counts[0] {
                let reaches = |axis: usize, cell: usize, bounds: &[Vec2; 2]| {
                    let from = low[axis] + side(axis) * cell as f64;
                    // A hundredth more, for rounding.
                    let reach_m = REACH_M + 0.01;
                    bounds[0][axis] <= from + side(axis) + reach_m && bounds[1][axis] >= from - reach_m
                };
                let near = |bounds: &[Vec2; 2]| reaches(0, column, bounds) && reaches(1, row, bounds);
                places.extend((0..).zip(bounds).filter(|(_, bounds)| near(bounds)).map(|(place, _)| place));
                ends.push(places.len() as u32);
            }
        }
        let cells_per_m = [1.0 / side(0), 1.0 / side(1)];
        Self {
            low,
            cells_per_m,
            counts: counts.map(|count| count as f64),
            columns: counts[0],
            ends,
            places,
            all,
        }
    }

    /// The places of all that a disc of this radius may meet, and of some others, in their order.
    #[inline]
    pub fn around(&self, place: Vec2, radius_m: f64) -> &[u32] {
        // Below 0 becomes 0, and would be a cell: nobody outside of the map is in one.
        let cell = |axis: usize| {
            let along = (place[axis] - self.low[axis]) * self.cells_per_m[axis];
            // By way of a narrow integer, which is quicker.
            (along >= 0.0 && along < self.counts[axis]).then_some(along as i32 as usize)
        };
        match (cell(0), cell(1)) {
            (Some(column), Some(row)) if radius_m <= REACH_M => {
                let cell = row * self.columns + column;
                let begin = if cell == 0 { self.all } else { self.ends[cell - 1] as usize };
                &self.places[begin..self.ends[cell] as usize]
            }
            _ => &self.places[..self.all],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxes() -> impl Strategy<Value = Vec<[Vec2; 2]>> {
        let one = (-20.0..20.0, -20.0..20.0, 0.0..8.0, 0.0..8.0);
        let one = one.prop_map(|(x, y, length, width)| [[x, y], [x + length, y + width]]);
        proptest::collection::vec(one, 0..12)
    }

    proptest! {
        /// What a disc may meet is in its cell's list, in the order of the fixtures, wherever it is.
        #[test]
        fn nobody_near_is_left_out(bounds in boxes(), x in -25.0..25.0, y in -25.0..25.0, radius_m in 0.0..0.8) {
            let map = Map::new(&bounds);
            let around = map.around([x, y], radius_m);
            prop_assert!(around.is_sorted());
            for (place, [low, high]) in (0..).zip(&bounds) {
                let meets = x + radius_m >= low[0]
                    && x - radius_m <= high[0]
                    && y + radius_m >= low[1]
                    && y - radius_m <= high[1];
                prop_assert!(!meets || around.contains(&place), "{place} of {bounds:?} is missing");
            }
        }
    }

    /// In the middle of a field nobody is asked for.
    #[test]
    fn the_middle_of_a_field_is_free() {
        let board = |x: f64, y: f64, length: f64, width: f64| {
            [[x - length / 2.0, y - width / 2.0], [x + length / 2.0, y + width / 2.0]]
        };
        let boards = [board(6.0, 0.0, 0.1, 6.0), board(-6.0, 0.0, 0.1, 6.0), board(0.0, 3.0, 12.0, 0.1)];
        let map = Map::new(&boards);
        assert_eq!(map.around([0.0, 0.0], 0.5), [0_u32; 0]);
        assert_eq!(map.around([5.8, 0.0], 0.5), [0]);
        assert_eq!(map.around([0.0, 0.0], 1.0), [0, 1, 2]);
    }
}
