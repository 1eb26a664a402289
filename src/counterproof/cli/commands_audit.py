"""`counterproof audit` and `counterproof resume`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterproof.cli import options
from counterproof.cli.configured import configured
from counterproof.model.formats import FORMATS

if TYPE_CHECKING:
    from counterproof.app.delivery import Ended
    from counterproof.cli.console import Watcher
    from counterproof.model.contract import Role
    from counterproof.model.dimension import Dimension
    from counterproof.protocols.audit.request import AuditRequest, ModelTerms
    from counterproof.runtime.home import Home


class LevelName(StrEnum):
    critical = "critical"
    high = "high"
    medium = "medium"
    low = "low"


class ConfidenceName(StrEnum):
    proved = "proved"
    validated = "validated"
    claimed = "claimed"


class PostureLevel(StrEnum):
    never = "never"
    medium = "medium"
    low = "low"


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(configured("audit", "path")(options.declared(AuditOptions)(audit)))
    app.command()(resume)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions(options.RunOptions):
    """The options of `audit`, in the order of its help."""

    path: Annotated[str, typer.Argument(metavar="PATH", help="The folder to audit.")] = ""
    mode: Annotated[options.ModeName, typer.Option(help="How thorough.")] = options.ModeName.standard
    only: Annotated[str, typer.Option(metavar="DIMENSIONS", help="Dimensions to audit, such as D1,D5.")] = ""
    include: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Read only files that match this glob (repeatable).")
    ] = None
    exclude: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Skip files that match this glob (repeatable).")] = (
        None
    )
    fail_on: Annotated[LevelName, typer.Option(help="Exit with 1 if a finding has this severity or higher.")] = LevelName.high
    min_confidence: Annotated[
        ConfidenceName, typer.Option(help="Lowest confidence that fails the run and appears on the first page.")
    ] = ConfidenceName.validated
    fail_on_posture: Annotated[
        PostureLevel, typer.Option(help="Exit with 1 for hardening advice of this severity or higher; never by default.")
    ] = PostureLevel.never
    min_coverage: Annotated[
        int | None,
        typer.Option(min=0, max=10, metavar="NUMBER", help="Number of dimensions that must be covered."),
    ] = None
    format: Annotated[list[str] | None, options.format_option("audit")] = None
    baseline: Annotated[
        str,
        typer.Option(metavar="RUN", help="Compare with an earlier run, or with its report.json; only what is new fails the run."),
    ] = ""
    since: Annotated[
        str,
        typer.Option(metavar="REV", help="Compare with a revision, such as origin/main; only what is new since fails the run."),
    ] = ""
    exceptions: Annotated[Path | None, typer.Option(help="A TOML file of accepted findings, kept outside the target.")] = None
    trust_ref: Annotated[
        str,
        typer.Option(
            metavar="REV", help="Read counterproof.toml, --exceptions and --baseline files in the target as of this revision."
        ),
    ] = ""
    osv: Annotated[
        Path | None,
        typer.Option(help="Known vulnerabilities: OSV's zip, JSON, JSONL, or a folder; else what `osv update` keeps."),
    ] = None
    hunts: Annotated[
        int,
        typer.Option(min=1, max=9, metavar="NUMBER", help="Number of independent hunts by models; none sees another's results."),
    ] = 1
    recorded: Annotated[
        Path | None, typer.Option(help="Recorded runs of other agents (JSON Lines), used as hunters beside the analysts.")
    ] = None
    demonstrate: Annotated[
        bool, typer.Option("--demonstrate", help="Then run a copy in a sandbox and try to demonstrate the findings.")
    ] = False


def audit(asked: AuditOptions) -> None:
    """White-box security audit of a source tree.

    Exit codes: 0 clean, 1 findings at or above --fail-on, 2 usage, 3 incomplete, 4 refused, 5 over budget, 6 paused, 70 internal
    error.
    """

    from counterproof.app import audit as audits
    from counterproof.cli import closing, human, running
    from counterproof.model.errors import UserError
    from counterproof.runtime.home import Home

    formats, home = running.formats_of(asked, asked.format), Home()
    if asked.since and asked.baseline:
        raise UserError("--since and --baseline cannot be combined", "give one of the two")

    def start(watcher: "Watcher") -> "Ended":
        if not asked.path:
            raise UserError("no folder was given", "`counterproof audit PATH` audits one; `.` is the folder you are in")
        request = _request(asked, home)
        if asked.demonstrate:
            _tell_sandbox(asked.quiet)
        if asked.since:
            from counterproof.app.since import held_against

            request = held_against(request, asked.since, watcher, home)
        finished = audits.start(request, human.TerminalUser(watcher), watcher, home)
        return _with_demonstrations(finished, asked.quiet) if asked.demonstrate else finished

    finished = running.run_of(asked, start)
    closing.show(finished, formats, asked.out, asked.quiet, asked.fail_on_incomplete)


def _tell_sandbox(quiet: bool) -> None:
    """Report the sandbox layers; ends the command before the audit if there are none."""
    from counterproof.app.demonstration import sandbox_level

    level = sandbox_level()
    if not quiet:
        typer.echo(f"Sandbox: {level}", err=True)


def _with_demonstrations(finished: "Ended", quiet: bool) -> "Ended":
    from counterproof.app.demonstration import with_demonstrations
    from counterproof.reports.inert import terminal_text

    def tell(line: str) -> None:
        if not quiet:
            typer.echo(terminal_text(line), err=True)

    return with_demonstrations(finished, tell)


def read(words: tuple[str, ...]) -> "tuple[AuditRequest, AuditOptions]":
    """Parse the arguments of an audit without starting it."""
    from counterproof.runtime.home import Home

    found = list[AuditOptions]()
    app = typer.Typer()
    app.command()(configured("audit", "path")(options.declared(AuditOptions)(found.append)))
    typer.main.get_command(app).main([*words], standalone_mode=False)
    return _request(found[0], Home()), found[0]


def _request(asked: AuditOptions, home: "Home") -> "AuditRequest":
    from datetime import date

    from counterproof.app import comparison, recorded_runs, source_links, vulnerability_data
    from counterproof.app.named_file import user_context
    from counterproof.model.confidence import Confidence
    from counterproof.model.severity import Severity
    from counterproof.model.text import name_form
    from counterproof.protocols.audit.modes import Mode
    from counterproof.protocols.audit.request import AuditRequest

    place, today = Path(asked.path), f"{date.today():%Y-%m-%d}"
    models, terms = _models(asked, home)
    return AuditRequest(
        models=models,
        terms=terms,
        target=name_form(str(place.absolute())) if asked.path else asked.path,
        mode=Mode(asked.mode.value),
        only=_dimensions(asked.only),
        include=tuple(asked.include or ()),
        exclude=tuple(asked.exclude or ()),
        accept_unread=tuple(asked.accept_unread or ()),
        fail_on=Severity(asked.fail_on.value),
        min_confidence=Confidence(asked.min_confidence.value),
        fail_on_posture=None if asked.fail_on_posture is PostureLevel.never else Severity(asked.fail_on_posture.value),
        min_coverage=asked.min_coverage,
        source_url=source_links.template(asked.source_url, place),
        yes=asked.yes,
        max_seconds=asked.max_time,
        known=comparison.known_findings(home, asked.baseline, place, asked.trust_ref) if asked.baseline else None,
        accepted=comparison.accepted_findings(asked.exceptions, place, asked.trust_ref) if asked.exceptions else (),
        today=today,
        vulnerability_data=vulnerability_data.chosen(asked.osv, place, today),
        recorded=recorded_runs.named(asked.recorded, place, models) if asked.recorded else None,
        hunts=asked.hunts,
        context=user_context(asked.user_context, place, asked.trust_ref) if asked.user_context else None,
    )


def resume(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id, the beginning of it, or `latest`.")],
    yes: options.Yes = False,
    rerun_changed: Annotated[
        bool, typer.Option("--rerun-changed", help="If code, rules, prompts or version changed: run the affected steps again.")
    ] = False,
    cut_damage: Annotated[
        bool, typer.Option("--cut-damage", help="Continue a damaged journal from its last intact row; the damaged file is kept.")
    ] = False,
    without_models: Annotated[
        bool, typer.Option("--without-models", help="End the run with the results so far, without models, as incomplete.")
    ] = False,
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=TEXT", help='An answer to a question of `verify`, such as C3="keep it" (repeatable).'),
    ] = None,
    format: Annotated[list[str] | None, options.format_option(*FORMATS)] = None,  # noqa: A002 (the option's name)
    out: options.OutFolder = None,
    fail_on_incomplete: options.FailOnIncomplete = True,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Continue a run that was paused, interrupted or killed."""
    from counterproof.app.jobs import job_of
    from counterproof.app.recovery import Choices
    from counterproof.app.resuming import resume as go_on
    from counterproof.cli import closing, commands_verify, console, human
    from counterproof.cli.chosen import chosen

    formats = tuple(dict.fromkeys(format or ()))
    closing.one_stream(formats, out)
    found, choices = chosen(run, quiet=quiet), Choices(cut_damage, rerun_changed, without_models)
    job_of(found).refuse_unknown(found.id, *formats)
    watcher = console.choose(quiet, verbose)
    try:
        user = human.TerminalUser(watcher, yes, given=commands_verify.answers_of(answer or []))
        ended = go_on(found, user, watcher, choices)
    finally:
        watcher.stop()
    closing.show(ended, formats, out, quiet, fail_on_incomplete)


