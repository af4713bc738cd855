"""Sixty pages seek through the past: what does an honest client on the message board feel?

python3 tests/attacks/looking.py target/debug/touchline [pages] [seconds]
"""

import asyncio
import base64
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
import urllib.parse

WORLD = "worlds/f2000.toml"
PERIOD_S = 0.01


class Page:
    """A WebSocket to the studio: it looks at one tick after the other, and reads all that it is sent."""

    looks = 0

    async def connect(self, url):
        where = urllib.parse.urlparse(url)
        self.reader, self.writer = await asyncio.open_connection(where.hostname, where.port)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET /ws HTTP/1.1\r\nHost: {where.netloc}\r\nOrigin: {url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.writer.write(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        answer = await self.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in answer.splitlines()[0], answer

    def send(self, code, data):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))
        self.writer.write(bytes([0x80 | code, 0x80 | len(data)]) + mask + masked)

    def say(self, message):
        self.send(1, json.dumps(message).encode())

    async def message(self):
        code, length = await self.reader.readexactly(2)
        if length == 126:
            length = int.from_bytes(await self.reader.readexactly(2), "big")
        elif length == 127:
            length = int.from_bytes(await self.reader.readexactly(8), "big")
        return code & 15, await self.reader.readexactly(length)

    async def seek(self):
        is_looking, frames = False, 0
        while True:
            code, data = await self.message()
            if code == 9:
                self.send(10, data)
            elif code == 2:
                frames += 1
                self.say({"ack": frames})
            elif code == 1:
                message = json.loads(data)
                if message["type"] == "status":
                    past = message["oldest"], message["newest"]
                Page.looks += message["type"] == "looking"
                if message["type"] == "looking" or (message["type"] == "status" and not is_looking):
                    is_looking = True
                    self.say({"look": random.randint(*past)})


async def seek(url, count):
    pages = [Page() for _ in range(count)]
    for page in pages:
        await page.connect(url)
    await asyncio.gather(*(page.seek() for page in pages))


def honest(port, seconds):
    """How long each of a hundred questions a second waits for its answer, milliseconds."""
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines, waited = client.makefile("rb"), []
    lines.readline()
    due = time.perf_counter()
    while len(waited) * PERIOD_S < seconds:
        due = max(due + PERIOD_S, time.perf_counter() - PERIOD_S)
        time.sleep(max(0, due - time.perf_counter()))
        began = time.perf_counter()
        client.sendall(b"GET blue-1 *\n")
        line = lines.readline()
        assert line.startswith(b"OK GET"), line
        for _ in range(int(re.search(rb" lines=(\d+)", line)[1])):
            lines.readline()
        waited.append((time.perf_counter() - began) * 1e3)
    client.sendall(b"STATUS\n")
    status = lines.readline().decode()
    return waited, [re.search(rf"{key}=(\S+)", status)[1] for key in ("timed_steps", "late_steps")]


def tell(name, port, seconds):
    waited, (steps, late) = honest(port, seconds)
    waited.sort()
    median, p99 = statistics.median(waited), waited[len(waited) * 99 // 100]
    print(f"{name}: median {median:.2f} ms, p99 {p99:.2f} ms, worst {waited[-1]:.1f} ms; {late} of {steps} steps late", flush=True)


def main(program, count=60, seconds=20):
    command = [program, "serve", WORLD, "--board", "127.0.0.1:0", "--studio", "127.0.0.1:0", "--ready-json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            ready = json.loads(server.stdout.readline())
            port = int(ready["board"].rsplit(":", 1)[1])
            time.sleep(20)  # A past to look at.
            tell("nobody looks", port, seconds)
            # In a process of their own: what they take of this one is not the server's.
            pages = subprocess.Popen([sys.executable, __file__, "pages", ready["studio"], str(count), str(seconds + 4)])
            time.sleep(3)
            tell(f"{count} pages look", port, seconds)
            pages.wait()
        finally:
            server.terminate()


def pages(url, count, seconds):
    threading.Thread(target=lambda: asyncio.run(seek(url, count)), daemon=True).start()
    time.sleep(seconds)
    print(f"{Page.looks / seconds:.0f} looks a second", flush=True)
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1] == "pages":
        pages(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
    else:
        main(sys.argv[1], *map(int, sys.argv[2:]))
