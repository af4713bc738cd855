"""Makes cases.json: small networks, with what another implementation gives for them.

A network for each operator that the player `onnx` knows, in each of its forms, and a few whole policies as exporters write them.
The judge is `onnx.reference.ReferenceEvaluator`; where it has an error of its own, the case says what it is compared with instead.

    python -m venv venv && venv/bin/pip install onnx==1.23.2 && venv/bin/python make.py
"""

import base64
import json
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

RANDOM = np.random.default_rng(2004)
CASES = []


def floats(*shape, low=-2.0, high=2.0):
    """float32 numbers of `shape`, few digits each: the file stays small."""
    return np.round(RANDOM.uniform(low, high, shape), 2).astype(np.float32)


def ints(*shape, low=-4, high=5):
    return RANDOM.integers(low, high, shape).astype(np.int64)


def bools(*shape):
    return RANDOM.integers(0, 2, shape).astype(bool)


def array(*values):
    return np.array(values, dtype=np.int64)


def tensor_info(name, value, shape=None):
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    return helper.make_tensor_value_info(name, kind, value.shape if shape is None else shape)


def written(value):
    """A tensor as the file has it: its type, shape and numbers in a row."""
    value = np.asarray(value)
    if value.dtype == bool:
        kind, numbers = "bool", [bool(number) for number in value.ravel()]
    elif np.issubdtype(value.dtype, np.integer):
        kind, numbers = "int64", [int(number) for number in value.ravel()]
    else:
        numbers = [float(str(number)) for number in value.astype(np.float32).ravel()]
        assert np.isfinite(numbers).all(), numbers
        kind = "float32"
    return {"type": kind, "shape": list(value.shape), "values": numbers}


def case(name, nodes, inputs, constants=None, outputs=("y",), opset=17, families=(), expected=None):
    """Adds a network: `inputs` are given at each call, `constants` lie in the file."""
    graph = helper.make_graph(
        nodes,
        "g",
        [tensor_info(key, value) for key, value in inputs.items()],
        [helper.make_tensor_value_info(key, TensorProto.UNDEFINED, None) for key in outputs],
        [numpy_helper.from_array(value, key) for key, value in (constants or {}).items()],
    )
    for output in graph.output:
        output.ClearField("type")
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(*family) for family in families)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    model.producer_name = ""
    if expected is None:
        expected = ReferenceEvaluator(model).run(None, inputs)
    CASES.append({
        "name": name,
        "model": base64.b64encode(model.SerializeToString()).decode(),
        "inputs": [written(value) for value in inputs.values()],
        "outputs": list(outputs),
        "expected": [written(value) for value in expected],
    })


def one(operator, *inputs, opset=17, constants=(), outputs=("y",), label="", expected=None, **attributes):
    """A network of one operator. The inputs whose places are in `constants` lie in the file; None is one that is left out."""
    named = {f"x{place}": value for place, value in enumerate(inputs) if value is not None}
    names = ["" if value is None else f"x{place}" for place, value in enumerate(inputs)]
    domain = attributes.pop("domain", "")
    node = helper.make_node(operator, names, list(outputs), domain=domain, **attributes)
    stored = {f"x{place}" for place in constants}
    case(
        f"{operator}-{opset}{label and ' ' + label}",
        [node],
        {key: value for key, value in named.items() if key not in stored},
        {key: value for key, value in named.items() if key in stored},
        outputs,
        opset,
        [(domain, 3)] if domain else [],
        expected,
    )


