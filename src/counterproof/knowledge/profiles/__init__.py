"""Review profiles as data (R2): the teams that we ship, and those of the user.

    quick = ["SEC", "MINE"]
    [[specialist]]
    code = "MINE"
    title = "our own rules"
    primary = ["logic"]

Invariant: a profile comes from the package or from the user's own folder, never from the reviewed repository. A file that is too
large or broken is refused with its name. What a specialist looks for follows from its domains, not from its code.
"""

import os
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from counterproof.model.errors import InvalidValue, UserError
from counterproof.model.review.profile import Profile, Specialist

MAX_BYTES = 50_000
MAX_SPECIALISTS = 20


def user_folder() -> Path:
    """Where users keep profiles of their own; `COUNTERPROOF_HOME` moves it."""
    override = os.environ.get("COUNTERPROOF_HOME")
    if override:
        return Path(override).expanduser() / "profiles"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "counterproof" / "profiles"


def names() -> tuple[str, ...]:
    """Every profile that there is."""
    ours = [each.name.removesuffix(".toml") for each in files(__name__).iterdir() if each.name.endswith(".toml")]
    return tuple(sorted({*ours, *(each.stem for each in user_folder().glob("*.toml"))}))


def load_profile(name: str) -> Profile:
    """The profile of that name; the user's own goes before ours."""
    if name not in names():
        raise UserError(f"there is no profile {name[:60]!r}", f"there are {', '.join(names())}; yours go into {user_folder()}")
    own = user_folder() / f"{name}.toml"
    try:
        data = own.read_bytes() if own.is_file() else (files(__name__) / f"{name}.toml").read_bytes()
    except OSError as error:
        raise UserError(f"{own} cannot be read: {error.strerror}", "correct it, or take it out of the folder") from error
    return parsed(name, data)


def parsed(name: str, data: bytes) -> Profile:
    """A profile from its bytes."""
    hint = "see the example in the documentation of `counterproof review`"
    if len(data) > MAX_BYTES:
        raise UserError(f"the profile {name} has more than {MAX_BYTES:,} bytes", hint)
    try:
        table = tomllib.loads(data.decode("utf-8"))
        specialists = tuple(_specialist(each) for each in _tables(table.get("specialist")))
        quick = _texts(table.get("quick")) or tuple(each.code for each in specialists)
        return Profile(name, specialists, quick, table.get("verdicts") is True)
    except (ValueError, InvalidValue) as error:
        raise UserError(f"the profile {name} is broken: {error}", hint) from error


def _tables(value: Any) -> list[dict[str, Any]]:
    rows = cast("list[Any]", value) if isinstance(value, list) else []
    if not rows or len(rows) > MAX_SPECIALISTS or not all(isinstance(each, dict) for each in rows):
        raise InvalidValue(f"it needs 1 to {MAX_SPECIALISTS} [[specialist]] tables")
    return cast("list[dict[str, Any]]", rows)


def _specialist(row: dict[str, Any]) -> Specialist:
    code = str(row.get("code", ""))
    return Specialist(code, str(row.get("title", code))[:80], _texts(row.get("primary")), _texts(row.get("adjacent")))


def _texts(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InvalidValue("domains and codes are lists of texts")
    return tuple(str(each)[:60] for each in cast("list[Any]", value) if str(each).strip())
