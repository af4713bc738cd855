"""Proximal policy optimisation in one file, on the batch: ``python -m touchline.examples.train_ppo``.

The learner's own buffers are what the worlds write into: nothing is copied between them. Needs PyTorch. One thread for torch: the
batch is large and the net small, and the worlds have the other cores.

    python -m touchline.examples.train_ppo --world goalkeeper --level block-2 --minutes 10 --save policy.pt
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from touchline import Batch


@dataclass
class Settings:
    """What the learning is made of; the defaults are for 1,024 worlds and a small net."""

    worlds: int = 1024
    steps: int = 32
    epochs: int = 4
    minibatches: int = 4
    learning_rate: float = 1e-3
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.002
    hidden: int = 64


class Policy(nn.Module):
    """Two small nets, for the decision and for the value of where one is; observations are put on one scale by what was seen."""

    def __init__(self, observed: int, decided: int, hidden: int) -> None:
        super().__init__()

        def net(out: int, gain: float) -> nn.Sequential:
            last = nn.Linear(hidden, out)
            nn.init.orthogonal_(last.weight, gain)
            nn.init.zeros_(last.bias)
            return nn.Sequential(
                nn.Linear(observed, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), last
            )

        self.mean, self.value = net(decided, 0.01), net(1, 1.0)
        self.log_sigma = nn.Parameter(torch.full((decided,), -0.5))
        self.register_buffer("centre", torch.zeros(observed))
        self.register_buffer("scale", torch.ones(observed))

    def see(self, observation: Any) -> Any:
        return ((observation - self.centre) / self.scale).clamp(-5.0, 5.0)

    def choice(self, seen: Any) -> torch.distributions.Normal:
        return torch.distributions.Normal(self.mean(seen), self.log_sigma.exp())


def train(
    world: str, changes: dict[str, Any], minutes: float, seed: int, settings: Settings, report: Any
) -> Policy:
    """Learns for so many minutes by the clock; ``report`` is given what an update came to."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    batch = Batch(world, settings.worlds, seed=seed, autoreset="same_step", clip=True, changes=changes)
    agents = len(batch.agents)
    rows = settings.worlds * agents
    policy = Policy(len(batch.observation_names), len(batch.action_names), settings.hidden)
    optimiser = torch.optim.Adam(policy.parameters(), lr=settings.learning_rate, eps=1e-5)
    rollout = batch.make_rollout(settings.steps + 1)
    # The same memory as torch's tensors.
    observations = torch.from_numpy(rollout.observation).view(settings.steps + 1, rows, -1)
    rewards = torch.from_numpy(rollout.reward).view(settings.steps + 1, rows)
    terminated = torch.from_numpy(rollout.terminated)
    truncated = torch.from_numpy(rollout.truncated)
    finals = torch.from_numpy(rollout.final_observation).view(settings.steps + 1, rows, -1)
    decisions = torch.zeros(settings.steps, rows, len(batch.action_names))
    log_probs = torch.zeros(settings.steps, rows)

    batch.reset(seed, out=rollout[0])
    count, mean, square = 1e-4, torch.zeros_like(policy.centre), torch.ones_like(policy.scale)
    began, made, update = time.monotonic(), 0, 0
    shares = {"worlds": 0.0, "policy": 0.0, "learning": 0.0}
    while time.monotonic() - began < 60.0 * minutes:
        ended: list[Any] = []
        with torch.no_grad():
            for t in range(settings.steps):
                start = time.process_time()
                choice = policy.choice(policy.see(observations[t]))
                decisions[t] = choice.sample()
                log_probs[t] = choice.log_prob(decisions[t]).sum(-1)
                middle = time.process_time()
                batch.step(decisions[t].numpy().reshape(batch.action_shape), out=rollout[t + 1])
                shares["policy"] += middle - start
                shares["worlds"] += time.process_time() - middle
                ended += batch.ended
            made += settings.steps * settings.worlds
            start = time.process_time()
            advantages, returns = _advantages(policy, observations, finals, rewards, terminated, truncated, settings)
        _learn(policy, optimiser, observations, decisions, log_probs, advantages, returns, settings)
        with torch.no_grad():
            # What was seen puts later observations on one scale.
            seen = observations[:-1].reshape(-1, observations.shape[-1])
            new = seen.shape[0]
            total = count + new
            delta = seen.mean(0) - mean
            square += seen.var(0, unbiased=False) * new + delta**2 * count * new / total
            mean, count = mean + delta * new / total, total
            if update < 50:
                policy.centre.copy_(mean)
                policy.scale.copy_((square / count).sqrt().clamp_min(1e-3))
            # The last observations are the first of the next round.
            for array in (rollout.observation,):
                array[0] = array[-1]
        shares["learning"] += time.process_time() - start
        update += 1
        outcomes: dict[str, int] = {}
        for one in ended:
            outcomes[one.outcome] = outcomes.get(one.outcome, 0) + 1
        report(
            {
                "update": update,
                "seconds": round(time.monotonic() - began, 1),
                "steps": made,
                "episodes": len(ended),
                "return": round(float(np.mean([np.mean(one.returns) for one in ended])), 4) if ended else None,
                "outcomes": outcomes,
                "cpu_shares": {name: round(spent, 2) for name, spent in shares.items()},
            }
        )
    batch.close()
    return policy


