"""Touchline beside ARGoS and Stage: simulated seconds for each CPU-second, in turns. README.md says what is compared.

python3 tests/peers/swarm.py --argos PREFIX --stage PREFIX                      all swarms, three rounds
python3 tests/peers/swarm.py laser --stage PREFIX --robots 100 --rounds 7       one of them
python3 tests/peers/swarm.py --argos PREFIX --look --seconds 30                 no times: where do the robots get to?
"""

import argparse
import csv
import io
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import worlds

HERE = pathlib.Path(__file__).resolve().parent
# Square metres for each robot.
ROOM_M2 = {"contact": 0.1, "careful": 0.2, "laser": 16.0}
# Who turns away pushes after so long, seconds; the careful never do.
PATIENCE_S = {"contact": 0.5, "careful": 1e9}
CLEARANCE_M = 0.06
# Simulated seconds of a run by the number of robots: a few CPU-seconds each.
RING_S = {"argos": {8: 600, 100: 60, 1000: 15}, "touchline": {8: 6000, 100: 300, 1000: 30}}
LASER_S = {"stage": {8: 200, 100: 10, 1000: 3}, "touchline": {8: 2000, 100: 200, 1000: 20}}
# A disc of the contact swarm, and what still counts as touching.
RADIUS_M, NEAR_M = 0.085, 0.002


class Run:
    """A program and its world, to be run for so long."""

    def __init__(self, name, folder, seconds, step_s):
        self.name, self.folder, self.seconds, self.step_s = name, folder, seconds, step_s

    def command(self, seconds):
        raise NotImplementedError

    def rate(self):
        """Simulated seconds for each CPU-second, without the start."""
        start_s, whole_s = (self.cpu_s(seconds) for seconds in (self.step_s, self.seconds))
        if whole_s - start_s < 0.1:
            raise SystemExit(f"{self.name}: {self.seconds} simulated seconds take no longer than its start; give more of them")
        return (self.seconds - self.step_s) / (whole_s - start_s)

    def cpu_s(self, seconds):
        """Of all processes that the program starts and waits for."""
        command, environment = self.command(seconds)
        self.out = self.folder / f"{self.name}.out"
        with self.out.open("wb") as out:
            child = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=out, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"{command} ended with {child.returncode}:\n{self.out.read_text()[-2000:]}")
        return used.ru_utime + used.ru_stime

    def places(self):
        """Where the robots are at the end, by name; after a run."""
        lines = [line.split() for line in self.out.read_text(errors="replace").splitlines()]
        rows = [line[1:] for line in lines if line[:1] == ["place"]]
        return {name: (float(x), float(y)) for name, x, y in rows}


class Touchline(Run):
    def __init__(self, name, folder, seconds, step_s, program, text):
        super().__init__(name, folder, seconds, step_s)
        self.program, self.world = program, folder / f"{name}.toml"
        self.world.write_text(text)

    def command(self, seconds):
        plugins = ["--plugins", self.folder]
        return [self.program, "run", self.world, *plugins, "--for", str(seconds), "--seed", "1", "--json"], None

    def places(self):
        """By a run that is recorded."""
        log = self.folder / "log.mcap"
        log.unlink(missing_ok=True)
        subprocess.run([*self.command(self.seconds)[0], "--record", log], check=True, stdout=subprocess.DEVNULL)
        command = [self.program, "log", "csv", log, "--plugins", self.folder]
        table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        # Of each robot the last line stays.
        return {row["object"]: (float(row["x_m"]), float(row["y_m"])) for row in csv.DictReader(io.StringIO(table))}


