"""`counterproof fix`: verified patches for an audit's findings. Nothing is decided here."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from counterproof.app.remediation import Proposal


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Propose patches for findings, each checked by analysing the result.")(fix)


def fix(
    findings: Annotated[
        list[str] | None, typer.Argument(metavar="FINDINGS", help="Their numbers, such as M-01; without any all of the run.")
    ] = None,
    run: Annotated[str, typer.Option("--run", help="The audit: a run's id, the beginning of it, or `latest`.")] = "latest",
    patch: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the patch here, once you agree; without it the patch is shown.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write the patch without asking.")] = False,
) -> None:
    """Propose patches for an audit's findings. A patch is offered only if analysing the patched files no longer finds the flaw
    and finds nothing new. The code itself is never changed: apply the patch with `git apply`.

    Exit codes: 0 done, even if nothing can be patched, 2 usage, 6 the patch waits for your confirmation, 70 internal error.
    """
    from counterproof.app.remediation import proposed
    from counterproof.model.receipt import Exit
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    done = proposed(Home().find(run), findings or ())
    typer.echo(terminal_text(_told(done)), err=True)
    if not done.patch:
        return
    if patch is None:
        sys.stdout.write(terminal_text(done.patch) if sys.stdout.isatty() else done.patch)
        return
    if not (yes or _agreed(patch)):
        typer.echo(f"Nothing was written; `--patch {patch} --yes` writes it.", err=True)
        raise typer.Exit(Exit.PAUSED)
    _write(patch, done.patch)


def _told(done: "Proposal") -> str:
    from counterproof.model.counting import counted

    lines = [f"{counted(len(done.settled), 'finding')} can be patched: {', '.join(done.settled) or 'none'}"]
    lines += [f"  {flaw.number} {flaw.place}: {why}" for flaw, why in done.remedied.unsettled]
    return "\n".join(lines)


def _agreed(patch: Path) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"Write the patch to {patch}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _write(patch: Path, text: str) -> None:
    from counterproof.model.errors import UserError

    try:
        with patch.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UserError(f"{patch} cannot be written: {error.strerror}", "name a file that is not there yet") from error
    typer.echo(f"Wrote {patch}; `git apply {patch}` applies it.", err=True)