def each_element():
    for operator in ["Abs", "Atan", "Ceil", "Cos", "Cosh", "Exp", "Floor", "Identity", "Neg", "Reciprocal", "Relu", "Sigmoid"]:
        one(operator, floats(2, 3))
    for operator in ["Sign", "Sin", "Sinh", "Softplus", "Softsign", "Tan", "Tanh", "Erf", "HardSwish", "HardSigmoid"]:
        one(operator, floats(2, 3, low=-4, high=4))
    for operator in ["Elu", "Celu", "Selu", "LeakyRelu", "ThresholdedRelu"]:
        one(operator, floats(2, 3), label="defaults")
        one(operator, floats(2, 3), label="alpha", alpha=0.3)
    one("HardSigmoid", floats(6), label="both", alpha=0.5, beta=0.1)
    one("Selu", floats(6), label="both", alpha=1.2, gamma=0.7)
    for operator in ["Acos", "Asin"]:
        one(operator, floats(6, low=-1, high=1))
    for operator in ["Log", "Sqrt"]:
        one(operator, floats(6, low=0.1, high=5))
    for operator in ["Abs", "Neg", "Sign", "Identity"]:
        one(operator, ints(5), label="int64")
    one("Relu", ints(5), label="int64", opset=14)
    one("Round", np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.4, -0.6], np.float32))
    one("Not", bools(2, 3))
    one("Mish", floats(6), opset=18)
    one("Gelu", floats(6), opset=20)
    one("Gelu", floats(6), opset=20, label="tanh", approximate="tanh")
    one("Dropout", floats(5))
    one("Dropout", floats(5), opset=10, ratio=0.4)
    one("Dropout", floats(5), np.float32(0.4), np.bool_(False), label="inputs", constants=[1, 2])
    one("Clip", floats(6), opset=7, min=-0.5, max=1.0)
    one("Clip", floats(6), np.float32(-0.5), np.float32(1), constants=[1, 2])
    one("Clip", floats(6), None, np.float32(0.25), label="upper", constants=[2])
    one("Clip", floats(6), np.float32(0.25), label="lower")
    one("Clip", ints(6), np.int64(-1), np.int64(2), label="int64")


def pairs():
    shapes = {"same": ((2, 3), (2, 3)), "row": ((2, 3), (3,)), "column": ((2, 3), (2, 1)), "number": ((), (2, 2)),
              "across": ((3, 1), (1, 2)), "deep": ((2, 1, 2), (3, 1))}
    for label, (first, second) in shapes.items():
        one("Sub", floats(*first), floats(*second), label=label)
    for operator in ["Add", "Mul", "Div", "Sub"]:
        one(operator, floats(2, 3), floats(3, low=0.5))
        one(operator, ints(2, 3), ints(3, low=1), label="int64")
    one("Pow", floats(5, low=0.1), floats(5))
    one("Pow", floats(5), np.float32(2), label="square")
    one("Pow", floats(5), np.int64(3), label="int64 exponent")
    one("Pow", ints(5), np.int64(2), label="int64")
    one("PRelu", floats(2, 3), floats(3))
    for operator in ["Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Equal"]:
        one(operator, ints(8, low=0, high=3).astype(np.float32), ints(8, low=0, high=3).astype(np.float32))
        one(operator, ints(2, 4, low=0, high=3), ints(4, low=0, high=3), label="int64")
    one("Equal", bools(6), bools(6), label="bool")
    for operator in ["And", "Or", "Xor"]:
        one(operator, bools(2, 4), bools(4))
    for operator in ["Max", "Min", "Sum", "Mean"]:
        one(operator, floats(2, 3), floats(3), floats(2, 1))
        one(operator, floats(3), label="one input")
    one("Max", ints(4), ints(4), label="int64")
    one("Where", bools(2, 1), floats(2, 3), floats(3))
    one("Where", bools(4), ints(4), ints(), label="int64")


def matrices():
    for label, first, second in [("row", (1, 4), (4, 3)), ("", (2, 4), (4, 3)), ("vectors", (4,), (4,)), ("left vector", (4,), (4, 2)),
                                 ("right vector", (2, 4), (4,)), ("batch", (3, 2, 4), (4, 2)), ("batches", (2, 1, 2, 3), (3, 3, 1))]:
        one("MatMul", floats(*first), floats(*second), label=label)
    one("Gemm", floats(2, 4), floats(4, 3), floats(3))
    one("Gemm", floats(1, 4), floats(3, 4), floats(3), label="torch", constants=[1, 2], transB=1)
    one("Gemm", floats(4, 2), floats(4, 3), label="no bias", transA=1)
    one("Gemm", floats(2, 4), floats(3, 4), floats(2, 1), label="all", transB=1, alpha=0.5, beta=2.0)


