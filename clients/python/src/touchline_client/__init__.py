"""A robot's client: joins a running match with its own robot file, reads the robot's sensors, drives it.

Units are SI and radians, x forward, y left, counter-clockwise. Stamps are seconds of ``Client.now()``.
"""

from .catalogue import Dimension, Feature, Field, Manipulator, Mount, Robot, Sensor, Values
from .client import Client, Heard, Step
from .clock import ClockEstimate, ClockSync
from .errors import (
    Closed,
    NotFound,
    NotOurServer,
    ProtocolError,
    Refused,
    Timeout,
    TouchlineError,
)
from .local import LocalSensors, SensorSource
from .sensors import Reading, Sensors

__all__ = [
    "Client",
    "ClockEstimate",
    "ClockSync",
    "Closed",
    "Dimension",
    "Feature",
    "Field",
    "Heard",
    "LocalSensors",
    "Manipulator",
    "Mount",
    "NotFound",
    "NotOurServer",
    "ProtocolError",
    "Reading",
    "Refused",
    "Robot",
    "Sensor",
    "SensorSource",
    "Sensors",
    "Step",
    "Timeout",
    "TouchlineError",
    "Values",
]
__version__ = "0.1.0"
