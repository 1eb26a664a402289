"""From a plan's text to a `PlanOutline`: its steps, the things it mentions, and its intents (P2, P21).

Invariant: the same text gives the same outline. A thing mentioned twice in one line with the same intent is kept once.
"""

import re

from counterproof.analysis.plans import block_intents, kinds_of_text, topics
from counterproof.analysis.plans.intents import Lead, lead_after, stated_in
from counterproof.analysis.plans.layout import ITEM, Line, blocks_of, lines_of, steps_of, without_comments
from counterproof.analysis.plans.naming import commands_in, named_in
from counterproof.model.canonical import digest
from counterproof.model.plan.outline import Intent, Named, PlanOutline, PlanStep

MAX_NAMED = 3_000
_SENTENCE_END = re.compile(r"[.:;!?。：][*_)`]{0,3}\s*\Z")


def understand(path: str, text: str) -> PlanOutline:
    """The plan as data. Text that readers do not see is ignored."""
    lines = lines_of(without_comments(text))
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
        no_plan=kinds_of_text.no_plan(path, lines, steps, any(each.intent is not Intent.USES for each in named)),
    )


def _named(lines: tuple[Line, ...], steps: tuple[PlanStep, ...]) -> tuple[Named, ...]:
    kept: dict[tuple[object, ...], Named] = {}
    lead, before = Lead(), ""
    for line in lines:
        for each in _in_line(line, step_at(line.number, steps), lead, _opens(line, before)):
            kept.setdefault((each.kind, each.text, each.line, each.intent), each)
        if not line.code:
            lead, before = lead_after(line, lead), line.text
        if len(kept) >= MAX_NAMED:
            break
    for block in blocks_of(lines):
        for each in block_intents.stated_in(block, step_at(block.first, steps)):
            kept.setdefault((each.kind, each.text, each.line, each.intent), each)
    return tuple(sorted(kept.values(), key=lambda each: each.line))


def _opens(line: Line, before: str) -> bool:
    """Return True if a line starts a sentence: an item, a heading, or the first line after a blank line or a full stop."""
    return bool(
        line.level or ITEM.match(line.text) or not before.strip() or before.startswith("#") or _SENTENCE_END.search(before)
    )


def _in_line(line: Line, step: int, lead: Lead, opens: bool) -> list[Named]:
    if line.code:
        return [Named(each.kind, each.text, line.number, step) for each in commands_in(line.text, line.code)]
    things = named_in(line.text)
    stated = list(stated_in(line, things, lead, step, opens))
    known = {(each.kind, each.text) for each in stated} | {(each.kind, each.to) for each in stated}
    used = [
        Named(each.kind, each.text, line.number, step, detail=each.detail)
        for each in things
        if (each.kind, each.text) not in known
    ]
    return [*stated, *used]


def step_at(number: int, steps: tuple[PlanStep, ...]) -> int:
    """The number of the step that a line is in; 0 outside of steps."""
    return next((step.number for step in steps if step.start <= number <= step.end), 0)
