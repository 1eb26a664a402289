"""`counterproof export`: files for coding agents, each saying what is enforced and what is advice."""

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
    """Connect a coding agent: the MCP server and guidance for Claude Code or Cursor, or an AGENTS.md, in the project's folder."""
    from counterproof.app.exports import write
    from counterproof.reports.inert import terminal_text

    for path in write(kind.value, out):
        typer.echo(terminal_text(str(path)))
