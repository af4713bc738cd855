"""The learned attacker of docs/goalkeeper-benchmark.md, from nothing to its table: ``python -m touchline.examples.reference models``.

Trains some seeds with one recipe, each against all keepers at once, plays the benchmark with each, and prints the table. What is there
already in the folder is not done again, so it can be stopped and run on. Needs PyTorch and onnx; matplotlib for the curves.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .evaluate import wilson_95
from .keepers import LEVELS, POLICIES

_Counts = dict[str, list[dict[str, Any]]]


def train(folder: Path, seed: int, steps: int) -> Path:
    """Learns with one seed in a process of its own, with one thread for the worlds; gives the ONNX file."""
    model = folder / f"seed-{seed}.onnx"
    if not model.is_file():
        command = [sys.executable, "-m", "touchline.examples.train_ppo", "--level", "all", "--steps", str(steps)]
        command += ["--seed", str(seed), "--threads", "1", "--log", str(folder / f"seed-{seed}.jsonl"), "--export", str(model)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return model


def play(model: Path, episodes: int) -> list[dict[str, Any]]:
    """Plays the benchmark with one policy."""
    scores = model.with_suffix(f".{episodes}.scores")
    if not scores.is_file():
        command = [sys.executable, "-m", "touchline.examples.evaluate", str(model), "--episodes", str(episodes), "--json"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        scores.write_text(done.stdout, encoding="utf-8")
    return [json.loads(line) for line in scores.read_text(encoding="utf-8").splitlines()]


def interval(lines: list[dict[str, Any]]) -> tuple[float, float]:
    """Wilson's interval of all episodes of some seeds against one keeper."""
    goals = sum(line["outcomes"].get("goal", 0) for line in lines)
    return wilson_95(goals, sum(sum(line["outcomes"].values()) for line in lines))


def cell(lines: list[dict[str, Any]]) -> str:
    """The mean of the seeds with Wilson's interval of all their episodes; if there are several, the lowest and the highest seed."""
    rates = [100.0 * line["outcomes"].get("goal", 0) / sum(line["outcomes"].values()) for line in lines]
    low, high = interval(lines)
    seeds = f" ({min(rates):.1f} to {max(rates):.1f})" if len(rates) > 1 else ""
    return f"{sum(rates) / len(rates):.1f} [{100 * low:.1f}, {100 * high:.1f}]{seeds}"


def table(scores: _Counts) -> str:
    """As Markdown: a row for each policy of the keeper."""
    rows = ["| keeper | " + " | ".join(f"level {level}" for level in LEVELS) + " |", "|---" * 6 + "|"]
    for policy in ("none", *POLICIES):
        names = [name for name in (policy, *(f"{policy}-{level}" for level in LEVELS)) if name in scores]
        cells = [cell(scores[name]) for name in names]
        if policy == "still" and cells:
            cells.append("the same")
        if cells:
            rows.append(f"| {policy} | " + " | ".join(cells + [""] * (5 - len(cells))) + " |")
    return "\n".join(rows)


def outcomes(scores: _Counts) -> str:
    """As Markdown: how the episodes of all seeds ended, in percent."""
    words = ("saved", "out", "time", "foul")
    rows = ["| keeper | s to goal | " + " | ".join(words) + " |", "|---" * 6 + "|"]
    for name, lines in scores.items():
        episodes = sum(sum(line["outcomes"].values()) for line in lines)
        goals = sum(line["outcomes"].get("goal", 0) for line in lines)
        secs = sum(line["outcomes"].get("goal", 0) * (line["seconds_to_goal"] or 0.0) for line in lines) / max(1, goals)
        shares = [100.0 * sum(line["outcomes"].get(word, 0) for line in lines) / episodes for word in words]
        rows.append(f"| {name} | {secs:.2f} | " + " | ".join(f"{share:.1f}" for share in shares) + " |")
    return "\n".join(rows)


def easier(scores: _Counts) -> list[str]:
    """The levels that are easier than the one below them, beyond both 95 % intervals: of each seed, and of all together."""
    found = []
    seeds = max(len(lines) for lines in scores.values())
    for who, chosen in [(f"seed {seed + 1}", slice(seed, seed + 1)) for seed in range(seeds)] + [("all seeds", slice(None))]:
        for policy in POLICIES:
            for level in LEVELS[1:]:
                lower, higher = (scores.get(f"{policy}-{number}", []) for number in (level - 1, level))
                if lower and higher and interval(higher[chosen])[0] > interval(lower[chosen])[1]:
                    found.append(f"{who}: {policy}-{level - 1} {cell(lower[chosen])}, {policy}-{level} {cell(higher[chosen])}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the policies and scores are put")
    parser.add_argument("--seeds", type=int, default=5, help="how many: 1, 2, 3 and so on")
    parser.add_argument("--steps", type=int, default=6_000_000)
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time; it changes no result")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)

    def one(seed: int) -> list[dict[str, Any]]:
        return play(train(given.folder, seed, given.steps), given.episodes)

    scores: _Counts = {}
    with ThreadPoolExecutor(given.jobs) as jobs:
        for lines in jobs.map(one, range(1, given.seeds + 1)):
            for line in lines:
                scores.setdefault(line["keeper"], []).append(line)
    print(table(scores), end="\n\n")
    print(outcomes(scores), end="\n\n")
    for seed in range(given.seeds):
        print(f"seed {seed + 1}\n\n{table({name: lines[seed : seed + 1] for name, lines in scores.items()})}", end="\n\n")
    for pair in easier(scores):
        print(f"a higher level is easier, beyond the intervals: {pair}")


if __name__ == "__main__":
    main()
