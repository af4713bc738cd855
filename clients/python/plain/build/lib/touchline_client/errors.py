"""What can go wrong."""

from typing import List


class TouchlineError(Exception):
    """Something went wrong."""


class NotOurServer(TouchlineError):
    """What answers is no Touchline server, or one of another protocol version."""


class ProtocolError(TouchlineError):
    """The server's bytes make no sense."""


class Closed(TouchlineError):
    """The connection has ended."""


class Timeout(TouchlineError):
    """No answer came in time."""


class NotFound(TouchlineError):
    """The robot has no such sensor, or there is no reading of it."""


class Refused(TouchlineError):
    """The server refused a command."""

    def __init__(self, command: str, code: str, message: str, problems: List[str]) -> None:
        super().__init__("\n  ".join([f"{command} was refused: {message} [{code}]", *problems]))
        self.command = command
        #: Such as ``sim/no-such-robot``; stable.
        self.code = code
        #: For people.
        self.message = message
        #: All that is wrong with a robot file, one line each.
        self.problems = problems
