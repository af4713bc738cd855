"""The ROS 2 bridge without ROS: messages of readings, frames, the watchdog, what the services answer. [C4, I7]"""

import importlib.util
import math
import subprocess
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, List

SRC = Path(__file__).resolve().parents[2] / "src"
sys.path.insert(0, str(SRC))

from touchline_client import Closed, Refused, Robot, Sensors  # noqa: E402
from touchline_client.connection import Pending  # noqa: E402
from touchline_client.message import Message  # noqa: E402
from touchline_client.ros2 import convert  # noqa: E402
from touchline_client.ros2.bridge import Bridge, Settings, Watchdog  # noqa: E402
from touchline_client.ros2.simulation import Simulation  # noqa: E402

LINES = [
    "DIM forward unit=m/s min=-1 max=1 part=forward",
    "DIM turn unit=rad/s min=-3 max=3 part=turn",
    "SENSOR laser model=L type=laser plugin=laser x_m=0.1 y_m=0 z_m=0.3 theta_rad=0 range_max_m=8 rate_hz=10 integers=7",
    "FEATURE scan integers=7",
    "FIELD angle_min unit=rad scale=0.000001 signed=1 shape=scalar",
    "FIELD angle_step unit=rad scale=1e-8 signed=1 shape=scalar",
    "FIELD ranges unit=m scale=0.001 signed=0 shape=5",
    "SENSOR odometry model=O type=odometry plugin=odometry x_m=0 y_m=0 z_m=0 theta_rad=0 integers=7",
    "FEATURE odometry integers=7",
    "FIELD x unit=m scale=0.001 signed=1 shape=scalar",
    "FIELD y unit=m scale=0.001 signed=1 shape=scalar",
    "FIELD theta unit=rad scale=0.0001 signed=1 shape=scalar",
    "FIELD velocity_x unit=m/s scale=0.001 signed=1 shape=scalar",
    "FIELD velocity_y unit=m/s scale=0.001 signed=1 shape=scalar",
    "FIELD velocity_turn unit=rad/s scale=0.001 signed=1 shape=scalar",
    "FIELD motion/neck unit=rad scale=0.0001 signed=1 shape=scalar",
    "SENSOR camera model=C type=camera plugin=camera x_m=0.2 y_m=0 z_m=0.5 theta_rad=0.1 follows=neck integers=2",
    "FEATURE ball integers=2",
    "FIELD distance unit=m scale=0.001 signed=0 shape=scalar",
    "FIELD bearing unit=rad scale=0.0001 signed=1 shape=scalar",
    "SENSOR sonar model=S type=sonar plugin=ultrasonic x_m=0 y_m=0 z_m=0.2 theta_rad=0 range_max_m=5 integers=9",
    "FEATURE sonar integers=9",
    "FIELD opening_angle unit=rad scale=0.0001 signed=0 shape=scalar",
    "FIELD x unit=m scale=0.001 signed=1 shape=2",
    "FIELD y unit=m scale=0.001 signed=1 shape=2",
    "FIELD theta unit=rad scale=0.0001 signed=1 shape=2",
    "FIELD ranges unit=m scale=0.001 signed=0 shape=2",
    "SENSOR image model=I type=camera plugin=image x_m=0 y_m=0 z_m=1 theta_rad=0 integers=6",
    "FEATURE image integers=6",
    "FIELD pixels unit=rgb scale=1 signed=0 shape=2x3",
    "SENSOR compass model=C type=compass plugin=compass x_m=0 y_m=0 z_m=0 theta_rad=0 integers=1",
    "FEATURE compass integers=1",
    "FIELD heading unit=rad scale=0.0001 signed=1 shape=scalar",
]
HEAD = "OK DESCRIBE robot=4 name=blue-1 team=blue radius_m=0.25"
DATA = [
    # 100 ms old: the laser has ten samples a second.
    "DATA laser 880000 7 4293396500 78539816 812 1100 4294967295 4294967294 0",
    "DATA odometry 980000 7 1500 4294966796 15708 400 0 4294966296 2000",
    "DATA camera 980000 2 2000 0",
    "DATA sonar 980000 9 5236 100 100 50 4294967246 7854 4294959442 1500 4294967295",
    "DATA image 980000 6 16711680 65280 255 0 16777215 8421504",
    "DATA compass 980000 1 15708",
]
STATE = "STATE robot=4 step=1042 sim_us=10420000 stamp_us=980000"


