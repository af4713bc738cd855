//! Shapes of tensors, how two of them go together, and ways through the elements.

use std::fmt;
use std::ops::Deref;

/// No tensor has more dimensions.
pub const MAX_RANK: usize = 8;
/// No tensor has more elements; neither have those of its dimensions that are not empty.
pub const MAX_ELEMENTS: usize = 1 << 26;

/// The sizes of a tensor's dimensions; the last one runs fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    rank: usize,
    sizes: [usize; MAX_RANK],
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.sizes[..self.rank]
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &**self)
    }
}

impl Shape {
    /// Rank 0: a single number.
    pub const SCALAR: Self = Self { rank: 0, sizes: [0; MAX_RANK] };

    /// # Errors
    /// When there are too many dimensions or elements.
    pub fn new(sizes: &[usize]) -> Result<Self, String> {
        if sizes.len() > MAX_RANK {
            return Err(format!("{} dimensions; at most {MAX_RANK} are possible", sizes.len()));
        }
        // A size of 0 counts as 1: so the product of some of the sizes has the same bound.
        let elements = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size.max(1)));
        if elements.is_none_or(|elements| elements > MAX_ELEMENTS) {
            return Err(format!("the shape {sizes:?} has more than {MAX_ELEMENTS} elements"));
        }
        let mut shape = Self { rank: sizes.len(), ..Self::SCALAR };
        shape.sizes[..sizes.len()].copy_from_slice(sizes);
        Ok(shape)
    }

    /// The shape from a file's numbers.
    ///
    /// # Errors
    /// When a size is negative, or there are too many dimensions or elements.
    pub fn from_file(sizes: &[i64]) -> Result<Self, String> {
        let sizes: Option<Vec<usize>> = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
        Self::new(&sizes.ok_or("a dimension has a negative size")?)
    }

    pub fn elements(&self) -> usize {
        self.iter().product()
    }

    /// The elements before, in and behind a dimension: their product is the number of elements.
    pub fn around(&self, axis: usize) -> (usize, usize, usize) {
        (self[..axis].iter().product(), self[axis], self[axis + 1..].iter().product())
    }

    /// The shape with another size of one dimension.
    pub fn with(&self, axis: usize, size: usize) -> Result<Self, String> {
        let mut sizes = self.to_vec();
        sizes[axis] = size;
        Self::new(&sizes)
    }

    /// How far apart two neighbours in each dimension are, in elements.
    pub fn strides(&self) -> [isize; MAX_RANK] {
        let (mut strides, mut next) = ([0; MAX_RANK], 1);
        for (stride, &size) in strides[..self.rank].iter_mut().zip(&self[..]).rev() {
            *stride = next;
            next *= size as isize;
        }
        strides
    }

    /// The number of a dimension; negative ones count from the end.
    pub fn axis(&self, axis: i64) -> Result<usize, String> {
        axis_of(axis, self.rank)
    }

    /// The dimension from which on a tensor is flattened: it may be the one behind the last.
    pub fn border(&self, axis: i64) -> Result<usize, String> {
        if axis == self.rank as i64 { Ok(self.rank) } else { self.axis(axis) }
    }

    /// The elements of a tensor of this shape where it is repeated to `wide`, which [`broadcast`] gave.
    pub fn walk_as(&self, wide: &Shape) -> Walk {
        let own = self.strides();
        let mut strides = [0; MAX_RANK];
        let ahead = wide.rank.saturating_sub(self.rank);
        for axis in 0..self.rank.min(wide.rank) {
            strides[ahead + axis] = if self[axis] == 1 { 0 } else { own[axis] };
        }
        Walk::new(*wide, strides, 0)
    }
}

/// The number of one of `rank` dimensions; negative ones count from the end.
///
/// # Errors
/// When there is no such dimension.
pub fn axis_of(axis: i64, rank: usize) -> Result<usize, String> {
    let counted = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
    match usize::try_from(counted) {
        Ok(counted) if counted < rank => Ok(counted),
        _ => Err(format!("there is no dimension {axis} among {rank}")),
    }
}

/// The shape of two tensors that are calculated element by element: dimensions of size 1, and missing ones in front, are repeated.
///
/// # Errors
/// When sizes differ.
pub fn broadcast(one: &Shape, other: &Shape) -> Result<Shape, String> {
    if one == other {
        return Ok(*one);
    }
    let rank = one.rank.max(other.rank);
    let size = |shape: &Shape, axis: usize| match (axis + shape.rank).checked_sub(rank) {
        Some(axis) => shape[axis],
        None => 1,
    };
    let mut sizes = [0; MAX_RANK];
    for (axis, wide) in sizes[..rank].iter_mut().enumerate() {
        *wide = match (size(one, axis), size(other, axis)) {
            (one, other) if one == other || other == 1 => one,
            (1, other) => other,
            _ => return Err(format!("the shapes {one} and {other} do not fit")),
        };
    }
    Shape::new(&sizes[..rank])
}

/// The places of elements in memory, in the order of a shape.
#[derive(Clone)]
pub struct Walk {
    shape: Shape,
    strides: [isize; MAX_RANK],
    counters: [usize; MAX_RANK],
    at: isize,
    left: usize,
}

impl Walk {
    /// Begins at the element `at`, with `strides` between neighbours.
    pub fn new(shape: Shape, strides: [isize; MAX_RANK], at: isize) -> Self {
        Self { shape, strides, counters: [0; MAX_RANK], at, left: shape.elements() }
    }
}

impl Iterator for Walk {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let here = self.at;
        for axis in (0..self.shape.rank).rev() {
            self.counters[axis] += 1;
            self.at += self.strides[axis];
            if self.counters[axis] < self.shape[axis] {
                break;
            }
            self.at -= self.strides[axis] * self.counters[axis] as isize;
            self.counters[axis] = 0;
        }
        Some(here as usize)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}
