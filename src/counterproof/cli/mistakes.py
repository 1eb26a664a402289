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
