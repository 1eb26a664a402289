"""`counterproof worker` and `counterproof fleet`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterproof.cli.mistakes import plain_group
from counterproof.cli.options import BudgetTokens, BudgetUsd, CheckShare, Fleet, Quiet
from counterproof.model.counting import counted

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from contextlib import AbstractContextManager

    from counterproof.fleet.queue import Queue
    from counterproof.fleet.worker import Worker
    from counterproof.ports import JobRunner

Named = Annotated[str, typer.Argument(metavar="RUN|BATCH", help="A run's id, or a batch's for all its runs.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(short_help="Audit for a fleet: take runs from its queue.")(worker)
    group = plain_group(help="Machines that share one queue of audits.", no_args_is_help=True)
    group.callback()(lambda: None)
    group.command(short_help="Make or update the database's tables.")(migrate)
    group.command(short_help="Show queue, workers and budget.")(status)
    group.command(short_help="Show the same as a page that refreshes itself.")(page)
    group.command(short_help="Stop or restart handing runs to workers.")(drain)
    group.command(short_help="Put runs without a report back into the queue.")(retry)
    group.command(short_help="Cancel runs that are queued, paused or running.")(cancel)
    group.command(short_help="Set tokens, money and requests a minute for all.")(limits)
    group.command(short_help="Check the results that a worker submitted.")(check)
    group.command(short_help="Release a quarantined login.")(release)
    group.command(short_help="Copy a run here, for `log`, `show` and `replay`.")(fetch)
    group.command(short_help="Remove runs that ended long ago.")(prune)
    app.add_typer(group, name="fleet")


def worker(
    fleet: Fleet = "",
    jobs: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Audits in parallel; 0 means one per processor.")] = 0,
    name: Annotated[str, typer.Option(help="This worker's name; machine and process by default.")] = "",
    lease: Annotated[
        float,
        typer.Option(
            min=1, max=3600, metavar="SECONDS", help="A worker's runs are taken over after this long without a heartbeat."
        ),
    ] = 30.0,
    until_empty: Annotated[bool, typer.Option("--until-empty", help="Exit when the queue is empty.")] = False,
    health: Annotated[
        int, typer.Option(min=0, max=65535, metavar="PORT", help="Answer /live and /ready on this port; 0 means none.")
    ] = 0,
    quiet: Quiet = False,
) -> None:
    """Take runs from a fleet's queue and audit them on this machine, until stopped.

    The first Ctrl-C, or SIGTERM, pauses running audits and returns them to the queue. Keys for git and models are this
    machine's.
    """
    from counterproof.batch.capacity import jobs_at_a_time
    from counterproof.fleet.worker import Worker, own_name
    from counterproof.runtime.home import Home

    ours = Worker(
        address=_address(fleet),
        home=Home().root,
        make_runner=_runner,
        jobs=jobs_at_a_time(jobs),
        name=name or own_name(),
        lease_seconds=lease,
        idle_ends=until_empty,
        tell=(lambda _: None) if quiet else _say,
    )
    _work(ours, health)


def _runner(place: Path, environment: "Mapping[str, str]") -> "JobRunner":
    from counterproof.batch.runner import LocalRunner

    return LocalRunner(place, environment)


def _say(text: str) -> None:
    from counterproof.reports.inert import terminal_text

    typer.echo(terminal_text(text), err=True)


def _work(ours: "Worker", health: int) -> None:
    import signal
    from contextlib import ExitStack

    from counterproof.fleet.health import serving

    def stop(_signal: int, _frame: object) -> None:
        ours.stop()

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, stop)
    with ExitStack() as beside:
        if health:
            beside.enter_context(serving(ours, health))
        ours.work()
    _say(f"{counted(ours.handed_in, 'run')} submitted.")


def migrate(fleet: Fleet = "") -> None:
    """Create or update the tables of a fleet's database. Log in as its owner; workers and operators need fewer rights."""
    from counterproof.runtime.postgres.migrations import migrate as bring_forward

    done = bring_forward(_address(fleet))
    typer.echo(f"Steps applied: {', '.join(str(step) for step in done)}." if done else "The tables are up to date.")


def status(fleet: Fleet = "", as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False) -> None:
    """Show how many runs are in each state, who drives them, and what was spent."""
    import json

    from counterproof.fleet.queue import PURSE
    from counterproof.reports.inert import terminal_text

    with _queue(fleet) as queue:
        now = queue.status()
    if as_json:
        names = ("login", "run", "why")
        apart = [dict(zip(names, each, strict=True)) for each in now.quarantined]
        running = [dict(zip(("worker", "login", "run", "note", "lease_seconds"), each, strict=True)) for each in now.running]
        money = [dict(zip(PURSE, each, strict=True)) for each in now.purses]
        found = {"draining": now.draining, "runs": now.runs, "running": running, "purses": money, "quarantined": apart}
        typer.echo(json.dumps(found, indent=2))
        return
    typer.echo(", ".join(f"{count} {state}" for state, count in now.runs.items()) or "The queue is empty.")
    if now.draining:
        typer.echo("Draining: workers take no new runs until `counterproof fleet drain --off`.")
    for login, run, why in now.quarantined:
        typer.echo(
            terminal_text(f"QUARANTINED {login}: {why} (run {run}); `counterproof fleet release {login}` lets it work again")
        )
    for who, login, run, note, left in now.running:
        late = f", silent since its lease expired, by {-left:.0f} s" if left < 0 else ""
        typer.echo(terminal_text(f"{who} as {login}  {run}  {note}{late}"))
    for purse, *figures in now.purses:
        tokens = f"{figures[0]:,} tokens used, {figures[1]:,} held of {'any number' if figures[2] is None else f'{figures[2]:,}'}"
        rate = f", {figures[6]} requests a minute" if figures[6] else ""
        typer.echo(terminal_text(f"budget {purse}: {tokens}{rate}, {counted(figures[7], 'refusal')}"))


