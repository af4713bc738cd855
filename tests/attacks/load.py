"""Many honest clients at once: are the world's steps late, how long does an answer take, does the memory grow?

python3 tests/attacks/load.py target/release/touchline idle             22 clients at 100 Hz, without and with 500 idle ones
python3 tests/attacks/load.py target/release/touchline busy             the same beside two processes that are busy
python3 tests/attacks/load.py target/release/touchline memory [minutes] 20 clients while the world runs at full speed
"""

import contextlib
import json
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time

WORLD = "worlds/f2000.toml"
PERIOD_S = 0.01
SECONDS = 60
# The first is answered at once, the second by the next step.
QUESTION = b"GET me *\nTWIST me 0.2 0 0.5\n"


@contextlib.contextmanager
def served(program, *options):
    """A server: its process, and what its ready line says."""
    command = [program, "serve", WORLD, "--board", "127.0.0.1:0", "--ready-json", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            yield server, json.loads(server.stdout.readline())
        finally:
            server.terminate()


def memory_mb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def processor_s(pid):
    """Processor time that a program has used so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        used = stat.read().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def board(ready):
    host, port = ready["board"].rsplit(":", 1)
    return host, int(port)


class Client:
    """A connection to the board."""

    def __init__(self, ready, first=""):
        self.socket = socket.create_connection(board(ready), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("rb")
        self.lines.readline()
        if first:
            answer = self.ask(first)
            assert answer.startswith("OK"), answer

    def ask(self, line):
        self.socket.sendall(line.encode() + b"\n")
        return self.lines.readline().decode().strip()


class Asking:
    """One of the clients in the loop below: asks each 10 ms, and notes how long the answer took."""

    def __init__(self, ready, number):
        client = Client(ready, f"ROBOT load-{number} file=pioneer")
        self.socket, self.lines = client.socket, client.lines
        self.pending, self.is_waiting, self.waited_ms = b"", False, []

    def send(self, now):
        self.sent, self.is_waiting, self.left = now, True, 2
        self.socket.sendall(QUESTION)

    def take(self):
        """Reads what came: one line of each answer, and as many more as the first one says; notes when that one is whole."""
        data = self.socket.recv(1 << 16)
        assert data, "the server has closed the connection"
        *lines, self.pending = (self.pending + data).split(b"\n")
        for line in lines:
            assert not line.startswith(b"ERR"), line
            self.left -= 1
            more = re.search(rb"^OK GET.* lines=(\d+)", line)
            self.left += int(more[1]) if more else 0
            if self.left == 1:
                self.waited_ms.append((time.perf_counter() - self.sent) * 1e3)
        self.is_waiting = self.left > 0


def run(clients, seconds):
    """All of them ask for so long, spread over the period; one thread serves them, as it would a team's program."""
    chosen = selectors.DefaultSelector()
    for client in clients:
        client.waited_ms = []
        chosen.register(client.socket, selectors.EVENT_READ, client)
    began = time.perf_counter()
    due = {client: began + PERIOD_S * place / len(clients) for place, client in enumerate(clients)}
    while time.perf_counter() < began + seconds or any(client.is_waiting for client in clients):
        now = time.perf_counter()
        for client in clients:
            if due[client] <= now < began + seconds and not client.is_waiting:
                client.send(now)
                due[client] = max(due[client] + PERIOD_S, now)
        free = [due[client] for client in clients if not client.is_waiting]
        wait_s = min(free, default=now + PERIOD_S) - time.perf_counter()
        for key, _ in chosen.select(max(0, wait_s)):
            key.data.take()


def late(ready):
    status = Client(ready).ask("STATUS")
    return [int(re.search(rf"{key}=(\d+)", status)[1]) for key in ("timed_steps", "late_steps")]


def tell(name, ready, clients, seconds=SECONDS):
    before = late(ready)
    run(clients, seconds)
    steps, missed = (after - first for after, first in zip(late(ready), before))
    waited = sorted(answer for client in clients for answer in client.waited_ms)
    median, p99 = statistics.median(waited), waited[len(waited) * 99 // 100]
    print(f"{name}: {missed} of {steps} steps late ({missed / steps:.1%}); {len(waited)} answers in {seconds} s, "
          f"median {median:.2f} ms, p99 {p99:.2f} ms, worst {waited[-1]:.1f} ms", flush=True)


def load(program, seconds=SECONDS):
    """Twenty-two robots that clients drive, and the eight of the world; then five hundred more who do nothing."""
    with served(program, "--studio", "off") as (_, ready):
        before = late(ready)
        time.sleep(seconds / 4)
        steps, missed = (after - first for after, first in zip(late(ready), before))
        print(f"nobody asks: {missed} of {steps} steps late ({missed / steps:.1%})", flush=True)
        clients = [Asking(ready, number) for number in range(22)]
        tell("22 clients", ready, clients, seconds)
        idle = [Client(ready, "HELLO 1 idle") for _ in range(500)]
        tell(f"22 clients, {len(idle)} idle", ready, clients, seconds)


def busy(program, seconds=SECONDS):
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        load(program, seconds)
    finally:
        for one in burning:
            one.kill()
            one.wait()


def memory(program, minutes=10):
    """Twenty clients ask and drive while the world runs as fast as it can."""
    with served(program, "--studio", "off", "--speed", "max") as (server, ready):
        clients = [Asking(ready, number) for number in range(20)]
        asking = threading.Thread(target=run, args=(clients, minutes * 60), daemon=True)
        began = time.monotonic()
        asking.start()
        while asking.is_alive():
            status = Client(ready).ask("STATUS")
            simulated, answers = int(re.search(r"sim_us=(\d+)", status)[1]), sum(len(client.waited_ms) for client in clients)
            print(f"after {time.monotonic() - began:4.0f} s: {memory_mb(server.pid):6.1f} MB; {simulated / 1e6:.0f} s simulated, "
                  f"{answers} answers", flush=True)
            asking.join(30)


if __name__ == "__main__":
    {"idle": load, "busy": busy, "memory": memory}[sys.argv[2]](sys.argv[1], *map(float, sys.argv[3:]))
