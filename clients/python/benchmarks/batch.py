"""How fast the batch is from Python, and what Python costs.

    python clients/python/benchmarks/batch.py [--world goalkeeper] [--seconds 5] [--json]

Time is that of the processor, over all threads of this process: others on the machine lengthen the wall clock, not this. A number is the
median of five runs. What Python costs is the time of a step less that of the same step inside the engine: both sides are
measured on a world whose every step is short, and the difference is that of medians over many steps.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import time
from typing import Any, Callable

import numpy as np
import touchline

RUNS = 5


def actions(batch: touchline.Batch, count: int = 16) -> list[Any]:
    """Random decisions, made before the clock runs."""
    generator = np.random.default_rng(1)
    return [generator.uniform(-1, 1, batch.action_shape).astype(np.float32) for _ in range(count)]


def rate(step: Callable[[int], Any], worlds: int, seconds: float) -> float:
    """Steps of one world per second of processor time: the median of the runs."""
    rates = []
    for _ in range(RUNS):
        began, steps = time.process_time(), 0
        while (spent := time.process_time() - began) < seconds / RUNS:
            for _ in range(max(1, 256 // worlds)):
                step(steps)
                steps += 1
        rates.append(steps * worlds / spent)
    return statistics.median(rates)


def of_batch(world: str, worlds: int, seconds: float) -> float:
    """The plain loop of a learner over its own buffers."""
    with touchline.Batch(world, worlds, threads=1) as batch:
        batch.reset(1)
        decided, rollout = actions(batch), batch.make_rollout(16)
        return rate(lambda t: batch.step(decided[t % 16], out=rollout[t % 16]), worlds, seconds)


def of_env(world: str, seconds: float) -> float:
    """One world through gymnasium.Env."""
    from touchline.gym import TouchlineEnv

    env = TouchlineEnv(world)
    decided = [one[0, 0] for one in actions(env.batch)]
    env.reset(seed=1)

    def step(t: int) -> None:
        *_, terminated, truncated, _ = env.step(decided[t % 16])
        if terminated or truncated:
            env.reset()

    return rate(step, 1, seconds)


def of_vector_env(world: str, worlds: int, seconds: float) -> float:
    """Many through gymnasium.vector.VectorEnv."""
    from touchline.gym import TouchlineVectorEnv

    env = TouchlineVectorEnv(world, worlds, threads=1)
    env.reset(seed=1)
    decided = [one[:, 0] for one in actions(env.batch)]
    return rate(lambda t: env.step(decided[t % 16]), worlds, seconds)


def overhead_us(world: str, worlds: int) -> float:
    """What a step costs beside the engine, microseconds: everything is done but the worlds' own steps.

    The engine refuses a decision that is out of range as the last of its checks, so a step with one goes all the way from Python into
    the engine and back, and steps nothing. An exception is dearer than the return that it stands for.
    """
    with touchline.Batch(world, worlds, threads=1) as batch:
        batch.reset(1)
        rollout = batch.make_rollout(1)
        bad = np.zeros(batch.action_shape, np.float32)
        bad[-1, -1, -1] = 2.0
        times = []
        for _ in range(2000):
            began = time.perf_counter_ns()
            try:
                batch.step(bad, out=rollout[0])
            except ValueError:
                pass
            times.append(time.perf_counter_ns() - began)
        return statistics.median(times) / 1e3


def vector_overhead_us(world: str, worlds: int, seconds: float) -> float:
    """What the vector environment adds to the batch, microseconds of processor time a step: both in turns."""
    from touchline.gym import TouchlineVectorEnv

    env = TouchlineVectorEnv(world, worlds, threads=1)
    env.reset(seed=1)
    spent = {True: [], False: []}
    decided = actions(env.batch)
    flat = [np.ascontiguousarray(one[:, 0]) for one in decided]
    began = time.process_time()
    turn = 0
    while time.process_time() - began < seconds:
        turn += 1
        through = turn % 2 == 0
        start = time.process_time_ns()
        if through:
            env.step(flat[turn % 16])
        else:
            env.batch.step(decided[turn % 16])
        spent[through].append(time.process_time_ns() - start)
    return (statistics.median(spent[True]) - statistics.median(spent[False])) / 1e3


def threads_ratio(world: str, worlds: int, seconds: float) -> float:
    """How much faster two threads are than one, by the wall clock: of use on a machine that does nothing else."""
    rates = []
    for threads in (1, 2):
        with touchline.Batch(world, worlds, threads=threads) as batch:
            batch.reset(1)
            decided = actions(batch)
            began, steps = time.monotonic(), 0
            while time.monotonic() - began < seconds:
                batch.step(decided[steps % 16])
                steps += 1
            rates.append(steps / (time.monotonic() - began))
    return rates[1] / rates[0]


def memory_kb(world: str) -> float:
    """Resident kilobytes of one more world."""

    def resident() -> int:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    first = touchline.Batch(world, 1, threads=1)
    first.reset(1)
    before = resident()
    many = touchline.Batch(world, 2000, threads=1)
    many.reset(1)
    for decided in actions(many, 4):
        many.step(decided)
    return (resident() - before) / 2000 / 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="goalkeeper")
    parser.add_argument("--seconds", type=float, default=5.0, help="processor time of each measurement")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    world, seconds = given.world, given.seconds
    rows: dict[str, float] = {
        "batch, 1 world, steps/CPU-s": of_batch(world, 1, seconds),
        "batch, 32 worlds, steps/CPU-s": of_batch(world, 32, seconds),
        "batch, 1,024 worlds, steps/CPU-s": of_batch(world, 1024, seconds),
        "gymnasium.Env, steps/CPU-s": of_env(world, seconds),
        "VectorEnv, 1,024 worlds, steps/CPU-s": of_vector_env(world, 1024, seconds),
        "Python's part of a step of 1,024 worlds, us": overhead_us(world, 1024),
        "VectorEnv beside the batch, 1,024 worlds, us": vector_overhead_us(world, 1024, seconds),
        "two threads against one, 1,024 worlds": threads_ratio(world, 1024, seconds),
        "memory of a world, kB": memory_kb(world),
    }
    if given.json:
        print(json.dumps(rows))
        return
    for name, number in rows.items():
        print(f"{name:48} {number:12,.1f}")


if __name__ == "__main__":
    main()
