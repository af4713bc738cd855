"""Many simulated worlds at once: for learning, benchmarks and tournaments.

:class:`Batch` is the main object; ``touchline.gym``, ``touchline.pettingzoo`` and ``touchline.sb3`` are thin layers over it for those
libraries. ``touchline.benchmark``, ``touchline.tournament`` and ``touchline.rollouts`` play by seeds, here or, with ``touchline.ray``, on
a cluster. Lengths are metres, angles radians, times seconds; x forward, y left, counter-clockwise.
"""

from __future__ import annotations

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


def _register() -> None:
    """Tells Gymnasium our names, if it is there: `gymnasium.make` then knows them as soon as this package is imported."""
    try:
        import gymnasium

        worlds = {
            "Goalkeeper-v0": "goalkeeper",
            "HalfFieldOffense-v0": "half-field-1v1",
            "Keepaway-v0": "keepaway",
            "Soccer-v0": "soccer-one",
        }
        for name, world in worlds.items():
            if f"touchline/{name}" not in gymnasium.registry:
                gymnasium.register(
                    f"touchline/{name}",
                    entry_point="touchline.gym:make_env",
                    vector_entry_point="touchline.gym:make_vector_env",
                    kwargs={"world": world},
                )
    except (ImportError, AttributeError, TypeError):
        # None, or one of another make, which is no concern of those who use numpy alone; `touchline.gym` says what it needs.
        pass


_register()


def __getattr__(name: str) -> Any:
    if name == "parallel_env":
        from .pettingzoo import parallel_env

        return parallel_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
