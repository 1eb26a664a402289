"""Commands about runs that exist: `runs`, `runs prune`, `show`, `replay`, `log verify`."""

from pathlib import Path
from typing import Annotated

import typer

from counterproof.cli.commands_audit import FormatName, OutFolder, Yes

RunName = Annotated[str, typer.Argument(help="A run's id, the beginning of it, or `latest`.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    runs_app = typer.Typer(help="List runs, or prune old ones.", invoke_without_command=True, rich_markup_mode=None)
    runs_app.callback()(runs)
    runs_app.command()(prune)
    app.add_typer(runs_app, name="runs")
    app.command()(show)
    app.command()(replay)
    log_app = typer.Typer(help="The journal of a run.", no_args_is_help=True, rich_markup_mode=None)
    log_app.callback()(lambda: None)
    log_app.command()(verify)
    app.add_typer(log_app, name="log")


def runs(context: typer.Context) -> None:
    """List runs, or prune old ones."""
    if context.invoked_subcommand:
        return
    from counterproof.app.runs import listed
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    home = Home()
    lines = listed(home)
    if not lines:
        typer.echo("No runs yet. `counterproof audit PATH` makes one.")
        return
    for line in lines:
        typer.echo(terminal_text(f"{line.id}  {line.mode:8}  {line.state:10}  {_size(line.bytes):>9}  {line.target}"))
    typer.echo(f"{len(lines)} runs, {_size(sum(line.bytes for line in lines))}, in {home.root}")
    typer.echo("Journals hold source code; `counterproof runs prune` removes old ones.")


def prune(
    keep: Annotated[int, typer.Option(min=0, help="Keep this many of the newest runs.")] = 20,
    unfinished: Annotated[bool, typer.Option(help="Remove unfinished runs too; they can no longer be resumed.")] = False,
    yes: Yes = False,
) -> None:
    """Remove old runs."""
    from counterproof.app.runs import prunable
    from counterproof.app.runs import prune as remove
    from counterproof.runtime.home import Home

    home = Home()
    old = prunable(home, keep, finished_only=not unfinished)
    if not old:
        typer.echo("Nothing to remove.")
        return
    if not yes and not typer.confirm(f"Remove {len(old)} runs?"):
        raise typer.Exit(4)
    typer.echo(f"Removed {len(old)} runs, {_size(remove(home, old))} freed.")


def show(
    run: RunName,
    format: Annotated[FormatName, typer.Option("--format", help="Which format.")] = FormatName.markdown,  # noqa: A002
    out: OutFolder = None,
) -> None:
    """Print the stored report of a run, or write all formats with --out."""
    from counterproof.app import delivery
    from counterproof.runtime.home import Home

    folder = Home().find(run)
    if out is None:
        typer.echo(delivery.stored(folder, format.value), nl=False)
        return
    for path in delivery.deliver(folder, (), Path(out)):
        typer.echo(str(path))


def replay(run: RunName) -> None:
    """Decide everything again from the journal, with no agent called, and compare with the stored report."""
    from counterproof.app.runs import replayed
    from counterproof.model.receipt import Exit
    from counterproof.runtime.home import Home

    folder = Home().find(run)
    report, differing = replayed(folder)
    if differing:
        typer.echo(f"Run {folder.id}: the replayed report differs in {', '.join(differing)}.", err=True)
        raise typer.Exit(int(Exit.REFUSED))
    typer.echo(f"Run {folder.id}: same report, byte for byte, with {len(report.findings)} findings; no agent was called.")


def verify(run: RunName) -> None:
    """Check the hash chain of a run's journal: every edit, cut, insertion and reordering shows."""
    from counterproof.app.runs import damages
    from counterproof.model.receipt import Exit
    from counterproof.runtime.home import Home

    folder = Home().find(run)
    found = damages(folder)
    for damage in found:
        typer.echo(f"Run {folder.id}: {damage.text}.", err=True)
    if found:
        raise typer.Exit(int(Exit.REFUSED))
    typer.echo(f"Run {folder.id}: the journal is whole.")


def _size(count: int) -> str:
    """Bytes for people."""
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError
