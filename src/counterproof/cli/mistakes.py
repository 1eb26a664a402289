"""The commands as one group whose messages about options are in plain words.

Invariant: only the words change; what is refused, and the exit code, stay those of the command line's library.
"""

from typing import Any

import typer
from typer.core import TyperGroup

from counterproof.model.misfits import in_plain_words


class PlainGroup(TyperGroup):
    """Subcommands read their options inside of `invoke`, so every complaint about one passes here."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = in_plain_words(error.message)
            raise

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Parameters are shown by what to give; the library would name their Python types."""
        command = super().get_command(ctx, cmd_name)
        for each in getattr(command, "params", ()):
            _in_words(each)
        return command


_IN_WORDS = {"<str>": "TEXT", "<path>": "PATH"}


def _in_words(parameter: Any) -> None:
    given = parameter.display_type_rich

    def shown(ctx: Any) -> str:
        kind: str = "" if parameter.param_type_name == "argument" else given(ctx=ctx)
        return _IN_WORDS.get(kind, kind)

    parameter.display_type_rich = shown


def plain_group(help: str, no_args_is_help: bool = False, invoke_without_command: bool = False) -> typer.Typer:  # noqa: A002
    """A group of subcommands that speaks as the whole command does."""
    return typer.Typer(
        cls=PlainGroup,
        help=help,
        rich_markup_mode=None,
        no_args_is_help=no_args_is_help,
        invoke_without_command=invoke_without_command,
    )
