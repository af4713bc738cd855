"""The goalkeeper benchmark: the same episodes, report and digests as ``touchline benchmark goalkeeper``.

``python -m touchline.benchmark goalkeeper --policy scripted --levels block-2`` is a small command line; with ``--ray`` it plays on a
cluster.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import _engine, work
from .shipped_files import shipped_plugins

_FEWEST, _MOST = 20, 500
"""Episodes in a unit of work."""

_Episodes = dict[int, list[Any]]


Interrupted = work.Interrupted
Failed = work.Failed


class _Fault(Exception):
    """A plugin failed in an episode."""


def goalkeeper(
    policy: str = "scripted",
    levels: str = "all",
    *,
    params: Mapping[str, Any] | None = None,
    episodes: int = 1000,
    seed: int = 1,
    set_up: str = "truth",
    runner: work.Runner | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    plugins: Sequence[str | os.PathLike[str]] = (),
) -> dict[str, Any]:
    """Plays the benchmark and gives its report: the object that ``touchline benchmark goalkeeper --json`` prints.

    ``policy``, ``params``, ``levels`` and ``set_up`` are those of that command. ``runner`` is by default all threads of this process;
    a ``touchline.ray.Runner`` takes the same results from a cluster. ``resume`` names a journal: what stands there is not played again,
    and what is finished is written there at once. ``progress`` is told how many episodes are finished, and of how many. At Ctrl-C
    :class:`Interrupted` is raised, and when a plugin fails :class:`Failed`, with a report of what was finished.
    """
    return _goalkeeper(policy, levels, params, episodes, seed, set_up, runner, resume, progress, plugins)[0]


def _goalkeeper(
    policy: str,
    levels: str,
    params: Mapping[str, Any] | None,
    episodes: int,
    seed: int,
    set_up: str,
    runner: work.Runner | None,
    resume: str | os.PathLike[str] | None,
    progress: Callable[[int, int], None] | None,
    plugins: Sequence[str | os.PathLike[str]],
) -> work.Printed:
    runner = work.Local() if runner is None else runner
    keepers = _engine.benchmark_keepers(levels)
    if not 1 <= episodes <= 10_000_000:
        raise ValueError(f"episodes is {episodes}; allowed is 1 to 10,000,000")
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed is {seed}; allowed is 0 to 2**64 - 1")
    began = time.perf_counter()
    shared = _shared(policy, params, set_up, seed, plugins)
    finished: dict[str, _Episodes] = {keeper: {} for keeper in keepers}
    journal, cpu_seconds = None, 0.0
    if resume is not None:
        journal = work.Journal(resume, {"work": "goalkeeper benchmark", **_head(shared)})
        for unit, result in journal.records:
            _keep(finished, unit, result)
    total = episodes * len(keepers)
    units = list(_units(finished, episodes, runner.workers))

    def done(number: int, result: Any) -> None:
        nonlocal cpu_seconds
        if journal is not None and result["episodes"]:
            journal.add(units[number], result)
        _keep(finished, units[number], result)
        cpu_seconds += result["cpu_seconds"]
        if progress is not None:
            progress(_count(finished, episodes), total)
        if "fault" in result:
            raise _Fault(result["fault"])

    def report(interrupted: bool) -> work.Printed:
        results = [(keeper, list(_from_the_first(finished[keeper], episodes))) for keeper in keepers]
        results = [(keeper, played) for keeper, played in results if played]
        wall_seconds = time.perf_counter() - began
        text, table = _engine.benchmark_report(
            policy,
            shared["params"],
            set_up,
            episodes,
            seed,
            results,
            interrupted,
            wall_seconds,
            cpu_seconds,
            _folders(shared),
        )
        return json.loads(text), table

    try:
        if progress is not None:
            progress(_count(finished, episodes), total)
        runner.run("touchline.benchmark:play_part", units, shared, done)
    except KeyboardInterrupt:
        raise Interrupted(*report(True)) from None
    except _Fault as fault:
        raise Failed(str(fault), *report(True)) from None
    finally:
        if journal is not None:
            journal.close()
    return report(False)


def _shared(
    policy: str,
    params: Mapping[str, Any] | None,
    set_up: str,
    seed: int,
    plugins: Sequence[str | os.PathLike[str]],
) -> dict[str, Any]:
    """What all units have in common."""
    file = _engine.benchmark_policy_file(policy)
    if file is not None:
        # A worker may be in another folder.
        policy = ("onnx:" if policy.startswith("onnx:") else "") + os.path.abspath(file)
    shared: dict[str, Any] = {
        "policy": policy,
        "params": None if params is None else json.dumps(dict(params), sort_keys=True),
        "set_up": set_up,
        "seed": seed,
        "plugins": [os.path.abspath(folder) for folder in plugins],
    }
    shared["digest"], shared["attacker"] = _conditions(shared)
    return shared


def _head(shared: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in shared.items() if key != "plugins"}


def _folders(shared: Mapping[str, Any]) -> list[str]:
    return [*shared["plugins"], os.fspath(shipped_plugins())]


def _conditions(shared: Mapping[str, Any]) -> tuple[str, str]:
    """The digest of the conditions, without the number of episodes, and a number for the attacker: its library, model and parameters."""
    return _engine.benchmark_conditions(
        shared["policy"], shared["params"], shared["set_up"], 0, shared["seed"], _folders(shared)
    )


@functools.lru_cache(8)
def _conditions_here(shared: str) -> tuple[str, str]:
    """A worker looks once."""
    return _conditions(json.loads(shared))


def play_part(unit: work.Unit, shared: Mapping[str, Any], threads: int) -> dict[str, Any]:
    """Plays the episodes ``start`` to ``stop`` against one keeper: a unit of work."""
    digest, attacker = _conditions_here(json.dumps(shared))
    if digest != shared["digest"]:
        raise RuntimeError(f"the conditions are {digest} here and {shared['digest']} where the benchmark was started")
    if attacker != shared["attacker"]:
        raise RuntimeError(
            f"{shared['policy']} is another attacker here than where the benchmark was started: its library, its model or its parameters "
            "differ"
        )
    began = time.process_time()
    played, signal, fault = _engine.benchmark_part(
        shared["policy"],
        shared["params"],
        shared["set_up"],
        unit["keeper"],
        unit["start"],
        unit["stop"],
        shared["seed"],
        threads,
        _folders(shared),
    )
    result: dict[str, Any] = {"episodes": [list(episode) for episode in played], "cpu_seconds": time.process_time() - began}
    if fault is not None:
        result["fault"] = fault
    if signal is None:
        return result
    if isinstance(signal, KeyboardInterrupt):
        raise work.Stopped(result)
    raise signal


def _keep(finished: dict[str, _Episodes], unit: work.Unit, result: Mapping[str, Any]) -> None:
    # A journal may have keepers that are not asked for now.
    of_keeper = finished.get(unit["keeper"])
    if of_keeper is not None:
        of_keeper.update(enumerate(result["episodes"], unit["start"]))


def _count(finished: Mapping[str, _Episodes], episodes: int) -> int:
    return sum(sum(number < episodes for number in of_keeper) for of_keeper in finished.values())


def _from_the_first(of_keeper: _Episodes, episodes: int) -> Iterator[tuple[str, int, int]]:
    """The episodes before the first that is missing: those behind it tell of the short ones alone."""
    for number in range(episodes):
        if number not in of_keeper:
            return
        outcome, steps, seed = of_keeper[number]
        yield outcome, steps, seed


def _units(finished: Mapping[str, _Episodes], episodes: int, workers: int) -> Iterator[dict[str, Any]]:
    """The episodes that are not finished, in parts that keep all workers busy to the end."""
    missing = {
        keeper: [number for number in range(episodes) if number not in of_keeper]
        for keeper, of_keeper in finished.items()
    }
    total = sum(map(len, missing.values()))
    size = min(max(-(-total // (4 * workers)), _FEWEST), _MOST)
    for keeper, numbers in missing.items():
        for start, stop in _ranges(numbers, size):
            yield {"keeper": keeper, "start": start, "stop": stop}


def _ranges(numbers: Iterable[int], size: int) -> Iterator[tuple[int, int]]:
    start = stop = -1
    for number in numbers:
        if number != stop or stop - start == size:
            if stop > start:
                yield start, stop
            start = number
        stop = number + 1
    if stop > start:
        yield start, stop


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m touchline.benchmark``"""
    parser = argparse.ArgumentParser(prog="python -m touchline.benchmark", description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="benchmark", required=True)
    command = commands.add_parser("goalkeeper", help="one attacker against one goalkeeper: how often it scores")
    command.add_argument("--policy", required=True, help="random, scripted, or a player plugin's name or file")
    command.add_argument("--params", type=json.loads, metavar="JSON", help="parameters of the player")
    command.add_argument("--levels", default="all", help="all, none, block, block-2, …, parted by commas")
    command.add_argument("--set-up", default="truth", help="truth, camera or laser")
    command.add_argument("--episodes", type=int, default=1000, metavar="N", help="against each keeper")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="what the seeds of all episodes are made from")
    command.add_argument("--resume", metavar="FILE.jsonl", help="keep what is finished there, and begin with what it has")
    work.add_options(command)
    options = parser.parse_args(arguments)

    def play(runner: work.Runner) -> work.Printed:
        return _goalkeeper(
            options.policy,
            options.levels,
            options.params,
            options.episodes,
            options.seed,
            options.set_up,
            runner,
            options.resume,
            work.show_progress("episodes"),
            (),
        )

    return work.main(options, play)


if __name__ == "__main__":
    sys.exit(main())
