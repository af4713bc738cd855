"""Whatever is wrong is said in words, and then nothing was stepped. (I6)"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import CHASE, decide

touchline = pytest.importorskip("touchline")

from touchline.work import Local  # noqa: E402


@pytest.fixture
def batch():
    with touchline.Batch(CHASE, 3, threads=1) as batch:
        batch.reset(1)
        yield batch


def bad_actions(shape):
    good = np.zeros(shape, np.float32)
    holed = good.copy()
    holed[1, 0, 2] = np.nan
    high = good.copy()
    high[2, 0, 0] = 1.5
    endless = good.copy()
    endless[0, 0, 0] = -np.inf
    return [
        (good[:2], ValueError, r"actions has the shape \[2, 1, 3\]; expected is \[3, 1, 3\]: environments, agents, numbers of an action"),
        (good[0], ValueError, r"actions has the shape \[1, 3\]"),
        (good.astype(np.float64), TypeError, "actions must be a numpy array of float32, not an array of float64"),
        (good.tolist(), TypeError, "actions must be a numpy array of float32, not list"),
        (None, TypeError, "not NoneType"),
        (np.asfortranarray(good), ValueError, "actions has gaps or another order in memory; it must be C-contiguous"),
        (np.zeros((3, 1, 6), np.float32)[:, :, ::2], ValueError, "actions has gaps"),
        (holed, ValueError, "NaN of environment 1, agent \"runner\", kicker.kick is not allowed; allowed is -1 to 1"),
        (high, ValueError, "1.5 of environment 2, agent \"runner\", drive.forward"),
        (endless, ValueError, "-inf of environment 0"),
    ]


@pytest.mark.parametrize("number", range(10))
def test_bad_actions(batch, number):
    actions, kind, words = bad_actions(batch.action_shape)[number]
    before = batch.state_hash(0)
    with pytest.raises(kind, match=words):
        batch.step(actions)
    assert batch.state_hash(0) == before


def test_clipping_is_for_numbers_only():
    with touchline.Batch(CHASE, 1, clip=True) as batch, touchline.Batch(CHASE, 1) as strict:
        batch.reset(1)
        strict.reset(1)
        actions = np.full(batch.action_shape, 7.0, np.float32)
        assert np.array_equal(batch.step(actions).observation, strict.step(np.clip(actions, -1, 1)).observation)
        actions[0, 0, 0] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            batch.step(actions)


def test_bad_places_to_write(batch):
    rollout = batch.make_rollout(2)
    actions = np.zeros(batch.action_shape, np.float32)
    good = rollout[0]
    for field, array, kind, words in [
        ("observation", good.observation[:1], ValueError, "observation has the shape"),
        ("observation", good.observation.astype(np.float64), TypeError, "observation must be a numpy array of float32"),
        ("reward", np.zeros((3, 2), np.float32)[:, ::2], ValueError, "reward has gaps"),
        ("terminated", np.zeros(3, np.uint8), TypeError, "terminated must be a numpy array of bool"),
        ("truncated", good.terminated, ValueError, "shares its memory"),
        ("alive", np.broadcast_to(np.zeros(1, np.bool_), (3, 1)), ValueError, "alive"),
    ]:
        with pytest.raises(kind, match=words):
            batch.step(actions, out=good._replace(**{field: array}))
    fixed = good.reward.copy()
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="reward is read-only"):
        batch.step(actions, out=good._replace(reward=fixed))
    with pytest.raises(TypeError, match="out must be touchline.Arrays"):
        batch.step(actions, out=good.observation)


def test_arrays_over_one_buffer_are_refused(batch):
    """As torch's views are: each has a base of its own, so that numpy alone does not see what they share."""
    actions = np.zeros(batch.action_shape, np.float32)
    good = batch.make_rollout(1)[0]
    flags, floats = bytearray(64), bytearray(4 * good.observation.size)
    observation = np.frombuffer(floats, np.float32).reshape(good.observation.shape)
    reward = np.ndarray((3, 1), np.float32, floats, offset=len(floats) - 12)
    terminated = np.frombuffer(flags, np.bool_, 3)
    before = batch.state_hash(0)
    for given, words in [
        ({"observation": observation, "reward": reward}, "reward shares its memory with observation"),
        ({"terminated": terminated, "truncated": np.frombuffer(flags, np.bool_, 3, 2)}, "truncated shares its memory with term"),
        ({"terminated": terminated, "alive": np.ndarray((3, 1), np.bool_, flags)}, "alive shares its memory with terminated"),
    ]:
        with pytest.raises(ValueError, match=words):
            batch.step(actions, out=good._replace(**given))
        with pytest.raises(ValueError, match=words):
            batch.reset(out=good._replace(**given))
    decided = np.ndarray(batch.action_shape, np.float32, floats)
    with pytest.raises(ValueError, match="actions shares its memory with observation"):
        batch.step(decided, out=good._replace(observation=observation))
    with pytest.raises(ValueError, match="mask shares its memory with terminated"):
        batch.reset(mask=np.frombuffer(flags, np.bool_, 3), out=good._replace(terminated=terminated))
    assert batch.state_hash(0) == before
    # Neighbours in one buffer share nothing.
    batch.step(actions, out=good._replace(terminated=terminated, truncated=np.frombuffer(flags, np.bool_, 3, 3)))
    with touchline.Batch(CHASE, 3, autoreset="same_step") as same:
        same.reset(1)
        last = np.frombuffer(floats, np.float32).reshape(good.observation.shape)
        with pytest.raises(ValueError, match="final_observation shares its memory with observation"):
            same.step(actions, out=touchline.Arrays(observation=observation, final_observation=last))


