"""The ROS 2 bridge on the real server: its messages, by ROS 2's definitions as another library has them. [C4, I7]"""

from __future__ import annotations

import json
import math
import os
import subprocess
from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Iterator

import numpy as np
import pytest

from touchline_client import Client, LocalSensors, Robot, Sensors
from touchline_client.ros2.bridge import Bridge, Settings
from touchline_client.ros2.simulation import Simulation

typesys = pytest.importorskip("rosbags.typesys", reason="rosbags, which has ROS 2's definitions, is not installed")
ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("TOUCHLINE_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="TOUCHLINE_PROGRAM does not name the program touchline")


@pytest.fixture
def address() -> Iterator[str]:
    """A world in lockstep."""
    command = [PROGRAM, "serve", str(ROOT / "worlds" / "f2000.toml"), "--board", "127.0.0.1:0", "--studio", "off"]
    command += ["--speed", "lockstep", "--seed", "7", "--ready-json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())["board"]
        finally:
            server.terminate()


class Bridged:
    """A bridge whose messages are kept."""

    def __init__(self, address: str, *robots: str) -> None:
        self.published: list[tuple[str, str, Any]] = []
        self.bridge: Bridge | None = None
        self.client = Client.open(
            address, name="ros2", notice=lambda message: self.bridge and self.bridge.notice(message)
        )
        bridge = self.bridge = Bridge(self.client, lambda *what: self.published.append(what), Settings())
        for robot in robots:
            bridge.add(robot)


def as_ros(store: Any, type_name: str, fields: dict[str, Any]) -> Any:
    """The message, every field at its default but those that are given; a name that ROS 2 has not is an error."""
    kind = store.types[type_name]
    plain = SimpleNamespace(**{name: default(store, one) for name, one in store.fielddefs[type_name][1]})
    definitions = dict(store.fielddefs[type_name][1])
    for name, value in fields.items():
        code, detail = definitions[name]
        if isinstance(value, dict):
            value = as_ros(store, detail, value)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            value = [as_ros(store, detail[0][1], one) for one in value]
        elif code in (3, 4):
            value = np.array(value, dtype=np.dtype(detail[0][1][0]))
        setattr(plain, name, value)
    return kind(**vars(plain))


def default(store: Any, definition: Any) -> Any:
    """What a field has that is not given."""
    code, detail = definition
    if code == 2:
        return as_ros(store, detail, {})
    if code in (3, 4):
        length = detail[1] if code == 3 else 0
        return np.zeros(length, dtype=np.dtype(detail[0][1][0])) if detail[0][0] == 1 else []
    return "" if detail[0] == "string" else False if detail[0] == "bool" else 0.0 if "float" in detail[0] else 0


@pytest.mark.parametrize("distribution", ["ROS2_HUMBLE", "ROS2_JAZZY", "ROS2_KILTED", "ROS2_LYRICAL"])
def test_all_messages_are_of_ros2s_definitions(address: str, distribution: str) -> None:
    store = typesys.get_typestore(typesys.Stores[distribution])
    bridged = Bridged(address, "blue-2", "blue-4")
    for _ in range(3):
        bridged.client.step(5)
    bridged.bridge.look() if bridged.bridge else None
    bridged.client.ask("STATUS")
    types = {type_name for _, type_name, _ in bridged.published}
    assert {
        "rosgraph_msgs/Clock",
        "sensor_msgs/LaserScan",
        "sensor_msgs/Range",
        "nav_msgs/Odometry",
        "tf2_msgs/TFMessage",
    } <= types
    for topic, type_name, fields in bridged.published:
        name = type_name.replace("/", "/msg/")
        data = store.serialize_cdr(as_ros(store, name, fields), name)
        came = store.deserialize_cdr(data, name)
        if type_name == "sensor_msgs/LaserScan":
            assert isinstance(fields["ranges"], array)
            np.testing.assert_array_equal(came.ranges, np.array(fields["ranges"], dtype=np.float32))
            assert came.header.frame_id == topic[1:].replace("/scan", "/laser")
        if type_name == "nav_msgs/Odometry":
            turn = came.pose.pose.orientation
            assert math.hypot(turn.z, turn.w) == pytest.approx(1.0)
    bridged.client.close()


def test_all_that_steps_make_due_is_published_before_the_step_is_answered(address: str) -> None:
    bridged = Bridged(address, "blue-2")
    simulation = Simulation(bridged.client, 5, True)
    bridged.published.clear()
    assert simulation.answer("StepSimulation", SimpleNamespace(steps=100))["result"]["result"] == 1
    times = [fields["header"]["stamp"] for topic, _, fields in bridged.published if topic == "/blue_2/scan"]
    assert [one["sec"] * 100 + one["nanosec"] // 10**7 for one in times] == list(range(5, 101, 5))
    bridged.client.close()


def test_a_robot_is_driven_and_stands_where_it_was_put(address: str) -> None:
    bridged = Bridged(address, "blue-2")
    bridge, client = bridged.bridge, bridged.client
    assert bridge is not None
    simulation = Simulation(client, 5, True)
    pose = SimpleNamespace(
        position=SimpleNamespace(x=0.0, y=2.0, z=0.0), orientation=SimpleNamespace(x=0.0, y=0.0, z=0.0, w=1.0)
    )
    still = SimpleNamespace(linear=SimpleNamespace(x=0.0, y=0.0, z=0.0), angular=SimpleNamespace(x=0.0, y=0.0, z=0.0))
    state = SimpleNamespace(header=SimpleNamespace(frame_id="map"), pose=pose, twist=still)
    put = simulation.answer("SetEntityState", SimpleNamespace(entity="blue-2", state=state))
    assert put["result"]["result"] == 1, put
    number = next(iter(bridge.robots))
    for _ in range(4):
        bridge.command(number, 0.4, 0.0, 0.0)
        simulation.answer("StepSimulation", SimpleNamespace(steps=25))
        bridge.look()
    got = simulation.answer("GetEntityState", SimpleNamespace(entity="blue-2"))["state"]
    # One second at 0.4 m/s, less what it takes to get there at 1.5 m/s^2: 0.4 - 0.4^2 / (2 * 1.5).
    assert got["pose"]["position"]["x"] == pytest.approx(0.4 - 0.16 / 3.0, abs=0.02)
    assert got["twist"]["linear"]["x"] == pytest.approx(0.4, abs=0.01)
    # Nobody commands any more.
    for _ in range(4):
        simulation.answer("StepSimulation", SimpleNamespace(steps=25))
        bridge.look()
        client.ask("STATUS")
    got = simulation.answer("GetEntityState", SimpleNamespace(entity="blue-2"))["state"]
    assert got["twist"]["linear"]["x"] == pytest.approx(0.0, abs=0.01)
    client.close()


def test_the_container_of_a_real_robot_is_that_of_the_simulated_one(address: str, tmp_path: Path) -> None:
    """P4: a catalogue is made once, without a server; the same program reads both."""
    described = subprocess.run(
        [PROGRAM, "describe", str(ROOT / "robots" / "pioneer.toml"), "--world", "f2000"],
        capture_output=True,
        text=True,
        check=True,
    )
    kept = tmp_path / "pioneer.txt"
    kept.write_text(described.stdout)
    robot = Robot.from_text(kept.read_text())
    client = Client.open(address)
    file = (ROOT / "robots" / "pioneer.toml").read_text()
    made = client.ask_with(file, "ROBOT", "real")
    simulated = Robot.from_message(client.ask("DESCRIBE", made.field("robot")))
    assert (robot.sensors, robot.dimensions, robot.manipulators) == (
        simulated.sensors,
        simulated.dimensions,
        simulated.manipulators,
    )
    client.step(5)
    board = Sensors(simulated.sensors).updated(client.ask("GET", made.field("robot"), "*"))
    real = LocalSensors(robot)
    # A driver that has measured the very same.
    for sensor, feature in board.find_all():
        reading = board.get(sensor.id, feature.name)
        assert reading is not None
        shaped = {one.name: reading.array(one.name) for one in feature.fields}
        real.fill({f"{sensor.id}.{feature.name}": shaped})
        again = real.sensors().get(sensor.id, feature.name)
        assert again is not None and list(again.quantised) == list(reading.quantised)
    client.close()
