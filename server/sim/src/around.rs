//! The grid of a world of many, for who looks round in it.

use std::sync::OnceLock;
use touchline_plugin_api::grid::{Cells, FEW, Grid};
use touchline_plugin_api::view::Object;

/// The grid of some objects, if there are many: laid when somebody looks round for the first time, and not cloned, as a clone's
/// objects may be others.
#[derive(Default)]
pub struct Around(OnceLock<Option<Box<Cells>>>);

impl Clone for Around {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Around {
    pub(crate) fn grid(&self, objects: &[Object]) -> Grid<'_> {
        if objects.len() <= FEW {
            return Grid::NONE;
        }
        let cells = self.0.get_or_init(|| {
            let mut cells = Box::<Cells>::default();
            cells.lay_objects(objects).then_some(cells)
        });
        cells.as_ref().map_or(Grid::NONE, |cells| cells.grid())
    }

    /// The objects are elsewhere.
    #[inline]
    pub(crate) fn forget(&mut self) {
        if self.0.get().is_some() {
            self.0 = OnceLock::new();
        }
    }
}