def test_a_state_is_not_set_when_there_is_no_place_to_write(batch):
    state = batch.get_state()
    for _ in range(3):
        batch.step(decide(batch, 0))
    before = batch.state_hash(0)
    with pytest.raises(ValueError, match="reward has the shape"):
        batch.set_state(state, out=touchline.Arrays(reward=np.zeros((3, 2), np.float32)))
    assert batch.state_hash(0) == before


def test_a_step_before_the_first_reset_and_after_the_end():
    with touchline.Batch(CHASE, 2) as batch:
        actions = np.zeros(batch.action_shape, np.float32)
        with pytest.raises(RuntimeError, match="reset the batch before its first step"):
            batch.step(actions)
        with pytest.raises(RuntimeError, match="reset all environments first"):
            batch.reset(mask=np.array([True, False]))
    with pytest.raises(RuntimeError, match="this batch is closed"):
        batch.step(actions)
    batch.close()
    assert batch.is_closed


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"num_envs": 0}, ValueError, "num_envs is 0; allowed is 1 to 1000000"),
        ({"num_envs": 1_000_001}, ValueError, "num_envs is 1000001; allowed is 1 to 1000000"),
        ({"num_envs": 1 << 40}, ValueError, "allowed is 1 to 1000000"),
        ({"num_envs": 1 << 63}, ValueError, "allowed is 1 to 1000000"),
        ({"num_envs": 1 << 70}, ValueError, "allowed is 1 to 1000000"),
        ({"num_envs": 1.5}, TypeError, "num_envs must be a whole number, not 1.5"),
        ({"seed": -1}, ValueError, "seed is -1"),
        ({"seed": 1 << 64}, ValueError, "allowed is 0 to"),
        ({"threads": -2}, ValueError, "threads is -2"),
        ({"threads": 1025}, ValueError, "threads is 1025; allowed is 0 to 1024"),
        ({"threads": 5000, "num_envs": 5000}, ValueError, "allowed is 0 to 1024"),
        ({"autoreset": "later"}, ValueError, "autoreset \"later\" is unknown; there is \"next_step\""),
    ],
)
def test_bad_arguments(given, kind, words):
    with pytest.raises(kind, match=words):
        touchline.Batch(CHASE, **given)


def test_threads_that_play_by_seeds_have_the_same_bounds():
    with pytest.raises(ValueError, match="threads is 1000000; allowed is 0 to 1024"):
        Local(1_000_000)


def test_bad_worlds():
    for world, words in [
        ("no-such-world", "cannot read the world 'no-such-world'.*shipped with the package: .*f2000"),
        ("f2000", "is not played in episodes; give it a table \\[episode\\]"),
        ("name = 3\n", "config/"),
        ("this is [no TOML\n", "config/syntax"),
        (CHASE.read_text().replace("truth.ball-0", "truth.ball-7").replace("../../../../", "../"), "cannot observe"),
        (CHASE.read_text().replace("../../../../robots/pioneer", "../robots/nobody"), "nobody.toml"),
    ]:
        with pytest.raises(touchline.WorldError, match=words):
            touchline.Batch(world)
    with touchline.Batch(CHASE.read_text().replace("../../../../", "../")) as batch:
        assert batch.world == "chase"


