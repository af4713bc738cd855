"""Work in units that can be done anywhere: by the threads of this process, or on a cluster (``touchline.ray``).

A unit is a dictionary of plain JSON values, and says which seeds are played. What comes of it depends on the unit and on what all
units share, and neither on who does it nor on the order: so it may be done again, elsewhere, when a worker was lost.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from . import _engine
from .batch import _whole
from .shipped_files import shipped_plugins, shipped_worlds_folder

Unit = Mapping[str, Any]
"""Plain JSON values."""

Done = Callable[[int, Any], None]
"""Is told the number of a unit and what came of it."""

Printed = tuple[dict[str, Any], str]
"""A report, as ``--json`` prints it, and its table for people."""


class Runner(Protocol):
    """Who does the work."""

    @property
    def workers(self) -> int:
        """How many units are done at a time."""

    @property
    def unit_threads(self) -> int:
        """How many threads work at a unit."""

    def run(self, function: str, units: Sequence[Unit], shared: Any, done: Done) -> None:
        """Calls ``function(unit, shared, threads)`` for every unit; ``function`` is written ``module:name``.

        ``done`` is called in this process, as each is finished, in any order. At Ctrl-C what was finished is told first.
        """


class Stopped(KeyboardInterrupt):
    """Ctrl-C came while a unit was done; ``result`` is what was finished of it."""

    def __init__(self, result: Any) -> None:
        super().__init__("interrupted")
        self.result = result


class Interrupted(KeyboardInterrupt):
    """Ctrl-C came; ``report`` and ``table`` tell of what was finished."""

    def __init__(self, report: dict[str, Any], table: str) -> None:
        super().__init__("interrupted")
        self.report = report
        self.table = table


class Failed(RuntimeError):
    """A plugin failed; ``report`` and ``table`` tell of what was finished."""

    def __init__(self, message: str, report: dict[str, Any], table: str) -> None:
        super().__init__(message)
        self.report = report
        self.table = table


class Local:
    """The threads of this process; 0 is one for each core."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = _whole("threads", threads, 0, _engine.MOST_THREADS)

    @property
    def workers(self) -> int:
        """One unit at a time, by all threads."""
        return 1

    @property
    def unit_threads(self) -> int:
        """All threads."""
        return self.threads or os.cpu_count() or 1

    def run(self, function: str, units: Sequence[Unit], shared: Any, done: Done) -> None:
        """One unit after the other."""
        call = find(function)
        for number, unit in enumerate(units):
            try:
                result, is_stopped = call(unit, shared, self.threads), False
            except Stopped as stopped:
                result, is_stopped = stopped.result, True
            with undisturbed():
                done(number, result)
            if is_stopped:
                raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is heard when this is over: what is kept is kept once, and wholly."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    told: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: told.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if told:
            before(*told[0])


def find(function: str) -> Callable[[Unit, Any, int], Any]:
    """The function that is written ``module:name``."""
    module, _, name = function.partition(":")
    call: Callable[[Unit, Any, int], Any] = getattr(importlib.import_module(module), name)
    return call


@functools.cache
def fingerprint() -> str:
    """Stands for this package: its version, its plugins and what is in their files, its worlds and robots.

    Two machines with the same give the same results.
    """
    found = hashlib.sha256()
    for plugin, version in _engine.plugin_versions([os.fspath(shipped_plugins())]):
        found.update(f"{plugin} {version}\n".encode())
    folder = shipped_worlds_folder()
    for path in sorted(path for part in ("worlds", "robots", "plugins") for path in folder.parent.glob(f"{part}/**/*")):
        if path.is_file():
            content = path.read_bytes()
            found.update(f"{path.relative_to(folder.parent).as_posix()} {len(content)}\n".encode() + content)
    return f"{_engine.VERSION} {found.hexdigest()[:16]}"


class Journal:
    """What was finished, on disk: one line of JSON for each unit, written as soon as it is there.

    ``head`` says what all units are parts of; a file with another head is refused. ``records`` are the units of an earlier run, with
    what came of them. A last line that was cut off is dropped.
    """

    def __init__(self, path: str | os.PathLike[str], head: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.records: list[tuple[dict[str, Any], Any]] = []
        self._file = self.path.open("a+b")
        try:
            self._read(head)
        except BaseException:
            self._file.close()
            raise

    def _read(self, head: Mapping[str, Any]) -> None:
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BlockingIOError(f"{self.path}: another run is writing it") from None
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines()):
            try:
                entry = json.loads(line)
                if number == 0:
                    self._compare(entry["journal"], json.loads(json.dumps(head)))
                else:
                    self.records.append((entry["unit"], entry["result"]))
            except (ValueError, KeyError, TypeError) as error:
                if isinstance(error, OtherWork):
                    raise
                raise ValueError(f"{self.path}, line {number + 1}: this is no journal of Touchline's") from None
        if text and not whole and b'{"journal"' not in text[:10]:
            raise ValueError(f"{self.path}, line 1: this is no journal of Touchline's")
        # Written is at the end.
        self._file.truncate(len(whole))
        if not whole:
            self._write({"journal": dict(head)})

    def _compare(self, there: Any, here: Any) -> None:
        differ = [
            f"{key} is {there.get(key)!r} there and {here.get(key)!r} here"
            for key in sorted({*there, *here})
            if there.get(key) != here.get(key)
        ]
        if differ:
            raise OtherWork(f"{self.path} is a journal of other work: {'; '.join(differ)}")

    def add(self, unit: Unit, result: Any) -> None:
        """Keeps what came of a unit."""
        self._write({"unit": dict(unit), "result": result})

    def _write(self, entry: dict[str, Any]) -> None:
        self._file.write(json.dumps(entry, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Nothing is lost without it."""
        self._file.close()


class OtherWork(ValueError):
    """A journal that is to be resumed has other conditions."""


def show_progress(what: str) -> Callable[[int, int], None] | None:
    """Tells people on a terminal how much is finished; None if nobody looks."""
    if not sys.stderr.isatty():
        return None

    def show(finished: int, total: int) -> None:
        print(f"\r{finished} of {total} {what}", end="" if finished < total else "\n", file=sys.stderr, flush=True)

    return show


def run(
    function: str,
    units: Sequence[Unit],
    *,
    shared: Any = None,
    runner: Runner | None = None,
    done: Done | None = None,
) -> list[Any]:
    """Does all units, and gives what came of them in their order."""
    results: list[Any] = [None] * len(units)

    def keep(number: int, result: Any) -> None:
        results[number] = result
        if done is not None:
            done(number, result)

    (Local() if runner is None else runner).run(function, units, shared, keep)
    return results


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that the small command lines have in common, for :func:`main`."""
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="0 is one for each core; not with --ray")
    parser.add_argument(
        "--ray", nargs="?", const="local", metavar="ADDRESS", help="on a cluster; without an address on one of this machine"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace, play: Callable[[Runner], Printed]) -> int:
    """Lets ``play`` work where the options say, prints what comes of it, and gives the exit code: also of what was interrupted."""
    code = 0
    try:
        runner: Runner = Local(options.threads)
        if options.ray is not None:
            from . import ray

            runner = ray.Runner(None if options.ray == "local" else options.ray)
        report, table = play(runner)
    except Interrupted as interrupted:
        report, table, code = interrupted.report, interrupted.table, 130
    except Failed as failed:
        print(f"error: {failed}", file=sys.stderr)
        report, table, code = failed.report, failed.table, 5
    except (ValueError, OSError, RuntimeError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(json.dumps(report) if options.json else table.rstrip())
    return code
