"""Accepts commands as users type them, and rewords the command line library's error messages about options.

Invariant: the exit code of what is rejected is the library's.
"""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from counterproof.model.errors import UserError
from counterproof.model.misfits import in_plain_words


class PlainGroup(TyperGroup):
    """Subcommands parse their options inside `invoke`, so every error message passes here."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = in_plain_words(error.message)
            raise

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """`help` and `version` are the options of that name; `list` is the command that lists without it."""
        first, rest = "".join(args[:1]), args[1:]
        if first and first not in self.commands:
            if ctx.parent is None and first in ("help", "version"):
                args = [*rest, f"--{first}"]
            elif self.invoke_without_command and first == "list":
                args = rest
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """In a group that lists, a name that is no command is shown: `rules sql-injection` is `rules show sql-injection`."""
        word = args[0]
        if word in self.commands or get_close_matches(word, self.commands):
            return super().resolve_command(ctx, args)
        if self.invoke_without_command and "show" in self.commands:
            return super().resolve_command(ctx, ["show", *args])
        top = ctx.find_root().command.commands
        meant = _MEANT.get(word) or (word if word in top else "audit PATH" if Path(word).is_dir() else "")
        if meant:
            raise UserError(f"there is no command `{ctx.command_path} {word}`", f"`counterproof {meant}` may be what you mean")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Parameters are displayed by their meaning; the library would show Python types."""
        command = super().get_command(ctx, cmd_name)
        for each in getattr(command, "params", ()):
            _in_words(each)
        return command


_MEANT = {
    **dict.fromkeys(("scan", "analyze", "analyse", "check", "run"), "audit PATH"),
    **dict.fromkeys(("dismiss", "ignore", "accept", "except", "baseline"), "suppress FINDING"),
    **dict.fromkeys(("report", "open", "view", "findings"), "show"),
    **dict.fromkeys(("list", "history", "ls"), "runs"),
    **dict.fromkeys(("continue", "retry"), "resume latest"),
}
"""Words that users of other tools type, and our commands."""
_IN_WORDS = {"<str>": "TEXT", "<path>": "PATH"}


def _in_words(parameter: Any) -> None:
    given = parameter.display_type_rich

    def shown(ctx: Any) -> str:
        kind: str = "" if parameter.param_type_name == "argument" else given(ctx=ctx)
        return _IN_WORDS.get(kind, kind)

    parameter.display_type_rich = shown


def plain_group(help: str, no_args_is_help: bool = False, invoke_without_command: bool = False) -> typer.Typer:  # noqa: A002
    """A group of subcommands with reworded error messages."""
    return typer.Typer(
        cls=PlainGroup,
        help=help,
        rich_markup_mode=None,
        no_args_is_help=no_args_is_help,
        invoke_without_command=invoke_without_command,
    )
