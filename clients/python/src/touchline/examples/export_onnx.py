"""Writes a policy as ONNX: one graph of plain operators from raw observations to decisions. Needs the package ``onnx``.

Input ``observation`` [N, O], output ``action`` [N, D], both float32, in the order of the world's words; the fixed layer and the scales
are inside. What the numbers mean is in the file's metadata. The player plugin ``onnx`` plays such a file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Of the operators, and of the file: old enough for everybody who reads ONNX.
OPSET = 17
IR = 8


def graph_of(arrays: Mapping[str, Any], decided: Sequence[str], *, tiny_m2: float, near_m: float, limit: float) -> Any:
    """The graph of ``Policy.decide``, from its arrays."""
    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(name: str, value: Any) -> str:
        constants.append(numpy_helper.from_array(np.asarray(value, np.float32), name))
        return name

    def add(operator: str, *inputs: str, to: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(operator, list(inputs), [to], name=to, **attributes))
        return to

    parts = {
        name: add("MatMul", "observation", constant(f"m_{name}", arrays[name]), to=name) for name in ("used", "x", "y", "cos", "sin")
    }

    def squares(one: str, other: str) -> str:
        return add("Add", add("Mul", one, one, to=f"{one}_2"), add("Mul", other, other, to=f"{other}_2"), to=f"{one}_{other}")

    # 1 for a robot that is not there; then 0 for what is told of it.
    one = constant("one", 1.0)
    missing = add("Sub", squares("cos", "sin"), one, to="missing")
    there = {
        name: add("Sub", one, add("MatMul", missing, constant(f"m_{name}", arrays[name]), to=name), to=f"{name}_there")
        for name in ("of_used", "of_ways")
    }
    distance = add("Sqrt", add("Add", squares("x", "y"), constant("tiny", tiny_m2), to="above_zero"), to="distance")
    near = add("Div", there["of_ways"], add("Add", distance, constant("near_m", near_m), to="beyond"), to="near")
    ways = [add("Div", add("Mul", name, there["of_ways"], to=f"{name}_of_way"), distance, to=f"{name}_unit") for name in ("x", "y")]
    used = add("Mul", parts["used"], there["of_used"], to="used_there")
    distance = add("Mul", distance, there["of_ways"], to="distance_there")
    features = add("Concat", used, *ways, distance, near, to="features", axis=1)
    centred = add("Sub", features, constant("centre", arrays["centre"]), to="centred")
    scaled = add("Div", centred, constant("scale", arrays["scale"]), to="scaled")
    last = add("Clip", scaled, constant("lowest", -limit), constant("highest", limit), to="clipped")
    layers = sorted({int(name.split(".")[1]) for name in arrays if name.startswith("actor.")})
    for layer in layers:
        weight = constant(f"weight_{layer}", arrays[f"actor.{layer}.weight"])
        bias = constant(f"bias_{layer}", arrays[f"actor.{layer}.bias"])
        last = add("Gemm", last, weight, bias, to=f"layer_{layer}", transB=1)
        if layer != layers[-1]:
            last = add("Tanh", last, to=f"tanh_{layer}")
    is_switch = np.asarray([not name.startswith("drive") for name in decided], np.float32)
    speeds = add("Clip", last, constant("minus_one", -1.0), one, to="speeds")
    speeds = add("Mul", speeds, constant("is_speed", 1.0 - is_switch), to="only_speeds")
    switches = add("Mul", add("Sign", last, to="signs"), constant("is_switch", is_switch), to="only_switches")
    add("Add", speeds, switches, to="action")
    shape = {"observation": arrays["used"].shape[0], "action": len(decided)}
    values = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", shape[name]]) for name in shape}
    return helper.make_graph(nodes, "policy", [values["observation"]], [values["action"]], constants)


def save(
    path: str | os.PathLike[str], arrays: Mapping[str, Any], decided: Sequence[str], metadata: Mapping[str, Any], **numbers: float
) -> None:
    """Writes the file; what is no text in the metadata is written as JSON."""
    graph = graph_of(arrays, decided, **numbers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="touchline")
    model.ir_version = IR
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in metadata.items()}
    helper.set_model_props(model, texts)
    onnx.checker.check_model(model)
    onnx.save(model, os.fspath(path))
