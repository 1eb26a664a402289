"""`counterproof batch` and `counterproof batches`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from counterproof.cli.mistakes import plain_group
from counterproof.cli.options import BudgetTokens, BudgetUsd, CheckShare, Fleet, OutFolder, Quiet, declared

if TYPE_CHECKING:
    from pathlib import Path

    from counterproof.batch.conducting import Conducted
    from counterproof.model.batch import Order
    from counterproof.ports import Scheduler

_OURS = ("--out", "--yes", "-y", "--quiet", "-q", "--verbose", "-v", "--format")
"""Options of `audit` that a batch sets itself."""
_WITH_BUDGET = ("--budget-tokens", "--budget-usd", "--config", "--trust-ref")


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(short_help="Audit many repositories, with one combined report.")(declared(BatchOptions)(batch))
    group = plain_group(help="List batches, show one's progress, or prune old ones.", invoke_without_command=True)
    group.callback()(batches)
    group.command(short_help="Show the progress of each target of a batch.")(show)
    group.command(short_help="Remove old batches.")(prune)
    app.add_typer(group, name="batches")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """The options of `batch`, in the order of its help."""

    targets: Annotated[
        str, typer.Argument(metavar="TARGETS", help="A list file, a folder of repositories, or - for standard input.")
    ]
    options: Annotated[
        list[str] | None, typer.Argument(metavar="-- OPTIONS", help="Options of `audit` for every target, after --.")
    ] = None
    jobs: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Audits in parallel; 0 means one per processor.")] = 0
    max_time: Annotated[
        int,
        typer.Option(min=0, metavar="SECONDS", help="Each audit reports what it has after this many seconds; 0 means no limit."),
    ] = 0
    max_batch_time: Annotated[
        int, typer.Option(min=0, metavar="SECONDS", help="Pause after this many seconds; the same command continues.")
    ] = 0
    budget_tokens: BudgetTokens = 0
    budget_usd: BudgetUsd = ""
    out: OutFolder = None
    name: Annotated[str, typer.Option(help="A name under which batches of this list are compared; by default its path.")] = ""
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over even if the last batch is unfinished.")] = False
    fleet: Fleet = ""
    check_share: CheckShare = 10
    quiet: Quiet = False


def batch(asked: BatchOptions) -> None:
    """Audit many repositories, on this machine or by a fleet, with one combined report.

    Targets that have not changed since the last batch of the same list are skipped; the same command continues a batch that
    was paused, interrupted or killed. The exit code is the first of 70, 2, 4, 6, 1, 5, 3, 0 that any target has.
    """
    import signal

    from counterproof.app.team import micros_of
    from counterproof.batch import conducting
    from counterproof.batch import targets as reading
    from counterproof.batch.capacity import jobs_at_a_time
    from counterproof.batch.runner import LocalRunner
    from counterproof.batch.scheduling import LocalScheduler
    from counterproof.cli.batch_table import choose
    from counterproof.cli.out_folder import refuse_unusable
    from counterproof.model.batch import Order
    from counterproof.model.budget import Limit
    from counterproof.model.errors import UserError
    from counterproof.runtime.home import Home

    refuse_unusable(asked.out)
    home, budget = Home(), Limit(asked.budget_tokens or None, micros_of(asked.budget_usd))
    listed = reading.read(asked.targets, _with_agents(tuple(asked.options or ())), lambda given: _check(given, budget))
    order = Order(
        "", asked.name or listed.name, listed.targets, budget, jobs_at_a_time(asked.jobs), asked.max_time, asked.max_batch_time
    )
    _refuse_idle_budget(order)
    if asked.fleet and any("--demonstrate" in each.options for each in order.targets):
        raise UserError(
            "findings cannot be demonstrated on a fleet: nobody can check what a worker's sandbox showed",
            "leave --demonstrate away",
        )
    _refuse_inside(asked.out, order)
    runner = LocalRunner(home.root, addresses=listed.addresses)

    def scheduler(folder: "Path", order: "Order") -> "Scheduler":
        if asked.fleet:
            from counterproof.fleet.scheduling import FleetScheduler

            return FleetScheduler(asked.fleet, folder, runner, listed.addresses, asked.check_share)
        return LocalScheduler(runner, folder, conducting.Earlier(home, order, folder))

    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # all of them pause, even if the shell ignored them
        signal.signal(each, signal.default_int_handler)
    ledger = conducting.opened(order, home, asked.fresh)
    watcher = choose(asked.quiet, ledger.rows())
    try:
        with watcher:
            done = conducting.conduct(ledger, order, scheduler, asked.out.absolute() if asked.out else None, home, watcher.tell)
    finally:
        ledger.close()
    _leave(done, asked.quiet)


AsJson = Annotated[bool, typer.Option("--json", help="One JSON value.")]


def batches(context: typer.Context, as_json: AsJson = False) -> None:
    """List batches, newest first, show one in detail, or prune old ones."""
    if not context.invoked_subcommand:
        from counterproof.batch import ledger as ledgers
        from counterproof.cli import batch_table
        from counterproof.runtime.home import Home

        for line in batch_table.every(list(ledgers.summaries(Home())), as_json):
            typer.echo(line)


def show(
    context: typer.Context,
    batch_id: Annotated[str, typer.Argument(metavar="BATCH", help="A batch's id, the beginning of it, or `latest`.")],
    as_json: AsJson = False,
) -> None:
    """Show the status of each target of a batch; `batches BATCH` does the same."""
    from counterproof.batch import ledger as ledgers
    from counterproof.cli import batch_table
    from counterproof.runtime.home import Home

    asked = as_json or bool(context.parent and context.parent.params.get("as_json"))
    for line in batch_table.one(list(ledgers.summaries(Home())), batch_id, asked):
        typer.echo(line)


def prune(
    keep: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Keep this many of the newest batches of each list.")] = 5,
    unfinished: Annotated[bool, typer.Option(help="Remove unfinished batches too; they can no longer be continued.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete old batches, with the reports in their folders; reports written elsewhere with --out are kept, and so are runs."""
    from counterproof.batch import pruning
    from counterproof.cli.commands_runs import size
    from counterproof.model.counting import counted
    from counterproof.runtime.home import Home

    home = Home()
    old = pruning.prunable(home, keep, finished_only=not unfinished)
    if not old:
        typer.echo("Nothing to remove.")
        return
    said = counted(len(old), "batch", "batches")
    if not yes and not typer.confirm(f"Remove {said}?"):
        raise typer.Exit(4)
    typer.echo(f"Removed {said}, {size(pruning.prune(home, old))} freed; `counterproof runs prune` removes old runs.")


