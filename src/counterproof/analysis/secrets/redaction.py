"""Secrets replaced by stable marks before anything leaves: evidence, flows, titles, prompts, logs.

Always: the same secret gives the same mark (`‹secret:` and eight digits of a keyed hash), so a reader can see that two places
share one; marks are keyed per installation; lines keep their number, and redacting twice changes nothing. Values that a program
fills in at run time stay. When in doubt a literal behind a secret's name is hidden: a hidden placeholder costs little.
"""

import hmac
import re
from collections.abc import Iterator, Sequence

from counterproof.analysis.secrets.carriers import named_values
from counterproof.analysis.secrets.formats import key_blocks, key_body, token_hits, url_passwords
from counterproof.analysis.secrets.randomness import random_runs
from counterproof.analysis.secrets.secret_names import secret_kind
from counterproof.analysis.secrets.unnamed import unnamed_values
from counterproof.analysis.secrets.values import is_template
from counterproof.installation import derived_key
from counterproof.model.marks import MARK

_ELEMENT = re.compile(r"<([A-Za-z_][A-Za-z0-9_.-]{0,80})>([^<>\n]{1,4000})</")
_MAX_LINE = 100_000
_MAX_QUOTE = 400
_PASSES = 4

Span = tuple[int, int]


def mark(secret: str) -> str:
    """The stand-in for a secret. Keyed, so that nobody can try likely passwords against the mark in a shared report."""
    digest = hmac.digest(derived_key("marks"), secret.encode("utf-8", "surrogatepass"), "sha256")
    return f"‹secret:{digest.hex()[:8]}›"


def redact(text: str, also: Sequence[Span] = ()) -> str:
    """The text with every recognisable secret replaced, and what stands in the spans `also`; lines keep their number."""
    if len(text) > _MAX_LINE and not also:
        text = "\n".join(map(_bounded, text.split("\n")))
    return _marked(text, spans_of(text, also))


def redacted(text: str, also: Sequence[Span]) -> tuple[str, list[Span]]:
    """The text as `redact` gives it, and where it holds what is hidden."""
    spans = spans_of(text, also)
    return (_marked(text, spans) if also or len(text) <= _MAX_LINE else redact(text)), spans


def _marked(text: str, spans: list[Span]) -> str:
    """Marks for what stands in the spans; what is hidden may have stood between a name and another value, so it looks again."""
    for left in reversed(range(_PASSES)):
        if not spans:
            break
        shown = _redacted(text, spans)
        if shown == text:
            break
        text, spans = shown, spans_of(shown) if left else []
    return text


def quote(line: str, secret: str = "") -> str:
    """A line as evidence: redacted, and cut before the secret where only its context told that it is one.

    "" when the line is nothing but the secret. Always one line of bounded length: form feeds and their like count as blanks.
    """
    return " ".join(_without(redact(line.strip()), secret).split())[:_MAX_QUOTE]


def _without(shown: str, secret: str) -> str:
    if not secret or secret not in MARK.sub("", shown):
        return shown
    before, _, after = shown.partition(secret)
    return before.rstrip(" \t\"'`(,=:<>") or ("" if secret in after else after.lstrip(" \t\"'`),;]}"))


def _bounded(line: str) -> str:
    return line if len(line) <= _MAX_LINE or MARK.match(line, _MAX_LINE) else line[:_MAX_LINE] + mark(line[_MAX_LINE:])


def spans_of(text: str, also: Sequence[Span] = ()) -> list[Span]:
    """Where secrets stand, in order, none across the end of a line and none over another."""
    hidden = [found.span() for found in MARK.finditer(text)] if "‹" in text else []
    found = sorted({piece for span in (*_found(text), *also) for piece in _pieces(text, *span) if not _touches(piece, hidden)})
    merged: list[Span] = []
    for start, end in found:
        if merged and start <= merged[-1][1] and (start < merged[-1][1] or end == start):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _redacted(text: str, spans: list[Span]) -> str:
    shown: list[str] = []
    position = 0
    for start, end in spans:
        shown += [text[position:start], mark(text[start:end])]
        position = end
    return "".join((*shown, text[position:]))


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """A span without the ends of lines in it, and without what is hidden already."""
    for found in re.finditer(r"[^\n]+", text[start:end]):
        first, last = start + found.start(), start + found.end()
        if text[first:last].strip():
            yield first, last


def _touches(span: Span, hidden: list[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in hidden)


def _found(text: str) -> Iterator[Span]:
    for hit in (*token_hits(text), *url_passwords(text)):
        if not is_template(text[hit.start : hit.end]):
            yield hit.start, hit.end
    yield from key_blocks(text)
    yield from _key_bodies(text)
    if "</" in text:
        for found in _ELEMENT.finditer(text):
            if secret_kind(found[1]) and not is_template(found[2]):
                yield found.span(2)
    yield from named_values(text)
    yield from unnamed_values(text)
    yield from random_runs(text)


def _key_bodies(text: str) -> Iterator[Span]:
    start = 0
    for line in text.split("\n"):
        body = key_body(line)
        if body:
            yield start + body[0], start + body[1]
        start += len(line) + 1
