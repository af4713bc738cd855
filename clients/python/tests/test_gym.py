"""Gymnasium's own checkers, and what they do not look at."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import CHASE, PAIR

touchline = pytest.importorskip("touchline")
gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from touchline.gym import TouchlineEnv, TouchlineVectorEnv, ended_info, ended_infos, level_changes  # noqa: E402


def actions(env, tick):
    environments, _, decided = env.batch.action_shape
    turn = np.arange(environments)[:, None] * 31 + np.arange(decided)
    return np.sin(turn + 0.37 * tick).astype(np.float32)


def test_gymnasiums_checker_has_no_complaint():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Observations are numbers of all sizes, and the checker would like bounds; a spec comes with `gymnasium.make` only.
        warnings.filterwarnings("ignore", message=".*(infinity|minimum value|maximum value|spec).*")
        env = TouchlineEnv(CHASE, render_mode="rgb_array")
        check_env(env)
        env.close()


def test_it_gives_copies_and_plain_numbers():
    env = TouchlineEnv(CHASE)
    first, info = env.reset(seed=5)
    kept = first.copy()
    observation, reward, terminated, truncated, told = env.step(env.action_space.sample())
    assert np.array_equal(first, kept) and not np.shares_memory(first, observation)
    assert (type(reward), type(terminated), type(truncated), told) == (float, bool, bool, {})
    assert info == {"episode_seed": touchline.episode_seed(5, 0, 0)}
    for _ in range(9):
        *_, terminated, truncated, told = env.step(np.zeros(3, np.float32))
    assert (terminated, truncated, told["outcome"], told["decisions"]) == (False, True, "time", 10)
    with pytest.raises(RuntimeError, match="is over: reset it"):
        env.step(np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="the action has 2 numbers; expected are 3"):
        env.step(np.zeros(2, np.float32))
    env.reset()
    with pytest.raises(ValueError, match="1.25 of environment 0"):
        env.step(np.full(3, 1.25, np.float32))


def test_a_state_is_come_back_to():
    env = TouchlineEnv(CHASE)
    env.reset(seed=1)
    state = env.get_state()
    forward = [env.step(np.full(3, 0.5, np.float32))[0] for _ in range(5)]
    env.set_state(state)
    assert np.array_equal(forward, [env.step(np.full(3, 0.5, np.float32))[0] for _ in range(5)])


def test_what_has_several_agents_is_no_gymnasium_environment():
    with pytest.raises(ValueError, match="has 2 agents; Gymnasium knows one: use touchline.parallel_env"):
        TouchlineEnv(PAIR)


def test_render_modes_are_what_they_say():
    env = TouchlineEnv(CHASE, render_mode="rgb_array")
    env.reset(seed=1)
    hash_before = env.batch.state_hash()
    assert env.render().dtype == np.uint8 and env.batch.state_hash() == hash_before
    with pytest.raises(ValueError, match="render_mode 'ansi' is unknown"):
        TouchlineVectorEnv(CHASE, render_mode="ansi")


def assert_same_infos(got, wanted):
    assert got.keys() == wanted.keys()
    for key, value in wanted.items():
        assert got[key].dtype == value.dtype and np.array_equal(got[key], value), key


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_many_are_what_gymnasiums_own_vector_of_single_ones_is(mode):
    """Step by step the same as SyncVectorEnv over TouchlineEnv, in each of the modes: numbers, flags and infos."""
    ours = TouchlineVectorEnv(CHASE, 3, autoreset_mode=mode)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: TouchlineEnv(CHASE)] * 3, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == mode
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    for got, wanted in [(ours.reset(seed=7), theirs.reset(seed=7))]:
        assert np.array_equal(got[0], wanted[0])
        assert_same_infos(got[1], wanted[1])
    for tick in range(33):
        decided = actions(ours, tick)
        got, wanted = ours.step(decided), theirs.step(decided)
        for number in range(4):
            assert np.array_equal(got[number], wanted[number]), (tick, number)
        if (got[2] | got[3]).any():
            told, expected = got[4], wanted[4]
            if mode == AutoresetMode.SAME_STEP:
                assert all(np.array_equal(*pair) for pair in zip(told["final_obs"], expected["final_obs"], strict=True))
                # Beside it stands what the next episode begins with.
                assert_same_infos(*({key: info[key] for key in ("episode_seed", "_episode_seed")} for info in (told, expected)))
                told, expected = told["final_info"], expected["final_info"]
            for key in ("outcome", "episode_seed", "decisions", "score"):
                assert told[key].dtype == expected[key].dtype and np.array_equal(told[key], expected[key]), key
                assert np.array_equal(told[f"_{key}"], expected[f"_{key}"]), key
            if mode == AutoresetMode.DISABLED:
                over = got[2] | got[3]
                first = ours.reset(options={"reset_mask": over.copy()})[0]
                second = theirs.reset(options={"reset_mask": over.copy()})[0]
                assert np.array_equal(first, second)
    ours.close()
    theirs.close()


def test_seeds_of_a_vector():
    env = TouchlineVectorEnv(CHASE, 3)
    first = env.reset(seed=4)[0]
    assert np.array_equal(env.reset(seed=[4, 5, 6])[0], first)
    assert not np.array_equal(env.reset()[0], first)
    assert np.array_equal(env.reset(seed=4)[0], first)
    assert np.array_equal(env.reset(seed=5)[0][:2], first[1:])
    with pytest.raises(ValueError, match="there are 2 seeds and 3 environments"):
        env.reset(seed=[1, 2])
    with pytest.raises(TypeError, match="reset_mask"):
        env.reset(options={"reset_mask": [True, False, False]})
    with pytest.raises(ValueError, match="actions have the shape \\(2, 3\\); expected is \\(3, 3\\)"):
        env.step(np.zeros((2, 3), np.float32))
    for none in (None, [None, None]):
        unseeded = [TouchlineVectorEnv(CHASE, 2).reset(seed=none)[0] for _ in range(2)]
        assert not np.array_equal(*unseeded)
    # A list of seeds counts as seeding: what follows depends on it alone.
    follows = []
    for _ in range(2):
        env = TouchlineVectorEnv(CHASE, 2)
        env.reset(seed=[4, 9])
        follows.append(env.reset()[0])
    assert np.array_equal(*follows)


def test_infos_of_many_are_those_that_gymnasium_makes_of_one_at_a_time():
    env = TouchlineVectorEnv(CHASE, 5)
    ended = [
        touchline.Ended(1, 0, (1 << 64) - 1, "goal", 7, 30, [1.0], [0, 1, 0, 0], None),
        touchline.Ended(3, 2, 5, "time", 10, 50, [0.0], [2, 0, 0, 0], "runner: it broke"),
        touchline.Ended(4, 1, 1 << 63, "out", 1, 2, [0.0], [0, 0, 3, 0], None),
    ]
    expected: dict = {}
    for some in (ended, ended[:1]):
        expected = {}
        for one in some:
            expected = env._add_info(expected, ended_info(one), one.environment)
        told = ended_infos(some, 5)
        assert told.keys() == expected.keys()
        for key, value in expected.items():
            assert (told[key].dtype, told[key].tolist()) == (value.dtype, value.tolist()), key


def test_who_looks_at_the_generator_is_seeded_all_the_same():
    for make in (TouchlineEnv, lambda world: TouchlineVectorEnv(world, 2)):
        seeds = []
        for _ in range(2):
            env = make(CHASE)
            assert env.np_random is not None
            env.reset()
            seeds.append(env.unwrapped.batch.episode(0)[1])
        assert seeds[0] != seeds[1] and touchline.episode_seed(0, 0, 0) not in seeds


def test_seeds_for_some():
    """None is no seed: that environment goes on with its next episode, and the others have theirs, as SyncVectorEnv does it."""
    mode = AutoresetMode.DISABLED
    ours = TouchlineVectorEnv(CHASE, 3, autoreset_mode=mode)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: TouchlineEnv(CHASE)] * 3, autoreset_mode=mode)
    for seed, mask in [
        ([4, 5, 6], None),
        ([9, None, None], [True, True, False]),
        ([None, None, 3], [True, False, True]),
        ([None, 8, None], None),
        (np.array([1, None, 2], object), [False, True, True]),
        (12, [False, False, True]),
        (None, [True, False, False]),
    ]:
        told = [None if mask is None else {"reset_mask": np.array(mask)} for _ in range(2)]
        got, wanted = ours.reset(seed=seed, options=told[0]), theirs.reset(seed=seed, options=told[1])
        assert np.array_equal(got[0], wanted[0]), seed
        if seed is not None and mask is None:
            # What is drawn is another number each time.
            assert_same_infos(got[1], wanted[1])
    # Who has never had a seed draws one.
    beginnings = []
    for _ in range(2):
        env = TouchlineVectorEnv(CHASE, 3)
        beginnings.append(env.reset(seed=[9, None, None])[0])
    assert np.array_equal(beginnings[0][0], beginnings[1][0]) and not np.array_equal(*beginnings)
    with pytest.raises(ValueError, match="seed is -1"):
        env.reset(seed=[-1, None, None])


def test_views_are_given_if_they_are_wanted():
    env = TouchlineVectorEnv(CHASE, 2, copy=False)
    first = env.reset(seed=1)[0]
    assert np.shares_memory(first, env.step(actions(env, 0))[0])
    env = TouchlineVectorEnv(CHASE, 2)
    first = env.reset(seed=1)[0]
    assert not np.shares_memory(first, env.step(actions(env, 0))[0])


def test_gymnasiums_wrappers_work():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(TouchlineVectorEnv(CHASE, 2))
    env.reset(seed=1)
    for tick in range(10):
        *_, infos = env.step(actions(env.env, tick))
    assert infos["episode"]["l"].tolist() == [10, 10] and infos["outcome"].tolist() == ["time", "time"]


def test_levels():
    assert level_changes("intercept-3") == {
        "robot.keeper.player.params.policy": "intercept",
        "robot.keeper.player.params.level": 3,
    }
    assert level_changes("still") == {"robot.keeper.player.params.policy": "still"}
    for level in ("", "-3", "intercept-", "intercept-x"):
        with pytest.raises(ValueError, match="is none; it is a policy and a number"):
            level_changes(level)


@pytest.mark.parametrize("world", ["goalkeeper", "goalkeeper-camera", "goalkeeper-laser"])
def test_a_level_reaches_what_a_world_includes(world):
    """The set-ups include the benchmark's world, and change nothing but what is observed."""

    def after(level, ticks=30):
        env = gymnasium.make("touchline/Goalkeeper-v0", world=world, level=level)
        env.reset(seed=1)
        env.action_space.seed(1)
        for _ in range(ticks):
            env.step(env.action_space.sample())
        return env.unwrapped.batch.state_hash(0)

    still, block = after("still-1"), after("block-2")
    assert still != block and after("block-2") == block
    for changes, words in [
        ({"robot.keper.player.rate_hz": 5}, "there is no robot 'keper'|there is no robot \"keper\"; there are 2, named: attacker, keeper"),
        ({"robt.keeper.x": 5}, 'there is no "robt"'),
        ({"seed.x": 5}, '"seed" holds no other values'),
        ({"robot.7.player.rate_hz": 5}, "there are 2"),
        ({"robot": 5}, "say which robot is meant"),
    ]:
        with pytest.raises(ValueError, match=words):
            TouchlineEnv(world, changes=changes)
    number, flag = np.int64(3), np.bool_(True)
    TouchlineEnv(world, changes={"robot.keeper.player.params.level": number, "referee.params.reward_foul": np.float32(-0.5)})
    with pytest.raises(ValueError, match="level"):
        TouchlineEnv(world, changes={"robot.1.player.params.level": flag})


