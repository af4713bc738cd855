"""Proximal policy optimisation on the batch: ``python -m touchline.examples.train_ppo``. Needs PyTorch.

The learner's own buffers are what the worlds write into: nothing is copied between them. One thread for torch: the batch is large and
the net small, and the worlds have the other cores.

    python -m touchline.examples.train_ppo --level block-2 --minutes 10 --curve curve.png --export attacker.onnx

With several levels (``--level block,intercept-3``, or ``all``) each keeper has its share of the worlds, and one policy learns to
play against all of them; what it is paid then is in ``keepers.SHAPING``. With ``--steps`` instead of ``--minutes`` the result depends on the seed alone.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import nn

import touchline
from touchline import Arrays, Batch

from .keepers import SHAPING, changes_of, keepers, unseen
from .policy import Policy
from .settings import add_settings


@dataclass
class Settings:
    """What the learning is made of; the defaults are for 1,024 worlds and a small net."""

    worlds: int = 1024
    rollout: int = 16
    epochs: int = 4
    minibatch: int = 2048
    learning_rate: float = 1e-3
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.005
    hidden: int = 64
    threads: int = 0
    """Of the worlds; 0 is one for each core. It changes no result."""


class Worlds:
    """The worlds of all keepers: a batch for each, which write into parts of the same arrays."""

    def __init__(
        self, world: str, levels: Sequence[str], changes: Mapping[str, Any], settings: Settings, seed: int
    ) -> None:
        each = max(1, settings.worlds // max(1, len(levels)))
        self.batches = [
            Batch(
                world,
                each,
                # Many batches of one seed would play the same starts.
                seed=1000 * seed + number,
                threads=settings.threads,
                autoreset="same_step",
                clip=True,
                changes={**change, **changes},
            )
            for number, change in enumerate([changes_of(level) for level in levels] or [{}])
        ]
        first = self.batches[0]
        if len(first.agents) != 1:
            raise SystemExit(f"world {first.world!r} has {len(first.agents)} agents; this example learns for one")
        self.names = list(levels) or [first.world]
        self.each, self.count = each, each * len(self.batches)
        self.observed, self.decided = first.observation_names, first.action_names
        length = settings.rollout + 1
        self.observation = torch.zeros(length, self.count, len(self.observed))
        self.final = torch.zeros_like(self.observation)
        self.reward = torch.zeros(length, self.count)
        self.terminated = torch.zeros(length, self.count, dtype=torch.bool)
        self.truncated = torch.zeros(length, self.count, dtype=torch.bool)
        # The same memory, as each batch sees its part of it.
        self._parts = [[self._part(number, t) for number in range(len(self.batches))] for t in range(length)]
        self._unseen = [unseen(name, self.observed) for name in self.names]
        for number, batch in enumerate(self.batches):
            batch.reset(out=self._parts[0][number])
            self._hide(number, 0)

    def _part(self, number: int, t: int) -> Arrays:
        rows = slice(number * self.each, (number + 1) * self.each)
        return Arrays(
            observation=self.observation[t, rows, None].numpy(),
            reward=self.reward[t, rows, None].numpy(),
            terminated=self.terminated[t, rows].numpy(),
            truncated=self.truncated[t, rows].numpy(),
            final_observation=self.final[t, rows, None].numpy(),
        )

    def _hide(self, number: int, t: int) -> None:
        """Of what is not there nothing is seen."""
        if self._unseen[number]:
            rows = slice(number * self.each, (number + 1) * self.each)
            for observation in (self.observation, self.final):
                observation[t, rows, self._unseen[number]] = -1.0

    def step(self, t: int, decided: Any) -> Iterator[tuple[int, Any]]:
        """From tick ``t`` to the next; gives the episodes that ended, with the number of their keeper."""
        actions = decided.numpy()[:, None]
        for number, batch in enumerate(self.batches):
            batch.step(actions[number * self.each : (number + 1) * self.each], out=self._parts[t + 1][number])
            self._hide(number, t + 1)
            for ended in batch.ended:
                yield number, ended

    def close(self) -> None:
        for batch in self.batches:
            batch.close()


class Scales:
    """Mean and spread of all features that were seen."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.count = policy, 1e-4
        self.mean, self.squares = policy.centre.clone(), policy.scale.clone() * 1e-4

    def see(self, features: Any) -> None:
        new = features.shape[0]
        total = self.count + new
        delta = features.mean(0) - self.mean
        self.squares += features.var(0, unbiased=False) * new + delta**2 * self.count * new / total
        self.mean, self.count = self.mean + delta * new / total, total
        self.policy.centre.copy_(self.mean)
        self.policy.scale.copy_((self.squares / self.count).sqrt().clamp_min(1e-2))


