"""The bridge as its users start it, over rclpy, seen by programs that are not ours.

Needs rclpy and its messages, Cyclone DDS in Python, and the program in TOUCHLINE_PROGRAM; what is missing is said. The world is in
lockstep: nothing here depends on how fast the machine is.
"""

import importlib
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Callable, List, Optional, TypeVar

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
SRC = ROOT / "clients" / "python" / "src"
sys.path[:0] = [str(SRC), str(HERE)]

from touchline_client import Client, Robot, Sensors  # noqa: E402
from touchline_client.message import Message  # noqa: E402

PROGRAM = os.environ.get("TOUCHLINE_PROGRAM", "")
# Of its own, so that two runs on one machine do not see each other.
DOMAIN = 1 + os.getpid() % 100
# Only this machine: no packet leaves it, and none of others' comes in.
os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
os.environ["ROS_DOMAIN_ID"] = str(DOMAIN)
os.environ["FASTDDS_DEFAULT_PROFILES_FILE"] = str(HERE / "fastdds.xml")
LOOPBACK = """<CycloneDDS><Domain>
<General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces><AllowMulticast>false</AllowMulticast></General>
<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>
<Peers><Peer address="127.0.0.1"/></Peers></Discovery>
</Domain></CycloneDDS>"""
#: So long is waited for what comes for certain, however busy the machine is.
PATIENCE_S = 120.0
T = TypeVar("T")


def lacks(*modules: str) -> Optional[str]:
    """Which of these is not installed."""
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            return f"{module} is not there: {error}"
    return None


def eventually(what: str, ask: Callable[[], Optional[T]]) -> T:
    """The first answer that is not None; fails where none comes."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        answer = ask()
        if answer is not None:
            return answer
        time.sleep(0.01)
    raise AssertionError(f"never: {what}")


def float32(value: float) -> float:
    """As a message's float32 has it."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


@unittest.skipIf(not PROGRAM, "TOUCHLINE_PROGRAM does not name the program touchline")
@unittest.skipIf(
    lacks("rclpy", "nav_msgs.msg", "sensor_msgs.msg") is not None,
    str(lacks("rclpy", "nav_msgs.msg", "sensor_msgs.msg")),
)
class Live(unittest.TestCase):
    """A world in lockstep, the bridge beside it, and an operator who steps."""

    def setUp(self) -> None:
        command = [PROGRAM, "serve", str(ROOT / "worlds" / "f2000.toml"), "--board", "127.0.0.1:0", "--studio", "off"]
        command += ["--speed", "lockstep", "--seed", "7", "--ready-json"]
        # Not among the lines that say how the tests end.
        with tempfile.TemporaryFile("w+") as errors:
            server = self.start(command, stderr=errors)
            assert server.stdout is not None
            ready = server.stdout.readline()
            errors.seek(0)
            self.assertTrue(ready, errors.read())
        self.address = json.loads(ready)["board"]
        self.operator = Client.open(self.address)
        self.addCleanup(self.operator.close)

    def start(self, command: List[str], **pipes: Any) -> "subprocess.Popen[str]":
        environment = {**os.environ, "PYTHONPATH": str(SRC)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, **pipes)

        def end() -> None:
            process.terminate()
            process.communicate(timeout=PATIENCE_S)

        self.addCleanup(end)
        return process

    def bridge(self, *options: str) -> "subprocess.Popen[str]":
        """Starts the bridge, and waits until it says what it bridges."""
        command = [sys.executable, "-m", "touchline_client.ros2", "--addr", self.address, *options]
        process = self.start(command, stderr=subprocess.PIPE)
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if "bridged:" in line:
                return process
        raise AssertionError(f"the bridge ended: {''.join(said)}")

    def readings(self) -> Sensors:
        """What the board says of blue-2 at this step."""
        robot = Robot.from_message(self.operator.ask("DESCRIBE", "blue-2"))
        return Sensors(robot.sensors).updated(self.operator.ask("GET", "blue-2", "*"))

    def told_to_drive(self) -> List[float]:
        """The command that blue-2 has."""
        lines = [Message(line) for line in self.operator.ask("MOTION", "blue-2").lines]
        return [line.number("value") for line in lines if line.word == "DIM"]


