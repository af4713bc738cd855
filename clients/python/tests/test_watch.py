"""render_mode "human": the studio's page shows what is stepped, and nothing comes out otherwise."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import sys
import threading
import urllib.error
import urllib.request
import webbrowser
from urllib.parse import urlsplit

import numpy as np
import pytest
from conftest import CHASE, PAIR, decide

touchline = pytest.importorskip("touchline")
gymnasium = pytest.importorskip("gymnasium")

from touchline.gym import TouchlineEnv, TouchlineVectorEnv  # noqa: E402

SAID = "touchline: watch at "


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    monkeypatch.setenv("TOUCHLINE_BROWSER", "0")


@pytest.fixture
def make(capfd):
    """Makes an environment that is watched; gives it with the page's address, as it is told."""
    made = []

    def make(world=CHASE, kind=TouchlineEnv, *args, **options):
        env = kind(world, *args, render_mode="human", **options)
        made.append(env)
        (line,) = capfd.readouterr().err.splitlines()
        assert line.startswith(SAID + "http://127.0.0.1:")
        return env, line.removeprefix(SAID)

    yield make
    for env in made:
        env.close()


class Page:
    """A page of the studio, as far as these tests need one; docs/studio.md is the text to this."""

    def __init__(self, url):
        place = urlsplit(url)
        self.socket = socket.create_connection((place.hostname, place.port), timeout=300)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET /ws HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.socket.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.stream = self.socket.makefile("rb")
        assert b"101" in self.stream.readline()
        while self.stream.readline().strip():
            pass
        self.told = {}

    def message(self):
        """The next one: its kind (1 is text, 2 is bytes, 8 is the end) and what is in it."""
        first, length = struct.unpack("BB", self.stream.read(2))
        if length >= 126:
            form = "!H" if length == 126 else "!Q"
            (length,) = struct.unpack(form, self.stream.read(struct.calcsize(form)))
        return first & 0x0F, self.stream.read(length)

    def frame(self):
        """The step and the poses of the next frame, which is acknowledged; what is told before it is kept by type."""
        while True:
            kind, data = self.message()
            assert kind in (1, 2), (kind, data)
            if kind == 1:
                told = json.loads(data)
                self.told[told["type"]] = told
                continue
            sequence, step, count = (*struct.unpack_from("<IQ", data, 4), struct.unpack_from("<I", data, 36)[0])
            self.say(f'{{"ack":{sequence}}}')
            poses = {(at := struct.unpack_from("<Iffff", data, 40 + 20 * i))[0]: at[1:] for i in range(count)}
            return step, poses

    def say(self, text):
        data = text.encode()
        mask = bytes(4)
        self.socket.sendall(struct.pack("BB", 0x81, 0x80 | len(data)) + mask + data)

    def until(self, step):
        """The poses at a step."""
        while True:
            shown, poses = self.frame()
            if shown == step:
                return poses

    def close(self):
        self.stream.close()
        self.socket.close()


def is_served(url):
    place = urlsplit(url)
    with socket.socket() as one:
        return one.connect_ex((place.hostname, place.port)) == 0


def is_fetched(url):
    with urllib.request.urlopen(url) as answer:
        return answer.status == 200 and b"<canvas" in answer.read()


def test_a_page_shows_what_is_stepped(make):
    env, url = make()
    assert is_fetched(url)
    page = Page(url)
    env.reset(seed=1)
    for tick in range(3):
        env.step(decide(env.batch, tick)[0, 0])
    poses = page.until(round(3 * env.batch.decision_secs / dt(page)))
    assert page.told["hello"]["board"] is False and page.told["hello"]["role"] == "monitor"
    names = {thing["name"]: thing["id"] for thing in page.told["objects"]["put"]}
    # Where the picture has the robot, the page has it: the line of a robot begins in its centre.
    (line,) = (shape for shape in env.batch._engine.shapes(0) if shape[0] == "line")
    (agent,) = env.batch.agents
    assert np.allclose(poses[names[agent]][:2], line[2][:2], atol=1e-6)
    # A new episode begins on the page, too.
    env.reset()
    page.until(0)
    while page.told["status"]["episode"] != 1:
        kind, data = page.message()
        if kind == 1 and (told := json.loads(data))["type"] == "status":
            page.told["status"] = told
    page.close()


def dt(page):
    page.frame()
    return page.told["hello"]["dt_secs"]


def test_the_end_frees_the_port(make):
    env, url = make()
    page = Page(url)
    env.reset(seed=1)
    env.close()
    assert not is_served(url)
    page.close()
    env.close()
    with pytest.raises(RuntimeError, match="is closed"):
        env.reset()


def play(env):
    """Everything that comes out of two episodes."""
    out = [env.reset(seed=3)[0]]
    hashes = []
    for tick in range(20):
        observation, reward, terminated, truncated, _ = env.step(decide(env.batch, tick)[0, 0])
        hashes.append(env.batch.state_hash())
        out.append(np.array([*observation, reward, terminated, truncated]))
        if terminated or truncated:
            out.append(env.reset()[0])
    return [one.tolist() for one in out], hashes


