"""The same results from a cluster, whatever happens to its workers. (B1, I2)

The cluster has two workers, and is on this machine alone.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import CHASE, PAIR, TOURNAMENT, without_times

touchline = pytest.importorskip("touchline")
pytest.importorskip("ray", reason="ray is not installed")
# Before anything of Ray's is begun: nobody outside is told of it.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Where the workers find ray_units.
os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])

import ray  # noqa: E402
import touchline.ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402
from touchline import benchmark, rollouts, tournament, work  # noqa: E402

KEEPERS = {"policy": "scripted", "levels": "none,block-2", "episodes": 60, "seed": 3}


@pytest.fixture(scope="module")
def cluster():
    """Two nodes with a core each."""
    quiet = {"num_cpus": 1, "include_dashboard": False, "node_ip_address": "127.0.0.1", "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=quiet)
    cluster.add_node(**quiet)
    cluster.wait_for_nodes(timeout=300)
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="module")
def runner(cluster):
    with touchline.ray.Runner(cluster.address) as runner:
        assert runner.workers == 2
        yield runner


@pytest.fixture(scope="module")
def local():
    return without_times(benchmark.goalkeeper(**KEEPERS))


def test_two_workers_do_it(runner, tmp_path):
    assert len(set(work.run("ray_units:where", [{}, {}], shared=tmp_path, runner=runner))) == 2


def test_the_benchmark_is_the_local_one(runner, local):
    told = []
    report = benchmark.goalkeeper(**KEEPERS, runner=runner, progress=lambda *progress: told.append(progress))
    assert without_times(report) == local
    assert told[0] == (0, 120) and told[-1] == (120, 120) and told == sorted(told) and len(told) > 4
    assert report["cpu_seconds"] > 0.0


def test_the_tournament_is_the_local_one(runner, tmp_path):
    file = tmp_path / "short.toml"
    file.write_text(TOURNAMENT)
    report = tournament.play(file, runner=runner, results=tmp_path / "results.jsonl")
    assert report["played"] == 4 and without_times(report) == without_times(tournament.play(file))
    assert (tmp_path / "results.jsonl").read_text().count("\n") == 4


def test_rollouts_are_the_local_ones(runner):
    with touchline.Batch(PAIR) as batch:
        observed, decided = batch.observation_shape[2], batch.action_shape[2]
    weights = np.random.default_rng(1).normal(size=(observed, decided)).astype(np.float32)

    def policy(observation, noise):
        return np.tanh(observation @ weights + 0.3 * noise)

    how = {"noise": decided, "episodes": 2, "at_a_time": 7}
    here = rollouts.rollouts(PAIR, policy, range(20), **how)
    there = touchline.ray.rollouts(PAIR, policy, range(20), runner=runner, **how)
    assert [(one.seed, one.number) for one in here] == [(seed, number) for seed in range(20) for number in range(2)]
    assert pickle.dumps([tuple(map(plain, one)) for one in here]) == pickle.dumps([tuple(map(plain, one)) for one in there])


def plain(value):
    return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


class Murderous:
    """A runner one of whose workers is killed while it plays."""

    def __init__(self, runner, folder):
        self.runner, self.folder, self.workers = runner, folder, runner.workers

    def run(self, function, units, shared, done):
        assert function == "touchline.benchmark:play_part"
        self.runner.run("ray_units:play_and_die_once", units, (self.folder, shared), done)


def test_seeds_of_a_worker_that_was_killed_are_played_again(runner, local, tmp_path):
    report = benchmark.goalkeeper(**KEEPERS, runner=Murderous(runner, tmp_path))
    assert without_times(report) == local
    # One attempt that was killed, and one that was not; against both keepers.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["block-2-0-0", "block-2-0-1", "none-0-0", "none-0-1"]


def test_a_unit_that_kills_every_worker_is_an_error(cluster, runner):
    weak = touchline.ray.Runner(retries=1)
    with pytest.raises(RuntimeError, match=r"\{'number': 5\} could not be done: its worker was lost 2 times"):
        work.run("ray_units:die", [{"number": 5}], runner=weak)
    # It has not joined the cluster, so it does not leave it.
    weak.close()
    assert ray.is_initialized()


def test_what_a_unit_says_comes_back(runner):
    done = []
    with pytest.raises(ValueError, match="number 2 is wrong"):
        units = [{"number": number} for number in range(8)]
        work.run("ray_units:fail", units, runner=runner, done=lambda number, result: done.append((number, result)))
    assert (0, 0) in done and all(number == result for number, result in done)


def test_another_version_is_an_error(runner, monkeypatch):
    monkeypatch.setattr(work, "fingerprint", lambda: "0.0.1 of old")
    with pytest.raises(touchline.ray.VersionError, match="has touchline 0.1.0 .*works for 0.0.1 of old: install the same"):
        benchmark.goalkeeper("random", "none", episodes=2, runner=runner)
    with pytest.raises(RuntimeError, match="the conditions are .* here and 77 where"):
        shared = {"policy": "random", "params": None, "set_up": "truth", "seed": 1, "plugins": [], "file": None}
        benchmark.play_part({"keeper": "none", "start": 0, "stop": 1}, {**shared, "digest": "77"}, 1)


def long_run(cluster, journal, episodes):
    options = ["--policy", "scripted", "--levels", "block-2", "--episodes", str(episodes), "--seed", "3", "--json"]
    where = ["--ray", cluster.address, "--resume", str(journal)]
    return [sys.executable, "-m", "touchline.benchmark", "goalkeeper", *options, *where]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind are POSIX")
def test_an_interrupted_run_is_resumed(cluster, tmp_path):
    journal = tmp_path / "results.jsonl"
    command = long_run(cluster, journal, 2000)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not journal.exists() or journal.read_text().count("\n") < 3:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        assert process.returncode == 130, err
    partial, text = json.loads(out), journal.read_text()
    assert partial["interrupted"] and 0 < partial["rows"][0]["episodes"] < 2000
    finished = sum(len(json.loads(line)["result"]["episodes"]) for line in text.splitlines()[1:])
    assert partial["rows"][0]["episodes"] <= finished < 2000
    # As if the power had failed while a line was written.
    journal.write_text(text + '{"unit":{"keep')
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    whole = benchmark.goalkeeper("scripted", "block-2", episodes=2000, seed=3)
    assert without_times(json.loads(again.stdout)) == without_times(whole)
    # What had been finished was not played again.
    assert journal.read_text().startswith(text)
    lines = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    assert sum(len(line["result"]["episodes"]) for line in lines) == 2000


def test_a_cluster_that_is_not_there():
    code = "import touchline.ray\ntry:\n touchline.ray.Runner('127.0.0.1:9')\nexcept ConnectionError as error: print(error)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.startswith("no Ray cluster at '127.0.0.1:9'"), told
    assert "ray start --head" in told.stdout


ALONE = """
import json, ray, touchline.ray
from touchline import benchmark

with touchline.ray.Runner(workers=1) as runner:
    nodes = [node["NodeManagerAddress"] for node in ray.nodes()]
    report = benchmark.goalkeeper("scripted", "none", episodes=3, runner=runner)
print(json.dumps([nodes, ray.is_initialized(), report["rows"]]))
"""


def test_a_cluster_of_this_machine_alone():
    played = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True)
    assert played.returncode == 0, played.stderr
    rows = benchmark.goalkeeper("scripted", "none", episodes=3)["rows"]
    assert json.loads(played.stdout.splitlines()[-1]) == [["127.0.0.1"], False, rows]


def test_bad_arguments(runner):
    for given, words in [({"workers": 0}, "workers is 0"), ({"retries": -1}, "retries is -1")]:
        with pytest.raises(ValueError, match=words):
            touchline.ray.Runner(**given)
    with pytest.raises(RuntimeError, match="joined to the Ray cluster at 127.0.0.1:.* already"):
        touchline.ray.Runner("10.1.2.3:6379")
    with pytest.raises(ValueError, match=r"the policy gave the shape \[32, 3\]; expected is \[32, 1, 3\]"):
        touchline.ray.rollouts(CHASE, lambda seen: np.zeros((32, 3)), [1], runner=runner)
