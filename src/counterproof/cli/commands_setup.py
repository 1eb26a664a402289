"""`counterproof setup`: installs the optional programs that audits use."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from counterproof.app.setup import Installation


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Install Semgrep, for the baseline scan of audits.")(setup)


def setup(
    check: Annotated[bool, typer.Option("--check", help="Show what is installed, and install nothing.")] = False,
    offline_wheels: Annotated[
        Path | None, typer.Option("--offline-wheels", help="Install from the wheels in this folder, without a network.")
    ] = None,
    lock: Annotated[bool, typer.Option("--lock", help="Print the path of the lock file, for `pip download`.")] = False,
) -> None:
    """Install Semgrep, for the baseline scan of standard and deep audits, into its own environment."""
    from counterproof.app import setup as preparing
    from counterproof.runtime.home import Home

    if lock:
        typer.echo(str(preparing.LOCK))
        return
    home = Home()
    folder = preparing.semgrep_folder(home)
    if not check:
        typer.echo(_ready(preparing.install(folder, lambda text: typer.echo(text, err=True), offline_wheels)))
        return
    ready = preparing.installed(folder)
    if ready:
        typer.echo(_ready(ready))
        return
    _say_missing(folder, preparing.program_for(home, Path.cwd()))


def _ready(ready: "Installation") -> str:
    return f"Semgrep {ready.version} is ready in {ready.folder} ({ready.size / (1 << 20):.0f} MiB)."


def _say_missing(folder: Path, other: Path | None) -> None:
    from counterproof.model.receipt import Exit

    typer.echo(f"Semgrep is not installed in {folder}; `counterproof setup` installs it.")
    if other is None:
        typer.echo("Audits continue without a baseline scan and say so.")
        raise typer.Exit(int(Exit.INCOMPLETE))
    typer.echo(f"Audits use {other} instead.")
