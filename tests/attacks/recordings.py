"""Recordings that somebody has tampered with: what do the commands make of them?

python3 tests/attacks/recordings.py target/release/touchline [how many [seed]]

Three recordings are damaged in twelve ways each: bits, bytes, cuts, zeros, parts of another one, records left out, doubled, exchanged, with another
length. A command may refuse the file, or give what it gives of a whole one; it may not panic, hang, or give something else and say that all is well.
"""

import collections
import contextlib
import os
import random
import struct
import subprocess
import sys
import tempfile

MATCHES = [("worlds/f2000.toml", 1), ("worlds/keeper.toml", 2), ("worlds/f2000.toml", 3)]
MAGIC_BYTES = 8
HEAD = struct.Struct("<BQ")
TIMEOUT_S = 120


def run(program, *words):
    ended = subprocess.run([program, *words], capture_output=True, timeout=TIMEOUT_S)
    return ended.returncode, ended.stdout, ended.stderr


def records(data):
    """Operation and bytes of each record."""
    place, found = MAGIC_BYTES, []
    while place + HEAD.size <= len(data) - MAGIC_BYTES:
        operation, length = HEAD.unpack_from(data, place)
        end = place + HEAD.size + length
        found.append(data[place:end])
        place = end
    return found


def bits(data, _, dice):
    for _ in range(dice.randint(1, 20)):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return data


def some_bytes(data, _, dice):
    for _ in range(dice.randint(1, 8)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return data


def cut(data, _, dice):
    return data[:dice.randrange(len(data))]


def zeros(data, _, dice):
    place = dice.randrange(len(data))
    end = min(len(data), place + dice.randint(1, 5000))
    data[place:end] = bytes(end - place)
    return data


def other_end(data, other, dice):
    return data[:dice.randrange(len(data))] + other[dice.randrange(len(other)):]


def doubled(data, _, dice):
    place = dice.randrange(len(data))
    return data[:place + dice.randint(1, 50_000)] + data[place:]


def inserted(data, _, dice):
    place = dice.randrange(len(data))
    return data[:place] + dice.randbytes(dice.randint(1, 300)) + data[place:]


def of_records(change):
    """Damages the list of records, and puts the file together again."""
    def damage(data, other, dice):
        whole = bytes(data)
        list_of = records(whole)
        change(list_of, records(bytes(other)), dice.randrange(len(list_of)), dice)
        return whole[:MAGIC_BYTES] + b"".join(list_of) + whole[-MAGIC_BYTES:]
    damage.__name__ = change.__name__
    return damage


@of_records
def record_of_other(mine, theirs, at, dice):
    mine[at] = dice.choice([one for one in theirs if one[0] == mine[at][0]] or [mine[at]])


@of_records
def record_left_out(mine, _, at, dice):
    del mine[at]


@of_records
def records_exchanged(mine, _, at, dice):
    other = dice.randrange(len(mine))
    mine[at], mine[other] = mine[other], mine[at]


@of_records
def record_doubled(mine, _, at, dice):
    mine.insert(at, dice.choice(mine))


@of_records
def other_length(mine, _, at, dice):
    length = dice.choice([0, 1, 2**31, 2**63, 2**64 - 1, dice.randrange(1 << 20)])
    mine[at] = HEAD.pack(mine[at][0], length) + mine[at][HEAD.size:]


DAMAGES = [bits, some_bytes, cut, zeros, other_end, doubled, inserted,
           record_of_other, record_left_out, records_exchanged, record_doubled, other_length]


def wrong(program, file, is_whole, tables):
    """What the commands do with a file that they may not."""
    made = file + ".made"
    for words in [("info",), ("verify",), ("csv",), ("recover", made), ("cut", made, "--from", "5", "--to", "10")]:
        with contextlib.suppress(FileNotFoundError):
            os.remove(made)
        try:
            code, output, errors = run(program, "log", words[0], file, *words[1:])
        except subprocess.TimeoutExpired:
            yield words[0], "hangs"
            continue
        if code not in range(6):
            yield words[0], f"ends with {code}"
        if b"panicked" in errors:
            yield words[0], errors.decode(errors="replace")
        if code == 0 and words[0] == "verify" and not is_whole:
            yield words[0], "says that it is whole"
        if code == 0 and words[0] == "csv" and output not in tables:
            yield words[0], "gives another table"
        if words[0] == "recover" and os.path.exists(made) and run(program, "log", "verify", made)[0] != 0:
            yield words[0], "makes a recording that cannot be verified"


def main(program, count=150, seed=1):
    dice, found = random.Random(seed), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        whole, tables = [], []
        for number, (world, start) in enumerate(MATCHES):
            file = os.path.join(folder, f"{number}.mcap")
            assert run(program, "run", world, "--steps", "3000", "--seed", str(start), "--record", file)[0] == 0
            with open(file, "rb") as opened:
                whole.append(opened.read())
            tables.append(run(program, "log", "csv", file)[1])
        file = os.path.join(folder, "damaged.mcap")
        for number in range(count):
            damage, (one, other) = DAMAGES[number % len(DAMAGES)], dice.choices(whole, k=2)
            data = bytes(damage(bytearray(one), bytearray(other), dice))
            with open(file, "wb") as opened:
                opened.write(data)
            for command, what in wrong(program, file, data in whole, tables):
                found[command] += 1
                print(f"{number}, {damage.__name__}: {command} {what}", flush=True)
    print(f"{count} recordings, 5 commands each: {sum(found.values())} wrong {dict(found)}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