def reductions():
    for operator in ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceProd", "ReduceSumSquare"]:
        one(operator, floats(2, 3, 2), array(1), opset=18, constants=[1])
        one(operator, floats(2, 3), label="all", opset=18, keepdims=0)
        one(operator, floats(2, 3), label="noop", opset=18, noop_with_empty_axes=1)
        if operator != "ReduceSum":
            one(operator, floats(2, 3), opset=11, label="attribute", axes=[-1], keepdims=0)
    one("ReduceSum", floats(2, 3), opset=11, label="attribute", axes=[0])
    for operator in ["ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd"]:
        one(operator, ints(2, 3), array(0), opset=18, label="int64", keepdims=0)
    tied = np.array([[1, 3, 3], [0, 0, 2]], np.float32)
    for operator in ["ArgMax", "ArgMin"]:
        one(operator, tied)
        one(operator, tied, label="last", axis=1, select_last_index=1, keepdims=0)
        one(operator, ints(3, 4), label="int64", axis=-1)


def normal():
    for operator in ["Softmax", "LogSoftmax"]:
        one(operator, floats(2, 3))
        one(operator, floats(2, 3, 2), label="axis", axis=1)
        # The evaluator knows the newer meaning only; the older one is that of a matrix.
        x = floats(2, 3, 2)
        flat = x.reshape(2, 6).astype(np.float64)
        log = flat - np.log(np.exp(flat).sum(axis=1, keepdims=True))
        expected = (log if operator == "LogSoftmax" else np.exp(log)).reshape(x.shape)
        one(operator, x, opset=11, expected=[expected])
    one("LayerNormalization", floats(2, 4), floats(4), floats(4))
    one("LayerNormalization", floats(2, 2, 3), floats(2, 3), label="axis", axis=1, epsilon=0.01)
    for shape in [(2, 3), (1, 3, 2)]:
        one("BatchNormalization", floats(*shape), floats(3), floats(3), floats(3), floats(3, low=0.1), label=str(len(shape)))
    one("Scaler", floats(2, 3), domain="ai.onnx.ml", offset=[0.5, 1.0, -1.0], scale=[2.0, 0.5, 1.5])


def layout():
    one("Concat", floats(2, 1), floats(2, 3), floats(2, 2), axis=1)
    one("Concat", ints(2), ints(1), label="int64", axis=-1)
    one("Split", floats(2, 6), outputs=("y", "z"), axis=1)
    one("Split", floats(2, 6), array(1, 2, 3), outputs=("y", "z", "w"), label="parts", constants=[1], axis=-1)
    one("Split", floats(2, 6), outputs=("y", "z"), opset=11, axis=1, split=[4, 2])
    one("Split", floats(7), outputs=("y", "z", "w"), opset=18, num_outputs=3)
    one("Slice", floats(4, 5), array(1), array(3))
    one("Slice", floats(4, 5), array(-1, 0), array(-100, 100), array(1, 0), array(-2, 3), label="steps")
    one("Slice", floats(4, 5), array(5), array(2**62), array(-1), label="nothing")
    one("Slice", floats(4, 5), opset=9, starts=[1, -3], ends=[3, -1], axes=[0, 1])
    one("Gather", floats(4, 2), array(3, 0, -1), constants=[1])
    one("Gather", floats(2, 4), ints(2, 2, low=0, high=4), label="axis", axis=1)
    one("Gather", floats(4), np.int64(-2), label="number")
    one("Reshape", floats(2, 6), array(0, -1, 3))
    one("Reshape", floats(2, 6), array(4, 3), label="constant", constants=[1])
    one("Flatten", floats(2, 3, 2))
    one("Flatten", floats(2, 3), label="all", axis=0)
    one("Squeeze", floats(1, 3, 1), array(0))
    one("Squeeze", floats(1, 3, 1), label="all")
    one("Squeeze", floats(1, 3, 1), opset=11, axes=[2])
    one("Unsqueeze", floats(3), array(0, -1))
    one("Unsqueeze", floats(3), opset=11, axes=[1])
    one("Transpose", floats(2, 3))
    one("Transpose", floats(2, 3, 2), label="perm", perm=[1, 2, 0])
    one("Expand", floats(3, 1), array(2, 1, 4))
    one("Tile", floats(2, 2), array(2, 3))


