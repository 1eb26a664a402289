"""Finds the run that a command is about.

Invariant: standard output holds results only; which run `latest` is goes to standard error.
"""

from collections.abc import Collection

import typer

from counterproof.runtime.home import LATEST, Home, RunFolder


def chosen(name: str, home: Home | None = None, quiet: bool = False, jobs: Collection[str] = ()) -> RunFolder:
    """A run by id, id prefix, or `latest`, of these jobs if any are named; of the latest, target and time are printed."""
    from counterproof.reports.inert import terminal_text

    run = (home or Home()).find(name, jobs=jobs)
    if name == LATEST and not quiet:
        facts = run.facts()
        said = f"Latest run: {facts.get('job', 'audit')} of {facts.get('target', '?')}, {run.began:%Y-%m-%d %H:%M} UTC"
        typer.echo(terminal_text(said), err=True)
    return run
