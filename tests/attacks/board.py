"""Attacks a server's message board from one machine, and says what it cost.

python3 tests/attacks/board.py target/debug/touchline memory|silent|flood|many
"""

import contextlib
import re
import resource
import socket
import subprocess
import sys
import threading
import time

WORLD = "worlds/empty.toml"
SECONDS = 50
ROBOT = """model = "eyes"
mass_kg = 10.0
colour = "#ffffff"
[motion]
plugin = "differential"
[[body]]
shape = "ellipse"
length_m = 0.4
width_m = 0.4
"""
EYE = """[[sensor]]
id = "eye{0}"
model = "image"
plugin = "image"
mount = {{ z_m = 0.6 }}
params = {{ width = 1920, height = 1080 }}
"""


class Client:
    """A connection to the board."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.file = self.socket.makefile("rb")
        self.file.readline()

    def send(self, text):
        self.socket.sendall(text.encode())

    def ask(self, text):
        self.send(text)
        return self.file.readline()[:160].decode(errors="replace").strip()


@contextlib.contextmanager
def served(program):
    """A server of an empty world: its process and its port."""
    command = [program, "serve", WORLD, "--board", "127.0.0.1:0", "--studio", "off"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            port = None
            while port is None:
                found = re.search(r"board\D*127\.0\.0\.1:(\d+)", server.stdout.readline())
                port = found and int(found[1])
            yield server, port
        finally:
            server.terminate()


def memory_mb(server, key):
    try:
        with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(key)) // 1024
    except (OSError, StopIteration):
        return 0


def attack_memory(program):
    """Robots with images that are asked for and not read: of 64 images, and of one in each of 32 connections."""
    for name, eyes, clients in [("64 images", 64, 1), ("1 image, 32 connections", 1, 32)]:
        with served(program) as (server, port):
            before = peak = memory_mb(server, "VmRSS")
            text = ROBOT + "".join(EYE.format(eye) for eye in range(eyes))
            players = [Client(port) for _ in range(clients)]
            upload = f"lines={text.count(chr(10))}\n{text}"
            answers = {player.ask(f"ROBOT r{number} {upload}") for number, player in enumerate(players)}
            for player in players:
                player.send("GET me *\n" * 16)
            until = time.monotonic() + SECONDS
            while time.monotonic() < until and server.poll() is None and peak < 3000:
                peak = max(peak, memory_mb(server, "VmHWM"))
                time.sleep(0.1)
            made = sum(answer.startswith("OK") for answer in answers)
            print(f"{name}: {made} robots made; {before} MB before, {peak} MB at most; ended={server.poll() is not None}")
            print("   ", *sorted(answers)[:1], flush=True)
            server.kill()


def attack_silent(program):
    """1,100 connections that say nothing; can another one come in?"""
    with served(program) as (_, port):
        silent = [Client(port) for _ in range(1100)]
        print(f"{len(silent)} silent connections; another: {Client(port).ask('STATUS' + chr(10))}")


def attack_flood(program):
    """Commands as fast as they go; is each answered?"""
    count, seen = 400_000, 0
    with served(program) as (_, port):
        client, began = Client(port), time.monotonic()
        threading.Thread(target=client.send, args=("HELP BYE\n" * count,), daemon=True).start()
        while seen < count:
            line = client.file.readline()
            if not line:
                break
            seen += line.startswith(b"OK HELP")
        print(f"{seen} of {count} answered, {seen / (time.monotonic() - began):.0f} a second")


def attack_many(program):
    """10,000 connections that are kept open, from 250 addresses; a client who was there before is asked all the while."""
    count = 10_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (count + 1000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with served(program) as (server, port):
        honest, open_ones, refused, wordless, answered = Client(port), [], 0, 0, 0
        assert honest.ask("HELLO 1 honest\n").startswith("OK")
        before = memory_mb(server, "VmRSS")
        for number in range(count):
            address = (f"127.0.0.{2 + number % 250}", 0)
            one = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=address)
            open_ones.append(one)
            one.sendall(b"HELLO 1 many\n")
            if number % 100 == 99:
                answered += honest.ask("STATUS\n").startswith("OK STATUS")
        for one in open_ones:
            said = one.recv(4096)
            refused += b"CLOSE" in said
            wordless += not said
        after = memory_mb(server, "VmHWM")
        for one in open_ones:
            one.close()
        answered += honest.ask("STATUS\n").startswith("OK STATUS")
        print(f"{count} connections: {refused} refused with a reason, {wordless} without; who was there before had {answered} of 101 answers")
        print(f"{before} MB before, {after} MB at most; a new one: {Client(port).ask('STATUS' + chr(10))[:20]}")


if __name__ == "__main__":
    {"memory": attack_memory, "silent": attack_silent, "flood": attack_flood, "many": attack_many}[sys.argv[2]](sys.argv[1])
