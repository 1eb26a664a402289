"""Errors planted in the code of a real plan's blocks.

Always: a parameter is planted only where one definition alone, of the tree or of the plan, has the name that is called. All of
it is told by plain text search, not by the product's code.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from plan_mutations import Planted, Tree

BLOCK = re.compile(r"(?ms)^[ \t]*```(\w+)[^\n]*\n(.*?)^[ \t]*```")
_CHECKED = ("python", "py", "ts", "tsx", "typescript", "go", "rust", "rs", "java", "csharp", "kotlin")
"""Languages in which an argument too many is an error."""
_HEAD = (
    r"(?:\b(?:def|function|fn|func)[ \t]+(?:\([^()\n]*\)[ \t]*)?{0}[ \t]*(?:<[^<>\n]*>|\[[^\[\]\n]*\])?\("
    r"|\bconst[ \t]+{0}[ \t]*=[ \t]*(?:async[ \t]*)?\()"
)
TEST = re.compile(r"def test_|describe\(|\bit\(|\btest\(|#\[test\]|func Test|@Test")


@dataclass(frozen=True)
class _Call:
    """A call in a block: what is called, where its arguments begin and end in the plan, and what they are."""

    name: str
    start: int
    end: int
    given: tuple[str, ...]


def _closed(text: str, start: int) -> int:
    """Where the parenthesis that opens before `start` closes; -1 if it does not nearby."""
    depth = 1
    for index in range(start, min(len(text), start + 1500)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if not depth:
            return index
    return -1


def _split(inner: str) -> tuple[str, ...]:
    parts, depth, quote = [""], 0, ""
    for index, each in enumerate(inner):
        if quote:
            quote = "" if each == quote else quote
        elif each in "\"'`":
            quote = each
        elif each == ">" and inner[index - 1 : index] in ("=", "-"):
            pass
        else:
            depth += (each in "([{<") - (each in ")]}>")
        if each == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += each
    return tuple(part.strip() for part in parts if part.strip())


def _parameters(name: str, text: str, tree: Tree) -> tuple[str, ...] | None:
    """What a function takes that one place alone defines; None where it is not so, or any number goes."""
    head = re.compile(_HEAD.format(re.escape(name)))
    texts = [tree.texts[path] for path in tree.defines(name)]
    found = [(each, match) for each in [text, *texts] for match in head.finditer(each)]
    if len(found) != 1:
        return None
    where, match = found[0]
    inner = where[match.end() : _closed(where, match.end())]
    taken = [part for part in _split(inner) if part.split(":")[0].strip() not in ("self", "cls", "&self", "&mut self", "*", "/")]
    return None if re.search(r"\.\.\.|\*|#|//", inner) else tuple(taken)


def _calls(text: str, languages: tuple[str, ...]) -> Iterator[_Call]:
    for block in BLOCK.finditer(text):
        if block[1].lower() not in languages:
            continue
        for match in re.finditer(
            r"(?<![\w.$@#:])(?<!def )(?<!function )(?<!fn )(?<!func )(?<!new )([A-Za-z_]\w{3,60})\(", block[2]
        ):
            start = block.start(2) + match.end()
            end = _closed(text, start)
            line = text.rfind("\n", 0, start)
            commented = re.search(r"#|//|\"|'", text[line:start])
            if 0 < end < block.end(2) and not commented and not _is_head(text[line + 1 : start], text[end : end + 80]):
                yield _Call(match[1], start, end, _split(text[start:end]))


def _is_head(before: str, after: str) -> bool:
    """Whether what looks like a call is the head of a method: after a receiver, or with a type or a body behind it."""
    alone = re.fullmatch(r"[ \t]*(?:(?:async|public|private|protected|static|override|pub|suspend)[ \t]+)*\w+\(", before)
    return re.match(r"[ \t]*func\b", before) is not None or bool(alone and re.match(r"\)[ \t]*(?:\{|:|->|=>|[A-Za-z(*])", after))


def parameter(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """An argument too many or one too few, a keyword under another name, or one that a class does not have."""

    @cache
    def known(name: str) -> tuple[str, ...] | None:
        return _parameters(name, text, tree)

    calls = [call for call in _calls(text, _CHECKED) if call.given and "..." not in text[call.start : call.end]]
    plain = [
        call
        for call in calls
        if len(call.given) == len(known(call.name) or ()) and not any(re.match(r"\w+ *=(?!=)", part) for part in call.given)
    ]
    places = {
        "more": [(call, "") for call in plain],
        "fewer": [(call, "") for call in plain if not re.search(r"[?=]|\bOption<", (known(call.name) or ("?",))[-1])],
        "keyword": _keywords(text, tree, known),
        "field": [(call, "") for call in _calls(text, ("python", "py")) if _fields(call.name, text, tree) and _is_by_words(call)],
    }
    hows = [how for how, found in places.items() if found]
    if not hows:
        return None
    how = dice.choice(hows)
    call, word = dice.choice(places[how])
    return _planted(how, call, word, text, dice.choice(_elsewhere(call, text, tree) or _NEW_WORDS))


_NEW_WORDS = ("retry_ceiling", "audit_channel", "shard_hint", "latency_floor")


def _elsewhere(call: _Call, text: str, tree: Tree) -> list[str]:
    """Keywords that other calls of the plan give, and that the class has no field for."""
    given = {
        match
        for each in _calls(text, ("python", "py"))
        for part in each.given
        for match in re.findall(r"^([a-z]\w{4,40}) *=(?!=)", part)
    }
    return sorted(given - set(_fields(call.name, text, tree)) - {word for word in given if f"`{word}" in text})


def _is_by_words(call: _Call) -> bool:
    return all(re.match(r"\w+ *=(?!=)", part) for part in call.given)


def _planted(how: str, call: _Call, word: str, text: str, new: str) -> Planted:
    before, inner, after = text[: call.start], text[call.start : call.end], text[call.end :]
    whole = inner.rstrip().removesuffix(",")
    if how == "more":
        return Planted(
            "parameter", f"{call.name} with {len(call.given) + 1} arguments", f"{before}{whole}, 7351{after}", (call.name,)
        )
    if how == "fewer":
        cut = inner[: inner.rindex(call.given[-1])].rstrip().removesuffix(",")
        return Planted("parameter", f"{call.name} with {len(call.given) - 1} arguments", f"{before}{cut}{after}", (call.name,))
    if how == "field":
        return Planted(
            "parameter", f"{call.name}({new}=)", f"{before}{whole}{', ' if whole.strip() else ''}{new}=3{after}", (new,)
        )
    other = f"{word}_hint"
    renamed = re.sub(rf"(?<![\w.]){re.escape(word)}(?= *=[^=])", other, inner, count=1)
    return Planted("parameter", f"{call.name}({word}=) -> {other}", before + renamed + after, (other,))


def _keywords(text: str, tree: Tree, known: Callable[[str], tuple[str, ...] | None]) -> list[tuple[_Call, str]]:
    """Keywords of calls in Python that the one definition takes: a function's parameter or a class's field."""
    found: list[tuple[_Call, str]] = []
    for call in _calls(text, ("python", "py")):
        words = [match[1] for part in call.given if (match := re.match(r"([a-z_]\w{2,40}) *=(?!=)", part))]
        taken = known(call.name) or _fields(call.name, text, tree)
        found += [(call, word) for word in words if any(re.match(rf"{word}\b", each) for each in taken)]
    return found


def _fields(name: str, text: str, tree: Tree) -> tuple[str, ...]:
    body = r"\n((?:[ \t]+[^\n]*\n|\n)+)"
    heads = (
        rf"(?m)^@dataclass[^\n]*\nclass {re.escape(name)}\b[^\n]*:{body}",
        rf"(?m)^class {re.escape(name)}\(BaseModel\):{body}",
    )
    texts = [tree.texts[path] for path in tree.defines(name)]
    found = [match for each in [text, *texts] for head in heads for match in re.finditer(head, each)]
    return tuple(re.findall(r"(?m)^[ \t]+(\w+) *:", found[0][1])) if len(found) == 1 else ()
