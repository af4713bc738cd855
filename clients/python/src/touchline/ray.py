"""More than one machine: rollouts, benchmark and tournament on Ray; and names for RLlib.

Needs the extra ``touchline[ray]``. Every machine has the same Touchline installed; that is checked.
"""

from __future__ import annotations

import importlib
import logging
import os
import socket
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from types import TracebackType
from typing import Any

from . import work
from .rollouts import Episode, Policy
from .rollouts import rollouts as _rollouts

try:
    import ray
except ImportError as error:
    raise ImportError(f"touchline.ray needs Ray ({error}); install it: pip install \"ray>=2.40\"") from None


_REACH_SECS = 10.0


class VersionError(RuntimeError):
    """A worker has another Touchline than the program that it works for."""


class Runner:
    """Does units of work as Ray tasks; see ``touchline.work``.

    ``address`` is that of a cluster (``"auto"``: the one of this machine). Without it, the cluster that this program is joined to
    already, or else one of this machine alone, which listens on 127.0.0.1 and ends with the program. ``workers`` units are done at a
    time, by default one on each of the cluster's cores. A unit whose worker died is done again, ``retries`` times; what comes of it
    is the same. ``options`` are passed to Ray's ``options()``, such as ``{"resources": {"big": 1}}``.

    At the first Ctrl-C the units that have begun are finished, so that they are not lost; at the second they are left.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        workers: int | None = None,
        retries: int = 3,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"workers is {workers}; the lowest allowed is 1")
        if retries < 0:
            raise ValueError(f"retries is {retries}; the lowest allowed is 0")
        self.retries = retries
        self._workers = workers
        self._options = dict(options or {})
        self._counted: tuple[float, int] = (-1.0, 1)
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            _join(address)
        elif address not in (None, "auto", ray.get_runtime_context().gcs_address):
            there = ray.get_runtime_context().gcs_address
            raise RuntimeError(f"this program is joined to the Ray cluster at {there} already; call ray.shutdown() first")

    @property
    def workers(self) -> int:
        """How many units are done at a time."""
        if self._workers is not None:
            return self._workers
        # Machines come and go.
        now = time.monotonic()
        if self._counted[0] < 0.0 or now - self._counted[0] > 1.0:
            cores = ray.cluster_resources().get("CPU", 1.0)
            each = float(self._options.get("num_cpus", 1) or 1)
            self._counted = (now, max(1, int(cores / each)))
        return self._counted[1]

    @property
    def unit_threads(self) -> int:
        """One: the units are spread over the cores."""
        return 1

    def run(self, function: str, units: Sequence[work.Unit], shared: Any, done: work.Done) -> None:
        """Does all units; ``done`` is told of each as it is finished."""
        remote = ray.remote(_work).options(**{"num_cpus": 1, "max_retries": self.retries, "name": function, **self._options})
        common = ray.put(shared)
        waiting = deque(range(len(units)))
        # In the order in which they were begun.
        running: dict[Any, int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    number = waiting.popleft()
                    running[remote.remote(function, dict(units[number]), common, work.fingerprint())] = number
                self._take(running, units, done)
        except KeyboardInterrupt:
            if running:
                print(f"\nfinishing {len(running)} parts; Ctrl-C again to leave them", file=sys.stderr, flush=True)
            self._finish(running, units, done)
            raise
        except Exception:
            self._finish(running, units, done)
            raise

    def _finish(self, running: dict[Any, int], units: Sequence[work.Unit], done: work.Done) -> None:
        """Waits for the units that have begun; another error tells nothing new.

        They are not cancelled: Ray ends this process if a task is finished while it is cancelled (task_manager.cc, "Tried to complete
        task that was not pending"), and what they give is of use.
        """
        while running:
            before = len(running)
            try:
                self._take(running, units, done)
            except Exception:
                if len(running) == before:
                    # Nothing more can be had: the cluster is gone.
                    return

    def _take(self, running: dict[Any, int], units: Sequence[work.Unit], done: work.Done) -> None:
        """Waits for a unit, and tells of it."""
        ready, _ = ray.wait(list(running), num_returns=1, timeout=1.0)
        for reference in ready:
            number = running[reference]
            try:
                result = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                del running[reference]
                cause = error.cause if isinstance(error.cause, Exception) else error
                if "touchline" in str(cause) and isinstance(cause, ModuleNotFoundError):
                    raise VersionError(f"a worker has not this touchline installed: {cause}") from error
                raise cause from error
            except ray.exceptions.RayError as error:
                del running[reference]
                raise RuntimeError(
                    f"{dict(units[number])} could not be done: its worker was lost {self.retries + 1} times ({error})"
                ) from error
            with work.undisturbed():
                del running[reference]
                done(number, result)

    def close(self) -> None:
        """Leaves the cluster if this runner has joined it, and ends it if it is of this machine alone."""
        if self._is_ours and ray.is_initialized():
            self._is_ours = False
            ray.shutdown()

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _join(address: str | None) -> None:
    """Joins a cluster, or makes one of this machine."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        # Nobody outside is told of it, and nothing listens beyond this machine.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        with _loopback():
            ray.init(address="local", include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    is_here = host in ("127.0.0.1", "localhost")
    try:
        if port.isdecimal():
            # Ray itself would try for many minutes.
            socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_SECS).close()
        with _loopback() if is_here else nullcontext():
            ray.init(address=address, **quiet)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        raise ConnectionError(
            f"no Ray cluster at {address!r}: {error}\nto begin one: ray start --head; then give its address, such as "
            "\"10.0.0.1:6379\", or \"auto\" on a machine of the cluster"
        ) from error


@contextmanager
def _loopback() -> Iterator[None]:
    """Ray takes 127.0.0.1 for the machine's address in the network, but where it is told that it cannot have a cluster."""
    constants = importlib.import_module("ray._private.ray_constants")
    name = "ENABLE_RAY_CLUSTER"
    before = getattr(constants, name, None)
    setattr(constants, name, False)
    try:
        yield
    finally:
        setattr(constants, name, before)


def _work(function: str, unit: work.Unit, shared: Any, fingerprint: str) -> Any:
    """On the worker: one unit, by one thread."""
    here = work.fingerprint()
    if here != fingerprint:
        raise VersionError(
            f"the worker on {ray.util.get_node_ip_address()} has touchline {here}, and the program that it works for {fingerprint}: "
            "install the same on every machine"
        )
    return work.find(function)(unit, shared, 1)


def rollouts(
    world: str | os.PathLike[str],
    policy: Policy,
    seeds: Sequence[int],
    *,
    runner: Runner | None = None,
    **options: Any,
) -> list[Episode]:
    """:func:`touchline.rollouts.rollouts` on the cluster: the same episodes, bit for bit."""
    if runner is not None:
        return _rollouts(world, policy, seeds, runner=runner, **options)
    with Runner() as own:
        return _rollouts(world, policy, seeds, runner=own, **options)


def register() -> None:
    """Tells RLlib our names; needs ``ray[rllib]``. See ``touchline.rllib``."""
    from .rllib import register_all

    register_all()
