"""`counterproof cache`: what earlier runs kept to spare the next one work, and how to be rid of it."""

from typing import TYPE_CHECKING

import typer

from counterproof.cli.commands_runs import size
from counterproof.cli.mistakes import plain_group
from counterproof.model.counting import counted

if TYPE_CHECKING:
    from counterproof.analysis.cache import Store


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    cache_app = plain_group(help="Results kept from earlier runs.", no_args_is_help=True)
    cache_app.callback()(lambda: None)
    cache_app.command()(show)
    cache_app.command()(clear)
    app.add_typer(cache_app, name="cache")


def show() -> None:
    """Say what is kept, how large it is, and where."""
    from datetime import UTC, datetime

    from counterproof.analysis.cache import MAX_TOTAL, why_off
    from counterproof.reports.inert import terminal_text

    store = _store()
    kept = store.kept()
    if kept.count:
        first, last = (f"{datetime.fromtimestamp(each, UTC):%Y-%m-%d}" for each in (kept.oldest, kept.newest))
        dates = first if first == last else f"{first} to {last}"
        typer.echo(
            terminal_text(
                f"{counted(kept.count, 'result')} from {dates}, {size(kept.size)} of at most {size(MAX_TOTAL)}, in {store.folder}"
            )
        )
        typer.echo(
            "They quote source code and save work when the same files are audited again; the report is the same without them."
        )
        typer.echo("`counterproof cache clear` removes them.")
    else:
        typer.echo(terminal_text(f"Nothing is kept in {store.folder}"))
    if why_off():
        typer.echo(f"{why_off()}: runs neither use nor store results.")


def clear() -> None:
    """Remove all results. Runs and reports stay."""
    from counterproof.model.errors import UserError
    from counterproof.reports.inert import terminal_text

    store = _store()
    try:
        removed = store.clear()
    except OSError as error:
        raise UserError(f"cannot remove the results in {store.folder}: {error.strerror}", "remove the folder yourself") from error
    if removed.count:
        typer.echo(terminal_text(f"Removed {counted(removed.count, 'result')}, {size(removed.size)}, from {store.folder}"))
    else:
        typer.echo(terminal_text(f"Nothing to remove in {store.folder}"))


def _store() -> "Store":
    from counterproof.analysis.cache import Store
    from counterproof.runtime.home import Home

    return Store(Home().root / "results")
