"""The batch: what it gives, where it writes, and that nothing but the seed plays a part. (I2)"""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import CHASE, PAIR, decide

touchline = pytest.importorskip("touchline")


def play(batch, steps, seed=3):
    """State hashes and observations after some steps, and all episodes that ended."""
    batch.reset(seed)
    ended, seen = [], []
    for tick in range(steps):
        arrays = batch.step(decide(batch, tick))
        ended += batch.ended
        seen.append(arrays.observation.copy())
    return [batch.state_hash(number) for number in range(len(batch))], ended, np.array(seen)


def test_shapes_names_and_numbers():
    with touchline.Batch(PAIR, 5, threads=1) as batch:
        assert batch.agents == ("runner", "walker")
        assert batch.observation_names[:4] == ("truth.pose.x", "truth.pose.y", "truth.pose.cos", "truth.pose.sin")
        assert batch.action_names[-1] == "kicker.kick"
        assert batch.observation_shape == (5, 2, len(batch.observation_names))
        arrays = batch.reset()
        assert arrays.observation.shape == batch.observation_shape and arrays.observation.dtype == np.float32
        assert arrays.reward.shape == (5, 2) and arrays.terminated.shape == (5,) and arrays.alive.all()
        # Headings are cosines and sines; no two environments begin alike.
        assert np.allclose(np.hypot(arrays.observation[..., 2], arrays.observation[..., 3]), 1.0)
        assert len(np.unique(arrays.observation[:, 0, 0])) == 5
        assert batch.decision_secs == pytest.approx(0.1)


def test_driving_forward_moves_forward():
    with touchline.Batch(CHASE, 1, threads=1) as batch:
        before = batch.reset(1).observation[0, 0, :4].copy()
        forward = np.zeros(batch.action_shape, np.float32)
        forward[0, 0, batch.action_names.index("drive.forward")] = 1.0
        for _ in range(5):
            after = batch.step(forward).observation[0, 0, :4]
        assert (after[:2] - before[:2]) @ before[2:] > 0.1


def test_size_and_threads_play_no_part():
    reference = touchline.Batch(CHASE, 33, threads=1)
    hashes, ended, seen = play(reference, 25)
    assert len(ended) == 33 * 2
    for size, threads in [(33, 2), (7, 3), (1, 1)]:
        with touchline.Batch(CHASE, size, threads=threads) as batch:
            some_hashes, some_ended, some_seen = play(batch, 25)
        assert some_hashes == hashes[:size]
        assert some_ended == [one for one in ended if one.environment < size]
        assert np.array_equal(some_seen, seen[:, :size])


def test_an_episode_says_what_it_was_made_from():
    with touchline.Batch(CHASE, 3, threads=1) as batch:
        _, ended, _ = play(batch, 23, seed=11)
        assert [(one.environment, one.episode) for one in ended] == [(e, n) for n in (0, 1) for e in range(3)]
        for one in ended:
            assert one.seed == touchline.episode_seed(11, one.environment, one.episode)
            assert (one.outcome, one.decisions, one.returns, one.fault) == ("time", 10, [0.0], None)
        assert pickle.loads(pickle.dumps(ended)) == ended


def test_one_seed_each_plays_what_a_batch_of_one_plays():
    def some(batch):
        return [batch.step(decide(batch, 0)[:1].repeat(len(batch), 0)).observation[-1].copy() for _ in range(15)]

    with touchline.Batch(CHASE, 4, threads=2) as batch, touchline.Batch(CHASE, 1) as alone:
        batch.reset([5, 6, 7, 8])
        alone.reset(8)
        assert np.array_equal(some(batch), some(alone))


def test_what_is_given_is_written_in_place():
    with touchline.Batch(CHASE, 4, threads=2) as batch, touchline.Batch(CHASE, 4, threads=1) as other:
        rollout = batch.make_rollout(6)
        batch.reset(1)
        other.reset(1)
        for tick in range(6):
            arrays = batch.step(decide(batch, tick), out=rollout[tick])
            assert arrays is rollout[tick] and np.shares_memory(arrays.observation, rollout.observation)
            assert np.array_equal(other.step(decide(other, tick)).observation, rollout.observation[tick])
        own = np.zeros((2, *batch.observation_shape), np.float32)
        arrays = batch.step(decide(batch, 6), out=touchline.Arrays(observation=own[1]))
        assert np.array_equal(own[1], other.step(decide(other, 6)).observation) and not own[0].any()
        assert np.shares_memory(arrays.observation, own) and arrays.reward.shape == (4, 1)


