"""Values that stand where a name says they are secrets, in whatever text: code of any language, settings, statements, prose.

Works on text, not on syntax, because what leaves may be a fragment, a message or a file that no parser reads. From each name that
means a secret the text after it is read token by token, as far as one expression goes. Always holds: linear (each name looks a
bounded way ahead), and no span crosses the end of a line. Whether a value is reported is judged elsewhere; here a doubt hides.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from counterproof.analysis.secrets.expression import Expression
from counterproof.analysis.secrets.lists import values_in_lists
from counterproof.analysis.secrets.randomness import is_random
from counterproof.analysis.secrets.secret_names import secret_kind, words_of
from counterproof.analysis.secrets.values import is_template, is_thought_up, looks_random

Span = tuple[int, int]

_STEM = re.compile(r"pass|pwd|psw|secret|token|key|cred|bearer|auth|pw\b|identified", re.IGNORECASE)
_AROUND = 80
_IDENTIFIER = re.compile(r"[A-Za-z0-9_.-]*")
_CLOSING = re.compile(r"[\"'`]?[ \t]{0,3}\]?")
_BARE = re.compile(r"[ \t]{0,20}([^\s\"'`,;(){}\[\]<>‹›#&|]{6,4000}+)(?![(\[{‹])")
_AFTER_BLANK = re.compile(r"[ \t]{1,8}([^\s\"'`,;(){}\[\]<>‹›#=|-][^\s\"'`,;(){}\[\]<>‹›|]{3,4000})")
_BLOCK = re.compile(r"[ \t]{0,4}[|>][+-]?[ \t]{0,4}\n[ \t]{0,40}([^\s‹:]{6,4000})[ \t]{0,4}(?=\n|$)")
_NAMED_VALUE = re.compile(
    r"[\"']?(?:</key>|[ \t]{0,4},)?\s{0,40}(?:,[ \t]{0,4})?(?:[\"']?(?:value|Value|default|string)[\"']?[ \t]{0,4}[=:]|<string>)"
    r"[ \t]{0,4}([\"']?)([^\s\"'<>‹]{3,4000})"
)
_SPOKEN_LINK = re.compile(
    r"[\"'`]?[,:]?[ \t]{1,3}(?:(?:is|was|to|from|be|now|set|changed|of|as)[ \t]{1,3}){0,3}[\"'`]?([^\s\"'`‹›]{6,200})"
)
_BY = re.compile(r"[ \t]{1,5}(?:with[ \t]{1,5}\S{1,40}[ \t]{1,5})?by(?=[ \t])", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*;?")


def named_values(text: str) -> Iterator[Span]:
    """Where the values stand that names call secrets."""
    done = -1
    for stem in _STEM.finditer(text):
        if stem.start() < done:
            continue
        start, end = _identifier(text, stem.start(), stem.end())
        done = end
        if text[start - 1 : start] == "‹" or not (name := _subject(text[start:end])):
            continue
        yield from values_in_lists(text, start, end)
        yield from _after(text, start, end, name)


def _identifier(text: str, start: int, end: int) -> Span:
    before = _IDENTIFIER.match(text[max(0, start - _AROUND) : start][::-1])
    first = start - (before.end() if before else 0)
    if text[first - 1 : first] == "\\" and first < start:
        first += 1  # the `n` of an escaped line's end
    after = _IDENTIFIER.match(text, end, max(end, start + _AROUND))
    end = after.end() if after else end
    while end > start and text[end - 1] in ".-":
        end -= 1
    return first, end


@lru_cache(maxsize=4_096)
def _subject(written: str) -> str:
    """The part of `self.client.api_key`, `setPassword` or `--from-literal` that says what a value is; "" if it is no secret."""
    last = written.rpartition(".")[2]
    if last.lower() in ("authorization", "identified"):
        return last
    words = words_of(last)
    if words and words[0] in ("set", "with", "add", "use", "put", "new", "old") and len(words) > 1:
        last = "_".join(words[1:])
    if last.lower() in ("key", "keys"):
        last = "_".join(written.split(".")[-2:])
    return last if secret_kind(last) else ""


def _after(text: str, start: int, end: int, name: str) -> Iterator[Span]:
    closing = _CLOSING.match(text, end)
    after = closing.end() if closing else end
    quoted = text[start - 1 : start] in tuple("\"'`") and text[end : end + 1] == text[start - 1]
    if quoted or text[after : after + 6] == "</key>" or text[end : end + 1] == "\n":
        yield from _beside(text, end)
    block = _BLOCK.match(text, after + 1) if text[after : after + 1] == ":" else None
    if block:
        yield block.span(1)
        return
    spoken = _spoken(text, end) if not text.startswith(("(", "[", "."), end) else None
    if spoken:
        yield spoken
    option = text[max(0, start - 2) : start] == "--" or text[start : start + 2] == "--" or _is_set(text, start)
    blank = _AFTER_BLANK.match(text, end)
    if option and blank and not is_template(blank[1]):
        yield blank.span(1)
    if name.lower() == "identified" and (by := _BY.match(text, end)):
        after = by.end()
    yield from Expression(text, after, quoted, name).spans(_bare)


def _is_set(text: str, start: int) -> bool:
    """`ENV X v`, `ARG X v`, `machine h login u password v`."""
    line = text[max(0, text.rfind("\n", 0, start) + 1) : start].strip()
    return line.upper() in ("ENV", "ARG") or line.startswith(("machine ", "login "))


def _beside(text: str, end: int) -> Iterator[Span]:
    """`"name": "DB_PASSWORD", "value": …`, `<key>…</key><string>…`: the name is a value itself, and its own stands next to it."""
    found = _NAMED_VALUE.match(text, end)
    if found and not is_template(found[2]) and (found[1] or _is_bare_secret(found[2])):
        yield found.span(2)


def _spoken(text: str, end: int) -> Span | None:
    """ "The password was …": a word with letters and digits that nothing marks as code."""
    found = _SPOKEN_LINK.match(text, end)
    if not found:
        return None
    word = found[1].rstrip(".,;:!?)") if not looks_random(found[1]) else found[1]
    last = found.start(1) + len(word)
    if text[last : last + 1] in tuple("([=") or not is_thought_up(word):
        return None
    return found.start(1), found.end(1) if text[last : found.end(1)] in ("!", "?") else last


def _bare(text: str, position: int) -> Span | None:
    found = _BARE.match(text, position)
    return found.span(1) if found and _is_bare_secret(found[1]) else None


def _is_bare_secret(value: str) -> bool:
    """Without quotes a value may as well be code; only what no variable is called counts."""
    if is_template(value):
        return False
    if _CODE.fullmatch(value) and not looks_random(value) and not is_random(value):
        named = secret_kind(value) is not None or not value.replace("_", "").isalnum()
        return not named and any(character.isdigit() for character in value)
    return not value.isdigit() or len(value) >= 8
