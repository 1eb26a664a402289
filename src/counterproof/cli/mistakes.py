"""The commands as one group whose messages about options are in plain words.

Always: only the words change; what is refused, and the exit code, stay those of the command line's library.
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
    shown = parameter.display_type_rich
    parameter.display_type_rich = (
        (lambda ctx: "")
        if parameter.param_type_name == "argument"
        else (lambda ctx: _IN_WORDS.get(shown(ctx=ctx), shown(ctx=ctx)))
    )


def plain_group(help: str, **settings: bool) -> typer.Typer:  # noqa: A002 (the library's name)
    """A group of subcommands that speaks as the whole command does."""
    return typer.Typer(cls=PlainGroup, help=help, rich_markup_mode=None, **settings)
