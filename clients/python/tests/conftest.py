"""What the tests of the package share. The plain client's tests need none of it."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np

# Whatever is started in the background of a shell ignores interrupts, and so would the programs that are started and interrupted here.
signal.signal(signal.SIGINT, signal.default_int_handler)

WORLDS = Path(__file__).resolve().parent / "worlds"
CHASE = WORLDS / "chase.toml"
PAIR = WORLDS / "pair.toml"


def decide(batch: Any, tick: int) -> Any:
    """Decisions that depend on the environment's number and the tick alone."""
    environments, agents, decided = batch.action_shape
    turn = np.arange(environments)[:, None, None] * 31 + np.arange(agents)[:, None] * 7 + np.arange(decided)
    return np.sin(turn + 0.37 * tick).astype(np.float32)


# Four matches of two seconds, on the field of 2003.
TOURNAMENT = f"""
name = "short"
world = {str(Path(__file__).resolve().parents[3] / "worlds" / "f2000.toml")!r}
match_s = 2
pairs = 2
seed = 1

[[entrant]]
name = "as-it-is"

[[entrant]]
name = "slow"
players.striker = {{ plugin = "striker", params = {{ speed_fraction = 0.6 }} }}
"""


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    """A report without how long it took."""
    return {key: value for key, value in report.items() if key not in ("wall_seconds", "cpu_seconds")}
