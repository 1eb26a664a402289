"""Reads settings from files and the environment, validates them, and orders them by precedence (X15).

Precedence: command line > environment > --config, or else the user's own file > the target's file as of --trust-ref > default

Invariant: the target's working tree is never read; a file in its trusted revision cannot set where code is sent, what may be
spent or where files are written; a misspelt setting is an error. Not handled here: which settings exist.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, cast

from counterproof.app.named_file import first_trusted, lies_inside, read_named
from counterproof.model.configuration import COMMANDS, SETTINGS, ConfigLayer, Kind, Plain, Setting, setting
from counterproof.model.configuration_pages import FILE_NAME
from counterproof.model.errors import InvalidValue, UserError

PROJECT_FILE: Final = "pyproject.toml"
MAX_BYTES: Final = 256_000
_WORDS: Final = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings from one source, by key. `place` names the source for display."""

    origin: ConfigLayer
    place: str
    values: Mapping[str, Plain]


@dataclass(frozen=True, slots=True)
class Layers:
    """All sources below the command line, in order of precedence, with notes on ignored ones."""

    found: tuple[Layer, ...]
    notes: tuple[str, ...] = ()

    def find(self, each: Setting) -> tuple[Plain, Layer] | None:
        """The first value found, with its layer."""
        return next(((layer.values[each.key], layer) for layer in self.found if each.key in layer.values), None)


def user_file() -> Path:
    """The user's own settings file; `COUNTERPROOF_HOME` moves it."""
    override = os.environ.get("COUNTERPROOF_HOME")
    if override:
        return Path(override).expanduser() / FILE_NAME
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "counterproof" / FILE_NAME


def layers(target: Path, config: Path | None, trust_ref: str, environment: Mapping[str, str]) -> Layers:
    """All sources for a run on `target`."""
    found = [_from_environment(environment)]
    if config is not None:
        found.append(_named(config, target, trust_ref))
    elif (own := user_file()).is_file() and not lies_inside(own, target):
        found.append(_from_text(_read(own, target), own, own.parent, ConfigLayer.FILE))
    if trust_ref:
        found.append(_trusted(target, trust_ref))
    return Layers(tuple(layer for layer in found if layer.values), _unread(target, trust_ref))


def _unread(target: Path, trust_ref: str) -> tuple[str, ...]:
    why = "because the reviewed code must not configure its own review"
    notes: list[str] = []
    if not trust_ref and os.path.lexists(target / FILE_NAME):
        notes.append(f"{FILE_NAME} in the target is not read, {why}; --trust-ref REV reads it as of a revision that you trust")
    if lies_inside(user_file(), target) and os.path.lexists(user_file()):
        notes.append(f"your own {user_file()} is in the target and is not read, {why}; --config names another file")
    return tuple(notes)


def _from_environment(environment: Mapping[str, str]) -> Layer:
    known = {each.variable: each for each in SETTINGS}
    for name in sorted(environment):
        if name.startswith(tuple(f"COUNTERPROOF_{command.upper()}_" for command in COMMANDS)) and name not in known:
            raise UserError(f"the environment variable {name[:80]} is not a setting", "`counterproof config show` lists them")
    values: dict[str, Plain] = {}
    for variable, each in known.items():
        text = environment.get(variable, "")
        if text:
            try:
                values[each.key] = each.checked(_read_word(each, text))
            except InvalidValue as error:
                raise UserError(f"{variable}: {error}", "correct it, or unset it") from error
    return Layer(ConfigLayer.ENVIRONMENT, "", values)


def _read_word(each: Setting, text: str) -> object:
    """Convert a variable's text to the setting's type; text that does not convert is left for validation to reject."""
    match each.kind:
        case Kind.SWITCH:
            return _WORDS.get(text.lower(), text)
        case Kind.NUMBER:
            return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text
        case Kind.LIST:
            return [part.strip() for part in text.split(",") if part.strip()]
        case Kind.TEXT | Kind.PATH:
            return text


