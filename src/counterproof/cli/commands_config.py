"""`counterproof config`: shows every setting with the origin of its value, writes a first file, prints the schema."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from counterproof.cli.configured import ConfigFile, TrustRef
from counterproof.cli.mistakes import plain_group

if TYPE_CHECKING:
    from counterproof.app.configuration import Layers
    from counterproof.model.configuration import Value


class ListFormat(StrEnum):
    text = "text"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    config_app = plain_group(help="Settings: show them, start a file.", no_args_is_help=True)
    config_app.callback()(lambda: None)
    config_app.command()(show)
    config_app.command()(init)
    config_app.command()(schema)
    app.add_typer(config_app, name="config")


def show(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder that would be audited or reviewed.")] = Path(),
    config: ConfigFile = None,
    trust_ref: TrustRef = "",
    format: Annotated[ListFormat, typer.Option("--format", help="Output for people or for programs.")] = ListFormat.text,  # noqa: A002
) -> None:
    """Show every setting, its value, and where the value comes from."""
    from counterproof.app.configuration import layers, user_file
    from counterproof.reports.inert import terminal_text

    found = layers(path, config, trust_ref, os.environ)
    values = _values(context, found)
    if format is ListFormat.json:
        typer.echo(_as_json(values), nl=False)
        return
    width = max(len(each.setting.key) for each in values)
    shown = [(each, _text(each)) for each in values]
    wide = min(40, max(len(text) for _, text in shown))
    for each, text in shown:
        place = f" {each.place}" if each.place else ""
        typer.echo(terminal_text(f"{each.setting.key:<{width}}  {text:<{wide}}  {each.origin.value}{place}"))
    typer.echo("")
    for note in found.notes:
        typer.echo(terminal_text(f"Note: {note}."))
    typer.echo(terminal_text(f"Your own file is {user_file()}; `counterproof config init` starts it."))


def init(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The file to write; by default your own settings file.")
    ] = None,
) -> None:
    """Write a file with every setting in a comment. A file that exists is left alone."""
    from counterproof.app.configuration import user_file
    from counterproof.model.configuration_pages import template
    from counterproof.model.errors import UserError

    path = file or user_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(template())
    except FileExistsError as error:
        raise UserError(f"{path} exists already", "edit it, or name another file") from error
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}", "name another file") from error
    typer.echo(f"Wrote {path}; uncomment the settings you want.")


def schema() -> None:
    """Print the JSON Schema of the file."""
    from counterproof.model.configuration_pages import schema_text

    typer.echo(schema_text(), nl=False)


def _values(context: typer.Context, found: "Layers") -> "tuple[Value, ...]":
    from counterproof.model.configuration import SETTINGS, ConfigLayer, Value

    values: list[Value] = []
    for each in SETTINGS:
        seen = found.find(each)
        if seen is None:
            values.append(Value(each, _default(context, each.command, each.parameter), ConfigLayer.DEFAULT))
        else:
            place = each.variable if seen[1].origin is ConfigLayer.ENVIRONMENT else seen[1].place
            values.append(Value(each, seen[0], seen[1].origin, place))
    return tuple(values)


def _default(context: typer.Context, command: str, parameter: str) -> Any:
    """What the option has if nobody says anything; None if that is nothing."""
    commands: Any = context.find_root().command
    options = commands.get_command(context, command).params
    value: Any = next(each.default for each in options if each.name == parameter)
    return None if value in ("", (), []) else getattr(value, "value", value)


def _text(each: "Value") -> str:
    from counterproof.model.configuration_pages import toml

    return "not set" if each.value is None else toml(each.value)


def _as_json(values: "tuple[Value, ...]") -> str:
    from counterproof.reports.inert import json_text

    rows = [
        {"setting": each.setting.key, "value": each.value, "origin": each.origin.value, "place": each.place} for each in values
    ]
    return json_text(rows) + "\n"
