"""Whether a text is a plan: can an intended change be read from it? (P16)

Invariant: a rejection has a reason. A file named as another kind is not a plan, unless its name or title calls it one. Any other
text is a plan if it states an intent, has steps, or says what will or must be done.
"""

import re

from counterproof.analysis.plans.layout import Line
from counterproof.analysis.plans.naming import FILE
from counterproof.model.plan.outline import PlanStep

_TEXTS = (".md", ".mdx", ".rst", ".txt")
_PLAN = re.compile(r"\b(?:plan|proposal|rfc|design|roadmap|migration|spec|tasks?|adr|decision)\b", re.IGNORECASE)
_BLANK = re.compile(r"\[(?![ xX]\])[^\]\n`]{3,80}\](?!\()|\{\{?[\w .-]{2,60}\}?\}|_{4,}")
_WILL = re.compile(r"\b(?:will|shall|should|must|needs? to|let's)\b|\A\W{0,4}(?:fix|make|use|write|test)\b", re.IGNORECASE)


def no_plan(path: str, lines: tuple[Line, ...], steps: tuple[PlanStep, ...], states: bool) -> str:
    """Why a text is not a plan; '' if it is one. `states` is True if it states an intent."""
    prose = [line for line in lines if line.code in ("", "text") and line.text.strip()]
    headings = [line.text.lstrip("# ").strip() for line in prose if line.level]
    name = path.rpartition("/")[2]
    if FILE.fullmatch(name.lower()) and not name.lower().endswith(_TEXTS):
        return "it is source code or configuration, not a document"
    called = _PLAN.search(re.sub(r"[_-]", " ", name)) or (headings and _PLAN.search(headings[0]))
    kind = "" if called else _other_kind(name.lower())
    if kind:
        return f"it is {kind}: it describes what is there, not what is to be done"
    blank = sum(_BLANK.search(line.text) is not None for line in prose)
    if blank and blank * 2 > len(prose):
        return "it is a form that nobody has filled in"
    if not (states or steps or called or any(_WILL.search(line.text[:500]) for line in prose)):
        return "no line of it says what is to be changed"
    return ""


def _other_kind(name: str) -> str:
    if re.match(r"change(?:s|log)|history|news|release", name):
        return "a changelog"
    if re.match(r"licen[cs]e|copying|notice", name):
        return "a licence"
    return "a guide to a program" if re.match(r"readme|contributing|code_of_conduct|security", name) else ""
