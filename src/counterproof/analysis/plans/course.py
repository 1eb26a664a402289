"""Doubts about the order of steps: something is used before the step that creates it.

Always: a test that is written first is no mistake, and a line that points to the later step itself knows what it does.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.doubts import Case, Doubt, Kind
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.outline import Intent, Mention, Named

POINTS_AHEAD = re.compile(
    r"\b(?:later|step \d{1,3}|phase \d{1,3}|task \d{1,3}|below|will be|created|once|until|failing|fails|tests?|overview|new)\b",
    re.IGNORECASE,
)


def early_uses(case: Case) -> Iterator[Doubt]:
    """Files and names used in a step before the first one that creates them."""
    first: dict[str, Named] = {}
    for each in case.of(Mention.FILE, Mention.SYMBOL, Mention.SETTING, Mention.TABLE):
        if each.intent is Intent.CREATES and each.step:
            first.setdefault(each.text, each)
    seen: set[str] = set()
    for each in case.of(Mention.FILE, Mention.SYMBOL, Mention.SETTING, Mention.TABLE):
        made = first.get(each.text)
        if made is None or not 0 < each.step < made.step or each.intent is Intent.CREATES or each.text in seen:
            continue
        title = case.outline.steps[each.step - 1].title
        if POINTS_AHEAD.search(case.line(each.line)) or re.search(r"\btests?\b", title, re.IGNORECASE) or _there(case, each):
            continue
        seen.add(each.text)
        yield Doubt(
            Kind.ORDER,
            each.text,
            f"in step {each.step}, and creates it in step {made.step}",
            f"Step {each.step} (line {each.line}) needs `{each.text}`, which only step {made.step} (line {made.line}) creates",
            f"Carried out in order, step {each.step} fails or works on nothing",
            f"Move the creation of `{each.text}` before step {each.step}",
            Weight.SIGNIFICANT,
            lines=(each.line, made.line),
        )


def _there(case: Case, each: Named) -> bool:
    """What exists already is not created by the later step, whatever its words."""
    if each.kind is Mention.FILE:
        return case.ground.exists(each.text)
    return bool(case.ground.occurrences(each.text).definitions)