def test_what_is_of_this_process_is_not_pickled(batch):
    for thing, words in [(batch, "make one in each process"), (batch.get_state(), "send the episode's seed")]:
        with pytest.raises(TypeError, match=words):
            pickle.dumps(thing)


def test_bad_seeds(batch):
    with pytest.raises(ValueError, match="there are 2 seeds and 3 environments"):
        batch.reset([1, 2])
    with pytest.raises(ValueError, match="with a mask, give one seed for each"):
        batch.reset(1, mask=np.array([True, True, False]))
    with pytest.raises(ValueError, match="mask has the shape"):
        batch.reset(mask=np.array([True]))
    with pytest.raises(TypeError, match="mask must be a numpy array of bool"):
        batch.reset(mask=np.array([1, 0, 1]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_batch_is_of_no_use_after_a_fork(batch):
    def child(pipe):
        try:
            batch.step(np.zeros(batch.action_shape, np.float32))
            pipe.send("it was stepped")
        except RuntimeError as error:
            pipe.send(str(error))

    context = multiprocessing.get_context("fork")
    near, far = context.Pipe()
    process = context.Process(target=child, args=(far,))
    process.start()
    assert f"this batch was made in process {os.getpid()}" in near.recv()
    process.join()
    assert process.exitcode == 0
    # The parent goes on as before.
    batch.step(np.zeros(batch.action_shape, np.float32))


def test_arrays_at_odd_addresses_are_refused(batch):
    count = int(np.prod(batch.action_shape))
    odd = np.frombuffer(bytearray(4 * count + 1), np.float32, count, offset=1).reshape(batch.action_shape)
    with pytest.raises(ValueError, match="actions does not begin at an address for its type"):
        batch.step(odd)


def test_whole_numbers_that_no_file_holds():
    with pytest.raises(ValueError, match='changes\\["seed"\\]: 9223372036854775808 is beyond'):
        touchline.Batch(CHASE, 1, changes={"seed": 2**63})


@pytest.mark.parametrize("number", [-1, 3])
def test_no_such_environment(batch, number):
    calls = [batch.state_hash, batch.episode, batch.render, lambda one: batch.get_state([one])]
    for call in calls:
        with pytest.raises(IndexError, match=f"there is no environment {number}; there are 3, from 0"):
            call(number)


@pytest.mark.parametrize("worlds", [10, 3000])
def test_close_waits_for_another_thread(worlds):
    batch = touchline.Batch(CHASE, worlds, threads=1)
    batch.reset(1)
    actions, steps = decide(batch, 0), []

    def step():
        with pytest.raises(RuntimeError, match="closed|borrowed"):
            while True:
                batch.step(actions)
                steps.append(1)

    thread = threading.Thread(target=step, daemon=True)
    thread.start()
    while not steps:
        time.sleep(0.001)
    before = len(steps)
    batch.close()
    thread.join()
    # The one in which it was, and one that had been begun.
    assert batch.is_closed and len(steps) <= before + 2


def test_other_threads_run_while_worlds_are_stepped():
    """The interpreter's lock is released: a thread that counts goes on while one long step is made."""
    with touchline.Batch(CHASE, 3000, threads=1) as batch:
        batch.reset(1)
        actions, counts, is_done = decide(batch, 0), [], threading.Event()

        def count():
            while not is_done.is_set():
                counts.append(time.monotonic())
                time.sleep(0)

        thread = threading.Thread(target=count)
        thread.start()
        # On a busy machine the other thread has no core for a whole step, or for some.
        ticks, end = 0, time.monotonic() + 300
        while ticks <= 100 and time.monotonic() < end:
            began = time.monotonic()
            batch.step(actions)
            ended = time.monotonic()
            ticks = sum(began < tick < ended for tick in list(counts))
        is_done.set()
        thread.join()
    assert ticks > 100


LOOP = """
import sys, numpy, touchline
batch = touchline.Batch(sys.argv[1], 200)
batch.reset(1)
actions = numpy.zeros(batch.action_shape, numpy.float32)
episodes = []
try:
    while True:
        batch.step(actions)
        is_first = not episodes
        episodes += batch.ended
        if is_first and episodes:
            print("ready", flush=True)
except KeyboardInterrupt:
    whole = {(one.environment, one.episode) for one in episodes}
    print(len(whole) == len(episodes) > 0, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind are POSIX")
def test_an_interrupt_ends_a_long_run_and_loses_nothing():
    command = [sys.executable, "-c", LOOP, str(CHASE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=300)[0] == "True\n"
            assert process.returncode == 0
        finally:
            process.kill()
