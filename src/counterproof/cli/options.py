"""Options that several commands share: one name, one meaning, one help text."""

import functools
import inspect
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

Options = TypeVar("Options")


class ModeName(StrEnum):
    quick = "quick"
    standard = "standard"
    deep = "deep"


OutFolder = Annotated[
    Path | None, typer.Option("--out", metavar="FOLDER", help="Write the report and the receipt into this folder.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print every marker of the protocol instead of one line a phase.")]
MaxTime = Annotated[int, typer.Option(min=0, metavar="SECONDS", help="Hand in after this many seconds; 0 means no limit.")]
BudgetTokens = Annotated[int, typer.Option(min=0, metavar="TOKENS", help="The most tokens for models; 0 means no limit.")]
BudgetUsd = Annotated[str, typer.Option(metavar="DOLLARS", help="The most that models may cost, in dollars, such as 2.50.")]
Window = Annotated[
    int, typer.Option(min=0, metavar="TOKENS", help="How much a conversation with a model holds; 0 means its usual window.")
]
SourceUrl = Annotated[
    str,
    typer.Option(
        metavar="URL", help="Where a line can be read, with {path} and {line} in it; guessed from the git remote otherwise."
    ),
]
FailOnIncomplete = Annotated[
    bool,
    typer.Option(
        "--fail-on-incomplete/--no-fail-on-incomplete",
        help="Whether a run that fell short, and has no other fault, exits with 3; the report says so either way.",
    ),
]
FORMAT_HELP = "Only this format (repeatable). Without --out it goes to standard output."
Fleet = Annotated[
    str,
    typer.Option(
        "--fleet", metavar="URL", envvar="COUNTERPROOF_FLEET", show_envvar=True, help="The fleet's database, postgresql://…"
    ),
]


def declared(options: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Makes a function of one dataclass a command whose parameters are the fields, in their order."""

    def wrap(function: Callable[[Options], None]) -> Callable[..., None]:
        @functools.wraps(function)
        def call(**given: Any) -> None:
            function(options(**given))

        setattr(call, "__signature__", inspect.signature(options))  # noqa: B010 (not in the type)
        call.__annotations__ = get_type_hints(options, include_extras=True)
        return call

    return wrap