@unittest.skipIf(lacks("cyclonedds") is not None, str(lacks("cyclonedds")))
class AnotherDds(Live):
    """An independent implementation of DDS reads and writes what ROS 2 would."""

    def setUp(self) -> None:
        super().setUp()
        from cyclonedds.core import Policy, Qos
        from cyclonedds.domain import Domain, DomainParticipant
        from cyclonedds.pub import DataWriter
        from cyclonedds.sub import DataReader
        from cyclonedds.topic import Topic

        self.domain = Domain(DOMAIN, LOOPBACK)
        self.participant = DomainParticipant(DOMAIN)
        qos = Qos(Policy.Reliability.Reliable(10**9), Policy.History.KeepLast(100))

        def reader(name: str, kind: Any) -> Any:
            return DataReader(self.participant, Topic(self.participant, f"rt/{name}", kind, qos=qos), qos=qos)

        def writer(name: str, kind: Any) -> Any:
            return DataWriter(self.participant, Topic(self.participant, f"rt/{name}", kind, qos=qos), qos=qos)

        self.reader, self.writer = reader, writer

    def tearDown(self) -> None:
        del self.reader, self.writer, self.participant, self.domain

    def test_scans_are_those_of_the_board(self) -> None:
        from dds_types import Clock, LaserScan

        scans, clocks = self.reader("blue_2/scan", LaserScan), self.reader("clock", Clock)
        self.bridge("--robot", "blue-2")
        # Discovery takes its time: what was published before is not sent again.
        eventually("a scan", lambda: self.operator.step(5) and (scans.take(100) or None))
        for _ in range(10):
            self.operator.step(5)
            board = self.readings()
            now_us = round(board.sim_time * 1e6)
            expected = board.read(feature="180DegreeScan")
            scan = eventually(
                "the scan of this step",
                lambda: next((one for one in scans.take(100) if one.header.stamp.us == now_us), None),
            )
            self.assertEqual(scan.header.frame_id, "blue_2/laser")
            self.assertEqual(list(scan.ranges), [float32(one) for one in expected.array("ranges")])
            self.assertEqual(len(scan.ranges), 361)
            self.assertAlmostEqual(scan.angle_min, -math.pi / 2, places=4)
            self.assertAlmostEqual(scan.angle_max, math.pi / 2, places=4)
            self.assertAlmostEqual(scan.angle_min + 360 * scan.angle_increment, scan.angle_max, places=4)
            self.assertAlmostEqual(scan.range_max, 8.19, places=5)
            self.assertEqual((scan.time_increment, scan.range_min, list(scan.intensities)), (0.0, 0.0, []))
            times = eventually("the time of this step", lambda: clocks.take(100) or None)
            self.assertLessEqual(max(one.clock.us for one in times), now_us)

    def test_odometry_and_truth_are_in_their_frames(self) -> None:
        from dds_types import Odometry

        wheels, truth = self.reader("blue_2/odom", Odometry), self.reader("blue_2/ground_truth", Odometry)
        ball = self.reader("ball_0/ground_truth", Odometry)
        self.bridge("--robot", "blue-2")
        eventually("odometry", lambda: self.operator.step(5) and (wheels.take(100) or None))
        self.operator.ask("BALL", "0", "1", "0.5", "0.3", "0")
        self.operator.step(5)
        now_us = self.operator.ask("STATUS").integer("sim_us")

        def at_this_time(reader: Any) -> Any:
            return eventually("now", lambda: next((m for m in reader.take(100) if m.header.stamp.us == now_us), None))

        said, wheel = self.readings().read(feature="odometry"), at_this_time(wheels)
        self.assertEqual((wheel.header.frame_id, wheel.child_frame_id), ("blue_2/odom", "blue_2/base_link"))
        self.assertEqual((wheel.pose.pose.position.x, wheel.pose.pose.position.y), (said["x"], said["y"]))
        turn = wheel.pose.pose.orientation
        self.assertAlmostEqual(2.0 * math.atan2(turn.z, turn.w), said["theta"], places=9)
        self.assertEqual(wheel.twist.twist.linear.x, said["velocity_x"])
        world = [Message(line) for line in self.operator.ask("WORLD").lines]
        own = next(line for line in world if line.word == "ROBOT" and line.at(1) == "blue-2")
        true = at_this_time(truth)
        self.assertEqual((true.header.frame_id, true.child_frame_id), ("map", "blue_2/base_link"))
        self.assertEqual((true.pose.pose.position.x, true.pose.pose.position.y), (own.number("x"), own.number("y")))
        rolling = at_this_time(ball)
        self.assertEqual(rolling.child_frame_id, "ball_0")
        self.assertEqual(rolling.twist.twist.linear.x, world[0].number("vx"))
        self.assertGreater(rolling.twist.twist.linear.x, 0.2)

    def test_a_robot_of_its_own_comes_and_goes_with_the_bridge(self) -> None:
        from dds_types import Odometry

        def robots() -> List[str]:
            return [Message(line).at(1) for line in self.operator.ask("LIST").lines]

        wheels = self.reader("nav/odom", Odometry)
        file = str(ROOT / "robots" / "turtlebot.toml")
        bridge = self.bridge("--robot", "nav", "--make", file, "--pose", "0", "2", "1.5", "--frame-prefix", "")
        self.assertIn("nav", robots())
        odometry = eventually("odometry", lambda: self.operator.step(5) and (wheels.take(100) or None))
        self.assertEqual((odometry[-1].header.frame_id, odometry[-1].child_frame_id), ("odom", "base_link"))
        bridge.terminate()
        eventually("the robot goes", lambda: self.operator.step(1) and ("nav" not in robots() or None))

    def test_a_twist_drives_and_its_end_stops(self) -> None:
        from dds_types import Twist, Vector3

        commands = self.writer("blue_2/cmd_vel", Twist)
        self.bridge("--robot", "blue-2", "--cmd-timeout", "0.5")
        twist = Twist(linear=Vector3(x=0.25), angular=Vector3(z=-0.5))

        def drives() -> Optional[bool]:
            commands.write(twist)
            self.operator.step(1)
            return True if self.told_to_drive() == [0.25, -0.5] else None

        eventually("the robot is told to drive", drives)
        taken = [Message(line) for line in self.operator.ask("LIST").lines]
        self.assertEqual(next(one for one in taken if one.at(1) == "blue-2").fields["taken_by"], "ros2")
        self.operator.step(30)
        self.assertEqual(self.told_to_drive(), [0.25, -0.5])
        commands.write(Twist(linear=Vector3(x=float("nan")), angular=Vector3()))

        def stops() -> Optional[bool]:
            self.operator.step(10)
            return True if self.told_to_drive() == [0.0, 0.0] else None

        eventually("the robot stops", stops)


@unittest.skipIf(lacks("tf2_msgs.msg") is not None, str(lacks("tf2_msgs.msg")))
class Transforms(Live):
    """ROS 2's own library reads the frames."""

    def test_the_frames_are_one_tree(self) -> None:
        import rclpy
        from rclpy.qos import DurabilityPolicy, QoSProfile
        from tf2_msgs.msg import TFMessage

        self.bridge("--robot", "blue-2", "--frame-prefix", "")
        context = rclpy.Context()
        rclpy.init(context=context)
        self.addCleanup(context.try_shutdown)
        node = rclpy.create_node("looks", context=context)
        executor = rclpy.executors.SingleThreadedExecutor(context=context)
        executor.add_node(node)
        moving: List[Any] = []
        still: List[Any] = []
        node.create_subscription(TFMessage, "/tf", moving.append, 100)
        late = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(TFMessage, "/tf_static", still.append, late)

        def both() -> Optional[bool]:
            self.operator.step(5)
            executor.spin_once(timeout_sec=0.1)
            whole = still and any(one.child_frame_id == "sonar_7" for one in still[-1].transforms)
            return True if moving and whole else None

        eventually("frames", both)
        parents = {one.child_frame_id: one.header.frame_id for one in still[-1].transforms}
        parents.update({one.child_frame_id: one.header.frame_id for one in moving[-1].transforms})
        self.assertEqual(parents["base_link"], "odom")
        self.assertEqual({parents[name] for name in ("laser", "camera", "sonar")}, {"base_link"})
        self.assertEqual(parents["sonar_7"], "sonar")
        laser = next(one for one in still[-1].transforms if one.child_frame_id == "laser").transform.translation
        self.assertEqual((laser.x, laser.y, laser.z), (0.017, 0.008, 0.3))


