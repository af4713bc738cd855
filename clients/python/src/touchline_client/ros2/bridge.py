"""What is published when, of which robots; what a command does. Without ROS: messages go out as fields, by a function that is given."""

import logging
import math
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from ..catalogue import Mount, Robot
from ..client import Client
from ..connection import Pending
from ..errors import Closed, Refused
from ..message import Message, whole, word
from ..sensors import Reading, Sensors
from . import convert
from .convert import Fields

LOG = logging.getLogger("touchline.ros2")
#: REP 105: the frame that stands still. Touchline's world frame.
MAP = "map"
#: Publishes the fields of a message of this type under this absolute name: ``/blue_1/scan``, ``sensor_msgs/LaserScan``.
Publish = Callable[[str, str, Fields], None]
#: While time stands it is said again once in so many looks, for nodes that come meanwhile.
LOOKS_UNTIL_AGAIN = 100


@dataclass(frozen=True)
class Settings:
    """How the bridge works."""

    #: Readings of each sensor in a simulated second; a sensor that has fewer samples gives those.
    rate_hz: float = 20.0
    #: A robot stands still when no command has come for so long, in simulated seconds; infinite: never.
    cmd_timeout_s: float = 0.5
    #: What stands before a robot's frames; ``{robot}`` is its name.
    frame_prefix: str = "{robot}/"
    #: Which sensors are read, as the protocol's GET has it: what is not read costs the server nothing.
    select: Tuple[str, ...] = ("*",)


class Watchdog:
    """Says once that no command has come for too long."""

    def __init__(self, timeout_us: float) -> None:
        self._timeout_us = timeout_us
        self._last_us: Optional[int] = None

    def command(self, now_us: int) -> None:
        """A command has come."""
        self._last_us = now_us

    def is_late(self, now_us: int) -> bool:
        """Whether it is time to stop; True once for each pause."""
        if self._last_us is None:
            return False
        # Where time was set back the waiting begins anew.
        self._last_us = min(self._last_us, now_us)
        if now_us - self._last_us < self._timeout_us:
            return False
        self._last_us = None
        return True


@dataclass
class BridgedRobot:
    """A robot, its newest readings, and what was sent to it."""

    robot: Robot
    name: str
    prefix: str
    sensors: Sensors
    watchdog: Watchdog
    #: Whether this connection has made it: then it need not, and may not, take it over.
    is_made: bool
    #: Whether commands of this connection drive it.
    is_ours: bool
    #: Stamps of the samples that were published last, by sensor.
    published_us: Dict[str, int] = field(default_factory=dict)
    select: List[str] = field(default_factory=list)
    sonar_mounts: Dict[str, List[Mount]] = field(default_factory=dict)
    #: What was said of its commands last: a stream of them says it once.
    warned: str = ""
    #: Features of which it was said that they are not published.
    left_out: Set[str] = field(default_factory=set)

    def frame(self, name: str) -> str:
        """The name of one of its frames."""
        return self.prefix + name

    def warn(self, what: str) -> None:
        """Says what is wrong with its commands, if that was not said last."""
        if what != self.warned:
            self.warned = what
            LOG.warning("robot %s: %s", self.robot.name, what)


