"""The bridge on rclpy: publishers, subscriptions and services of a node. The one module that needs ROS 2."""

import functools
import importlib
import logging
import re
from typing import Any, Dict, List, Optional, Sequence

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from ..client import Client
from ..errors import Closed
from .bridge import Bridge, BridgedRobot, Settings
from .convert import Fields
from .simulation import Simulation

LOG = logging.getLogger("touchline.ros2")
#: How often the time, the truth and late commands are looked at, in seconds of the clock on the wall.
LOOK_PERIOD_S = 0.01
#: A reliable publisher serves subscribers of both kinds. /tf_static keeps its last message for those who come later.
QOS = {
    "/tf": QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE),
    "/tf_static": QoSProfile(
        depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL
    ),
}
QOS_OF_ALL_OTHERS = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE)
#: Of commands only the newest counts.
QOS_OF_COMMANDS = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)


@functools.lru_cache(maxsize=None)
def interface(name: str, kind: str = "msg") -> Any:
    """The class of ``sensor_msgs/LaserScan``; None where its package is not installed."""
    package, short = name.split("/")
    try:
        return getattr(importlib.import_module(f"{package}.{kind}"), short)
    except (ImportError, AttributeError):
        return None


def fill(message: Any, fields: Fields) -> Any:
    """Sets a message's fields from a nested dict, and gives the message."""
    types = message.get_fields_and_field_types()
    for name, value in fields.items():
        if isinstance(value, dict):
            fill(getattr(message, name), value)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            many = re.fullmatch(r"sequence<([^,>]+)(, \d+)?>", types[name])
            if many is None:
                raise TypeError(f"{type(message).__name__}.{name} is no list of messages: {types[name]}")
            setattr(message, name, [fill(interface(many[1])(), one) for one in value])
        else:
            setattr(message, name, value)
    return message


class BridgeNode:
    """A node, and the bridge behind it."""

    def __init__(
        self, arguments: Sequence[str], address: str, role: str, key: Optional[str], settings: Settings
    ) -> None:
        self._publishers: Dict[str, Any] = {}
        self._bridge: Optional[Bridge] = None
        self._kept: List[Any] = []
        rclpy.init(args=list(arguments))
        self.node = Node("touchline")
        try:
            self.client = Client.open(address, name="ros2", role=role, key=key, notice=self._take_notice)
        except BaseException:
            rclpy.try_shutdown()
            raise
        self.bridge = Bridge(self.client, self._publish, settings)
        self._bridge = self.bridge

    def _take_notice(self, message: Any) -> None:
        if self._bridge is not None:
            self._bridge.notice(message)

    def _publish(self, topic: str, type_name: str, fields: Fields) -> None:
        if topic not in self._publishers:
            message_type = interface(type_name)
            if message_type is None:
                LOG.warning("%s is not published: %s is not installed", topic, type_name.split("/")[0])
                self._publishers[topic] = None
            else:
                qos = QOS.get(topic, QOS_OF_ALL_OTHERS)
                self._publishers[topic] = self.node.create_publisher(message_type, topic, qos)
        publisher = self._publishers[topic]
        if publisher is not None and rclpy.ok():
            publisher.publish(fill(publisher.msg_type(), fields))

    def listen(self, bridged: BridgedRobot, *, is_stamped: bool) -> None:
        """Takes commands for a robot."""
        number = bridged.robot.number

        def take(message: Any) -> None:
            twist = message.twist if is_stamped else message
            self.bridge.command(number, twist.linear.x, twist.linear.y, twist.angular.z)

        message_type = interface("geometry_msgs/TwistStamped" if is_stamped else "geometry_msgs/Twist")
        topic = f"/{bridged.name}/cmd_vel"
        self._kept.append(self.node.create_subscription(message_type, topic, take, QOS_OF_COMMANDS))

    def serve(self) -> None:
        """Offers the simulation services; without simulation_interfaces says so, and offers none."""
        simulation = Simulation(self.client, self.bridge.period_us // self.bridge.dt_us, self.bridge.sees_truth)
        for name in simulation.services:
            service_type = interface(f"simulation_interfaces/{name}", "srv")
            if service_type is None:
                LOG.warning("no simulation services: simulation_interfaces is not installed, or has no %s", name)
                continue
            # GetEntities is the service get_entities.
            topic = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
            answer = functools.partial(_answer, simulation, name)
            self._kept.append(self.node.create_service(service_type, topic, answer))

    def spin(self) -> str:
        """Works until it is interrupted, or the server ends; why."""
        self._kept.append(self.node.create_timer(LOOK_PERIOD_S, self._look))
        try:
            while rclpy.ok():
                rclpy.spin_once(self.node, timeout_sec=0.5)
                if self.client.end is not None:
                    return self.client.end
        except (KeyboardInterrupt, ExternalShutdownException):
            pass
        except Closed as error:
            return str(error)
        return "interrupted"

    def _look(self) -> None:
        if self.client.end is None:
            self.bridge.look()

    def close(self) -> None:
        """Gives the robots back, and ends node and connection."""
        self.client.close()
        self.node.destroy_node()
        rclpy.try_shutdown()


def _answer(simulation: Simulation, name: str, request: Any, response: Any) -> Any:
    return fill(response, simulation.answer(name, request))
