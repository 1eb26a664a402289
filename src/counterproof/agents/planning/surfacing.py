"""Surfaces context that the plan missed: the user's earlier decisions, and users of what the plan changes (P3).

Invariant: notes are untrusted text: their words are compared, never followed. Each piece of context names its location and
whether it suggests a challenge; the engine admits it. Documents and commits in prose are left to models.
"""

import re

from counterproof.analysis.plans.doubts import Doubt, Evidence, shown, subject_of
from counterproof.analysis.plans.imports import named_uses
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention
from counterproof.model.plan.research import ContextImpact, ContextSource, SurfacedContext
from counterproof.toolbox.memory import Note
from counterproof.toolbox.plan_tools import PlanTools

MAX_CONTEXTS = 6
MAX_CALLERS = 3
_KEEP = re.compile(r"(?:accept\W|change\W)?\W*(?:keep|do not|don't|never|no)\b", re.IGNORECASE)
"""The start of an answer that keeps a thing."""

Surfaced = tuple[Doubt | None, SurfacedContext]


def surroundings(tools: PlanTools) -> list[Surfaced]:
    """All surfaced context, contradictions of the plan first."""
    return sorted([*_remembered(tools), *_callers(tools)], key=lambda pair: pair[0] is None)[:MAX_CONTEXTS]


def _remembered(tools: PlanTools) -> list[Surfaced]:
    """The user's earlier decisions about things that this plan names."""
    named = [each for each in tools.bench.outline.named if each.kind in (Mention.SYMBOL, Mention.FILE)]
    words = tuple(dict.fromkeys(each.text for each in named))
    removed = {each.text: each.line for each in named if each.intent is Intent.REMOVES}
    found: list[Surfaced] = []
    for note in (tools.recall(words) if words else ()) or ():
        about = subject_of(note.claim)
        if about in words:
            found.append(_recalled(note, about, removed.get(about, 0) if _KEEP.match(note.text) else 0))
    return found[:2]


def _recalled(note: Note, about: str, line: int) -> Surfaced:
    """A note, with a doubt if it keeps something that this plan removes."""
    said = f'On an earlier plan ("{note.plan}") the user decided about `{about}`: {note.text}'[:1_900]
    if not line:
        return None, SurfacedContext("S1", ContextSource.MEMORY, note.key, said, ContextImpact.CHANGES_NEEDED)
    doubt = Doubt(
        Evidence.DECISION,
        about,
        f"Line {line} removes `{about}`",
        said,
        "The change contradicts an earlier decision and has to be reverted",
        "Follow the decision, or change it first and say why",
        lines=(line,),
        places=(note.key,),
    )
    return doubt, SurfacedContext("S1", ContextSource.MEMORY, note.key, said, ContextImpact.CONTRADICTS_PLAN)


def _callers(tools: PlanTools) -> list[Surfaced]:
    """Files outside the plan that use what it changes. Information only."""
    case = tools.bench.case
    found: list[Surfaced] = []
    for each in case.intents(Mention.SYMBOL):
        if each.intent is Intent.CHANGES and len(found) < MAX_CALLERS:
            left = [place for place in named_uses(case, each.short) if case.is_left(place[0])]
            if left:
                files = f"{counted(len(left), 'file')} outside the plan"
                said = (
                    f"Line {each.line} changes `{each.text}`, which {files} {'uses' if len(left) == 1 else 'use'}: {shown(left)}"
                )
                place = f"{left[0][0]}:{left[0][1]}"
                found.append((None, SurfacedContext("S1", ContextSource.CODEBASE, place, said, ContextImpact.CONFIRMS_APPROACH)))
    return found