def block(head: str, lines: List[str]) -> Message:
    """A message as it comes."""
    message = Message(f"{head} lines={len(lines)}")
    message.lines = lines
    return message


ROBOT = Robot.from_message(block(HEAD, LINES))
SENSORS = Sensors(ROBOT.sensors).updated(block(STATE, DATA))


class StandIn:
    """A client whose server answers at once."""

    role = "operator"

    def __init__(self, lines: List[str] = LINES) -> None:
        self.asked: List[str] = []
        self.lines = lines
        self.paused, self.step_number, self.refuses = True, 1042, ""
        #: Answers ``ERR`` to what begins so, where nobody waits for it.
        self.errs, self.is_closed = "", False

    def ask(self, *parts: str) -> Message:
        line = " ".join(parts)
        self.asked.append(line)
        if self.refuses and line.startswith(self.refuses):
            raise Refused(parts[0], "sim/no-room", "no room", [])
        if parts[0] == "RESET":
            self.step_number = 0
        if parts[0] in ("PAUSE", "RESUME"):
            self.paused = parts[0] == "PAUSE"
        if parts[0] == "STATUS":
            return Message(
                f"OK STATUS step={self.step_number} sim_us=10420000 dt_us=10000 paused={int(self.paused)} speed=1"
            )
        if parts[0] == "DESCRIBE":
            return block(HEAD, self.lines)
        if parts[0] == "LIST":
            return block("OK LIST", ["ROBOT 4 blue-1 team=blue model=pioneer player=striker"])
        if parts[0] == "WORLD":
            ball = "BALL 0 x=1.5 y=-0.25 vx=0.8 vy=0 z=0.1 vz=0"
            return block(
                "OK WORLD step=1042 sim_us=10420000 stamp_us=1",
                [ball, f"ROBOT 4 blue-1 x=-1 y=0.5 theta={math.pi / 2} forward=0.3 left=0.1 turn=0.2"],
            )
        return Message(f"OK {parts[0]}")

    def begin(self, *parts: str, then: Any = None) -> Pending:
        if self.is_closed:
            raise Closed("this client was closed")
        pending = Pending(parts[0])
        answer = self.ask(*parts)
        if self.errs and parts[0] == self.errs:
            answer = Message('ERR sim/taken "somebody else drives it"')
        if then is not None:
            then(answer)
        pending.done.set()
        return pending

    def step(self, steps: int) -> None:
        self.step_number += steps
        self.asked.append(f"STEP {steps}")


