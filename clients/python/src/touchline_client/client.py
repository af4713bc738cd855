"""One robot in a running world: it is made, read, and driven."""

import json
import math
import socket
import time
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, List, Optional, Sequence, Tuple, Union

from .catalogue import Robot
from .connection import DEFAULT_PORT, END, Connection, Notice, connected, lines_of
from .errors import Closed, ProtocolError, Timeout, TouchlineError
from .message import Message, quote, whole, word
from .sensors import Sensors

#: So much longer may an order of steps take for each of them, seconds: a step of most worlds lasts so long in real time.
PATIENCE_FOR_STEP_S = 0.01
#: As many as one order may have.
MOST_STEPS = 1_000_000


@dataclass(frozen=True)
class Heard:
    """A radio message that the robot heard."""

    #: Counts up over the whole run.
    number: int
    #: The step in which it was heard.
    step: int
    #: The sender's number.
    sender: int
    #: The sender's name.
    sender_name: str
    text: str
    #: On which channel: "all" or "team".
    channel: str = "all"
    #: The direction in which the sender was, in the robot's frame, radians, where the world's radio tells it.
    bearing_rad: Optional[float] = None


@dataclass(frozen=True)
class Step:
    """Where a world is after steps were made."""

    #: Of the run; a benchmark counts from 0 in each episode.
    step: int
    #: Another number than before: everything was brought to its starting place.
    episode: int


