"""The attacker's net: features with which geometry is easy, two small nets behind them, and the graph for ONNX.

What is observed are metres in the body frame, which suit a small net badly: whether a shot passes the keeper is a matter of angles. So
the first layer, which is fixed, adds to each place, and to the way from each place to each other, its direction and
its distance. It finds the places by the names of the observed numbers, so it suits any world. The part of the time that is left is not used:
a policy without it can be played for as long as one likes.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

_Matrix = NDArray[np.float32]

# Keeps a direction finite where two places are one, square metres.
TINY_M2 = 1e-4
# Nearer than this one place is not told from another, metres: 1 / (distance + NEAR_M) grows no more.
NEAR_M = 0.3
# Farther from the mean a feature tells no more, standard deviations.
LIMIT = 6.0


@dataclass(frozen=True)
class Geometry:
    """The fixed layer as matrices: what is used as it is, and x and y of each place and way; then, who may be missing.

    Of a robot that is not there all numbers are -1. So are cosine and sine of its heading, whose squares are then 2 together and not 1.
    The ways to it would be nonsense that looks like sense: everything of it is made 0.
    """

    used: _Matrix
    x: _Matrix
    y: _Matrix
    cos: _Matrix
    """[observed, robots]: picks the cosine of each robot's heading."""
    sin: _Matrix
    of_used: _Matrix
    """[robots, used]: 1 where a number is of the robot."""
    of_ways: _Matrix
    """[robots, ways]: 1 where a way begins or ends at the robot."""

    @classmethod
    def of(cls, names: Sequence[str]) -> Geometry:
        """From the names of what is observed."""
        index = {name: number for number, name in enumerate(names)}
        places = []
        for name, number in index.items():
            head, _, last = name.rpartition(".")
            # The own pose is no place in the body frame.
            if head.endswith((".pose", ".twist")) or last not in ("x", "x1", "x2"):
                continue
            other = index.get(f"{head}.y{last[1:]}")
            if other is not None:
                places.append((number, other))
        ways = [(place, None) for place in places] + list(itertools.combinations(places, 2))
        used = [number for name, number in index.items() if name != "clock"]
        heads = [name.removesuffix(".cos") for name in index if name.endswith(".cos") and not name.endswith(".pose.cos")]
        of_robot = [{number for name, number in index.items() if name.startswith(f"{head}.")} for head in heads]

        def matrix(rows: int, columns: int) -> _Matrix:
            return np.zeros((rows, columns), np.float32)

        made = cls(
            used=matrix(len(names), len(used)),
            x=matrix(len(names), len(ways)),
            y=matrix(len(names), len(ways)),
            cos=matrix(len(names), len(heads)),
            sin=matrix(len(names), len(heads)),
            of_used=matrix(len(heads), len(used)),
            of_ways=matrix(len(heads), len(ways)),
        )
        made.used[used, range(len(used))] = 1.0
        for column, (start, end) in enumerate(ways):
            for axis, of_axis in enumerate((made.x, made.y)):
                # A place is seen from the own one: the way from zero to it.
                if end is None:
                    of_axis[start[axis], column] = 1.0
                else:
                    of_axis[start[axis], column] = -1.0
                    of_axis[end[axis], column] = 1.0
        for robot, (head, numbers) in enumerate(zip(heads, of_robot, strict=True)):
            made.cos[index[f"{head}.cos"], robot] = made.sin[index[f"{head}.sin"], robot] = 1.0
            made.of_used[robot] = [number in numbers for number in used]
            made.of_ways[robot] = [start[0] in numbers or (end is not None and end[0] in numbers) for start, end in ways]
        return made

    @property
    def features(self) -> int:
        """How many numbers come out."""
        return int(self.used.shape[1] + 4 * self.x.shape[1])


