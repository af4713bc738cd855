"""From the server's bytes to whole messages, and from words to the client's lines. No sockets here."""

import re
from typing import Dict, Iterator, List, Optional, Tuple, Union

from .errors import ProtocolError

#: The longest line that a client takes, bytes: room for a camera image.
LONGEST_LINE = 64 << 20
#: The most lines that one message may announce.
MOST_LINES = 1_000_000

_WORD = re.compile(r'(?:([a-z0-9_]+)=)?(?:"((?:[^"\\]|\\.)*)"(?=[ \t]|$)|([^ \t"][^ \t]*|(?<==)))')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}


def words(line: str) -> Iterator[Tuple[Optional[str], str]]:
    """The words of a line: the key, if it is a field, and the text."""
    at = 0
    while True:
        while at < len(line) and line[at] in " \t":
            at += 1
        if at == len(line):
            return
        match = _WORD.match(line, at)
        if match is None:
            raise ProtocolError(f"a line that cannot be read: {line[:80]!r}")
        key, quoted, plain = match.groups()
        if quoted is not None:
            yield key, _ESCAPE.sub(_unescape, quoted)
        else:
            yield key, plain
        at = match.end()


def _unescape(match: "re.Match[str]") -> str:
    try:
        return _ESCAPED[match.group(1)]
    except KeyError:
        raise ProtocolError(f"a foreign escape: {match.group(0)!r}") from None


def quote(text: str) -> str:
    """A text in quotes."""
    for plain, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escape)
    return '"' + re.sub(r"[\x00-\x1f\x7f-\x9f]", "\ufffd", text) + '"'


def word(value: Union[str, int, float]) -> str:
    """A parameter as it goes out: in quotes where needed."""
    if not isinstance(value, str):
        return repr(value)
    return value if re.fullmatch(r'[!#-<>-\[\]-~]+', value) else quote(value)


class Message:
    """A head line, and the lines that belong to it."""

    def __init__(self, line: str) -> None:
        self.tag: Optional[str] = None
        #: The head as it came.
        self.head = line
        if line.startswith("#"):
            self.tag, _, line = line[1:].partition(" ")
        #: ``OK``, ``ERR``, or what came unasked: ``TOUCHLINE``, ``STATE``, ``GONE``, ``CLOSE``.
        self.word, _, rest = line.partition(" ")
        #: The plain words.
        self.words: List[str] = []
        self.fields: Dict[str, str] = {}
        #: The lines of the block, without their ends.
        self.lines: List[str] = []
        for key, text in words(rest):
            if key is None:
                self.words.append(text)
            else:
                self.fields[key] = text

    def text(self) -> str:
        """Head and lines as they came, each with its end."""
        return "".join(f"{line}\n" for line in (self.head, *self.lines))

    def field(self, key: str) -> str:
        """A field's text."""
        try:
            return self.fields[key]
        except KeyError:
            raise ProtocolError(f"the server's answer lacks {key}= ({self.word})") from None

    def integer(self, key: str) -> int:
        """A field as a whole number."""
        return whole(self.field(key))

    def number(self, key: str) -> float:
        """A field as a number; may be infinite."""
        try:
            return float(self.field(key))
        except ValueError:
            raise ProtocolError(f"{key}={self.field(key)} is no number") from None

    def at(self, place: int) -> str:
        """The plain word at this place."""
        try:
            return self.words[place]
        except IndexError:
            raise ProtocolError(f"the server's answer lacks word {place} after {self.word}") from None


def whole(text: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError:
        raise ProtocolError(f"{text!r} is no whole number") from None


class MessageReader:
    """Collects the server's bytes, and gives whole messages."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._searched = 0
        self._open: Optional[Message] = None
        self._missing = 0

    def extend(self, data: bytes) -> None:
        """Adds bytes as they came."""
        self._bytes += data

    def next_message(self) -> Optional[Message]:
        """The next whole message, if there is one."""
        while True:
            if self._open is not None and self._missing == 0:
                message, self._open = self._open, None
                return message
            line = self._next_line()
            if line is None:
                return None
            if self._open is None:
                self._open = Message(line)
                self._missing = whole(self._open.fields.get("lines", "0"))
                if not 0 <= self._missing <= MOST_LINES:
                    raise ProtocolError(f"a message of {self._missing} lines")
            else:
                self._open.lines.append(line)
                self._missing -= 1

    def _next_line(self) -> Optional[str]:
        end = self._bytes.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._bytes)
            if self._searched > LONGEST_LINE:
                raise ProtocolError(f"a line longer than {LONGEST_LINE} bytes")
            return None
        line = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        self._searched = 0
        try:
            return (line[:-1] if line.endswith(b"\r") else line).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ProtocolError(f"the server sent bytes that are no text: {error}") from None
