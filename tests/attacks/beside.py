"""An attacker of each kind beside an honest client: what does the honest one read, and how long does it wait?

python3 tests/attacks/beside.py target/release/touchline lockstep [rounds]   is each byte the same as without the attacker?
python3 tests/attacks/beside.py target/release/touchline time [runs [kind]]  in real time: its p99, as a multiple of the one alone;
                                                                             the server's processor time for each attack
"""

import asyncio
import contextlib
import functools
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import threading
import time

from load import PERIOD_S, Client, board, processor_s, served
from looking import Page, seek

SECONDS = 10
EYES = "".join(f'[[sensor]]\nid = "eye{eye}"\nmodel = "image"\nplugin = "image"\nmount = {{ z_m = 0.6 }}\n'
               f"params = {{ width = 1920, height = 1080 }}\n" for eye in range(64))
FILE = 'model = "eyes"\nmass_kg = 10.0\ncolour = "#ffffff"\nbody = [{ shape = "circle", radius_m = 0.2 }]\n'
FILE += f'motion = {{ plugin = "differential" }}\n{EYES}'

count = 0


def again(attack):
    """Attacks with one connection after the other, from many addresses, however each ends."""
    @functools.wraps(attack)
    def attacks(ready, other):
        global count
        while True:
            with contextlib.suppress(OSError):
                address = (f"127.0.0.{2 + count % 250}", 0)
                with socket.create_connection(board(ready), timeout=60, source_address=address) as one:
                    count += 1
                    attack(one)
    return attacks


def nobody(ready, other):
    """No attack: its robot stands there."""


def spins(ready, other):
    """No attack either: what a program takes that merely needs a processor."""
    while True:
        pass


def floods(ready, other):
    """Commands for its robot, which stands, as fast as they are taken."""
    global count
    threading.Thread(target=lambda: [other.socket.sendall(b"TWIST me 0 0 0\n" * 1000) for _ in iter(int, 1)], daemon=True).start()
    for line in other.lines:
        assert line.startswith(b"OK"), line
        count += 1


def uploads(ready, other):
    """Robot files that are too much: 64 images of 1920x1080, and 64 KiB that are no TOML."""
    global count
    uploader = Client(ready)
    while True:
        for text in [FILE, "[[" * 30 + "\n", "a = [\n" * 10_000]:
            uploader.socket.sendall(f"ROBOT eyes lines={text.count(chr(10))}\n{text}".encode())
            line = uploader.lines.readline()
            assert line.startswith(b"ERR"), line
            more = re.search(rb" lines=(\d+)", line)
            for _ in range(int(more[1]) if more else 0):
                uploader.lines.readline()
            count += 1


def pushes(ready, other):
    """All sensors of all robots, at each step."""
    global count
    reader = Client(ready, "HELLO 1 pusher role=monitor")
    for robot in range(1, 10):
        reader.socket.sendall(f"PUSH {robot} 1 *\n".encode())
    for line in reader.lines:
        count += line.startswith(b"STATE")


def looks(ready, other):
    """Twenty pages of the studio that look at one tick of the past after the other."""
    global count
    threading.Thread(target=lambda: asyncio.run(seek(ready["studio"], 20)), daemon=True).start()
    while True:
        time.sleep(0.05)
        count = Page.looks


def half_lines(ready, other):
    """Two hundred connections with a line that never ends, a byte at a time; whoever is cut off for it comes again."""
    global count
    halves = [Client(ready, "HELLO 1 half") for _ in range(200)]
    while True:
        for place, half in enumerate(halves):
            try:
                half.socket.sendall(b'SAY me "')
                half.socket.sendall(b"GET " * 100)
            except OSError:
                half.socket.close()
                halves[place] = Client(ready, "HELLO 1 half")
            count += 1


@again
def asks_only(one):
    one.settimeout(8)
    while True:
        one.sendall(b"GET blue-1 *\n")


def never_reads(ready, other, connections=4):
    """Connections that ask for all of a robot and read nothing, until they are cut off; and then again."""
    for _ in range(connections):
        threading.Thread(target=asks_only, args=(ready, other), daemon=True).start()


def forty_never_read(ready, other):
    """Enough of them for both processors, with an unoptimised server for minutes: not for the lockstep part."""
    never_reads(ready, other, 40)


@again
def garbage(one):
    for _ in range(100):
        one.sendall(random.randbytes(4000))


@again
def http(one):
    body = "HELLO 1 evil role=operator\nPAUSE\nREMOVE blue-1\n"
    one.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    while one.recv(4096):
        pass


@again
def opens_and_closes(one):
    pass


ATTACKS = [floods, never_reads, uploads, pushes, looks, half_lines, garbage, http, opens_and_closes]


