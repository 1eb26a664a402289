"""`counterproof fix`: verified patches for an audit's findings. Nothing is decided here."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterproof.cli.running_targets import InstallOption, NodeOption, PrepareOption, PythonOption

if TYPE_CHECKING:
    from counterproof.app.remediation import Proposal


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Propose patches for findings, each checked by analysing the result.")(fix)


def fix(
    findings: Annotated[
        list[str] | None,
        typer.Argument(metavar="FINDINGS", help="Finding numbers, such as M-01; by default all findings of the run."),
    ] = None,
    run: Annotated[str, typer.Option("--run", help="The audit or review: a run's id, its beginning, or `latest`.")] = "latest",
    agents: Annotated[
        str, typer.Option(metavar="AGENT", help="Ask this model for patches of the named findings, as in PROVIDER:MODEL.")
    ] = "",
    budget_tokens: Annotated[
        int, typer.Option(min=0, metavar="TOKENS", help="The most tokens for the model; 0 means no limit.")
    ] = 0,
    budget_usd: Annotated[str, typer.Option(help="The most dollars, such as 0.50.")] = "",
    check_with: Annotated[
        str,
        typer.Option(metavar="COMMAND", help="Run this in the sandbox on a patched copy; a patch that makes it fail is dropped."),
    ] = "",
    python: PythonOption = None,
    node: NodeOption = None,
    install: InstallOption = False,
    prepare: PrepareOption = None,
    patch: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the patch to this file after you confirm; by default it is only printed."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write the patch without asking.")] = False,
) -> None:
    """Propose patches for a run's findings. A patch, a model's too, is offered only if analysing the patched code no longer finds
    the flaw and finds nothing new, a demonstrated effect no longer occurs, and --check-with still passes. The code itself is
    never changed: apply the patch with `git apply`.

    Exit codes: 0 done, even if nothing can be patched, 2 usage, 6 the patch waits for your confirmation, 70 internal error.
    """
    from counterproof.app.demonstration import Means
    from counterproof.app.remediation import FIX_SEATS, Wish, proposed
    from counterproof.app.team import terms_of
    from counterproof.cli.chosen import chosen
    from counterproof.reports.inert import terminal_text
    from counterproof.runtime.home import Home

    home = Home()
    terms = terms_of(FIX_SEATS, agents, budget_tokens, budget_usd, home.root)
    wanted = tuple(each.upper() for each in findings or ())
    means = Means(python, node, install, tuple(prepare or ()))
    wish = Wish(wanted, terms, check_with, means, lambda line: typer.echo(terminal_text(line), err=True))
    done = proposed(chosen(run, home, jobs=("audit", "review")), wish, home)
    typer.echo(terminal_text(_told(done)), err=True)
    if done.patch and patch is None:
        sys.stdout.write(terminal_text(done.patch) if sys.stdout.isatty() else done.patch)
    elif done.patch and patch is not None:
        _write(patch, done.patch, yes)


def _told(done: "Proposal") -> str:
    from counterproof.model.budget import dollars
    from counterproof.model.counting import counted

    lines = [f"{counted(len(done.settled), 'finding')} can be patched: {', '.join(done.settled) or 'none'}"]
    without: dict[str, list[str]] = {}
    for flaw, why in done.remedied.unsettled:
        without.setdefault(why, []).append(f"{flaw.number} {flaw.place}")
    for why, places in without.items():
        more = f", and {len(places) - 3} more" if len(places) > 3 else ""
        lines.append(f"{counted(len(places), 'place')}, {why}: {', '.join(places[:3])}{more}")
    if done.cost.tokens:
        money = f", {dollars(done.cost.micros)}" if done.cost.micros else ""
        lines.append(f"Cost: {done.cost.tokens:,} tokens{money}")
    return "\n".join(lines)


def _agreed(patch: Path) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"Write the patch to {patch}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _write(patch: Path, text: str, yes: bool) -> None:
    from counterproof.model.errors import UserError
    from counterproof.model.receipt import Exit

    if not (yes or _agreed(patch)):
        typer.echo(f"Nothing was written; `--patch {patch} --yes` writes it.", err=True)
        raise typer.Exit(Exit.PAUSED)
    try:
        with patch.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UserError(f"{patch} cannot be written: {error.strerror}", "name a file that does not exist yet") from error
    typer.echo(f"Wrote {patch}; `git apply {patch}` applies it.", err=True)
