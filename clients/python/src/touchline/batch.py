"""The batch: many worlds of one make, stepped together."""

from __future__ import annotations

import operator
import os
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from . import _engine
from .shipped_files import shipped_plugins, world_text

_Floats = NDArray[np.float32]
_Flags = NDArray[np.bool_]


@runtime_checkable
class _HasDLPack(Protocol):
    """An array of any library that shares its memory."""

    def __dlpack__(self, *, stream: Any = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...


# An array that is left out in `out=`; in what a step gives none is.
_OWN: Any = None


class Arrays(NamedTuple):
    """What a step gives: N environments, A agents in each, O observed numbers.

    As ``out=`` of a step these are the arrays to write into: contiguous, of these types and shapes. One that is left out (None)
    is the batch's own, which the next step overwrites.
    """

    observation: _Floats = _OWN
    """[N, A, O] float32"""
    reward: _Floats = _OWN
    """[N, A] float32"""
    terminated: _Flags = _OWN
    """[N] bool: the referee has ended the episode."""
    truncated: _Flags = _OWN
    """[N] bool: its time was up."""
    alive: _Flags = _OWN
    """[N, A] bool: the agent's robot is still there."""
    final_observation: _Floats | None = None
    """[N, A, O] float32, with autoreset "same_step" only: the last observations of the episodes that ended in this step; the other
    rows are left as they were."""


class Ended(NamedTuple):
    """An episode that is over."""

    environment: int
    episode: int
    """Its number, from 0."""
    seed: int
    """What it was made from: :func:`touchline.episode_seed` of the batch's seed, environment and episode."""
    outcome: str
    """The referee's word, such as ``goal``; ``time`` when it was cut off."""
    decisions: int
    steps: int
    """Of the world; the last decision's may be fewer than the others'."""
    returns: list[float]
    """What each agent was paid in all."""
    score: list[int]
    """The goals of each team."""
    fault: str | None
    """The first plugin that failed; then the episode is worth nothing."""


class State(NamedTuple):
    """Environments as they were; it is of use in this process and to the batch that gave it."""

    environments: list[int]
    engine: _engine.State


class Batch:
    """Many worlds of one make, stepped together on all cores and written into arrays in place.

    ``world`` is the path of a world file with a table ``[episode]``, the name of a shipped one, or the text of one. ``changes`` are
    values to be set in it first, such as ``{"robot.keeper.player.params.level": 3, "episode.max_s": 10.0}``. ``threads`` is 0 for
    one on each core. ``autoreset`` says what follows the end of an episode: the next step begins a new one and ignores the
    actions ("next_step"), the same step does ("same_step"), or somebody has to reset it ("disabled"). Actions lie in [-1, 1]; others
    are errors, or are clipped with ``clip``. ``plugins`` are folders to search before the shipped ones.
    """

    def __init__(
        self,
        world: str | os.PathLike[str],
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int = 0,
        autoreset: str = "next_step",
        clip: bool = False,
        changes: Mapping[str, Any] | None = None,
        plugins: Sequence[str | os.PathLike[str]] = (),
    ) -> None:
        num_envs = _whole("num_envs", num_envs, 1, _engine.MOST_ENVIRONMENTS)
        threads = _whole("threads", threads, 0, _engine.MOST_THREADS)
        seed = _seed(seed)
        text, name = world_text(world)
        folders = [os.fspath(folder) for folder in plugins] + [os.fspath(shipped_plugins())]
        self._is_closing = False
        self._engine = _engine.Engine(
            text, name, folders, dict(changes or {}), num_envs, seed, threads, str(autoreset), bool(clip)
        )
        agents, observed, decided = self._engine.names()
        self.num_envs = num_envs
        self.world = self._engine.world
        """The world's name."""
        self.agents: tuple[str, ...] = tuple(agents)
        self.observation_names: tuple[str, ...] = tuple(observed)
        """What each observed number is, such as ``truth.ball-0.x``."""
        self.action_names: tuple[str, ...] = tuple(decided)
        """What each decided number is, such as ``drive.forward``."""
        self.decision_secs = self._engine.decision_secs
        """Simulated time from one decision to the next, seconds."""
        self.step_secs = self._engine.step_secs
        """Simulated time of one step of the world, seconds: :attr:`Ended.steps` counts them."""
        self.seed = seed
        self.autoreset = str(autoreset)
        self._arrays = self.make_arrays()
        # With everything in its place: what the engine is given when there is no `out`.
        self._own: Any = tuple(self._arrays)

    # Shapes

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """[N, A, O]"""
        return (self.num_envs, len(self.agents), len(self.observation_names))

    @property
    def action_shape(self) -> tuple[int, int, int]:
        """[N, A, D]"""
        return (self.num_envs, len(self.agents), len(self.action_names))

    @property
    def observation_space(self) -> Any:
        """One agent's, as Gymnasium's ``Box``; needs Gymnasium."""
        from gymnasium.spaces import Box

        return Box(-np.inf, np.inf, (len(self.observation_names),), np.float32)

    @property
    def action_space(self) -> Any:
        """One agent's, as Gymnasium's ``Box``; needs Gymnasium."""
        from gymnasium.spaces import Box

        return Box(-1.0, 1.0, (len(self.action_names),), np.float32)

    def make_arrays(self) -> Arrays:
        """New arrays for ``out=``."""
        return self.make_rollout(1)[0]

    def make_rollout(self, steps: int) -> Rollout:
        """Arrays for many steps: ``batch.step(actions, out=rollout[t])``."""
        return Rollout(self, _whole("steps", steps, 1))

    # Play

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        mask: _Flags | None = None,
        out: Arrays | None = None,
    ) -> Arrays:
        """Begins an episode everywhere, or where ``mask`` is true.

        With a whole number as ``seed`` this is episode 0 of a batch of that seed. With one seed for each environment it is episode 0
        of what a batch of one environment with that seed plays. Without, it is each environment's next episode.
        """
        if mask is not None and seed is not None and not isinstance(seed, Sequence | np.ndarray):
            raise ValueError("with a mask, give one seed for each environment, or none")
        one, each = None, None
        if isinstance(seed, Sequence | np.ndarray):
            each = [_seed(number) for number in seed]
            if len(each) != self.num_envs:
                raise ValueError(f"there are {len(each)} seeds and {self.num_envs} environments")
        elif seed is not None:
            one = _seed(seed)
        arrays, given = self._place(out)
        self._engine.reset(given, one, mask, each)
        if one is not None:
            self.seed = one
        return arrays

    def begin(
        self, environments: Sequence[int], seeds: Sequence[int], starts: Sequence[int], *, out: Arrays | None = None
    ) -> Arrays:
        """Begins an episode of its own in some environments, and leaves the others and their parts of the arrays as they are.

        ``seeds`` are the episodes' own, see :func:`touchline.episode_seed`; ``starts`` are rows of the world's ``starts_file``, from
        0, around the list; a world without one is refused. So a benchmark is played.
        """
        arrays, given = self._place(out)
        rows = [_whole("a start", start, 0) for start in starts]
        self._engine.begin(given, self._chosen(environments), [_seed(seed) for seed in seeds], rows)
        return arrays

    def step(self, actions: _Floats | _HasDLPack, out: Arrays | None = None) -> Arrays:
        """Makes one decision in every environment: ``actions`` is [N, A, D] float32, an array of numpy or of another library that shares
        its memory by DLPack, such as a tensor of torch on the CPU; neither is copied.

        Gives ``out``, or the batch's own arrays, which the next step overwrites. If anything is wrong, nothing was stepped.
        """
        if not isinstance(actions, np.ndarray) and isinstance(actions, _HasDLPack):
            actions = np.from_dlpack(actions)
        if out is None and not self._is_closing:
            self._engine.step(actions, self._own)
            return self._arrays
        arrays, given = self._place(out)
        self._engine.step(actions, given)
        return arrays

    @property
    def ended(self) -> list[Ended]:
        """The episodes that ended in the last step, in the order of the environments."""
        return [Ended(*ended) for ended in self._engine.ended()]

    @property
    def ended_count(self) -> int:
        """How many episodes ended in the last step; cheaper than to list them."""
        return self._engine.ended_count

    # States

    def get_state(self, environments: Sequence[int] | None = None) -> State:
        """All, or some environments, to come back to."""
        chosen = self._chosen(environments)
        return State(chosen, self._engine.save(chosen))

    def set_state(
        self, state: State, environments: Sequence[int] | None = None, *, out: Arrays | None = None
    ) -> Arrays:
        """Brings environments back: those that were saved, or as many others. Gives what is observed now, and pays nothing."""
        arrays, given = self._place(out)
        chosen = state.environments if environments is None else self._chosen(environments)
        self._engine.load(given, state.engine, chosen)
        return arrays

    def state_hash(self, environment: int = 0) -> int:
        """The same for the same state of a world, on any machine."""
        return self._engine.state_hash(self._environment(environment))

    def episode(self, environment: int = 0) -> tuple[int, int]:
        """The number and the seed of the episode that an environment is in."""
        return self._engine.episode(self._environment(environment))

    # Looks

    def render(self, environment: int = 0, *, width: int = 640) -> NDArray[np.uint8]:
        """A picture of one world from above: [height, width, 3]. It changes nothing."""
        from .picture import draw

        return draw(self._engine.shapes(self._environment(environment)), width=_whole("width", width, 16))

    def watch(self, *, port: int = 0, browser: bool | None = None) -> str:
        """Opens the studio's page for the first environment, and gives its address, which is also told on stderr.

        From now on every step is held to real time, so that a person can follow; what comes of it is the same. The page is
        served on 127.0.0.1 alone; port 0 is a free one. It is opened in a browser where there is a display, unless ``browser``, or
        the environment variable ``TOUCHLINE_BROWSER`` (0 or 1), says otherwise. :meth:`close` ends it.
        """
        from .watching import tell, wish

        port = _whole("port", port, 0, 65535)
        wanted = wish(browser)
        url = self._engine.watch(port)
        tell(url, wanted)
        return url

    # End

    def close(self) -> None:
        """Ends the threads, and the studio if it was opened; calling it twice does no harm. What another thread does with it just now is
        waited for.
        """
        # Who steps it in a loop leaves it no moment: he is told.
        self._is_closing = True
        while True:
            try:
                return self._engine.close()
            except RuntimeError as error:
                # How the engine says that another thread is in it.
                if str(error) != "Already borrowed":
                    raise
            time.sleep(0.001)

    @property
    def is_closed(self) -> bool:
        """Whether it can no longer be used: it was closed, or made in another process."""
        return not self._engine.is_open

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self.num_envs

    def __repr__(self) -> str:
        return f"Batch({self.world!r}, num_envs={self.num_envs}, agents={list(self.agents)})"

    def __reduce__(self) -> Any:
        raise TypeError("a batch cannot be pickled; make one in each process")

    def _chosen(self, environments: Sequence[int] | None) -> list[int]:
        if environments is None:
            return list(range(self.num_envs))
        return [self._environment(environment) for environment in environments]

    def _environment(self, number: Any) -> int:
        place = _whole("an environment", number)
        if not 0 <= place < self.num_envs:
            raise IndexError(f"there is no environment {place}; there are {self.num_envs}, from 0")
        return place

    def _place(self, out: Arrays | None) -> tuple[Arrays, Any]:
        """The arrays to write into, those that are left out being our own."""
        if self._is_closing:
            raise RuntimeError("this batch is closed")
        if out is None:
            return self._arrays, self._own
        if not isinstance(out, tuple) or not 5 <= len(out) <= 6:
            raise TypeError("out must be touchline.Arrays, such as an item of batch.make_rollout(steps)")
        if not isinstance(out, Arrays):
            out = Arrays(*out)
        own = self._arrays
        if all(array is not None for array in out[:5]) and (out[5] is not None or own[5] is None):
            return out, tuple(out)
        both: Any = (mine if theirs is None else theirs for mine, theirs in zip(own, out, strict=True))
        mixed = Arrays(*both)
        return mixed, tuple(mixed)