def test_keepaway_pays_the_time():
    env = gymnasium.make("touchline/Keepaway-v0")
    assert env.observation_space.shape == (13,) and env.action_space.shape == (1,)
    env.reset(seed=3)
    paid, over, decisions, info = 0.0, False, 0, {}
    while not over:
        # Always held: a taker gets there.
        _, reward, over, cut, info = env.step(np.array([-1.0], np.float32))
        assert not cut
        paid, decisions = paid + reward, decisions + 1
    assert info["outcome"] in ("taken", "out")
    # Each cycle but the last is paid.
    assert paid == pytest.approx(0.1 * (decisions - 1), abs=1e-4)


@pytest.mark.parametrize(
    ("world", "observed", "decided"),
    [("half-field-1v0", 12, 2), ("half-field-2v2", 24, 2), ("half-field-4v5", 45, 2), ("half-field-2v2-low", 86, 3)],
)
def test_half_field_offense_has_the_numbers_of_the_benchmark(world, observed, decided):
    env = gymnasium.make("touchline/HalfFieldOffense-v0", world=world)
    assert (env.observation_space.shape, env.action_space.shape) == ((observed,), (decided,))
    env.reset(seed=1)
    paid, over, info = 0.0, False, {}
    env.action_space.seed(1)
    while not over:
        # No feature of the benchmark is beyond its range; what is not there is -2, a player's number is whole.
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert observation.min() >= -2.0 and observation.max() <= 11.0
        paid, over = paid + reward, terminated or truncated
    assert info["outcome"] in ("goal", "out", "captured", "untouched", "time")
    assert paid == (1.0 if info["outcome"] == "goal" else 0.0)


