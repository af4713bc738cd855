"""A connection to a running world: its first words, the thread that receives, and who waits for which answer."""

import os
import socket
import threading
import time
from collections import deque
from types import TracebackType
from typing import Any, Callable, Deque, List, Optional, Tuple, Type, TypeVar, Union

from .clock import ClockEstimate, ClockSync
from .errors import Closed, NotOurServer, ProtocolError, Refused, Timeout
from .message import Message, MessageReader, whole, word

PROTOCOL_VERSION = 1
DEFAULT_PORT = 7050
#: How many rounds of clock synchronisation are made.
CLOCK_ROUNDS = 8
END = "\n"
#: Takes a message that came unasked.
Notice = Callable[[Message], None]
Self = TypeVar("Self", bound="Connection")


class Pending:
    """The answer to a command, which may still be under way."""

    def __init__(self, command: str, then: Optional[Notice] = None) -> None:
        self.command = command
        self.then = then
        self.done = threading.Event()
        #: None before it came, and where the connection ended without it.
        self.message: Optional[Message] = None

    def answer(self) -> Optional[Message]:
        """The answer, None if it has not come; raises Refused when the server refused the command."""
        return None if self.message is None else _checked(self.command, self.message)


class Connection:
    """A client that has said who it is. Its answers come in the order of its commands, whoever waits for them."""

    clock: ClockEstimate
    #: What the server takes this client for, such as ``player`` or ``operator``.
    role: str

    def __init__(self, stream: socket.socket, timeout: float, notice: Optional[Notice] = None) -> None:
        self._socket = stream
        self._notice = notice
        self._timeout = timeout
        self._origin = time.monotonic()
        self._reader = MessageReader()
        self._send_lock = threading.Lock()
        self._changed = threading.Condition()
        # Who waits for the next answer, in the order of the commands; None takes a state.
        self._waiters: Deque[Optional[Pending]] = deque()
        self._end: Optional[str] = None
        # The robot whose readings are taken, and the one without which there is nothing to do; none for who only asks.
        self._read_robot: Optional[int] = None
        self._made_robot: Optional[int] = None
        self._threads: List[threading.Thread] = []

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
        said = self._say("HELLO", str(PROTOCOL_VERSION), word(name), f"key={word(key)}" if key else f"role={word(role)}")
        self.role = said.fields.get("role", role)

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

    # The threads.

    def _run(self, name: str, target: Any) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _receive(self) -> None:
        # Also where somebody's notice fails: nobody shall wait for what will not come.
        reason = "what takes the server's messages has failed"
        try:
            while not self._take_messages():
                data = self._socket.recv(65536)
                if not data:
                    break
                self._reader.extend(data)
            reason = "the server closed the connection"
        except (OSError, ProtocolError) as error:
            reason = str(error)
        finally:
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
                    waiter.message = message
                    try:
                        # Before anybody wakes: what this takes of the answer is there for whoever waited.
                        if waiter.then is not None:
                            waiter.then(message)
                    finally:
                        waiter.done.set()
                elif message.word == "OK":
                    self._take_state(message)
            elif self._notice is not None and message.word != "CLOSE":
                self._notice(message)
            elif message.word == "STATE":
                if self._is_of(message, self._read_robot):
                    self._take_state(message)
            elif message.word == "CLOSE" or (message.word == "GONE" and self._is_of(message, self._made_robot)):
                what = "the robot is gone: " if message.word == "GONE" else ""
                self._finish(what + ": ".join(message.words))
                return True

    @staticmethod
    def _is_of(message: Message, robot: Optional[int]) -> bool:
        # The server also tells of other robots that this connection has made or pushed.
        return robot is not None and message.fields.get("robot") == str(robot)

    def _take_state(self, message: Message) -> None:
        """Takes readings that nobody waits for."""

    def _finish(self, reason: str) -> None:
        with self._changed:
            if self._end is None:
                self._end = reason
            waiters, self._waiters = self._waiters, deque()
            self._changed.notify_all()
        for waiter in waiters:
            if waiter is not None:
                waiter.done.set()

    def _send(self, data: bytes, waiter: Optional[Pending]) -> None:
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

    # Questions and answers.

    def ask(self, *parts: str) -> Message:
        """Sends a command as it stands and waits for its answer; what has no function of its own.

        Raises Refused when the server refuses it, and ValueError for what gets no answer, or more than one: no word, several lines,
        a robot file that is to follow (``ask_with`` sends one).
        """
        return self._wait(self.begin(*parts))

    def _wait(self, call: Pending, extra_s: float = 0.0) -> Message:
        if not call.done.wait(self._timeout + extra_s):
            raise Timeout(f"no answer to {call.command} in time")
        answer = call.answer()
        if answer is None:
            raise Closed(self._end or "the connection has ended")
        return answer

    def ask_with(self, text: str, *parts: str) -> Message:
        """``ask`` with a text of several lines behind the command, such as ROBOT with a robot file."""
        body = lines_of(text)
        line = " ".join([*parts, f"lines={body.count(END)}"])
        return self._wait(self._begin(line, body, None))

    def begin(self, *parts: str, then: Optional[Notice] = None) -> Pending:
        """Sends a command as it stands, and waits for nothing.

        ``then`` is given the answer, ``OK`` or ``ERR``, between what comes unasked before and after it: by the thread that
        receives, as ``notice`` of ``Client.open`` is. Raises ValueError as ``ask`` does.
        """
        line = " ".join(parts)
        if _command(line).upper() == "ROBOT" and any(part.startswith("lines=") for part in line.split(" ")):
            raise ValueError("a robot file that follows its command is sent by ask_with")
        return self._begin(line, "", then)

    def _begin(self, line: str, body: str, then: Optional[Notice]) -> Pending:
        if any(ord(c) < 32 for c in line):
            raise ValueError("a command stands in one line")
        # Whoever waited for an answer to nothing would take that of the next command.
        call = Pending(_command(line), then)
        self._send(f"{line}\n{body}".encode(), call)
        return call

    def now(self) -> float:
        """The client's clock, seconds: all stamps are on it."""
        return time.monotonic() - self._origin

    def _now_us(self) -> int:
        return int(self.now() * 1e6)

    @property
    def end(self) -> Optional[str]:
        """Why the connection has ended; None while it has not."""
        return self._end

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

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def _command(line: str) -> str:
    """The command's word; a tag stands before it."""
    words = [part for part in line.split(" ") if part and not part.startswith("#")]
    if not words or "=" in words[0]:
        raise ValueError("a command has a word")
    return words[0]


def lines_of(text: str) -> str:
    """A file as lines, the last one with its end too."""
    text = text.replace("\r\n", END)
    return text if not text or text.endswith(END) else text + END


def connected(address: Union[str, Tuple[str, int]], timeout: float) -> socket.socket:
    stream = socket.create_connection(_address(address), timeout)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return stream


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
