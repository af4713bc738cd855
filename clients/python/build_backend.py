"""Builds the package: maturin, with the plugins, worlds and robots copied into it first.

PEP 517 calls these functions. Cargo builds what Cargo.lock says; beside the crates named there and maturin nothing is fetched.
Whether Rust is there is looked at before anything else: nothing is fetched for a build that cannot end well.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent
_SHIPPED = _HERE / "src" / "touchline" / "shipped"

_MATURIN = "maturin>=1.9,<2"

_HELP = (
    "Install it from https://rustup.rs, or name another cargo in the variable CARGO, and try again.\n"
    "The plain client needs no compiler: copy the folder clients/python/src/touchline_client, or put clients/python/src on "
    "PYTHONPATH."
)


def _wanted_rust() -> tuple[int, ...]:
    """The oldest compiler that the repository builds with, such as (1, 95)."""
    manifest = (_ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^rust-version = "([0-9.]+)"$', manifest, re.MULTILINE)
    return tuple(int(part) for part in found[1].split(".")) if found else (0,)


def _cargo() -> str:
    """The program cargo, new enough; says what is missing otherwise."""
    if not (_ROOT / "plugins").is_dir():
        raise SystemExit("touchline is built from its repository: pip install ./clients/python")
    wanted = ".".join(map(str, _wanted_rust()))
    cargo = os.environ.get("CARGO", "cargo")
    if shutil.which(cargo) is None:
        raise SystemExit(f"touchline needs Rust {wanted} or newer to be built, and there is no program {cargo}.\n{_HELP}")
    # In the repository's folder: rustup may choose another toolchain for it.
    said = subprocess.run([cargo, "--version"], cwd=_ROOT, capture_output=True, text=True, check=False)
    version = re.match(r"cargo (\d+)\.(\d+)", said.stdout)
    if version is None:
        raise SystemExit(f"touchline needs Rust {wanted} or newer; {cargo} --version says: {said.stdout}{said.stderr}\n{_HELP}")
    if (int(version[1]), int(version[2])) < _wanted_rust()[:2]:
        raise SystemExit(f"touchline needs Rust {wanted} or newer, and this is {said.stdout.strip()}.\n{_HELP}")
    return cargo


def _maturin() -> ModuleType:
    # Maturin runs its own program, which is on no path in a build without isolation.
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    return importlib.import_module("maturin")


def _crates() -> list[str]:
    """The crates of all plugins but those for tests."""
    folders = sorted((_ROOT / "plugins").iterdir())
    names = [folder.name for folder in folders if (folder / "Cargo.toml").is_file()]
    return [f"touchline-{name}" for name in names if not name.startswith("test-")]


def _build_plugins() -> list[Path]:
    """Builds the plugins, and gives the paths of their libraries."""
    command = [_cargo(), "build", "--release", "--locked", "--message-format=json-render-diagnostics"]
    # With the extension, which maturin asks for next: what both need is then built once.
    for crate in [*_crates(), "touchline-python"]:
        command += ["-p", crate]
    built = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, check=True)
    libraries = []
    for line in built.stdout.splitlines():
        message = json.loads(line)
        is_library = message.get("reason") == "compiler-artifact" and message["target"]["kind"] == ["cdylib"]
        if is_library and message["target"]["name"] != "_engine":
            libraries += [Path(name) for name in message["filenames"] if name.endswith((".so", ".dylib", ".dll"))]
    if len(libraries) != len(_crates()):
        raise SystemExit(f"cargo built {len(libraries)} plugins; there should be {len(_crates())}")
    return libraries


def _ship() -> None:
    """Puts everything that the wheel holds beside Python and the extension into the package's folder."""
    libraries = _build_plugins()
    shutil.rmtree(_SHIPPED, ignore_errors=True)
    (_SHIPPED / "plugins").mkdir(parents=True)
    for library in libraries:
        shutil.copy2(library, _SHIPPED / "plugins" / library.name)
    for folder in ("worlds", "robots"):
        shutil.copytree(_ROOT / folder, _SHIPPED / folder, ignore=shutil.ignore_patterns("*.md"))


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    _cargo()
    return [_MATURIN]


get_requires_for_build_editable = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    _cargo()
    return str(_maturin().prepare_metadata_for_build_wheel(metadata_directory, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _ship()
    return str(_maturin().build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _ship()
    return str(_maturin().build_editable(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    raise SystemExit("touchline is built from its repository, not from a source archive: pip install ./clients/python")
