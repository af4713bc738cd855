"""``python -m touchline_client.ros2``: a running world in ROS 2. What comes behind ``--ros-args`` is for ROS."""

import argparse
import logging
import math
import sys
from pathlib import Path
from typing import List, Optional

from ..client import Client
from ..errors import Refused, TouchlineError
from ..message import word
from .bridge import Settings, names_of_robots


def options_of(arguments: List[str]) -> argparse.Namespace:
    """The bridge's own options."""
    parser = argparse.ArgumentParser(
        prog="python -m touchline_client.ros2",
        description="A running Touchline world in ROS 2: docs/ros2.md says which topics and services there are.",
    )
    parser.add_argument("--addr", default="127.0.0.1:7050", help="where the message board is")
    parser.add_argument(
        "--robot",
        action="append",
        default=[],
        metavar="NAME",
        help="a robot that is bridged; may be given several times; all, if not given",
    )
    parser.add_argument(
        "--make", metavar="FILE", help="make the one --robot from this robot file; it goes with the bridge"
    )
    parser.add_argument("--team", help="the team of the robot that is made")
    parser.add_argument("--pose", type=float, nargs=3, metavar=("X_M", "Y_M", "THETA_RAD"), help="where it is made")
    parser.add_argument(
        "--role",
        default="operator",
        help="as what to connect, where the server asks for no key; monitor drives nothing",
    )
    parser.add_argument(
        "--key", help="the key, where the server asks for one; by default TOUCHLINE_KEY of the environment"
    )
    parser.add_argument("--rate", type=float, default=20.0, metavar="HZ", help="readings in a simulated second (20)")
    parser.add_argument(
        "--cmd-timeout",
        type=float,
        default=0.5,
        metavar="S",
        help="simulated seconds without a command until a robot stops; 0 for never (0.5)",
    )
    parser.add_argument("--stamped", action="store_true", help="take geometry_msgs/TwistStamped on cmd_vel, not Twist")
    parser.add_argument(
        "--frame-prefix",
        default="{robot}/",
        metavar="TEXT",
        help="before a robot's frames; {robot} is its name ('{robot}/')",
    )
    parser.add_argument(
        "--select",
        nargs="+",
        default=["*"],
        metavar="SENSOR",
        help="which sensors are read, such as laser type=odometry; all, if not given",
    )
    parser.add_argument("--no-services", action="store_true", help="no simulation services")
    options = parser.parse_args(arguments)
    if options.make is not None and len(options.robot) != 1:
        parser.error("--make makes one robot: give its name by --robot")
    if not 0.0 < options.rate <= 1000.0:
        parser.error("--rate must be above 0, and at most 1000")
    if not options.cmd_timeout >= 0.0:
        parser.error("--cmd-timeout must be 0 or more")
    return options


def make(client: Client, options: argparse.Namespace) -> None:
    """Makes the robot of ``--make``, by the bridge's own connection."""
    parts = ["ROBOT", word(options.robot[0])]
    if options.team is not None:
        parts.append(f"team={word(options.team)}")
    if options.pose is not None:
        parts += [f"{key}={value!r}" for key, value in zip(("x", "y", "theta"), options.pose)]
    client.ask_with(Path(options.make).read_text(encoding="utf-8"), *parts)


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the bridge until it is interrupted; the exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    own, ros = _split(given)
    options = options_of(own)
    log = logging.getLogger("touchline.ros2")
    logging.basicConfig(level=logging.INFO, format="touchline.ros2: %(message)s")
    try:
        from .node import BridgeNode
    except ImportError as error:
        print(
            f"ROS 2's Python library is not there ({error}): source ROS's setup file, or install rclpy", file=sys.stderr
        )
        return 1
    settings = Settings(options.rate, options.cmd_timeout or math.inf, options.frame_prefix, tuple(options.select))
    try:
        bridge = BridgeNode(ros, options.addr, options.role, options.key, settings)
    except (TouchlineError, OSError) as error:
        print(f"touchline.ros2: {options.addr}: {error}", file=sys.stderr)
        return 1
    try:
        if options.make is not None:
            make(bridge.client, options)
        for name in options.robot or names_of_robots(bridge.client):
            try:
                bridged = bridge.bridge.add(name, is_made=options.make is not None)
            except Refused as error:
                # Of all robots those that the key does not open are left out.
                if options.robot:
                    raise
                log.info("not bridged: %s", error)
                continue
            bridge.listen(bridged, is_stamped=options.stamped)
        if not options.no_services:
            bridge.serve()
        names = ", ".join(one.name for one in bridge.bridge.robots.values())
        log.info("bridged: %s", names or "no robot")
        reason = bridge.spin()
    except (TouchlineError, ValueError, OSError) as error:
        print(f"touchline.ros2: {error}", file=sys.stderr)
        return 1
    finally:
        bridge.close()
    if reason != "interrupted":
        print(f"touchline.ros2: {reason}", file=sys.stderr)
        return 1
    return 0


def _split(given: List[str]) -> "tuple[List[str], List[str]]":
    """The bridge's arguments, and those for ROS: from ``--ros-args`` to the end, or to ``--``."""
    if "--ros-args" not in given:
        return given, []
    start = given.index("--ros-args")
    end = given.index("--", start) + 1 if "--" in given[start:] else len(given)
    return given[:start] + given[end:], given[start:end]


if __name__ == "__main__":
    sys.exit(main())
