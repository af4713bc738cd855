"""One robot in a running world: its connection, with a thread that receives and one that asks for the sensors."""

import json
import os
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Deque, List, Optional, Sequence, Tuple, Type, Union

from .catalogue import Robot
from .clock import ClockEstimate, ClockSync
from .errors import Closed, NotOurServer, ProtocolError, Refused, Timeout, TouchlineError
from .message import Message, MessageReader, quote, whole, word
from .sensors import Sensors

PROTOCOL_VERSION = 1
DEFAULT_PORT = 7050
#: How many rounds of clock synchronisation are made.
CLOCK_ROUNDS = 8


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


class _Call:
    """Somebody who waits for an answer."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.answer: Optional[Message] = None


class Client:
    """A robot of one's own in a running world. When the client is closed, its robot goes.

    Made by ``Client.connect``; use it in a ``with`` statement.
    """

    robot: Robot
    clock: ClockEstimate

    def __init__(self, stream: socket.socket, cycle: float, timeout: float) -> None:
        self._socket = stream
        self._cycle = cycle
        self._timeout = timeout
        self._origin = time.monotonic()
        self._reader = MessageReader()
        self._send_lock = threading.Lock()
        self._changed = threading.Condition()
        # Who waits for the next answer, in the order of the commands; None is the container.
        self._waiters: Deque[Optional[_Call]] = deque()
        self._sensors = Sensors([])
        self._seen_updates = 0
        self._next_message = 0
        self._end: Optional[str] = None
        self._threads: List[threading.Thread] = []

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
        files). ``select`` says which sensors are read in each ``cycle`` (seconds), as the protocol's GET does; with
        ``push`` the server sends them unasked. ``pose`` is x, y, theta in metres and radians. Where the server asks for
        a ``key`` that says what the client may do, and not ``role``; without one it is ``TOUCHLINE_KEY`` of the environment.
        """
        given = [one for one in (robot_file, robot_text, robot_named) if one is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of robot_file, robot_text and robot_named")
        text = Path(robot_file).read_text(encoding="utf-8") if robot_file is not None else robot_text
        stream = socket.create_connection(_address(address), timeout)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = cls(stream, cycle, timeout)
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
        """
        stream = socket.create_connection(_address(address), timeout)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = cls(stream, 0.0, timeout)
        try:
            client._greet(name, "operator", key)
            client._synchronise()
            client._say("TAKE", word(robot))
            client.robot = Robot.from_message(client._say("DESCRIBE", word(robot)))
            client._sensors = Sensors(client.robot.sensors)
            client._socket.settimeout(None)
            client._run("touchline-receive", client._receive)
        except BaseException:
            client.close()
            raise
        return client

    # The first words: one question, one answer, no threads yet.

    def _next(self) -> Message:
        while True:
            message = self._reader.next_message()
            if message is not None:
                if message.word == "CLOSE":
                    raise Closed(": ".join(message.words))
                return message
            try:
                data = self._socket.recv(65536)
            except socket.timeout:
                raise Timeout("the server does not answer") from None
            if not data:
                raise Closed("the server closed the connection")
            self._reader.extend(data)

    def _say(self, *parts: str, body: str = "") -> Message:
        self._socket.sendall((" ".join(parts) + "\n" + body).encode())
        return _checked(parts[0], self._next())

    def _greet(self, name: str, role: str, key: Optional[str]) -> None:
        greeting = self._next()
        if greeting.word != "TOUCHLINE":
            raise NotOurServer(f"no Touchline server answers there: it says {greeting.word[:40]!r}")
        if whole(greeting.at(0)) != PROTOCOL_VERSION:
            message = f"the server speaks protocol version {greeting.at(0)}, this client {PROTOCOL_VERSION}"
            raise NotOurServer(message)
        key = key or os.environ.get("TOUCHLINE_KEY")
        self._say("HELLO", str(PROTOCOL_VERSION), word(name), f"key={word(key)}" if key else f"role={word(role)}")

    def _synchronise(self) -> None:
        sync = ClockSync()
        for _ in range(CLOCK_ROUNDS):
            t0 = self._now_us()
            answer = self._say("SYNC", str(t0))
            sync.add(t0, answer.integer("t1"), answer.integer("t2"), self._now_us())
        if sync.best is None:
            raise NotOurServer("the server's clock runs backwards")
        self.clock = sync.best
        self._say("OFFSET", str(sync.best.offset_us))

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
            lines = text.replace("\r\n", "\n").split("\n")
            if lines[-1] == "":
                lines.pop()
            parts.append(f"lines={len(lines)}")
            body = "".join(f"{line}\n" for line in lines)
        elif file is not None:
            parts.append(f"file={word(file)}")
        number = self._say(*parts, body=body).integer("robot")
        self.robot = Robot.from_message(self._say("DESCRIBE", str(number)))
        self._sensors = Sensors(self.robot.sensors)

    # The threads.

    def _start(self, select: Sequence[str], push: bool) -> None:
        me = str(self.robot.number)
        self._socket.settimeout(None)
        self._run("touchline-receive", self._receive)
        if push:
            self.ask("PUSH", me, repr(self._cycle * 1000.0), *select)
        else:
            # A selection that does not fit is an error here, not silence later.
            self.ask("GET", me, *select)
            line = " ".join(["GET", me, *select]) + "\n"
            self._run("touchline-pull", lambda: self._pull(line.encode()))

    def _run(self, name: str, target: Any) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

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

    def _receive(self) -> None:
        reason = "the server closed the connection"
        try:
            while not self._take_messages():
                data = self._socket.recv(65536)
                if not data:
                    break
                self._reader.extend(data)
        except (OSError, ProtocolError) as error:
            reason = str(error)
        self._finish(reason)

    def _take_messages(self) -> bool:
        """Hands out whole messages; whether there will be no more."""
        while True:
            message = self._reader.next_message()
            if message is None:
                return False
            if message.word in ("OK", "ERR"):
                with self._changed:
                    waiter = self._waiters.popleft() if self._waiters else None
                if waiter is not None:
                    waiter.answer = message
                    waiter.done.set()
                elif message.word == "OK":
                    self._update(message)
            elif message.word == "STATE":
                self._update(message)
            elif message.word in ("CLOSE", "GONE"):
                what = "the robot is gone: " if message.word == "GONE" else ""
                self._finish(what + ": ".join(message.words))
                return True

    def _update(self, message: Message) -> None:
        sensors = self._sensors.updated(message)
        with self._changed:
            self._sensors = sensors
            self._changed.notify_all()

    def _finish(self, reason: str) -> None:
        with self._changed:
            if self._end is None:
                self._end = reason
            waiters, self._waiters = self._waiters, deque()
            self._changed.notify_all()
        for waiter in waiters:
            if waiter is not None:
                waiter.done.set()

    def _send(self, data: bytes, waiter: Optional[_Call]) -> None:
        # Waiters stand in the order in which commands go out.
        with self._send_lock:
            with self._changed:
                if self._end is not None:
                    raise Closed(self._end)
                self._waiters.append(waiter)
            try:
                self._socket.sendall(data)
            except OSError as error:
                self._finish(str(error))
                raise Closed(str(error)) from error

    # What a robot does.

    def ask(self, *parts: str) -> Message:
        """Sends a command as it stands and waits for its answer; what has no function of its own.

        Raises Refused when the server refuses it.
        """
        line = " ".join(parts)
        if any(ord(c) < 32 for c in line):
            raise ValueError("a command stands in one line")
        call = _Call()
        self._send((line + "\n").encode(), call)
        if not call.done.wait(self._timeout):
            raise Timeout(f"no answer to {parts[0]} in time")
        if call.answer is None:
            raise Closed(self._end or "the connection has ended")
        return _checked(parts[0], call.answer)

    def _command(self, command: str, *values: Union[str, int, float]) -> Message:
        return self.ask(command, str(self.robot.number), *(word(value) for value in values))

    def now(self) -> float:
        """The client's clock, seconds: all stamps are on it."""
        return time.monotonic() - self._origin

    def _now_us(self) -> int:
        return int(self.now() * 1e6)

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
        """Asks for sensors, all of the newest step; ``select`` as the protocol's GET has it, all if nothing is said."""
        self._update(self.ask("GET", str(self.robot.number), *(select or ("*",))))
        return self.sensors()

    def step(self, steps: int = 1) -> Step:
        """Makes steps of a world that stands or is in lockstep; for operators. Fewer are made if an episode ends before."""
        answer = self.ask("STEP", str(int(steps)))
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

    def close(self) -> None:
        """Ends the connection; the robot goes. May be called again."""
        self._finish("this client was closed")
        try:
            self._socket.sendall(b"BYE\n")
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        self._threads.clear()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def _address(address: Union[str, Tuple[str, int]]) -> Tuple[str, int]:
    if not isinstance(address, str):
        return address
    host, colon, port = address.rpartition(":")
    return (host.strip("[]"), int(port)) if colon else (address, DEFAULT_PORT)


def _checked(command: str, message: Message) -> Message:
    if message.word == "OK":
        return message
    if message.word == "ERR":
        raise Refused(command, message.at(0), message.at(1), message.lines)
    raise ProtocolError(f"an answer that is none: {message.word}")
