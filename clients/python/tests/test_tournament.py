"""Tournaments in Python are those of the command line, and their matches can be played anywhere. (B1)"""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from conftest import TOURNAMENT, without_times

touchline = pytest.importorskip("touchline")

from touchline import tournament, work  # noqa: E402

# Set by `cargo verify`; otherwise any that is on the path.
PROGRAM = os.environ.get("TOUCHLINE_PROGRAM") or shutil.which("touchline")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text(TOURNAMENT)
    return path


@pytest.mark.skipif(PROGRAM is None, reason="no program touchline; TOUCHLINE_PROGRAM names it")
def test_the_report_is_the_programs(file):
    printed = subprocess.run([PROGRAM, "tournament", file, "--pairs", "1", "--json"], capture_output=True, check=True)
    theirs, ours = json.loads(printed.stdout), tournament.play(file, pairs=1)
    assert list(ours) == list(theirs) and ours["played"] == ours["matches"] == 2
    # The digests have the plugins' code in them, which was built in another way.
    for report in (theirs, ours):
        del report["digest"]
    assert without_times(ours) == without_times(theirs)


def test_a_journal_is_gone_on_with(file, tmp_path, capsys):
    journal, told = tmp_path / "results.jsonl", []
    first = tournament.play(file, pairs=1, results=journal, runner=work.Local(1))
    text = journal.read_text()
    assert text.count("\n") == first["played"] == 2
    journal.write_text(text + '{"match":')
    whole = tournament.play(file, results=journal, progress=lambda *progress: told.append(progress))
    assert told[0] == (2, 4) and told[-1] == (4, 4)
    assert journal.read_text().startswith(text) and journal.read_text().count("\n") == 4
    assert without_times(whole) == without_times(tournament.play(file))
    file.write_text(TOURNAMENT.replace("match_s = 2", "match_s = 3"))
    with pytest.raises(ValueError, match="played under other conditions"):
        tournament.play(file, results=journal)
    assert tournament.main([str(file), "--results", str(tmp_path / "other.jsonl"), "--pairs", "1"]) == 0
    assert "slow" in capsys.readouterr().out


def test_a_plugin_that_failed_is_told_by_the_exit_code(file, tmp_path, capsys):
    journal = tmp_path / "results.jsonl"
    tournament.play(file, results=journal)
    first, *others = (json.loads(line) for line in journal.read_text().splitlines())
    first["faults"] = [{"entrant": "slow", "step": 3, "what": "player slow-1 failed\nlong ago"}] * 2
    journal.write_text("".join(json.dumps(line) + "\n" for line in [first, *others]))
    # Whoever calls it is given the report, and looks himself.
    assert len(tournament.play(file, results=journal)["faults"]) == 2
    capsys.readouterr()
    assert tournament.main([str(file), "--results", str(journal), "--json"]) == 5
    printed = capsys.readouterr()
    assert json.loads(printed.out)["played"] == 4
    told = f"error: plugins failed in 1 matches, first in match {first['match']}: player slow-1 failed\n"
    assert printed.err == told


class Interrupting(work.Local):
    """Ctrl-C comes when the first match is finished."""

    def run(self, function, units, shared, done):
        def once(number, result):
            done(number, result)
            raise KeyboardInterrupt

        super().run(function, units, shared, once)


def test_an_interrupt_loses_nothing(file, tmp_path):
    journal = tmp_path / "results.jsonl"
    with pytest.raises(KeyboardInterrupt) as caught:
        tournament.play(file, results=journal, runner=Interrupting())
    report = caught.value.report
    assert report["interrupted"] and 0 < report["played"] < report["matches"]
    assert journal.read_text().count("\n") == report["played"]


def test_bad_arguments(file, tmp_path):
    with pytest.raises(touchline.WorldError, match="no-such-file"):
        tournament.play(tmp_path / "no-such-file.toml")
    with pytest.raises(ValueError, match="pairs is 0"):
        tournament.play(file, pairs=0)
    with pytest.raises(OSError, match="not a regular file"):
        tournament.play(file, results=tmp_path)
    with pytest.raises(RuntimeError, match="digest is .* here and 77 where"):
        shared = {"file": str(file), "pairs": None, "plugins": [], "digest": "77"}
        tournament.play_part({"matches": [0]}, shared, 1)


def test_programs_are_refused_by_name(file):
    file.write_text(f'{TOURNAMENT}\n[[entrant]]\nname = "mine"\ncommand = ["python3", "team.py"]\n')
    with pytest.raises(touchline.WorldError, match='entrant "mine" is a program .*only `touchline tournament`'):
        tournament.play(file)