class Learner:
    """The policy with everything that makes it better."""

    def __init__(self, worlds: Worlds, settings: Settings) -> None:
        self.worlds, self.settings = worlds, settings
        self.policy = Policy(worlds.observed, worlds.decided, settings.hidden)
        self.optimiser = torch.optim.Adam(self.policy.parameters(), lr=settings.learning_rate, eps=1e-5)
        self.scales = Scales(self.policy)
        rows = (settings.rollout, worlds.count)
        self.features = torch.zeros(*rows, self.policy.centre.shape[0])
        self.decisions = torch.zeros(*rows, len(worlds.decided))
        self.log = torch.zeros(*rows)
        self.cpu = {"worlds": 0.0, "policy": 0.0, "learning": 0.0}

    def update(self, left: float) -> list[tuple[int, Any]]:
        """Plays on in all worlds and learns from it; gives the episodes that ended. ``left`` goes from 1 to 0."""
        tick = time.process_time()
        ended: list[tuple[int, Any]] = []
        with torch.no_grad():
            for t in range(self.settings.rollout):
                self.features[t] = self.policy.features(self.worlds.observation[t])
                self.decisions[t], self.log[t] = self.policy.draw(self.policy.scaled(self.features[t]))
                tick = self._spent("policy", tick)
                ended += self.worlds.step(t, self.decisions[t])
                tick = self._spent("worlds", tick)
            advantages, returns = self._advantages()
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.learning_rate * max(left, 0.02)
        self._learn(advantages, returns)
        with torch.no_grad():
            self.scales.see(self.features.reshape(-1, self.features.shape[-1]))
        # The last observations are the first of the next round.
        self.worlds.observation[0] = self.worlds.observation[-1]
        self._spent("learning", tick)
        return ended

    def _spent(self, name: str, since: float) -> float:
        now = time.process_time()
        self.cpu[name] += now - since
        return now

    def _value(self, scaled: Any) -> Any:
        return self.policy.critic(scaled).squeeze(-1)

    def _advantages(self) -> tuple[Any, Any]:
        """Generalised advantage estimation; an episode that was cut off goes on, as far as its value is known."""
        worlds, settings, policy = self.worlds, self.settings, self.policy
        values = self._value(policy.scaled(self.features))
        last = self._value(policy.scaled(policy.features(worlds.observation[-1])))
        advantages = torch.zeros_like(values)
        following = torch.zeros_like(last)
        for t in reversed(range(settings.rollout)):
            over, cut = worlds.terminated[t + 1], worlds.truncated[t + 1]
            after = (last if t == settings.rollout - 1 else values[t + 1]).clone()
            if bool(cut.any()):
                after[cut] = self._value(policy.scaled(policy.features(worlds.final[t + 1][cut])))
            after[over] = 0.0
            surprise = worlds.reward[t + 1] + settings.discount * after - values[t]
            following = surprise + settings.discount * settings.trace * following * ~(over | cut)
            advantages[t] = following
        return advantages.reshape(-1), (advantages + values).reshape(-1)

    def _learn(self, advantages: Any, returns: Any) -> None:
        settings, policy = self.settings, self.policy
        scaled = policy.scaled(self.features).reshape(advantages.shape[0], -1)
        decided, before = self.decisions.reshape(-1, self.decisions.shape[-1]), self.log.reshape(-1)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for _ in range(settings.epochs):
            for part in torch.randperm(advantages.shape[0]).split(settings.minibatch):
                seen, gain = scaled[part], advantages[part]
                log, entropy = policy.log_probability(policy.actor(seen), decided[part])
                ratio = (log - before[part]).exp()
                clipped = ratio.clamp(1.0 - settings.clip, 1.0 + settings.clip)
                loss = -torch.min(ratio * gain, clipped * gain).mean()
                loss = loss + 0.5 * (self._value(seen) - returns[part]).pow(2).mean()
                loss = loss - settings.entropy * entropy.mean()
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                self.optimiser.step()


Report = Callable[[dict[str, Any]], None]


