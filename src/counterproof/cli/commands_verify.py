"""`counterproof verify`: challenges a plan against its repository. Asks the user; nothing is decided here."""

import re
import shlex
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterproof.cli import options
from counterproof.cli.configured import configured

if TYPE_CHECKING:
    from counterproof.app.delivery import Ended
    from counterproof.cli.console import Watcher
    from counterproof.model.plan.iteration import Team
    from counterproof.protocols.plan.request import VerifyRequest


class TeamName(StrEnum):
    base = "base"
    scaled = "scaled"


class PlanView(StrEnum):
    intents = "intents"


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Check an implementation plan against its repository.")(
        configured("verify", "repo")(options.declared(VerifyOptions)(verify))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions(options.RunOptions):
    """The options of `verify`, in the order of its help."""

    plan: Annotated[
        str, typer.Argument(metavar="PLAN", help="The plan's file; by default the newest in docs/plans, plans, PLAN.md, …")
    ] = ""
    repo: Annotated[Path, typer.Option(metavar="FOLDER", help="The repository that the plan is for.")] = Path()
    mode: Annotated[
        options.ModeName | None,
        typer.Option(
            help="quick and standard: the base team; deep: the larger team. By default chosen by the plan's complexity."
        ),
    ] = None
    team: Annotated[TeamName | None, typer.Option(help="The team by its name, instead of --mode.")] = None
    threshold: Annotated[
        int | None, typer.Option(min=0, metavar="NUMBER", help="Complexity from which the larger team works; 7 by default.")
    ] = None
    diff: Annotated[
        str,
        typer.Option(
            metavar="RANGE", help="After the work: check whether this change, such as main...HEAD, did what the plan says."
        ),
    ] = ""
    show: Annotated[
        PlanView | None,
        typer.Option(help="Print what the plan is understood to create, change, remove, rename, move and keep, and stop."),
    ] = None
    answer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID=ANSWER",
            help="Your decision on a question: C3=accept, or 'C3=change: …'; other text is passed on to the agents (repeatable).",
        ),
    ] = None
    format: Annotated[list[str] | None, options.format_option("verify")] = None
    web: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="The command that starts your MCP server for web search; without it nothing is looked up on the web.",
        ),
    ] = ""


def verify(asked: VerifyOptions) -> None:
    """Challenge an implementation plan against its repository.

    Exit codes: 0 proceed, with or without questions, 1 revise or rethink, 2 usage, 3 incomplete, 4 no plan, 5 over budget, 6
    paused with a question, 70 internal error.
    """

    from counterproof.app import verify as verifications
    from counterproof.cli import closing, human, running
    from counterproof.runtime.home import Home

    if asked.show:
        _print_intents(asked)
        return
    formats, given = running.formats_of(asked, asked.format), answers_of(asked.answer or [])

    def start(watcher: "Watcher") -> "Ended":
        return verifications.start(_request(asked), human.TerminalUser(watcher, asked.yes, given=given), watcher, Home())

    done = running.run_of(asked, start, (bool(asked.plan), "plan"), given)
    closing.show(done, formats, asked.out, asked.quiet, asked.fail_on_incomplete)


def _print_intents(asked: VerifyOptions) -> None:
    from counterproof.app import verify as verifications
    from counterproof.reports.plan.intents import intents_table

    plan = verifications.named_plan(asked.plan, asked.repo.absolute())
    sys.stdout.write(intents_table(verifications.outline_of(plan)))


def _request(asked: VerifyOptions) -> "VerifyRequest":
    from counterproof.app import source_links
    from counterproof.app import verify as verifications
    from counterproof.app.named_file import user_context
    from counterproof.app.team import PLAN_SEATS, terms_of
    from counterproof.protocols.plan.request import VerifyRequest
    from counterproof.runtime.home import Home

    root = asked.repo.absolute()
    return VerifyRequest(
        str(verifications.named_plan(asked.plan, root)),
        str(root),
        _team(asked.mode, asked.team),
        asked.threshold,
        max_seconds=asked.max_time,
        terms=terms_of(PLAN_SEATS, asked.agents, asked.budget_tokens or 0, asked.budget_usd, Home().root, asked.window),
        web=_command(asked.web),
        diff=asked.diff,
        source_url=source_links.template(asked.source_url, root),
        context=user_context(asked.user_context, root) if asked.user_context else None,
        accept_unread=tuple(asked.accept_unread or ()),
    )


def _command(text: str) -> tuple[str, ...]:
    from counterproof.model.errors import UserError

    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise UserError(f"--web {text[:80]!r} is not a command: {error}", "write it as you would in a shell") from error


def _team(mode: options.ModeName | None, team: TeamName | None) -> "Team | None":
    from counterproof.model.errors import UserError
    from counterproof.model.plan.iteration import Team

    if mode and team:
        raise UserError("--mode and --team cannot be combined", "give one of the two")
    if mode:
        return Team.SCALED if mode is options.ModeName.deep else Team.BASE
    return Team(team.value) if team else None


def answers_of(given: list[str]) -> dict[str, str]:
    from counterproof.model.errors import UserError

    found: dict[str, str] = {}
    for text in given:
        name, sign, words = text.partition("=")
        if not sign or not re.fullmatch(r"[Cc][1-9]\d{0,5}", name.strip()) or not words.strip():
            raise UserError(
                f"--answer {text[:80]!r} is not of the form C3=accept or 'C3=change: …'", "the questions show the ids"
            )
        found[name.strip().upper()] = words.strip()[:1_500]
    return found