@unittest.skipIf(lacks("simulation_interfaces.srv") is not None, str(lacks("simulation_interfaces.srv")))
class Services(Live):
    """ROS 2's own library calls the standard services."""

    def test_the_world_is_stepped_paused_and_arranged(self) -> None:
        import rclpy
        from simulation_interfaces import srv

        self.bridge("--robot", "blue-2")
        context = rclpy.Context()
        rclpy.init(context=context)
        self.addCleanup(context.try_shutdown)
        node = rclpy.create_node("asks", context=context)
        executor = rclpy.executors.SingleThreadedExecutor(context=context)
        executor.add_node(node)

        def call(kind: Any, topic: str, request: Any) -> Any:
            client = node.create_client(kind, topic)
            self.assertTrue(client.wait_for_service(PATIENCE_S), topic)
            future = client.call_async(request)
            executor.spin_until_future_complete(future, PATIENCE_S)
            return future.result()

        features = call(srv.GetSimulatorFeatures, "get_simulator_features", srv.GetSimulatorFeatures.Request())
        self.assertIn(32, features.features.features)
        state = call(srv.GetSimulationState, "get_simulation_state", srv.GetSimulationState.Request())
        self.assertEqual((state.state.state, state.result.result), (2, 1))
        before = self.operator.ask("STATUS").integer("step")
        stepped = call(srv.StepSimulation, "step_simulation", srv.StepSimulation.Request(steps=123))
        self.assertEqual(stepped.result.result, 1, stepped.result.error_message)
        self.assertEqual(self.operator.ask("STATUS").integer("step"), before + 123)
        names = call(srv.GetEntities, "get_entities", srv.GetEntities.Request()).entities
        self.assertEqual((len(names), names[-1]), (9, "ball-0"))

        put = srv.SetEntityState.Request(entity="blue-2", set_pose=True)
        put.state.pose.position.x, put.state.pose.position.y = 0.0, 2.0
        put.state.pose.orientation.z = put.state.pose.orientation.w = math.sqrt(0.5)
        said = call(srv.SetEntityState, "set_entity_state", put)
        self.assertEqual(said.result.result, 1, said.result.error_message)
        got = call(srv.GetEntityState, "get_entity_state", srv.GetEntityState.Request(entity="blue-2"))
        pose = got.state.pose
        self.assertEqual((pose.position.x, pose.position.y, got.state.header.frame_id), (0.0, 2.0, "map"))
        self.assertAlmostEqual(pose.orientation.z, math.sqrt(0.5), places=5)
        put.state.pose.orientation.w = 0.0
        self.assertEqual(call(srv.SetEntityState, "set_entity_state", put).result.result, 101)

        self.operator.ask("SPEED", "1")
        self.operator.ask("PAUSE")
        play = srv.SetSimulationState.Request()
        play.state.state = 1
        self.assertEqual(call(srv.SetSimulationState, "set_simulation_state", play).result.result, 1)
        self.assertEqual(self.operator.ask("STATUS").field("paused"), "0")
        refused = call(srv.StepSimulation, "step_simulation", srv.StepSimulation.Request(steps=1))
        self.assertEqual(refused.result.result, 4)
        play.state.state = 0
        self.assertEqual(call(srv.SetSimulationState, "set_simulation_state", play).result.result, 1)
        state = call(srv.GetSimulationState, "get_simulation_state", srv.GetSimulationState.Request())
        self.assertEqual(state.state.state, 0)
        self.assertEqual(self.operator.ask("STATUS").integer("sim_us"), 0)


if __name__ == "__main__":
    unittest.main()