class Bridge:
    """Robots of a world, as topics. One connection carries all of it, so what comes of a step comes before the step's answer."""

    def __init__(self, client: Client, publish: Publish, settings: Settings) -> None:
        self._client = client
        self._publish = publish
        self._settings = settings
        self._lock = threading.RLock()
        self.robots: Dict[int, BridgedRobot] = {}
        self.now_us: Optional[int] = None
        self._looking: Optional[Pending] = None
        self._looks = 0
        #: Topics of which it was said that they cannot be published.
        self._failed: Set[str] = set()
        status = client.ask("STATUS")
        self.dt_us = status.integer("dt_us")
        #: Whether this client may be told where everything is.
        self.sees_truth = _is_allowed(client, "WORLD")

    # What is bridged.

    def add(self, name: str, *, is_made: bool = False) -> BridgedRobot:
        """Bridges a robot that is there, or that this connection has made: describes it, and has its readings pushed."""
        robot = Robot.from_message(self._client.ask("DESCRIBE", word(name)))
        plain = convert.ros_name(robot.name)
        if plain in {one.name for one in self.robots.values()}:
            raise ValueError(f"two robots would both be called {plain} in ROS; bridge one of them")
        prefix = self._settings.frame_prefix.replace("{robot}", plain)
        watchdog = Watchdog(self._settings.cmd_timeout_s * 1e6)
        bridged = BridgedRobot(robot, plain, prefix, Sensors(robot.sensors), watchdog, is_made, is_made)
        with self._lock:
            self.robots[robot.number] = bridged
        self._publish_mounts()
        for selection in self._settings.select:
            if not _is_allowed(self._client, "GET", str(robot.number), selection):
                LOG.info("robot %s has no sensor %s", robot.name, selection)
            else:
                bridged.select.append(selection)
        if bridged.select:
            self._client.ask("PUSH", str(robot.number), repr(self.period_us / 1000.0), *bridged.select)
        return bridged

    @property
    def period_us(self) -> int:
        """Of readings: a whole number of steps."""
        return max(1, round(1e6 / self._settings.rate_hz / self.dt_us)) * self.dt_us

    # What comes from the server. Called by the client's thread, which must wait for no answer.

    def notice(self, message: Message) -> None:
        """Takes a message that came unasked."""
        bridged = self.robots.get(whole(message.fields.get("robot", "-1")))
        if bridged is None:
            return
        if message.word == "GONE":
            with self._lock:
                self.robots.pop(bridged.robot.number, None)
            LOG.warning("robot %s is gone: %s", bridged.robot.name, " ".join(message.words))
        elif message.word == "STATE":
            bridged.sensors = bridged.sensors.updated(message)
            self.clock(message.integer("sim_us"))
            self._publish_sensors(bridged)

    def clock(self, now_us: int, *, again: bool = False) -> None:
        """Publishes the simulated time, which readings of that time must not come before; the same time only ``again``."""
        with self._lock:
            if now_us == self.now_us and not again:
                return
            if self.now_us is not None and now_us < self.now_us:
                for bridged in self.robots.values():
                    bridged.published_us.clear()
            self.now_us = now_us
            self._try_to_publish("/clock", "rosgraph_msgs/Clock", {"clock": convert.time(now_us)})

    def _try_to_publish(self, topic: str, type_name: str, fields: Fields) -> None:
        # Called by the client's thread: at a shutdown ROS may go first, and what it takes no more ends nothing here.
        try:
            self._publish(topic, type_name, fields)
        except Exception as error:
            if topic not in self._failed:
                self._failed.add(topic)
                LOG.warning("%s is not published: %s", topic, error)

    def _publish_sensors(self, bridged: BridgedRobot) -> None:
        for sensor in bridged.robot.sensors:
            for feature in sensor.features:
                name = f"{sensor.id}.{feature.name}"
                reading = bridged.sensors.get(sensor.id, feature.name)
                if reading is None:
                    continue
                stamp_us = round(reading.sim_time * 1e6)
                # A sensor with a rate of its own is asked more often than it has samples.
                if bridged.published_us.get(name) == stamp_us and sensor.rate_hz is not None:
                    continue
                bridged.published_us[name] = stamp_us
                try:
                    self._publish_reading(bridged, reading, stamp_us)
                except Exception as error:
                    # A plugin of others may call its features as ours, and mean something else: all others are published.
                    if name not in bridged.left_out:
                        bridged.left_out.add(name)
                        LOG.warning("robot %s: %s is not published: %s", bridged.robot.name, name, error)

    def _publish_reading(self, bridged: BridgedRobot, reading: Reading, stamp_us: int) -> None:
        for topic in self._topics(bridged, reading, stamp_us):
            self._publish(f"/{bridged.name}/{topic.name}", topic.type, topic.fields)

    def _topics(self, bridged: BridgedRobot, reading: Reading, stamp_us: int) -> List[convert.Topic]:
        sensor, fields = reading.sensor, {one.name for one in reading.feature.fields}
        own, frame = convert.ros_name(sensor.id), bridged.frame(sensor.id)
        if reading.feature.name == "odometry":
            return [convert.Topic("odom", "nav_msgs/Odometry", self._odometry(bridged, reading, stamp_us))]
        if {"angle_min", "angle_step", "ranges"} <= fields:
            scan = convert.scan(reading, stamp_us, frame, self.period_us * 1e-6)
            return [convert.Topic(self._scan_name(bridged, sensor.id), "sensor_msgs/LaserScan", scan)]
        if reading.feature.name == "sonar":
            mounts = convert.sonar_mounts(reading)
            frames = [f"{frame}_{index}" for index in range(len(mounts))]
            if bridged.sonar_mounts.get(sensor.id) != mounts:
                bridged.sonar_mounts[sensor.id] = mounts
                self._publish_mounts()
            ranges = convert.sonars(reading, stamp_us, frames)
            return [convert.Topic(f"{own}/range_{i}", "sensor_msgs/Range", one) for i, one in enumerate(ranges)]
        if reading.feature.name == "compass":
            return [convert.Topic(f"{own}/imu", "sensor_msgs/Imu", convert.compass(reading, stamp_us, frame))]
        if "pixels" in fields:
            return [convert.Topic(f"{own}/image_raw", "sensor_msgs/Image", convert.image(reading, stamp_us, frame))]
        if reading.feature.name == "ball":
            seen = convert.ball(reading, stamp_us, frame)
            return [convert.Topic(f"{own}/ball", "geometry_msgs/PointStamped", seen)] if seen else []
        return []

    @staticmethod
    def _scan_name(bridged: BridgedRobot, sensor: str) -> str:
        """``scan`` for the first scanner; the others have their names before it."""
        scanners = [one.id for one in bridged.robot.sensors if any(_is_scan(feature) for feature in one.features)]
        return "scan" if sensor == scanners[0] else f"{convert.ros_name(sensor)}/scan"

    def _odometry(self, bridged: BridgedRobot, reading: Reading, stamp_us: int) -> Fields:
        parent, child = bridged.frame("odom"), bridged.frame("base_link")
        # Before its frames: a reading that cannot be told has none.
        odometry = convert.wheel_odometry(reading, stamp_us, parent, child)
        place = Mount(reading["x"], reading["y"], 0.0, reading["theta"])
        moving = [convert.transform(stamp_us, parent, child, place)]
        values = reading.values()
        for sensor in bridged.robot.sensors:
            turn = values.get(f"motion/{sensor.follows}") if sensor.follows else None
            if turn:
                mount = sensor.mount
                turned = Mount(mount.x_m, mount.y_m, mount.z_m, mount.theta_rad + turn[0])
                moving.append(convert.transform(stamp_us, child, bridged.frame(sensor.id), turned))
        self._publish("/tf", "tf2_msgs/TFMessage", {"transforms": moving})
        return odometry

    def _publish_mounts(self) -> None:
        """All that stands still on robots, as one message: a subscriber that comes late is given the last one."""
        still: List[Fields] = []
        with self._lock:
            robots = list(self.robots.values())
        for one in robots:
            base = one.frame("base_link")
            for sensor in one.robot.sensors:
                if sensor.follows is None:
                    still.append(convert.transform(0, base, one.frame(sensor.id), sensor.mount))
                for index, mount in enumerate(one.sonar_mounts.get(sensor.id, [])):
                    frame = one.frame(sensor.id)
                    still.append(convert.transform(0, frame, f"{frame}_{index}", mount))
        if still:
            self._publish("/tf_static", "tf2_msgs/TFMessage", {"transforms": still})

    def _take_look(self, answer: Message) -> None:
        if answer.word != "OK":
            LOG.warning("the server does not say what time it is: %s", " ".join(answer.words))
            return
        now_us = answer.integer("sim_us")
        self._looks += 1
        self.clock(now_us, again=self._looks % LOOKS_UNTIL_AGAIN == 0)
        for line in map(Message, answer.lines):
            self._publish_truth(line, now_us)
        self._stop_the_late(now_us)

    def _publish_truth(self, line: Message, now_us: int) -> None:
        if line.word == "BALL":
            name = f"ball_{line.at(0)}"
            x, y, z, vx, vy, vz = (line.number(key) for key in ("x", "y", "z", "vx", "vy", "vz"))
            truth = convert.odometry(now_us, MAP, name, convert.pose(x, y, 0.0, z), convert.twist(vx, vy, 0.0, vz))
            self._try_to_publish(f"/{name}/ground_truth", "nav_msgs/Odometry", truth)
        elif line.word == "ROBOT":
            bridged = self.robots.get(whole(line.at(0)))
            if bridged is not None:
                x, y, theta, *speed = (line.number(key) for key in ("x", "y", "theta", "forward", "left", "turn"))
                place = convert.pose(x, y, theta)
                truth = convert.odometry(now_us, MAP, bridged.frame("base_link"), place, convert.twist(*speed))
                self._try_to_publish(f"/{bridged.name}/ground_truth", "nav_msgs/Odometry", truth)

    def _stop_the_late(self, now_us: int) -> None:
        with self._lock:
            late = [one for one in self.robots.values() if one.watchdog.is_late(now_us)]
        for bridged in late:
            LOG.info("robot %s stops: no command for %g s", bridged.robot.name, self._settings.cmd_timeout_s)
            try:
                self._send(bridged, (0.0, 0.0, 0.0))
            except Closed:
                # The bridge is just being ended: the robot is given back, or goes.
                return

    # What the bridge asks. Called by the node's thread.

    def look(self) -> None:
        """Has the time published and, where it may be seen, the truth; and robots stopped that nobody commands any more."""
        # A server that is slow is not asked again before it has answered.
        if self._looking is None or self._looking.done.is_set():
            self._looking = self._client.begin("WORLD" if self.sees_truth else "STATUS", then=self._take_look)

    def command(self, number: int, forward_m_s: float, left_m_s: float, turn_rad_s: float) -> None:
        """Drives a robot; the first command takes it over. A part that its motion model has not is left out."""
        bridged = self.robots.get(number)
        if bridged is None:
            return
        twist = (forward_m_s, left_m_s, turn_rad_s)
        if not all(map(math.isfinite, twist)):
            bridged.warn("a command that is not finite is thrown away")
            return
        parts = {dimension.part for dimension in bridged.robot.dimensions}
        possible = tuple(speed if part in parts else 0.0 for part, speed in zip(("forward", "left", "turn"), twist))
        if possible != twist:
            bridged.warn(f"it has no speed {', '.join(sorted({'forward', 'left', 'turn'} - parts))}: left out")
        try:
            if not bridged.is_ours:
                self._client.ask("TAKE", str(number))
                bridged.is_ours = True
        except Refused as error:
            bridged.warn(str(error))
            return
        with self._lock:
            bridged.watchdog.command(self.now_us or 0)
        self._send(bridged, possible)

    def _send(self, bridged: BridgedRobot, twist: Sequence[float]) -> None:
        # Nobody waits a step for the answer.
        def taken(answer: Message) -> None:
            if answer.word != "OK":
                # One that was made here is driven again as soon as the server lets it.
                bridged.is_ours = bridged.is_made
                bridged.warn(f"it is not driven: {' '.join(answer.words)}")

        self._client.begin("TWIST", str(bridged.robot.number), *map(repr, twist), then=taken)


def _is_scan(feature: Any) -> bool:
    return {"angle_min", "angle_step", "ranges"} <= {one.name for one in feature.fields}


def _is_allowed(client: Client, *command: str) -> bool:
    try:
        client.ask(*command)
    except Refused:
        return False
    return True


def names_of_robots(client: Client) -> Tuple[str, ...]:
    """All robots that are there."""
    lines = [Message(line) for line in client.ask("LIST").lines]
    return tuple(line.at(1) for line in lines if line.word == "ROBOT")
