"""`counterproof osv`: the known-vulnerability data stored on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from counterproof.cli.mistakes import plain_group


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    osv_app = plain_group(help="Show or update the stored vulnerability data.", invoke_without_command=True)
    osv_app.callback()(osv)
    osv_app.command(short_help="Download OSV's archives for the ecosystems that a project uses.")(update)
    app.add_typer(osv_app, name="osv")


def osv(context: typer.Context) -> None:
    """Show or update the stored vulnerability data."""
    if context.invoked_subcommand:
        return
    from datetime import UTC, datetime

    from counterproof.app import osv_store

    found = osv_store.kept()
    for line in osv_store.described(found, datetime.now(UTC)) or [
        "No vulnerability data is stored. `counterproof osv update PATH` downloads it."
    ]:
        typer.echo(line)


def update(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The project whose ecosystems are downloaded.")] = Path(),
    ecosystem: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Download the data of this ecosystem, named as OSV names it, such as PyPI (repeatable)."
        ),
    ] = None,
    source: Annotated[str, typer.Option(metavar="URL", help="Another server with the same layout: URL/PyPI/all.zip.")] = "",
) -> None:
    """Download OSV's archives for the ecosystems in use; audits then use them without --osv."""
    from datetime import UTC, datetime

    from counterproof.analysis.dependencies.osv.record import ECOSYSTEMS
    from counterproof.app import osv_store
    from counterproof.model.errors import UserError

    unknown = sorted(set(ecosystem or ()) - set(ECOSYSTEMS))
    if unknown:
        raise UserError(f"--ecosystem: {unknown[0][:80]} is not read", f"give one of {', '.join(sorted(ECOSYSTEMS))}")
    wanted = tuple(ecosystem or osv_store.in_use(path))
    if not wanted:
        raise UserError(f"{path} has no manifest of a supported ecosystem", "name one: --ecosystem PyPI")
    for name in wanted:
        fetched = osv_store.update(name, source or osv_store.SOURCE)
        typer.echo(f"{name}: {f'fetched, {fetched.age(datetime.now(UTC))}' if fetched else 'nothing newer'}")
