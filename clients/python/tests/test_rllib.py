"""RLlib's PPO on our environments, one training iteration each."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import PAIR

touchline = pytest.importorskip("touchline")
pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("ray.rllib", reason="ray[rllib] is not installed", exc_type=ImportError)
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

import touchline.ray  # noqa: E402
from ray.rllib.algorithms.ppo import PPOConfig  # noqa: E402
from touchline.rllib import TouchlineMultiAgentEnv  # noqa: E402


@pytest.fixture(scope="module")
def names():
    with touchline.ray.Runner():
        touchline.ray.register()
        yield


def train(config):
    config = config.framework("torch").learners(num_learners=0, num_gpus_per_learner=0)
    algorithm = config.training(train_batch_size=128, minibatch_size=64, num_epochs=1).build_algo()
    try:
        return algorithm.train()
    finally:
        algorithm.stop()


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_one_agent(names, mode):
    config = PPOConfig().environment("touchline/Goalkeeper-v0", env_config={"level": "block-2"})
    config = config.env_runners(num_env_runners=1, num_envs_per_env_runner=4, gym_env_vectorize_mode=mode)
    result = train(config)
    assert result["env_runners"]["num_env_steps_sampled"] >= 128
    assert np.isfinite(result["learners"]["default_policy"]["total_loss"])


def test_a_team(names):
    config = PPOConfig().environment("touchline/Team-v0", env_config={"world": str(PAIR)})
    config = config.env_runners(num_env_runners=1).multi_agent(
        policies={"runner", "walker"}, policy_mapping_fn=lambda agent, *_, **__: agent
    )
    result = train(config)
    assert set(result["learners"]) >= {"runner", "walker"}
    assert result["env_runners"]["num_env_steps_sampled"] >= 128


def test_a_team_is_played_as_pettingzoo_plays_it():
    env, other = TouchlineMultiAgentEnv({"world": str(PAIR)}), touchline.parallel_env(PAIR)
    seen, _ = env.reset(seed=4)
    expected, _ = other.reset(seed=4)
    decided = {agent: np.full(3, 0.5, np.float32) for agent in env.possible_agents}
    for step in range(10):
        assert all(np.array_equal(seen[agent], expected[agent]) for agent in env.possible_agents)
        seen, paid, over, cut, infos = env.step(decided)
        expected, other_paid, *_ = other.step(decided)
        assert paid == other_paid and over["__all__"] is False and cut["__all__"] is (step == 9)
    assert env.agents == [] and infos["runner"]["outcome"] == "time"
