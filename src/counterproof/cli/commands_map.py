"""The `map` command: facts about a project from one analysis, without a model or a run."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from counterproof.cli import options as shared


class MapFormat(StrEnum):
    """The format of the map."""

    terminal = "terminal"
    html = "html"
    json = "json"


class PartName(StrEnum):
    """Parts of the map."""

    routes = "routes"
    rights = "rights"
    sinks = "sinks"
    settings = "settings"
    network = "network"
    files = "files"
    sessions = "sessions"
    unread = "unread"


PARTS = f"Show only this part (repeatable): {', '.join(PartName)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOptions:
    """The options of `map`, in the order of its help."""

    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder to read.")]
    format: Annotated[MapFormat, typer.Option(help="Output format: terminal, one HTML file, or JSON.")] = MapFormat.terminal
    only: Annotated[list[PartName] | None, typer.Option(metavar="PART", help=PARTS)] = None
    route: Annotated[
        str, typer.Option(metavar="GLOB", help="Show only entry points whose path matches this glob, and what they reach.")
    ] = ""
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it to this file instead of standard output.")] = None
    include: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Read only files that match this glob (repeatable).")
    ] = None
    exclude: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Skip files that match this glob (repeatable).")] = (
        None
    )


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("map", short_help="Show entry points, rights, sinks, settings.")(shared.declared(MapOptions)(show_map))


def show_map(asked: MapOptions) -> None:
    """Show established facts about a project: entry points with their guards as written and as interpreted, entry points with
    other rights than related ones, sinks, settings, requests, files, sessions, and what was not read. No model is called, and
    no findings are made."""
    from counterproof.analysis.source.survey import SurveyOptions
    from counterproof.app.map import map_of_folder
    from counterproof.model.errors import UserError
    from counterproof.model.map import Part
    from counterproof.reports import map as reports

    options = SurveyOptions(include=tuple(asked.include or ()), exclude=tuple(asked.exclude or ()))
    made = map_of_folder(asked.path, options)
    shown = reports.document(made, tuple(Part(each.value) for each in asked.only or ()), asked.route)
    render = {"terminal": reports.render_terminal, "html": reports.render_html, "json": reports.render_json}[asked.format.value]
    text = render(shown)
    if asked.out is None:
        typer.echo(text, nl=False)
        return
    try:
        asked.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"--out {asked.out} cannot be written: {error.strerror}", "name a file in a folder that exists"
        ) from error
