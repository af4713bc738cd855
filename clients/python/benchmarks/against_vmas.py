"""Three against three, here and in VMAS, in one run: simulated seconds per second of processor time.

    pip install vmas torch
    python clients/python/benchmarks/against_vmas.py [--worlds 1,32,1024] [--seconds 4] [--json]

VMAS 1.5's scenario `football` has discs driven by forces, soft contacts and steps of 0.1 s (in five parts), six learners, observations and rewards
in tensors. `3v3` has robots with wheels and a kicker, hard contacts, a referee, steps of 0.02 s, and decides every 0.1 s; `3v3-discs` is the same with
round robots, the physics of discs, and steps of 0.05 s. All step with random actions that were drawn before, give observations and rewards, and begin episodes anew
when they end, on one thread; they are measured in turns. A number is the median of five rounds, a ratio that of the pairs, with the least and the most.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import Any, Callable

import numpy as np
import touchline

ROUNDS = 5
OURS = ("3v3", "3v3-discs")
# Episodes of this many decisions: a minute, as in 3v3.
HORIZON = 600


def ours(world: str, worlds: int) -> tuple[Callable[[], Any], float]:
    """A step of all worlds, and the simulated seconds in it."""
    batch = touchline.Batch(world, worlds, threads=1, autoreset="same_step")
    batch.reset(1)
    generator = np.random.default_rng(1)
    actions = [generator.uniform(-1, 1, batch.action_shape).astype(np.float32) for _ in range(16)]
    rollout = batch.make_rollout(16)
    tick = 0

    def step() -> None:
        nonlocal tick
        batch.step(actions[tick % 16], out=rollout[tick % 16])
        tick += 1

    return step, worlds * batch.decision_secs


def theirs(worlds: int) -> tuple[Callable[[], Any], float]:
    """The same of VMAS."""
    import torch
    import vmas

    torch.set_num_threads(1)
    env = vmas.make_env(
        "football",
        worlds,
        device="cpu",
        continuous_actions=True,
        seed=1,
        n_blue_agents=3,
        n_red_agents=3,
        ai_red_agents=False,
    )
    env.reset()
    torch.manual_seed(1)
    actions = [[2 * torch.rand(worlds, env.get_agent_action_size(agent)) - 1 for agent in env.agents] for _ in range(16)]
    tick = 0

    def step() -> None:
        nonlocal tick
        *_, done, _ = env.step(actions[tick % 16])
        tick += 1
        if tick % HORIZON == 0:
            env.reset()
        elif done.any():
            for world in torch.nonzero(done).flatten().tolist():
                env.reset_at(world)

    return step, worlds * env.world.dt


def spent(step: Callable[[], Any], seconds: float) -> tuple[float, int]:
    """Processor time of some steps, and how many there were."""
    began, steps = time.process_time(), 0
    while (cpu := time.process_time() - began) < seconds:
        step()
        steps += 1
    return cpu, steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", default="1,32,1024")
    parser.add_argument("--seconds", type=float, default=4.0, help="processor time of each measurement")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    for worlds in [int(word) for word in given.worlds.split(",")]:
        sides = [*(ours(world, worlds) for world in OURS), theirs(worlds)]
        rates: list[list[float]] = [[] for _ in sides]
        for step, _ in sides:
            spent(step, given.seconds / ROUNDS)
        for _ in range(ROUNDS):
            for (step, secs), rate in zip(sides, rates, strict=True):
                cpu, steps = spent(step, given.seconds / ROUNDS)
                rate.append(steps * secs / cpu)
        *touchlines, vmas = rates
        for world, rate in zip(OURS, touchlines, strict=True):
            ratios = sorted(own / other for own, other in zip(rate, vmas, strict=True))
            row = {"world": world, "worlds": worlds, "touchline": statistics.median(rate), "vmas": statistics.median(vmas)}
            rows.append({**row, "ratio": statistics.median(ratios), "ratios": [ratios[0], ratios[-1]]})
    if given.json:
        print(json.dumps(rows))
        return
    print("simulated seconds per CPU-second\nworld      worlds  touchline     VMAS  ratio (least to most)")
    for row in rows:
        least, most = row["ratios"]
        numbers = f"{row['touchline']:10,.0f} {row['vmas']:8,.0f} {row['ratio']:6.2f} ({least:.2f} to {most:.2f})"
        print(f"{row['world']:9} {row['worlds']:7,} {numbers}")


if __name__ == "__main__":
    main()
