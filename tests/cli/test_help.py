"""What --help says is whole and speaks of what to give, not of the types behind it."""

from collections.abc import Iterator
from typing import Any

import typer

from counterproof.cli.main import app


def pages(command: Any, context: Any) -> Iterator[str]:
    yield command.get_help(context)
    for name, each in getattr(command, "commands", {}).items():
        yield from pages(each, type(context)(each, info_name=name, parent=context))


def test_no_line_is_cut_and_no_python_type_shows() -> None:
    command = typer.main.get_command(app)
    shown = list(pages(command, command.make_context("counterproof", [], resilient_parsing=True)))
    assert len(shown) > 20
    for page in shown:
        assert not [line for line in page.split("\n") if line.endswith("...") and not line.startswith("Usage:")], page
        assert "<list[" not in page.partition("Options:")[2], page
        assert "<int range>" not in page
