"""Episodes of many seeds, played by a policy: with all threads of this process, or on a cluster.

The unit of work is a seed. What a seed's episodes are does not depend on who plays them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import work
from .batch import Batch, Ended, _seed, _whole

Policy = Callable[..., Any]
"""``policy(observation)`` with [N, A, O] float32, or ``policy(observation, noise)`` with [N, A, K] beside it; gives [N, A, D]."""


class Episode(NamedTuple):
    """An episode of T decisions by A agents. From a cluster the arrays come read-only."""

    seed: int
    """Which of the seeds that were asked for."""
    number: int
    """Which of its episodes, from 0."""
    observation: NDArray[np.float32]
    """[T + 1, A, O]: before each decision, and at the end."""
    action: NDArray[np.float32]
    """[T, A, D]"""
    reward: NDArray[np.float32]
    """[T, A]"""
    alive: NDArray[np.bool_]
    """[T + 1, A]"""
    terminated: bool
    """Whether the referee has ended it; otherwise its time was up."""
    ended: Ended
    """Outcome, score, and the rest that is known of its end."""


def rollouts(
    world: str | os.PathLike[str],
    policy: Policy,
    seeds: Sequence[int],
    *,
    episodes: int = 1,
    noise: int = 0,
    at_a_time: int = 32,
    clip: bool = False,
    changes: Mapping[str, Any] | None = None,
    plugins: Sequence[str | os.PathLike[str]] = (),
    runner: work.Runner | None = None,
) -> list[Episode]:
    """Plays the first ``episodes`` of each seed, as a batch of one environment with that seed does; gives them in that order.

    ``policy`` decides for ``at_a_time`` environments at once, always as many: rows past the last seed are zeros, and what it decides
    there is ignored. With ``noise`` it is given so many normal numbers for each agent and decision beside the observation, which
    depend on the seed alone: so a policy that draws is reproducible as well. For a cluster it must be possible to pickle it, and a
    world's file must be there under the same path on every machine (shipped worlds are, and a text needs no file).
    """
    seeds = [_seed(number) for number in seeds]
    at_a_time, noise = _whole("at_a_time", at_a_time, 1), _whole("noise", noise, 0)
    is_file = isinstance(world, os.PathLike) or ("\n" not in world and Path(world).is_file())
    shared = {
        "world": os.path.abspath(world) if is_file else world,
        "policy": policy,
        "episodes": _whole("episodes", episodes, 1),
        "noise": noise,
        "at_a_time": at_a_time,
        "clip": clip,
        "changes": dict(changes or {}),
        "plugins": [os.path.abspath(folder) for folder in plugins],
    }
    # Always the same seeds together: what a matrix product gives for a row may depend on how many rows there are.
    units = [{"seeds": seeds[first : first + at_a_time]} for first in range(0, len(seeds), at_a_time)]
    parts = work.run("touchline.rollouts:play_part", units, shared=shared, runner=runner)
    return [Episode(**{**played, "ended": Ended(*played["ended"])}) for part in parts for played in part]


class _Trace:
    """What happened in one environment since its episode began."""

    def __init__(self) -> None:
        self.observation: list[NDArray[np.float32]] = []
        self.action: list[NDArray[np.float32]] = []
        self.reward: list[NDArray[np.float32]] = []
        self.alive: list[NDArray[np.bool_]] = []


def play_part(unit: work.Unit, shared: Mapping[str, Any], threads: int) -> list[dict[str, Any]]:
    """Plays the episodes of some seeds: a unit of work."""
    seeds, policy, noise = unit["seeds"], shared["policy"], shared["noise"]
    count, wanted = len(seeds), shared["episodes"]
    finished: list[list[dict[str, Any]]] = [[] for _ in seeds]
    streams = [np.random.Generator(np.random.Philox(key=seed)) for seed in seeds]
    with Batch(
        shared["world"],
        count,
        threads=threads,
        clip=shared["clip"],
        changes=shared["changes"],
        plugins=shared["plugins"],
    ) as batch:
        _, agents, observed = batch.observation_shape
        seen = np.zeros((shared["at_a_time"], agents, observed), np.float32)
        drawn = np.zeros((shared["at_a_time"], agents, noise), np.float32)
        expected = (shared["at_a_time"], *batch.action_shape[1:])
        traces = [_Trace() for _ in seeds]
        arrays = batch.reset(seeds)
        for place, trace in enumerate(traces):
            trace.observation.append(arrays.observation[place].copy())
            trace.alive.append(arrays.alive[place].copy())
        is_new = np.zeros(count, np.bool_)
        while any(len(of_seed) < wanted for of_seed in finished):
            seen[:count] = arrays.observation
            if noise:
                for place, stream in enumerate(streams):
                    # The step that begins an episode decides nothing.
                    if not is_new[place]:
                        drawn[place] = stream.standard_normal((agents, noise), np.float32)
            decided = np.asarray(policy(seen, drawn) if noise else policy(seen), np.float32)
            if decided.shape != expected:
                raise ValueError(f"the policy gave the shape {list(decided.shape)}; expected is {list(expected)}")
            # A copy: the policy may give the same array again.
            decided = np.array(decided[:count], np.float32, order="C")
            arrays = batch.step(decided)
            for place in np.flatnonzero(is_new).tolist():
                # This step has begun the next episode.
                traces[place] = _Trace()
            for place, trace in enumerate(traces):
                if len(finished[place]) == wanted:
                    continue
                if not is_new[place]:
                    trace.action.append(decided[place])
                    trace.reward.append(arrays.reward[place].copy())
                trace.observation.append(arrays.observation[place].copy())
                trace.alive.append(arrays.alive[place].copy())
            is_new[:] = False
            for ended in batch.ended if batch.ended_count else []:
                place = ended.environment
                is_new[place] = True
                if len(finished[place]) < wanted:
                    terminated = bool(arrays.terminated[place])
                    finished[place].append(_episode(seeds[place], traces[place], terminated, ended))
    return [episode for of_seed in finished for episode in of_seed]


def _episode(seed: int, trace: _Trace, terminated: bool, ended: Ended) -> dict[str, Any]:
    return {
        "seed": seed,
        "number": ended.episode,
        "observation": np.stack(trace.observation),
        "action": np.stack(trace.action),
        "reward": np.stack(trace.reward),
        "alive": np.stack(trace.alive),
        "terminated": terminated,
        # Where it was played is no part of what was played.
        "ended": tuple(ended._replace(environment=0)),
    }
