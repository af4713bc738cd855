"""Rollouts: the unit is a seed, and who plays at the same time plays no part. (I2)"""

from __future__ import annotations

import numpy as np
import pytest
from conftest import CHASE, PAIR

touchline = pytest.importorskip("touchline")

from touchline import work  # noqa: E402
from touchline.rollouts import rollouts  # noqa: E402


def steer(observation):
    """Each row for itself, without a sum whose order could differ."""
    return np.tanh(observation[..., :3]) * np.float32(0.8)


@pytest.mark.parametrize("world", [CHASE, PAIR])
def test_a_rollout_is_what_a_batch_of_one_plays(world):
    played = rollouts(world, steer, [5, 9], episodes=2, at_a_time=4)
    for seed in (5, 9):
        with touchline.Batch(world, 1, autoreset="disabled") as batch:
            arrays = batch.reset(seed)
            for one in [one for one in played if one.seed == seed]:
                if one.number > 0:
                    arrays = batch.reset()
                for t, action in enumerate(one.action):
                    assert np.array_equal(arrays.observation[0], one.observation[t])
                    assert np.array_equal(arrays.alive[0], one.alive[t])
                    assert np.array_equal(action, steer(arrays.observation)[0])
                    arrays = batch.step(action[None])
                    assert np.array_equal(arrays.reward[0], one.reward[t])
                assert np.array_equal(arrays.observation[0], one.observation[-1])
                assert (one.terminated,) == tuple(arrays.terminated)
                assert one.ended == batch.ended[0]


def test_neighbours_play_no_part():
    def key(one):
        return one.seed, one.observation.tobytes(), one.action.tobytes(), one.reward.tobytes(), one.ended

    def policy(observation, noise):
        return np.clip(steer(observation) + noise, -1.0, 1.0)

    whole = [key(one) for one in rollouts(CHASE, policy, range(12), noise=3)]
    for at_a_time, threads in [(1, 1), (5, 2), (64, 0)]:
        how = {"noise": 3, "at_a_time": at_a_time, "runner": work.Local(threads)}
        assert [key(one) for one in rollouts(CHASE, policy, range(12), **how)] == whole
    assert [key(one) for one in rollouts(CHASE, policy, [7, 3], noise=3)] == [whole[7], whole[3]]
    assert len({one[2] for one in whole}) == 12


def test_a_policy_may_give_the_same_array_again():
    out = np.zeros((32, 1, 3), np.float32)

    def policy(observation):
        out[:] = steer(observation)
        return out

    ours, theirs = rollouts(CHASE, policy, [5])[0], rollouts(CHASE, steer, [5])[0]
    assert np.array_equal(ours.action, theirs.action)
    assert len(np.unique(ours.action, axis=0)) > 1


def test_a_policy_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"the policy gave the shape \[32, 3\]; expected is \[32, 1, 3\]"):
        rollouts(CHASE, lambda seen: np.zeros((32, 3)), [1])
    with pytest.raises(ValueError, match="NaN"):
        rollouts(CHASE, lambda seen: np.full((32, 1, 3), np.nan), [1])
    assert rollouts(CHASE, steer, []) == []
