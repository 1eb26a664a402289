"""From a plan's text to a `PlanOutline`: steps, things named with their lines and intents, claims, doubts (P2).

Always: the same text gives the same outline. A thing that is named twice in one line with the same intent is kept once.
"""

import re

from counterproof.analysis.plans import topics
from counterproof.analysis.plans.blocks import written_in
from counterproof.analysis.plans.intents import default_intent, meant
from counterproof.analysis.plans.layout import Line, lines_of, steps_of
from counterproof.analysis.plans.naming import Found, commands_in, named_in
from counterproof.analysis.plans.statements import claims_in, subjects_in
from counterproof.model.canonical import digest
from counterproof.model.plan.outline import Intent, Mention, Named, PlanOutline, PlanStep

MAX_NAMED = 2_000

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_LEAD = re.compile(r"[^`]{1,120}:[ \t]*\Z")


def understand(path: str, text: str) -> PlanOutline:
    """The plan as data."""
    lines = lines_of(text)
    steps = steps_of(lines)
    title = next((line.text.lstrip("# ").strip() for line in lines if line.level), "")
    prose = "\n".join("" if line.code else line.text for line in lines)
    return PlanOutline(
        path=path,
        digest=digest(text),
        lines=len(lines),
        words=len(text.split()),
        title=(title or next((line.text.strip() for line in lines if line.text.strip()), ""))[:200],
        steps=steps,
        named=_named(lines, steps),
        domains=topics.domains(prose),
        systems=topics.systems(prose),
        compliance=topics.compliance(prose),
        signals=topics.signals(prose),
        has_goal=topics.has_goal(prose),
        has_verification=topics.has_verification(text),
    )


def _named(lines: tuple[Line, ...], steps: tuple[PlanStep, ...]) -> tuple[Named, ...]:
    kept: dict[tuple[object, ...], Named] = {}
    lead = Intent.USES
    before: list[Found] = []
    for line in lines:
        lead = _lead(line, lead)
        things = [] if line.code else named_in(line.text)
        for each in _in_line(line, things, before, _step_of(line.number, steps), lead):
            kept.setdefault((each.kind, each.text, each.line, each.intent), each)
        before = subjects_in(things, line.text) or ([] if line.level else before)
        if len(kept) >= MAX_NAMED:
            break
    for number, name, detail in written_in(lines):
        kept.setdefault(
            (Mention.CODE, name, number, detail), Named(Mention.CODE, name, number, _step_of(number, steps), detail=detail)
        )
    return tuple(kept.values())


def _lead(line: Line, before: Intent) -> Intent:
    """Headings and words that end in a colon say what the list below them is about."""
    if line.code or not line.text.strip():
        return before
    if line.level or (_LEAD.match(line.text) and not _ITEM.match(line.text)):
        return default_intent(line.text)
    return before if _ITEM.match(line.text) else Intent.USES


def _in_line(line: Line, things: list[Found], before: list[Found], step: int, lead: Intent) -> list[Named]:
    if line.code:
        return [Named(each.kind, each.text, line.number, step) for each in commands_in(line.text, line.code)]
    default = lead if _ITEM.match(line.text) else Intent.USES
    found: list[Named] = []
    for each in meant(line.text, things, default):
        part = each.part and each.found.kind is not Mention.OPTION
        intent = Intent.CHANGES if part and each.intent is Intent.REMOVES else each.intent
        detail = each.found.detail or ("part" if part else "")
        found.append(Named(each.found.kind, each.found.text, line.number, step, intent, detail))
    for kind, claim, about in claims_in(line.text, things, before):
        found.append(Named(Mention.CLAIM, claim.text, line.number, step, Intent.USES, f"{kind}:{about}"))
    return found


def _step_of(number: int, steps: tuple[PlanStep, ...]) -> int:
    return next((step.number for step in steps if step.start <= number <= step.end), 0)
