"""The learner in one file: reproducible, and what it exports is what it plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

touchline = pytest.importorskip("touchline")
torch: Any = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from touchline.examples import train_ppo  # noqa: E402
from touchline.examples.policy import Geometry, Policy  # noqa: E402

SMALL = train_ppo.Settings(worlds=8, rollout=8, epochs=2, minibatch=32, hidden=8)


def learn(seed: int, lines: list[dict[str, Any]], threads: int = 1) -> tuple[Any, dict[str, Any]]:
    settings = train_ppo.Settings(**{**vars(SMALL), "threads": threads})
    return train_ppo.train(
        "goalkeeper", ["none", "block-2"], {"episode.max_s": 1.0}, steps=320, minutes=0.0, seed=seed, settings=settings, report=lines.append
    )


def test_a_run_depends_on_its_seed_alone():
    lines: list[dict[str, Any]] = []
    policies = [learn(seed, lines, threads)[0].arrays() for seed, threads in ((1, 1), (1, 2), (2, 1))]
    same = [all(np.array_equal(policies[0][name], other[name]) for name in other) for other in policies]
    assert same == [True, True, False]
    # Eight worlds for eight decisions an update.
    assert [line["steps"] for line in lines[:5]] == [64, 128, 192, 256, 320]
    assert sum(line["episodes"] for line in lines[:5]) == 32
    assert set(lines[4]["goals"]) <= {"none", "block-2"}


def test_the_fixed_layer_knows_directions_and_distances():
    names = ["truth.pose.x", "truth.pose.y", "truth.ball-0.x", "truth.ball-0.y", "truth.goals.0.x1", "truth.goals.0.y1", "clock"]
    geometry = Geometry.of(names)
    # Two places and the way between them; all but the clock as it is.
    assert (geometry.used.shape, geometry.x.shape, geometry.features) == ((7, 6), (7, 3), 18)
    policy = Policy(names, ["drive.forward", "kicker.kick"], 4)
    features = policy.features(torch.tensor([[9.0, 9.0, 3.0, 4.0, 3.0, 6.0, 0.5]])).numpy()[0]
    assert np.allclose(features[:6], [9.0, 9.0, 3.0, 4.0, 3.0, 6.0])
    assert np.allclose(features[6:9], [0.6, 3.0 / 45.0**0.5, 0.0], atol=1e-3)
    assert np.allclose(features[9:12], [0.8, 6.0 / 45.0**0.5, 1.0], atol=1e-3)
    assert np.allclose(features[12:15], [5.0, 45.0**0.5, 2.0], atol=1e-3)


def test_of_a_robot_that_is_not_there_nothing_is_told():
    names = ["truth.pose.cos", "truth.ball-0.x", "truth.ball-0.y"]
    names += [f"truth.keeper.{word}" for word in ("x", "y", "cos", "sin", "velocity_x", "velocity_y")]
    policy = Policy(names, ["drive.forward"], 4)
    gone = torch.tensor([[1.0, 3.0, 4.0] + [-1.0] * 6, [1.0, 1.0, 7.0] + [-1.0] * 6])
    features = policy.features(gone).numpy()
    # As it is: 9; x, y, distance and nearness of ball, keeper, and the way between them.
    assert np.array_equal(features[:, 3:9], np.zeros((2, 6))) and np.allclose(features[0, 9:12], [0.6, 0.0, 0.0], atol=1e-4)
    assert np.array_equal(features[0, [10, 11, 13, 14, 16, 17, 19, 20]], np.zeros(8))
    there = torch.tensor([[1.0, 3.0, 4.0, 3.0, 0.0, 0.6, 0.8, 0.5, 0.0]])
    assert np.allclose(policy.features(there).numpy()[0, [3, 5, 10, 17]], [3.0, 0.6, 1.0, 4.0], atol=1e-3)


def test_what_is_exported_is_what_is_played(tmp_path: Path):
    onnx: Any = pytest.importorskip("onnx", reason="onnx is not installed")
    from onnx.reference import ReferenceEvaluator
    from touchline.examples.evaluate import load

    policy, metadata = learn(3, [])
    path = tmp_path / "policy.onnx"
    train_ppo.export(policy, metadata, str(path))
    generator = np.random.default_rng(1)
    observation = generator.uniform(-5.0, 5.0, (200, len(metadata["touchline.observe"]))).astype(np.float32)
    # The keeper is there in some rows, and not in others.
    keeper = [number for number, name in enumerate(metadata["touchline.observe"]) if name.startswith("truth.keeper.")]
    observation[:100, keeper[2]], observation[:100, keeper[3]] = 0.6, -0.8
    observation[100:, keeper] = -1.0
    for rows in (1, 200):
        played = policy.decide(torch.from_numpy(observation[:rows])).numpy()
        for run in (lambda x: ReferenceEvaluator(str(path)).run(["action"], {"observation": x})[0], load(str(path))):
            assert np.allclose(run(observation[:rows]), played, atol=1e-5)
    model = onnx.load(str(path))
    assert model.opset_import[0].version <= 17
    told = {entry.key: entry.value for entry in model.metadata_props}
    assert json.loads(told["touchline.act"]) == ["drive.forward", "drive.turn", "kicker.kick"]
    assert json.loads(told["touchline.observe"])[0] == "truth.pose.x" and float(told["touchline.decision_s"]) == 0.1
    assert told["touchline.world"] == "goalkeeper" and json.loads(told["touchline.trained"])["steps"] == 320


def test_decisions_are_inside_the_space():
    policy = Policy(touchline.Batch("goalkeeper").observation_names, ["drive.forward", "drive.turn", "kicker.kick"], 4)
    with torch.no_grad():
        policy.actor[-1].weight.mul_(1000.0)
    decided = policy.decide(torch.randn(500, 24)).numpy()
    assert np.abs(decided).max() == 1.0 and set(np.unique(decided[:, 2])) == {-1.0, 1.0}


def test_the_curve_is_a_picture(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from touchline.examples.curve import draw, shares

    lines = [{"steps": 10**6 * i, "cpu_s": 9.0 * i, "goals": {"block-1": [i, 10], "block-2": [0, 10]}} for i in range(1, 11)]
    steps, rates = shares(lines, ["block-1"])
    assert steps[-1] == 10.0 and rates[-1] == 100.0 and shares(lines, ["block-1", "block-2"])[1][-1] == 50.0
    draw(lines, str(tmp_path / "curve.png"), title="a curve", reference=[82.2, 79.7, 84.4])
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