class Client(Connection):
    """A robot of one's own in a running world. When the client is closed, its robot goes.

    Made by ``Client.connect``; use it in a ``with`` statement.
    """

    robot: Robot

    def __init__(self, stream: socket.socket, cycle: float, timeout: float, notice: Optional[Notice] = None) -> None:
        super().__init__(stream, timeout, notice)
        self._cycle = cycle
        self._sensors = Sensors([])
        self._seen_updates = 0
        self._next_message = 0

    @classmethod
    def connect(
        cls,
        address: Union[str, Tuple[str, int]] = ("127.0.0.1", DEFAULT_PORT),
        *,
        name: str = "robot",
        team: Optional[str] = None,
        pose: Optional[Tuple[float, float, float]] = None,
        robot_file: Optional[Union[str, "PathLike[str]"]] = None,
        robot_text: Optional[str] = None,
        robot_named: Optional[str] = None,
        role: str = "player",
        key: Optional[str] = None,
        select: Sequence[str] = ("*",),
        cycle: float = 0.1,
        push: bool = False,
        timeout: float = 5.0,
    ) -> "Client":
        """Connects, agrees on the version, synchronises the clocks, makes the robot, and begins to read it.

        The robot is made from ``robot_file`` (a path), ``robot_text``, or ``robot_named`` (one of the server's own
        files). ``select`` says which sensors are read in each ``cycle`` (seconds; 0: only when ``get`` asks), as the protocol's
        GET does; with ``push`` the server sends them unasked. ``pose`` is x, y, theta in metres and radians. Where the server asks for
        a ``key`` that says what the client may do, and not ``role``; without one it is ``TOUCHLINE_KEY`` of the environment.
        """
        given = [one for one in (robot_file, robot_text, robot_named) if one is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of robot_file, robot_text and robot_named")
        if not 0.0 <= cycle < math.inf:
            raise ValueError(f"cycle is {cycle}; it must be a number of seconds, 0 for readings only when get asks")
        text = Path(robot_file).read_text(encoding="utf-8") if robot_file is not None else robot_text
        client = cls(connected(address, timeout), cycle, timeout)
        try:
            client._greet(name, role, key)
            client._synchronise()
            client._join(name, team, pose, text, robot_named)
            client._start(select, push)
        except BaseException:
            client.close()
            raise
        return client

    @classmethod
    def take(
        cls,
        address: Union[str, Tuple[str, int]] = ("127.0.0.1", DEFAULT_PORT),
        *,
        robot: str,
        name: str = "driver",
        key: Optional[str] = None,
        timeout: float = 5.0,
    ) -> "Client":
        """Connects, as operator or with a key, and takes over a robot that is there; when the client is closed, it is given back.

        No thread asks for the sensors: ``get`` reads them. It is what a program wants that drives a world in lockstep with ``step``.
        When the robot goes what concerns it is refused, and the connection stays.
        """
        client = cls.open(address, name=name, key=key, timeout=timeout)
        try:
            client.ask("TAKE", word(robot))
            client.robot = Robot.from_message(client.ask("DESCRIBE", word(robot)))
            client._sensors = Sensors(client.robot.sensors)
            client._read_robot = client.robot.number
        except BaseException:
            client.close()
            raise
        return client

    @classmethod
    def open(
        cls,
        address: Union[str, Tuple[str, int]] = ("127.0.0.1", DEFAULT_PORT),
        *,
        name: str = "desk",
        role: str = "operator",
        key: Optional[str] = None,
        timeout: float = 5.0,
        notice: Optional[Notice] = None,
    ) -> "Client":
        """Connects and makes no robot: ``ask`` is what such a client is for; those functions that drive or read ``robot`` are not.

        ``notice`` is given every message that comes unasked (``STATE`` of a ``PUSH``, ``GONE``), one after the other, by the thread
        that receives; it must not wait for an answer of this client. What the steps of an own ``STEP`` have made due comes before
        its answer.
        """
        client = cls(connected(address, timeout), 0.0, timeout, notice)
        try:
            client._greet(name, role, key)
            client._synchronise()
            client._socket.settimeout(None)
            client._run("touchline-receive", client._receive)
        except BaseException:
            client.close()
            raise
        return client

    def _join(
        self,
        name: str,
        team: Optional[str],
        pose: Optional[Tuple[float, float, float]],
        text: Optional[str],
        file: Optional[str],
    ) -> None:
        parts = ["ROBOT", word(name)]
        if team is not None:
            parts.append(f"team={word(team)}")
        if pose is not None:
            parts += [f"{key}={float(value)!r}" for key, value in zip(("x", "y", "theta"), pose)]
        body = ""
        if text is not None:
            body = lines_of(text)
            parts.append(f"lines={body.count(END)}")
        elif file is not None:
            parts.append(f"file={word(file)}")
        number = self._say(*parts, body=body).integer("robot")
        self.robot = Robot.from_message(self._say("DESCRIBE", str(number)))
        self._sensors = Sensors(self.robot.sensors)
        self._read_robot = self._made_robot = number

    def _start(self, select: Sequence[str], push: bool) -> None:
        me = str(self.robot.number)
        self._socket.settimeout(None)
        self._run("touchline-receive", self._receive)
        if push and self._cycle > 0:
            self.ask("PUSH", me, repr(self._cycle * 1000.0), *select)
        else:
            # A selection that does not fit is an error here, not silence later.
            self.ask("GET", me, *select)
            if self._cycle > 0:
                line = " ".join(["GET", me, *select]) + "\n"
                self._run("touchline-pull", lambda: self._pull(line.encode()))

    def _pull(self, line: bytes) -> None:
        due = time.monotonic()
        while True:
            try:
                self._send(line, None)
            except TouchlineError:
                return
            # After a pause of the program there is one question, not many.
            due = max(due + self._cycle, time.monotonic())
            with self._changed:
                while self._end is None and time.monotonic() < due:
                    self._changed.wait(due - time.monotonic())
                if self._end is not None:
                    return

    def _take_state(self, message: Message) -> None:
        # Called by the thread that receives alone, so in the order in which the server has sent them: none goes back in time.
        self._updated(message)

    def _updated(self, message: Message) -> Sensors:
        with self._changed:
            sensors = self._sensors = self._sensors.updated(message)
            self._changed.notify_all()
        return sensors

    # What a robot does.

    def _command(self, command: str, *values: Union[str, int, float]) -> Message:
        return self.ask(command, str(self.robot.number), *(word(value) for value in values))

    def sensors(self) -> Sensors:
        """The newest readings, all of one step; empty before the first came."""
        with self._changed:
            return self._sensors

    def next_sensors(self, timeout: Optional[float] = None) -> Sensors:
        """Waits for readings that are newer than those that this function gave last."""
        end = time.monotonic() + (max(self._timeout, 2 * self._cycle) if timeout is None else timeout)
        with self._changed:
            while self._sensors.updates <= self._seen_updates:
                if self._end is not None:
                    raise Closed(self._end)
                left = end - time.monotonic()
                if left <= 0:
                    raise Timeout("no sensors came in time")
                self._changed.wait(left)
            self._seen_updates = self._sensors.updates
            return self._sensors

    def get(self, *select: str) -> Sensors:
        """Asks for sensors, all of the newest step; ``select`` as the protocol's GET has it, all if nothing is said.

        What it gives is the answer to this question, whatever else comes meanwhile. Where sensors are read in a cycle, ``sensors`` and
        ``next_sensors`` go on giving those.
        """
        taken: List[Union[Sensors, ProtocolError]] = []

        def take(answer: Message) -> None:
            try:
                if answer.word == "OK":
                    taken.append(self._updated(answer) if self._cycle == 0 else self.sensors().updated(answer))
            except ProtocolError as error:
                # For whoever asked.
                taken.append(error)

        self._wait(self.begin("GET", str(self.robot.number), *(select or ("*",)), then=take))
        sensors = taken[0]
        if isinstance(sensors, ProtocolError):
            raise sensors
        return sensors

    def step(self, steps: int = 1) -> Step:
        """Makes steps of a world that stands or is in lockstep; for operators. Fewer are made if an episode ends before.

        The answer may take ``timeout`` as any other, and 10 ms more for each step.
        """
        extra_s = PATIENCE_FOR_STEP_S * max(0, min(int(steps), MOST_STEPS))
        answer = self._wait(self.begin("STEP", str(int(steps))), extra_s)
        return Step(answer.integer("step"), answer.integer("episode"))

    def twist(self, forward_m_s: float, left_m_s: float, turn_rad_s: float) -> None:
        """Sets all standard velocities, in the robot's frame."""
        self._command("TWIST", float(forward_m_s), float(left_m_s), float(turn_rad_s))

    def forward(self, forward_m_s: float) -> None:
        """Sets the translational velocity."""
        self._command("FORWARD", float(forward_m_s))

    def turn(self, turn_rad_s: float) -> None:
        """Sets the rotational velocity, counter-clockwise."""
        self._command("TURN", float(turn_rad_s))

    def drive(self, command: Sequence[float]) -> None:
        """Sets the whole command vector: as many numbers as ``robot.dimensions``."""
        self._command("DRIVE", *(float(number) for number in command))

    def manipulate(
        self,
        manipulator: str,
        state: str,
        strength: float = 1.0,
        *,
        direction_rad: Optional[float] = None,
        elevation_rad: Optional[float] = None,
    ) -> None:
        """Switches a manipulator to a state, with a strength between 0 and 1.

        Direction (in the robot's frame) and elevation (above the floor) are for kicks whose robot file leaves them to
        the command.
        """
        words = [word(value) for value in (manipulator, state, float(strength))]
        for key, angle_rad in (("direction", direction_rad), ("elevation", elevation_rad)):
            if angle_rad is not None:
                words.append(f"{key}={float(angle_rad)!r}")
        self.ask("MANIPULATE", str(self.robot.number), *words)

    def say(self, text: str, channel: str = "all") -> None:
        """Says something by radio, to all others or to the own "team" alone."""
        on = [] if channel == "all" else [f"channel={word(channel)}"]
        self.ask("SAY", str(self.robot.number), *on, quote(text))

    def set_sensor(self, sensor: str, name: str, value: float) -> None:
        """Sets a number of a sensor that can be set, such as the camera's view-width."""
        self.ask("SET", str(self.robot.number), word(sensor), word(name), repr(float(value)))

    def heard(self) -> List[Heard]:
        """The radio messages that came since this function was called last."""
        answer = self.ask("HEAR", str(self.robot.number), f"since={self._next_message}")
        self._next_message = answer.integer("next")
        heard = []
        for text in answer.lines:
            line = Message(text)
            number, step, sender = whole(line.at(0)), line.integer("step"), line.integer("from")
            bearing = line.fields.get("bearing_rad")
            heard.append(
                Heard(
                    number,
                    step,
                    sender,
                    line.field("name"),
                    line.at(1),
                    line.fields.get("channel", "all"),
                    None if bearing is None else float(bearing),
                )
            )
        return heard

    def annotate(self, key: str, value: Any) -> None:
        """Publishes a drawing or a value, as JSON, in place of the last one under this key."""
        self.ask("ANNOTATE", str(self.robot.number), word(key), json.dumps(value))