class Policy(nn.Module):
    """Two small nets, for the decision and for the value of where one is.

    A velocity is drawn from a normal distribution; a manipulator's state, such as ``kicker.kick``, is on or off, with full strength.
    """

    def __init__(self, observed: Sequence[str], decided: Sequence[str], hidden: int) -> None:
        super().__init__()
        geometry = Geometry.of(observed)
        self.decided = tuple(decided)
        self.is_switch = [not name.startswith("drive") for name in decided]
        self.speeds = [number for number, switch in enumerate(self.is_switch) if not switch]
        self.switches = [number for number, switch in enumerate(self.is_switch) if switch]

        def net(out: int, gain: float) -> nn.Sequential:
            layers = [nn.Linear(geometry.features, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, out)]
            for layer, scale in zip(layers, (2**0.5, 2**0.5, gain), strict=True):
                nn.init.orthogonal_(layer.weight, scale)
                nn.init.zeros_(layer.bias)
            return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])

        self.actor, self.critic = net(len(decided), 0.01), net(1, 1.0)
        with torch.no_grad():
            # A kick once in a while: a ball that is kicked away at once teaches nothing else.
            self.actor[-1].bias[self.switches] = -2.0
        self.log_sigma = nn.Parameter(torch.full((len(self.speeds),), -0.5))
        for name, values in vars(geometry).items():
            self.register_buffer(name, torch.from_numpy(values))
        self.centre: Any
        self.scale: Any
        self.register_buffer("centre", torch.zeros(geometry.features))
        self.register_buffer("scale", torch.ones(geometry.features))

    def features(self, observation: Any) -> Any:
        """What the fixed layer makes of observations."""
        cos, sin = observation @ self.cos, observation @ self.sin
        missing = cos * cos + sin * sin - 1.0
        is_used, is_way = 1.0 - missing @ self.of_used, 1.0 - missing @ self.of_ways
        x, y = observation @ self.x, observation @ self.y
        distance = (x * x + y * y + TINY_M2).sqrt()
        near = is_way / (distance + NEAR_M)
        x, y = x * is_way / distance, y * is_way / distance
        return torch.cat([(observation @ self.used) * is_used, x, y, distance * is_way, near], -1)

    def scaled(self, features: Any) -> Any:
        """On one scale, by what was seen so far."""
        return ((features - self.centre) / self.scale).clamp(-LIMIT, LIMIT)

    def draw(self, scaled: Any) -> tuple[Any, Any]:
        """A decision by chance, and the logarithm of its probability."""
        out = self.actor(scaled)
        decided = torch.empty_like(out)
        speeds = out[:, self.speeds]
        decided[:, self.speeds] = speeds + self.log_sigma.exp() * torch.randn_like(speeds)
        switches = torch.sigmoid(out[:, self.switches])
        decided[:, self.switches] = torch.where(torch.rand_like(switches) < switches, 1.0, -1.0)
        return decided, self.log_probability(out, decided)[0]

    def log_probability(self, out: Any, decided: Any) -> tuple[Any, Any]:
        """Of decisions, when the net has said ``out``; and the entropy of what it said."""
        deviation = (decided[:, self.speeds] - out[:, self.speeds]) * (-self.log_sigma).exp()
        log = -0.5 * (deviation * deviation).sum(-1) - (self.log_sigma + 0.9189385).sum()
        logits = out[:, self.switches]
        signed = nn.functional.logsigmoid(logits * decided[:, self.switches])
        log = log + signed.sum(-1)
        on = torch.sigmoid(logits)
        entropy = (self.log_sigma + 1.4189385).sum() + (nn.functional.softplus(logits) - logits * on).sum(-1)
        return log, entropy

    def decide(self, observation: Any) -> Any:
        """The most probable decision, inside [-1, 1]: what is played, and what is exported."""
        with torch.no_grad():
            out = self.actor(self.scaled(self.features(observation)))
        decided = out.clamp(-1.0, 1.0)
        decided[:, self.switches] = out[:, self.switches].sign()
        return decided

    def arrays(self) -> dict[str, Any]:
        """All that ``decide`` is made of, as numpy arrays."""
        state = {name: value.detach().numpy().copy() for name, value in self.state_dict().items()}
        return {name: value for name, value in state.items() if not name.startswith(("critic", "log_sigma"))}