def _advantages(
    policy: Policy, observations: Any, finals: Any, rewards: Any, terminated: Any, truncated: Any, settings: Settings
) -> tuple[Any, Any]:
    """Generalised advantage estimation; an episode that was cut off goes on, as far as its value is known."""
    values = policy.value(policy.see(observations)).squeeze(-1)
    advantages = torch.zeros_like(values[:-1])
    agents = values.shape[1] // terminated.shape[1]
    following = torch.zeros_like(values[0])
    for t in reversed(range(settings.steps)):
        over = terminated[t + 1].repeat_interleave(agents)
        cut = truncated[t + 1].repeat_interleave(agents)
        next_value = values[t + 1].clone()
        if bool(cut.any()):
            next_value[cut] = policy.value(policy.see(finals[t + 1][cut])).squeeze(-1)
        next_value[over] = 0.0
        difference = rewards[t + 1] + settings.discount * next_value - values[t]
        following = difference + settings.discount * settings.trace * following * ~(over | cut)
        advantages[t] = following
    return advantages.reshape(-1), (advantages + values[:-1]).reshape(-1)


def _learn(
    policy: Policy, optimiser: Any, observations: Any, decisions: Any, log_probs: Any, advantages: Any, returns: Any,
    settings: Settings,
) -> None:
    seen = policy.see(observations[:-1]).reshape(-1, observations.shape[-1]).detach()
    decided, before = decisions.reshape(-1, decisions.shape[-1]), log_probs.reshape(-1)
    size = seen.shape[0] // settings.minibatches
    for _ in range(settings.epochs):
        order = torch.randperm(seen.shape[0])
        for part in order.split(size):
            choice = policy.choice(seen[part])
            ratio = (choice.log_prob(decided[part]).sum(-1) - before[part]).exp()
            gain = advantages[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = ratio.clamp(1.0 - settings.clip, 1.0 + settings.clip)
            loss = -torch.min(ratio * gain, clipped * gain).mean()
            loss = loss + 0.5 * (policy.value(seen[part]).squeeze(-1) - returns[part]).pow(2).mean()
            loss = loss - settings.entropy * choice.entropy().sum(-1).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="goalkeeper", help="a world's name or file")
    parser.add_argument("--level", help="of the keeper, such as block-2")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--log", help="a file: one line of JSON for each update")
    parser.add_argument("--save", help="a file: the policy, as PyTorch saves it")
    given = parser.parse_args()
    changes: dict[str, Any] = {}
    if given.level:
        from touchline.gym import level_changes

        changes = level_changes(given.level)
    log = open(given.log, "w", encoding="utf-8") if given.log else None  # noqa: SIM115

    def report(line: dict[str, Any]) -> None:
        if log:
            print(json.dumps(line), file=log, flush=True)
        if line["update"] % 10 == 1:
            print(line["seconds"], "s,", line["steps"], "steps, return", line["return"], line["outcomes"], flush=True)

    settings = Settings(worlds=given.worlds)
    policy = train(given.world, changes, given.minutes, given.seed, settings, report)
    if given.save:
        torch.save(policy.state_dict(), given.save)


if __name__ == "__main__":
    main()
