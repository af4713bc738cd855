"""A team outside of the server: each of its robots chases the ball, and shoots when it looks at the other goal. It plays in tournaments.

    touchline tournament worlds/tournaments/chase-team.toml

A tournament starts it for each match and tells it where to connect and which robots it drives; what it does depends on what its
robots see alone, so the same match comes out the same each time. It needs Python alone: no compiler, nothing installed.
"""

import argparse
import math
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import List, Tuple

# Runs from the checkout as it is: nothing has to be installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from touchline_client import Client, Closed, Reading, Sensors, TouchlineError  # noqa: E402

DECISION_S = 0.1
#: Nearer than this it shoots, metres from the robot's centre: a kick that does not reach the ball does no harm.
SHOT_M = 0.6
#: The other team may think for long, and the world waits for it.
TIMEOUT_S = 600.0


class Chaser:
    """One robot of the team."""

    def __init__(self, robot: Client, speed_m_s: float) -> None:
        self.robot = robot
        self.speed_m_s = speed_m_s
        self.opponent = 1 if robot.robot.team_index == 0 else 0
        # Which way it turns when it does not see the ball: to where it was last.
        self.side = 1.0

    def act(self) -> None:
        sensors = self.robot.get("feature=ball", "feature=goals")
        x_m, y_m = place(sensors.read(feature="ball"), 0)
        if math.isinf(x_m):
            self.robot.twist(0.0, 0.0, 2.0 * self.side)
            return
        direction_rad = math.atan2(y_m, x_m)
        self.side = math.copysign(1.0, direction_rad)
        # The less it looks at the ball, the slower it drives.
        self.robot.twist(self.speed_m_s * max(0.0, math.cos(direction_rad)), 0.0, 2.0 * direction_rad)
        if math.hypot(x_m, y_m) < SHOT_M and self.aims(sensors):
            self.robot.manipulate("kicker", "kick")

    def aims(self, sensors: Sensors) -> bool:
        x_m, y_m = place(sensors.read(feature="goals"), self.opponent)
        return not math.isinf(x_m) and abs(math.atan2(y_m, x_m)) < 0.2


def place(reading: Reading, index: int) -> Tuple[float, float]:
    """Where a thing is in the robot's own frame; infinitely far if it is not in view."""
    distance_m, bearing_rad = reading.array("distance")[index], reading.array("bearing")[index]
    if math.isinf(distance_m):
        return math.inf, 0.0
    # The camera sits in front of the robot's centre.
    mount = reading.sensor.mount
    angle_rad = mount.theta_rad + bearing_rad
    return mount.x_m + distance_m * math.cos(angle_rad), mount.y_m + distance_m * math.sin(angle_rad)


def play(team: List[Chaser]) -> None:
    """Until the match is over: then the server ends the connections."""
    steps = round(DECISION_S * 1e6 / team[0].robot.ask("STATUS").integer("dt_us"))
    while True:
        for chaser in team:
            chaser.act()
        # One orders for all of the team; the world waits until the other team has ordered as well.
        team[0].robot.step(steps)


def main() -> int:
    parser = argparse.ArgumentParser(description="A team that chases the ball.")
    parser.add_argument("--board", default=os.environ.get("TOUCHLINE_BOARD"), help="where the match's message board is")
    parser.add_argument("--robots", default=os.environ.get("TOUCHLINE_ROBOTS"), help="the robots that it drives, with commas")
    parser.add_argument("--speed", type=float, default=1.0, metavar="M/S", help="how fast they drive")
    options = parser.parse_args()
    if not options.board or not options.robots:
        parser.error("a tournament says --board and --robots: touchline tournament worlds/tournaments/chase-team.toml")
    try:
        with ExitStack() as robots:
            team = []
            for name in options.robots.split(","):
                robot = Client.take(options.board, robot=name, name="chase-team", timeout=TIMEOUT_S)
                team.append(Chaser(robots.enter_context(robot), options.speed))
            play(team)
    except Closed:
        pass
    except (TouchlineError, OSError) as error:
        print(f"chase_team: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
