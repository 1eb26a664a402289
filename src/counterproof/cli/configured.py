"""Options that a command takes from settings where the command line does not give them.

Invariant: what the user typed wins; a setting fills an option as if it had been typed. Works on the command's function: a
command declares its options once and knows nothing of files. Not handled here: reading settings.
"""

import functools
import inspect
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import typer

if TYPE_CHECKING:
    from counterproof.app.configuration import Layers
    from counterproof.model.configuration import Plain, Setting

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        envvar="COUNTERPROOF_CONFIG",
        help="Settings from this file instead of your own counterproof.toml.",
    ),
]
TrustRef = Annotated[
    str, typer.Option("--trust-ref", metavar="REV", help="Read the target's counterproof.toml as of this revision.")
]
_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def configured(command: str, target: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Fills the options of a command from settings. `target` is the parameter that names what is looked at."""

    def wrap(function: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(function).parameters
        hints = get_type_hints(function, include_extras=True)
        added: dict[str, tuple[Any, Any]] = {"context": (typer.Context, inspect.Parameter.empty), "config": (ConfigFile, None)}
        if "trust_ref" not in own:
            added["trust_ref"] = (TrustRef, "")

        @functools.wraps(function)
        def call(**given: Any) -> None:
            context, config = given["context"], given["config"]
            place = Path(str(given[target] or "."))
            arguments = {name: given[name] for name in own}
            _fill(context, command, arguments, hints, _read(place, config, given["trust_ref"], bool(given["quiet"])))
            function(**arguments)

        parameters = [
            inspect.Parameter(name, _KEYWORD, default=default, annotation=hint) for name, (hint, default) in added.items()
        ]
        mine = [each.replace(kind=_KEYWORD, annotation=hints[name]) for name, each in own.items()]
        setattr(call, "__signature__", inspect.Signature([parameters[0], *mine, *parameters[1:]]))  # noqa: B010 (not in the type)
        call.__annotations__ = {**hints, **{name: hint for name, (hint, _) in added.items()}, "return": None}
        return call

    return wrap


def _read(target: Path, config: Path | None, trust_ref: str, quiet: bool) -> "Layers":
    from counterproof.app.configuration import layers
    from counterproof.reports.inert import terminal_text

    found = layers(target, config, trust_ref, os.environ)
    if not quiet:
        for note in found.notes:
            sys.stderr.write(f"counterproof: {terminal_text(note)}\n")
    return found


def _fill(context: typer.Context, command: str, arguments: dict[str, Any], hints: dict[str, Any], layers: "Layers") -> None:
    from counterproof.model.configuration import settings_of

    typed = {name for name in arguments if _typed(context, name)}
    for each in settings_of(command):
        seen = layers.find(each)
        if seen and each.parameter not in typed and typed.isdisjoint(each.instead_of):
            arguments[each.parameter] = _as_option(each, seen[0], hints[each.parameter])
    for each in settings_of(command):
        if each.needs and not arguments[each.needs] and each.parameter not in typed:
            arguments[each.parameter] = type(arguments[each.parameter])()


def _typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP")


def _as_option(each: "Setting", value: "Plain", hint: Any) -> Any:
    """The value in the type that the option has: an enumeration's member, a path, a joined list."""
    kinds = [kind for kind in _kinds(hint) if isinstance(kind, type)]
    choice = next((kind for kind in kinds if issubclass(kind, StrEnum)), None)
    if isinstance(value, tuple):
        return ",".join(value) if each.joined else [choice(item) if choice else item for item in value]
    if choice:
        return choice(value)
    return Path(str(value)) if Path in kinds else value


def _kinds(hint: Any) -> list[Any]:
    """The plain types inside a hint such as `Annotated[list[Kind] | None, …]`."""
    inner = get_args(hint)
    if not inner:
        return [hint]
    if hasattr(hint, "__metadata__"):
        return _kinds(inner[0])
    return [found for part in inner for found in _kinds(part)]