class Argos(Run):
    def __init__(self, name, folder, seconds, prefix, swarm, cell_m, patience_s):
        super().__init__(name, folder, seconds, 0.1)
        self.prefix, self.swarm = prefix, swarm
        self.cell_m, self.patience_s = cell_m, patience_s

    def command(self, seconds):
        world = self.folder / f"{self.name}.argos"
        library = self.folder / "argos_swarm.so"
        world.write_text(worlds.argos(self.swarm, library, seconds, self.cell_m, CLEARANCE_M, self.patience_s))
        libraries = self.prefix / "lib" / "argos3"
        environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries), "ARGOS_PLUGIN_PATH": str(libraries)}
        return [self.prefix / "bin" / "argos3", "-n", "-z", "-c", world], environment


class Stage(Run):
    def __init__(self, name, folder, seconds, prefix, swarm):
        super().__init__(name, folder, seconds, 0.1)
        self.prefix, self.swarm = prefix, swarm

    def command(self, seconds):
        world = self.folder / f"{self.name}.world"
        world.write_text(worlds.stage(self.swarm, "stage_swarm", seconds))
        libraries = f"{self.prefix / 'lib'}:{self.folder}"
        environment = {**os.environ, "LD_LIBRARY_PATH": libraries, "STAGEPATH": str(self.prefix / "share" / "stage")}
        return [self.prefix / "bin" / "stage", "-g", world], environment


def build(folder, source, library, *options):
    """A controller, for the machine that it runs on and optimised as ARGoS is; Stage compiles itself with -O2."""
    compiler = os.environ.get("CXX", "c++")
    flags = ["-std=c++17", "-O3", "-DNDEBUG", "-march=native", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, *options, HERE / source, "-o", folder / library], check=True)


def ring_swarm(name, swarm, folder, options):
    """Discs with short rays beside ARGoS, by both of its ways to find what is near, and by both of our laws."""
    seconds = {who: options.seconds or RING_S[who].get(swarm.robots, 10) for who in RING_S}
    patience_s = PATIENCE_S[name]
    for kind, cell_m in (("argos", None), ("argos-hash", 2 * RADIUS_M)):
        yield Argos(kind, folder, seconds["argos"], options.argos, swarm, cell_m, patience_s)
    player = worlds.rule(worlds.ring(CLEARANCE_M, patience_s))
    for law, step_s in (("discs", 0.05), ("discs", 0.01), ("rigid", 0.01)):
        text = worlds.touchline(swarm, "disc.toml", law, step_s, player)
        yield Touchline(f"{law}-{step_s}", folder, seconds["touchline"], step_s, options.touchline, text)


def laser_swarm(name, swarm, folder, options):
    """Rectangles with long scans beside Stage: in steps as long as its own, in shorter ones; the shipped player."""
    seconds = {who: options.seconds or LASER_S[who].get(swarm.robots, 10) for who in LASER_S}
    yield Stage("stage", folder, seconds["stage"], options.stage, swarm)
    players = {"": worlds.rule(worlds.FRONT), "-wanderer": worlds.wanderer(0.5)}
    for step_s, player in ((0.1, ""), (0.02, ""), (0.1, "-wanderer")):
        text = worlds.touchline(swarm, "rectangle.toml", "rigid", step_s, players[player])
        yield Touchline(f"step-{step_s}{player}", folder, seconds["touchline"], step_s, options.touchline, text)


def measure(name, runs, rounds):
    """Each program in turn, round by round; a ratio is that of two runs of one round, to the faster way of the peer."""
    rates = {run.name: [] for run in runs}
    for _ in range(rounds):
        for run in runs:
            rates[run.name].append(run.rate())
    peers = [run.name for run in runs if not isinstance(run, Touchline)]
    peer = max(peers, key=lambda peer: statistics.median(rates[peer]))
    for run in runs:
        own = rates[run.name]
        ratios = [rate / other for rate, other in zip(own, rates[peer])]
        print(f"{name}: {run.name:18} {run.seconds:6} s: {statistics.median(own):10.2f} simulated s/CPU-s "
              f"({min(own):.2f} to {max(own):.2f}), {statistics.median(ratios):7.2f} times {peer} "
              f"({min(ratios):.2f} to {max(ratios):.2f})", flush=True)