class ConvertTest(unittest.TestCase):
    def test_a_scan_has_the_time_of_its_sample_and_the_ranges_of_rep_117(self) -> None:
        reading = SENSORS.read(feature="scan")
        # C4: 100 ms before the step, in simulated time, whatever the clock on the wall.
        self.assertAlmostEqual(reading.sim_time, 10.32)
        scan = convert.scan(reading, round(reading.sim_time * 1e6), "blue_1/laser", 0.05)
        self.assertEqual(scan["header"], {"stamp": {"sec": 10, "nanosec": 320_000_000}, "frame_id": "blue_1/laser"})
        self.assertEqual(len(scan["ranges"]), 5)
        self.assertEqual(list(scan["ranges"])[2:], [math.inf, -math.inf, 0.0])
        # REP 103: counter-clockwise from the first beam; the last one is at angle_max.
        last = scan["angle_min"] + (len(scan["ranges"]) - 1) * scan["angle_increment"]
        self.assertAlmostEqual(last, scan["angle_max"], places=12)
        self.assertAlmostEqual(scan["angle_min"], -math.pi / 2, places=5)
        self.assertAlmostEqual(scan["angle_max"], math.pi / 2, places=5)
        self.assertEqual((scan["scan_time"], scan["range_min"], scan["range_max"]), (0.1, 0.0, 8.0))

    def test_a_turn_is_the_quaternion_that_turns(self) -> None:
        for angle in (-3.1, -math.pi / 2, 0.0, 0.3, math.pi / 2, 3.0):
            one = convert.quaternion(angle)
            # Rodrigues' formula: what the quaternion makes of the x axis.
            x, y = one["w"] ** 2 - one["z"] ** 2, 2 * one["w"] * one["z"]
            self.assertAlmostEqual(x, math.cos(angle))
            self.assertAlmostEqual(y, math.sin(angle))
            self.assertAlmostEqual(convert.yaw(**one) or 0.0, angle)
        for none in [(0.0, 0.0, 0.0, 0.0), (0.5, 0.5, 0.5, 0.5), (0.0, 0.0, 0.0, math.nan), (0.0, 0.0, 2.0, 0.0)]:
            self.assertIsNone(convert.yaw(*none))

    def test_pictures_sonars_headings_and_sightings(self) -> None:
        image = convert.image(SENSORS.read(feature="image"), 0, "i")
        self.assertEqual((image["height"], image["width"], image["step"], image["encoding"]), (2, 3, 9, "rgb8"))
        self.assertEqual(
            bytes(image["data"]), bytes([255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0] + [255] * 3 + [128] * 3)
        )
        echoes = convert.sonars(SENSORS.read(feature="sonar"), 0, ["a", "b"])
        self.assertEqual([one["range"] for one in echoes], [1.5, math.inf])
        self.assertAlmostEqual(echoes[0]["field_of_view"], 0.5236)
        self.assertEqual(echoes[0]["max_range"], 5.0)
        imu = convert.compass(SENSORS.read(feature="compass"), 0, "c")
        self.assertAlmostEqual(convert.yaw(**imu["orientation"]) or 0.0, math.pi / 2, places=4)
        self.assertEqual(imu["angular_velocity_covariance"][0], -1.0)
        seen = convert.ball(SENSORS.read(feature="ball"), 0, "camera")
        self.assertEqual(seen and seen["point"], {"x": 2.0, "y": 0.0, "z": -0.5})

    def test_names_are_those_that_ros_allows(self) -> None:
        names = [convert.ros_name(one) for one in ("blue-1", "rosie", "7up", "a.b", "_x")]
        self.assertEqual(names, ["blue_1", "rosie", "n_7up", "a_b", "n__x"])


class WatchdogTest(unittest.TestCase):
    def test_it_barks_once_for_each_pause_in_simulated_time(self) -> None:
        dog = Watchdog(500_000)
        self.assertFalse(dog.is_late(10**9))
        dog.command(1_000_000)
        self.assertEqual(
            [dog.is_late(now) for now in (1_000_000, 1_499_999, 1_500_000, 9_000_000)], [False, False, True, False]
        )
        dog.command(2_000_000)
        # The world was reset.
        self.assertFalse(dog.is_late(0))
        self.assertTrue(dog.is_late(500_000))
        never = Watchdog(math.inf)
        never.command(0)
        self.assertFalse(never.is_late(10**15))


class BridgeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = StandIn()
        self.published: List[Any] = []
        self.bridge = Bridge(self.client, lambda *what: self.published.append(what), Settings())  # type: ignore[arg-type]
        self.bridge.add("blue-1")

    def topics(self) -> Dict[str, Any]:
        return {topic: fields for topic, _, fields in self.published}

    def test_readings_of_a_step_come_after_its_time(self) -> None:
        self.assertIn("PUSH 4 50.0 *", self.client.asked)
        self.published.clear()
        self.bridge.notice(block(STATE, DATA))
        self.assertEqual(self.published[0][:2], ("/clock", "rosgraph_msgs/Clock"))
        self.assertEqual(self.published[0][2], {"clock": {"sec": 10, "nanosec": 420_000_000}})
        topics = self.topics()
        for topic in (
            "scan",
            "odom",
            "camera/ball",
            "sonar/range_0",
            "sonar/range_1",
            "image/image_raw",
            "compass/imu",
        ):
            self.assertIn(f"/blue_1/{topic}", topics)
        odom = topics["/blue_1/odom"]
        self.assertEqual((odom["header"]["frame_id"], odom["child_frame_id"]), ("blue_1/odom", "blue_1/base_link"))
        self.assertEqual(odom["pose"]["pose"]["position"], {"x": 1.5, "y": -0.5, "z": 0.0})
        self.assertEqual((odom["twist"]["twist"]["linear"]["x"], odom["twist"]["twist"]["angular"]["z"]), (0.4, -1.0))

    def test_frames_make_one_tree_and_a_neck_turns_what_is_on_it(self) -> None:
        self.bridge.notice(block(STATE, DATA))
        topics = self.topics()
        still = {one["child_frame_id"]: one for one in topics["/tf_static"]["transforms"]}
        moving = {one["child_frame_id"]: one for one in topics["/tf"]["transforms"]}
        self.assertEqual(still["blue_1/laser"]["transform"]["translation"], {"x": 0.1, "y": 0.0, "z": 0.3})
        self.assertEqual(still["blue_1/sonar_1"]["header"]["frame_id"], "blue_1/sonar")
        self.assertNotIn("blue_1/camera", still)
        turned = moving["blue_1/camera"]["transform"]["rotation"]
        self.assertAlmostEqual(convert.yaw(**turned) or 0.0, 0.1 + 0.2)
        parents = {name: one["header"]["frame_id"] for name, one in {**still, **moving}.items()}
        for frame in parents:
            above = frame
            for _ in parents:
                above = parents.get(above, above)
            self.assertEqual(above, "blue_1/odom")

    def test_a_sample_is_published_once_however_often_it_is_pushed(self) -> None:
        self.bridge.notice(block(STATE, DATA))
        self.published.clear()
        # A step later the laser has no new sample, and the stamps of all others are new.
        later = block(STATE.replace("sim_us=10420000 stamp_us=980000", "sim_us=10470000 stamp_us=1030000"), list(DATA))
        later.lines = [line.replace(" 980000 ", " 1030000 ") for line in DATA]
        self.bridge.notice(later)
        self.assertNotIn("/blue_1/scan", self.topics())
        self.assertIn("/blue_1/odom", self.topics())
        # After a reset the same times come again.
        self.published.clear()
        self.bridge.notice(block(STATE, DATA))
        self.assertIn("/blue_1/scan", self.topics())
        self.assertEqual(self.topics()["/clock"], {"clock": {"sec": 10, "nanosec": 420_000_000}})

    def test_the_first_command_takes_the_robot_and_silence_stops_it(self) -> None:
        self.bridge.notice(block(STATE, DATA))
        self.client.asked.clear()
        # This robot cannot go to the left; that is said once.
        with self.assertLogs("touchline.ros2") as said:
            self.bridge.command(4, 0.5, 0.2, -1.0)
            self.bridge.command(4, 0.5, 0.1, -1.0)
        self.assertEqual([one.getMessage() for one in said.records], ["robot blue-1: it has no speed left: left out"])
        self.assertEqual(self.client.asked, ["TAKE 4", "TWIST 4 0.5 0.0 -1.0", "TWIST 4 0.5 0.0 -1.0"])
        with self.assertLogs("touchline.ros2"):
            self.bridge.command(4, math.nan, 0.0, 0.0)
        self.bridge.command(9, 1.0, 0.0, 0.0)
        self.client.asked.clear()
        self.bridge.look()
        self.assertEqual(self.client.asked, ["WORLD"])
        self.bridge._stop_the_late(10_920_000)
        self.bridge._stop_the_late(10_930_000)
        self.assertEqual(self.client.asked, ["WORLD", "TWIST 4 0.0 0.0 0.0"])

    def test_a_robot_that_was_made_here_is_never_taken_and_driven_again_after_a_refusal(self) -> None:
        client = StandIn()
        bridge = Bridge(client, lambda *_: None, Settings())  # type: ignore[arg-type]
        bridge.add("blue-1", is_made=True)
        # Who plays may take over none, not even that one.
        client.refuses, client.errs = "TAKE", "TWIST"
        with self.assertLogs("touchline.ros2"):
            bridge.command(4, 0.5, 0.0, 0.0)
        client.errs = ""
        client.asked.clear()
        bridge.command(4, 0.25, 0.0, 0.0)
        self.assertEqual(client.asked, ["TWIST 4 0.25 0.0 0.0"])
        # One that was taken over is taken again.
        self.bridge.command(4, 0.5, 0.0, 0.0)
        self.client.errs = "TWIST"
        with self.assertLogs("touchline.ros2"):
            self.bridge.command(4, 0.5, 0.0, 0.0)
        self.client.errs = ""
        self.client.asked.clear()
        self.bridge.command(4, 0.25, 0.0, 0.0)
        self.assertEqual(self.client.asked, ["TAKE 4", "TWIST 4 0.25 0.0 0.0"])

    def test_what_ros_takes_no_more_ends_nothing(self) -> None:
        def publish(topic: str, *_: Any) -> None:
            raise RuntimeError("the context is gone")

        bridge = Bridge(self.client, publish, Settings())  # type: ignore[arg-type]
        bridge.robots.update(self.bridge.robots)
        with self.assertLogs("touchline.ros2") as said:
            bridge.look()
            bridge.notice(block(STATE, DATA))
            bridge.clock(0)
        told = [one.getMessage() for one in said.records]
        for topic in ("/clock", "/ball_0/ground_truth", "/blue_1/ground_truth"):
            self.assertEqual(told.count(f"{topic} is not published: the context is gone"), 1, told)
        # Nor that there is nobody left to be told to stop.
        bridge.command(4, 0.5, 0.0, 0.0)
        self.client.is_closed = True
        with self.assertLogs("touchline.ros2"):
            bridge._stop_the_late(10**9)

    def test_truth_is_in_the_map_and_a_robot_that_goes_is_forgotten(self) -> None:
        self.bridge.look()
        topics = self.topics()
        ball, robot = topics["/ball_0/ground_truth"], topics["/blue_1/ground_truth"]
        self.assertEqual((ball["header"]["frame_id"], ball["child_frame_id"]), ("map", "ball_0"))
        self.assertEqual(ball["pose"]["pose"]["position"], {"x": 1.5, "y": -0.25, "z": 0.1})
        self.assertEqual(robot["twist"]["twist"]["linear"], {"x": 0.3, "y": 0.1, "z": 0.0})
        with self.assertLogs("touchline.ros2"):
            self.bridge.notice(Message('GONE robot=4 "removed"'))
        self.assertEqual(self.bridge.robots, {})
        self.bridge.notice(block(STATE, DATA))

    def test_time_that_stands_is_said_again_now_and_then(self) -> None:
        self.published.clear()
        for _ in range(250):
            self.bridge.look()
        self.assertEqual(sum(topic == "/clock" for topic, _, _ in self.published), 3)

    def test_only_what_is_chosen_is_read(self) -> None:
        self.client.refuses = "GET 4 radar"
        settings = Settings(select=("laser", "radar", "type=odometry"))
        Bridge(self.client, lambda *_: None, settings).add("blue-1")  # type: ignore[arg-type]
        self.assertEqual(self.client.asked[-1], "PUSH 4 50.0 laser type=odometry")

    def test_two_robots_of_one_name_are_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "blue_1"):
            self.bridge.add("blue-1")


