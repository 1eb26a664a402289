"""Names of code that a plan writes without backticks: calls, names with an underscore, and classes that are called classes.

Always: only what no ordinary word looks like counts; what stands in backticks, in a path or in an address is left to others.
"""

import builtins
import re
from collections.abc import Iterator

_DOTTED = r"(?:[A-Za-z_]\w{0,60}\.){0,5}"
_CALL = re.compile(rf"(?<![\w`.@/:$-])({_DOTTED}[A-Za-z_]\w{{2,80}})(\([^()`\n]{{0,150}}\))(?!`)")
_SNAKE = re.compile(
    rf"(?<![\w`.@/:$%{{<=-])({_DOTTED}_{{0,2}}[A-Za-z][A-Za-z0-9]{{0,40}}(?:_[A-Za-z0-9]{{1,40}}){{1,8}})(?![\w`/(=@-]|\.\w)"
)
_CLASS = re.compile(r"(?<![\w`./@-])([A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6})(?![\w`/(@-])")
_CALLED_CLASS = re.compile(r"\b(?:class|model|middleware|mixin|exception|serializer|form|helper)[ \t]+\Z", re.IGNORECASE)
_CLASS_OF = re.compile(
    r"[ \t]+(?:class|model|mixin|exception)\b|[ \t]+(?:in|from|of)[ \t]+`?(?:[\w.-]{1,60}/){1,10}[\w.-]{1,60}\.\w{1,5}\b"
)
_PLURAL = ("(s)", "(es)", "(ies)", "(en)", "(d)", "(ed)")
_SQL = frozenset(
    (
        "varchar",
        "char",
        "decimal",
        "numeric",
        "count",
        "sum",
        "now",
        "max",
        "min",
        "avg",
        "coalesce",
        "lower",
        "upper",
        "rgb",
        "rgba",
        "url",
        "var",
        "calc",
    )
)


def bare_names(text: str) -> Iterator[tuple[str, int, int, str]]:
    """(name, start, end, the call as written or '') for each, in the order of their forms."""
    taken: list[tuple[int, int]] = []
    for match in _CALL.finditer(text):
        plain = match[1].lower()
        if match[2].lower() in _PLURAL or plain in _SQL or hasattr(builtins, match[1]) or match[1].isupper():
            continue
        taken.append(match.span())
        yield match[1], *match.span(), match[0]
    for match in _SNAKE.finditer(text):
        inside = any(start <= match.start() < end for start, end in taken)
        if not inside and not match[1].isupper():
            taken.append(match.span())
            yield match[1], *match.span(), ""
    for match in _CLASS.finditer(text):
        before, after = text[max(0, match.start() - 20) : match.start()], text[match.end() : match.end() + 150]
        inside = any(start <= match.start() < end for start, end in taken)
        if not inside and (_CALLED_CLASS.search(before) or _CLASS_OF.match(after)):
            yield match[1], *match.span(), ""
