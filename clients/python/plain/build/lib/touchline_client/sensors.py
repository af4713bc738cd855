"""The newest readings of the robot's sensors: one value for each step, never changed. One step for all."""

from typing import Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

from .catalogue import Feature, Sensor
from .errors import NotFound, ProtocolError
from .message import Message, whole


class Reading:
    """One feature at one step."""

    def __init__(self, sensor: Sensor, feature: Feature, quantised: Sequence[int], stamp: float) -> None:
        self.sensor = sensor
        self.feature = feature
        #: The integers as they came.
        self.quantised = quantised
        #: When it was taken, on the client's clock, seconds.
        self.stamp = stamp
        self._values: Optional[Dict[str, List[float]]] = None

    def values(self) -> Dict[str, List[float]]:
        """All fields, each as a list of numbers in its unit, rows first."""
        if self._values is None:
            self._values = self.feature.decode(self.quantised)
        return self._values

    def array(self, field: str) -> List[float]:
        """One field as a list, also if it is a scalar."""
        try:
            return self.values()[field]
        except KeyError:
            known = ", ".join(self.values())
            raise NotFound(f"feature {self.feature.name} has no field {field}; it has {known}") from None

    def __getitem__(self, field: str) -> float:
        """A scalar field."""
        array = self.array(field)
        if len(array) != 1:
            raise NotFound(f"field {field} has {len(array)} numbers: use array({field!r})")
        return array[0]


class Sensors:
    """The robot's sensors at one step."""

    def __init__(self, catalogue: List[Sensor]) -> None:
        #: What sensors there are, and what their integers mean.
        self.catalogue = catalogue
        #: The number of the step at which all this could be read.
        self.step = 0
        #: The simulated time of that step, seconds.
        self.sim_time = 0.0
        #: When that step was made, on the client's clock, seconds. A reading has its own stamp, which is earlier if its sensor
        #: has a rate or a delay.
        self.stamp = 0.0
        #: How many times the sensors were updated so far.
        self.updates = 0
        #: The sensors that have failed, and why.
        self.faults: Dict[str, str] = {}
        #: The sensors whose first sample has not arrived yet.
        self.waiting: Set[str] = set()
        self._quantised: Dict[Tuple[str, str], List[int]] = {}
        self._stamps: Dict[str, float] = {}

    def updated(self, message: Message) -> "Sensors":
        """The same robot's sensors, as an answer to GET or a STATE block tells them."""
        sensors = Sensors(self.catalogue)
        sensors.updates = self.updates + 1
        sensors.step = message.integer("step")
        sensors.sim_time = message.integer("sim_us") * 1e-6
        sensors.stamp = message.integer("stamp_us") * 1e-6
        for line in message.lines:
            if line.startswith("DATA "):
                sensors._add(line)
            elif line.startswith("FAULT "):
                fault = Message(line)
                sensors.faults[fault.at(0)] = fault.at(1)
            elif line.startswith("NONE "):
                sensors.waiting.add(Message(line).at(0))
        return sensors

    def _add(self, line: str) -> None:
        name, stamp_us, quantised = read_data_line(line)
        for sensor in self.catalogue:
            if sensor.id == name:
                if len(quantised) != len(sensor):
                    raise ProtocolError(f"sensor {name}: {len(quantised)} integers, expected {len(sensor)}")
                self._stamps[sensor.id] = stamp_us * 1e-6
                start = 0
                for feature in sensor.features:
                    end = start + len(feature)
                    self._quantised[sensor.id, feature.name] = quantised[start:end]
                    start = end
                return
        for sensor in self.catalogue:
            for feature in sensor.features:
                if f"{sensor.id}.{feature.name}" == name:
                    if len(quantised) != len(feature):
                        raise ProtocolError(f"feature {name}: {len(quantised)} integers, expected {len(feature)}")
                    self._stamps[sensor.id] = stamp_us * 1e-6
                    self._quantised[sensor.id, feature.name] = quantised
                    return
        raise ProtocolError(f"data of a sensor that the robot has not: {name}")

    def find_all(
        self, feature: Optional[str] = None, type: Optional[str] = None, model: Optional[str] = None
    ) -> Iterator[Tuple[Sensor, Feature]]:
        """All features that fit, in the order of the robot file."""
        for sensor in self.catalogue:
            if type in (None, sensor.type) and model in (None, sensor.model):
                for one in sensor.features:
                    if feature in (None, one.name):
                        yield sensor, one

    def read(
        self, feature: Optional[str] = None, type: Optional[str] = None, model: Optional[str] = None
    ) -> Reading:
        """The reading of the first feature that fits: by its name, the sensor's type and/or its model.

        Raises NotFound when the robot has no such feature, or there is no reading of it.
        """
        for sensor, one in self.find_all(feature, type, model):
            quantised = self._quantised.get((sensor.id, one.name))
            if quantised is None:
                waits = "its first sample has not arrived yet"
                why = waits if sensor.id in self.waiting else "not read yet, or not selected"
                why = self.faults.get(sensor.id, why)
                raise NotFound(f"no reading of {sensor.id}.{one.name}: {why}")
            return Reading(sensor, one, quantised, self._stamps[sensor.id])
        known = ", ".join(f"{sensor.id}.{one.name}" for sensor, one in self.find_all())
        wanted = f"feature={feature}, type={type}, model={model}"
        raise NotFound(f"no sensor gives {wanted}; this robot has {known or 'none'}")


def read_data_line(line: Union[str, bytes]) -> Tuple[str, int, List[int]]:
    """Reads a DATA line: name, stamp in microseconds, integers."""
    text = line.decode("ascii") if isinstance(line, bytes) else line
    parts = text.split(" ")
    try:
        quantised = [int(part) for part in parts[4:]]
        word, name, stamp, length = parts[:4]
    except ValueError:
        raise ProtocolError(f"sensor data that cannot be read: {text[:60]!r}") from None
    in_range = not quantised or (min(quantised) >= 0 and max(quantised) < 1 << 32)
    if word != "DATA" or len(quantised) != whole(length) or not in_range:
        raise ProtocolError(f"sensor data that cannot be read: {text[:60]!r}")
    return name, whole(stamp), quantised
