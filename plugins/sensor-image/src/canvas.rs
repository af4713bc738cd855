//! The image that is being drawn: what is nearest so far at each pixel.

use crate::eye::{Eye, Ramp, Window};

/// Colour and depth of each pixel.
pub struct Canvas<'a> {
    width: usize,
    colours: &'a mut [u32],
    /// 1 / distance, in lengths of the pixel's direction; 0 where nothing stands.
    nearness: Vec<f32>,
}

impl<'a> Canvas<'a> {
    /// Paints the floor and what is above the horizon. `colours` has the eye's size.
    pub fn new(eye: &Eye, floor: u32, sky: u32, colours: &'a mut [u32]) -> Self {
        let width = eye.size[0];
        for (row, line) in colours.chunks_exact_mut(width).enumerate() {
            line.fill(if eye.rise(row) < 0.0 { floor } else { sky });
        }
        let nearness = vec![0.0; colours.len()];
        Self { width, colours, nearness }
    }

    /// Paints a span on the floor.
    pub fn paint(&mut self, row: usize, span: Span, colour: u32) {
        let [first, end] = span.columns();
        if first < end {
            self.colours[row * self.width..][first..end].fill(colour);
        }
    }

    /// Draws a span of a face wherever nothing nearer is.
    pub fn draw(&mut self, row: usize, span: Span, nearness: Ramp, colour: u32) {
        let [first, end] = span.columns();
        if first >= end {
            return;
        }
        let line = row * self.width;
        let (start, slope) = (nearness.at(first) as f32, nearness.slope as f32);
        let places = self.nearness[line..][first..end].iter_mut().zip(&mut self.colours[line..][first..end]);
        // Without a branch, so that the compiler does four pixels at a time.
        for (column, (nearest, place)) in (0i32..).zip(places) {
            let here = start + slope * column as f32;
            let is_nearer = here > *nearest;
            *nearest = if is_nearer { here } else { *nearest };
            *place = if is_nearer { colour } else { *place };
        }
    }

    /// Draws one pixel, if nothing nearer is there; the colour is asked for only then.
    pub fn dot(&mut self, row: usize, column: usize, nearness: f64, colour: impl FnOnce() -> u32) {
        let at = row * self.width + column;
        if nearness as f32 > self.nearness[at] {
            self.nearness[at] = nearness as f32;
            self.colours[at] = colour();
        }
    }
}

/// A part of a row, in columns and parts of columns, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    low: f64,
    high: f64,
}

impl Span {
    /// All columns of a window.
    pub fn of(window: &Window) -> Self {
        Self { low: window.columns[0] as f64, high: window.columns[1] as f64 - 1.0 }
    }

    /// Only where the quantity is not below 0.
    pub fn where_positive(mut self, quantity: Ramp) -> Self {
        let zero = -quantity.start / quantity.slope;
        if quantity.slope > 0.0 {
            self.low = self.low.max(zero);
        } else if quantity.slope < 0.0 {
            self.high = self.high.min(zero);
        } else if quantity.start < 0.0 {
            self.high = f64::NEG_INFINITY;
        }
        self
    }

    /// Limits the span to the columns from `low` to `high`.
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { low: self.low.max(low), high: self.high.min(high) }
    }

    /// The pixels whose middles it holds: the first, and the one behind the last.
    pub fn columns(self) -> [usize; 2] {
        if self.low > self.high || self.high < 0.0 {
            return [0, 0];
        }
        // A cast cuts off towards 0; what is below 0 becomes 0.
        let first = self.low as usize;
        let first = if (first as f64) < self.low { first + 1 } else { first };
        [first, self.high as usize + 1]
    }
}
