"""Reads the targets of a batch: from a list, a folder of repositories, or standard input.

A list has one target per line: a path or git address, optionally a revision, then options of `audit`. Words are quoted as in a
shell; empty lines and lines starting with `#` are ignored. A relative path is relative to the list's folder.

Invariant: every error in a list is reported with its line before anything runs; a password in an address is stored separately
from its target. Not handled here: inspecting a target.
"""

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from counterproof.analysis.git.mirror import HistoryError
from counterproof.analysis.git.remote import address_of
from counterproof.model.batch import Target
from counterproof.model.errors import UserError
from counterproof.model.text import name_form

STDIN: Final = "-"
MAX_BYTES: Final = 32_000_000
MAX_TARGETS: Final = 100_000
MAX_DEPTH: Final = 12

Check = Callable[[tuple[str, ...]], None]
"""Raises `UserError` for options that `audit` does not take."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The targets in order, each once. `name` is that of the list; `addresses` maps a target's id to the part of its address
    that only git may see."""

    name: str
    targets: tuple[Target, ...]
    addresses: dict[str, str] = field(default_factory=dict[str, str])


def read(given: str, common: tuple[str, ...], check: Check) -> Listed:
    """The targets in a list file, a folder, or standard input. `common` are options for all of them."""
    check(common)
    if given == STDIN:
        return _listed("standard input", sys.stdin.buffer.read(MAX_BYTES + 1), Path.cwd(), common, check)
    place = Path(given).absolute()
    if place.is_dir():
        found = tuple(Target(name_form(str(path)), "", common) for path in repositories(place))
        if not found:
            raise UserError(f"there is no git repository in {given}", "give a folder of repositories, or a list of targets")
        return Listed(name_form(str(place)), found)
    try:
        with place.open("rb") as stream:
            text = stream.read(MAX_BYTES + 1)
    except OSError as error:
        hint = "give a list file, a folder of repositories, or - for standard input"
        raise UserError(f"{given} cannot be read: {error.strerror}", hint) from error
    return _listed(name_form(str(place)), text, place.parent, common, check)


def repositories(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Every repository in a folder, sorted by name. Repositories inside another one are skipped; links are not followed."""
    if is_repository(folder):
        yield folder
        return
    if depth > MAX_DEPTH:
        return
    try:
        with os.scandir(folder) as entries:
            inside = sorted(each.name for each in entries if each.is_dir(follow_symlinks=False))
    except OSError:
        return
    for name in inside:
        yield from repositories(folder / name, depth + 1)


def is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git") or is_bare(folder)


def is_bare(folder: Path) -> bool:
    """True if a folder is a repository without checked-out files."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _listed(name: str, data: bytes, folder: Path, common: tuple[str, ...], check: Check) -> Listed:
    if len(data) > MAX_BYTES:
        raise UserError(f"{name} has more than {MAX_BYTES:,} bytes", "split the list")
    found: dict[str, Target] = {}
    addresses: dict[str, str] = {}
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        words = _words(f"{name}, line {number}", line)
        if not words:
            continue
        try:
            target, full = _target(words, folder, common)
            check(target.options)
        except (UserError, HistoryError) as error:
            raise UserError(f"{name}, line {number}: {error}", getattr(error, "hint", "") or "correct the line") from error
        found.setdefault(target.id, target)
        if full:
            addresses[target.id] = full
    if not found:
        raise UserError(f"{name} lists no target", "write one path or git address a line")
    if len(found) > MAX_TARGETS:
        raise UserError(f"{name} lists more than {MAX_TARGETS:,} targets", "split the list")
    return Listed(name, tuple(found.values()), addresses)


def _words(place: str, line: str) -> list[str]:
    if not line.strip() or line.lstrip().startswith("#"):
        return []
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UserError(f"{place} cannot be read: {str(error).lower()}", "quote words as in a shell") from error


def _target(words: list[str], folder: Path, common: tuple[str, ...]) -> tuple[Target, str]:
    """The target in a line, and its address with the part for git alone."""
    first = next((place for place, word in enumerate(words) if word.startswith("-") and place), len(words))
    plain, options = words[:first], (*common, *words[first:])
    if len(plain) > 2:
        raise UserError(f"{plain[2][:80]!r} is an unexpected argument", "a line is PATH-OR-ADDRESS [REVISION] [OPTIONS]")
    source, revision = plain[0], plain[1] if len(plain) > 1 else ""
    address = address_of(source)
    if address:
        return Target(address.shown, revision, options), address.full if address.full != address.shown else ""
    path = os.path.normpath(folder / Path(source.removeprefix("file://")).expanduser())
    return Target(name_form(path), revision, options), ""
