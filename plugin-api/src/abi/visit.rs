//! One walk over all that a block lends: what is needed to carry a call to where the caller's pointers mean nothing, such as another process.

use super::{Buffer, GameView, Instance, Slice, View};
use crate::game::Restart;
use crate::geometry::{Pose2, Twist2};
use crate::motion::MotionOutput;
use crate::noise::NoiseKey;
use bytemuck::Pod;

/// Is shown every slice and every buffer of a block, in the order of its fields.
pub trait Visitor {
    /// Records for the plugin to read.
    fn slice<T: Pod>(&mut self, slice: &mut Slice<T>);
    /// Buffer for the plugin to write.
    fn buffer<T: Pod>(&mut self, buffer: &mut Buffer<T>);
}

/// A block, or a part of one.
pub trait Visit {
    /// Shows all slices and buffers; the same ones in the same order for every value of a type.
    fn visit(&mut self, visitor: &mut impl Visitor);
}

impl<T: Pod> Visit for Slice<T> {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        visitor.slice(self);
    }
}

impl<T: Pod> Visit for Buffer<T> {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        visitor.buffer(self);
    }
}

impl Visit for View {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let Self { step: _, time_secs: _, objects, shapes, grid, cells } = self;
        objects.visit(visitor);
        shapes.visit(visitor);
        grid.visit(visitor);
        cells.visit(visitor);
    }
}

impl Visit for GameView {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let Self { clock_secs: _, restart: _, phase: _, episode: _, teams, values } = self;
        teams.visit(visitor);
        values.visit(visitor);
    }
}

/// What lies wholly in the block.
macro_rules! lends_nothing {
    ($($type:ty),*) => {$(
        impl Visit for $type {
            fn visit(&mut self, _: &mut impl Visitor) {}
        }
    )*};
}

// The instance's address means something where it was made, and nowhere else.
lends_nothing!(u32, f64, Pose2, Twist2, NoiseKey, Restart, MotionOutput, *mut Instance);