def request(**fields: Any) -> SimpleNamespace:
    """A request, as its class would have it."""
    return SimpleNamespace(**fields)


def state_of(
    x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0, vx: float = 0.0, frame: str = ""
) -> Any:
    """An EntityState."""

    def name(fields: Dict[str, Any]) -> SimpleNamespace:
        return SimpleNamespace(**{key: name(one) if isinstance(one, dict) else one for key, one in fields.items()})

    fields = {"header": {"frame_id": frame}, "pose": convert.pose(x, y, turn, z), "twist": convert.twist(vx, 0.0, 0.0)}
    return name(fields)


class SimulationTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = StandIn()
        self.simulation = Simulation(self.client, 5, True)  # type: ignore[arg-type]

    def ask(self, service: str, **fields: Any) -> Any:
        return self.simulation.answer(service, request(**fields))

    def code(self, service: str, **fields: Any) -> int:
        return int(self.ask(service, **fields)["result"]["result"])

    def test_time_stands_goes_and_begins_again(self) -> None:
        def state() -> int:
            return int(self.ask("GetSimulationState")["state"]["state"])

        def to(wanted: int) -> int:
            return self.code("SetSimulationState", state=request(state=wanted))

        self.assertEqual((state(), to(2), to(1), state(), to(1)), (2, 101, 1, 1, 101))
        self.assertEqual(self.code("StepSimulation", steps=1), 4)
        self.assertEqual((to(0), state(), to(3)), (1, 0, 0))
        self.assertEqual(self.client.asked[-6:].count("RESET"), 1)
        self.assertEqual((self.code("StepSimulation", steps=12), state()), (1, 2))
        # No more at once than a period of readings.
        self.assertEqual([one for one in self.client.asked if one.startswith("STEP")], ["STEP 5", "STEP 5", "STEP 2"])
        self.assertEqual([self.code("StepSimulation", steps=many) for many in (0, 1_000_001)], [4, 4])
        self.assertEqual([self.code("ResetSimulation", scope=one) for one in (0, 1, 2, 3, 4, 255)], [1, 0, 0, 1, 0, 1])

    def test_entities_are_robots_and_balls_in_the_map(self) -> None:
        def chosen(pattern: str = "", categories: Any = (), tags: Any = ()) -> Any:
            kinds = [request(category=one) for one in categories]
            filters = request(filter=pattern, categories=kinds, tags=request(tags=tags), bounds=request(type=0))
            return self.ask("GetEntities", filters=filters)

        self.assertEqual(chosen()["entities"], ["blue-1", "ball-0"])
        self.assertEqual(chosen("^ball")["entities"], ["ball-0"])
        self.assertEqual(chosen(categories=[1])["entities"], ["blue-1"])
        self.assertEqual((chosen("(")["result"]["result"], chosen(tags=["a"])["result"]["result"]), (4, 0))
        # A robot that looks along y and goes ahead goes along y; to its left is -x.
        state = self.ask("GetEntityState", entity="blue-1")["state"]
        self.assertAlmostEqual(state["twist"]["linear"]["x"], -0.1)
        self.assertAlmostEqual(state["twist"]["linear"]["y"], 0.3)
        self.assertEqual(self.ask("GetEntityInfo", entity="blue-1")["info"]["description"], "pioneer")
        self.assertEqual([self.code("GetEntityState", entity=one) for one in ("ball-0", "puck")], [1, 2])

    def test_entities_are_put_somewhere(self) -> None:
        def put(entity: str, state: Any, **flags: bool) -> int:
            return self.code("SetEntityState", entity=entity, state=state, **flags)

        self.assertEqual(put("blue-1", state_of(1.0, 2.0, turn=0.5)), 1)
        self.assertRegex(self.client.asked[-1], r"^PLACE blue-1 1\.0 2\.0 0\.(5|49999)")
        self.assertEqual(put("ball-0", state_of(1.0, 2.0, 0.5, vx=3.0, frame="map")), 1)
        self.assertEqual(self.client.asked[-1], "BALL 0 1.0 2.0 3.0 0.0 z=0.5 vz=0.0")
        # Only the pose: the ball rolls on. Only the velocity: it does so from where it is.
        put("ball-0", state_of(1.0), set_pose=True, set_twist=False)
        self.assertEqual(self.client.asked[-1], "BALL 0 1.0 0.0 0.8 0.0 z=0.0 vz=0.0")
        put("ball-0", state_of(vx=2.0), set_pose=False, set_twist=True)
        self.assertEqual(self.client.asked[-1], "BALL 0 1.5 -0.25 2.0 0.0 z=0.1 vz=0.0")
        self.assertEqual(put("blue-1", state_of(vx=1.0)), 4)
        self.assertEqual(put("blue-1", state_of(frame="odom")), 0)
        self.assertEqual(put("puck", state_of()), 2)
        self.assertEqual(put("blue-1", state_of(x=math.inf)), 101)
        self.client.refuses = "PLACE"
        self.assertEqual(put("blue-1", state_of()), 101)

    def test_features_are_those_that_the_role_may_use(self) -> None:
        def features() -> Any:
            return self.ask("GetSimulatorFeatures")["features"]["features"]

        self.assertEqual(features(), [8, 10, 11, 12, 20, 24, 25, 26, 31, 32])
        self.client.role = "monitor"  # type: ignore[misc]
        self.assertEqual(features(), [8, 10, 12, 24])
        self.simulation = Simulation(self.client, 5, False)  # type: ignore[arg-type]
        self.assertEqual(features(), [24])


class WithoutRosTest(unittest.TestCase):
    @unittest.skipIf(importlib.util.find_spec("rclpy") is not None, "rclpy is installed here")
    def test_it_says_what_is_missing(self) -> None:
        command = [sys.executable, "-m", "touchline_client.ros2", "--robot", "a"]
        run = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(SRC)}, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("ROS 2's Python library is not there", run.stderr)

    def test_wrong_options_are_refused(self) -> None:
        for wrong in (["--rate", "0"], ["--cmd-timeout", "-1"], ["--make", "x.toml"], ["--rate", "nan"]):
            command = [sys.executable, "-m", "touchline_client.ros2", *wrong]
            run = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(SRC)}, check=False)
            self.assertEqual(run.returncode, 2, wrong)


if __name__ == "__main__":
    unittest.main()
