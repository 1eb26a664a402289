"""`counterproof suppress`: writes an exception for a finding."""

import sys
from pathlib import Path
from typing import Annotated

import typer

LONGEST = 90
"""Days that are offered when the user is asked for the last day."""


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Write an exception for a finding that is wrong or cannot be fixed now.")(suppress)


def suppress(
    finding: Annotated[str, typer.Argument(metavar="FINDING", help="A finding's number, such as H-01, or its fingerprint.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it is wrong, or why it can wait.")] = "",
    until: Annotated[str, typer.Option(metavar="DATE", help="The last day on which the exception counts, as 2027-01-31.")] = "",
    author: Annotated[str, typer.Option(metavar="NAME", help="Who decided this; by default your login name.")] = "",
    exceptions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add it to this file; by default that of the settings, else one in your data folder."),
    ] = None,
    run: Annotated[str, typer.Option("--run", help="The audit: a run's id, the beginning of it, or `latest`.")] = "latest",
) -> None:
    """Write an exception for a finding that is wrong or cannot be fixed now. Audits that are given the file keep the finding in
    the report and no longer fail for it."""
    import getpass

    from counterproof.app import exceptions as writing
    from counterproof.cli.chosen import chosen
    from counterproof.model.errors import UserError
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    home = Home()
    stored = chosen(run, home, jobs=("audit",))
    found = writing.excusable(stored, finding.strip())
    typer.echo(terminal_text(f"{found.number} {found.title}"), err=True)
    needed = {"a reason": ('--reason "TEXT"', reason), "a last day": ("--until DATE", until)}
    lacking = [name for name, (_, given) in needed.items() if not given.strip()]
    if lacking and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(f"an exception needs {' and '.join(lacking)}", f"add {' '.join(needed[each][0] for each in lacking)}")
    reason = reason.strip() or typer.prompt("Why is it wrong, or why can it wait?", err=True)
    day = writing.last_day(until.strip() or typer.prompt("Until which day?", default=_in_days(LONGEST), err=True))
    done = writing.write(stored, home, found, reason, day, author.strip() or getpass.getuser(), exceptions)
    typer.echo(terminal_text(f"{found.number} is accepted until {day} in {done.file}"))
    typer.echo(terminal_text(f"Next: {done.command}"))


def _in_days(days: int) -> str:
    from datetime import date, timedelta

    return f"{date.today() + timedelta(days=days):%Y-%m-%d}"
