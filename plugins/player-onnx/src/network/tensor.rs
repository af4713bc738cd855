//! Tensors of float32, int64 or bool.
//!
//! Other types of numbers become one of these: float16 and float64 are calculated as float32, narrower integers as int64.

use super::shape::{Shape, Walk};

#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    shape: Shape,
    data: Data,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Floats(Vec<f32>),
    Integers(Vec<i64>),
    Bools(Vec<bool>),
}

/// A type that tensors hold.
pub trait Element: Copy {
    /// Name of the element type in ONNX.
    const NAME: &'static str;

    fn data(values: Vec<Self>) -> Data;

    /// The values, if they are of this type.
    fn values(data: &Data) -> Option<&[Self]>;
}

macro_rules! element {
    ($kind:ty, $variant:ident, $name:literal) => {
        impl Element for $kind {
            const NAME: &'static str = $name;

            fn data(values: Vec<Self>) -> Data {
                Data::$variant(values)
            }

            fn values(data: &Data) -> Option<&[Self]> {
                match data {
                    Data::$variant(values) => Some(values),
                    _ => None,
                }
            }
        }
    };
}

element!(f32, Floats, "float32");
element!(i64, Integers, "int64");
element!(bool, Bools, "bool");

impl Data {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Floats(_) => f32::NAME,
            Self::Integers(_) => i64::NAME,
            Self::Bools(_) => bool::NAME,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Floats(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Bools(values) => values.len(),
        }
    }
}

impl Tensor {
    /// # Errors
    /// When there are more or fewer elements than the shape has.
    pub fn new(shape: Shape, data: Data) -> Result<Self, String> {
        if data.len() != shape.elements() {
            return Err(format!("{} elements are no tensor of the shape {shape}", data.len()));
        }
        Ok(Self { shape, data })
    }

    /// # Errors
    /// When there are more or fewer elements than the shape has.
    pub fn of<T: Element>(shape: Shape, values: Vec<T>) -> Result<Self, String> {
        Self::new(shape, T::data(values))
    }

    /// A tensor of one dimension.
    ///
    /// # Errors
    /// When there are too many elements.
    pub fn row<T: Element>(values: Vec<T>) -> Result<Self, String> {
        Self::of(Shape::new(&[values.len()])?, values)
    }

    pub fn scalar<T: Element>(value: T) -> Self {
        Self { shape: Shape::SCALAR, data: T::data(vec![value]) }
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub fn data(&self) -> &Data {
        &self.data
    }

    /// # Errors
    /// When they are of another type.
    pub fn values<T: Element>(&self) -> Result<&[T], String> {
        T::values(&self.data).ok_or_else(|| format!("{} is needed, not {}", T::NAME, self.data.name()))
    }

    /// # Errors
    /// When there is not exactly one element, of this type.
    pub fn one<T: Element>(&self) -> Result<T, String> {
        match self.values::<T>()? {
            &[value] => Ok(value),
            values => Err(format!("one number is needed, not {}", values.len())),
        }
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    /// When the shape has more or fewer.
    pub fn reshaped(&self, shape: Shape) -> Result<Self, String> {
        if shape.elements() != self.shape.elements() {
            return Err(format!("the shape {} does not become {shape}", self.shape));
        }
        Ok(Self { shape, data: self.data.clone() })
    }

    /// A tensor of the elements at these places of the memory.
    ///
    /// # Errors
    /// When a place is outside, or there are more or fewer of them than the shape has elements.
    pub fn pick(&self, shape: Shape, places: impl Iterator<Item = usize>) -> Result<Self, String> {
        let data = match &self.data {
            Data::Floats(values) => Data::Floats(pick(values, places)?),
            Data::Integers(values) => Data::Integers(pick(values, places)?),
            Data::Bools(values) => Data::Bools(pick(values, places)?),
        };
        Self::new(shape, data)
    }

    /// The transpose, with the dimensions in the order `order`.
    ///
    /// # Errors
    /// When `order` is not a permutation of the dimensions.
    pub fn transposed(&self, order: &[usize]) -> Result<Self, String> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.shape.len()) {
            return Err(format!("{order:?} does not order {} dimensions", self.shape.len()));
        }
        let sizes: Vec<usize> = order.iter().map(|&axis| self.shape[axis]).collect();
        let (own, mut strides) = (self.shape.strides(), self.shape.strides());
        for (stride, &axis) in strides.iter_mut().zip(order) {
            *stride = own[axis];
        }
        let shape = Shape::new(&sizes)?;
        self.pick(shape, Walk::new(shape, strides, 0))
    }
}

fn pick<T: Copy>(values: &[T], places: impl Iterator<Item = usize>) -> Result<Vec<T>, String> {
    let mut picked = Vec::with_capacity(places.size_hint().0);
    for place in places {
        picked.push(*values.get(place).ok_or("an element outside the tensor is asked for")?);
    }
    Ok(picked)
}
