"""``--set NAME=VALUE``: a value of a world file, in JSON, for the examples' command lines."""

from __future__ import annotations

import argparse
import json
from typing import Any


def setting(word: str) -> tuple[str, Any]:
    """Name and value of one ``NAME=VALUE``."""
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{word!r} is not NAME=VALUE, such as dt_s=0.02")
    try:
        return name, json.loads(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"the value of {name} is not JSON ({error}); a text has quotes: '{name}=\"{value}\"'") from error


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The option ``--set``, which may come many times; ``dict(given.set)`` are the changes."""
    parser.add_argument(
        "--set", type=setting, action="append", default=[], metavar="NAME=VALUE", help="a value of the world file, in JSON"
    )
