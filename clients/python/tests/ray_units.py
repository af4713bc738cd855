"""Units of work that the workers of test_ray.py import by their name."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from touchline import benchmark


def play_and_die_once(unit, shared, threads):
    """Plays a part of the benchmark; but one worker is killed in the middle of its first."""
    folder, shared = shared
    name = f"{unit['keeper']}-{unit['start']}"
    if unit["start"] == 0:
        attempts = len(list(folder.glob(f"{name}-*")))
        Path(folder / f"{name}-{attempts}").touch()
        if attempts == 0:
            benchmark.play_part({**unit, "stop": unit["start"] + 1}, shared, threads)
            os.kill(os.getpid(), signal.SIGKILL)
    return benchmark.play_part(unit, shared, threads)


def die(unit, shared, threads):
    os.kill(os.getpid(), signal.SIGKILL)


def fail(unit, shared, threads):
    if unit["number"] == 2:
        raise ValueError("number 2 is wrong")
    return unit["number"]


def where(unit, shared, threads):
    """Which worker does it, when all workers have met."""
    Path(shared / f"{os.getpid()}").touch()
    while len(list(shared.iterdir())) < 2:
        pass
    return os.getpid()
