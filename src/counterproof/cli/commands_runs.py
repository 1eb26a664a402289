"""Commands about existing runs: `runs`, `runs prune`, `show`, `replay`, `log verify`, `log export`, `log show`."""

from pathlib import Path
from typing import Annotated

import typer

from counterproof.cli.mistakes import plain_group
from counterproof.cli.options import OutFolder, format_option
from counterproof.model.counting import counted
from counterproof.model.formats import FORMATS

RunOrFile = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's id, the beginning of it, `latest`, or an exported journal (.jsonl).")
]
LOOK = 0.5
"""Seconds between two checks of a followed run."""
RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, the beginning of it, or `latest`.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    runs_app = plain_group(help="List runs, newest first, or prune old ones.", invoke_without_command=True)
    runs_app.callback()(runs)
    runs_app.command()(prune)
    app.add_typer(runs_app, name="runs")
    app.command(short_help="Print the report of a run, or write it to files.")(show)
    app.command(short_help="Rebuild a run's report from its journal and compare.")(replay)
    log_app = plain_group(help="Work with the journal of a run.", no_args_is_help=True)
    log_app.callback()(lambda: None)
    log_app.command(short_help="Check that a journal was not changed.")(verify)
    log_app.command(short_help="Sign a journal with your SSH key.")(sign)
    log_app.command(short_help="Write a journal as JSON Lines.")(export)
    log_app.command("show", short_help="Show how a run went, agent by agent.")(transcript)
    log_app.command("cost", short_help="Total the text, turns and calls of an audit's models, by purpose.")(cost)
    app.add_typer(log_app, name="log")


def runs(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list, newest run first.")] = False,
) -> None:
    """List runs, newest first, or prune old ones."""
    if context.invoked_subcommand:
        return
    import json
    from dataclasses import asdict

    from counterproof.app.runs import listed
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    home = Home()
    lines = listed(home)
    if as_json:
        typer.echo(json.dumps([asdict(line) for line in lines], indent=2))
        return
    if not lines:
        typer.echo("No runs yet. `counterproof audit PATH` starts one.")
        return
    for line in lines:
        typer.echo(terminal_text(f"{line.id}  {line.mode:8}  {line.state:10}  {size(line.bytes):>9}  {line.target}"))
    typer.echo(f"{counted(len(lines), 'run')}, {size(sum(line.bytes for line in lines))}, in {home.root}")
    typer.echo("Journals hold source code; `counterproof runs prune` removes old ones.")


