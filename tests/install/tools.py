"""Programs that the development environment brings along, found beside its Python."""

import os
import shutil
import sys
from pathlib import Path

PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))


def program(name: str) -> str:
    found = shutil.which(name, path=PATH)
    assert found, f"{name} is missing: `python3 scripts/check.py` makes the environment that brings it"
    return found