def look(name, runs, swarm):
    """Do the robots move, do they stay within, how many discs touch another one?"""
    starts = {f"r{index}": place[:2] for index, place in enumerate(swarm.places)}
    for run in runs:
        # A recording is long, and the peers run for less.
        run.seconds = runs[0].seconds
        if not isinstance(run, Touchline):
            run.cpu_s(run.seconds)
        ends = {robot: place for robot, place in run.places().items() if robot in starts}
        ways = [math.dist(starts[robot], place) for robot, place in ends.items()]
        within = sum(max(map(abs, place)) < swarm.half_m for place in ends.values())
        touching = sum(
            any(math.dist(place, other) < 2 * RADIUS_M + NEAR_M for name, other in ends.items() if name != robot)
            for robot, place in ends.items()
        )
        discs = "" if isinstance(runs[0], Stage) else f", {touching} touch another"
        print(f"{name}: {run.name:18} after {run.seconds} s: {len(ends)} robots, {within} within, "
              f"{statistics.median(ways):.2f} m from their start (least {min(ways):.2f}){discs}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--touchline", type=pathlib.Path, default=HERE.parents[1] / "target/release/touchline")
    parser.add_argument("swarms", nargs="*", help="contact, careful or laser; without any, all")
    parser.add_argument("--argos", type=pathlib.Path, help="where ARGoS was installed; without it, no contact swarm")
    parser.add_argument("--stage", type=pathlib.Path, help="where Stage was installed; without it, no laser swarm")
    parser.add_argument("--robots", type=int, nargs="+", default=[8, 100, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--room", type=float, help="square metres for each robot, in place of the swarm's own")
    parser.add_argument("--seconds", type=float, help="simulated seconds of each run, in place of a table's")
    parser.add_argument("--look", action="store_true", help="look where the robots get to, and measure nothing")
    options = parser.parse_args()
    peers = {"contact": "argos", "careful": "argos", "laser": "stage"}
    for peer, program in (("argos", "bin/argos3"), ("stage", "bin/stage")):
        prefix = getattr(options, peer)
        if prefix and not (prefix / program).exists():
            parser.error(f"--{peer}: there is no {prefix / program}; README.md says how it is built")
    if not (options.argos or options.stage):
        parser.error("neither --argos nor --stage says where a peer is")
    for name in options.swarms:
        if name not in peers:
            parser.error(f"there is no swarm {name}; there are {', '.join(peers)}")
        if not getattr(options, peers[name]):
            parser.error(f"{name} is measured against a peer: --{peers[name]} says where it was installed")
    for name in ("touchline", "argos", "stage"):
        setattr(options, name, getattr(options, name) and getattr(options, name).resolve())
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for robot in ("disc.toml", "rectangle.toml"):
            shutil.copy(HERE / robot, folder)
        build(folder, "touchline_swarm.cpp", "libtouchline_swarm.so", f"-I{HERE.parents[1] / 'plugin-api' / 'include'}")
        swarms = {}
        if options.argos:
            build(folder, "argos_swarm.cpp", "argos_swarm.so", f"-I{options.argos / 'include'}")
            swarms.update(contact=ring_swarm, careful=ring_swarm)
        if options.stage:
            (include,) = (options.stage / "include").glob("Stage-*")
            build(folder, "stage_swarm.cpp", "stage_swarm.so", f"-I{include}")
            swarms.update(laser=laser_swarm)
        for name in options.swarms or swarms:
            for robots in options.robots:
                swarm = worlds.Swarm(robots, options.room or ROOM_M2[name])
                runs = list(swarms[name](name, swarm, folder, options))
                if options.look:
                    look(f"{name} {robots}", runs, swarm)
                else:
                    measure(f"{name} {robots}", runs, options.rounds)


if __name__ == "__main__":
    main()
