"""How fast PPO of Stable-Baselines3 learns on the batch, unmodified, and where the time goes.

    python clients/python/benchmarks/sb3.py [--world goalkeeper] [--steps 1000000] [--json]

Time is that of the processor, over all threads of this process; torch and the worlds have one thread each. The number is the median of
so many rounds of playing and learning, without the first. `worlds` is the batch's step; `adapter` what `touchline.sb3` adds to it;
`playing` the rest of SB3's rollouts, its net included; `learning` what SB3 does with them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import Any, Callable

import torch
from stable_baselines3 import PPO
from touchline.sb3 import TouchlineVecEnv


class Clock:
    """Processor time spent in some methods."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def watch(self, owner: Any, method: str, name: str) -> None:
        """Counts what a method takes, and what it calls."""
        inner: Callable[..., Any] = getattr(owner, method)
        self.spent[name] = 0.0

        def timed(*args: Any, **kwargs: Any) -> Any:
            began = time.process_time()
            try:
                return inner(*args, **kwargs)
            finally:
                self.spent[name] += time.process_time() - began

        setattr(owner, method, timed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="goalkeeper")
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=1_000_000, help="of all worlds together")
    parser.add_argument("--n-steps", type=int, default=32)
    parser.add_argument("--batch-size", type=int, default=8192)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=64, help="of each of the two layers of both nets; 64 is SB3's own")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    torch.set_num_threads(1)
    env = TouchlineVecEnv(given.world, given.worlds, threads=1)
    model = PPO(
        "MlpPolicy",
        env,
        n_steps=given.n_steps,
        batch_size=given.batch_size,
        n_epochs=given.epochs,
        policy_kwargs={"net_arch": [given.hidden, given.hidden]},
        device="cpu",
        seed=1,
    )
    each = given.n_steps * given.worlds
    model.learn(each)
    clock = Clock()
    clock.watch(env.batch, "step", "worlds")
    clock.watch(env, "step_async", "async")
    clock.watch(env, "step_wait", "wait")
    clock.watch(model, "collect_rollouts", "rollouts")
    clock.watch(model, "train", "learning")
    rates, rounds = [], max(3, given.steps // each)
    whole = time.process_time()
    for _ in range(rounds):
        began = time.process_time()
        model.learn(each, reset_num_timesteps=False)
        rates.append(each / (time.process_time() - began))
    whole = time.process_time() - whole
    spent = clock.spent
    adapter = spent["async"] + spent["wait"]
    parts = {
        "worlds": spent["worlds"],
        "adapter": adapter - spent["worlds"],
        "playing": spent["rollouts"] - adapter,
        "learning": spent["learning"],
        "other": whole - spent["rollouts"] - spent["learning"],
    }
    result = {
        "environment steps per CPU-second": round(statistics.median(rates)),
        "rounds": rounds,
        "shares": {name: round(part / whole, 3) for name, part in parts.items()},
        "microseconds a step": {name: round(1e6 * part / (rounds * each), 2) for name, part in parts.items()},
    }
    if given.json:
        print(json.dumps(result))
        return
    print(f"{result['environment steps per CPU-second']:,} environment steps per CPU-second, median of {rounds} rounds")
    for name, part in parts.items():
        print(f"{name:10} {100.0 * part / whole:5.1f} %   {1e6 * part / (rounds * each):6.2f} us a step of one world")


if __name__ == "__main__":
    main()
