"""A server on loopback that answers as docs/protocol.md says, for one client."""

import socket
import threading
import time
from typing import Dict, List

DESCRIPTION = [
    "DIM forward unit=m/s min=-0.5 max=0.5 part=forward",
    "DIM turn unit=rad/s min=-1.5 max=1.5 part=turn",
    "DATUM wheel-left unit=rad/s",
    'SENSOR laser model="LMS 200" type=laser plugin=laser x_m=0.017 y_m=0 z_m=0.3 theta_rad=0 integers=3',
    "FEATURE scan integers=3",
    "FIELD ranges unit=m scale=0.001 signed=0 shape=3",
    "SENSOR camera model=EVI-D31 type=camera plugin=camera x_m=0.1 y_m=0 z_m=0.5 theta_rad=0 integers=2",
    "FEATURE ball integers=2",
    "FIELD distance unit=m scale=0.001 signed=0 shape=scalar",
    "FIELD bearing unit=rad scale=0.0001 signed=1 shape=scalar",
    "MANIPULATOR kicker rest kick",
    "NOVELTY this line is of a later version",
]
LASER = "DATA laser {stamp} 3 812 4294967295 4294967294"
BALL = "DATA camera {stamp} 2 2000 4294964796"
#: How far the server's clock is ahead, microseconds.
AHEAD_US = 3_600_000_000


class FakeServer:
    """Serves one connection in a thread of its own; ``received`` are the lines that came."""

    def __init__(self, greeting: str = "TOUCHLINE 1 0.1.0") -> None:
        self.received: List[str] = []
        self.robot_text: List[str] = []
        #: Sent before the next answer to a command of this word: what comes unasked.
        self.notices: Dict[str, List[str]] = {}
        #: Seconds until a command of this word is answered.
        self.delays_s: Dict[str, float] = {}
        self._greeting = greeting
        self._offset = 0
        self._step = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = self._listener.getsockname()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        stream, _ = self._listener.accept()
        # Not one file for both ways: a write would throw away lines that were read ahead.
        with stream, stream.makefile("r", encoding="utf-8", newline="\n") as lines:
            stream.sendall((self._greeting + "\n").encode())
            try:
                for line in lines:
                    line = line.rstrip("\n")
                    self.received.append(line)
                    if line.startswith("ROBOT "):
                        given = [word for word in line.split() if word.startswith("lines=")]
                        count = int(given[0][6:]) if given else 0
                        self.robot_text = [lines.readline().rstrip("\n") for _ in range(count)]
                    word = line.split(" ")[0]
                    time.sleep(self.delays_s.get(word, 0.0))
                    answers = self.notices.pop(word, []) + self._answer(line)
                    stream.sendall("".join(answer + "\n" for answer in answers).encode())
                    if line == "BYE":
                        return
            except OSError:
                pass

    def _answer(self, line: str) -> List[str]:
        command, *words = line.split(" ")
        now_us = time.monotonic_ns() // 1000 + AHEAD_US
        if command == "SYNC":
            return [f"OK SYNC t0={words[0]} t1={now_us} t2={now_us}"]
        if command == "OFFSET":
            self._offset = int(words[0])
        if command == "ROBOT":
            if self.robot_text == ["colour = 3"]:
                problem = 'PROBLEM line=1 column=1 code=config/missing-key "model is missing"'
                return ['ERR config/bad-file lines=1 "the robot file has 1 problem"', problem]
            return ["OK ROBOT robot=2 name=chaser"]
        if command == "DESCRIBE":
            head = "OK DESCRIBE robot=2 name=chaser team=blue team_index=0 radius_m=0.25"
            return [f"{head} lines={len(DESCRIPTION)}", *DESCRIPTION]
        if command in ("GET", "PUSH"):
            if words[-1] == "sonar":
                return ['ERR board/no-such-sensor "no sensor gives sonar"']
            self._step += 1
            stamp = now_us + self._offset
            data = [LASER.format(stamp=stamp), BALL.format(stamp=stamp)]
            if self._step == 2:
                data[1] = 'FAULT camera "panicked: \\"oops\\""'
            head = f"step={self._step} sim_us={10_000 * self._step} stamp_us={stamp} lines=2"
            if command == "GET":
                return [f"OK GET robot=2 {head}", *data]
            return ["OK PUSH robot=2 period_us=100000", f"STATE robot=2 {head}", *data]
        if command == "DRIVE" and len(words) != 3:
            return ['ERR sim/wrong-dimensions "a command of 1 numbers; this robot takes 2"']
        if command == "HEAR":
            return ["OK HEAR next=3 lines=1", 'MESSAGE 2 step=118 from=1 name=blue-1 "free in the \\"middle\\" – now"']
        if command == "STEP":
            self._step += int(words[0])
            return [f"OK STEP step={self._step} episode={self._step // 7}"]
        if command == "REMOVE":
            return ["OK REMOVE", f'GONE robot={words[0]} "removed"']
        return [f"OK {command}"]
