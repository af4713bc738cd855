"""A whole game by built-in players alone, here and in robosoc2d, in one run: microseconds of processor time a step.

    pip install robosoc2d
    python clients/python/benchmarks/against_robosoc2d.py [--program target/release/touchline] [--games 3] [--json]

robosoc2d 1.0 is written in C++: discs that are pushed apart where they overlap, a ball that is kicked from near the front, players that know the whole
state and decide in each step. A step stands for 0.1 s, a game has 6,000. Ours is played by the law `discs` on a field of the same size, by round robots
of the same size and top speed, three driven wheels each: a `goalkeeper` and the rest `striker`. A step is 0.1 s too, all players decide in each one,
and their sensors make no errors; what differs from seed to seed is how a kick scatters and how one that is stuck backs off. What we do and they do not: each disc meets another at its moment
within the step, by restitution and friction; motion models, odometry, cameras, radio and a referee are plugins behind a checked border.

There are two games of ours: with cameras that see the whole field all round, which is nearest to what their players know, and with the shipped robots'
camera, which sees 49 degrees ahead and 8 m far, so that they have to look for the ball.

Start is left out on both sides: theirs is built before the clock runs, ours says what it spent from the first step on (`cpu_seconds`). Each of our games
is a process of its own, so its first steps find cold caches. They are measured in turns; a number is the median of five rounds of some games each, with
seeds of their own, a ratio that of the pairs (above 1: we are ahead), with the least and the most. The scores say whether football is played.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROUNDS = 5
STEPS = 6000
STEP_SECS = 0.1
ROOT = Path(__file__).resolve().parents[3]
# The field of robosoc2d's default settings, metres: goal line to goal line, side line to side line, between the posts, around it, behind the goal line.
LENGTH, WIDTH, GOAL, AROUND, DEPTH = 32.0, 19.2, 4.0, 3.0, 1.5
# What the cameras of the strikers see, by name: angle and range.
CAMERAS = {"all round": (2 * math.pi, 40.0), "49 degrees ahead": (0.85, 8.0)}
TEAMS = (("blue", 1), ("yellow", -1))

# Sizes and speeds are robosoc2d's (0.2222 and 0.6 m a step); the rest is assumed.
ROBOT = """
model = "disc"
mass_kg = 25.0
colour = "#6a3d9a"
body = [{{ shape = "circle", radius_m = 0.4, z_m = [0.03, 0.5] }}]

[motion]
plugin = "omni"
params = {{ wheel_angles_rad = [1.0471975511965976, 3.141592653589793, -1.0471975511965976], wheel_radius_m = 0.05, centre_distance_m = 0.35, \
max_speed_m_s = 2.2, max_turn_rad_s = 6.0, max_wheel_speed_m_s = 3.0, wheel_acceleration_m_s2 = 6.0 }}

[[sensor]]
id = "camera"
plugin = "camera"
mount = {{ z_m = 0.6 }}
params = {{ features = ["ball", "goals", "robots"], field_of_view_rad = {angle_rad}, range_max_m = {range_m}, occlusion = false, \
sigma_bearing_rad = 0.0, sigma_distance_relative = 0.0 }}

[[sensor]]
id = "odometry"
plugin = "odometry"
params = {{ sigma_distance_m_per_sqrt_m = 0.0, sigma_heading_rad_per_sqrt_rad = 0.0, sigma_heading_rad_per_sqrt_m = 0.0 }}

[[manipulator]]
name = "kicker"
state = [
    {{ name = "rest" }},
    {{ name = "kick", returns_after_s = 0.2, kick = {{ speed_m_s = 6.0, zone = {{ x_m = 0.54, length_m = 0.2, width_m = 0.4 }}, recharge_s = 0.5, \
speed_scatter = 0.05, direction_scatter_rad = 0.05 }} }},
]
"""

WORLD = """
name = "against-robosoc2d"
dt_s = {step_secs}
team = [{{ name = "blue", colour = "#2040c0" }}, {{ name = "yellow", colour = "#e0c000" }}]

[physics]
law = "discs"

[surface]
friction = 0.5
restitution = 0.3

