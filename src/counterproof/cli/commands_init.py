"""`counterproof init`: writes the first files of a project, and explains them."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ServiceName(StrEnum):
    github = "github"
    gitlab = "gitlab"
    pre_commit = "pre-commit"


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command()(init)


def init(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The top of the project.")] = Path(),
    ci: Annotated[
        list[ServiceName] | None,
        typer.Option(
            "--ci",
            metavar="SERVICE",
            help="Write for `github`, `gitlab` or `pre-commit` (repeatable), not for what the project uses.",
        ),
    ] = None,
) -> None:
    """Write a commented counterproof.toml and a CI job. Existing files are left unchanged."""
    from counterproof.app.starting import begin
    from counterproof.reports.inert import terminal_text

    begun = begin(path, [each.value for each in ci or ()])
    for written in begun.written:
        typer.echo(terminal_text(f"Wrote {written}"))
    for left in begun.left:
        typer.echo(terminal_text(f"Kept {left}: it already exists"))
    for place, lines in begun.to_add:
        typer.echo(terminal_text(f"Add to {place}:"))
        typer.echo(lines.rstrip("\n"))
    for job in begun.to_fill:
        typer.echo(
            terminal_text(f"To do in {job}: set COUNTERPROOF to the package that CI installs; this copy comes from a folder.")
        )
    if not begun.services:
        typer.echo("No CI was found. `--ci github`, `--ci gitlab` or `--ci pre-commit` writes a job.")
    typer.echo(terminal_text(f"Next: counterproof audit {path} --yes"))
