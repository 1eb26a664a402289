"""What functions of checked languages other than Python take, and what calls give them: TypeScript, Go and Rust, by their text.

Always: brackets and quotes are matched, nothing is guessed: a head that does not close, that takes any number of arguments or
leaves something out is not known. Whose head a call meets does not belong here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TYPESCRIPT = ("ts", "tsx", "typescript", "mts", "cts")
CHECKED = (*TYPESCRIPT, "go", "rust", "rs")
"""Languages in which a call with another number of arguments is not accepted."""
MAX_HEAD = 2_000

_OPEN, _CLOSE = "([{", ")]}"
_NAME = r"(?P<name>[A-Za-z_$][\w$]{0,80})"
_GENERIC = r"[ \t]*(?:<[^<>()\n]{0,200}>|\[[^\[\]()\n]{0,100}\])?[ \t]*"
_HEADS = (
    re.compile(rf"(?m)^[ \t]*(?:export[ \t]+|default[ \t]+|declare[ \t]+|async[ \t]+){{0,4}}function[ \t]+{_NAME}{_GENERIC}\("),
    re.compile(
        rf"(?m)^[ \t]*(?:export[ \t]+)?(?:const|let)[ \t]+{_NAME}[ \t]*(?::[^=\n]{{1,120}})?=[ \t]*(?:async[ \t]*)?{_GENERIC}\("
    ),
    re.compile(rf"(?m)^func[ \t]+{_NAME}{_GENERIC}\("),
    re.compile(
        rf"(?m)^[ \t]*(?:pub(?:\([a-z]+\))?[ \t]+|async[ \t]+|const[ \t]+|unsafe[ \t]+){{0,4}}fn[ \t]+{_NAME}{_GENERIC}\("
    ),
)
_CALL = re.compile(
    r"(?<![\w$.:@#\"'`/-])(?<!function )(?<!fn )(?<!func )(?<!new )(?P<name>[A-Za-z_$][\w$]{3,80})(?:::<[^<>()\n]{0,80}>)?\("
)
_LIFETIME = re.compile(r"(?:[&<]|<'\w+,[ \t]*(?:'\w+,[ \t]*)*|:[ \t]*'\w+[ \t]*\+[ \t]*)\Z")
_MODIFIERS = re.compile(r"[ \t]*(?:(?:async|static|public|private|protected|override|abstract|get|set|export|default)[ \t]+|\*)*")
"""What stands before the name in the head of a method."""
_LEFT_OUT = re.compile(r"\.\.\.|…|/\*|//")


@dataclass(frozen=True, slots=True)
class Head:
    """How many arguments a function takes, at least and at most, and how it names them."""

    name: str
    line: int
    names: tuple[str, ...]
    least: int

    @property
    def most(self) -> int:
        return len(self.names)


@dataclass(frozen=True, slots=True)
class Given:
    """A call by a plain name: how many arguments it gives, its line and its place in the text."""

    name: str
    line: int
    count: int
    start: int


def heads_in(text: str) -> Iterator[tuple[str, Head | None]]:
    """The functions that a text defines by a head of their own; None for one that may take any number."""
    for pattern in _HEADS:
        for match in pattern.finditer(text):
            end = closing(text, match.end())
            if end < 0 or (pattern is _HEADS[1] and not re.match(r"[^\n;{]{0,160}?=>", text[end + 1 :])):
                continue
            inner = text[match.end() : end]
            line = text.count("\n", 0, match.start()) + 1
            yield match["name"], None if _LEFT_OUT.search(inner) else _head(match["name"], line, inner)


def _head(name: str, line: int, inner: str) -> Head | None:
    parts = [part for part in split(inner) if not re.match(r"(?:&(?:'\w+ )?)?(?:mut )?self\b|this[ \t]*:", part)]
    named = [re.match(r"(?:mut[ \t]+)?([\w$]+)(\?)?", part) for part in parts]
    names = tuple(match[1] if match else "{…}" for match in named)
    needed = [bool(match is None or not match[2]) and not _has_default(part) for part, match in zip(parts, named, strict=True)]
    least = max((index + 1 for index, each in enumerate(needed) if each), default=0)
    return Head(name, line, names, least)


def _has_default(part: str) -> bool:
    depth = 0
    for index, each in enumerate(part):
        depth += (each in _OPEN) - (each in _CLOSE)
        if each == "=" and not depth and part[index + 1 : index + 2] not in ("=", ">"):
            return True
    return False


def calls_in(text: str) -> Iterator[Given]:
    """Calls by a plain name whose arguments are all written out."""
    for match in _CALL.finditer(text):
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if _is_quoted(before):
            continue
        end = closing(text, match.end())
        inner = text[match.end() : end] if end >= 0 else "…"
        after = text[end + 1 : end + 80]
        headed = _MODIFIERS.fullmatch(before) and re.match(r"[ \t]*(?::|\{[ \t]*(?:\n|\Z))", after)
        arm = re.match(r"[ \t]*=>", after) and not re.search(r"[)}\w][ \t]+if[ \t]", before)  # a pattern, and no guard behind one
        if not (_LEFT_OUT.search(_unquoted(inner)) or headed or arm):
            yield Given(match["name"], text.count("\n", 0, match.start()) + 1, len(split(inner)), match.start())


def _is_quoted(before: str) -> bool:
    """Whether the line is inside of quotes there; what is inserted into a text by `${` is code again."""
    _, opened, inserted = before.rpartition("${")
    before = inserted if opened and "}" not in inserted else before
    return any(before.count(quote) % 2 for quote in "\"'`")


def closing(text: str, start: int, most: int = MAX_HEAD) -> int:
    """Where the bracket that opened just before `start` closes; -1 if it does not within reach."""
    depth, quote = 1, ""
    index = start
    while index < min(len(text), start + most):
        each = text[index]
        if quote:
            index += each == "\\"
            quote = "" if each == quote else quote
        elif each in "\"'`":
            quote = "" if _is_lifetime(text, index) else each
        else:
            depth += (each in _OPEN) - (each in _CLOSE)
            if not depth:
                return index
        index += 1
    return -1


def _is_lifetime(text: str, index: int) -> bool:
    """Whether a mark opens a lifetime of Rust and no quote: after `&` or `<`, or after another one in the same brackets."""
    before = text[max(0, index - 60) : index]
    return re.match(r"'\w+\b(?!')", text[index : index + 40]) is not None and _LIFETIME.search(before) is not None


def split(inner: str) -> list[str]:
    """Arguments or parameters, by the commas between them; those in brackets, generics and quotes do not count."""
    parts, depth, angle, quote = [""], 0, 0, ""
    for index, each in enumerate(inner):
        if quote:
            quote = "" if each == quote and inner[index - 1] != "\\" else quote
        elif each in "\"'`" and not _is_lifetime(inner, index):
            quote = each
        else:
            depth += (each in _OPEN) - (each in _CLOSE)
            angle += _angle(inner, index)
        if each == "," and not depth and angle <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += each
    return [part.strip() for part in parts if part.strip()]


def _angle(inner: str, index: int) -> int:
    """1 for `<` that opens a generic, -1 for the `>` that closes one: a name before it, no blank around it."""
    each = inner[index]
    if each == "<":
        return int(
            re.match(r"<[\w$&'{(\[]", inner[index:]) is not None and inner[index - 1 : index].isalnum() and ">" in inner[index:]
        )
    return -int(each == ">" and inner[index - 1 : index] not in ("=", "-", " ", ""))


def _unquoted(text: str) -> str:
    return re.sub(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`", "''", text)
