"""The goalkeeper benchmark in Python is that of the command line; and its journal loses nothing. (B1)"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import without_times

touchline = pytest.importorskip("touchline")

from touchline import benchmark, rollouts, work  # noqa: E402

# Set by `cargo verify`; otherwise any that is on the path.
PROGRAM = os.environ.get("TOUCHLINE_PROGRAM") or shutil.which("touchline")


@pytest.mark.skipif(PROGRAM is None, reason="no program touchline; TOUCHLINE_PROGRAM names it")
@pytest.mark.parametrize(
    "options",
    [
        {"policy": "random", "levels": "none,mixed-3", "episodes": 5, "seed": 7, "set_up": "camera"},
        {"policy": "scripted", "levels": "still-1,block-2,none", "episodes": 12},
        {"policy": "striker", "levels": "intercept-1", "episodes": 8, "params": {"speed_fraction": 0.5}},
    ],
)
def test_the_report_is_the_programs(options):
    words = []
    for key, value in options.items():
        words += [f"--{key.replace('_', '-')}", json.dumps(value) if key == "params" else str(value)]
    printed = subprocess.run([PROGRAM, "benchmark", "goalkeeper", *words, "--json"], capture_output=True, check=True)
    report, expected = benchmark.goalkeeper(**options, runner=work.Local(2)), json.loads(printed.stdout)
    assert list(report) == list(expected)
    if options["policy"] != "random":
        # The program brings libraries of its own, and a player is known by the contents of its library.
        assert len(report.pop("attacker")) == len(expected.pop("attacker")) == 16
    assert without_times(report) == without_times(expected)


def test_parts_and_threads_play_no_part(monkeypatch):
    whole = without_times(benchmark.goalkeeper("random", "block-2", episodes=50))
    for size, threads in [(1, 1), (7, 2), (49, 0)]:
        monkeypatch.setattr(benchmark, "_FEWEST", size)
        monkeypatch.setattr(benchmark, "_MOST", size)
        report = benchmark.goalkeeper("random", "block-2", episodes=50, runner=work.Local(threads))
        assert without_times(report) == whole


COMMON = {"policy": "striker", "params": None, "set_up": "truth", "seed": 1, "plugins": []}


def test_a_journal_is_gone_on_with(tmp_path, monkeypatch):
    journal, played = tmp_path / "results.jsonl", []

    class Counting(work.Local):
        def run(self, function, units, shared, done):
            played.extend(unit["stop"] - unit["start"] for unit in units)
            super().run(function, units, shared, done)

    def play(levels, episodes, **more):
        played.clear()
        return benchmark.goalkeeper("random", levels, episodes=episodes, resume=journal, runner=Counting(), **more)

    play("block-2", 30)
    assert sum(played) == 30
    # More episodes, and another keeper: what is there is taken from there.
    report = play("none,block-2", 45)
    assert sum(played) == 45 + 15
    assert without_times(report) == without_times(benchmark.goalkeeper("random", "none,block-2", episodes=45))
    play("none", 20)
    assert played == []
    with pytest.raises(work.OtherWork, match="seed is 1 there and 2 here"):
        play("none", 20, seed=2)
    with pytest.raises(work.OtherWork, match="policy is 'random' there and 'scripted' here"):
        benchmark.goalkeeper("scripted", "none", episodes=2, resume=journal)
    text = journal.read_text()
    for broken, words in [
        (text.replace('"result"', '"res', 1), "line 2: this is no journal"),
        ("keeper,episode\nblock-2,0\n", "line 1: this is no journal"),
        ("hello", "line 1: this is no journal"),
    ]:
        journal.write_text(broken)
        with pytest.raises(ValueError, match=words):
            play("none", 2)
        assert journal.read_text() == broken


def test_a_journal_is_written_by_one_run(tmp_path):
    journal = tmp_path / "results.jsonl"
    first = work.Journal(journal, {"work": "this"})
    first.add({"n": 1}, "done")
    with pytest.raises(BlockingIOError, match="another run is writing it"):
        work.Journal(journal, {"work": "this"})
    first.close()
    second = work.Journal(journal, {"work": "this"})
    assert second.records == [({"n": 1}, "done")]
    second.close()


def test_another_attacker_of_the_same_name_is_noticed(tmp_path, monkeypatch):
    """What a policy's name stands for may change: its library, its model, its parameters."""
    journal = tmp_path / "results.jsonl"
    conditions = benchmark._conditions
    benchmark.goalkeeper("striker", "none", episodes=1, resume=journal)
    with pytest.raises(work.OtherWork, match="params is None there"):
        benchmark.goalkeeper("striker", "none", episodes=1, resume=journal, params={"speed_fraction": 0.5})
    assert conditions({**COMMON, "params": '{"speed_fraction": 0.5}'})[1] != conditions(COMMON)[1]
    assert conditions({**COMMON, "policy": "wanderer"})[1] != conditions(COMMON)[1]
    monkeypatch.setattr(benchmark, "_conditions", lambda shared: (conditions(shared)[0], "rebuilt"))
    with pytest.raises(work.OtherWork, match="here"):
        benchmark.goalkeeper("striker", "none", episodes=1, resume=journal)


