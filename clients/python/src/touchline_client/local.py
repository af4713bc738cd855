"""The container of a robot whose sensors are real: filled by its drivers, read as that of a client."""

import threading
import time
from typing import Mapping, Optional, Protocol

from .catalogue import Robot, Values
from .errors import Closed, Timeout
from .sensors import Sensors


class SensorSource(Protocol):
    """Where a program gets its readings: a ``Client`` of a simulated robot, or the ``LocalSensors`` of a real one.

    A program that is written against it does not know which of the two it has.
    """

    def now(self) -> float:
        """The clock on which all stamps are, seconds."""

    def sensors(self) -> Sensors:
        """The newest readings."""

    def next_sensors(self, timeout: Optional[float] = None) -> Sensors:
        """Waits for readings that are newer than those that this function gave last."""


class LocalSensors:
    """Readings of real sensors in the same container, under the same names, in the same units and steps of quantisation.

    ``robot`` comes from a description that was kept: ``Robot.from_text(Path("pioneer.txt").read_text())``, made once by
    ``touchline describe robots/pioneer.toml``; no server is needed. Drivers may fill it from threads of their own.

    >>> from touchline_client import Robot
    >>> compass = "SENSOR c model=C type=compass plugin=compass x_m=0 y_m=0 z_m=0 theta_rad=0"
    >>> field = "FIELD heading unit=rad scale=1e-4 signed=1 shape=scalar"
    >>> text = f"OK DESCRIBE robot=1 name=r radius_m=0.2 lines=3\\n{compass}\\nFEATURE compass\\n{field}\\n"
    >>> real = LocalSensors(Robot.from_text(text))
    >>> real.fill({"c.compass": {"heading": 0.50004}})
    >>> real.next_sensors().read(feature="compass")["heading"]
    0.5
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._origin = time.monotonic()
        self._changed = threading.Condition()
        self._sensors = Sensors(robot.sensors)
        self._sensors.waiting = {sensor.id for sensor in robot.sensors}
        self._seen_updates = 0
        self._is_closed = False

    def now(self) -> float:
        """Seconds since this container was made."""
        return time.monotonic() - self._origin

    def fill(self, readings: Mapping[str, Values], stamp: Optional[float] = None) -> None:
        """Takes what drivers have read, ``{"laser.scan": {"angle_min": -1.57, ...}}``, all of one time ``stamp``: now if not given.

        What is not given stays as it was, with its own stamp. ``inf`` is nothing there or out of range, ``-inf`` too close.
        Raises NotFound for a name that the robot has not, ValueError for an array of the wrong length.
        """
        with self._changed:
            self._sensors = self._sensors.filled(readings, self.now() if stamp is None else stamp)
            self._changed.notify_all()

    def fail(self, sensor: str, reason: str) -> None:
        """Says that a sensor gives nothing, until it is filled again."""
        with self._changed:
            self._sensors = self._sensors.without(sensor, reason, self.now())
            self._changed.notify_all()

    def close(self) -> None:
        """Wakes whoever waits."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def sensors(self) -> Sensors:
        """The newest readings; each has the stamp of its own."""
        with self._changed:
            return self._sensors

    def next_sensors(self, timeout: Optional[float] = None) -> Sensors:
        """Waits for readings that are newer than those that this function gave last; without a ``timeout`` for ever."""
        with self._changed:
            is_new = self._changed.wait_for(
                lambda: self._sensors.updates > self._seen_updates or self._is_closed, timeout
            )
            if self._is_closed:
                raise Closed("this container was closed")
            if not is_new:
                raise Timeout("no sensors came in time")
            self._seen_updates = self._sensors.updates
            return self._sensors
