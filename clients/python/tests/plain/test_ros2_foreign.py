"""The ROS 2 bridge beside sensors of others' plugins, whose features are called as ours. [C4, I6]"""

import logging
import sys
import unittest
from pathlib import Path
from typing import Any, List

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "src"), str(Path(__file__).resolve().parent)]

from test_ros2 import DATA, LINES, STATE, StandIn, block  # noqa: E402
from touchline_client.ros2.bridge import Bridge, Settings  # noqa: E402

#: Features of others' plugins with our names: fields are missing, have other shapes, or hold what no message takes.
FOREIGN = [
    "SENSOR gps model=G type=gps plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=1",
    "FEATURE odometry integers=1",
    "FIELD latitude unit=rad scale=0.0001 signed=1 shape=scalar",
    "SENSOR ring model=R type=ring plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=5",
    "FEATURE sonar integers=5",
    "FIELD opening_angle unit=rad scale=0.0001 signed=0 shape=scalar",
    "FIELD x unit=m scale=0.001 signed=1 shape=1",
    "FIELD y unit=m scale=0.001 signed=1 shape=1",
    "FIELD theta unit=rad scale=0.0001 signed=0 shape=1",
    "FIELD ranges unit=m scale=0.001 signed=0 shape=1",
    "SENSOR north model=N type=compass plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=1",
    "FEATURE compass integers=1",
    "FIELD heading unit=rad scale=0.0001 signed=0 shape=scalar",
    "SENSOR row model=W type=camera plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=2",
    "FEATURE grey integers=2",
    "FIELD pixels unit=grey scale=1 signed=0 shape=2",
    "SENSOR deep model=D type=camera plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=1",
    "FEATURE image integers=1",
    "FIELD pixels unit=rgb scale=1 signed=0 shape=1x1",
    "SENSOR dark model=D type=camera plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=2",
    "FEATURE image integers=2",
    "FIELD pixels unit=lx scale=0.1 signed=0 shape=2x1",
    "SENSOR eye model=E type=camera plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=1",
    "FEATURE ball integers=1",
    "FIELD distance unit=m scale=0.001 signed=0 shape=scalar",
]
FOREIGN_DATA = [
    "DATA gps 980000 1 5",
    # The theta of a sonar, and the heading, are infinite.
    "DATA ring 980000 5 5236 0 0 4294967295 1500",
    "DATA north 980000 1 4294967295",
    "DATA row 980000 2 1 2",
    "DATA deep 980000 1 16777216",
    "DATA dark 980000 2 3 4",
    "DATA eye 980000 1 2000",
]


class ForeignTest(unittest.TestCase):
    def test_a_foreign_sensor_is_left_out_and_ends_nothing(self) -> None:
        published: List[Any] = []
        client = StandIn(FOREIGN + LINES)
        bridge = Bridge(client, lambda *what: published.append(what), Settings())  # type: ignore[arg-type]
        bridge.add("blue-1")
        with self.assertLogs("touchline.ros2") as said:
            bridge.notice(block(STATE, FOREIGN_DATA + DATA))
        told = [one.getMessage() for one in said.records]
        for name in ["gps.odometry", "ring.sonar", "north.compass", "row.grey", "deep.image", "dark.image", "eye.ball"]:
            self.assertEqual(sum(f"robot blue-1: {name} is not published: " in one for one in told), 1, (name, told))
        self.assertEqual(len(told), 7, told)
        topics = {topic: fields for topic, _, fields in published}
        for topic in ("scan", "odom", "camera/ball", "sonar/range_0", "image/image_raw", "compass/imu"):
            self.assertIn(f"/blue_1/{topic}", topics)
        frames = [one["child_frame_id"] for one in topics["/tf_static"]["transforms"]]
        self.assertIn("blue_1/sonar_0", frames)
        self.assertNotIn("blue_1/ring_0", frames)
        # Nobody has a second frame by the foreign odometry.
        self.assertEqual([topic for topic, _, _ in published].count("/tf"), 1)
        # It is said once, and tried again.
        with self.assertLogs("touchline.ros2") as said:
            logging.getLogger("touchline.ros2").warning("none but this")
            bridge.notice(block(STATE, FOREIGN_DATA + DATA))
        self.assertEqual(len(said.records), 1)
        bridge.notice(block(STATE, ["DATA north 980000 1 15708"]))
        self.assertIn("/blue_1/north/imu", [topic for topic, _, _ in published])

    def test_a_picture_is_its_pixels_and_not_what_stands_beside_them(self) -> None:
        described = [
            "SENSOR cam model=C type=camera plugin=foreign x_m=0 y_m=0 z_m=0 theta_rad=0 integers=6",
            "FEATURE picture integers=6",
            "FIELD exposure unit=s scale=0.001 signed=0 shape=2",
            "FIELD pixels unit=rgb scale=1 signed=0 shape=1x3",
            "FIELD gain unit=1 scale=1 signed=0 shape=scalar",
        ]
        published: List[Any] = []
        client = StandIn(described)
        bridge = Bridge(client, lambda *what: published.append(what), Settings())  # type: ignore[arg-type]
        bridge.add("blue-1")
        bridge.notice(block(STATE, ["DATA cam 980000 6 4294967295 7 16711680 65280 255 9"]))
        (image,) = [fields for topic, _, fields in published if topic == "/blue_1/cam/image_raw"]
        self.assertEqual((image["height"], image["width"], image["step"]), (1, 3, 9))
        self.assertEqual(bytes(image["data"]), bytes([255, 0, 0, 0, 255, 0, 0, 0, 255]))


if __name__ == "__main__":
    unittest.main()
