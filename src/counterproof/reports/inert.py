"""Makes text from the reviewed code harmless in every format (X11).

Everything in a report may have been written by an attacker: code, titles, paths, messages. Each function here takes any string
and returns text that its format shows as plain characters: no link, image, HTML, heading, table break, escape sequence or
invisible character survives. Total: no input raises. Linear in the input's length. Not handled here: layout and wording.
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from json.encoder import encode_basestring
from typing import Final, cast

MAX_TEXT: Final = 2_000
"""The longest inline text. Text beyond it is cut off, and its length is stated."""
MAX_CODE: Final = 300
"""The longest line of code."""
MAX_BLOCK: Final = 40
"""The most lines of a code block."""

_RANGES = (
    "\x00-\x1f\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0e\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bcaf\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff"
)
"""Controls, format characters (bidi, zero-width, tags), unusual spaces, fillers, variation selectors, surrogates, private use
and non-characters. Listed here instead of taken from `unicodedata`, so that the bytes do not depend on Python's Unicode
version."""

_UNSEEN = re.compile(f"(?<!⚠)\ufe0f|[{_RANGES}]")
"""Excludes the emoji selector of our own warning sign."""

_SPACES = re.compile(r"[ \t\r\n]+")
_LINE_END = re.compile(r"\r\n|\n")
_BACKTICKS = re.compile(r"`+")
_QUOTED = re.compile(r"(?<![^ ])`([^`]+)`(?=[,.;:)]?(?: |$))")
_ACTIVE = re.compile(r"[\\`*\[\]~$|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ENTITY = re.compile(r"&(?=[#A-Za-z])")
_BLOCK_START = re.compile(r"^(?:([#+\-=>:%]|/(?=[a-z]))|(\d+)([.)])(?= |$))")
"""A list, a heading, a quote; a command to a code host, such as `/approve`."""
_REFERENCE = re.compile(r"://|@|www\.|[#!&]\d|\bGH-\d|\b[0-9a-f]{40}\b|(?<!\w):[\w+-]+:(?!\w)", re.IGNORECASE)
"""Text that code hosts turn into links, mentions or images: addresses, people, issues, merge requests, commits, emoji."""


def _named(match: re.Match[str]) -> str:
    return f"\\u{{{ord(match.group()):x}}}"


def visible(text: str) -> str:
    """Escape every invisible character as `\\u{202e}`, newlines and tabs included."""
    if text.isascii() and text.isprintable():
        return text  # the case for most texts, and much faster
    return _UNSEEN.sub(_named, text)


def _clipped(text: str, limit: int) -> str:
    extra = len(text) - limit
    return text if extra <= 0 else f"{text[:limit]} … ({extra} more characters)"


def line(text: str, limit: int = MAX_TEXT) -> str:
    """One line for a terminal: breaks and runs of spaces become one space, other invisible characters are escaped."""
    return visible(_clipped(_SPACES.sub(" ", text).strip(" "), limit))


def terminal_text(text: str) -> str:
    """Text for a terminal with its layout: spaces and newlines stay, tabs become four spaces, other invisible characters are
    escaped."""
    lines = _LINE_END.split(text.replace("\t", "    "))
    return "\n".join(visible(each) for each in lines)


@lru_cache(maxsize=512)  # every format shows the same code, and lines of minified scripts are long
def block(text: str, most: int = MAX_BLOCK, widest: int = MAX_CODE) -> tuple[str, ...]:
    """Lines of code: indentation kept, tabs as four spaces, long lines and long blocks truncated with a note."""
    lines = _LINE_END.split(text)
    shown = tuple(visible(_clipped(each.replace("\t", "    "), widest)) for each in lines[:most])
    extra = len(lines) - most
    return shown if extra <= 0 else (*shown, f"… ({extra} more lines)")


def numbered(first: int, lines: Iterable[str], start: int, end: int) -> tuple[str, ...]:
    """Lines of code with their numbers; `start` to `end` are marked."""
    rows = [(number, visible(_clipped(each.replace("\t", "    "), MAX_CODE))) for number, each in enumerate(lines, first)]
    width = len(str(rows[-1][0])) if rows else 0
    return tuple(f"{'>' if start <= number <= end else ' '} {number:>{width}}  {text}".rstrip() for number, text in rows)


def _ticked(shown: str) -> str:
    if not shown:
        return "(empty)"
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(shown)), default=0) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def code(text: str, limit: int = MAX_CODE) -> str:
    """A Markdown code span. Its fence is longer than any run of backticks inside."""
    return _ticked(line(text, limit))


def cell_code(text: str, limit: int = MAX_CODE) -> str:
    """A Markdown code span for a table. `|` is written as an escape, because renderers disagree on escaping it."""
    return _ticked(_without_pipes(line(text, limit)))


def _without_pipes(text: str) -> str:
    return text.replace("|", "\\u{7c}")


def _escaped(word: str) -> str:
    word = _ACTIVE.sub(lambda match: "\\" + match.group(), word)
    return _ENTITY.sub("&amp;", word).replace("<", "&lt;")


def _not_a_block(text: str) -> str:
    return _BLOCK_START.sub(lambda match: f"{match[2] or ''}\\{match[1] or match[3]}", text)


def prose(text: str, limit: int = MAX_TEXT) -> str:
    """Markdown text on one line, for any position.

    Words that a renderer would turn into a link or a mention become code spans, because no escape prevents that.
    """
    return _not_a_block(_words(line(text, limit)))


def remark(text: str, limit: int = MAX_TEXT) -> str:
    """Prose in which text between single backticks is code, as in our own sentences."""
    parts = _QUOTED.split(line(text, limit))
    return _not_a_block("".join(_ticked(part) if number % 2 else _words(part) for number, part in enumerate(parts)))


def _words(text: str) -> str:
    return " ".join(_ticked(word) if _REFERENCE.search(word) else _escaped(word) for word in text.split(" "))


def cell(text: str, limit: int = MAX_TEXT) -> str:
    """Markdown text for one table cell."""
    words = line(text, limit).split(" ")
    return _not_a_block(" ".join(_cell_word(word) for word in words)) or "–"


def _cell_word(word: str) -> str:
    if _REFERENCE.search(word):
        return _ticked(_without_pipes(word))
    return "&#124;".join(_escaped(part) for part in word.split("|"))


def fenced(text: str, most: int = MAX_BLOCK, widest: int = MAX_CODE) -> str:
    """A Markdown code block. Its fence is longer than any run of backticks inside."""
    lines = block(text, most, widest)
    longest = max((len(run) for each in lines for run in _BACKTICKS.findall(each)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((f"{fence}text", *lines, fence))


def message(text: str, limit: int = MAX_TEXT) -> str:
    """A SARIF plain-text message. Brackets that would form an embedded link are escaped, as SARIF requires."""
    shown = line(text, limit)
    return re.sub(r"[\\\[\]]", lambda match: "\\" + match.group(), shown) if "](" in shown else shown


def html(text: str, limit: int = MAX_TEXT) -> str:
    """Text for HTML, between tags or inside a quoted attribute. Runs of spaces become one, as HTML displays them anyway."""
    return escape(visible(_clipped(_SPACES.sub(" ", text), limit)), quote=True)


def html_block(text: str, most: int = MAX_BLOCK, widest: int = MAX_CODE) -> str:
    """Lines of code for a preformatted HTML element."""
    return escape("\n".join(block(text, most, widest)), quote=True)


def workflow_line(text: str) -> str:
    """A log line that a CI runner cannot take for a command: `::command::` at its start, `##[command]` anywhere."""
    return re.sub(r"^(\s*:):", r"\1\\u{3a}", visible(text).replace("##[", "##\\u{5b}"))


def workflow_data(text: str, limit: int = MAX_TEXT) -> str:
    """The message of a GitHub workflow command, on one line."""
    return line(text, limit).replace("%", "%25")


def workflow_property(text: str, limit: int = MAX_TEXT) -> str:
    """The value of a workflow command's property: nothing in it ends the value or the list."""
    return workflow_data(text, limit).replace(":", "%3A").replace(",", "%2C")


def json_text(value: object, indent: int | None = 2) -> str:
    """JSON with exact values; invisible characters are written as JSON escapes."""
    if indent is not None:
        return _laid_out(value, "\n", " " * indent)
    return _json_seen(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def _laid_out(value: object, margin: str, step: str) -> str:
    """The same output as `json.dumps` with an indent, but faster."""
    if isinstance(value, str):
        return _json_seen(encode_basestring(value))
    inner = margin + step
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        parts = [f"{_json_seen(encode_basestring(key))}: {_laid_out(each, inner, step)}" for key, each in pairs]
        return f"{{{inner}{f',{inner}'.join(parts)}{margin}}}" if parts else "{}"
    if isinstance(value, list | tuple):
        parts = [_laid_out(each, inner, step) for each in cast("list[object]", value)]
        return f"[{inner}{f',{inner}'.join(parts)}{margin}]" if parts else "[]"
    return json.dumps(value, allow_nan=False)


def _json_seen(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(lambda match: json.dumps(match.group())[1:-1], text)
