"""What a robot's numbers mean, as the server describes them."""

from dataclasses import dataclass, field
from math import inf, isinf, isnan, prod
from numbers import Real
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import NotFound, ProtocolError
from .message import Message, MessageReader, whole

#: The most integers of one field: more is a mistake.
MOST_INTEGERS = 1 << 28
#: A reading in its fields' units: a number for a scalar, rows first for an array.
Values = Mapping[str, Union[float, Sequence[float]]]
_VIEW = ("field_of_view_rad", "range_max_m", "rate_hz", "delay_s")


@dataclass(frozen=True)
class Field:
    """One named quantity of a feature: a scalar, or an array."""

    name: str
    #: The SI unit of ``quantised * scale``.
    unit: str
    scale: float
    #: Whether an integer is a two's complement number.
    signed: bool
    #: ``()`` for a scalar, ``(361,)`` for a scan, ``(8, 2)`` for eight rows of two.
    shape: Tuple[int, ...]

    def __len__(self) -> int:
        return prod(self.shape)

    def decode(self, quantised: int) -> float:
        """The value of a quantised one, in the field's unit."""
        if self.signed:
            if quantised == 0x7FFF_FFFF:
                return inf
            if quantised == 0x8000_0000:
                return -inf
            return (quantised - 0x1_0000_0000 if quantised > 0x7FFF_FFFF else quantised) * self.scale
        if quantised >= 0xFFFF_FFFE:
            return inf if quantised == 0xFFFF_FFFF else -inf
        return quantised * self.scale

    def encode(self, value: float) -> int:
        """A value quantised, given in the field's unit: rounded to the nearest, held at the ends of the range.

        NaN becomes what stands for ``+inf``: a sensor has no word for it.
        """
        if isnan(value) or isinf(value):
            positive, negative = (0x7FFF_FFFF, 0x8000_0000) if self.signed else (0xFFFF_FFFF, 0xFFFF_FFFE)
            return negative if value == -inf else positive
        low, high = (-0x7FFF_FFFE, 0x7FFF_FFFE) if self.signed else (0, 0xFFFF_FFFD)
        return round(max(low, min(high, value / self.scale))) & 0xFFFF_FFFF


@dataclass(frozen=True)
class Feature:
    """A named group of fields that an algorithm asks for by name, whichever sensor gives it."""

    name: str
    fields: List[Field] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(len(one) for one in self.fields)

    def decode(self, quantised: Sequence[int]) -> Dict[str, List[float]]:
        """The values of all fields, each as a list, rows first."""
        if len(quantised) != len(self):
            raise ProtocolError(f"feature {self.name}: {len(quantised)} integers, expected {len(self)}")
        values: Dict[str, List[float]] = {}
        start = 0
        for one in self.fields:
            end = start + len(one)
            values[one.name] = [one.decode(integer) for integer in quantised[start:end]]
            start = end
        return values

    def encode(self, values: "Values") -> List[int]:
        """The integers of a reading, given by the values of all its fields in their units."""
        if set(values) != {one.name for one in self.fields}:
            wanted = ", ".join(one.name for one in self.fields)
            raise NotFound(f"feature {self.name} has the fields {wanted}; given are {', '.join(values) or 'none'}")
        quantised: List[int] = []
        for one in self.fields:
            given = values[one.name]
            numbers = [float(given)] if isinstance(given, (int, float, Real)) else list(given)
            if len(numbers) != len(one):
                raise ValueError(f"field {one.name} of feature {self.name}: {len(numbers)} numbers, expected {len(one)}")
            quantised += [one.encode(float(number)) for number in numbers]
        return quantised


@dataclass(frozen=True)
class Mount:
    """Where on its robot a sensor sits: metres and radians, in the robot's frame."""

    x_m: float
    y_m: float
    z_m: float
    theta_rad: float


