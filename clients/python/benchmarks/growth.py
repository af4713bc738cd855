"""How speed grows with worlds and with robots: measures, and draws docs/images/growth-worlds.svg and growth-robots.svg.

    pip install matplotlib
    python clients/python/benchmarks/growth.py [--program target/release/touchline] [--rounds 3] [--json] > numbers.json
    python clients/python/benchmarks/growth.py --from numbers.json      # draws them again

- Worlds: environment steps (one decision of all agents in one world) a second of processor time, of `touchline bench WORLD --worlds N --threads 1`.
  Every world makes 600 decisions at least, an episode of `3v3`: a kick-off is cheaper than what follows, so numbers of worlds that were stepped for a
  second each would be those of other parts of a game.
- Robots: microseconds of processor time a step and robot, robots two metres apart on a square grid without walls. `round` stand still, by both laws
  of physics; `pioneer` are driven by `wanderer` with its laser at 30 Hz. It is the time of 1,200 steps less that of the first 200, so neither the
  start nor cold caches are in it. A flat line is a cost in proportion to the robots.

Every number is the median of some rounds; in a round all are measured one after the other, so what else the machine does falls on all of them. Dotted
lines are goals: those of docs/benchmarks.md, sections 14 and 16. They were set on other machines; the shape of a line says more than its height.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[3]
WORLDS = (1, 4, 16, 64, 256, 1024)
# Steps a second that 1,024 of them are meant to make.
WORLD_GOALS = {"3v3-discs": 110_000.0, "goalkeeper-discs": 300_000.0, "3v3": 45_000.0, "goalkeeper": 120_000.0}
# How many times as dear as at 64 robots one of 4,096 may be.
ROBOT_GOAL = 1.3
SPACE_M = 2.0
SHORT, LONG = 200, 1200
# Told apart without colours as well.
COLOURS, MARKS = ("#0072b2", "#d55e00", "#009e73", "#aa4499"), ("o", "s", "^", "D")


class Kind(NamedTuple):
    """Robots of one kind in one world."""

    law: str
    robot: str
    player: str
    most: int


KINDS = {
    "round at rest, law rigid": Kind("rigid", "round", "", 4096),
    "round at rest, law discs": Kind("discs", "round", "", 4096),
    "pioneer that wanders, with its laser": Kind("rigid", "pioneer", 'player = { plugin = "wanderer", rate_hz = 30 }', 1024),
}
ROBOTS = (16, 64, 256, 1024, 4096)

# A curve: the numbers of its points by their sizes, a size as text, as it is in JSON.
Curve = dict[str, float]
Curves = dict[str, Curve]


def told(command: list[str]) -> dict[str, Any]:
    """What the program prints as JSON."""
    said: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return said


def steps_a_second(program: str, world: str, worlds: int, decisions: int) -> float:
    # Few worlds make more, so that they do not take less time than can be measured.
    count = max(decisions, decisions * 256 // worlds)
    command = [program, "bench", str(ROOT / "worlds" / f"{world}.toml"), "--worlds", str(worlds), "--threads", "1"]
    return float(told([*command, "--decisions", str(count), "--json"])["env_steps_per_cpu_second"])


def grid(kind: Kind, robots: int) -> str:
    """The world file of robots on a square grid, row by row around the middle."""
    file = (ROOT / "robots" / f"{kind.robot}.toml").as_posix()
    text = f'name = "grid"\n\n[physics]\nlaw = "{kind.law}"\n'
    side = math.isqrt(robots - 1) + 1
    for number in range(robots):
        row, place = divmod(number, side)
        pose = f"x_m = {SPACE_M * (place - side / 2)}, y_m = {SPACE_M * (row - side / 2)}"
        text += f'\n[[robot]]\nname = "r{number}"\nfile = "{file}"\npose = {{ {pose} }}\n{kind.player}\n'
    return text


def share_us(program: str, file: Path, robots: int) -> float:
    """What a robot costs in a step, microseconds."""
    command = [program, "run", str(file), "--seed", "1", "--json", "--steps"]
    short, long = (float(told([*command, str(steps)])["cpu_seconds"]) for steps in (SHORT, LONG))
    return (long - short) / (LONG - SHORT) / robots * 1e6


def measure(program: str, rounds: int, decisions: int) -> dict[str, Curves]:
    """All points, each as the median of the rounds."""
    worlds: dict[tuple[str, int], list[float]] = {(world, count): [] for world in WORLD_GOALS for count in WORLDS}
    robots: dict[tuple[str, int], list[float]] = {(name, count): [] for name, kind in KINDS.items() for count in ROBOTS if count <= kind.most}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
            for (world, count), found in worlds.items():
                found.append(steps_a_second(program, world, count, decisions))
            for (name, count), found in robots.items():
                file = Path(folder) / "grid.toml"
                file.write_text(grid(KINDS[name], count), encoding="utf-8")
                found.append(share_us(program, file, count))
    return {"env_steps_per_cpu_second": curves(worlds), "us_per_robot_and_step": curves(robots)}


def curves(points: dict[tuple[str, int], list[float]]) -> Curves:
    made: Curves = {}
    for (name, count), found in points.items():
        made.setdefault(name, {})[str(count)] = float(f"{statistics.median(found):.4g}")
    return made


def draw(numbers: dict[str, Curves], folder: Path) -> list[Path]:
    """Both pictures: the same numbers give the same bytes."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "touchline", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10})
    from matplotlib import pyplot

    def picture(name: str, title: str, across: str, up: str, lines: Curves, goals: Curves, goal_name: str) -> Path:
        figure, axes = pyplot.subplots(figsize=(7.2, 4.4), layout="constrained")
        figure.set_facecolor("white")
        axes.set(xscale="log", yscale="log", title=title, xlabel=across, ylabel=up)
        for (label, line), colour, mark in zip(lines.items(), COLOURS, MARKS, strict=False):
            sizes = [int(size) for size in line]
            axes.plot(sizes, list(line.values()), color=colour, marker=mark, markersize=5, linewidth=1.6, label=label)
            if goal := goals.get(label):
                axes.plot([int(size) for size in goal], list(goal.values()), color=colour, linestyle=":", linewidth=1.4)
        axes.plot([], [], color="#555555", linestyle=":", linewidth=1.4, label=goal_name)
        # Whole numbers at the points' sizes and at 1, 2, 5 of each decade, in place of powers.
        every = sorted({int(size) for line in lines.values() for size in line})
        axes.set_xticks(every, [f"{size:,}" for size in every])
        axes.xaxis.minorticks_off()
        shown = [value for line in (*lines.values(), *goals.values()) for value in line.values()]
        low, high = min(shown) / 1.3, max(shown) * 1.3
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        ticks = [part * 10.0**decade for decade in decades for part in (1, 2, 5) if low <= part * 10.0**decade <= high]
        axes.set_yticks(ticks, [f"{tick:,.0f}" if tick >= 1 else f"{tick:g}" for tick in ticks])
        axes.yaxis.minorticks_off()
        axes.set_ylim(low, high)
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        figure.legend(loc="outside lower center", ncols=2, frameon=False)
        file = folder / name
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
        # It ends some lines in blanks.
        kept = [text.rstrip() for text in file.read_text(encoding="utf-8").splitlines()]
        file.write_text("\n".join(kept) + "\n", encoding="utf-8")
        return file

    steps, shares = numbers["env_steps_per_cpu_second"], numbers["us_per_robot_and_step"]
    # A goal is for the last size alone; its line is as long as is needed to be seen.
    last = WORLDS[-1]
    aims = {world: {str(last * 5 // 8): goal, str(last): goal} for world, goal in WORLD_GOALS.items()}
    bounds = {name: {size: ROBOT_GOAL * line["64"] for size in line if int(size) >= 64} for name, line in shares.items()}
    aim, bound = f"goal at {last:,}", f"goal: {ROBOT_GOAL} times that of 64"
    return [
        picture("growth-worlds.svg", "Many worlds, one thread", "worlds", "environment steps / CPU-second", steps, aims, aim),
        picture("growth-robots.svg", "Many robots in one world", "robots", "µs of CPU / robot and step", shares, bounds, bound),
    ]


def table(numbers: dict[str, Curves]) -> str:
    """The same as text, a row for each curve."""
    text = ""
    for what, lines in numbers.items():
        text += f"{what}\n"
        for name, line in lines.items():
            points = "  ".join(f"{int(size):,}: {value:,.{0 if value >= 100 else 2}f}" for size, value in line.items())
            text += f"  {name:37} {points}\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/touchline"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--decisions", type=int, default=600, help="how many each world makes at least")
    parser.add_argument("--from", dest="source", type=Path, help="a file of numbers: measures nothing, and draws these")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/images", help="the folder of the pictures")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.source is None and not Path(given.program).exists():
        parser.error(f"there is no {given.program}: cargo build --release --workspace makes it, or --program says where it is")
    if given.source is not None and not given.source.is_file():
        parser.error(f"there is no {given.source}: --json > FILE writes one")
    if given.source is None:
        numbers = measure(given.program, given.rounds, given.decisions)
    else:
        numbers = json.loads(given.source.read_text(encoding="utf-8"))
    # Said before it is drawn: numbers are dearer than pictures.
    print(json.dumps(numbers) if given.json else table(numbers), flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    for file in draw(numbers, given.out):
        print(f"{file}: {file.stat().st_size / 1e3:.1f} kB", file=sys.stderr)


if __name__ == "__main__":
    main()