[[ball]]
radius_m = 0.11
mass_kg = 0.43
rolling_resistance_m_s2 = 0.3
drag_per_m = 0.02
sliding = {{ deceleration_m_s2 = 3.0, inertia_factor = 0.667 }}
colour = "#ff7800"
friction = 0.4
restitution = 0.6

[referee]
plugin = "f2000"
params = {{ field_length_m = {length}, field_width_m = {width}, half_time_secs = {half_secs}, halves = 2 }}
"""


class Played(NamedTuple):
    """One game: its processor time, seconds, its steps and its goals."""

    cpu: float
    steps: int
    score: tuple[int, int]


class Row(NamedTuple):
    """One game of theirs beside one of ours: microseconds a step, how many times as fast we are, and the scores."""

    players: int
    camera: str
    touchline_us: float
    robosoc2d_us: float
    ratio: float
    least: float
    most: float
    touchline_scores: list[tuple[int, int]]
    robosoc2d_scores: list[tuple[int, int]]


def fixtures() -> str:
    """Boards around the field, and two goals with their posts."""

    def block(role: str, x: float, y: float, length: float, width: float, more: str = "") -> str:
        size = f"length_m = {length}, width_m = {width}, z_m = [0.0, 1.0]"
        return f'{{ shape = "rectangle", role = "{role}", x_m = {x}, y_m = {y}, {size}, colour = "#f0f0f0"{more} }}'

    blocks = []
    for team, side in TEAMS:
        line = -side * LENGTH / 2
        out = -side
        blocks += [
            block("wall", line + out * (AROUND + 0.05), 0.0, 0.1, WIDTH + 2 * AROUND + 0.2),
            block("wall", 0.0, side * (WIDTH / 2 + AROUND + 0.05), LENGTH + 2 * AROUND, 0.1),
            block("goal", line + out * DEPTH / 2, 0.0, DEPTH, GOAL, f', solid = false, team = "{team}"'),
            block("wall", line + out * (DEPTH + 0.05), 0.0, 0.1, GOAL + 0.2),
        ]
        for hand in (1, -1):
            at = f"x_m = {line}, y_m = {hand * (GOAL / 2 + 0.055)}, radius_m = 0.055"
            blocks.append(block("wall", line + out * DEPTH / 2, hand * (GOAL / 2 + 0.05), DEPTH, 0.1))
            blocks.append(f'{{ shape = "circle", role = "pole", {at}, z_m = [0.0, 1.0], colour = "#ffffff" }}')
    return "fixture = [\n    " + ",\n    ".join(blocks) + ",\n]\n"


def robots(players: int) -> str:
    """Two teams: a goalkeeper before its goal, strikers in rows of three from the middle of the field back."""
    text = ""
    for team, side in TEAMS:
        for number in range(players):
            row, place = divmod(number - 1, 3)
            x, y = (-LENGTH / 2 + 0.8, 0.0) if number == 0 else (-1.5 - 4.0 * row, (0.0, 5.0, -5.0)[place])
            name = "striker" if number else "goalkeeper"
            own = f"field_width_m = {WIDTH}, shot_distance_m = 9.0, clearance_m = 0.5"
            params = own if number else 'policy = "intercept", line_distance_m = 0.8'
            text += f'[[robot]]\nname = "{team}-{number + 1}"\nteam = "{team}"\nfile = "{name}.toml"\n'
            text += f"pose = {{ x_m = {side * x}, y_m = {side * y}, theta_rad = {0.0 if side > 0 else math.pi} }}\n"
            text += f'player = {{ plugin = "{name}", rate_hz = {1 / STEP_SECS}, params = {{ goal_width_m = {GOAL}, {params} }} }}\n\n'
    return text


def write(folder: Path, players: int, camera: str) -> Path:
    """The world file of a game, with its robots beside it."""
    folder.mkdir()
    # A goalkeeper faces the field, and has the ball always before it: it sees all, as theirs do.
    for name, (angle, far) in (("striker", CAMERAS[camera]), ("goalkeeper", CAMERAS["all round"])):
        (folder / f"{name}.toml").write_text(ROBOT.format(angle_rad=angle, range_m=far), encoding="utf-8")
    # A list comes before the tables.
    head = WORLD.format(step_secs=STEP_SECS, length=LENGTH, width=WIDTH, half_secs=STEPS / 2 * STEP_SECS)
    file = folder / "world.toml"
    file.write_text(fixtures() + head + robots(players), encoding="utf-8")
    return file


def ours(program: str, world: Path, seed: int) -> Played:
    """A game of ours."""
    command = [program, "run", str(world), "--steps", str(STEPS), "--seed", str(seed), "--json"]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if said["faults"]:
        raise SystemExit(f"{world}: {said['faults']}")
    return Played(said["cpu_seconds"], said["steps"], (said["score"]["blue"], said["score"]["yellow"]))


def theirs(players: int, seed: int) -> Played:
    """A game of robosoc2d, by its default settings."""
    robosoc2d = importlib.import_module("robosoc2d")
    settings = robosoc2d.get_default_settings()
    settings.ticks_per_time = STEPS // 2
    game = robosoc2d.build_simpleplayer_simulator([], players, [], players, "blue", "yellow", seed, settings)
    began = time.process_time()
    robosoc2d.simulator_play_game(game)
    cpu = time.process_time() - began
    state = robosoc2d.simulator_get_game_state(game)[0]
    robosoc2d.simulator_delete(game)
    return Played(cpu, state.tick, (state.score1, state.score2))


def us(games: list[Played]) -> float:
    """Microseconds a step over some games."""
    return sum(game.cpu for game in games) / sum(game.steps for game in games) * 1e6


def compare(program: str, folder: Path, players: int, games: int) -> list[Row]:
    """All games of so many players a side, in turns."""
    worlds = [write(folder / f"{players}-{number}", players, camera) for number, camera in enumerate(CAMERAS)]
    theirs(players, 0)
    for world in worlds:
        ours(program, world, 0)
    rounds: list[list[list[Played]]] = []
    for number in range(ROUNDS):
        seeds = range(1 + number * games, 1 + (number + 1) * games)
        played = [[theirs(players, seed) for seed in seeds]]
        played += [[ours(program, world, seed) for seed in seeds] for world in worlds]
        rounds.append(played)
    peer = [us(played[0]) for played in rounds]
    peer_scores = [game.score for played in rounds for game in played[0]]
    rows = []
    for number, camera in enumerate(CAMERAS, start=1):
        own = [us(played[number]) for played in rounds]
        ratios = [other / mine for mine, other in zip(own, peer, strict=True)]
        scores = [game.score for played in rounds for game in played[number]]
        numbers = (statistics.median(own), statistics.median(peer), statistics.median(ratios), min(ratios), max(ratios))
        rows.append(Row(players, camera, *numbers, scores, peer_scores))
    return rows


def goals(scores: list[tuple[int, int]]) -> str:
    """How many a game, and each score."""
    mean = sum(sum(score) for score in scores) / len(scores)
    return f"{mean:.1f} goals a game: " + " ".join(f"{blue}:{yellow}" for blue, yellow in scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/touchline"))
    parser.add_argument("--players", default="4,11", help="how many a side")
    parser.add_argument("--games", type=int, default=3, help="games of each side and round")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not Path(given.program).exists():
        parser.error(f"there is no {given.program}: cargo build --release --workspace makes it, or --program says where it is")
    if importlib.util.find_spec("robosoc2d") is None:
        parser.error("there is no module robosoc2d here: pip install robosoc2d")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for players in [int(word) for word in given.players.split(",")]:
            rows += compare(given.program, Path(folder), players, given.games)
    if given.json:
        print(json.dumps([row._asdict() for row in rows]))
        return
    print("microseconds of processor time a step\nplayers  camera            touchline  robosoc2d  ratio (least to most)")
    for row in rows:
        numbers = f"{row.touchline_us:9.1f} {row.robosoc2d_us:10.1f} {row.ratio:6.2f} ({row.least:.2f} to {row.most:.2f})"
        print(f"{row.players:2} v {row.players:2}  {row.camera:17} {numbers}")
    for row in rows:
        print(f"{row.players} v {row.players}, {row.camera}: {goals(row.touchline_scores)}")
        print(f"{row.players} v {row.players}, robosoc2d: {goals(row.robosoc2d_scores)}")


if __name__ == "__main__":
    main()
