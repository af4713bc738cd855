"""Gymnasium: one environment, and many as a native vector environment.

Needs the extra ``touchline[gym]``. Any world with a table ``[episode]`` and one agent will do; for several agents there are
``touchline.pettingzoo`` and :class:`touchline.Batch`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except (ImportError, AttributeError) as error:
    raise ImportError(
        f'touchline.gym needs gymnasium>=1.1,<2 (pip install "gymnasium>=1.1,<2"); what is installed does not do: {error}'
    ) from error

from .batch import Batch, Ended

RENDER_MODES = ["human", "rgb_array"]


def check_render_mode(render_mode: str | None) -> None:
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode {render_mode!r} is unknown; there is None, \"human\" and \"rgb_array\"")


class _GymBatch:
    """What both kinds of environment have in common."""

    @staticmethod
    def make(
        world: Any,
        num_envs: int,
        autoreset: str,
        render_mode: str | None,
        watching: dict[str, Any],
        options: dict[str, Any],
    ) -> Batch:
        check_render_mode(render_mode)
        batch = Batch(world, num_envs, autoreset=autoreset, **options)
        if len(batch.agents) != 1:
            raise ValueError(
                f"world {batch.world!r} has {len(batch.agents)} agents; Gymnasium knows one: use touchline.parallel_env or "
                "touchline.Batch"
            )
        if render_mode == "human":
            batch.watch(**watching)
        return batch


def ended_info(ended: Ended) -> dict[str, Any]:
    """What is told of an episode's end."""
    info: dict[str, Any] = {
        "outcome": ended.outcome,
        # Gymnasium's vectors take a plain int for a signed one.
        "episode_seed": np.uint64(ended.seed),
        "decisions": ended.decisions,
        "score": np.asarray(ended.score, np.int64),
    }
    if ended.fault is not None:
        info["fault"] = ended.fault
    return info


def ended_infos(ended: Sequence[Ended], count: int) -> dict[str, Any]:
    """The same of many, as Gymnasium's vectors tell it: an array of all environments for each key, and where it is filled."""
    infos: dict[str, Any] = {}
    rows = _rows(ended)
    _fill(infos, "outcome", np.empty(count, object), rows, [one.outcome for one in ended])
    _fill(infos, "episode_seed", np.zeros(count, np.uint64), rows, [one.seed for one in ended])
    _fill(infos, "decisions", np.zeros(count, np.int64), rows, [one.decisions for one in ended])
    _fill(infos, "score", np.zeros((count, len(ended[0].score)), np.int64), rows, [one.score for one in ended])
    failed = [one for one in ended if one.fault is not None]
    if failed:
        _fill(infos, "fault", np.empty(count, object), _rows(failed), [one.fault for one in failed])
    return infos


def _rows(ended: Sequence[Ended]) -> NDArray[np.intp]:
    return np.array([one.environment for one in ended], np.intp)


def _fill(infos: dict[str, Any], key: str, array: NDArray[Any], rows: NDArray[np.intp], values: Any) -> None:
    """Writes a key's values into its array, which is empty yet, and marks their rows."""
    mask = np.zeros(len(array), np.bool_)
    array[rows] = values
    mask[rows] = True
    infos[key], infos[f"_{key}"] = array, mask


