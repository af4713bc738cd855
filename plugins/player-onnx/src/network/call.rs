//! What an operator is given: the tensors of one call, the attributes of its node, and a bound for its work.

use super::create::takes_tensor;
use super::message;
use super::tensor::{Element, Tensor};
use super::weights::{self, Beside};
use std::cell::Cell;

/// A network may work no more than this for one decision: elements that are read, made, and multiplied.
const MAX_WORK: u64 = 1 << 30;
/// It may make no more elements than this on the way to one decision.
const MAX_MADE: u64 = 1 << 26;

/// A value of a node that is set in the file.
pub enum Attribute {
    Float(f32),
    Integer(i64),
    Text(String),
    Tensor(Tensor),
    Floats(Vec<f32>),
    Integers(Vec<i64>),
    /// A tensor where the operator takes none.
    Unread,
}

impl Attribute {
    /// Reads an attribute of an operator.
    ///
    /// # Errors
    /// When it is of a type that no operator here has.
    pub fn read(stored: &message::Attribute, operator: &str, beside: &mut Beside) -> Result<Self, String> {
        const KINDS: [i32; 6] = [1, 2, 3, 4, 6, 7];
        let holds = |kind: i32| match kind {
            1 => stored.f.is_some(),
            2 => stored.i.is_some(),
            3 => stored.s.is_some(),
            4 => stored.t.is_some(),
            6 => !stored.floats.is_empty(),
            7 => !stored.ints.is_empty(),
            _ => false,
        };
        // Files of the first years do not say which field is meant.
        let kind = match stored.kind {
            0 => KINDS.into_iter().find(|&kind| holds(kind)).unwrap_or(0),
            kind => kind,
        };
        Ok(match (kind, &stored.t) {
            (1, _) => Self::Float(stored.f.unwrap_or_default()),
            (2, _) => Self::Integer(stored.i.unwrap_or_default()),
            (3, _) => Self::Text(String::from_utf8_lossy(stored.s.as_deref().unwrap_or_default()).into()),
            // What nobody takes costs nothing, however large it is.
            (4, Some(_)) if !takes_tensor(operator, &stored.name) => Self::Unread,
            (4, Some(tensor)) => Self::Tensor(weights::tensor(tensor, beside)?),
            (6, _) => Self::Floats(stored.floats.clone()),
            (7, _) => Self::Integers(stored.ints.clone()),
            _ => return Err("it is of a type that is not known".into()),
        })
    }
}

/// What has been done for one decision.
#[derive(Default)]
pub struct Budget {
    worked: Cell<u64>,
    made: Cell<u64>,
}

impl Budget {
    /// # Errors
    /// When it comes to more than one decision may cost.
    pub fn work(&self, elements: usize) -> Result<(), String> {
        spend(&self.worked, elements, MAX_WORK, "calculations")
    }

    /// # Errors
    /// When it comes to more than one decision may cost.
    pub fn make(&self, elements: usize) -> Result<(), String> {
        spend(&self.made, elements, MAX_MADE, "numbers")
    }
}

fn spend(spent: &Cell<u64>, more: usize, max: u64, what: &str) -> Result<(), String> {
    spent.set(spent.get().saturating_add(more as u64));
    if spent.get() > max {
        return Err(format!("a decision takes more than {max} {what} up to here"));
    }
    Ok(())
}

/// One call of an operator.
pub struct Call<'a> {
    /// Where the node's inputs lie among the tensors; None for one that is left out.
    pub inputs: &'a [Option<usize>],
    pub attributes: &'a [(String, Attribute)],
    /// The number of tensors that the node's outputs name.
    pub outputs: usize,
    pub constants: &'a [Option<Tensor>],
    /// The graph's inputs, and what earlier nodes made.
    pub made: &'a [Option<Tensor>],
    pub budget: &'a Budget,
}

impl<'a> Call<'a> {
    /// An input that may be left out.
    pub fn given(&self, place: usize) -> Option<&'a Tensor> {
        let slot = (*self.inputs.get(place)?)?;
        let of = |tensors: &'a [Option<Tensor>]| tensors.get(slot)?.as_ref();
        of(self.constants).or_else(|| of(self.made))
    }

    /// # Errors
    /// When there is no such input.
    pub fn input(&self, place: usize) -> Result<&'a Tensor, String> {
        self.given(place).ok_or_else(|| format!("it has no input number {place}"))
    }

    /// The values of an input; [`input`](Self::input) and [`Tensor::values`] in one.
    ///
    /// # Errors
    /// When there is no such input, or it is of another type.
    pub fn values<T: Element>(&self, place: usize) -> Result<&'a [T], String> {
        self.input(place)?.values().map_err(|error| format!("input number {place}: {error}"))
    }

    /// Whole numbers that newer operators take as an input and older ones as an attribute.
    ///
    /// # Errors
    /// When they are of another type.
    pub fn settings(&self, place: usize, name: &str) -> Result<Option<Vec<i64>>, String> {
        match self.given(place) {
            Some(_) => self.values(place).map(|values| Some(values.to_vec())),
            None => Ok(self.integers(name)?.map(<[i64]>::to_vec)),
        }
    }

    pub fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, attribute)| attribute)
    }

    /// # Errors
    /// When it is of another type.
    pub fn integer(&self, name: &str, default: i64) -> Result<i64, String> {
        match self.attribute(name) {
            None => Ok(default),
            Some(&Attribute::Integer(value)) => Ok(value),
            Some(_) => Err(format!("its attribute {name} is no whole number")),
        }
    }

    /// # Errors
    /// When it is of another type.
    pub fn float(&self, name: &str, default: f32) -> Result<f32, String> {
        match self.attribute(name) {
            None => Ok(default),
            Some(&Attribute::Float(value)) => Ok(value),
            Some(_) => Err(format!("its attribute {name} is no number")),
        }
    }

    /// # Errors
    /// When it is of another type.
    pub fn integers(&self, name: &str) -> Result<Option<&'a [i64]>, String> {
        match self.attribute(name) {
            None => Ok(None),
            Some(Attribute::Integers(values)) => Ok(Some(values)),
            Some(_) => Err(format!("its attribute {name} are no whole numbers")),
        }
    }

    /// # Errors
    /// When it is of another type.
    pub fn floats(&self, name: &str) -> Result<Option<&'a [f32]>, String> {
        match self.attribute(name) {
            None => Ok(None),
            Some(Attribute::Floats(values)) => Ok(Some(values)),
            Some(_) => Err(format!("its attribute {name} are no numbers")),
        }
    }

    /// # Errors
    /// When it is of another type.
    pub fn text(&self, name: &str, default: &'a str) -> Result<&'a str, String> {
        match self.attribute(name) {
            None => Ok(default),
            Some(Attribute::Text(text)) => Ok(text),
            Some(_) => Err(format!("its attribute {name} is no text")),
        }
    }
}