def attack(name, ready):
    """An attacker's process: it has a robot that stands, and attacks from a line of its input on, until the next."""
    def fail(told):
        sys.__excepthook__(told.exc_type, told.exc_value, told.exc_traceback)
        os._exit(1)
    threading.excepthook = fail
    other = Client(ready, "ROBOT other file=pioneer x=-4 y=2")
    print("ready", flush=True)
    sys.stdin.readline()
    threading.Thread(target=globals()[name], args=(ready, other), daemon=True).start()
    while name not in ("nobody", "spins") and not count:
        time.sleep(0.01)
    print("attacks", flush=True)
    sys.stdin.readline()
    print(count, flush=True)
    os._exit(0)


class Attacker:
    """Such a process, as seen from here."""

    def __init__(self, kind, ready):
        command = [sys.executable, __file__, "attack", kind.__name__, json.dumps(ready)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def order(self):
        print(file=self.process.stdin, flush=True)
        return self.process.stdout.readline()

    def go(self):
        """Returns when the attack is under way."""
        assert self.order() == "attacks\n"

    def end(self):
        return int(self.order())


def read(client, line):
    """A whole answer."""
    client.socket.sendall(line.encode() + b"\n")
    head = client.lines.readline()
    assert head.startswith(b"OK"), head
    more = re.search(rb" lines=(\d+)", head)
    return head + b"".join(client.lines.readline() for _ in range(int(more[1]) if more else 0))


def honest_bytes(ready, rounds):
    """All that an honest operator reads of a match that he steps, but for the time of day."""
    client = Client(ready, "HELLO 1 honest role=operator")
    text = read(client, "ROBOT mine file=pioneer x=1 y=-1.5")
    for number in range(rounds):
        for line in [f"TWIST me {number % 7 / 10} 0 {number % 5 - 2}", "STEP 3", "GET me *", "GET blue-1 *", "WORLD", "SCORE"]:
            text += read(client, line)
    text += re.search(rb"state_hash=\S+", read(client, "STATUS"))[0]
    return re.sub(rb"(stamp_us=|DATA \S+ )\d+", rb"\1-", text)


def lockstep(program, rounds=300):
    """The same match without and with each attacker."""
    whole = None
    for kind in [nobody, *ATTACKS]:
        with served(program, "--studio", "127.0.0.1:0", "--speed", "lockstep") as (_, ready):
            attacker = Attacker(kind, ready)
            attacker.go()
            text = honest_bytes(ready, rounds)
            done = attacker.end()
        whole = whole or text
        print(f"{kind.__name__}: {len(text)} bytes, {'the same' if text == whole else 'OTHERS'}; attacks: {done}", flush=True)
        if text != whole:
            place = next(place for place, (one, two) in enumerate(zip(text, whole)) if one != two)
            sys.exit(f"from byte {place} on: {text[place - 80:place + 80]} instead of {whole[place - 80:place + 80]}")


def p99_ms(client, seconds):
    """What a player waits for the sensors of a robot, a hundred times a second."""
    waited, due = [], time.perf_counter()
    while len(waited) * PERIOD_S < seconds:
        due = max(due + PERIOD_S, time.perf_counter() - PERIOD_S)
        time.sleep(max(0, due - time.perf_counter()))
        began = time.perf_counter()
        read(client, "GET blue-1 *")
        waited.append((time.perf_counter() - began) * 1e3)
    return sorted(waited)[len(waited) * 99 // 100]


def real_time(program, runs=3, *only):
    """Alone, and then beside the attacker, on the same server: three times each."""
    for kind in [globals()[name] for name in only] or [nobody, spins, *ATTACKS, forty_never_read]:
        rows = []
        for _ in range(runs):
            with served(program, "--studio", "127.0.0.1:0") as (server, ready):
                client, attacker = Client(ready, "HELLO 1 honest"), Attacker(kind, ready)
                before = processor_s(server.pid)
                alone = p99_ms(client, SECONDS)
                used = -(processor_s(server.pid) - before)
                before = processor_s(server.pid)
                attacker.go()
                beside = p99_ms(client, SECONDS)
                count = attacker.end()
                used += processor_s(server.pid) - before
                rows.append((alone, beside, count, used))
        ratios = sorted(beside / alone for alone, beside, *_ in rows)
        pairs = ", ".join(f"{alone:.2f} -> {beside:.2f}" for alone, beside, *_ in rows)
        attacks, used = sum(row[2] for row in rows), sum(row[3] for row in rows)
        print(f"{kind.__name__}: p99 {statistics.median(ratios):.2f} times ({ratios[0]:.2f} to {ratios[-1]:.2f}): {pairs} ms; "
              f"attacks: {attacks}, {used:.2f} s of the server's processor time more than without, "
              f"{used / max(attacks, 1) * 1e6:.1f} us each", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "attack":
        attack(sys.argv[2], json.loads(sys.argv[3]))
    {"lockstep": lockstep, "time": real_time}[sys.argv[2]](sys.argv[1], *map(int, sys.argv[3:4]), *sys.argv[4:])
