"""The newest readings of the robot's sensors: one value for each step, never changed. One step for all."""

from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

from .catalogue import Feature, Sensor, Values
from .errors import NotFound, ProtocolError
from .message import Message, whole


class Reading:
    """One feature at one step."""

    def __init__(
        self, sensor: Sensor, feature: Feature, quantised: Sequence[int], stamp: float, sim_time: float
    ) -> None:
        self.sensor = sensor
        self.feature = feature
        #: The integers as they came.
        self.quantised = quantised
        #: When it was taken, on the client's clock, seconds.
        self.stamp = stamp
        #: When it was taken, in simulated time, seconds.
        self.sim_time = sim_time
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

    def filled(self, readings: Mapping[str, Values], stamp: float) -> "Sensors":
        """These readings, by names such as ``laser.scan``, in place of those before; all others stay with their own stamps.

        For sensors that are read here and not by a server; ``LocalSensors`` does it for whole programs. Raises NotFound when the
        robot has no such sensor, feature or field, and ValueError when an array has the wrong length.
        """
        sensors = Sensors(self.catalogue)
        sensors.updates, sensors.step, sensors.sim_time, sensors.stamp = self.updates + 1, self.step + 1, stamp, stamp
        sensors.faults, sensors.waiting = dict(self.faults), set(self.waiting)
        sensors._quantised, sensors._stamps = dict(self._quantised), dict(self._stamps)
        for name, values in readings.items():
            for sensor, feature in self.find_all():
                if f"{sensor.id}.{feature.name}" == name:
                    sensors._quantised[sensor.id, feature.name] = feature.encode(values)
                    sensors._stamps[sensor.id] = stamp
                    sensors.waiting.discard(sensor.id)
                    sensors.faults.pop(sensor.id, None)
                    break
            else:
                known = ", ".join(f"{sensor.id}.{one.name}" for sensor, one in self.find_all())
                raise NotFound(f"no feature {name}; this robot has {known or 'none'}")
        return sensors

    def without(self, sensor: str, reason: str, stamp: float) -> "Sensors":
        """The same, but for a sensor that gives nothing any more."""
        if sensor not in {one.id for one in self.catalogue}:
            raise NotFound(f"no sensor {sensor}; this robot has {', '.join(one.id for one in self.catalogue) or 'none'}")
        sensors = self.filled({}, stamp)
        sensors.faults[sensor] = reason
        sensors._quantised = {key: value for key, value in self._quantised.items() if key[0] != sensor}
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

    def get(self, sensor: str, feature: str) -> Optional[Reading]:
        """The reading of this sensor's feature, by their names; None if there is none."""
        for owner, one in self.find_all(feature):
            quantised = self._quantised.get((owner.id, one.name))
            if owner.id == sensor and quantised is not None:
                stamp = self._stamps[owner.id]
                # A stamp is earlier than the step's by the sample's age in simulated time.
                return Reading(owner, one, quantised, stamp, self.sim_time - (self.stamp - stamp))
        return None

    def read(
        self, feature: Optional[str] = None, type: Optional[str] = None, model: Optional[str] = None
    ) -> Reading:
        """The reading of the first feature that fits: by its name, the sensor's type and/or its model.

        Raises NotFound when the robot has no such feature, or there is no reading of it.
        """
        for sensor, one in self.find_all(feature, type, model):
            reading = self.get(sensor.id, one.name)
            if reading is None:
                waits = "its first sample has not arrived yet"
                why = waits if sensor.id in self.waiting else "not read yet, or not selected"
                why = self.faults.get(sensor.id, why)
                raise NotFound(f"no reading of {sensor.id}.{one.name}: {why}")
            return reading
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
