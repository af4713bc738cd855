"""PettingZoo: several agents in one world, deciding at the same time.

Needs the extra ``touchline[pettingzoo]``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Space
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from .batch import Batch
from .gym import RENDER_MODES, check_render_mode, ended_info


def parallel_env(world: str | os.PathLike[str], **kwargs: Any) -> TouchlineParallelEnv:
    """A world with several agents; the arguments are those of :class:`TouchlineParallelEnv`."""
    return TouchlineParallelEnv(world, **kwargs)


class TouchlineParallelEnv(ParallelEnv[str, NDArray[np.float32], NDArray[np.float32]]):
    """One world; each of its ``agents`` sees and decides for itself. What it gives are copies and plain numbers.

    With ``render_mode="human"`` the studio's page shows it, as that of :class:`touchline.gym.TouchlineEnv`.
    """

    def __init__(
        self,
        world: str | os.PathLike[str],
        *,
        render_mode: str | None = None,
        studio_port: int = 0,
        browser: bool | None = None,
        changes: Mapping[str, Any] | None = None,
        clip: bool = False,
        plugins: Sequence[str | os.PathLike[str]] = (),
    ) -> None:
        check_render_mode(render_mode)
        self.batch = Batch(
            world, 1, threads=1, autoreset="disabled", changes=changes, clip=clip, plugins=plugins
        )
        if render_mode == "human":
            self.batch.watch(port=studio_port, browser=browser)
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"touchline_{self.batch.world}",
            "render_modes": RENDER_MODES,
            "render_fps": max(1, round(1.0 / self.batch.decision_secs)),
            "is_parallelizable": True,
        }
        self.possible_agents = list(self.batch.agents)
        self.agents: list[str] = []
        # Each agent has a space of its own, with a random stream of its own.
        self.observation_spaces: dict[str, Space[Any]] = {
            agent: self.batch.observation_space for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Space[Any]] = {
            agent: self.batch.action_space for agent in self.possible_agents
        }
        self._places = {agent: place for place, agent in enumerate(self.possible_agents)}
        self._is_seeded = False

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.float32]], dict[str, dict[str, Any]]]:
        """Begins episode 0 of a seed, or without one the next episode; the first of all is of a seed drawn at random."""
        if seed is None and not self._is_seeded:
            seed = int(np.random.default_rng().integers(1 << 63))
        self._is_seeded = True
        arrays = self.batch.reset(seed)
        self.agents = [agent for agent, place in self._places.items() if arrays.alive[0, place]]
        return self._of_each(arrays.observation[0]), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, NDArray[np.float32]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Makes one decision of each agent; one whose robot has gone is terminated, and decides no more."""
        if not self.agents:
            raise RuntimeError("the episode is over: reset the environment")
        if set(actions) != set(self.agents):
            raise ValueError(f"actions are of {sorted(actions)}; expected are {self.agents}")
        decided = np.zeros(self.batch.action_shape, np.float32)
        for agent, action in actions.items():
            action = np.asarray(action, np.float32)
            if action.shape != decided.shape[2:]:
                raise ValueError(f"the action of {agent!r} has the shape {action.shape}; expected is {decided.shape[2:]}")
            decided[0, self._places[agent]] = action
        arrays = self.batch.step(decided)
        over, cut = bool(arrays.terminated[0]), bool(arrays.truncated[0])
        alive = {agent: bool(arrays.alive[0, self._places[agent]]) for agent in self.agents}
        told = [ended_info(ended) for ended in self.batch.ended]
        result = (
            self._of_each(arrays.observation[0]),
            {agent: float(arrays.reward[0, self._places[agent]]) for agent in self.agents},
            {agent: over or not alive[agent] for agent in self.agents},
            {agent: cut for agent in self.agents},
            {agent: dict(told[0]) if told else {} for agent in self.agents},
        )
        self.agents = [] if over or cut else [agent for agent in self.agents if alive[agent]]
        return result

    def _of_each(self, observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        return {agent: observation[self._places[agent]].copy() for agent in self.agents}

    def state(self) -> NDArray[np.float32]:
        """What all agents observe, one after the other."""
        return self.batch._arrays.observation.reshape(-1).copy()

    def render(self) -> Any:
        """A picture: [height, width, 3]; None without a render mode, and with "human"."""
        return self.batch.render() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        self.batch.close()