def _models(asked: AuditOptions, home: "Home") -> "tuple[tuple[Role, ...], ModelTerms | None]":
    """The roles that models play, and their terms; a budget without models is reported as an error."""
    from counterproof.app.team import AUDIT_SEATS, terms_of
    from counterproof.model.errors import UserError

    if asked.hunts > 1 and not asked.agents.strip():
        raise UserError("--hunts applies to models, and no model is configured", "add --agents PROVIDER:MODEL")
    terms = terms_of(AUDIT_SEATS, asked.agents, asked.budget_tokens or 0, asked.budget_usd, home.root, asked.window)
    return (tuple(role for role, _ in terms.players), terms) if terms else ((), None)


def _dimensions(text: str) -> "tuple[Dimension, ...]":
    from counterproof.model.dimension import ALL_DIMENSIONS
    from counterproof.model.errors import UserError

    if not text.strip():
        return ALL_DIMENSIONS
    wanted = {part.strip().upper() for part in text.split(",") if part.strip()}
    unknown = sorted(wanted - {dimension.value for dimension in ALL_DIMENSIONS})
    if unknown or not wanted:
        raise UserError(f"--only: no such dimension: {', '.join(unknown) or text!r}", "the dimensions are D1 to D10")
    return tuple(dimension for dimension in ALL_DIMENSIONS if dimension.value in wanted)
