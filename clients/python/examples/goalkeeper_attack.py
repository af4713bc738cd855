"""An attacker outside of the server, measured by the goalkeeper benchmark: it drives to the ball and shoots.

    touchline benchmark goalkeeper --policy tcp --levels still-1,block-2 --episodes 100
    python clients/python/examples/goalkeeper_attack.py [--addr 127.0.0.1:7050]

It needs Python alone: no compiler, nothing installed. It decides ten times a second of simulated time, and the world waits for it.
"""

import argparse
import math
import sys
from pathlib import Path
from typing import Optional, Tuple

ROOT = Path(__file__).resolve().parents[3]
# Runs from the checkout as it is: nothing has to be installed.
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

from touchline_client import Client, Closed, Reading, Sensors, TouchlineError  # noqa: E402

DECISION_S = 0.1
#: It goes to a place so far behind the ball before it takes aim, metres.
BEHIND_M = 0.6
#: Nearer than this it shoots: a kick that does not reach the ball does no harm.
SHOT_M = 0.6

Point = Tuple[float, float]


class Attacker:
    """What it does with what it sees: it gets behind the ball, drives at it, and shoots. It remembers where ball and goal were last."""

    def __init__(self, opponent: int) -> None:
        self.opponent = opponent
        self.ball: Optional[Point] = None
        self.goal: Optional[Point] = None

    def decide(self, sensors: Sensors) -> Tuple[float, float, bool]:
        """How fast forward (m/s), how fast to turn (rad/s), whether to shoot."""
        odometry = sensors.read(feature="odometry")
        pose = (odometry["x"], odometry["y"], odometry["theta"])
        self.ball = seen(sensors.read(feature="ball"), 0, pose) or self.ball
        self.goal = seen(sensors.read(feature="goals"), self.opponent, pose) or self.goal
        if self.ball is None or self.goal is None:
            return 0.0, 1.0, False
        ball, goal = in_body(self.ball, pose), in_body(self.goal, pose)
        shot_rad = math.atan2(goal[1] - ball[1], goal[0] - ball[0])
        # How far it stands beside the line through goal and ball, as an angle.
        aside_rad = wrapped(shot_rad - math.atan2(ball[1], ball[0]))
        if abs(aside_rad) < 0.3:
            target = ball
        else:
            target = (ball[0] - BEHIND_M * math.cos(shot_rad), ball[1] - BEHIND_M * math.sin(shot_rad))
        direction_rad = math.atan2(target[1], target[0])
        # The less it looks at its target, the slower it drives.
        forward_m_s = 1.0 * max(0.0, math.cos(2.0 * direction_rad)) if abs(direction_rad) < 0.8 else 0.0
        shoots = math.hypot(*ball) < SHOT_M and abs(math.atan2(goal[1], goal[0])) < 0.15
        return forward_m_s, 3.0 * direction_rad, shoots


def seen(reading: Reading, index: int, pose: Tuple[float, float, float]) -> Optional[Point]:
    """Where a thing is in the frame of the odometry; None if it is not in view."""
    distance_m, bearing_rad = reading.array("distance")[index], reading.array("bearing")[index]
    if math.isinf(distance_m):
        return None
    # The camera sits in front of the robot's centre.
    mount = reading.sensor.mount
    angle_rad = mount.theta_rad + bearing_rad
    x_m, y_m = mount.x_m + distance_m * math.cos(angle_rad), mount.y_m + distance_m * math.sin(angle_rad)
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    return pose[0] + cos * x_m - sin * y_m, pose[1] + sin * x_m + cos * y_m


def in_body(point: Point, pose: Tuple[float, float, float]) -> Point:
    x_m, y_m = point[0] - pose[0], point[1] - pose[1]
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    return cos * x_m + sin * y_m, cos * y_m - sin * x_m


def wrapped(angle_rad: float) -> float:
    return math.remainder(angle_rad, math.tau)


def attack(robot: Client) -> None:
    """Plays episodes until the benchmark ends."""
    steps = round(DECISION_S * 1e6 / robot.ask("STATUS").integer("dt_us"))
    opponent = 1 if robot.robot.team_index == 0 else 0
    episode, attacker = 0, Attacker(opponent)
    while True:
        forward_m_s, turn_rad_s, shoots = attacker.decide(robot.get("camera", "odometry"))
        robot.twist(forward_m_s, 0.0, turn_rad_s)
        if shoots:
            robot.manipulate("kicker", "kick")
        world = robot.step(steps)
        if world.episode != episode:
            # Everything is somewhere else now: what it remembers is of no use.
            episode, attacker = world.episode, Attacker(opponent)


def main() -> int:
    parser = argparse.ArgumentParser(description="An attacker for the goalkeeper benchmark.")
    parser.add_argument("--addr", default="127.0.0.1:7050", help="where the benchmark's message board is")
    options = parser.parse_args()
    try:
        with Client.take(options.addr, robot="attacker", name="attack") as robot:
            attack(robot)
    except KeyboardInterrupt:
        print("leaving")
    except Closed as end:
        print(f"the benchmark has ended: {end}")
    except (TouchlineError, OSError) as error:
        print(f"goalkeeper_attack: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
