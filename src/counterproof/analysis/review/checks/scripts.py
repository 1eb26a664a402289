"""JavaScript and TypeScript, read as text: an async callback in `forEach` is never awaited by anybody."""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import Language

_FOR_EACH = re.compile(r"\.forEach\(\s{0,4}async\b")
_COMMENT = re.compile(r"\s*(?://|\*|/\*)")


def async_for_each(view: View) -> Iterator[Claim]:
    """`forEach(async …)`: it returns before the callbacks are done, and their errors go nowhere."""
    for path in view.files:
        file = view.project.files.get(path)
        if file is None or file.language not in (Language.JAVASCRIPT, Language.TYPESCRIPT):
            continue
        for number, line in enumerate(view.project.text(path).split("\n"), 1):
            if _FOR_EACH.search(line[:2_000]) and not _COMMENT.match(line) and view.touches(path, number, number):
                yield Claim(
                    kind="async callback in forEach",
                    domain="races",
                    title="forEach does not wait for its async callback",
                    severity=Severity.HIGH,
                    confidence=Confidence.HIGH,
                    at=at(path, number),
                    why="forEach throws the promises of its callback away: what follows runs before the work is done, and an "
                    "error in the callback becomes an unhandled rejection.",
                    fix="Use `for (const each of list) { await … }` or `await Promise.all(list.map(async …))`",
                )
