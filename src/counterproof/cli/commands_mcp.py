"""`counterproof mcp`: Counterproof as tools of a coding agent, on standard input and output."""

from pathlib import Path
from typing import Annotated

import typer

from counterproof.cli.options import MaxTime


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Serve audits to a coding agent over MCP (stdio).")(mcp)


def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            "--root", metavar="FOLDER", help="A folder that may be audited (repeatable); the working directory if not given."
        ),
    ] = None,
    max_time: MaxTime = 0,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Confirm the plans of standard and deep audits without asking.")
    ] = False,
) -> None:
    """Serve audits to a coding agent over MCP (stdio); the agent may play roles itself, so no key is needed."""
    from counterproof.mcp.server import serve

    serve(tuple(root or ()), yes, max_time)
