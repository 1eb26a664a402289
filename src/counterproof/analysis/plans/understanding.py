"""From a plan's text to a `PlanOutline`: steps, things named with their lines and intents, claims, doubts (P2).

Always: the same text gives the same outline. A thing that is named twice in one line with the same intent is kept once.
"""

import re

from counterproof.analysis.plans import kinds_of_text, topics
from counterproof.analysis.plans.claims_made import claims_in
from counterproof.analysis.plans.intents import intent_of, label_of
from counterproof.analysis.plans.layout import ITEM, Line, lines_of, steps_of
from counterproof.analysis.plans.naming import commands_in, named_in
from counterproof.model.canonical import digest
from counterproof.model.plan.outline import Intent, Mention, Named, PlanOutline, PlanStep

MAX_NAMED = 3_000

_LEAD = re.compile(r"[^`]{1,120}[:：][*_]{0,3}[ \t]*\Z")
_VERSION = re.compile(r"`?\b([A-Za-z][\w.-]{1,40})`?[ \t]+(?:version[ \t]+)?v?(\d{1,4}(?:\.\d{1,5}){1,3})\b")


def understand(path: str, text: str) -> PlanOutline:
    """The plan as data."""
    lines = lines_of(text)
    steps = steps_of(lines)
    title = next((line.text.lstrip("# ").strip() for line in lines if line.level), "")
    prose = "\n".join("" if line.code else line.text for line in lines)
    named = _named(lines, steps)
    return PlanOutline(
        path=path,
        digest=digest(text),
        lines=len(lines),
        words=len(text.split()),
        title=(title or next((line.text.strip() for line in lines if line.text.strip()), ""))[:200],
        steps=steps,
        named=named,
        domains=topics.domains(prose),
        systems=topics.systems(prose),
        compliance=topics.compliance(prose),
        signals=topics.signals(prose),
        has_goal=topics.has_goal(prose),
        has_verification=topics.has_verification(text),
        no_plan=kinds_of_text.no_plan(path, lines, steps),
    )


def _named(lines: tuple[Line, ...], steps: tuple[PlanStep, ...]) -> tuple[Named, ...]:
    kept: dict[tuple[object, ...], Named] = {}
    lead = ""
    for line in lines:
        lead = _lead(line, lead)
        for each in _in_line(line, _step_of(line.number, steps), lead):
            kept.setdefault((each.kind, each.text, each.line, each.intent), each)
        if len(kept) >= MAX_NAMED:
            break
    return tuple(kept.values())


def _lead(line: Line, before: str) -> str:
    """Words that end in a colon, and labels of their own, say what the list below them is about."""
    if line.code or not line.text.strip():
        return before
    if line.level:
        return ""
    leads = _LEAD.match(line.text) is not None
    if leads and (not ITEM.match(line.text) or label_of(f"{line.text} ")):
        return f"{line.text.rstrip()} "
    return before if ITEM.match(line.text) or line.text.startswith((" ", "\t", "|")) else ""


def _in_line(line: Line, step: int, lead: str) -> list[Named]:
    if line.code:
        return [Named(each.kind, each.text, line.number, step) for each in commands_in(line.text, line.code)]
    things = named_in(line.text)
    found: list[Named] = []
    for each in things:
        intent, firm = intent_of(line, each, lead) if each.kind is not Mention.COMMAND else (Intent.USES, False)
        found.append(Named(each.kind, each.text, line.number, step, intent, each.detail, firm))
    found += [Named(Mention.VERSION, match[1], line.number, step, detail=match[2]) for match in _VERSION.finditer(line.text)]
    found += [
        Named(Mention.CLAIM, text, line.number, step, Intent.USES, f"{kind}:{about}")
        for kind, text, about in claims_in(line.text, things)
    ]
    return found


def _step_of(number: int, steps: tuple[PlanStep, ...]) -> int:
    return next((step.number for step in steps if step.start <= number <= step.end), 0)
