"""The options of commands that run a copy of the target."""

from pathlib import Path
from typing import Annotated

import typer

PythonOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The Python that has the target's packages; else python3 on PATH.")
]
NodeOption = Annotated[Path | None, typer.Option(metavar="FILE", help="The Node to use; else node on PATH.")]
InstallOption = Annotated[
    bool,
    typer.Option("--install", help="Fetch the packages that the target's lock files name, as wheels, for the copy alone."),
]
PrepareOption = Annotated[
    list[str] | None,
    typer.Option(metavar="COMMAND", help="Run this in the copy first, such as 'python3 manage.py init-db' (repeatable)."),
]
