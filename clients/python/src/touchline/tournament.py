"""Tournaments: the same matches, journal and report as ``touchline tournament FILE``.

A match is a pure function of the file and its number. ``python -m touchline.tournament FILE`` is a small command line; with ``--ray`` it
plays on a cluster.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _engine, work
from .shipped_files import shipped_plugins

_MOST = 8
"""Matches in a unit of work, for each thread that works at it."""


Interrupted = work.Interrupted


def play(
    file: str | os.PathLike[str],
    *,
    pairs: int | None = None,
    runner: work.Runner | None = None,
    results: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    plugins: Sequence[str | os.PathLike[str]] = (),
) -> dict[str, Any]:
    """Plays a tournament and gives its report: the object that ``touchline tournament FILE --json`` prints.

    ``results`` is the journal, which that command reads and writes as well: what stands there is not played again. ``runner`` is by
    default all threads of this process; for a ``touchline.ray.Runner`` the file, and what it names, must be there under the same path
    on every machine. ``progress`` is told how many matches are finished, and of how many. At Ctrl-C :class:`Interrupted` is raised, with a
    report of what was finished.
    """
    return _play(file, pairs, runner, results, progress, plugins)[0]


def _play(
    file: str | os.PathLike[str],
    pairs: int | None,
    runner: work.Runner | None,
    results: str | os.PathLike[str] | None,
    progress: Callable[[int, int], None] | None,
    plugins: Sequence[str | os.PathLike[str]],
) -> work.Printed:
    runner = work.Local() if runner is None else runner
    if pairs is not None and not 1 <= pairs <= 1_000_000:
        raise ValueError(f"pairs is {pairs}; allowed is 1 to 1,000,000")
    began, cpu_seconds = time.perf_counter(), 0.0
    folders = [os.path.abspath(folder) for folder in plugins]
    shared = {"file": os.path.abspath(file), "pairs": pairs, "plugins": folders}
    tournament = _load(shared)
    shared["digest"] = tournament.digest()
    if results is not None:
        tournament.open(os.fspath(results))
    missing = tournament.missing()
    threads = runner.unit_threads
    size = min(max(-(-len(missing) // (4 * runner.workers)), threads), _MOST * threads)
    units = [{"matches": missing[first : first + size]} for first in range(0, len(missing), size)]

    def done(number: int, result: Any) -> None:
        nonlocal cpu_seconds
        tournament.add(result["lines"])
        cpu_seconds += result["cpu_seconds"]
        if progress is not None:
            progress(tournament.played, tournament.matches)

    def report(interrupted: bool) -> work.Printed:
        text, table = tournament.report(interrupted, time.perf_counter() - began, cpu_seconds)
        return json.loads(text), table

    try:
        if progress is not None:
            progress(tournament.played, tournament.matches)
        runner.run("touchline.tournament:play_part", units, shared, done)
    except KeyboardInterrupt:
        raise Interrupted(*report(True)) from None
    finally:
        tournament.close()
    return report(False)


def _load(shared: Mapping[str, Any]) -> _engine.Tournament:
    folders = [*shared["plugins"], os.fspath(shipped_plugins())]
    return _engine.Tournament(shared["file"], shared["pairs"], folders)


@functools.lru_cache(1)
def _loaded(shared: str) -> _engine.Tournament:
    """A worker reads it once."""
    return _load(json.loads(shared))


def play_part(unit: work.Unit, shared: Mapping[str, Any], threads: int) -> dict[str, Any]:
    """Plays some matches by their numbers: a unit of work."""
    tournament = _loaded(json.dumps(shared))
    if tournament.digest() != shared["digest"]:
        raise RuntimeError(
            f"the tournament's digest is {tournament.digest()} here and {shared['digest']} where it was started: a file, a plugin or the "
            "program differs"
        )
    began = time.process_time()
    lines, signal = tournament.play(unit["matches"], threads)
    result = {"lines": lines, "cpu_seconds": time.process_time() - began}
    if signal is None:
        return result
    if isinstance(signal, KeyboardInterrupt):
        raise work.Stopped(result)
    raise signal


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m touchline.tournament``"""
    parser = argparse.ArgumentParser(prog="python -m touchline.tournament", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", help="the tournament file")
    parser.add_argument("--results", metavar="FILE", help="the journal; FILE.results.jsonl if not given")
    parser.add_argument("--pairs", type=int, metavar="N", help="pairs of matches, in place of the file's number")
    work.add_options(parser)
    options = parser.parse_args(arguments)
    results = f"{options.file}.results.jsonl" if options.results is None else options.results

    def play(runner: work.Runner) -> work.Printed:
        report, table = _play(options.file, options.pairs, runner, results, work.show_progress("matches"), ())
        faults = report["faults"]
        if faults:
            failed = len({fault["match"] for fault in faults})
            first, _, _ = faults[0]["what"].partition("\n")
            told = f"plugins failed in {failed} matches, first in match {faults[0]['match']}: {first}"
            raise work.Failed(told, report, table)
        return report, table

    return work.main(options, play)


if __name__ == "__main__":
    sys.exit(main())
