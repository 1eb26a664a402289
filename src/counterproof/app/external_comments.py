"""Reads external comments from exports of code hosts or from plain lines (R31).

Invariant: any object of a JSON document with a text of its own is a comment, at any depth, so the exports of GitHub, GitLab
and related tools are all supported. Notes of the code host itself and our own comments are skipped. Instructions in a text are
never followed; the author is recorded but gives no weight.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from counterproof.model.errors import UserError
from counterproof.model.review.comment import MAX_AUTHOR, MAX_COMMENTS, MAX_TEXT, Comment
from counterproof.model.text import encodable, lines_in

MAX_FILE = 8_000_000
_OURS = "<!-- counterproof:"
_PLACED = re.compile(r"([^\s:][^:\n]{0,300}):([1-9][0-9]{0,6}):(?:[0-9]{1,6}:)?\s*(.*)\Z")
_WHAT_TO_GIVE = "give GitHub's or GitLab's comments as JSON, or lines of PATH:LINE: TEXT"


def read_comments(name: str) -> tuple[Comment, ...]:
    """The comments in a file, or on standard input for `-`."""
    try:
        raw = sys.stdin.buffer.read(MAX_FILE + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UserError(f"--comments: {name[:200]} cannot be read", _WHAT_TO_GIVE) from error
    if len(raw) > MAX_FILE:
        raise UserError(f"--comments: {name[:200]} holds more than {MAX_FILE // 1_000_000} MB", "give the comments of one change")
    found = comments_in(raw.decode("utf-8", errors="replace"))
    if not found:
        raise UserError(f"--comments: {name[:200]} holds no comment", _WHAT_TO_GIVE)
    if len(found) > MAX_COMMENTS:
        raise UserError(f"--comments: {len(found)} comments are too many", f"give at most {MAX_COMMENTS} at a time")
    return found


def comments_in(text: str) -> tuple[Comment, ...]:
    """Every comment, in the order of the text."""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return tuple(dict.fromkeys(_walked(json.loads(text))))
        except (ValueError, RecursionError) as error:
            raise UserError(f"--comments: the JSON cannot be read: {str(error)[:200]}", _WHAT_TO_GIVE) from error
    return tuple(_lines(text))


def _walked(value: Any) -> Iterator[Comment]:
    if isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _walked(each)
    elif isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        if isinstance(fields.get("body"), str) and not fields.get("system"):
            yield from _made(fields["body"], _author(fields), _bot(fields), *_place(fields))
        for each in fields.values():
            yield from _walked(each)


def _made(text: str, author: str, bot: bool, path: str, line: int) -> Iterator[Comment]:
    if text.strip() and _OURS not in text:
        said, place = encodable(text.strip()[:MAX_TEXT]), encodable(path[:1_000])
        yield Comment(encodable(author[:MAX_AUTHOR]), said, place if line else "", line if place else 0, bot)


def _place(value: dict[str, Any]) -> tuple[str, int]:
    """The location given by the code host; the old side's line if there is no new one."""
    position = value.get("position")
    inner = cast("dict[str, Any]", position) if isinstance(position, dict) else {}
    path = next((each for each in (value.get("path"), inner.get("new_path"), inner.get("old_path")) if isinstance(each, str)), "")
    numbers = (value.get("line"), inner.get("new_line"), value.get("original_line"), value.get("originalLine"))
    line = next((each for each in numbers if type(each) is int and 0 < each < 10_000_000), 0)
    return path.removeprefix("./"), line


def _people(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key in ("user", "author"):
        if isinstance(value.get(key), dict):
            yield value[key]


def _author(value: dict[str, Any]) -> str:
    names = (each.get(key) for each in _people(value) for key in ("login", "username", "name"))
    return next((each for each in names if isinstance(each, str)), "")


def _bot(value: dict[str, Any]) -> bool:
    return _author(value).lower().endswith(("[bot]", "-bot", "_bot")) or any(
        each.get("type") == "Bot" or each.get("__typename") == "Bot" or each.get("is_bot") is True or each.get("bot") is True
        for each in _people(value)
    )


def _lines(text: str) -> Iterator[Comment]:
    """`PATH:LINE: TEXT`, as compilers print it; a line without a location continues the previous comment, a blank line ends
    it."""
    path, line, said = "", 0, list[str]()
    for each in [*lines_in(text), ""]:
        placed = _PLACED.match(each)
        if (placed or not each.strip()) and said:
            yield from _made("\n".join(said), "", False, path, line)
            path, line, said = "", 0, []
        if placed:
            path, line, said = placed[1].removeprefix("./"), int(placed[2]), [placed[3]]
        elif each.strip():
            said.append(each.strip())
