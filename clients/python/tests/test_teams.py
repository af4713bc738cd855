"""Worlds in which both teams learn: PettingZoo's tests, and that neither side is better off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

touchline = pytest.importorskip("touchline")

TEAMS = {"3v3": 3, "4v4": 4}


@pytest.mark.parametrize("world", TEAMS)
def test_pettingzoos_own_tests(world: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    parallel_api_test(touchline.parallel_env(world), num_cycles=200)
    parallel_seed_test(lambda: touchline.parallel_env(world), num_cycles=50)


@pytest.mark.parametrize("world", TEAMS)
def test_what_is_observed(world: str) -> None:
    mates = TEAMS[world] - 1
    with touchline.Batch(world) as batch:
        blue = [f"blue-{number}" for number in range(1, mates + 2)]
        assert batch.agents == (*blue, *(name.replace("blue", "yellow") for name in blue))
        names = batch.observation_names
        for word, count in [("mates", mates), ("opponents", mates + 1)]:
            assert {name.split(".")[2] for name in names if f".{word}." in name} == {str(n) for n in range(count)}
        assert batch.action_names == ("drive.forward", "drive.turn", "kicker.kick")
        assert not batch.reset(1).observation[..., names.index("truth.own-goals.0.x1")].min() == -1.0


def turned(start: dict[str, list[float]]) -> dict[str, list[float]]:
    """The same start with the teams changed about: half a turn about the centre."""
    other = {"blue": "yellow", "yellow": "blue", "ball": "ball"}
    return {
        name.replace(team := name.split("-")[0], other[team]): [-x, -y, theta + np.pi, speed]
        for name, (x, y, theta, speed) in start.items()
    }


def play(start: dict[str, list[float]], swap: bool, steps: int = 40, **changes: Any) -> list[Any]:
    """Observations and rewards of the decisions of a start; with ``swap`` the teams' decisions and results change places."""
    agents = ["blue-1", "blue-2", "blue-3", "yellow-1", "yellow-2", "yellow-3"]
    order = ["ball-0", *agents]
    for place, name in enumerate(order):
        for part, value in zip(("x_m", "y_m", "theta_rad", "speed_m_s"), start[name], strict=True):
            changes[f"episode.start.{place}.{part}"] = [value, value]
    seats = np.roll(np.arange(6), 3) if swap else np.arange(6)
    told = []
    with touchline.Batch("3v3", changes=changes) as batch:
        seen = batch.reset(1).observation
        told.append((seen[0, seats].copy(), np.zeros(6), False))
        for tick in range(steps):
            decided = np.sin(np.arange(18) * 7 + tick * 0.37).reshape(1, 6, 3).astype(np.float32)
            arrays = batch.step(np.ascontiguousarray(decided[:, seats]))
            told.append((arrays.observation[0, seats].copy(), arrays.reward[0, seats].copy(), bool(arrays.terminated[0])))
            if arrays.terminated[0] or arrays.truncated[0]:
                break
    return told


START: dict[str, list[float]] = {
    "ball-0": [0.2, -0.7, 2.6, 1.5],
    "blue-1": [-3.6, 0.3, 0.1, 0.0],
    "blue-2": [-1.9, 1.1, -0.3, 0.0],
    "blue-3": [-0.3, -0.8, 0.2, 0.0],
    "yellow-1": [3.8, -0.2, 3.0, 0.0],
    "yellow-2": [1.7, -1.3, 2.7, 0.0],
    "yellow-3": [2.0, 1.0, 3.1, 0.0],
}


def test_a_turned_start_gives_what_the_other_team_had() -> None:
    for (seen, paid, _), (other_seen, other_paid, _) in zip(play(START, False), play(turned(START), True), strict=True):
        # Half a turn is no number that a computer has: what follows from it grows with each contact.
        np.testing.assert_allclose(other_seen, seen, atol=2e-3)
        np.testing.assert_allclose(other_paid, paid, atol=2e-4)
        # What one team gets the other pays.
        assert abs(paid.sum()) < 1e-6 and np.ptp(paid[:3]) == 0.0
    assert any(paid[0] != 0.0 for _, paid, _ in play(START, False))


@pytest.mark.parametrize("side", [1, -1])
def test_a_goal_ends_the_episode_and_pays(side: int) -> None:
    """The ball rolls into a goal that nobody keeps; along the line from goal to goal its way is worth what it is long."""
    start = {**START, "ball-0": [3.0 * side, 0.8, 0.0 if side > 0 else np.pi, 5.0]}
    start["yellow-1"], start["blue-1"] = [3.8, -2.0, 3.0, 0.0], [-3.6, 2.0, 0.1, 0.0]
    bare = play(start, False, **{"referee.params.reward_progress_per_m": 0.0})
    *before, (_, last, terminated) = bare
    assert terminated and all(not paid.any() for _, paid, _ in before)
    assert last.tolist() == [side] * 3 + [-side] * 3
    shaped = play(start, False)
    assert len(shaped) == len(bare) and shaped[-1][2]
    way = sum(paid[0] for _, paid, _ in shaped) - side
    assert 0.05 * 1.5 < side * way < 0.05 * 2.5