def train(
    world: str,
    levels: Sequence[str],
    changes: Mapping[str, Any],
    *,
    steps: int | None,
    minutes: float,
    seed: int,
    settings: Settings,
    report: Report,
) -> tuple[Policy, dict[str, Any]]:
    """Learns for so many steps, or else so many minutes by the clock; ``report`` is given what an update came to."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    worlds = Worlds(world, levels, changes, settings, seed)
    learner = Learner(worlds, settings)
    began, cpu_began, made, update = time.monotonic(), time.process_time(), 0, 0
    while True:
        done = made / steps if steps is not None else (time.monotonic() - began) / (60.0 * minutes)
        if done >= 1.0:
            break
        try:
            ended = learner.update(1.0 - done)
        except KeyboardInterrupt:
            # What was learned so far is not lost.
            print(f"stopped after {made} steps", flush=True)
            break
        made += settings.rollout * worlds.count
        update += 1
        outcomes = Counter(one.outcome for _, one in ended)
        of_keepers: dict[str, Counter[str]] = {}
        for number, one in ended:
            of_keepers.setdefault(worlds.names[number], Counter())[one.outcome] += 1
        report(
            {
                "update": update,
                "steps": made,
                "seconds": round(time.monotonic() - began, 1),
                "cpu_s": round(time.process_time() - cpu_began, 1),
                "cpu_shares_s": {name: round(spent, 1) for name, spent in learner.cpu.items()},
                "episodes": len(ended),
                "return": round(sum(one.returns[0] for _, one in ended) / max(1, len(ended)), 4),
                "decisions": round(sum(one.decisions for _, one in ended) / max(1, len(ended)), 1),
                "outcomes": dict(outcomes),
                "goals": {name: [counts["goal"], counts.total()] for name, counts in of_keepers.items()},
                "sigma": [round(float(sigma), 3) for sigma in learner.policy.log_sigma.detach().exp()],
            }
        )
    first = worlds.batches[0]
    metadata = {
        "touchline.observe": worlds.observed,
        "touchline.act": worlds.decided,
        "touchline.decision_s": first.decision_secs,
        "touchline.world": first.world,
        "touchline.version": touchline.__version__,
        "touchline.trained": {"seed": seed, "steps": made, "level": ",".join(levels), "settings": asdict(settings)},
    }
    worlds.close()
    return learner.policy, metadata


def export(policy: Policy, metadata: dict[str, Any], path: str) -> None:
    """As ONNX."""
    from . import export_onnx
    from .policy import LIMIT, NEAR_M, TINY_M2

    export_onnx.save(path, policy.arrays(), policy.decided, metadata, tiny_m2=TINY_M2, near_m=NEAR_M, limit=LIMIT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="goalkeeper", help="a world's name or file")
    parser.add_argument("--level", help="of the keeper, such as block-2; several with commas; block is five of them; all")
    add_settings(parser)
    parser.add_argument("--minutes", type=float, default=10.0, help="by the clock")
    parser.add_argument("--steps", type=int, help="of all environments together, instead of minutes")
    parser.add_argument("--seed", type=int, default=1)
    for name, kind in Settings.__annotations__.items():
        default = getattr(Settings, name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default, help=f"default {default}")
    parser.add_argument("--log", help="a file: one line of JSON for each update")
    parser.add_argument("--save", help="a file: the policy, as PyTorch saves it")
    parser.add_argument("--export", help="a file: the policy as ONNX (needs onnx)")
    parser.add_argument("--curve", help="a file: a picture of how it was learned (needs matplotlib)")
    parser.add_argument("--reference", help="for the picture: the rate of another attacker and its interval, such as 82.2,79.7,84.4")
    given = parser.parse_args()
    settings = Settings(**{name: getattr(given, name) for name in Settings.__annotations__})
    changes = dict(SHAPING) if given.level else {}
    changes |= dict(given.set)
    log = open(given.log, "w", encoding="utf-8") if given.log else None  # noqa: SIM115
    lines: list[dict[str, Any]] = []

    def report(line: dict[str, Any]) -> None:
        lines.append(line)
        if log:
            print(json.dumps(line), file=log, flush=True)
        if line["update"] % 10 == 1:
            goals = 100.0 * line["outcomes"].get("goal", 0) / max(1, line["episodes"])
            spent = ", ".join(f"{name} {seconds:.0f}" for name, seconds in line["cpu_shares_s"].items())
            print(
                f"{line['steps'] / 1e6:6.2f} M steps, {line['seconds']:5.0f} s (CPU-s: {spent}), goals {goals:5.1f} %, "
                f"return {line['return']:6.3f}, {line['decisions']:5.1f} decisions, {line['outcomes']}",
                flush=True,
            )

    policy, metadata = train(
        given.world,
        keepers(given.level) if given.level else [],
        changes,
        steps=given.steps,
        minutes=given.minutes,
        seed=given.seed,
        settings=settings,
        report=report,
    )
    if given.save:
        torch.save(policy.state_dict(), given.save)
    if given.export:
        export(policy, metadata, given.export)
    if given.curve:
        from .curve import draw

        reference = [float(number) for number in given.reference.split(",")] if given.reference else None
        draw(lines, given.curve, title=f"{given.world}, {given.level or 'as in the file'}, seed {given.seed}", reference=reference)


if __name__ == "__main__":
    main()
