"""`counterproof doctor`: shows what will work here."""

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
        typer.Option("--agents", metavar="AGENTS", help="Try these models, written as for `audit`: PROVIDER:MODEL or ROLE=…"),
    ] = "",
    offline: Annotated[bool, typer.Option("--offline", help="Do not contact these models.")] = False,
) -> None:
    """Check keys, models, prices, Semgrep, the sandbox and the data directory. With --agents, sends the smallest request of each
    role to its model: a few thousand tokens, and no word of your code.

    Exit code 3 if something is missing that is needed or was asked for; what is optional and missing is a note.
    """
    import os
    from pathlib import Path

    from counterproof.agents.models.prices import read_prices
    from counterproof.agents.models.team import parse_team
    from counterproof.app.doctor import State, examine
    from counterproof.app.team import PRICE_FILE
    from counterproof.model.receipt import Exit
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    team = parse_team(read_prices(Home().root / PRICE_FILE).completed(agents)) if agents else None
    if team and team.models and not offline:
        from counterproof.app.model_check import announcement

        typer.echo(terminal_text(announcement(team)), err=True)
    checks: list[Check] = []
    for check in examine(team, os.environ, Home(), Path.cwd(), not offline):
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
