"""RLlib: environments with one agent, and with several.

Needs ``ray[rllib]`` and PyTorch. ``touchline.ray.register()`` registers the names:

``touchline/Goalkeeper-v0``
    one agent against a keeper; the configuration takes ``level`` and all arguments of ``touchline.gym.TouchlineEnv``
``touchline/World-v0``
    any world with one agent: ``{"world": "my-world.toml"}``
``touchline/Team-v0``
    any world, each agent for itself: a ``MultiAgentEnv``
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.tune.registry import register_env

from .gym import _with_level, make_env, make_vector_env
from .pettingzoo import TouchlineParallelEnv


def register_all() -> None:
    """Registers the names for this program and for the workers that RLlib starts."""
    register_env("touchline/Goalkeeper-v0", lambda config: single_agent({"world": "goalkeeper", **config}))
    register_env("touchline/World-v0", single_agent)
    register_env("touchline/Team-v0", TouchlineMultiAgentEnv)


def single_agent(config: Mapping[str, Any]) -> Any:
    """A Gymnasium environment; with ``num_envs``, which RLlib's mode "vector_entry_point" adds, many as one batch.

    Actions are clipped unless ``clip`` is False: RLlib's policies draw them from a normal distribution.
    """
    options = {"clip": True, **config}
    if "num_envs" in options:
        # RLlib has a process for each core already.
        return make_vector_env(**{"threads": 1, **options})
    return make_env(**options)


class TouchlineMultiAgentEnv(MultiAgentEnv):
    """One world; each agent sees and decides for itself."""

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.env = TouchlineParallelEnv(**_with_level({"clip": True, **(config or {})}))
        self.possible_agents = list(self.env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = dict(self.env.observation_spaces)
        self.action_spaces = dict(self.env.action_spaces)
        self.observation_space = gymnasium.spaces.Dict(self.observation_spaces)
        self.action_space = gymnasium.spaces.Dict(self.action_spaces)
        self.render_mode = self.env.render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
        """Begins an episode."""
        observations, infos = self.env.reset(seed=seed)
        self.agents = list(self.env.agents)
        return observations, infos

    def step(self, action_dict: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Makes one decision of each agent."""
        observations, rewards, terminated, truncated, infos = self.env.step(action_dict)
        # The world goes on as long as somebody is in it.
        over, cut = not self.env.agents and not any(truncated.values()), any(truncated.values())
        self.agents = list(self.env.agents)
        return observations, rewards, {**terminated, "__all__": over}, {**truncated, "__all__": cut}, infos

    def render(self) -> Any:
        """A picture; None without a render mode."""
        return self.env.render()

    def close(self) -> None:
        self.env.close()
