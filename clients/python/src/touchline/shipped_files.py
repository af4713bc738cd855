"""The worlds, robots and plugins that are part of this package; and what a user means by "a world"."""

from __future__ import annotations

import os
from pathlib import Path

from ._engine import WorldError

_FOLDER = Path(__file__).resolve().parent / "shipped"


def shipped_plugins() -> Path:
    """The folder of the plugins that this package brings."""
    return _FOLDER / "plugins"


def shipped_worlds_folder() -> Path:
    """The folder of the worlds that this package brings; that of the robots is beside it."""
    return _FOLDER / "worlds"


def shipped_worlds() -> list[str]:
    """The names of the worlds that this package brings; those with a table ``[episode]`` can be played in."""
    return sorted(path.stem for path in (_FOLDER / "worlds").glob("*.toml"))


def world_text(world: str | os.PathLike[str]) -> tuple[str, Path]:
    """A world's text, and what it is called in messages.

    ``world`` is the path of a world file, the name of a shipped one, or the text of one (it has more than one line). A text may
    name the shipped robots as a shipped world does: ``file = "../robots/pioneer.toml"``.
    """
    if isinstance(world, str):
        if "\n" in world:
            return world, _FOLDER / "worlds" / "text.toml"
        shipped = _FOLDER / "worlds" / f"{world}.toml"
        if world in shipped_worlds() and not Path(world).is_file():
            return shipped.read_text(encoding="utf-8"), shipped
    path = Path(world)
    try:
        return path.read_text(encoding="utf-8"), path
    except (OSError, UnicodeDecodeError) as error:
        raise WorldError(
            f"cannot read the world {os.fspath(world)!r}: {error}; shipped with the package: {', '.join(shipped_worlds())}"
        ) from None