def create():
    one("Cast", floats(5), label="int64", to=TensorProto.INT64)
    one("Cast", ints(5), label="float32", to=TensorProto.FLOAT)
    one("Cast", ints(5), label="bool", to=TensorProto.BOOL)
    one("Cast", bools(5), label="from bool", to=TensorProto.FLOAT)
    one("Cast", ints(5, low=-300, high=300), label="int8", to=TensorProto.INT8)
    one("Cast", floats(5), label="float64", to=TensorProto.DOUBLE)
    one("Shape", floats(2, 3, 1))
    one("Shape", floats(2, 3, 1), label="part", start=-2, end=2)
    one("ConstantOfShape", array(2, 2))
    value = numpy_helper.from_array(np.array([7], np.int64))
    one("ConstantOfShape", array(2), label="value", value=value)
    one("OneHot", array(0, 2, -1), np.int64(3), np.array([-1, 1], np.float32))
    one("OneHot", array(0, 2), np.int64(3), np.array([0, 5], np.int64), label="axis", axis=0)
    for label, attributes in {
        "tensor": {"value": numpy_helper.from_array(floats(3))}, "float": {"value_float": 1.5}, "int": {"value_int": 3},
        "floats": {"value_floats": [1.5, 2.5]}, "ints": {"value_ints": [1, 2]},
    }.items():
        one("Constant", label=label, **attributes)


def stored_types():
    """Numbers of all types and in all fields that initialisers have."""
    for kind in [np.float16, np.float64, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, bool]:
        value = np.array([0, 1, 2, 100], kind) if kind not in (np.float16, np.float64) else np.array([1.5, -6e-5, 0, 6e-8], kind)
        target = TensorProto.FLOAT if np.dtype(kind).kind == "f" else TensorProto.INT64
        node = helper.make_node("Cast", ["x0"], ["y"], to=target)
        case(f"stored {np.dtype(kind).name}", [node], {}, {"x0": value})
    for kind, values in [(TensorProto.FLOAT, [1.5, -2]), (TensorProto.DOUBLE, [1.5, -2]), (TensorProto.INT32, [3, -4]),
                         (TensorProto.INT64, [3, -4]), (TensorProto.BOOL, [1, 0]), (TensorProto.FLOAT16, [1.5, -2]),
                         (TensorProto.UINT32, [3, 4])]:
        value = helper.make_tensor("x", kind, [2], values)
        assert not value.raw_data
        nodes = [helper.make_node("Constant", [], ["x"], value=value), helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)]
        case(f"listed {TensorProto.DataType.Name(kind)}", nodes, {})


