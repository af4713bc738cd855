#!/usr/bin/env python3
"""A start script for the challenge ``kick``: it comes to the ball, and kicks it so that it rests at the field's centre.

    touchline challenge run kick --script clients/python/examples/challenge_kick.py

It needs Python alone: no compiler, nothing installed. It is started for each attempt with host, port, and the place of its robot, which looks at the
target; what it sees of the ball is what the cameras above the field tell it.
"""

import math
import os
import sys
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[3]
# Runs from the checkout as it is: nothing has to be installed.
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

from touchline_client import Client, Closed, TouchlineError  # noqa: E402

#: Its robot's hardest kick, m/s.
KICK_M_S = 6.0
#: How far a ball rolls for each (m/s)^2 of its first speed, s^2/m: measured on this field.
ROLL_S2_M = 0.7602
#: Where before its centre the kicker has a ball, metres: from, to, and how far to a side.
NEAR_M, FAR_M, SIDE_M = 0.16, 0.25, 0.04


def kick(robot: Client, place_m: float) -> None:
    """To the ball, until it can be kicked over what is left of ``place_m``, from the robot's place to the target; then it waits for the end."""
    strength: Optional[float] = None
    while True:
        ball = robot.get("overhead").read(feature="ball")
        distance_m, bearing_rad = ball["distance"], ball["bearing"]
        if math.isinf(distance_m):
            # Overlooked this time.
            robot.step()
            continue
        x_m, y_m = distance_m * math.cos(bearing_rad), distance_m * math.sin(bearing_rad)
        if strength is None:
            strength = min(1.0, math.sqrt(max(0.0, place_m - x_m) / ROLL_S2_M) / KICK_M_S)
        if NEAR_M < x_m < FAR_M and abs(y_m) < SIDE_M:
            break
        # Slower the nearer it is: what it brings along is added to the kick.
        robot.twist(min(1.0, 0.8 * x_m), 2.0 * y_m, 0.0)
        robot.step()
    robot.manipulate("kicker", "kick", strength)
    robot.twist(0.0, 0.0, 0.0)
    while True:
        robot.step(10)


def main() -> int:
    host, port, x_m, y_m = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    try:
        with Client.take((host, port), robot=os.environ["TOUCHLINE_ROBOT"], key=os.environ["TOUCHLINE_KEY"]) as robot:
            kick(robot, math.hypot(x_m, y_m))
    except Closed:
        # The attempt is over.
        return 0
    except (TouchlineError, OSError) as error:
        print(f"challenge_kick: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
