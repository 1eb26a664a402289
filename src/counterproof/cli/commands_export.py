"""`counterproof export`: files for coding agents, each stating what is enforced and what is advice."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ExportKind(StrEnum):
    claude_code = "claude-code"
    agents_md = "agents-md"
    cursor = "cursor"


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Connect Claude Code or Cursor, or write an AGENTS.md.")(export)


def export(
    kind: Annotated[ExportKind, typer.Argument(help="Which tool's files.")],
    out: Annotated[Path, typer.Option("--out", help="Write the files to this folder.")] = Path(),
) -> None:
    """Connect a coding agent: write the MCP server and guidance for Claude Code or Cursor, or an AGENTS.md, to the project's
    folder."""
    from importlib.util import find_spec
    from shutil import which

    from counterproof.app.exports import served, write
    from counterproof.extras import command_for
    from counterproof.reports.inert import terminal_text

    for path in write(kind.value, out):
        typer.echo(terminal_text(str(path)))
    if not served(kind.value):
        return
    if find_spec("mcp") is None:
        typer.echo(
            terminal_text(f"The server cannot start yet: its extra is missing. Install it: {command_for('mcp')}"), err=True
        )
    if which("counterproof") is None:
        folder = Path(sys.argv[0]).absolute().parent
        typer.echo(
            terminal_text(f"`counterproof` is not on your PATH, so no agent can start it. Add its folder: {folder}"), err=True
        )
