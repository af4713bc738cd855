"""One world at a time, here and in other simulators, in one run: steps of an environment per second of processor time.

    pip install mpe2 ir-sim pettingzoo gymnasium
    python clients/python/benchmarks/peers.py [--seconds 4] [--json]

What is not installed is left out by name. Each pair is measured in turns, with random actions that were drawn before; a number is the median of
five rounds. The pairs are alike in what they are used for, not in what they simulate:

- PettingZoo's `simple_tag` of mpe2 (four discs, a step of 0.1 s) against the ParallelEnv of `3v3` (six robots with wheels, five steps of 0.02 s).
- ir-sim with one robot, ten obstacles and a lidar of 100 beams (a step of 0.1 s) against the Env of `goalkeeper-laser` (two robots, a ball, a
  laser of 361 beams and a camera, five steps of 0.02 s).
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import touchline
from touchline.gym import TouchlineEnv

ROUNDS = 5
LIDAR_WORLD = """
world: {height: 20, width: 20, step_time: 0.1}
robot:
  - kinematics: {name: diff}
    shape: {name: circle, radius: 0.2}
    state: [2, 2, 0]
    goal: [18, 18, 0]
    vel_max: [1, 1]
    sensors:
      - {name: lidar2d, range_min: 0, range_max: 10, angle_range: 3.14, number: 100, noise: false}
obstacle:
  - number: 10
    distribution: {name: random, range_low: [4, 4, -3.14], range_high: [16, 16, 3.14]}
    shape: {name: circle, radius: 0.5}
"""
Step = Callable[[], Any]


def team(env: Any) -> Step:
    """Steps a ParallelEnv, and begins anew when nobody is left."""
    env.reset(seed=1)
    spaces = {agent: env.action_space(agent) for agent in env.possible_agents}
    for number, space in enumerate(spaces.values()):
        space.seed(number)
    actions = itertools.cycle([{agent: space.sample() for agent, space in spaces.items()} for _ in range(16)])

    def step() -> None:
        env.step(next(actions))
        if not env.agents:
            env.reset()

    return step


def laser() -> Step:
    env = TouchlineEnv("goalkeeper-laser")
    env.reset(seed=1)
    env.action_space.seed(1)
    actions = itertools.cycle([env.action_space.sample() for _ in range(16)])

    def step() -> None:
        *_, terminated, truncated, _ = env.step(next(actions))
        if terminated or truncated:
            env.reset()

    return step


def irsim_lidar(folder: Path) -> Step:
    import irsim

    path = folder / "lidar.yaml"
    path.write_text(LIDAR_WORLD, encoding="utf-8")
    env = irsim.make(str(path), disable_all_plot=True, log_level="ERROR")
    generator = np.random.default_rng(1)
    actions = itertools.cycle([generator.uniform([0.0, -1.0], [1.0, 1.0]).reshape(2, 1) for _ in range(16)])

    def step() -> None:
        env.step(next(actions))
        env.get_lidar_scan()
        if env.done():
            env.reset()

    return step


def mpe_tag() -> Step:
    from mpe2 import simple_tag_v3

    return team(simple_tag_v3.parallel_env(max_cycles=600, continuous_actions=True))


def rate(step: Step, seconds: float) -> float:
    """Steps per second of processor time."""
    began, steps = time.process_time(), 0
    while (cpu := time.process_time() - began) < seconds:
        step()
        steps += 1
    return steps / cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0, help="processor time of each measurement")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        pairs = [
            ("mpe2", "3v3", "simple_tag", lambda: team(touchline.parallel_env("3v3")), mpe_tag),
            ("irsim", "goalkeeper-laser", "ir-sim, lidar", laser, lambda: irsim_lidar(Path(folder))),
        ]
        for module, ours, theirs, make_ours, make_theirs in pairs:
            if importlib.util.find_spec(module) is None:
                print(f"{theirs}: left out, the module {module} is not installed")
                continue
            sides = [make_ours(), make_theirs()]
            rates = [[rate(step, given.seconds / ROUNDS) for step in sides] for _ in range(ROUNDS)]
            touchlines, peers = (statistics.median(side) for side in zip(*rates, strict=True))
            rows.append({"world": ours, "touchline": touchlines, "peer": theirs, "peers": peers, "ratio": touchlines / peers})
    if given.json:
        print(json.dumps(rows))
        return
    print("steps of one environment per CPU-second")
    for row in rows:
        print(f"{row['world']:17} {row['touchline']:10,.0f}   {row['peer']:14} {row['peers']:8,.0f}   ratio {row['ratio']:.1f}")


if __name__ == "__main__":
    main()
