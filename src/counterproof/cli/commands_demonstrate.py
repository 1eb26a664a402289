"""`counterproof demonstrate`: runs a copy of the target to observe a finding's effect. Nothing is decided here."""

from pathlib import Path
from typing import Annotated

import typer

from counterproof.cli.running_targets import InstallOption, NodeOption, PrepareOption, PythonOption


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Run a copy of the target in a sandbox and try to demonstrate findings.")(demonstrate)


def demonstrate(
    findings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FINDINGS", help="Finding numbers, such as C-01; by default every finding that can be demonstrated."
        ),
    ] = None,
    run: Annotated[str, typer.Option("--run", help="The audit: a run's id, the beginning of it, or `latest`.")] = "latest",
    target: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The code to run, if it has moved since the audit.")
    ] = None,
    python: PythonOption = None,
    node: NodeOption = None,
    install: InstallOption = False,
    prepare: PrepareOption = None,
    max_time: Annotated[int, typer.Option(min=1, metavar="SECONDS", help="Time limit for each finding.")] = 90,
    export: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a script for each demonstrated finding, for you to run.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no line per finding.")] = False,
) -> None:
    """Run a copy of an audit's target in a sandbox and check for the effects of its findings. A finding becomes `demonstrated`
    in the run's report, with the exact request or call, if the engine observed its effect and a benign input had none. All
    other results are notes. The target's own folder is never written to.

    Exit codes: 0 done, even if nothing was demonstrated, 2 usage, 4 no sandbox available, 70 internal error.
    """
    from counterproof.app.demonstration import Asked, Means, demonstrated_of, sandbox_level, scripts_of
    from counterproof.cli.chosen import chosen
    from counterproof.cli.out_folder import refuse_unusable
    from counterproof.model.counting import counted
    from counterproof.model.demonstration import Outcome
    from counterproof.reports.inert import terminal_text

    found = chosen(run, quiet=quiet, jobs=("audit",))
    refuse_unusable(export)
    level = sandbox_level()
    asked = Asked(tuple(findings or ()), target, Means(python, node, install, tuple(prepare or ())), float(max_time))
    if not quiet:
        typer.echo(f"Sandbox: {level}", err=True)
    words = demonstrated_of(found, asked, lambda line: None if quiet else typer.echo(terminal_text(line)))
    shown = [each for each in words if each.outcome is Outcome.SHOWN]
    if export is not None and shown:
        _write(export, scripts_of(found, shown))
    typer.echo(f"{len(shown)} of {counted(len(words), 'finding')} demonstrated; `counterproof show {found.id}` has the requests.")


def _write(folder: Path, scripts: tuple[tuple[str, str], ...]) -> None:
    from counterproof.app.files import write_whole
    from counterproof.reports.inert import terminal_text

    folder.mkdir(parents=True, exist_ok=True)
    for name, text in scripts:
        write_whole(folder / name, text)
        typer.echo(terminal_text(f"Wrote {folder / name}"), err=True)
