"""Many simulated worlds at once: for learning, benchmarks and tournaments.

:class:`Batch` is the main object; ``touchline.gym``, ``touchline.pettingzoo`` and ``touchline.sb3`` are thin layers over it for those
libraries. ``touchline.benchmark``, ``touchline.tournament`` and ``touchline.rollouts`` play by seeds, here or, with ``touchline.ray``, on
a cluster. Lengths are metres, angles radians, times seconds; x forward, y left, counter-clockwise.
"""

from __future__ import annotations

from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING, Any

from ._engine import WorldError, episode_seed
from .batch import Arrays, Batch, Ended, Rollout, State
from .shipped_files import shipped_plugins, shipped_worlds

if TYPE_CHECKING:
    from .pettingzoo import parallel_env

__all__ = [
    "Arrays",
    "Batch",
    "Ended",
    "Rollout",
    "State",
    "WorldError",
    "episode_seed",
    "parallel_env",
    "shipped_plugins",
    "shipped_worlds",
]
__version__ = "0.1.0"

if _find_spec("gymnasium") is not None:
    # `gymnasium.make` knows our names as soon as this package is imported.
    from .gym import register_all as _register_all

    _register_all()


def __getattr__(name: str) -> Any:
    if name == "parallel_env":
        from .pettingzoo import parallel_env

        return parallel_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