class TouchlineEnv(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """One world with one agent. What it gives are copies and plain numbers.

    With ``render_mode="human"`` the studio's page shows it and steps are held to real time; ``studio_port`` and ``browser`` are then
    those of :meth:`touchline.Batch.watch`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 10}

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
        watching = {"port": studio_port, "browser": browser}
        options = {"changes": changes, "clip": clip, "plugins": plugins, "threads": 1}
        self.batch = _GymBatch.make(world, 1, "disabled", render_mode, watching, options)
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "render_fps": pictures_per_s(self.batch)}
        self.observation_space = self.batch.observation_space
        self.action_space = self.batch.action_space
        self._shape = (1, 1, len(self.batch.action_names))
        self._is_seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins episode 0 of a seed, or without one the next episode; the first of all is of a seed drawn at random."""
        super().reset(seed=seed)
        # Gymnasium's own seed tells nothing of it: whoever reads `np_random` makes one.
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(1 << 63))
        arrays = self.batch.reset(seed)
        self._is_seeded = True
        return arrays.observation[0, 0].copy(), {"episode_seed": np.uint64(self.batch.episode(0)[1])}

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Makes one decision."""
        action = np.asarray(action, np.float32).reshape(-1)
        if action.size != self._shape[2]:
            raise ValueError(f"the action has {action.size} numbers; expected are {self._shape[2]}")
        arrays = self.batch.step(action.reshape(self._shape))
        info = ended_info(self.batch.ended[0]) if self.batch.ended_count else {}
        return (
            arrays.observation[0, 0].copy(),
            float(arrays.reward[0, 0]),
            bool(arrays.terminated[0]),
            bool(arrays.truncated[0]),
            info,
        )

    def get_state(self) -> Any:
        """The world as it is, to come back to."""
        return self.batch.get_state()

    def set_state(self, state: Any) -> NDArray[np.float32]:
        """Back to a state of this environment; gives what is observed there."""
        observation: NDArray[np.float32] = self.batch.set_state(state).observation[0, 0].copy()
        return observation

    def render(self) -> Any:
        """A picture: [height, width, 3]; None without a render mode, and with "human", whose page shows every step by itself."""
        return self.batch.render() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        self.batch.close()


class TouchlineVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.float32], NDArray[Any]]):
    """Many worlds with one agent each.

    With ``copy=False`` what a step gives is overwritten by the next. The end of an episode is told in the infos by ``outcome``,
    ``episode_seed``, ``decisions`` and ``score``, with masks as Gymnasium has them; with autoreset "same_step" they are in
    ``final_info``, beside ``final_obs``. With ``render_mode="human"`` the studio's page shows the first world.
    """

    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "render_fps": 10,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        world: str | os.PathLike[str],
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        studio_port: int = 0,
        browser: bool | None = None,
        copy: bool = True,
        threads: int = 0,
        changes: Mapping[str, Any] | None = None,
        clip: bool = False,
        plugins: Sequence[str | os.PathLike[str]] = (),
    ) -> None:
        mode = _mode(autoreset_mode)
        name = {AutoresetMode.NEXT_STEP: "next_step", AutoresetMode.SAME_STEP: "same_step"}.get(mode, "disabled")
        watching = {"port": studio_port, "browser": browser}
        options = {"changes": changes, "clip": clip, "plugins": plugins, "threads": threads}
        self.batch = _GymBatch.make(world, num_envs, name, render_mode, watching, options)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "autoreset_mode": mode, "render_fps": pictures_per_s(self.batch)}
        self.single_observation_space = self.batch.observation_space
        self.single_action_space = self.batch.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        # The batch writes into the same arrays in every step: these views of them are made once.
        own = self.batch._arrays
        self._seen, self._paid, self._last = own.observation[:, 0], own.reward[:, 0], own.final_observation
        self._shape = self.batch.action_shape
        # For each environment.
        self._is_seeded = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins an episode everywhere, or where ``options["reset_mask"]`` is true.

        A whole number seeds the environments with ``seed``, ``seed + 1`` and so on, each as :class:`TouchlineEnv` with that seed; of a
        list each has its own, and None is none. An environment's first reset without a seed draws one.
        """
        mask = None if options is None else options.get("reset_mask")
        if mask is not None:
            _check_mask(mask, self.num_envs)
        begun = np.ones(self.num_envs, np.bool_) if mask is None else mask
        seeds: list[Any] = [None] * self.num_envs
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"there are {len(seed)} seeds and {self.num_envs} environments")
            seeds = list(seed)
        else:
            super().reset(seed=seed)
            if seed is not None:
                seeds = [int(seed) + number for number in range(self.num_envs)]
        is_given = np.array([number is not None for number in seeds])
        if (begun & ~is_given & ~self._is_seeded).any():
            drawn = int(self.np_random.integers(1 << 62))
            seeds = [
                drawn + number if one is None and not self._is_seeded[number] else one for number, one in enumerate(seeds)
            ]
            is_given |= ~self._is_seeded
        seeded, following = begun & is_given, begun & ~is_given
        if seeded.any():
            self.batch.reset([0 if one is None else one for one in seeds], mask=seeded)
        if following.any():
            self.batch.reset(mask=following)
        self._is_seeded |= begun
        infos: dict[str, Any] = {}
        rows = np.flatnonzero(begun)
        if rows.size:
            self._fill_seeds(infos, rows)
        return (self._seen.copy() if self._copy else self._seen), infos

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes one decision in every environment."""
        actions = np.ascontiguousarray(actions, np.float32)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions have the shape {actions.shape}; expected is {self.action_space.shape}")
        arrays = self.batch.step(actions.reshape(self._shape))
        infos: dict[str, Any] = self._infos() if self.batch.ended_count else {}
        if self._copy:
            return self._seen.copy(), self._paid.copy(), arrays.terminated.copy(), arrays.truncated.copy(), infos
        return self._seen, self._paid, arrays.terminated, arrays.truncated, infos

    def _infos(self) -> dict[str, Any]:
        ended = self.batch.ended
        infos = ended_infos(ended, self.num_envs)
        if self._last is None:
            return infos
        told: dict[str, Any] = {}
        rows = _rows(ended)
        # Copied all at once; an element for each, since numpy would make one array of them.
        seen = np.empty(len(rows), object)
        seen[:] = list(self._last[rows, 0])
        _fill(told, "final_obs", np.empty(self.num_envs, object), rows, seen)
        self._fill_seeds(told, rows)
        return {**told, "final_info": infos, "_final_info": told["_final_obs"].copy()}

    def _fill_seeds(self, infos: dict[str, Any], rows: NDArray[np.intp]) -> None:
        """Tells the seeds of the episodes that environments are in."""
        seeds = [self.batch.episode(int(row))[1] for row in rows]
        _fill(infos, "episode_seed", np.zeros(self.num_envs, np.uint64), rows, seeds)

    def render(self) -> Any:
        """A picture of each of the first sixteen worlds; None without a render mode, and with "human"."""
        if self.render_mode != "rgb_array":
            return None
        return tuple(self.batch.render(number, width=320) for number in range(min(self.num_envs, 16)))

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()


def pictures_per_s(batch: Batch) -> int:
    return max(1, round(1.0 / batch.decision_secs))


def _mode(mode: str | AutoresetMode) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    names = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}
    plain = re.sub("[^a-z]+", "_", re.sub("(?<=[a-z])(?=[A-Z])", "_", str(mode)).lower())
    if plain not in names:
        raise ValueError(f"autoreset_mode {mode!r} is unknown; there is {', '.join(names)}")
    return names[plain]


def _check_mask(mask: Any, count: int) -> None:
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError("options[\"reset_mask\"] must be a numpy array of bool")
    if mask.shape != (count,) or not mask.any():
        raise ValueError(f"options[\"reset_mask\"] must have the shape ({count},) and be true somewhere")


# Registered names


def level_changes(level: str, robot: str = "keeper") -> dict[str, Any]:
    """What a level's name such as ``intercept-3`` changes: policy and level of a robot's player; ``still`` has no levels."""
    policy, dash, number = level.partition("-")
    if not policy or (dash and not number.isdecimal()):
        raise ValueError(f"level {level!r} is none; it is a policy and a number, such as \"intercept-3\"")
    changes: dict[str, Any] = {f"robot.{robot}.player.params.policy": policy}
    if dash:
        changes[f"robot.{robot}.player.params.level"] = int(number)
    return changes


def _with_level(kwargs: dict[str, Any]) -> dict[str, Any]:
    level = kwargs.pop("level", None)
    if level is not None:
        kwargs["changes"] = {**level_changes(level), **(kwargs.get("changes") or {})}
    return kwargs


def make_env(**kwargs: Any) -> TouchlineEnv:
    """What ``gymnasium.make`` calls: :class:`TouchlineEnv`, with ``level=`` beside its arguments."""
    return TouchlineEnv(**_with_level(kwargs))


def make_vector_env(**kwargs: Any) -> TouchlineVectorEnv:
    """What ``gymnasium.make_vec`` calls: :class:`TouchlineVectorEnv`, with ``level=`` beside its arguments."""
    return TouchlineVectorEnv(**_with_level(kwargs))
