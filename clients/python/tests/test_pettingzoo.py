"""PettingZoo's own tests, and what they do not look at."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import CHASE, PAIR

touchline = pytest.importorskip("touchline")
pytest.importorskip("pettingzoo")

from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402


def test_pettingzoos_own_tests():
    parallel_api_test(touchline.parallel_env(PAIR), num_cycles=200)
    parallel_seed_test(lambda: touchline.parallel_env(PAIR), num_cycles=50)


def test_agents_are_those_of_the_batch():
    env = touchline.parallel_env(PAIR, render_mode="rgb_array")
    seen, infos = env.reset(seed=3)
    assert env.agents == ["runner", "walker"] and infos == {"runner": {}, "walker": {}}
    with touchline.Batch(PAIR) as batch:
        both = batch.reset(3).observation[0].copy()
        assert np.array_equal([seen["runner"], seen["walker"]], both)
        decided = np.zeros(batch.action_shape, np.float32)
        decided[0, 1, 0] = 1.0
        wanted = batch.step(decided).observation[0]
        seen, paid, over, cut, _ = env.step({"runner": decided[0, 0], "walker": decided[0, 1]})
        assert np.array_equal([seen["runner"], seen["walker"]], wanted)
    assert paid == {"runner": 0.0, "walker": 0.0} and not any(over.values()) and not any(cut.values())
    assert env.state().shape == (2 * len(seen["runner"]),) and env.render().shape[2] == 3
    for _ in range(9):
        *_, cut, infos = env.step({agent: np.zeros(3, np.float32) for agent in env.agents})
    assert cut == {"runner": True, "walker": True} and env.agents == []
    assert infos["walker"]["outcome"] == "time"
    with pytest.raises(RuntimeError, match="the episode is over: reset"):
        env.step({})


def test_bad_actions():
    env = touchline.parallel_env(PAIR)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions are of \['runner'\]; expected are \['runner', 'walker'\]"):
        env.step({"runner": np.zeros(3, np.float32)})
    with pytest.raises(ValueError, match="the action of 'walker' has the shape"):
        env.step({"runner": np.zeros(3, np.float32), "walker": np.zeros(2, np.float32)})


def test_one_agent_is_a_team_too():
    env = touchline.parallel_env(CHASE)
    assert list(env.reset(seed=1)[0]) == ["runner"]