def _with_agents(options: tuple[str, ...]) -> tuple[str, ...]:
    """Add the models named in the user's settings to the options, because they take part in every audit and the budget applies
    to them."""
    import os
    from pathlib import Path

    from counterproof.app.configuration import layers
    from counterproof.model.configuration import settings_of

    if any(each.partition("=")[0] in ("--agents", "--config") for each in options):
        return options
    setting = next(each for each in settings_of("audit") if each.parameter == "agents")
    seen = layers(Path(os.devnull), None, "", os.environ).find(setting)
    return (*options, "--agents", str(seen[0])) if seen and seen[0] else options


def _check(options: tuple[str, ...], budget: object) -> None:
    """Raises `UserError` for options that an audit does not have, or that the batch sets itself."""
    from counterproof.cli import commands_audit
    from counterproof.model.budget import Limit
    from counterproof.model.errors import UserError
    from counterproof.model.misfits import in_plain_words

    for each in options:
        word = each.partition("=")[0]
        if word in _OURS:
            raise UserError(f"{word} cannot be given for one target", "the batch sets it for every audit")
        if word in _WITH_BUDGET and budget != Limit():  # settings elsewhere could bring in models that nothing was reserved for
            raise UserError(f"{word} cannot be given for one target when the batch has a budget", "use only one of the two")
    app = typer.Typer()
    commands_audit.register(app)
    command: Any = vars(typer.main.get_command(app))["commands"]["audit"]
    try:
        command.make_context("audit", [*options, "--", "."])
    except Exception as error:
        told = getattr(error, "format_message", None)  # every error class of the library has it
        if told is None:
            raise
        raise UserError(in_plain_words(str(told())), "`counterproof audit --help` lists the options") from error


def _refuse_idle_budget(order: "Order") -> None:
    from counterproof.model.budget import Limit
    from counterproof.model.errors import UserError

    if order.budget != Limit() and not any(each.is_paid for each in order.targets):
        raise UserError("a budget applies to models, and no model is configured", "add -- --agents PROVIDER:MODEL")


def _refuse_inside(out: "Path | None", order: "Order") -> None:
    """Reject a report folder inside a target that is read in place: the reports would change the target."""
    from counterproof.model.errors import UserError
    from counterproof.model.text import real_name

    place = str(out.resolve()) if out else ""
    for each in order.targets if out else ():
        if place.startswith(f"{real_name(each.source).rstrip('/')}/"):
            raise UserError(f"--out {out} is inside of the target {each.source}", "name a folder outside of all targets")


def _leave(done: "Conducted", quiet: bool) -> NoReturn:
    from counterproof.cli import batch_table, console

    if not quiet:
        console.print_rows(batch_table.closing(done))
    raise typer.Exit(int(done.exit))
