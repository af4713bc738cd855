"""The goalkeeper benchmark from Python: its starts, its seeds, its counting. (B1)"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pytest

touchline = pytest.importorskip("touchline")
pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from touchline.examples import evaluate as example  # noqa: E402
from touchline.examples.keepers import changes_of, keepers, unseen  # noqa: E402
from touchline.examples.settings import setting  # noqa: E402


def resting(observation: Any) -> Any:
    return np.zeros((len(observation), 3), np.float32)


def chasing(observation: Any) -> Any:
    """Runs after the ball and kicks: a goal now and then."""
    turn = np.clip(2.0 * np.arctan2(observation[:, 8], observation[:, 7]), -1.0, 1.0)
    return np.stack([np.ones_like(turn), turn, np.ones_like(turn)], 1)


def test_begin_plays_the_episode_of_a_seed_and_a_row():
    changes = {**example.STARTS, **changes_of("block-2")}
    batch = touchline.Batch("goalkeeper", 3, changes=changes)
    arrays = batch.reset(5)
    before = arrays.observation[1].copy()
    batch.begin([2, 0], [77, 78], [1, 1000])
    # The second row of worlds/parts/goalkeeper-starts.csv, and behind the last the first.
    assert np.allclose(arrays.observation[2, 0, :2], [1.0958, -0.8933])
    assert np.allclose(arrays.observation[0, 0, :2], [0.8306, 0.6829])
    assert np.array_equal(arrays.observation[1], before)
    assert batch.episode(2)[1] == 77
    # Nothing else plays a part: the same from another batch, in another place, later.
    other = touchline.Batch("goalkeeper", 1, changes=changes)
    other.reset(9)
    other.step(np.zeros((1, 1, 3), np.float32))
    other.begin([0], [77], [1])
    for _ in range(20):
        batch.step(np.full((3, 1, 3), 0.5, np.float32))
        other.step(np.full((1, 1, 3), 0.5, np.float32))
    assert batch.state_hash(2) == other.state_hash(0)


def test_begin_clears_what_the_last_step_said():
    batch = touchline.Batch("goalkeeper", 2, changes={**example.STARTS, "episode.max_s": 0.2})
    arrays = batch.reset(5)
    for _ in range(2):
        arrays = batch.step(np.ones((2, 1, 3), np.float32))
    assert arrays.truncated.tolist() == [True, True] and arrays.reward.all()
    arrays = batch.begin([1], [77], [1])
    assert arrays.truncated.tolist() == [True, False]
    assert arrays.reward[0, 0] != 0.0 and arrays.reward[1, 0] == 0.0


def test_begin_refuses_what_does_not_fit():
    batch = touchline.Batch("goalkeeper", 2)
    with pytest.raises(RuntimeError, match="reset all"):
        batch.begin([0], [1], [0])
    batch.reset(1)
    hashes = [batch.state_hash(one) for one in (0, 1)]
    with pytest.raises(ValueError, match="one seed and one start"):
        batch.begin([0, 1], [1], [0])
    with pytest.raises(IndexError):
        batch.begin([0, 2], [1, 1], [0, 0])
    with pytest.raises(ValueError, match="start"):
        batch.begin([0], [1], [-1])
    # A row of a list that is not there.
    with pytest.raises(ValueError, match="\"goalkeeper\" has no fixed starts to begin from; give it a starts_file"):
        batch.begin([0, 1], [1, 2], [0, 1])
    assert [batch.state_hash(one) for one in (0, 1)] == hashes


def test_every_episode_counts_once():
    score = example.evaluate(resting, "still-1", episodes=7)
    assert (score.outcomes, score.goals, score.seconds_to_goal) == ({"time": 7}, 0, None)
    # More episodes than worlds: the others follow.
    forward = example.evaluate(lambda seen: np.full((len(seen), 3), 1.0, np.float32), "none", episodes=150)
    assert forward.episodes == 150 and forward.outcomes.keys() <= {"goal", "out", "time", "foul"}


def test_the_time_to_a_goal_is_that_of_the_worlds_steps():
    # A goal falls within a decision. Times are those of `touchline benchmark goalkeeper`, which counts steps.
    score = example.evaluate(chasing, "none", episodes=40)
    steps, whole = [], []
    with touchline.Batch("goalkeeper", 40, changes={**example.STARTS, **changes_of("none")}) as batch:
        arrays = batch.reset(1)
        batch.begin(range(40), [touchline.episode_seed(1, k, 0) for k in range(40)], range(40))
        is_open = set(range(40))
        while is_open:
            batch.step(chasing(arrays.observation[:, 0])[:, None].copy())
            for ended in batch.ended:
                if ended.environment in is_open and ended.outcome == "goal":
                    steps.append(ended.steps)
                    whole.append(ended.decisions * batch.decision_secs)
                is_open.discard(ended.environment)
    assert batch.step_secs == pytest.approx(0.02) and score.goals == len(steps) > 0
    assert score.seconds_to_goal == round(sum(steps) * batch.step_secs / len(steps), 3)
    assert score.seconds_to_goal < sum(whole) / len(whole)


def test_the_numbers_of_worlds_play_no_part(monkeypatch: pytest.MonkeyPatch):
    scores = []
    for worlds in (3, 10):
        monkeypatch.setattr(example, "WORLDS", worlds)
        scores.append(example.evaluate(lambda seen: np.full((len(seen), 3), 0.8, np.float32), "block-2", episodes=20))
    assert scores[0] == scores[1]


def test_the_length_of_a_step_decides_nothing_among_discs():
    # By hand-written decisions, so that nothing was learned for one of them: whose intervals have nothing in common play another game.
    for keeper in ("none", "still", "block-2"):
        scores = [
            example.evaluate(chasing, keeper, world="goalkeeper-discs", changes={"dt_s": dt_s}, episodes=250)
            for dt_s in (0.01, 0.02, 0.05)
        ]
        intervals = [example.wilson_95(score.goals, score.episodes) for score in scores]
        assert max(low for low, _ in intervals) <= min(high for _, high in intervals), (keeper, intervals)
        assert keeper != "none" or scores[0].goals > 25, "who never scores tells nothing"


def test_a_setting_is_a_name_and_json():
    assert setting("episode.max_s=10.5") == ("episode.max_s", 10.5)
    assert setting('physics.law="discs"') == ("physics.law", "discs")
    for word, hint in [("dt_s", "NAME=VALUE"), ("=1", "NAME=VALUE"), ("physics.law=discs", "has quotes"), ("dt_s=", "not JSON")]:
        with pytest.raises(argparse.ArgumentTypeError, match=hint):
            setting(word)


def test_what_a_plugin_failed_in_is_no_result(monkeypatch):
    ended = touchline.Batch.ended.fget
    fault = "keeper: it is broken"
    monkeypatch.setattr(touchline.Batch, "ended", property(lambda batch: [one._replace(fault=fault) for one in ended(batch)]))
    with pytest.raises(RuntimeError, match="no result: keeper: it is broken"):
        example.evaluate(resting, "still-1", episodes=3)


def test_wilsons_interval():
    # The hand-written attacker's row in docs/goalkeeper-benchmark.md.
    low, high = example.wilson_95(822, 1000)
    assert (round(100 * low, 1), round(100 * high, 1)) == (79.7, 84.4)
    assert example.wilson_95(0, 1000)[0] == pytest.approx(0.0, abs=1e-12)


def test_keepers_have_names():
    assert len(keepers("all")) == 27
    assert keepers("block,block-2,none") == ["block-1", "block-2", "block-3", "block-4", "block-5", "none"]
    with pytest.raises(SystemExit, match="blok"):
        keepers("blok-2")
    names = touchline.Batch("goalkeeper").observation_names
    assert [names[one] for one in unseen("none", names)][0] == "truth.keeper.x" and not unseen("block-1", names)


def test_the_reference_table_has_a_cell_for_each_keeper():
    from touchline.examples.reference import cell, outcomes, table

    def line(goals: int) -> dict[str, Any]:
        return {"outcomes": {"goal": goals, "out": 100 - goals}, "seconds_to_goal": 2.0}

    # Wilson's interval of 170 in 200; of 90 in 100.
    assert cell([line(80), line(90)]) == "85.0 [79.4, 89.3] (80.0 to 90.0)"
    assert cell([line(90)]) == "90.0 [82.6, 94.5]"
    rows = table({"none": [line(100)], "still-1": [line(90)], "block-1": [line(90)], "block-2": [line(80)]}).splitlines()
    assert len(rows) == 5 and rows[3].endswith("| the same |  |  |  |") and rows[4].count("[") == 2
    assert outcomes({"block-2": [line(80), line(90)]}).splitlines()[2] == "| block-2 | 2.00 | 0.0 | 15.0 | 0.0 | 0.0 |"


def test_levels_in_the_wrong_order_are_named():
    from touchline.examples.reference import easier

    def line(goals: int) -> dict[str, Any]:
        return {"outcomes": {"goal": goals, "out": 1000 - goals}, "seconds_to_goal": 2.0}

    rising = {"block-1": [line(900), line(500)], "block-2": [line(650), line(700)], "block-3": [line(640), line(710)]}
    (only,) = easier(rising)
    assert only.startswith("seed 2: block-1 50.0") and "block-2 70.0" in only
    assert easier({"block-1": [line(500)], "block-2": [line(700)]})[-1].startswith("all seeds: block-1")