def test_a_plugin_that_fails_takes_nothing_with_it(monkeypatch):
    monkeypatch.setattr(benchmark, "_FEWEST", 5)
    monkeypatch.setattr(benchmark, "_MOST", 5)
    part = benchmark._engine.benchmark_part

    def failing(policy, params, set_up, keeper, start, stop, *more):
        if (keeper, start) == ("block-2", 5):
            episodes, signal, _ = part(policy, params, set_up, keeper, start, start + 2, *more)
            return episodes, signal, f"{keeper}, episode 7: it failed"
        return part(policy, params, set_up, keeper, start, stop, *more)

    monkeypatch.setattr(benchmark._engine, "benchmark_part", failing)
    with pytest.raises(benchmark.Failed, match="block-2, episode 7: it failed") as failed:
        benchmark.goalkeeper("random", "none,block-2,still", episodes=20, runner=work.Local(1))
    report = failed.value.report
    assert [(row["keeper"], row["episodes"]) for row in report["rows"]] == [("none", 20), ("block-2", 7)]
    assert report["interrupted"] and "block-2" in failed.value.table


# The signal comes when two seconds of processor time were played.
INTERRUPTED = """
import os, signal, sys, threading, time
from touchline import benchmark

def interrupt():
    until = time.process_time() + 2.0
    while time.process_time() < until:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

benchmark._FEWEST = benchmark._MOST = 1_000_000
threading.Thread(target=interrupt).start()
sys.exit(benchmark.main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind are POSIX")
def test_an_interrupt_loses_nothing(tmp_path):
    """One unit is in work when it comes, and what was finished of it is kept."""
    journal = tmp_path / "results.jsonl"
    options = ["--policy", "scripted", "--levels", "none,block-2", "--episodes", "2000000", "--threads", "2"]
    command = [sys.executable, "-c", INTERRUPTED, "goalkeeper", *options, "--resume", str(journal), "--json"]
    played = subprocess.run(command, capture_output=True, text=True)
    assert played.returncode == 130, played.stderr
    report = json.loads(played.stdout)
    assert report["interrupted"] and [row["keeper"] for row in report["rows"]] == ["none"]
    count = report["rows"][0]["episodes"]
    assert 0 < count < 2000000
    entry = json.loads(journal.read_text().splitlines()[1])
    assert entry["unit"]["start"] == 0 and len(entry["result"]["episodes"]) == count
    # A prefix of what is played without an interrupt.
    few = min(count, 60)
    again = benchmark.goalkeeper("scripted", "none", episodes=few, resume=journal)
    assert without_times(again) == without_times(benchmark.goalkeeper("scripted", "none", episodes=few))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"levels": "blok-2"}, "did you mean block-2"),
        ({"levels": "block-6"}, "1 to 5"),
        ({"policy": "strker"}, "did you mean striker"),
        ({"policy": "no/such/file.so"}, "no/such/file.so"),
        ({"policy": "striker", "params": {"speed_fraction": 7}}, "speed_fraction"),
        ({"set_up": "sonar"}, "truth, camera, laser"),
        ({"episodes": 0}, "episodes is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_arguments(given, words):
    with pytest.raises(ValueError, match=words):
        benchmark.goalkeeper(**given)


def test_the_command_line(capsys):
    main = benchmark.main
    assert main(["goalkeeper", "--policy", "random", "--levels", "still-1", "--episodes", "2", "--threads", "1"]) == 0
    assert "still-1" in capsys.readouterr().out
    assert main(["goalkeeper", "--policy", "strker"]) == 1
    assert "did you mean striker" in capsys.readouterr().err


def test_ray_is_missed_in_words(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "touchline.ray", raising=False)
    monkeypatch.delattr(touchline, "ray", raising=False)
    with pytest.raises(ImportError, match=r"touchline.ray needs Ray .*pip install \"ray"):
        importlib.import_module("touchline.ray")
