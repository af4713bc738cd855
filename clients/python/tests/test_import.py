"""The package needs numpy alone: who has another Gymnasium, or none, imports it all the same. (L1)"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

touchline = pytest.importorskip("touchline")

# What 0.29 and 1.0 have of what we use; `make` goes the way that Gymnasium's goes.
ANOTHER = """
import importlib
__version__ = "1.0.0"
registry = {}
class Env:
    pass
def register(id, entry_point, vector_entry_point=None, kwargs=None):
    registry[id] = entry_point
def make(id):
    module, name = registry[id].split(":")
    return getattr(importlib.import_module(module), name)()
"""
PROGRAM = """
import touchline
print(touchline.Batch.__name__)
try:
    {line}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("line", "module"),
    [
        ("import touchline.gym", ANOTHER),
        ("import gymnasium; gymnasium.make('touchline/Goalkeeper-v0')", ANOTHER),
        ("import touchline.gym", "raise ImportError('there is none')"),
    ],
)
def test_another_gymnasium_is_no_hindrance(tmp_path, line, module):
    fake = tmp_path / "gymnasium"
    (fake / "vector").mkdir(parents=True)
    (fake / "__init__.py").write_text(module)
    (fake / "vector" / "__init__.py").write_text("class VectorEnv:\n    pass\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(line=line)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, said = done.stdout.strip().splitlines()
    assert first == "Batch" and "needs gymnasium>=1.1,<2" in said
