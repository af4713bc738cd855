"""A picture of how a policy was learned, from the lines that ``train_ppo --log`` writes. Needs matplotlib.

    python -m touchline.examples.curve run.jsonl curve.png --reference 82.2,79.7,84.4
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

# Points of a line; each stands for the episodes of so many updates.
POINTS = 80


def shares(lines: Sequence[dict[str, Any]], names: Sequence[str]) -> tuple[Any, Any]:
    """Millions of steps, and percent of goals in the episodes that ended around there, against these keepers."""
    chunks = [chunk for chunk in np.array_split(np.arange(len(lines)), min(POINTS, len(lines))) if len(chunk)]
    steps, rates = [], []
    for chunk in chunks:
        counts = [lines[i]["goals"].get(name, (0, 0)) for i in chunk for name in names]
        goals, episodes = (sum(count[part] for count in counts) for part in (0, 1))
        if episodes:
            steps.append(lines[chunk[-1]]["steps"] / 1e6)
            rates.append(100.0 * goals / episodes)
    return np.asarray(steps), np.asarray(rates)


def draw(lines: Sequence[dict[str, Any]], path: str, *, title: str, reference: Sequence[float] | None = None) -> None:
    """Writes the picture: of each of the keeper's policies a line, and of ``reference`` (rate, lowest, highest) a band."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(name for line in lines for name in line["goals"]))
    policies = list(dict.fromkeys(name.partition("-")[0] for name in names))
    figure, axes = pyplot.subplots(figsize=(7.0, 4.0), dpi=110)
    for policy in policies:
        of_policy = [name for name in names if name.partition("-")[0] == policy]
        label = of_policy[0] if len(of_policy) == 1 else f"{policy}, all levels"
        axes.plot(*shares(lines, of_policy), linewidth=1.4, label=f"learning, against {label}")
    if reference is not None:
        rate, low, high = reference
        axes.axhspan(low, high, color="0.85", zorder=0)
        axes.axhline(rate, color="0.4", linestyle="--", linewidth=1.0, label=f"hand-written: {rate:.1f} % [{low:.1f}, {high:.1f}]")
    last = lines[-1]
    axes.set_xlabel(f"environment steps, millions ({last['cpu_s'] / 60.0:.1f} minutes of one core in all)")
    axes.set_ylabel("episodes with a goal, %")
    axes.set_xlim(0.0, last["steps"] / 1e6)
    axes.set_ylim(0.0, 100.0)
    axes.grid(alpha=0.25)
    axes.set_title(title, fontsize=10)
    axes.legend(fontsize=8, loc="lower right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", help="what train_ppo --log has written")
    parser.add_argument("picture", help="a file whose name ends with .png or .svg")
    parser.add_argument("--title", default="")
    parser.add_argument("--reference", help="the rate of another attacker and its interval, such as 82.2,79.7,84.4")
    given = parser.parse_args()
    with open(given.log, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    reference = [float(number) for number in given.reference.split(",")] if given.reference else None
    draw(lines, given.picture, title=given.title, reference=reference)


if __name__ == "__main__":
    main()