class Rollout:
    """Arrays for many steps: T, then the shape of :class:`Arrays`. ``rollout[t]`` is what a step is given as ``out``."""

    def __init__(self, batch: Batch, steps: int) -> None:
        environments, agents, observed = batch.observation_shape
        self.observation = np.zeros((steps, environments, agents, observed), np.float32)
        self.reward = np.zeros((steps, environments, agents), np.float32)
        self.terminated = np.zeros((steps, environments), np.bool_)
        self.truncated = np.zeros((steps, environments), np.bool_)
        self.alive = np.zeros((steps, environments, agents), np.bool_)
        self.final_observation = np.zeros_like(self.observation) if batch.autoreset == "same_step" else None
        last = self.final_observation
        # Made once: a step in a loop then makes no new views.
        self._steps = [
            Arrays(
                self.observation[t],
                self.reward[t],
                self.terminated[t],
                self.truncated[t],
                self.alive[t],
                None if last is None else last[t],
            )
            for t in range(steps)
        ]

    def __getitem__(self, t: int) -> Arrays:
        return self._steps[t]

    def __len__(self) -> int:
        return len(self._steps)


def _whole(name: str, value: Any, lowest: int | None = None, highest: int | None = None) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if lowest is None:
        return number
    if highest is not None and not lowest <= number <= highest:
        raise ValueError(f"{name} is {number}; allowed is {lowest} to {highest}")
    if number < lowest:
        raise ValueError(f"{name} is {number}; the lowest allowed is {lowest}")
    return number


def _seed(value: Any) -> int:
    number = _whole("seed", value, 0)
    if number >= 1 << 64:
        raise ValueError(f"seed is {number}; allowed is 0 to 2**64 - 1")
    return number
