"""Stable-Baselines3's own checkers and its PPO, unmodified."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import CHASE

touchline = pytest.importorskip("touchline")
pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed")

from stable_baselines3 import PPO  # noqa: E402
from gymnasium.wrappers import TimeLimit  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.vec_env import VecNormalize  # noqa: E402
from touchline.gym import TouchlineEnv  # noqa: E402
from touchline.sb3 import TouchlineVecEnv  # noqa: E402


def test_sb3s_checker_has_no_complaint():
    # Its check of pictures closes the environment and goes on using it: ours is in test_gym.py.
    check_env(TouchlineEnv(CHASE, render_mode="rgb_array"))


def test_the_end_of_an_episode_is_told_as_sb3_wants_it():
    env = TouchlineVecEnv(CHASE, 3)
    env.seed(5)
    first = env.reset()
    for _ in range(10):
        observation, reward, done, infos = env.step(np.zeros((3, 3), np.float32))
    assert done.all() and reward.dtype == np.float32
    for number, info in enumerate(infos):
        assert info["TimeLimit.truncated"] and info["outcome"] == "time"
        assert (info["episode"]["r"], info["episode"]["l"]) == (0.0, 10)
        assert not np.array_equal(info["terminal_observation"], observation[number])
    env.seed(5)
    assert np.array_equal(env.reset(), first)
    assert env.env_is_wrapped(TimeLimit) == [False] * 3
    assert env.metadata["render_fps"] == 10
    assert len(env.get_attr("render_mode")) == 3


def test_actions_of_another_shape_are_refused():
    env = TouchlineVecEnv(CHASE, 3)
    env.reset()
    # As many numbers, and yet not these.
    for shape in ((1, 9), (9,), (3, 1, 3)):
        with pytest.raises(ValueError, match=r"actions have the shape .*; expected is \(3, 3\)"):
            env.step_async(np.zeros(shape, np.float32))


def test_ppo_learns_on_it_unmodified():
    env = TouchlineVecEnv(CHASE, 16)
    model = PPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, device="cpu", seed=1)
    model.learn(512)
    assert len(model.ep_info_buffer) == 48


@pytest.mark.filterwarnings("error")
def test_scores_are_those_of_the_episodes_also_where_pay_is_normalised():
    model = PPO("MlpPolicy", TouchlineVecEnv(CHASE, 2), n_steps=16, batch_size=32, n_epochs=1, device="cpu", seed=1)
    plain, normalised = TouchlineVecEnv(CHASE, 2), VecNormalize(TouchlineVecEnv(CHASE, 2), norm_obs=False)
    scores = []
    for env in (plain, normalised):
        env.seed(3)
        scores.append(evaluate_policy(model, env, n_eval_episodes=6, return_episode_rewards=True))
    assert scores[0] == scores[1]


def test_the_first_world_is_watched(monkeypatch, capfd):
    monkeypatch.setenv("TOUCHLINE_BROWSER", "0")
    env = TouchlineVecEnv(CHASE, 2, render_mode="human")
    assert capfd.readouterr().err.startswith("touchline: watch at http://127.0.0.1:")
    env.reset()
    env.step(np.zeros((2, 3), np.float32))
    assert env.render() is None and env.render("human") is None
    env.close()
    with pytest.raises(ValueError, match="render_mode 'ansi' is unknown"):
        TouchlineVecEnv(CHASE, 2, render_mode="ansi")
