"""Secret fields of stored objects that a page prints: `{{ user.password }}` (CWE-200).

Always holds: the field is one of a person, a row or a record by its name; fields of forms and texts that are looked up by a key
are none. Does not belong here: whether what is printed is escaped.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.backward.program import Program
from counterproof.analysis.control.exposure import is_sensitive
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.flow.quotes import Quotes
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

_PAGES = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".tpl")
_PRINTED = re.compile(
    r"\{\{-?[ \t]{0,8}([A-Za-z_]\w{0,60})(?:\.([A-Za-z_]\w{0,60})|\[[ ]?['\"](\w{1,60})['\"][ ]?\])"
    r"[ \t]{0,8}(?:[-}]|\|[ ]?(\w{1,40}))"
)
_RECORDS = vocabulary(
    "user account member customer person profile employee admin student patient client row record entry item credential card"
)
_MASKING = frozenset({"slice", "mask", "masked", "truncatechars", "truncate", "last", "length", "yesno", "redact", "hide"})
"""Filters that leave too little of a value to use."""
MAX_LINE = 4_000


def printed_fields(quotes: Quotes, program: Program) -> Iterator[Finding]:
    """The first of each page."""
    for file in program.project.survey.files:
        if file.language is None and not file.test and file.path.endswith(_PAGES):
            found = _first(program.project.text(file.path))
            if found is not None:
                line, name = found
                why = f"{name} of a stored object is printed on the page."
                yield finding(quotes, EXPOSED_FIELD, at(file.path, line), None, why, "", Confidence.MEDIUM)


def _first(text: str) -> tuple[int, str] | None:
    if "{{" not in text:
        return None
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _PRINTED.finditer(line[:MAX_LINE]):
            name = match[2] or match[3]
            owner = {each.removesuffix("s") for each in words(match[1])}
            if owner & _RECORDS and not owner & {"form"} and is_sensitive(name) and match[4] not in _MASKING:
                return number, name
    return None
