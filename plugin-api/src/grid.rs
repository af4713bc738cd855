//! Who is where: the objects of a large world by square cells, so that a sensor asks those near it and not all.
//!
//! The world lays a [`Grid`] when it has more objects than [`FEW`] and asks a sensor or a player; a smaller one is asked quicker without.
//! [`WorldView::near`](crate::view::WorldView::near) is the one way to ask, with a grid or without.
//!
//! # Invariants
//! - Whom a disc around a point may touch is found, once, whatever rounding does; others may be found as well.

use crate::view::Object;
use bytemuck::{Pod, Zeroable};

/// Up to so many objects, to ask each is about as quick as to lay a grid: of a hundred robots a tenth look round in a step.
pub const FEW: usize = 256;

/// Where the cells are.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct GridFrame {
    /// The corner of the first cell, metres.
    pub x_m: f64,
    /// As `x_m`.
    pub y_m: f64,
    /// The side of a cell, metres.
    pub cell_m: f64,
    /// No object in a cell has a larger radius, metres.
    pub radius_m: f64,
    /// How many cells there are along x.
    pub columns: u32,
    /// How many cells there are along y.
    pub rows: u32,
    /// So many objects, the first ones, are in no cell: the fixtures.
    pub first: u32,
    /// Padding; zero.
    pub reserved: u32,
}

/// Objects by the cells in which their origins are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid<'a> {
    /// Where the cells are; empty if there is no grid, otherwise one.
    pub frame: &'a [GridFrame],
    /// Where the list of each cell ends among all lists, row by row; then these lists, cell by cell: indices into
    /// [`WorldView::objects`](crate::view::WorldView::objects), ascending in each cell.
    pub cells: &'a [u32],
}

impl Grid<'static> {
    /// No grid: everybody is asked.
    pub const NONE: Self = Self { frame: &[], cells: &[] };
}

impl<'a> Grid<'a> {
    /// The objects of the cells that a disc around a point may reach, a row of cells at a time, and how many objects are in no
    /// cell; `None` without a grid.
    pub fn near(self, [x, y]: [f64; 2], reach_m: f64) -> Option<(u32, impl Iterator<Item = &'a [u32]>)> {
        let &GridFrame { x_m, y_m, cell_m, radius_m, columns, rows, first, .. } = self.frame.first()?;
        let (ends, lists) = self.cells.split_at_checked(columns as usize * rows as usize)?;
        // Far more than rounding makes of a distance.
        let far_m = (reach_m + radius_m) + 1e-9 * (reach_m + radius_m + x.abs() + y.abs());
        // The casts stop at zero and at the greatest number.
        let span = move |along: f64, corner: f64, count: u32| {
            let cell = |along: f64| (along - corner) / cell_m;
            cell(along - far_m) as usize..((cell(along + far_m) + 1.0) as usize).min(count as usize)
        };
        let across = span(x, x_m, columns);
        let rows = if across.is_empty() { 0..0 } else { span(y, y_m, rows) };
        let row_of = move |row: usize| {
            let cells = row * columns as usize + across.start..row * columns as usize + across.end;
            let begin = cells.start.checked_sub(1).map_or(0, |before| ends[before]);
            lists.get(begin as usize..ends[cells.end - 1] as usize).unwrap_or_default()
        };
        Some((first, rows.map(row_of)))
    }
}

/// The memory of a grid, which can be laid again.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    frame: GridFrame,
    cells: Vec<u32>,
}

impl Cells {
    /// Lays the grid of some discs, the first of which has the index `first`: their middles and radii, metres. About one disc comes to a
    /// cell if they are spread evenly, and a cell is never smaller than two discs. False if they have no size, or are nowhere.
    pub fn lay(&mut self, discs: impl Iterator<Item = ([f64; 2], f64)> + Clone, first: u32) -> bool {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let (mut radius_m, mut count) = (0.0_f64, 0_u32);
        for (place, disc_m) in discs.clone() {
            for axis in 0..2 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
            radius_m = radius_m.max(disc_m);
            count += 1;
        }
        let spread_m = (high[0] - low[0]).max(high[1] - low[1]);
        let cell_m = (2.001 * radius_m).max(spread_m / f64::from(count).sqrt());
        if !(cell_m > 0.0 && cell_m.is_finite()) {
            self.frame = GridFrame::default();
            return false;
        }
        let [columns, rows] = [0, 1].map(|axis| ((high[axis] - low[axis]) / cell_m) as u32 + 1);
        let [x_m, y_m] = low;
        self.frame = GridFrame { x_m, y_m, cell_m, radius_m, columns, rows, first, reserved: 0 };
        let cell_of = |[x, y]: [f64; 2]| {
            let (column, row) = (((x - x_m) / cell_m) as usize, ((y - y_m) / cell_m) as usize);
            row * columns as usize + column
        };
        let cells = columns as usize * rows as usize;
        self.cells.clear();
        self.cells.resize(cells + count as usize, 0);
        let (ends, lists) = self.cells.split_at_mut(cells);
        discs.clone().for_each(|(place, _)| ends[cell_of(place)] += 1);
        let mut begin = 0;
        for end in &mut *ends {
            (*end, begin) = (begin, begin + *end);
        }
        for (index, (place, _)) in (first..).zip(discs) {
            let next = &mut ends[cell_of(place)];
            lists[*next as usize] = index;
            *next += 1;
        }
        true
    }

