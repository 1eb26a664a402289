"""The text of --help is complete and describes values, not Python types."""

from collections.abc import Iterator
from typing import Any

import typer

from counterproof.cli.main import app


def pages(command: Any, context: Any) -> Iterator[str]:
    yield command.get_help(context)
    for name in getattr(command, "commands", {}):
        each = command.get_command(context, name)
        yield from pages(each, type(context)(each, info_name=name, parent=context))


def test_no_line_is_cut_and_no_python_type_shows() -> None:
    command = typer.main.get_command(app)
    shown = list(pages(command, command.make_context("counterproof", [], resilient_parsing=True)))
    assert len(shown) > 20
    for page in shown:
        assert not [line for line in page.split("\n") if line.endswith("...") and not line.startswith("Usage:")], page
        assert not [kind for kind in ("<list[", "<int range>", "<str>", "<path>") if kind in page], page
