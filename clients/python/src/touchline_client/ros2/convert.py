"""From readings to the fields of ROS 2's messages: pure functions, without ROS.

A message is a nested dict of its fields, named as its definition names them; a field that is not given keeps its default. Frames
and axes are those of REP 103 and REP 105, ranges those of REP 117: Touchline's own are the same, so no number is turned.
"""

import math
import re
from array import array
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from ..catalogue import Mount
from ..sensors import Reading

#: The fields of a message.
Fields = Dict[str, Any]
#: sensor_msgs/Range: what kind of wave it is.
ULTRASOUND = 0


class Topic(NamedTuple):
    """A message, and where it belongs."""

    #: Relative to the robot's namespace.
    name: str
    #: Such as ``sensor_msgs/LaserScan``.
    type: str
    fields: Fields


def ros_name(name: str) -> str:
    """A robot's or sensor's name as a part of a ROS name: letters, digits and ``_``, a letter first."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if re.match(r"[A-Za-z]", plain) else f"n_{plain}"


def time(stamp_us: int) -> Fields:
    """builtin_interfaces/Time."""
    return {"sec": stamp_us // 1_000_000, "nanosec": stamp_us % 1_000_000 * 1000}


def header(stamp_us: int, frame_id: str) -> Fields:
    """std_msgs/Header."""
    return {"stamp": time(stamp_us), "frame_id": frame_id}


def vector(x: float, y: float, z: float = 0.0) -> Fields:
    """geometry_msgs/Vector3 or Point."""
    return {"x": x, "y": y, "z": z}


def quaternion(yaw_rad: float) -> Fields:
    """geometry_msgs/Quaternion of a turn about z."""
    return {"x": 0.0, "y": 0.0, "z": math.sin(yaw_rad / 2), "w": math.cos(yaw_rad / 2)}


def yaw(x: float, y: float, z: float, w: float) -> Optional[float]:
    """The turn about z that a quaternion is, radians; None where it is no turn, or one out of the plane."""
    if not all(map(math.isfinite, (x, y, z, w))):
        return None
    length = math.sqrt(x * x + y * y + z * z + w * w)
    is_planar = abs(length - 1.0) < 1e-3 and math.hypot(x, y) < 1e-3
    return math.atan2(2.0 * w * z, w * w - z * z) if is_planar else None


def pose(x: float, y: float, yaw_rad: float, z: float = 0.0) -> Fields:
    """geometry_msgs/Pose."""
    return {"position": vector(x, y, z), "orientation": quaternion(yaw_rad)}


def twist(forward: float, left: float, turn: float, up: float = 0.0) -> Fields:
    """geometry_msgs/Twist."""
    return {"linear": vector(forward, left, up), "angular": vector(0.0, 0.0, turn)}


def transform(stamp_us: int, parent: str, child: str, place: Mount) -> Fields:
    """geometry_msgs/TransformStamped: where the frame ``child`` stands in ``parent``."""
    return {
        "header": header(stamp_us, parent),
        "child_frame_id": child,
        "transform": {
            "translation": vector(place.x_m, place.y_m, place.z_m),
            "rotation": quaternion(place.theta_rad),
        },
    }


def odometry(stamp_us: int, parent: str, child: str, place: Fields, speed: Fields) -> Fields:
    """nav_msgs/Odometry: ``place`` in the frame ``parent``, ``speed`` in ``child``. Nothing is known of the covariances: all are 0."""
    return {
        "header": header(stamp_us, parent),
        "child_frame_id": child,
        "pose": {"pose": place},
        "twist": {"twist": speed},
    }


def wheel_odometry(reading: Reading, stamp_us: int, parent: str, child: str) -> Fields:
    """nav_msgs/Odometry of a feature ``odometry``."""
    place = pose(reading["x"], reading["y"], reading["theta"])
    speed = twist(reading["velocity_x"], reading["velocity_y"], reading["velocity_turn"])
    return odometry(stamp_us, parent, child, place, speed)


def scan(reading: Reading, stamp_us: int, frame_id: str, period_s: float) -> Fields:
    """sensor_msgs/LaserScan of a feature with ``angle_min``, ``angle_step`` and ``ranges``.

    All beams are of one time: ``time_increment`` is 0. ``range_min`` is 0, as what is nearer than the sensor can measure is told
    as ``-inf`` already (REP 117). Without a known ``range_max`` it is infinite.
    """
    ranges = reading.array("ranges")
    first, step = reading["angle_min"], reading["angle_step"]
    return {
        "header": header(stamp_us, frame_id),
        "angle_min": first,
        "angle_max": first + step * max(len(ranges) - 1, 0),
        "angle_increment": step,
        "time_increment": 0.0,
        "scan_time": 1.0 / reading.sensor.rate_hz if reading.sensor.rate_hz else period_s,
        "range_min": 0.0,
        "range_max": math.inf if reading.sensor.range_max_m is None else reading.sensor.range_max_m,
        "ranges": array("f", ranges),
    }


def sonars(reading: Reading, stamp_us: int, frame_ids: Sequence[str]) -> List[Fields]:
    """sensor_msgs/Range for each sonar of a feature ``sonar``; each has a frame of its own."""
    range_max = math.inf if reading.sensor.range_max_m is None else reading.sensor.range_max_m
    return [
        {
            "header": header(stamp_us, frame_id),
            "radiation_type": ULTRASOUND,
            "field_of_view": reading["opening_angle"],
            "min_range": 0.0,
            "max_range": range_max,
            "range": distance,
        }
        for frame_id, distance in zip(frame_ids, reading.array("ranges"))
    ]


def sonar_mounts(reading: Reading) -> List[Mount]:
    """Where the sonars of a ring stand in the sensor's frame. Raises ValueError where one stands nowhere."""
    places = [reading.array(key) for key in ("x", "y", "theta")]
    if not all(math.isfinite(number) for numbers in places for number in numbers):
        raise ValueError("a sonar's place is not finite")
    return [Mount(x, y, 0.0, turn) for x, y, turn in zip(*places)]


