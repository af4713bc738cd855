"""An attacker outside of the server, measured by the goalkeeper benchmark: it drives to the ball and shoots.

    touchline benchmark goalkeeper --policy tcp --levels still-1,block-2 --episodes 100
    python clients/python/examples/goalkeeper_attack.py [--addr 127.0.0.1:7050]

It needs Python alone: no compiler, nothing installed. It decides ten times a second of simulated time, and the world waits for it.
"""

import argparse
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Runs from the checkout as it is: nothing has to be installed.
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

from touchline_client import Client, Closed, Reading, Sensors, TouchlineError  # noqa: E402

DECISION_S = 0.1
SHOT_M = 0.6
"""Nearer than this it shoots: a kick that does not reach the ball does no harm."""


class Attacker:
    """What it does with what it sees; it remembers where the ball was last."""

    def __init__(self) -> None:
        self.side = 1.0

    def decide(self, sensors: Sensors) -> "tuple[float, float, bool]":
        """How fast forward (m/s), how fast to turn (rad/s), whether to shoot."""
        ball = sensors.read(feature="ball")
        if math.isinf(ball["distance"]):
            # Turn to where the ball was last.
            return 0.0, 2.0 * self.side, False
        x_m, y_m = in_robot_frame(ball)
        direction_rad = math.atan2(y_m, x_m)
        self.side = math.copysign(1.0, direction_rad)
        # The less it looks at the ball, the slower it drives.
        forward_m_s = 1.2 * max(0.0, math.cos(2.0 * direction_rad))
        return forward_m_s, 4.0 * direction_rad, math.hypot(x_m, y_m) < SHOT_M


def in_robot_frame(ball: Reading) -> "tuple[float, float]":
    """The camera sits in front of the robot's centre."""
    mount = ball.sensor.mount
    angle_rad = mount.theta_rad + ball["bearing"]
    return mount.x_m + ball["distance"] * math.cos(angle_rad), mount.y_m + ball["distance"] * math.sin(angle_rad)


def attack(robot: Client) -> None:
    """Plays episodes until the benchmark ends."""
    steps = round(DECISION_S * 1e6 / robot.ask("STATUS").integer("dt_us"))
    episode, attacker = 0, Attacker()
    while True:
        forward_m_s, turn_rad_s, shoots = attacker.decide(robot.get("camera"))
        robot.twist(forward_m_s, 0.0, turn_rad_s)
        if shoots:
            robot.manipulate("kicker", "kick")
        world = robot.step(steps)
        if world.episode != episode:
            # Everything is somewhere else now: what it remembers is of no use.
            episode, attacker = world.episode, Attacker()


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
