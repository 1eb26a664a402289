"""The single exit for text of the target: files as agents see them, and all output about them.

Invariant: a file is redacted as a whole, so that no excerpt shows what the whole hides; a quote hides the same text as the file.
Lines keep their numbers. Not handled here: what a secret looks like.
"""

import dataclasses
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar, cast

from counterproof.analysis.project import Project
from counterproof.analysis.reuse import reuse_of
from counterproof.analysis.secrets.redaction import mark, redact, redacted
from counterproof.analysis.secrets.secret_names import Kind, Secret
from counterproof.model.location import Location
from counterproof.model.marks import without_digests

T = TypeVar("T")

_TELLING = 12
"""A hidden value of at least this length is hidden everywhere in text about the file; a shorter one only between the same
neighbours.
"""
_SHORTEST = 4
"""Shortest quoted text that is hidden by its quotes alone."""
_MAX_TITLE = 200


@dataclasses.dataclass(frozen=True, slots=True)
class Hidden:
    """A value that a file hides, with the text before and after it."""

    value: str
    kind: Kind
    before: str
    after: str


def safe_text(project: Project, path: str) -> str:
    """The redacted text of a file."""
    return _known(project, path)[0]


def safe_line(project: Project, path: str, number: int) -> str:
    """One redacted line; '' past the end."""
    lines = safe_text(project, path).split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""


def safe_quote(project: Project, path: str, text: str) -> str:
    """Redact text about a file, or a quote from it: a quote hides the same text as the file, and no more."""
    if path not in project.files:
        return redact(text, path=path)
    shown, known = _known(project, path)
    for hidden in known:
        if hidden.value in text:
            text = _without(text, hidden)
    plain = without_digests(" ".join(text.split()))
    whole = project.once(f"as it may be quoted: {path}", lambda: without_digests(" ".join((shown or project.text(path)).split())))
    return text if plain in whole else redact(text)


def safe(project: Project, value: T) -> T:
    """Redact every text in findings, flows or whole examinations."""
    return cast("T", _walked(project, value, redact))


def _known(project: Project, path: str) -> tuple[str, tuple[Hidden, ...]]:
    """The redacted text and hidden values of a file, computed once; later runs know only that a file hides nothing."""

    def made() -> tuple[str | None, tuple[Hidden, ...]]:
        text = project.text(path)
        made: list[tuple[str, list[Secret]]] = []

        def hides_nothing() -> bool:
            made.append(redacted(text, path))
            return made[0][0] == text

        if reuse_of(project, "redaction", bool).result(path, hides_nothing):
            return None, ()
        shown, found = made[0]
        hidden = (
            Hidden(text[start:end], kind, text[max(0, start - 3) : start], text[end : end + 1]) for start, end, kind in found
        )
        return shown, tuple(dict.fromkeys(hidden))

    shown, hidden = project.once(f"as it may be shown: {path}", made)
    return (project.text(path) if shown is None else shown), hidden


def _without(text: str, hidden: Hidden) -> str:
    stand_in = mark(hidden.value, hidden.kind)
    if len(hidden.value) >= _TELLING:
        return text.replace(hidden.value, stand_in)
    for before in (hidden.before, hidden.before[-1:]):
        whole = f"{before}{hidden.value}{hidden.after if hidden.after != chr(10) else ''}"
        quoted = before in ("'", '"', "`") and before == hidden.after and len(hidden.value) >= _SHORTEST
        if before.strip() and (len(before) > 1 or quoted) and whole in text:
            return text.replace(whole, f"{before}{stand_in}{whole[len(before) + len(hidden.value) :]}")
    return text


def _walked(project: Project, value: Any, clean: Callable[[str], str]) -> Any:
    if type(value) is str:
        return clean(value)
    if type(value) is tuple:
        parts = cast("tuple[Any, ...]", value)
        walked = tuple(_walked(project, each, clean) for each in parts)
        return parts if all(new is old for new, old in zip(walked, parts, strict=True)) else walked
    if not dataclasses.is_dataclass(value) or isinstance(value, Location | Enum | type):
        return value
    place = getattr(value, "location", None)
    if isinstance(place, Location):
        clean = _about(project, place.path)
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        old = getattr(value, field.name)
        new = _walked(project, old, clean)
        if new is not old and new != old:
            changed[field.name] = new[:_MAX_TITLE] if field.name == "title" else new
    return dataclasses.replace(value, **changed) if changed else value


def _about(project: Project, path: str) -> Callable[[str], str]:
    return lambda text: safe_quote(project, path, text)