def test_it_is_the_same_whoever_watches(make):
    expected = play(TouchlineEnv(CHASE))
    assert play(TouchlineEnv(CHASE, render_mode="rgb_array")) == expected
    env, url = make()
    stalled = Page(url)  # It never reads.
    assert play(env) == expected
    assert env.render() is None and "human" in env.metadata["render_modes"]
    env.close()
    stalled.close()


def test_steps_are_held_to_real_time(make):
    from time import monotonic

    env, _ = make()
    # Steps are due from the reset's picture on, however long it takes until this test goes on.
    began = monotonic()
    env.reset(seed=1)
    for tick in range(5):
        env.step(decide(env.batch, tick)[0, 0])
    assert monotonic() - began >= 0.99 * 5 * env.batch.decision_secs


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted as Linux lists them")
def test_nobody_who_does_not_watch_has_anything_of_it(make):
    def threads():
        return {open(f"/proc/self/task/{one}/comm").read().strip() for one in os.listdir("/proc/self/task")}

    def listens():
        inodes = {line.split()[9] for line in open("/proc/net/tcp").readlines()[1:] if line.split()[3] == "0A"}
        links = (f"/proc/self/fd/{one}" for one in os.listdir("/proc/self/fd"))
        return [link for link in links if os.path.islink(link) and os.readlink(link)[8:-1] in inodes]

    env = TouchlineEnv(CHASE, render_mode="rgb_array")
    env.reset(seed=1)
    env.render()
    assert "studio" not in threads() and not listens()
    env, url = make()
    # It has its name by the time that it answers.
    assert is_fetched(url) and "studio" in threads() and len(listens()) == 1
    env.close()
    assert not listens()


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_of_many_the_first_is_shown(make, autoreset):
    env, url = make(CHASE, TouchlineVectorEnv, 3, autoreset_mode=autoreset)
    page = Page(url)
    env.reset(seed=1)
    for tick in range(12):
        env.step(decide(env.batch, tick)[:, 0])
    decisions = 12 - 10 - (autoreset == "next_step")
    page.until(round(decisions * env.batch.decision_secs / dt(page)))
    page.close()


def test_several_agents_are_shown(make):
    pytest.importorskip("pettingzoo")
    env, url = make(PAIR, touchline.parallel_env)
    page = Page(url)
    env.reset(seed=1)
    page.frame()
    assert set(env.agents) <= {thing["name"] for thing in page.told["objects"]["put"]}
    page.close()


def test_a_batch_is_watched_once(capfd):
    with touchline.Batch(CHASE) as batch, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port} of 127.0.0.1 cannot be had for the studio"):
            batch.watch(port=port)
        with pytest.raises(ValueError, match="port is 65536; allowed is 0 to 65535"):
            batch.watch(port=65536)
        url = batch.watch()
        assert capfd.readouterr().err == f"{SAID}{url}\n"
        with pytest.raises(RuntimeError, match="is watched already"):
            batch.watch()
        assert is_served(url)
    assert not is_served(url)
    with pytest.raises(RuntimeError, match="is closed"):
        batch.watch()


def test_a_browser_is_opened_where_it_can_be_seen(monkeypatch):
    opened = []

    class Background(webbrowser.BackgroundBrowser):
        def open(self, url, new=0, autoraise=True):
            opened.append(url)
            return True

    class Missing:
        def __call__(self):
            raise webbrowser.Error("there is none")

    def tried(browser=None, **environment):
        opened.clear()
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "BROWSER", "TOUCHLINE_BROWSER"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with touchline.Batch(CHASE) as batch:
            url = batch.watch(browser=browser)
            for thread in threading.enumerate():
                if thread.name == "touchline-browser":
                    thread.join()
        assert opened in ([], [url])
        return bool(opened)

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webbrowser, "get", lambda: Background("any"))
    assert tried(DISPLAY=":0") and tried(WAYLAND_DISPLAY="wayland-0")
    assert not tried()
    assert not tried(browser=False, DISPLAY=":0") and not tried(DISPLAY=":0", TOUCHLINE_BROWSER="0")
    assert tried(browser=True) and tried(TOUCHLINE_BROWSER="1") and tried(browser=True, TOUCHLINE_BROWSER="0")
    # One in the terminal is not wanted unless somebody says so.
    terminal = webbrowser.GenericBrowser("any")
    terminal.open = opened.append
    monkeypatch.setattr(webbrowser, "get", lambda: terminal)
    assert not tried(DISPLAY=":0") and tried(browser=True)
    monkeypatch.setattr(webbrowser, "get", Missing())
    assert not tried(browser=True)
    monkeypatch.setenv("TOUCHLINE_BROWSER", "yes")
    with touchline.Batch(CHASE) as batch, pytest.raises(ValueError, match="TOUCHLINE_BROWSER is 'yes'; allowed is 0 or 1"):
        batch.watch()


def test_what_is_measured_of_servers_is_not_there(make):
    _, url = make()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(url + "metrics")
