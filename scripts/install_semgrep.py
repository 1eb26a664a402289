"""Brings Semgrep for the tests, into `.semgrep` beside `.venv`, with the code that `counterproof setup` uses.

    python scripts/install_semgrep.py

Asking again changes nothing. `COUNTERPROOF_SEMGREP` set to a program makes the tests use that one, and nothing is installed.
"""

import os
import sys
from pathlib import Path

from counterproof.app.setup import PROGRAM_VARIABLE, install
from counterproof.model.errors import UserError

FOLDER = Path(__file__).resolve().parent.parent / ".semgrep"


def main() -> None:
    if os.environ.get(PROGRAM_VARIABLE):
        return
    try:
        install(FOLDER, print)
    except UserError as error:
        sys.exit(f"{error}\n  {error.hint}")


if __name__ == "__main__":
    main()
