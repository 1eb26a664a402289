"""Whether a value can be missing by what the code itself declares: then no belief about old checks is needed.

Always: the declaration is quoted in the answer, or there is none.
"""

import re

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.facts import FILLED, PRESENT, Fact
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import heads

_NONE = re.compile(r"\bNone\b|\bOptional\b|\bnull\b|\bundefined\b")
_GIVES_NONE = re.compile(
    r"(?:^|\. )(?:get|find|match|exec|search|fullmatch|first|fetchone|one_or_none|querySelector|getElementById|pop|shift|closest"
    r"|at|find_one|findOne|findFirst|findUnique|getenv|which|getAttribute|getItem)$"
)


def may_be_missing(edit: UnitEdit, fact: Fact) -> str:
    """A sentence that says where the value may be missing from; '' where the code does not say."""
    if fact.what not in (PRESENT, FILLED):
        return ""
    if edit.new.part is not None:
        parameters = edit.new.part.role("parameters")
        for each in parameters.parts if parameters else ():
            if each.kind == "parameter" and each.parts and each.parts[0].text == fact.about and _optional(each):
                return f"The parameter {fact.about} may be missing by its declaration at line {each.line}."
    for row in edit.new.rows:
        for part in heads(row):
            target, value = part.role("left", "name"), part.role("right", "value")
            if (
                part.kind == "assign"
                and target is not None
                and value is not None
                and target.text == fact.about
                and _gives_none(value)
            ):
                return f"Line {part.line} sets it to what `{value.text.replace(' ', '')[:60]}` gives, which may be nothing."
    return ""


def _optional(parameter: Part) -> bool:
    default = parameter.role("value")
    return parameter.optional or bool(_NONE.search(parameter.hint)) or (default is not None and default.kind == "none")


def _gives_none(value: Part) -> bool:
    if value.kind == "none":
        return True
    inner = value.parts[0] if value.kind == "await" and value.parts else value
    callee, given = inner.role("function"), inner.role("arguments")
    if inner.kind != "call" or callee is None or given is None:
        return False
    return bool(_GIVES_NONE.search(callee.text)) and len(given.parts) <= 1
