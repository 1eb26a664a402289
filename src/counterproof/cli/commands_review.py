"""`counterproof review`: specialists review a change or some files and challenge each other. Nothing is decided here."""

import os
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterproof.cli import options
from counterproof.cli.configured import configured
from counterproof.cli.posting import PostTo, deliver, destination

if TYPE_CHECKING:
    from counterproof.app.delivery import Ended
    from counterproof.cli import human
    from counterproof.cli.console import Watcher
    from counterproof.protocols.review.presets import Preset
    from counterproof.protocols.review.request import ReviewRequest


MAX_INTENT = 20_000


class TeamName(StrEnum):
    compact = "compact"
    full = "full"


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command(short_help="Review a change, whole files, or strategy documents.")(
        configured("review", "repo")(options.declared(ReviewOptions)(review))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions(options.RunOptions):
    """The options of `review`, in the order of its help."""

    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATHS", help="Files or folders; by default the change in the work tree.")
    ] = None
    repo: Annotated[Path, typer.Option(metavar="FOLDER", help="The top of the repository.")] = Path()
    diff: Annotated[str, typer.Option(metavar="RANGE", help="Review a change: `HEAD` (the default), `main...HEAD`, `A..B`.")] = ""
    delta: Annotated[bool, typer.Option("--delta", help="Review only what changed since the last review of this folder.")] = False
    profile: Annotated[str, typer.Option(metavar="NAME", help="The team: code, strategy, or one that you defined.")] = "code"
    only: Annotated[str, typer.Option(metavar="CODES", help="Only these specialists, such as SEC,CORR.")] = ""
    team: Annotated[
        TeamName | None,
        typer.Option(
            help="compact: a hunter and a challenger, the default for one model; full: every specialist, as with --thorough."
        ),
    ] = None
    mode: Annotated[
        options.ModeName | None,
        typer.Option(help="quick: two specialists; standard: the default team; deep: all of them, one more iteration."),
    ] = None
    quick: Annotated[bool, typer.Option("--quick", help="The same as --mode quick.")] = False
    thorough: Annotated[bool, typer.Option("--thorough", help="The same as --mode deep.")] = False
    strict_scope: Annotated[bool, typer.Option("--strict-scope", help="Reject findings outside the scope.")] = False
    include_secrets: Annotated[bool, typer.Option("--include-secrets", help="Also review files that may contain secrets.")] = (
        False
    )
    force: Annotated[bool, typer.Option("--force", help="Review more than 200 files.")] = False
    intent: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="A file that says what the change is for, such as a pull request's text; - reads standard input."
        ),
    ] = ""
    comments: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Also judge others' comments: GitHub's or GitLab's JSON, or lines of PATH:LINE: TEXT; - reads standard input.",
        ),
    ] = ""
    budget: Annotated[int | None, typer.Option(min=0, metavar="TOKENS", help="The same as --budget-tokens.", hidden=True)] = None
    no_budget: Annotated[bool, typer.Option("--no-budget", help="Count tokens, but do not stop.")] = False
    format: Annotated[list[str] | None, options.format_option("review")] = None
    post: Annotated[PostTo | None, typer.Option(help="Post the review to the pull request, with the token in GITHUB_TOKEN.")] = (
        None
    )
    pr: Annotated[
        int,
        typer.Option(
            "--pr", min=0, metavar="NUMBER", help="The number of the pull request; read from the environment in a GitHub job."
        ),
    ] = 0
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --post: print what would be posted, and post nothing.")] = False


def review(asked: ReviewOptions) -> None:
    """Review a change, or whole files, with specialists that challenge each other's findings.

    Exit codes: 0 nothing above Minor, 1 findings, 2 usage, 3 incomplete, 4 refused, 5 over budget, 6 paused, 70 internal
    error.
    """

    from counterproof.app import review as reviews
    from counterproof.cli import closing, running
    from counterproof.runtime.home import Home

    formats = running.formats_of(asked, asked.format)
    preset = _preset(asked.mode, asked.quick, asked.thorough)
    where = destination(asked.post, asked.pr, asked.dry_run)

    def start(watcher: "Watcher") -> "Ended":
        request = _request(asked, preset)
        return reviews.start(request, _consent(asked, request, watcher), watcher, Home())

    done = running.run_of(asked, start, (bool(asked.paths or asked.diff or asked.delta), "scope"))
    posted = deliver(done, where, asked.dry_run)
    try:
        closing.show(done, formats, asked.out, asked.quiet, asked.fail_on_incomplete)
    except typer.Exit as ended:
        raise typer.Exit(ended.exit_code if posted else ended.exit_code or 3) from None  # a clean review must still be visible


