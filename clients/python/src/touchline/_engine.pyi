from os import PathLike
from typing import Any

from numpy.typing import NDArray

_Given = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any] | None]

class WorldError(ValueError): ...

def episode_seed(seed: int, environment: int, episode: int) -> int:
    """The seed that an episode of an environment has in a batch of this seed."""

VERSION: str

_Episode = tuple[str, int, int]

def plugin_versions(folders: list[str]) -> list[tuple[str, str]]: ...
def benchmark_keepers(levels: str) -> list[str]: ...
def benchmark_policy_file(policy: str) -> str | None: ...
def benchmark_conditions(
    policy: str, params: str | None, set_up: str, episodes: int, seed: int, folders: list[str]
) -> str: ...
def benchmark_part(
    policy: str,
    params: str | None,
    set_up: str,
    keeper: str,
    start: int,
    stop: int,
    seed: int,
    threads: int,
    folders: list[str],
) -> tuple[list[_Episode], BaseException | None]: ...
def benchmark_report(
    policy: str,
    set_up: str,
    episodes: int,
    seed: int,
    results: list[tuple[str, list[_Episode]]],
    interrupted: bool,
    wall_seconds: float,
    cpu_seconds: float,
    folders: list[str],
) -> tuple[str, str]: ...

class State:
    def __len__(self) -> int: ...

class Engine:
    def __new__(
        cls,
        text: str,
        name: str | PathLike[str],
        folders: list[str],
        changes: dict[str, Any] | None,
        num_envs: int,
        seed: int,
        threads: int,
        autoreset: str,
        clip: bool,
    ) -> Engine: ...
    def step(self, actions: Any, given: _Given) -> None: ...
    def reset(
        self, given: _Given, seed: int | None, which: NDArray[Any] | None, seeds: list[int] | None
    ) -> None: ...
    def look(self, given: _Given) -> None: ...
    def ended(self) -> list[tuple[int, int, int, str, int, int, list[float], list[int], str | None]]: ...
    def save(self, environments: list[int]) -> State: ...
    def load(self, state: State, environments: list[int]) -> None: ...
    def episode(self, environment: int) -> tuple[int, int]: ...
    def state_hash(self, environment: int) -> int: ...
    def shapes(self, environment: int) -> list[tuple[str, int, list[float]]]: ...
    def names(self) -> tuple[list[str], list[str], list[str]]: ...
    def close(self) -> None: ...
    @property
    def ended_count(self) -> int: ...
    @property
    def decision_secs(self) -> float: ...
    @property
    def world(self) -> str: ...
    @property
    def is_open(self) -> bool: ...