@dataclass(frozen=True)
class Sensor:
    """One sensor of a robot."""

    #: Unique within the robot, such as ``laser``.
    id: str
    #: The make, such as ``LMS200``.
    model: str
    #: What it is, such as ``laser``.
    type: str
    plugin: str
    mount: Mount
    features: List[Feature] = field(default_factory=list)
    #: The whole angle that it overlooks, around its x axis; None where that is not known, as for the next three.
    field_of_view_rad: Optional[float] = None
    range_max_m: Optional[float] = None
    #: Samples a second; None: a new one at each step.
    rate_hz: Optional[float] = None
    #: From a sample until it can be read.
    delay_s: Optional[float] = None
    #: The motion datum, an angle, that turns it: it is added to the mount's ``theta_rad``.
    follows: Optional[str] = None

    def __len__(self) -> int:
        return sum(len(feature) for feature in self.features)


@dataclass(frozen=True)
class Dimension:
    """One number of a motion command."""

    name: str
    unit: str
    min: float
    max: float
    #: Which standard command sets it: ``forward``, ``left``, ``turn`` or ``other``.
    part: str


@dataclass(frozen=True)
class Manipulator:
    """A part of the robot that switches between states; it starts in the first."""

    name: str
    states: List[str]


@dataclass(frozen=True)
class Robot:
    """A robot, as the server describes it."""

    number: int
    name: str
    team: Optional[str]
    #: Index into the world's teams.
    team_index: Optional[int]
    radius_m: float
    dimensions: List[Dimension]
    #: The name and unit of each number that the motion model publishes.
    motion_data: List[Tuple[str, str]]
    sensors: List[Sensor]
    manipulators: List[Manipulator]

    @classmethod
    def from_message(cls, message: Message) -> "Robot":
        """Reads the answer to DESCRIBE. Lines of a kind that is not known are left out."""
        team_index = message.integer("team_index") if "team_index" in message.fields else None
        robot = cls(
            number=message.integer("robot"),
            name=message.field("name"),
            team=message.fields.get("team"),
            team_index=team_index,
            radius_m=message.number("radius_m"),
            dimensions=[],
            motion_data=[],
            sensors=[],
            manipulators=[],
        )
        for text in message.lines:
            try:
                robot._add(Message(text))
            except IndexError:
                raise ProtocolError(f"a line out of place: {text[:80]!r}") from None
        return robot

    @classmethod
    def from_text(cls, text: str) -> "Robot":
        """Reads a description that was kept: what the server answers to DESCRIBE, and ``touchline describe`` prints."""
        reader = MessageReader()
        reader.extend(text.encode())
        message = reader.next_message()
        if message is None:
            raise ProtocolError("a description that is not whole")
        return cls.from_message(message)

    def _add(self, line: Message) -> None:
        if line.word == "DIM":
            name, unit, part = line.at(0), line.field("unit"), line.fields.get("part", "other")
            self.dimensions.append(Dimension(name, unit, line.number("min"), line.number("max"), part))
        elif line.word == "DATUM":
            self.motion_data.append((line.at(0), line.field("unit")))
        elif line.word == "SENSOR":
            x_m, y_m, z_m, theta_rad = (line.number(key) for key in ("x_m", "y_m", "z_m", "theta_rad"))
            mount = Mount(x_m, y_m, z_m, theta_rad)
            model, sensor_type, plugin = (line.field(key) for key in ("model", "type", "plugin"))
            view = {key: line.number(key) if key in line.fields else None for key in _VIEW}
            follows = line.fields.get("follows")
            self.sensors.append(Sensor(line.at(0), model, sensor_type, plugin, mount, [], follows=follows, **view))
        elif line.word == "FEATURE":
            self.sensors[-1].features.append(Feature(line.at(0)))
        elif line.word == "FIELD":
            shape = _shape(line.field("shape"))
            signed = line.integer("signed") != 0
            one = Field(line.at(0), line.field("unit"), line.number("scale"), signed, shape)
            self.sensors[-1].features[-1].fields.append(one)
        elif line.word == "MANIPULATOR":
            self.manipulators.append(Manipulator(line.at(0), line.words[1:]))


def _shape(text: str) -> Tuple[int, ...]:
    if text == "scalar":
        return ()
    shape = tuple(whole(size) for size in text.split("x"))
    if min(shape) < 0 or prod(shape) > MOST_INTEGERS:
        raise ProtocolError(f"a field of shape {text}")
    return shape
