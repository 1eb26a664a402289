"""Secrets replaced by stable placeholders in all output: evidence, flows, titles, prompts, logs.

Invariant: the same secret always has the same placeholder (kind, length and eight digits of a keyed hash), so a reader can see
that two locations share a secret; placeholders are keyed per installation; lines keep their numbers, and redacting twice changes
nothing. `spans` decides what a secret is.
"""

import hmac
import re
from collections.abc import Iterator

from counterproof.analysis.secrets.secret_names import Kind, Secret
from counterproof.installation import derived_key
from counterproof.model.marks import MARK

_MAX_LINE = 100_000
_MAX_QUOTE = 400
_PASSES = 4


def mark(secret: str, kind: Kind = Kind.KEY) -> str:
    """The placeholder of a secret. Keyed, so that no one can test likely passwords against a shared report."""
    digest = hmac.digest(derived_key("marks"), secret.encode("utf-8", "surrogatepass"), "sha256")
    return f"‹secret:{digest.hex()[:8]} {kind.value} {len(secret)}›"


def redact(text: str, path: str = "") -> str:
    """The text with every secret replaced; lines keep their numbers. `path` selects how the text is read."""
    return redacted(text, path)[0]


def redacted(text: str, path: str = "") -> tuple[str, list[Secret]]:
    """The text as `redact` returns it, with the positions of the hidden parts. Repeated, because a placeholder may have separated
    a name from another value."""
    if len(text) > _MAX_LINE and not path:
        text = "\n".join(map(_bounded, text.split("\n")))
    found = spans_of(text, path)
    spans = found
    for left in reversed(range(_PASSES)):
        if not spans:
            break
        text = _marked(text, spans)
        spans = spans_of(text, path) if left else []
    return text, found


def quote(line: str, secret: str = "") -> str:
    """A line as evidence: redacted, and truncated before a secret that only its context reveals.

    "" if the line contains only the secret. Always one line of bounded length: form feeds and similar characters count as blanks.
    """
    return " ".join(_without(redact(line.strip()), secret).split())[:_MAX_QUOTE]


def _without(shown: str, secret: str) -> str:
    if not secret or secret not in MARK.sub("", shown):
        return shown
    before, _, after = shown.partition(secret)
    return before.rstrip(" \t\"'`(,=:<>") or ("" if secret in after else after.lstrip(" \t\"'`),;]}"))


def _bounded(line: str) -> str:
    return line if len(line) <= _MAX_LINE or MARK.match(line, _MAX_LINE) else line[:_MAX_LINE] + mark(line[_MAX_LINE:])


def spans_of(text: str, path: str = "") -> list[Secret]:
    """The spans of secrets, in order, within lines and without overlaps."""
    hidden = [found.span() for found in MARK.finditer(text)] if "‹" in text else []
    from counterproof.analysis.secrets.spans import secrets_in  # imported only when a text is shown, because of its parsers

    found = (piece for each in secrets_in(text, path) for piece in _pieces(text, each))
    merged: list[Secret] = []
    for each in sorted({piece for piece in found if not any(piece.start < last and first < piece.end for first, last in hidden)}):
        if merged and each.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(each.end, merged[-1].end))
        else:
            merged.append(each)
    return merged


def _marked(text: str, spans: list[Secret]) -> str:
    shown: list[str] = []
    position = 0
    for start, end, kind in spans:
        shown += [text[position:start], mark(text[start:end], kind)]
        position = end
    return "".join((*shown, text[position:]))


def _pieces(text: str, secret: Secret) -> Iterator[Secret]:
    """A secret split at line ends."""
    for found in re.finditer(r"[^\n]+", text[secret.start : secret.end]):
        if found.group().strip():
            yield Secret(secret.start + found.start(), secret.start + found.end(), secret.kind)
