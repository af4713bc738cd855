"""A team for the Soccer Server's protocol: whoever sees the ball runs to it and kicks it at the goal. HOST PORT NAME PLAYERS"""

import re
import socket
import sys

host, port, name, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
BALL = re.compile(r"\(\(b\) (\S+) ([^\s)]+)")


class Player:
    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        # Nobody waits for ever.
        self.socket.settimeout(60)
        self.socket.sendto(f"(init {name} (version 18))\0".encode(), (host, port))
        told, self.server = self.socket.recvfrom(9000)
        words = told.decode().split()
        if words[0] != "(init":
            sys.exit(f"not let in: {told!r}")
        goal = "r" if words[1] == "l" else "l"
        self.goal = re.compile(rf"\(\(g {goal}\) (\S+) ([^\s)]+)")
        self.start = f"(move -10 {5 * int(words[2]) - 5})"
        self.seen = ""

    def play(self):
        """Reads up to the next (think), and answers it; whether the game goes on."""
        while True:
            told = self.socket.recv(9000).rstrip(b"\0").decode()
            if told.startswith("(see "):
                self.seen = told
            elif "referee time_over" in told:
                return False
            elif told == "(think)":
                command = self.start or self.decide()
                self.start, self.seen = "", ""
                self.socket.sendto(f"{command}(done)\0".encode(), self.server)
                return True

    def decide(self):
        ball, goal = BALL.search(self.seen), self.goal.search(self.seen)
        if not self.seen:
            return ""
        if not ball:
            return "(turn 60)"
        distance, direction = float(ball[1]), float(ball[2])
        if distance < 0.7:
            return f"(kick 100 {goal[2]})" if goal else "(turn 60)"
        return f"(turn {direction})" if abs(direction) > 10 else "(dash 100)"


players = [Player() for _ in range(count)]
while all([player.play() for player in players]):
    pass