def prune(
    keep: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Keep this many of the newest runs.")] = 20,
    unfinished: Annotated[bool, typer.Option(help="Remove unfinished runs too; they can no longer be resumed.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete old runs."""
    from counterproof.app.runs import prunable
    from counterproof.app.runs import prune as remove
    from counterproof.runtime.home import Home

    home = Home()
    old = prunable(home, keep, finished_only=not unfinished)
    if not old:
        typer.echo("Nothing to remove.")
        return
    if not yes and not typer.confirm(f"Remove {counted(len(old), 'run')}?"):
        raise typer.Exit(4)
    typer.echo(f"Removed {counted(len(old), 'run')}, {size(remove(home, old))} freed.")


def show(
    run: RunName = "latest",
    format: Annotated[str, format_option(*FORMATS, help="Which format.")] = "markdown",  # noqa: A002
    out: OutFolder = None,
) -> None:
    """Print the stored report of a run, or write all formats with --out."""
    from counterproof.app import stored_runs
    from counterproof.cli.chosen import chosen

    folder = chosen(run)
    if out is None:
        typer.echo(stored_runs.text(folder, format), nl=False)
        return
    for path in stored_runs.delivered(folder, Path(out)):
        typer.echo(str(path))


def replay(
    run: RunOrFile,
    format: Annotated[str | None, format_option(*FORMATS, help="Print the replayed report.")] = None,  # noqa: A002
    out: OutFolder = None,
) -> None:
    """Replay all decisions from the journal, without calling an agent, and compare with the stored report."""
    from counterproof.app import stored_runs
    from counterproof.app.runs import exported_journal
    from counterproof.cli.chosen import chosen
    from counterproof.model.receipt import Exit

    again = stored_runs.replayed(exported_journal(run) or chosen(run))
    if again.differing:
        typer.echo(f"Run {again.name}: the replayed report differs in {', '.join(again.differing)}.", err=True)
        raise typer.Exit(int(Exit.REFUSED))
    if out:
        for path in again.deliver(format or "", out):
            typer.echo(str(path))
    elif format:
        typer.echo(again.text(format), nl=False)
    else:
        typer.echo(f"Run {again.name}: same report, byte for byte, {again.told}; no agent was called.")


def verify(
    run: RunOrFile,
    head: Annotated[str, typer.Option(help="A head hash that you noted earlier; it must be in the chain.")] = "",
    key: Annotated[Path | None, typer.Option("--key", help="A public SSH key; its owner must have signed this journal.")] = None,
) -> None:
    """Verify a journal and its receipt: detects edits, truncation, insertions, reordering, replacement and second writers."""
    from counterproof.app.runs import exported_journal, verdict
    from counterproof.cli.chosen import chosen
    from counterproof.model.receipt import Exit
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    home = Home()
    name = run if exported_journal(run) else chosen(run, home).id
    found = verdict(name, home, head, key)
    for damage in found.damages:
        typer.echo(terminal_text(f"{name}: {damage.text}."), err=True)
    for text in found.repairs:
        typer.echo(terminal_text(f"{name}: {text}."), err=True)
    if found.damages:
        typer.echo(f"{found.whole} rows before it are intact.", err=True)
        raise typer.Exit(int(Exit.REFUSED))
    typer.echo(terminal_text(f"{name}: {found.whole} rows, head {found.head or 'none'}; the journal is whole."))


def sign(
    run: RunOrFile,
    key: Annotated[Path, typer.Option("--key", help="Your private SSH key, or the public key of a key held in ssh-agent.")],
) -> None:
    """Sign a journal and its receipt with an SSH key of yours, so that `log verify --key` detects even a completely forged
    journal."""
    from counterproof.app import runs as stored
    from counterproof.cli.chosen import chosen
    from counterproof.model.receipt import Exit
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    home = Home()
    name = run if stored.exported_journal(run) else chosen(run, home).id
    found, place = stored.sign(name, home, key.expanduser())
    if found.damages:
        typer.echo(terminal_text(f"not signed: {found.damages[0].text}."), err=True)
        raise typer.Exit(int(Exit.REFUSED))
    typer.echo(terminal_text(f"{place}: {found.whole} rows, head {found.head}, signed."))


def export(
    run: RunName,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write; by default RUN.jsonl.")] = None,
) -> None:
    """Export a journal as JSON Lines that `log verify` and `replay` accept on any machine. It contains source code and raw
    replies."""
    from counterproof.app import runs as stored_runs
    from counterproof.cli.chosen import chosen

    folder = chosen(run)
    path = out or Path(f"{folder.id}.jsonl")
    typer.echo(f"{path}: {stored_runs.export(folder, path)} lines.")


def transcript(
    run: RunName,
    agent: Annotated[str, typer.Option(help="Only this agent, for example agent-r1-01.")] = "",
    follow: Annotated[bool, typer.Option("--follow", help="Keep printing while the run continues.")] = False,
) -> None:
    """Show the course of a run: agents' starts, each model's calls and statements, and which results were kept."""
    import time

    from counterproof.app import transcript as told
    from counterproof.cli.chosen import chosen
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.lock import under_way

    found = chosen(run)

    def wait() -> bool:
        going = follow and under_way(found)
        if going:
            time.sleep(LOOK)
        return going

    for text in told.lines(found, agent, wait):
        for line in text.split("\n"):
            typer.echo(terminal_text(line))


def cost(run: RunName = "latest") -> None:
    """Sum up what the models of a run were shown and submitted, their calls and an audit's rejected calls, by purpose.

    The characters shown are known only for a coding agent; input tokens are those charged by providers.
    """
    from counterproof.app.costs import Purpose, by_purpose
    from counterproof.cli.chosen import chosen

    rows = by_purpose(chosen(run))
    if not rows:
        typer.echo("No model took part in this run.")
        return
    names = ("tasks", "turns", "shown", "handed_in", "tokens", "calls", "refused")
    total = Purpose("all", *(sum(getattr(row, name) for row in rows) for name in names))
    heads = ("tasks", "turns", "shown", "submitted", "tokens in", "calls", "refused")
    typer.echo(f"{'purpose':20}{''.join(f'{head:>12}' for head in heads)}")
    for row in (*rows, total):
        typer.echo(f"{row.name:20}{''.join(f'{getattr(row, name):12,}' for name in names)}")


def size(count: int) -> str:
    """A number of bytes in a readable unit."""
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1000 or unit == "GiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError
