"""Builds the package: maturin, with the plugins, worlds and robots copied into it first.

PEP 517 calls these functions. Cargo builds what Cargo.lock says; beside the crates named there and maturin nothing is fetched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import maturin

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent
_SHIPPED = _HERE / "src" / "touchline" / "shipped"

# Maturin runs its own program, which is on no path in a build without isolation.
os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])


def _crates() -> list[str]:
    """The crates of all plugins but those for tests."""
    folders = sorted((_ROOT / "plugins").iterdir())
    names = [folder.name for folder in folders if (folder / "Cargo.toml").is_file()]
    return [f"touchline-{name}" for name in names if not name.startswith("test-")]


def _build_plugins() -> list[Path]:
    """Builds the plugins, and gives the paths of their libraries."""
    cargo = os.environ.get("CARGO", "cargo")
    if shutil.which(cargo) is None:
        raise SystemExit(
            "touchline needs Rust to be built: https://rustup.rs. The plain client needs no compiler: copy the folder "
            "src/touchline_client, or put src on PYTHONPATH."
        )
    command = [cargo, "build", "--release", "--locked", "--message-format=json-render-diagnostics"]
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
    if not (_ROOT / "plugins").is_dir():
        raise SystemExit("touchline is built from its repository: pip install ./clients/python")
    libraries = _build_plugins()
    shutil.rmtree(_SHIPPED, ignore_errors=True)
    (_SHIPPED / "plugins").mkdir(parents=True)
    for library in libraries:
        shutil.copy2(library, _SHIPPED / "plugins" / library.name)
    for folder in ("worlds", "robots"):
        shutil.copytree(_ROOT / folder, _SHIPPED / folder, ignore=shutil.ignore_patterns("*.md"))


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    return list(maturin.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    return list(maturin.get_requires_for_build_editable(config_settings))


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _ship()
    return str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _ship()
    return str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    raise SystemExit("touchline is built from its repository, not from a source archive: pip install ./clients/python")