class Tensor:
    """An array of another library, of which nothing is known but that it shares its memory."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **given):
        return self._array.__dlpack__(**given)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_arrays_are_shared_with_other_libraries_by_dlpack():
    with touchline.Batch(CHASE, 4, threads=1) as batch, touchline.Batch(CHASE, 4, threads=1) as other:
        batch.reset(1)
        other.reset(1)
        # Shared once, before the steps: the batch writes where it looks.
        rollout = batch.make_rollout(6)
        observed = np.from_dlpack(rollout.observation)
        for tick in range(6):
            batch.step(Tensor(decide(batch, tick)), out=rollout[tick])
            assert np.array_equal(observed[tick], other.step(decide(other, tick)).observation)
        with pytest.raises(ValueError, match="actions has the shape"):
            batch.step(Tensor(decide(batch, 6)[:, :, :1].copy()))


def test_the_three_modes_of_autoreset():
    def until_the_end(batch):
        batch.reset(2)
        for tick in range(10):
            arrays = batch.step(decide(batch, tick))
        assert arrays.truncated.all() and not arrays.terminated.any() and batch.ended_count == 3
        return arrays

    following = touchline.Batch(CHASE, 3)
    last = until_the_end(following).observation.copy()
    opened = following.step(decide(following, 10))
    assert not opened.truncated.any() and not opened.reward.any() and following.episode(1)[0] == 1
    opened = opened.observation.copy()

    same = touchline.Batch(CHASE, 3, autoreset="same_step")
    arrays = until_the_end(same)
    assert np.array_equal(arrays.final_observation, last) and np.array_equal(arrays.observation, opened)

    disabled = touchline.Batch(CHASE, 3, autoreset="disabled")
    assert np.array_equal(until_the_end(disabled).observation, last)
    with pytest.raises(RuntimeError, match="environment 0 is over: reset it"):
        disabled.step(decide(disabled, 10))
    arrays = disabled.reset(mask=np.array([True, False, True]))
    assert np.array_equal(arrays.observation[[0, 2]], opened[[0, 2]])
    assert np.array_equal(arrays.observation[1], last[1])
    with pytest.raises(RuntimeError, match="environment 1 is over"):
        disabled.step(decide(disabled, 10))


def test_two_resets_are_two_beginnings():
    with touchline.Batch(CHASE, 2) as batch:
        first = batch.reset(4).observation.copy()
        second = batch.reset().observation.copy()
        assert not np.array_equal(first, second) and batch.episode(0)[0] == 1
        assert np.array_equal(batch.reset(4).observation, first)


def test_states_are_come_back_to():
    with touchline.Batch(CHASE, 3) as batch:
        batch.reset(9)
        before = batch.step(decide(batch, 0)).observation.copy()
        state, one = batch.get_state(), batch.get_state([2])
        forward = [batch.step(decide(batch, tick)).observation.copy() for tick in range(12)]
        assert np.array_equal(batch.set_state(state).observation, before)
        again = [batch.step(decide(batch, tick)).observation.copy() for tick in range(12)]
        assert np.array_equal(forward, again)
        assert np.array_equal(batch.set_state(one, [0]).observation[0], before[2])
        with pytest.raises(ValueError, match="the state has 1 environments; 2 are to be set"):
            batch.set_state(one, [0, 1])
        with pytest.raises(IndexError, match="no environment 3; there are 3"):
            batch.set_state(one, [3])
    with touchline.Batch(CHASE, 3) as other, pytest.raises(ValueError, match="of another batch"):
        other.set_state(state)


def test_a_state_from_before_the_first_reset_is_no_episode():
    with touchline.Batch(CHASE, 2) as batch, touchline.Batch(CHASE, 2) as other:
        batch.set_state(batch.get_state())
        assert np.array_equal(batch.reset().observation, other.reset().observation)
        assert batch.episode(0) == other.episode(0) == (0, touchline.episode_seed(0, 0, 0))


def test_changes_reach_the_world():
    with touchline.Batch(CHASE, 1, changes={"episode.max_s": 0.3, "ball.0.mass_kg": 0.5}) as batch:
        _, ended, _ = play(batch, 3)
        assert [one.decisions for one in ended] == [3]
    for changes, words in [
        ({"episode.max": 3}, "max_s"),
        ({"robot.walker.team": "blue"}, "there is no robot \"walker\"; there are 1, named: runner"),
        ({"robot.team": "blue"}, "say which robot is meant"),
        ({"rabbit.x": 1}, "there is no \"rabbit\""),
        ({"episode.max_s": None}, "NoneType cannot stand in a world file"),
    ]:
        with pytest.raises((ValueError, TypeError), match=words):
            touchline.Batch(CHASE, 1, changes=changes)


def test_a_picture_shows_the_ball_and_changes_nothing():
    with touchline.Batch(CHASE, 2) as batch:
        batch.reset(1)
        before = batch.state_hash(0)
        picture = batch.render(0, width=320)
        assert picture.dtype == np.uint8 and picture.shape[1:] == (320, 3)
        orange = (picture == (0xFF, 0x78, 0x00)).all(axis=2)
        # 6.6 m are 320 pixels wide; the ball has a radius of 0.11 m and is grown by half a pixel.
        assert orange.sum() == pytest.approx(np.pi * (0.11 * 320 / 6.6 + 0.5) ** 2, rel=0.1)
        assert batch.state_hash(0) == before