    /// The same of all that moves in a world: its first object is the fixtures, which are in no cell.
    pub fn lay_objects(&mut self, objects: &[Object]) -> bool {
        let moving = objects.iter().skip(1);
        self.lay(moving.map(|object| ([object.pose.x_m, object.pose.y_m], object.radius_m)), 1)
    }

    /// The grid that was laid last; [`Grid::NONE`] if it could not be.
    pub fn grid(&self) -> Grid<'_> {
        if self.frame.columns == 0 {
            return Grid::NONE;
        }
        Grid { frame: std::slice::from_ref(&self.frame), cells: &self.cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn swarm() -> impl Strategy<Value = Vec<([f64; 2], f64)>> {
        let disc = (-6.0..6.0, -3.0..3.0, 0.0..0.4).prop_map(|(x, y, radius_m)| ([x, y], radius_m));
        (proptest::collection::vec(disc, 1..150), 1e-3..1e3, -1e4..1e4).prop_map(
            |(mut swarm, scale, away)| {
                swarm.iter_mut().for_each(|(place, _)| *place = place.map(|along| along * scale + away));
                swarm
            },
        )
    }

    proptest! {
        /// P3: everybody whom a disc touches is found, once.
        #[test]
        fn nobody_near_is_left_out(swarm in swarm(), place in 0..1000_usize, aside in (-2.0..2.0, -2.0..2.0), reach_m in prop_oneof![0.0..3.0, Just(f64::INFINITY)]) {
            let mut cells = Cells::default();
            cells.lay([([0.0; 2], 1.0), ([9.0; 2], 2.0)].into_iter(), 0);
            prop_assert!(cells.lay(swarm.iter().copied(), 3));
            let middle = swarm[place % swarm.len()].0;
            let point = [middle[0] + aside.0, middle[1] + aside.1];
            let (first, rows) = cells.grid().near(point, reach_m).unwrap();
            prop_assert_eq!(first, 3);
            let mut found: Vec<u32> = rows.flatten().copied().collect();
            found.sort_unstable();
            prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "each once");
            for (index, &([x, y], radius_m)) in (3..).zip(&swarm) {
                let touches = libm::hypot(x - point[0], y - point[1]) <= reach_m + radius_m;
                prop_assert!(!touches || found.contains(&index), "{index}");
            }
        }
    }

    /// Ten thousand in rows: a few are found, whatever is asked from beside them, and nobody from afar.
    #[test]
    fn of_many_few_are_found() {
        let swarm = (0..10_000).map(|at| ([f64::from(at % 100) * 2.0, f64::from(at / 100) * 2.0], 0.5));
        let mut cells = Cells::default();
        assert!(cells.lay(swarm, 1));
        let found =
            |point, reach_m| cells.grid().near(point, reach_m).unwrap().1.map(<[u32]>::len).sum::<usize>();
        assert!((21..=50).contains(&found([100.0, 100.0], 4.0)));
        assert_eq!(found([300.0, 100.0], 4.0), 0);
        assert_eq!(found([100.0, -90.0], 4.0), 0);
        assert_eq!(found([100.0, f64::NAN], 4.0), 0);
    }

    /// Without a size, or nowhere, there is no grid.
    #[test]
    fn no_grid_of_nothing() {
        let mut cells = Cells::default();
        for swarm in [vec![], vec![([1.0; 2], 0.0)], vec![([f64::INFINITY, 0.0], 1.0), ([0.0; 2], 1.0)]] {
            cells.lay([([0.0; 2], 1.0)].into_iter(), 0);
            assert!(!cells.lay(swarm.into_iter(), 0));
            assert_eq!(cells.grid(), Grid::NONE);
        }
        assert!(Grid::NONE.near([0.0; 2], 1.0).is_none());
    }
}
