"""Flips bits of a whole recording, one at a time, and asks every command what it makes of it.

    python3 tests/mcap/flip_bits.py target/debug/touchline match.mcap 400

A command may refuse, or give what it gives of the whole file; the exit code is 1 if one gave anything else.
"""

import collections
import pathlib
import random
import subprocess
import sys
import tempfile

TOPIC = "/touchline/state"


def log(program, *arguments):
    outcome = subprocess.run([program, "log", *map(str, arguments)], capture_output=True, check=False)
    return outcome.returncode, outcome.stdout


def ask(program, file, whole):
    """What each command makes of a file."""
    part = file.with_suffix(".part")
    made = {
        "verify": log(program, "verify", file, "--json"),
        "csv": log(program, "csv", file),
        "csv --topic": log(program, "csv", file, "--topic", TOPIC),
        "compare": log(program, "compare", file, whole, "--topic", TOPIC, "--json"),
        "cut": log(program, "cut", file, "--from", 1, "--to", 2, "--out", part),
    }
    if part.exists():
        made["cut"] = (made["cut"][0], part.read_bytes())
        part.unlink()
    return made


def ticks(program, file):
    """How many steps have poses."""
    return len({line.split(b",")[0] for line in log(program, "csv", file)[1].splitlines()[1:]})


def main(program, whole, count):
    data, drawn = pathlib.Path(whole).read_bytes(), random.Random(15)
    tally, kept = collections.defaultdict(collections.Counter), []
    with tempfile.TemporaryDirectory() as folder:
        file, recovered = pathlib.Path(folder, "bit.mcap"), pathlib.Path(folder, "recovered.mcap")
        file.write_bytes(data)
        right, steps = ask(program, file, whole), ticks(program, file)
        for _ in range(count):
            bytes_ = bytearray(data)
            bytes_[drawn.randrange(len(data))] ^= 1 << drawn.randrange(8)
            file.write_bytes(bytes_)
            for command, (code, made) in ask(program, file, whole).items():
                same = "same" if made == right[command][1] else "wrong"
                tally[command]["refused" if code else same] += 1
            code, _ = log(program, "recover", file, "--out", recovered)
            kept.append(0.0 if code else ticks(program, recovered) / steps)
            recovered.unlink(missing_ok=True)
    for command, counts in tally.items():
        print(command, dict(counts))
    print(f"recover keeps at least {min(kept):.1%} of the steps, on the average {sum(kept) / len(kept):.1%}")
    return 1 if any(counts["wrong"] for counts in tally.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
