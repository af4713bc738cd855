//! The operators that are known: their names, their opsets, and what they do.

use super::call::Call;
use super::elementwise::*;
use super::normal::{self, Span};
use super::pairs::{self, arithmetic, compare, fold, larger, logic, smaller};
use super::tensor::Tensor;
use super::{create, layout, products, reductions};
use Kernel::{Many, One};

/// The versions of ONNX's own operators that are known. Since the first of them, tensors are repeated as they are today.
pub const OPSETS: (i64, i64) = (7, 28);
/// The versions of the operators of classical machine learning.
pub const ML_OPSETS: (i64, i64) = (1, 5);

/// The function that computes an operator's outputs.
#[derive(Clone, Copy)]
pub enum Kernel {
    /// It makes one tensor, its first output.
    One(fn(&Call<'_>) -> Result<Tensor, String>),
    /// It makes a tensor for each of its outputs.
    Many(fn(&Call<'_>) -> Result<Vec<Tensor>, String>),
}

pub struct Operator {
    /// With the family in front, if that is not ONNX itself.
    pub name: &'static str,
    /// The first and the last version of its family in which it does this.
    pub opsets: (i64, i64),
    pub kernel: Kernel,
}

const fn since(first: i64, name: &'static str, kernel: Kernel) -> Operator {
    Operator { name, opsets: (first, OPSETS.1), kernel }
}

const fn until(last: i64, name: &'static str, kernel: Kernel) -> Operator {
    Operator { name, opsets: (OPSETS.0, last), kernel }
}

/// The operator of this name in this version of its family.
///
/// # Errors
/// When it is not known; says which are.
pub fn operator(name: &str, opset: i64) -> Result<&'static Operator, String> {
    let of_name = || OPERATORS.iter().filter(|operator| operator.name == name);
    let found = of_name().find(|&&Operator { opsets: (first, last), .. }| (first..=last).contains(&opset));
    found.ok_or_else(|| match of_name().next() {
        Some(Operator { opsets: (first, _), .. }) => {
            format!("the operator {name} is not known in opset {opset}; it is since {first}")
        }
        None => format!("the operator {name} is not known; known are {}", names().join(", ")),
    })
}

/// The names of all operators, sorted.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = OPERATORS.iter().map(|operator| operator.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[rustfmt::skip]
const OPERATORS: &[Operator] = &[
    // Each element by itself.
    since(7, "Abs", One(|c| numbers(c, f32::abs, i64::wrapping_abs))),
    since(7, "Acos", One(|c| map(c, libm::acosf))),
    since(7, "Asin", One(|c| map(c, libm::asinf))),
    since(7, "Atan", One(|c| map(c, libm::atanf))),
    since(7, "Ceil", One(|c| map(c, f32::ceil))),
    since(12, "Celu", One(|c| map_with(c, ("alpha", 1.0), celu))),
    since(7, "Clip", One(clip)),
    since(7, "Cos", One(|c| map(c, libm::cosf))),
    since(9, "Cosh", One(|c| map(c, libm::coshf))),
    since(7, "Dropout", One(dropout)),
    since(7, "Elu", One(|c| map_with(c, ("alpha", 1.0), elu))),
    since(9, "Erf", One(|c| map(c, libm::erff))),
    since(7, "Exp", One(|c| map(c, libm::expf))),
    since(7, "Floor", One(|c| map(c, f32::floor))),
    since(20, "Gelu", One(gelu)),
    since(7, "HardSigmoid", One(|c| map_with_two(c, ("alpha", 0.2), ("beta", 0.5), hard_sigmoid))),
    since(14, "HardSwish", One(|c| map(c, |x: f32| x * hard_sigmoid(x, 1.0 / 6.0, 0.5)))),
    since(7, "Identity", One(|c| c.input(0).cloned())),
    since(7, "LeakyRelu", One(|c| map_with(c, ("alpha", 0.01), |x, alpha| if x < 0.0 { alpha * x } else { x }))),
    since(7, "Log", One(|c| map(c, libm::logf))),
    since(18, "Mish", One(|c| map(c, mish))),
    since(7, "Neg", One(|c| numbers(c, |x| -x, i64::wrapping_neg))),
    since(7, "Not", One(|c| map(c, |x: bool| !x))),
    since(7, "Reciprocal", One(|c| map(c, |x: f32| 1.0 / x))),
    since(7, "Relu", One(|c| numbers(c, relu, |x| x.max(0)))),
    since(11, "Round", One(|c| map(c, f32::round_ties_even))),
    since(7, "Selu", One(|c| map_with_two(c, ("alpha", 1.673_263_2), ("gamma", 1.050_701), |x, alpha, gamma| gamma * elu(x, alpha)))),
    since(7, "Sigmoid", One(|c| map(c, sigmoid))),
    since(9, "Sign", One(|c| numbers(c, sign, i64::signum))),
    since(7, "Sin", One(|c| map(c, libm::sinf))),
    since(9, "Sinh", One(|c| map(c, libm::sinhf))),
    since(7, "Softplus", One(|c| map(c, softplus))),
    since(7, "Softsign", One(|c| map(c, |x: f32| x / (1.0 + x.abs())))),
    since(7, "Sqrt", One(|c| map(c, f32::sqrt))),
    since(7, "Tan", One(|c| map(c, libm::tanf))),
    since(7, "Tanh", One(|c| map(c, libm::tanhf))),
    since(10, "ThresholdedRelu", One(|c| map_with(c, ("alpha", 1.0), |x, alpha| if x > alpha { x } else { 0.0 }))),
    // Elements of several tensors.
    since(7, "Add", One(|c| arithmetic(c, |a, b| a + b, i64::wrapping_add))),
    since(7, "And", One(|c| logic(c, |a, b| a && b))),
    since(7, "Div", One(pairs::divide)),
    since(7, "Equal", One(pairs::equal)),
    since(7, "Greater", One(|c| compare(c, |a, b| a > b, |a, b| a > b))),
    since(12, "GreaterOrEqual", One(|c| compare(c, |a, b| a >= b, |a, b| a >= b))),
    since(7, "Less", One(|c| compare(c, |a, b| a < b, |a, b| a < b))),
    since(12, "LessOrEqual", One(|c| compare(c, |a, b| a <= b, |a, b| a <= b))),
    since(7, "Max", One(|c| fold(c, larger, i64::max))),
    since(7, "Mean", One(pairs::mean)),
    since(7, "Min", One(|c| fold(c, smaller, i64::min))),
    since(7, "Mul", One(|c| arithmetic(c, |a, b| a * b, i64::wrapping_mul))),
    since(7, "Or", One(|c| logic(c, |a, b| a || b))),
    since(7, "PRelu", One(|c| arithmetic(c, |x, slope| if x < 0.0 { slope * x } else { x }, |x, slope| if x < 0 { slope.wrapping_mul(x) } else { x }))),
    since(7, "Pow", One(pairs::power)),
    since(7, "Sub", One(|c| arithmetic(c, |a, b| a - b, i64::wrapping_sub))),
    since(7, "Sum", One(|c| fold(c, |a, b| a + b, i64::wrapping_add))),
    since(9, "Where", One(pairs::choose)),
    since(7, "Xor", One(|c| logic(c, |a, b| a != b))),
    // Matrices.
    since(7, "Gemm", One(products::general_product)),
    since(7, "MatMul", One(products::matrix_product)),
    // Few of many.
    since(7, "ArgMax", One(|c| reductions::place_of(c, |a, b| a > b, |a, b| a > b))),
    since(7, "ArgMin", One(|c| reductions::place_of(c, |a, b| a < b, |a, b| a < b))),
    since(7, "ReduceL1", One(reductions::sum_of_magnitudes)),
    since(7, "ReduceL2", One(reductions::length)),
    since(7, "ReduceMax", One(reductions::greatest)),
    since(7, "ReduceMean", One(reductions::mean)),
    since(7, "ReduceMin", One(reductions::least)),
    since(7, "ReduceProd", One(reductions::product)),
    since(7, "ReduceSum", One(reductions::sum)),
    since(7, "ReduceSumSquare", One(reductions::sum_of_squares)),
    // Scaled by what lies beside.
    since(7, "BatchNormalization", One(normal::batch)),
    since(17, "LayerNormalization", One(normal::layer)),
    since(13, "LogSoftmax", One(|c| normal::log_softmax(c, Span::Axis))),
    until(12, "LogSoftmax", One(|c| normal::log_softmax(c, Span::Rest))),
    since(13, "Softmax", One(|c| normal::softmax(c, Span::Axis))),
    until(12, "Softmax", One(|c| normal::softmax(c, Span::Rest))),
    Operator { name: "ai.onnx.ml.Scaler", opsets: ML_OPSETS, kernel: One(normal::scaler) },
    // The same elements in another shape or order.
    since(7, "Concat", One(layout::concat)),
    since(8, "Expand", One(layout::expand)),
    since(7, "Flatten", One(layout::flatten)),
    since(7, "Gather", One(layout::gather)),
    since(7, "Reshape", One(layout::reshape)),
    since(7, "Slice", One(layout::slice)),
    since(7, "Split", Many(layout::split)),
    since(7, "Squeeze", One(layout::squeeze)),
    since(7, "Tile", One(layout::tile)),
    since(7, "Transpose", One(layout::transpose)),
    since(7, "Unsqueeze", One(layout::unsqueeze)),
    // New tensors.
    since(7, "Cast", One(create::cast)),
    since(7, "Constant", One(create::constant)),
    since(9, "ConstantOfShape", One(create::constant_of_shape)),
    since(9, "OneHot", One(create::one_hot)),
    since(7, "Shape", One(create::shape)),
];