def _request(asked: ReviewOptions, preset: "Preset") -> "ReviewRequest":
    from counterproof.app import source_links
    from counterproof.app.external_comments import read_comments
    from counterproof.app.named_file import user_context
    from counterproof.app.team import micros_of, review_seats, terms_of
    from counterproof.knowledge.profiles import load_profile
    from counterproof.protocols.review.presets import TERMS, team
    from counterproof.protocols.review.request import ReviewRequest
    from counterproof.runtime.home import Home

    codes = tuple(each.strip().upper() for each in asked.only.split(",") if each.strip())
    root = asked.repo.absolute()
    specialists = team(load_profile(asked.profile), preset, codes)
    seats = review_seats(each.code for each in specialists.specialists)
    budget = asked.budget if asked.budget_tokens is None else asked.budget_tokens
    most = (TERMS[preset].tokens if budget is None else budget) if asked.agents else 0
    terms = terms_of(seats, asked.agents, most, asked.budget_usd, Home().root, asked.window)
    return ReviewRequest(
        str(root), specialists, preset, _relative(asked.paths or [], root), asked.diff, asked.delta, asked.strict_scope,
        budget or None, _is_unlimited(asked), 0, asked.yes, asked.force, asked.include_secrets, asked.max_time,
        terms.team if terms else "", terms.prompts if terms else "", tuple(asked.accept_unread or ()), _intent(asked.intent),
        read_comments(asked.comments) if asked.comments else (), micros_of(asked.budget_usd),
        source_links.template(asked.source_url, root), _team(asked.team, codes), asked.window,
        user_context(asked.user_context, root) if asked.user_context else None,
    )  # fmt: skip


def _team(asked: TeamName | None, named: tuple[str, ...]) -> str:
    """The full team if specialists are named by their codes."""
    return asked.value if asked else "full" if named else ""


def _is_unlimited(asked: ReviewOptions) -> bool:
    return asked.no_budget or (asked.budget if asked.budget_tokens is None else asked.budget_tokens) == 0


def _consent(asked: ReviewOptions, request: "ReviewRequest", watcher: "Watcher") -> "human.TerminalUser":
    """The user who confirms the scope; with models they are told where it is sent."""
    from counterproof.cli import human

    if not asked.agents:
        return human.TerminalUser(watcher, asked.yes)
    most = "no limit on tokens" if _is_unlimited(asked) else f"at most {request.tokens:,} tokens"
    return human.TerminalUser(watcher, asked.yes, f"they go to {asked.agents}, with {most} for all requests together")


def _preset(mode: options.ModeName | None, quick: bool, thorough: bool) -> "Preset":
    """The size of the team: from --mode, or from one of the two short forms."""
    from counterproof.model.errors import UserError
    from counterproof.protocols.review.presets import Preset

    asked = [
        *([mode] if mode else []),
        *([options.ModeName.quick] if quick else []),
        *([options.ModeName.deep] if thorough else []),
    ]
    if len(asked) > 1:
        raise UserError("--mode, --quick and --thorough cannot be combined", "give one of them")
    return {options.ModeName.quick: Preset.QUICK, options.ModeName.deep: Preset.THOROUGH}.get(
        asked[0] if asked else options.ModeName.standard, Preset.DEFAULT
    )


def with_default_range(arguments: list[str]) -> list[str]:
    """`review --diff` without a value means the work tree's change, as `git diff HEAD`."""
    if arguments[:1] != ["review"] or "--diff" not in arguments:
        return arguments
    at = arguments.index("--diff")
    following = arguments[at + 1] if at + 1 < len(arguments) else "-"
    if following.startswith("-") or Path(following).exists():
        return [*arguments[:at], "--diff=HEAD", *arguments[at + 1 :]]
    return arguments


def _intent(name: str) -> str:
    """The user's description of the change, from a file or from standard input."""
    from counterproof.model.errors import UserError

    try:
        text = sys.stdin.read(MAX_INTENT) if name == "-" else Path(name).read_text(encoding="utf-8") if name else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"--intent: {name[:200]} cannot be read", "give a text file, or - for standard input") from error
    return text[:MAX_INTENT]


def _relative(paths: list[str], root: Path) -> tuple[str, ...]:
    """Paths relative to the repository; paths outside of it are rejected."""
    from counterproof.model.errors import UserError

    found: list[str] = []
    for each in paths:
        path = Path(each)
        try:
            inside = Path(os.path.normpath(path if path.is_absolute() else Path.cwd() / path)).relative_to(os.path.normpath(root))
        except ValueError:
            raise UserError(f"{each[:200]} is outside {root}", "name files of the repository, or give another --repo") from None
        if not os.path.lexists(path):
            raise UserError(f"{each[:200]} is not there", "give files or folders; use --diff RANGE for a change")
        found.append("." if inside == Path() else inside.as_posix())
    return tuple(found)
