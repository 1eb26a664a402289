"""Options that several commands share: one name, one meaning, one help text."""

import functools
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from counterproof.model.formats import choices

Options = TypeVar("Options")


class ModeName(StrEnum):
    quick = "quick"
    standard = "standard"
    deep = "deep"


OutFolder = Annotated[
    Path | None, typer.Option("--out", metavar="FOLDER", help="Write the report and the receipt into this folder.")
]
Globs = list[str] | None
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask: confirm the plan or scope, and continue without answers.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print every protocol marker instead of one line per phase.")]
FailOnIncomplete = Annotated[
    bool,
    typer.Option(
        "--fail-on-incomplete/--no-fail-on-incomplete",
        help="Exit with 3 if the run is incomplete and nothing else failed it; the report says so either way.",
    ),
]


MaxTime = Annotated[
    int, typer.Option(min=0, metavar="SECONDS", help="Stop and report what was found after this many seconds; 0 means no limit.")
]
BudgetUsd = Annotated[str, typer.Option(metavar="DOLLARS", help="Most that models may cost, in dollars, such as 2.50.")]
BudgetTokens = Annotated[int, typer.Option(min=0, metavar="TOKENS", help="The most tokens for models; 0 means no limit.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of every command that starts a run, listed after the command's own in its help."""

    agents: Annotated[
        str,
        typer.Option(
            metavar="AGENTS",
            help="Models that work beside the embedded analysts: PROVIDER:MODEL, or SEAT=PROVIDER:MODEL,… by role or specialist.",
        ),
    ] = ""
    window: Annotated[
        int, typer.Option(min=0, metavar="TOKENS", help="Context window of the models in tokens; 0 means the model's own.")
    ] = 0
    user_context: Annotated[
        Path | None,
        typer.Option(
            "--context",
            metavar="FILE",
            help="A file with what you know about the program, such as threats and intended behaviour; every agent is shown it.",
        ),
    ] = None
    budget_tokens: Annotated[
        int | None,
        typer.Option(min=0, metavar="TOKENS", help="The most tokens for models; 0 means no limit, except a review's own."),
    ] = None
    budget_usd: BudgetUsd = ""
    accept_unread: Annotated[
        Globs,
        typer.Option(
            metavar="GLOB", help="Accept that source matching this glob is not read (repeatable); the receipt lists it."
        ),
    ] = None
    source_url: Annotated[
        str,
        typer.Option(
            metavar="URL", help="A URL of a source line, with {path} and {line} in it; by default derived from the git remote."
        ),
    ] = ""
    resume: Annotated[str, typer.Option(metavar="RUN", help="Continue a run: its id, the beginning of it, or `latest`.")] = ""
    yes: Yes = False
    out: OutFolder = None
    max_time: MaxTime = 0
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Neither use nor store results of earlier runs; the report is the same.")
    ] = False
    fail_on_incomplete: FailOnIncomplete = True
    quiet: Quiet = False
    verbose: Verbose = False


def keep_nothing() -> None:
    """Set the environment variable, so that it applies to every part of this run, including the audit of an earlier revision."""
    from counterproof.analysis.cache import SWITCH

    os.environ[SWITCH] = "off"


def format_option(*jobs: str, help: str = "Only this format (repeatable). Without --out it goes to standard output.") -> Any:  # noqa: A002
    """The option for the formats that reports of these jobs have."""
    names = choices(*jobs)

    def one_of(name: str) -> str:
        if name not in names:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(names)}")
        return name

    return typer.Option("--format", metavar="|".join(names), parser=one_of, autocompletion=lambda: list(names), help=help)


CheckShare = Annotated[
    int, typer.Option(min=0, max=100, metavar="PERCENT", help="Of a fleet's runs: repeat this share of the analysts' work here.")
]
Fleet = Annotated[
    str,
    typer.Option(
        "--fleet", metavar="URL", envvar="COUNTERPROOF_FLEET", show_envvar=True, help="The fleet's database, postgresql://…"
    ),
]


def declared(options: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Make a function of one dataclass a command whose parameters are its fields, in order."""

    def wrap(function: Callable[[Options], None]) -> Callable[..., None]:
        @functools.wraps(function)
        def call(**given: Any) -> None:
            function(options(**given))

        every = inspect.signature(options).parameters.values()
        shared = inspect.signature(RunOptions).parameters
        ordered = [*(each for each in every if each.name not in shared), *(each for each in every if each.name in shared)]
        setattr(call, "__signature__", inspect.Signature(ordered))  # noqa: B010 (not in the type)
        call.__annotations__ = get_type_hints(options, include_extras=True)
        return call

    return wrap