def _named(config: Path, target: Path, trust_ref: str) -> Layer:
    """The file given by --config. Inside the target it is read from the trusted revision only, and counts as the repository's."""
    text = _read(config, target, trust_ref)
    if not lies_inside(config, target):
        return _from_text(text, config, config.absolute().parent, ConfigLayer.FILE)
    inside = config.absolute().parent
    return _from_text(text, Path(f"{config} as of {trust_ref}"), inside, ConfigLayer.TRUSTED, config.name)


def _trusted(target: Path, ref: str) -> Layer:
    seen = first_trusted((FILE_NAME, PROJECT_FILE), target, ref)
    if seen is None:
        return Layer(ConfigLayer.TRUSTED, "", {})
    commit, name, data = seen
    place = Path(f"{name} as of {ref} ({commit[:12]})")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{place} is not UTF-8 text", "correct it in that revision") from error
    return _from_text(text, place, target.absolute(), ConfigLayer.TRUSTED, name)


def _read(path: Path, target: Path, trust_ref: str = "") -> str:
    if path.name != FILE_NAME and path.suffix != ".toml" and str(path) != os.devnull:
        raise UserError(f"--config: {path} is not a TOML file", f"give a {FILE_NAME} or a {PROJECT_FILE}")
    return read_named(path, target, trust_ref)


def _from_text(text: str, place: Path, folder: Path, origin: ConfigLayer, name: str = "") -> Layer:
    if len(text) > MAX_BYTES:
        raise UserError(f"{place} has more than {MAX_BYTES:,} characters", "give a smaller file")
    import tomllib  # most users have no file

    try:
        table: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise UserError(f"{place} is not valid TOML: {error}", "correct it; `counterproof config init` shows the form") from error
    if (name or place.name) == PROJECT_FILE:
        table = _tool_table(table)
    values: dict[str, Plain] = {}
    for command, rows in table.items():
        if command not in COMMANDS or not isinstance(rows, dict):
            raise UserError(
                f"{place}: [{command[:60]}] is not a command that has settings", f"the tables are {', '.join(COMMANDS)}"
            )
        for key, value in cast("dict[str, Any]", rows).items():
            each = _known(command, key, place)
            values[each.key] = _checked(each, value, place, folder, origin)
    return Layer(origin, str(place), values)


def _tool_table(table: dict[str, Any]) -> dict[str, Any]:
    tools: Any = table.get("tool")
    own: Any = cast("dict[str, Any]", tools).get("counterproof", {}) if isinstance(tools, dict) else {}
    return cast("dict[str, Any]", own) if isinstance(own, dict) else {"tool.counterproof": own}


def _known(command: str, key: str, place: Path) -> Setting:
    each = setting(command, key)
    if each is None:
        raise UserError(
            f"{place}: {command} has no setting {key[:60]!r}", f"`counterproof config show` lists the settings of {command}"
        )
    return each


def _checked(each: Setting, value: object, place: Path, folder: Path, origin: ConfigLayer) -> Plain:
    if each.own and origin is ConfigLayer.TRUSTED:
        raise UserError(
            f"{place}: {each.key} cannot be set by a repository",
            "where code is sent, what is spent and where files go can only be set on the command line or in your own file",
        )
    try:
        plain = each.checked(value)
    except InvalidValue as error:
        raise UserError(f"{place}: {error}", "correct it; `counterproof config show` lists the settings") from error
    if each.kind is not Kind.PATH or not plain:
        return plain
    return _placed(each, str(plain), place, folder, origin)


def _placed(each: Setting, text: str, place: Path, folder: Path, origin: ConfigLayer) -> str:
    """Resolve a path setting: relative to its file's folder, and inside the target if the file is the repository's."""
    parts = PurePosixPath(text)
    if origin is ConfigLayer.TRUSTED and (parts.is_absolute() or ".." in parts.parts):
        raise UserError(f"{place}: {each.key} points outside the repository", "give a path inside it")
    whole = folder / Path(text).expanduser()
    if each.name == "baseline" and len(parts.parts) == 1 and not parts.suffix:
        return text  # a run's id, or `latest`
    return str(whole)