def test_the_whole_game_is_one_agent_s_and_twenty_agents():
    env = gymnasium.make("touchline/Soccer-v0")
    env.reset(seed=1)
    assert env.action_space.shape == (4,)
    for _ in range(30):
        assert not env.step(env.action_space.sample())[2]
    from touchline.pettingzoo import parallel_env

    eleven = parallel_env("soccer-eleven")
    observations, _ = eleven.reset(seed=1)
    assert len(eleven.agents) == 20 and observations["left-2"].shape == env.observation_space.shape
    actions = {agent: eleven.action_space(agent).sample() for agent in eleven.agents}
    _, rewards, *_ = eleven.step(actions)
    assert set(rewards) == set(actions) and all(paid == 0.0 for paid in rewards.values())


def test_gymnasium_knows_our_names():
    spec = gymnasium.spec("touchline/Goalkeeper-v0")
    assert spec.kwargs == {"world": "goalkeeper"}
    # Registered for the goalkeeper; any other world goes through the same two doors.
    env = gymnasium.make("touchline/Goalkeeper-v0", world=CHASE)
    env.reset(seed=1)
    assert env.step(env.action_space.sample())[0].shape == env.observation_space.shape
    vector = gymnasium.make_vec("touchline/Goalkeeper-v0", num_envs=3, world=CHASE)
    assert isinstance(vector.unwrapped, TouchlineVectorEnv) and vector.num_envs == 3
    assert vector.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


def test_the_goalkeeper_benchmark_pays_and_ends():
    env = gymnasium.make_vec("touchline/Goalkeeper-v0", num_envs=64, level="still", clip=True)
    env.reset(seed=1)
    outcomes, paid = set(), 0.0
    generator = np.random.default_rng(1)
    for _ in range(400):
        decided = generator.uniform(-1, 1, env.action_space.shape).astype(np.float32)
        decided[:, 0] = abs(decided[:, 0])
        _, reward, terminated, _, infos = env.step(decided)
        paid += abs(reward).sum()
        if "outcome" in infos:
            outcomes |= {outcome for outcome in infos["outcome"] if outcome}
        assert all(infos["outcome"][over] != "time" for over in np.flatnonzero(terminated))
    assert paid > 0 and {"time", "out"} <= outcomes
    with pytest.raises(touchline.WorldError, match="policy"):
        gymnasium.make("touchline/Goalkeeper-v0", level="sleep-1")
