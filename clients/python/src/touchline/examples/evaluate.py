"""Plays the goalkeeper benchmark with a policy: its fixed starts, its seeds, its table.

    python -m touchline.examples.evaluate attacker.onnx --levels all --json
    python -m touchline.examples.evaluate attacker.onnx --world goalkeeper-discs --set dt_s=0.02

Needs ``onnx``, whose reference carries the file out (or ``onnxruntime``, if that is there: it is faster). The episodes are those of
``touchline benchmark goalkeeper``: episode k begins with row k of the list, and its world has the seed ``episode_seed(seed, k, 0)``.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from touchline import Batch, episode_seed

from .keepers import changes_of, keepers, unseen
from .settings import add_settings

_Floats = NDArray[np.float32]
Decide = Callable[[_Floats], _Floats]
"""From observations [N, O] to decisions [N, D]."""

WORLDS = 125
STARTS = {"episode.starts_file": "parts/goalkeeper-starts.csv"}


@dataclass
class Score:
    """What became of the episodes against one keeper."""

    keeper: str
    outcomes: dict[str, int]
    seconds_to_goal: float | None
    """Mean, of the episodes with a goal."""

    @property
    def episodes(self) -> int:
        return sum(self.outcomes.values())

    @property
    def goals(self) -> int:
        return self.outcomes.get("goal", 0)

    def line(self) -> str:
        low, high = wilson_95(self.goals, self.episodes)
        shares = (f"{name} {100.0 * count / self.episodes:4.1f}" for name, count in sorted(self.outcomes.items()) if name != "goal")
        secs = "" if self.seconds_to_goal is None else f"{self.seconds_to_goal:5.2f} s to goal"
        rate = 100.0 * self.goals / self.episodes
        return f"{self.keeper:12} {rate:5.1f} % [{100 * low:4.1f}, {100 * high:5.1f}]  {secs}  {', '.join(shares)}"


def wilson_95(hits: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate."""
    z, share = 1.959963984540054, hits / trials
    middle = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1.0 - share) / trials + z * z / (4 * trials * trials))
    return (middle - half) / (1 + z * z / trials), (middle + half) / (1 + z * z / trials)


def evaluate(
    decide: Decide,
    keeper: str,
    *,
    world: str = "goalkeeper",
    changes: Mapping[str, Any] | None = None,
    episodes: int = 1000,
    seed: int = 1,
) -> Score:
    """Plays all episodes against one keeper; ``changes`` are values to be set in the world file first."""
    count = min(WORLDS, episodes)
    outcomes: Counter[str] = Counter()
    seconds = 0.0
    with Batch(world, count, changes={**STARTS, **changes_of(keeper), **(changes or {})}, clip=True) as batch:
        arrays = batch.reset(seed)
        missing = unseen(keeper, batch.observation_names)
        playing = list(range(count))
        next_one = count
        batch.begin(playing, [episode_seed(seed, k, 0) for k in playing], playing)
        while outcomes.total() < episodes:
            arrays.observation[:, :, missing] = -1.0
            batch.step(np.ascontiguousarray(decide(arrays.observation[:, 0])[:, None], np.float32))
            begun: list[tuple[int, int]] = []
            for ended in batch.ended:
                # A world that has no more episodes to play goes on, and is of no interest.
                if playing[ended.environment] >= episodes:
                    continue
                if ended.fault is not None:
                    raise RuntimeError(f"{keeper}: a plugin failed, and what was played is no result: {ended.fault}")
                outcomes[ended.outcome] += 1
                if ended.outcome == "goal":
                    seconds += ended.steps * batch.step_secs
                playing[ended.environment] = next_one
                if next_one < episodes:
                    begun.append((ended.environment, next_one))
                next_one += 1
            if begun:
                which, rows = [one for one, _ in begun], [k for _, k in begun]
                batch.begin(which, [episode_seed(seed, k, 0) for k in rows], rows)
    goals = outcomes["goal"]
    return Score(keeper, dict(outcomes), round(seconds / goals, 3) if goals else None)


def load(path: str) -> Decide:
    """The policy of an ONNX file."""
    run: Any
    try:
        import onnxruntime
    except ImportError:
        from onnx.reference import ReferenceEvaluator

        run = ReferenceEvaluator(path).run
    else:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        run = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"]).run

    def decide(observation: _Floats) -> _Floats:
        action: _Floats = run(["action"], {"observation": np.ascontiguousarray(observation)})[0]
        return action

    return decide


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", nargs="+", help="an ONNX file, or several: of several training seeds")
    parser.add_argument("--levels", default="all", help="the keepers, such as block-2,intercept; default all")
    parser.add_argument("--world", default="goalkeeper", help="a shipped world whose starts are the benchmark's")
    add_settings(parser)
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each policy and keeper")
    given = parser.parse_args()
    policies = {path: load(path) for path in given.policy}
    changes = dict(given.set)
    for keeper in keepers(given.levels):
        for path, decide in policies.items():
            score = evaluate(decide, keeper, world=given.world, changes=changes, episodes=given.episodes, seed=given.seed)
            if given.json:
                line = {"policy": path, "keeper": keeper, "outcomes": score.outcomes, "seconds_to_goal": score.seconds_to_goal}
                print(json.dumps({**line, "wilson_95": wilson_95(score.goals, score.episodes)}), flush=True)
            else:
                print(score.line() if len(policies) == 1 else f"{path}: {score.line()}", flush=True)


if __name__ == "__main__":
    main()