def policies():
    """Whole networks, as exporters write them."""
    node = helper.make_node

    def torch_like(activation, opset):
        weights = {"w0": floats(8, 5), "b0": floats(8), "w1": floats(8, 8), "b1": floats(8), "w2": floats(2, 8), "b2": floats(2)}
        nodes = [
            node("Gemm", ["x", "w0", "b0"], ["h0"], transB=1), node(activation, ["h0"], ["a0"]),
            node("Gemm", ["a0", "w1", "b1"], ["h1"], transB=1), node(activation, ["h1"], ["a1"]),
            node("Gemm", ["a1", "w2", "b2"], ["h2"], transB=1), node("Tanh", ["h2"], ["y"]),
        ]
        case(f"torch {activation}-{opset}", nodes, {"x": floats(1, 5)}, weights, opset=opset)

    for activation, opset in [("Tanh", 11), ("Relu", 17), ("Elu", 28), ("Gelu", 20)]:
        torch_like(activation, opset)
    # stable-baselines3: the mean of a distribution, and a value that nobody asks for.
    case("stable-baselines3", [
        node("Flatten", ["x"], ["flat"], axis=1), node("MatMul", ["flat", "w0"], ["h"]), node("Add", ["h", "b0"], ["s"]),
        node("Tanh", ["s"], ["a"]), node("Gemm", ["a", "w1", "b1"], ["mean"], transB=1),
        node("Clip", ["mean", "low", "high"], ["y"]), node("Gemm", ["a", "w2", "b2"], ["value"], transB=1),
    ], {"x": floats(1, 4)}, {"w0": floats(4, 6), "b0": floats(6), "w1": floats(2, 6), "b1": floats(2), "w2": floats(1, 6), "b2": floats(1),
                             "low": np.float32(-1), "high": np.float32(1)})
    # A batch of unknown size, by way of its shape.
    case("shapes", [
        node("Shape", ["x"], ["shape"]), node("Gather", ["shape", "zero"], ["n"], axis=0), node("Unsqueeze", ["n", "axes"], ["n1"]),
        node("Concat", ["n1", "two"], ["wanted"], axis=0), node("Reshape", ["x", "wanted"], ["parts"]),
        node("Expand", ["token", "shape2"], ["t"]), node("Concat", ["parts", "t"], ["joined"], axis=1),
        node("ReduceMean", ["joined"], ["y"], axes=[1], keepdims=0),
    ], {"x": floats(1, 6)}, {"zero": np.int64(0), "axes": array(0), "two": array(2, 3), "token": floats(1, 1, 3), "shape2": array(1, 2, 3)})
    # One query over three objects: attention by hand.
    case("attention", [
        node("MatMul", ["x", "wq"], ["q"]), node("MatMul", ["x", "wk"], ["k"]), node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
        node("MatMul", ["q", "kt"], ["scores"]), node("Div", ["scores", "root"], ["scaled"]), node("Softmax", ["scaled"], ["p"], axis=-1),
        node("MatMul", ["p", "x"], ["mixed"]), node("LayerNormalization", ["mixed", "g", "b"], ["y"]),
    ], {"x": floats(1, 3, 4)}, {"wq": floats(4, 4), "wk": floats(4, 4), "root": np.float32(2), "g": floats(4), "b": floats(4)})
    # scikit-learn: scaled in float64, then layers of MatMul and Add.
    case("skl2onnx", [
        node("Cast", ["x"], ["wide"], to=TensorProto.DOUBLE), node("Sub", ["wide", "offset"], ["centred"]),
        node("Div", ["centred", "scale"], ["scaled"]), node("MatMul", ["scaled", "w"], ["h"]), node("Add", ["h", "b"], ["s"]),
        node("Relu", ["s"], ["a"]), node("MatMul", ["a", "v"], ["o"]), node("Cast", ["o"], ["n"], to=TensorProto.FLOAT),
        node("Reshape", ["n", "shape"], ["y"]),
    ], {"x": floats(1, 4)}, {"offset": floats(4).astype(np.float64), "scale": floats(4, low=0.5).astype(np.float64),
                             "w": floats(4, 5).astype(np.float64), "b": floats(1, 5).astype(np.float64),
                             "v": floats(5, 2).astype(np.float64), "shape": array(-1, 2)})


for make in [each_element, pairs, matrices, reductions, normal, layout, create, stored_types, policies]:
    make()
made_by = f"onnx {onnx.__version__}, ReferenceEvaluator, numpy {np.__version__}"
lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in CASES)
path = pathlib.Path(__file__).with_name("cases.json")
path.write_text(f'{{"made_by":"{made_by}","cases":[\n{lines}\n]}}\n')
print(f"{len(CASES)} cases, {path.stat().st_size} bytes")
