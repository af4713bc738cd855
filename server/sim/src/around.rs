//! The grid of a world of many, for who looks round in it.

use std::sync::OnceLock;
use touchline_plugin_api::grid::{Cells, FEW, Grid};
use touchline_plugin_api::view::Object;

/// Lays the grid of a world's objects, if there are many; the fixtures, the first object, are in none of its cells.
pub(crate) fn lay(cells: &mut Option<Box<Cells>>, objects: &[Object]) -> bool {
    let discs = objects.iter().skip(1).map(|object| ([object.pose.x_m, object.pose.y_m], object.radius_m));
    objects.len() > FEW && cells.get_or_insert_default().lay(discs, 1)
}

/// The grid of objects that do not move any more: laid when somebody looks round for the first time, and not cloned, as a
/// clone's objects may be others.
#[derive(Default)]
pub struct Around(OnceLock<Option<Box<Cells>>>);

impl Clone for Around {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Around {
    pub(crate) fn grid(&self, objects: &[Object]) -> Grid<'_> {
        let cells = self.0.get_or_init(|| {
            let mut cells = None;
            if lay(&mut cells, objects) { cells } else { None }
        });
        cells.as_ref().map_or(Grid::NONE, |cells| cells.grid())
    }
}
