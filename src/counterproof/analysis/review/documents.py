"""Checks of documents: what the text contradicts in itself or in the repository, and what its author left open.

Always: a claim names the line and quotes it. What a document should also say is a reader's judgement, and no check here.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review import figures, sections, statements
from counterproof.analysis.review.claims import Check, Claim, View
from counterproof.analysis.review.prose import read
from counterproof.model.location import at
from counterproof.model.severity import Severity

MAX_EACH = 5
_OPEN = re.compile(
    r"\b(?:TBD|TODO|FIXME)\b"
    r"|(?i:\b(?:is|are|still|yet|remains?) to be (?:decided|defined|determined)\b)|[^?]\?\?\?$"
)
_ASKED = re.compile(r"\b(?:what|which)\b[^.?]*[^?]\?$", re.IGNORECASE)
"""What a template asks its author."""


def _open_points(view: View) -> Iterator[Claim]:
    for path in view.files:
        prose = read(view.project.text(path))
        if prose.cut:
            view.limitations.append(f"{path} was read in part: it is very long")
        count = 0
        for each in prose.sentences:
            found = _OPEN.search(each.text)
            if found and not _ASKED.search(each.text) and view.touches(path, each.line, each.line) and count < MAX_EACH:
                count += 1
                why = f"The line leaves {found[0]!r} open: whoever implements this has to decide it without knowing the intent."
                yield Claim("open point", "a decision is left open", Severity.MEDIUM, at(path, each.line), why)


DOCUMENT_CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (("completeness",), _open_points),
    (("completeness",), figures.differing),
    (("completeness",), sections.unfilled),
    (("completeness",), sections.empty),
    (("technical-risk",), statements.refuted),
    (("technical-risk",), figures.otherwise_in_code),
)
