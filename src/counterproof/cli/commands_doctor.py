"""`counterproof doctor`: shows what works on this machine."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from counterproof.app.doctor import Check


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Check what this machine has: sandbox, Semgrep, keys, models.")(doctor)


def doctor(
    agents: Annotated[
        str,
        typer.Option(
            "--agents",
            metavar="AGENTS",
            help="Try these models: PROVIDER:MODEL in all roles of the three protocols, or ROLE=… as for one.",
        ),
    ] = "",
    offline: Annotated[bool, typer.Option("--offline", help="Do not contact these models.")] = False,
) -> None:
    """Check keys, models, prices, Semgrep, the sandbox and the data directory. With --agents, sends the smallest request of each
    role to its model: about 30,000 tokens for all, and no word of your code.

    Exit code 3 if something required or requested is missing; missing optional parts are notes.
    """
    import os
    from pathlib import Path

    from counterproof.agents.models.prices import read_prices
    from counterproof.app.doctor import State, examine
    from counterproof.app.model_check import announcement, casts, models_of
    from counterproof.app.team import PRICE_FILE
    from counterproof.model.receipt import Exit
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    asked = casts(read_prices(Home().root / PRICE_FILE).completed(agents)) if agents else ()
    if models_of(asked) and not offline:
        typer.echo(terminal_text(announcement(asked)), err=True)
    checks: list[Check] = []
    for check in examine(asked, os.environ, Home(), Path.cwd(), not offline):
        _show(check)
        checks.append(check)
    short = sum(check.state is State.SHORT for check in checks)
    typer.echo("")
    if short:
        typer.echo(f"{short} of {len(checks)} checks failed; everything else works.")
        raise typer.Exit(int(Exit.INCOMPLETE))
    noted = any(check.state is State.NOTE for check in checks)
    typer.echo("Everything that is needed works." + (" The notes concern optional parts." if noted else ""))


def _show(check: "Check") -> None:
    from counterproof.reports.inert import terminal_text

    typer.echo(f"{check.state:<5}  {terminal_text(check.about)}: {terminal_text(check.text)}")
    if check.next:
        typer.echo(f"       → {terminal_text(check.next)}")
