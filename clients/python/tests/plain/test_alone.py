"""The plain client needs no compiler and nothing beside Python."""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src"


class PlainClient(unittest.TestCase):
    def test_it_imports_nothing_but_the_standard_library(self) -> None:
        """-S hides all that is installed, -I all that is in the environment."""
        code = (
            f"import sys; sys.path.insert(0, {str(SRC)!r}); import touchline_client; "
            "import touchline_client.ros2.__main__, touchline_client.ros2.bridge, touchline_client.ros2.simulation; "
            "ours = [name for name in sys.modules if name.split('.')[0] not in sys.stdlib_module_names]; "
            "print(sorted({name.split('.')[0] for name in ours} - {'__main__'}))"
        )
        run = subprocess.run([sys.executable, "-S", "-I", "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout.strip(), "['touchline_client']")


if __name__ == "__main__":
    unittest.main()