def page(
    fleet: Fleet = "",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="PORT", help="Port on this machine; 0 picks a free one.")] = 0,
) -> None:
    """Serve the status as a page that refreshes itself, for browsers on this machine, until interrupted."""
    from contextlib import suppress

    from counterproof.fleet.page import served

    with served(_address(fleet), port) as server, suppress(KeyboardInterrupt):
        typer.echo(f"http://127.0.0.1:{server.server_port}/")
        server.serve_forever()


def drain(fleet: Fleet = "", off: Annotated[bool, typer.Option("--off", help="Let workers take runs again.")] = False) -> None:
    """Let workers finish their current runs and take no more."""
    with _queue(fleet) as queue:
        queue.drain(not off)
    typer.echo("Workers take runs again." if off else "Workers take no new runs; `counterproof fleet status` shows what runs.")


def retry(named: Named, fleet: Fleet = "") -> None:
    """Return failed, paused or cancelled runs to the queue; they continue where their journal ends."""
    with _queue(fleet) as queue:
        typer.echo(f"{counted(queue.retry(named), 'run')} back in the queue.")


def cancel(named: Named, fleet: Fleet = "") -> None:
    """Cancel runs that are queued, paused or running. Their journals are kept; `fleet retry` continues them."""
    with _queue(fleet) as queue:
        typer.echo(f"{counted(queue.cancel(named), 'run')} cancelled.")


def limits(
    fleet: Fleet = "",
    budget_tokens: BudgetTokens = 0,
    budget_usd: BudgetUsd = "",
    requests_per_minute: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", help="For all workers together; 0 means no limit.")
    ] = 0,
) -> None:
    """Set limits on what all workers together may spend and request. An omitted limit means no limit; past spending counts."""
    from counterproof.app.team import micros_of
    from counterproof.model.budget import Limit

    with _queue(fleet) as queue:
        queue.limit("fleet", Limit(budget_tokens or None, micros_of(budget_usd)), requests_per_minute or None)


def fetch(run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id.")], fleet: Fleet = "") -> None:
    """Copy a finished run from the fleet to this machine's runs, and verify it."""
    from counterproof.fleet.fetching import fetched

    folder = fetched(_address(fleet), run)
    typer.echo(
        f"{folder.id}: the journal is whole; `counterproof show {folder.id}` and `counterproof log show {folder.id}` read it."
    )


def check(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id.")], fleet: Fleet = "", check_share: CheckShare = 100
) -> None:
    """Compare a worker's result with what was queued, and accept or reject it; `batch` does this automatically.

    The code is fetched at the queued commit. A login whose result is rejected is quarantined.
    """
    import os

    from counterproof.batch import acceptance
    from counterproof.cli import commands_audit
    from counterproof.fleet.scheduling import ADDRESS
    from counterproof.model.errors import UserError

    def read(words: tuple[str, ...]) -> acceptance.Question:
        request, asked = commands_audit.read(words[1:])
        if asked.demonstrate:
            raise UserError(f"run {run} contains a demonstration, which cannot be checked", "do not use --demonstrate on a fleet")
        return acceptance.Question(request, asked.since, asked.fail_on_incomplete)

    address = os.environ.pop(ADDRESS, "")
    with _queue(fleet) as queue:
        found = queue.standing(run)
        if found is None or found.state != "unverified":
            raise UserError(f"run {run} has nothing to check", "`counterproof fleet status` lists what runs")
        addresses = {found.work.row.target.id: address} if address else {}
        liar = acceptance.decide(queue, found, addresses, read, check_share)
    if liar:
        _say(f"{run}: rejected; {liar} is quarantined and its targets are queued again")
    else:
        typer.echo(f"{run}: accepted.")


def release(
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="A worker's login in the database.")], fleet: Fleet = ""
) -> None:
    """Let a quarantined login take runs again."""
    from counterproof.model.errors import UserError

    with _queue(fleet) as queue:
        if not queue.release(login):
            raise UserError(f"{login} is not quarantined", "`counterproof fleet status` lists quarantined workers")
    typer.echo(f"{login} can take runs again.")


def prune(
    older_than: Annotated[float, typer.Option(min=0, metavar="DAYS", help="Runs that ended longer ago than this age.")],
    fleet: Fleet = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete runs that ended long ago from the database, with their journals and reports. Log in as its owner.

    Runs of a batch are kept while one of its runs is waiting, running or paused. A target whose runs were deleted is audited
    again.
    """
    from datetime import UTC, datetime, timedelta

    before = datetime.now(UTC) - timedelta(days=older_than)
    with _queue(fleet) as queue:
        found = queue.prunable(before)
        if not found:
            typer.echo("Nothing to remove.")
            return
        if not yes and not typer.confirm(f"Remove {counted(found, 'run')}?"):
            raise typer.Exit(4)
        typer.echo(f"Removed {counted(queue.prune(before), 'run')}.")


def _address(given: str) -> str:
    """The address from the option, or from the environment, which other users of the machine cannot see."""
    from counterproof.model.errors import UserError

    if not given.startswith(("postgresql://", "postgres://")):
        raise UserError(
            "the address of the fleet's database is missing", "set COUNTERPROOF_FLEET to postgresql://USER@HOST/DATABASE"
        )
    return given


def _queue(given: str) -> "AbstractContextManager[Queue]":
    from contextlib import contextmanager

    from counterproof.fleet.queue import Queue
    from counterproof.runtime.postgres.database import Database

    @contextmanager
    def opened() -> "Generator[Queue]":
        with Database(_address(given), patience=10, name="counterproof fleet") as database:
            yield Queue(database)

    return opened()
