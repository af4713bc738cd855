"""Stable-Baselines3: many worlds as its ``VecEnv``, unmodified.

Needs the extra ``touchline[sb3]``. Give torch one thread when the worlds have the cores: ``torch.set_num_threads(1)``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from .batch import Batch
from .gym import check_render_mode, ended_info, pictures_per_s


class TouchlineVecEnv(VecEnv):
    """Many worlds with one agent each. An episode's end is told in the infos: ``episode`` as SB3's Monitor writes it,
    ``terminal_observation``, ``TimeLimit.truncated``, and ``outcome``.
    """

    def __init__(
        self,
        world: str | os.PathLike[str],
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        seed: int = 0,
        threads: int = 0,
        changes: Mapping[str, Any] | None = None,
        clip: bool = True,
        plugins: Sequence[str | os.PathLike[str]] = (),
    ) -> None:
        self.batch = Batch(
            world,
            num_envs,
            seed=seed,
            threads=threads,
            autoreset="same_step",
            changes=changes,
            clip=clip,
            plugins=plugins,
        )
        if len(self.batch.agents) != 1:
            raise ValueError(f"world {self.batch.world!r} has {len(self.batch.agents)} agents; SB3 knows one")
        check_render_mode(render_mode)
        self.render_mode = render_mode
        if render_mode == "human":
            self.batch.watch()
        self._began = time.monotonic()
        super().__init__(num_envs, self.batch.observation_space, self.batch.action_space)
        self.metadata["render_fps"] = pictures_per_s(self.batch)
        self._actions: NDArray[np.float32] | None = None

    def reset(self) -> NDArray[np.float32]:
        """Begins an episode everywhere: with the seeds of ``seed()`` if there are any."""
        seeds = None
        if all(number is not None for number in self._seeds):
            seeds = [int(number) % (1 << 64) for number in self._seeds]
        observation = self.batch.reset(seeds).observation[:, 0].copy()
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observation

    def step_async(self, actions: NDArray[Any]) -> None:
        actions = np.ascontiguousarray(actions, np.float32)
        expected = (self.num_envs, *self.batch.action_shape[2:])
        if actions.shape != expected:
            raise ValueError(f"actions have the shape {actions.shape}; expected is {expected}")
        self._actions = actions.reshape(self.batch.action_shape)

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        if self._actions is None:
            raise RuntimeError("step_wait was called without step_async")
        arrays, self._actions = self.batch.step(self._actions), None
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if self.batch.ended_count:
            last = arrays.final_observation
            assert last is not None
            for ended in self.batch.ended:
                infos[ended.environment] = {
                    **ended_info(ended),
                    "terminal_observation": last[ended.environment, 0].copy(),
                    "TimeLimit.truncated": bool(arrays.truncated[ended.environment]),
                    "episode": {
                        "r": ended.returns[0],
                        "l": ended.decisions,
                        "t": round(time.monotonic() - self._began, 6),
                    },
                }
        done = arrays.terminated | arrays.truncated
        return arrays.observation[:, 0].copy(), arrays.reward[:, 0].copy(), done, infos

    def close(self) -> None:
        self.batch.close()

    def render(self, mode: str | None = None) -> NDArray[np.uint8] | None:
        """A picture of the worlds; None with "human", whose page shows every step of the first world by itself."""
        if self.render_mode == "human":
            return None
        picture: NDArray[np.uint8] | None = super().render(mode)
        return picture

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        return [self.batch.render(number, width=320) for number in range(min(self.num_envs, 16))]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self, attr_name)
        return [value for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        if len(list(self._chosen(indices))) != self.num_envs:
            raise ValueError("the worlds of a batch share their attributes: set it for all")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        raise AttributeError(f"the worlds of a batch are no objects with methods ({method_name}); use .batch")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        # Its infos are those of a Monitor, and SB3's evaluation takes the scores from them only where it finds one.
        return [issubclass(Monitor, wrapper_class) for _ in self._chosen(indices)]

    def _chosen(self, indices: Any) -> Iterable[int]:
        chosen: Iterable[int] = self._get_indices(indices)
        return chosen