def compass(reading: Reading, stamp_us: int, frame_id: str) -> Fields:
    """sensor_msgs/Imu of a feature ``compass``: a heading against the map's x axis; rates and accelerations it has none (-1)."""
    nothing = [-1.0] + [0.0] * 8
    return {
        "header": header(stamp_us, frame_id),
        "orientation": quaternion(reading["heading"]),
        "angular_velocity_covariance": nothing,
        "linear_acceleration_covariance": nothing,
    }


def image(reading: Reading, stamp_us: int, frame_id: str) -> Fields:
    """sensor_msgs/Image, ``rgb8``, of a feature with ``pixels``, whatever else it holds. Raises ValueError where they are no colours."""
    fields = reading.feature.fields
    place = next(index for index, one in enumerate(fields) if one.name == "pixels")
    pixels, first = fields[place], sum(map(len, fields[:place]))
    if pixels.unit != "rgb" or len(pixels.shape) != 2:
        raise ValueError(f"its pixels are not rows of rgb: unit {pixels.unit}, shape {pixels.shape}")
    (height, width) = pixels.shape
    data = bytearray()
    for pixel in reading.quantised[first : first + len(pixels)]:
        data += pixel.to_bytes(3, "big")
    return {
        "header": header(stamp_us, frame_id),
        "height": height,
        "width": width,
        "encoding": "rgb8",
        "is_bigendian": 0,
        "step": 3 * width,
        "data": array("B", data),
    }


def ball(reading: Reading, stamp_us: int, frame_id: str) -> Optional[Fields]:
    """geometry_msgs/PointStamped of a feature ``ball``, on the floor below the sensor's frame; None where no ball is seen."""
    distance, bearing = reading["distance"], reading["bearing"]
    if not math.isfinite(distance) or not math.isfinite(bearing):
        return None
    x, y = distance * math.cos(bearing), distance * math.sin(bearing)
    return {"header": header(stamp_us, frame_id), "point": vector(x, y, -reading.sensor.mount.z_m)}
