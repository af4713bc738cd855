"""A robot joins the running match, chases the ball, and leaves when the program ends.

    python clients/python/examples/chase_ball.py [--addr 127.0.0.1:7050] [--for SECONDS] [--robot FILE]
"""

import argparse
import math
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Runs from the checkout as it is: nothing has to be installed.
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

from touchline_client import Client, TouchlineError  # noqa: E402


def chase(robot: Client, end: float) -> int:
    """Drives until the end; how many times the ball was seen."""
    sightings, side = 0, 1.0
    while time.monotonic() < end:
        ball = robot.next_sensors().read(feature="ball")
        distance_m, bearing_rad = ball["distance"], ball["bearing"]
        if math.isinf(distance_m):
            # Turn to where the ball was last.
            robot.twist(0.0, 0.0, 2.0 * side)
            continue
        sightings += 1
        # The camera sits in front of the robot's centre: from its frame to the robot's.
        mount = ball.sensor.mount
        x_m = mount.x_m + distance_m * math.cos(mount.theta_rad + bearing_rad)
        y_m = mount.y_m + distance_m * math.sin(mount.theta_rad + bearing_rad)
        direction_rad = math.atan2(y_m, x_m)
        side = math.copysign(1.0, direction_rad)
        # The less it looks at the ball, the slower it drives.
        robot.twist(0.8 * max(0.0, math.cos(direction_rad)), 0.0, 2.0 * direction_rad)
        robot.annotate("target", {"point": [round(x_m, 3), round(y_m, 3)]})
    return sightings


def main() -> int:
    parser = argparse.ArgumentParser(description="A robot that chases the ball.")
    parser.add_argument("--addr", default="127.0.0.1:7050", help="where the message board is")
    parser.add_argument("--for", dest="seconds", type=float, default=math.inf, help="leave after so many seconds")
    parser.add_argument("--robot", default=str(ROOT / "robots" / "pioneer.toml"), help="the robot file")
    parser.add_argument("--name", default=f"chaser-{os.getpid()}", help="the robot's name")
    options = parser.parse_args()
    try:
        with Client.connect(options.addr, name=options.name, robot_file=options.robot) as robot:
            print(
                f"{options.name} is robot {robot.robot.number}; it takes {len(robot.robot.dimensions)} numbers "
                f"and has {len(robot.robot.sensors)} sensors; the clocks differ by {robot.clock.offset_us} us"
            )
            print(f"saw the ball {chase(robot, time.monotonic() + options.seconds)} times; leaving")
    except KeyboardInterrupt:
        print("leaving")
    except (TouchlineError, OSError) as error:
        print(f"chase_ball: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
