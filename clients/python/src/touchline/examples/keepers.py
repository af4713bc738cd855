"""The goalkeeper benchmark's keepers by their names: ``block-2``, ``block`` for its five levels, ``none``, ``all``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from touchline.gym import level_changes

POLICIES = ("still", "random", "pattern", "block", "intercept", "mixed")
LEVELS = (1, 2, 3, 4, 5)
# What is paid while learning: more for the ways than in the world file, and nothing taken for a ball that is lost, or a
# beginner learns to leave it alone. Differences of distances, and goals: what is best does not change by much. Scores count goals alone.
SHAPING: dict[str, Any] = {
    "referee.params.reward_saved": 0.0,
    "referee.params.reward_out": 0.0,
    "referee.params.reward_foul": -0.2,
    "referee.params.reward_approach_per_m": 0.3,
    "referee.params.reward_progress_per_m": 0.15,
    "referee.params.reward_per_s": -0.02,
}
# Out of every sensor's and the ball's reach, metres.
FAR_M = 30.0


def keepers(words: str) -> list[str]:
    """Reads a list with commas. The levels of ``still`` are all alike: it counts once."""
    every = ["none"] + [f"{policy}-{level}" for policy in POLICIES for level in (LEVELS if policy != "still" else (1,))]
    found: list[str] = []
    for word in words.split(","):
        chosen = [name for name in every if word in ("all", name, name.partition("-")[0])]
        if not chosen:
            raise SystemExit(f"no keeper is called {word!r}; there is all, {', '.join(every)}")
        found += [name for name in chosen if name not in found]
    return found


def changes_of(keeper: str) -> dict[str, Any]:
    """What the name of a keeper changes in the world file. ``none`` stands far behind the boards, where it is in nobody's way."""
    if keeper == "none":
        return {**level_changes("still-1"), "robot.keeper.pose.x_m": FAR_M}
    return level_changes(keeper)


def unseen(keeper: str, names: Sequence[str]) -> list[int]:
    """Which of the observed numbers are -1 because nothing is there."""
    return [number for number, name in enumerate(names) if keeper == "none" and name.startswith("truth.keeper.")]
