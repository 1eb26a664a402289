"""What surrounds a plan and was not taken into account: decisions in documents, in history and in memory, and callers (P3).

Always: documents, commits and notes are untrusted text: their words are compared, never followed. Each piece of context names
where it stands. Whether a challenge comes of it is told beside it; letting it in is the engine's.
"""

import re

from counterproof.analysis.plans import decisions
from counterproof.analysis.plans.claims import borne_out
from counterproof.analysis.plans.consequences import users_left
from counterproof.analysis.plans.doubts import Doubt, Kind, read_claim, shown
from counterproof.model.plan.outline import Intent, Mention
from counterproof.model.plan.research import ContextImpact, ContextSource, SurfacedContext
from counterproof.toolbox.memory import Note
from counterproof.toolbox.plan_tools import PlanTools

MAX_CONTEXTS = 6
_AWAY = re.compile(r"\b(?:revert|reverts|remove|removes|removed|drop|drops|dropped)\b", re.IGNORECASE)
_DOCUMENT = re.compile(r"\.(?:md|rst|txt|adoc|html|po)\Z", re.IGNORECASE)

Surfaced = tuple[Doubt | None, SurfacedContext]


def surroundings(tools: PlanTools) -> list[Surfaced]:
    """Everything, what contradicts the plan first."""
    found = [*_documents(tools), *_history(tools), *_remembered(tools), *_callers(tools), *_borne_out(tools)]
    return sorted(found, key=lambda pair: pair[0] is None)[:MAX_CONTEXTS]


def _documents(tools: PlanTools) -> list[Surfaced]:
    """Rules in the repository's own documents that a line of the plan may go against. They inform: what a sentence forbids is for
    people to say."""
    documents = tuple(path for path in tools.bench.project.files if decisions.DOCUMENTS.search(path))
    hits = tools.grep(decisions.FORBIDDING, documents) if documents else ()
    found: dict[str, Surfaced] = {}
    for rule in [rule for hit in hits or () for rule in decisions.rules_in(hit.place, hit.text)][: decisions.MAX_RULES]:
        line = decisions.against(rule, tools.bench.outline, tools.bench.case.lines)
        if line:
            agents = re.search(r"(?:CLAUDE|AGENTS|GEMINI)\.", rule.place) is not None
            source = ContextSource.CLAUDE_MD if agents else ContextSource.CODEBASE
            found.setdefault(rule.thing, (None, _contradicting(source, rule, line)))
    return list(found.values())


def _contradicting(source: ContextSource, rule: decisions.Rule, line: int) -> SurfacedContext:
    said = f"A decision of this repository speaks against line {line}: {rule.sentence}"
    return SurfacedContext("S1", source, rule.place, said, ContextImpact.CONTRADICTS_PLAN)


def _history(tools: PlanTools) -> list[Surfaced]:
    """Commits that gave up what the plan now brings; the reasons of long ago may be gone, so they inform."""
    outline = tools.bench.outline
    created = [each.text.rpartition("/")[2] for each in outline.named if each.intent is Intent.CREATES]
    names = [name for name in dict.fromkeys(created) if len(name) >= 6 and re.search(r"[._A-Z-]", name)]
    found: list[Surfaced] = []
    for commit in (tools.git_log() if names else ()) or ():
        rule = decisions.turned_from(commit.id, commit.subject)
        line = decisions.taken_up(rule, outline, tools.bench.case.lines) if rule else 0
        if rule and line and not _still_used(tools, rule.thing):
            found.append((None, _contradicting(ContextSource.GIT_HISTORY, rule, line)))
            continue
        name = next((name for name in names if name in commit.subject), "")
        if name and _AWAY.search(commit.subject):
            said = f"An earlier commit took `{name}` away: {commit.subject[:200]}"
            found.append((None, SurfacedContext("S1", ContextSource.GIT_HISTORY, commit.id, said, ContextImpact.CHANGES_NEEDED)))
    return found[:2]


def _still_used(tools: PlanTools, thing: str) -> bool:
    """Whether code names a thing; without a search left it is taken to be so, and nothing is held against the plan."""
    hits = tools.grep((thing,))
    return hits is None or any(not _DOCUMENT.search(hit.path) for hit in hits)


def _remembered(tools: PlanTools) -> list[Surfaced]:
    """What the user decided before about things that this plan names."""
    named = [each for each in tools.bench.outline.named if each.kind in (Mention.SYMBOL, Mention.FILE)]
    words = tuple(dict.fromkeys(each.text for each in named))
    removed = {each.text: each.line for each in named if each.intent is Intent.REMOVES and each.firm}
    found: list[Surfaced] = []
    for note in (tools.recall(words) if words else ()) or ():
        about = read_claim(note.claim)
        if about and about[1] in words:
            found.append(_recalled(note, about[1], removed.get(about[1], 0) if decisions.forbids(note.text) else 0))
    return found[:2]


def _recalled(note: Note, about: str, line: int) -> Surfaced:
    """A note, with a doubt where its words speak against a line of this plan."""
    said = f'On an earlier plan ("{note.plan}") the user decided about `{about}`: {note.text}'[:1_900]
    if not line:
        return None, SurfacedContext("S1", ContextSource.MEMORY, note.key, said, ContextImpact.CHANGES_NEEDED)
    doubt = Doubt(
        Kind.DECISION,
        about,
        "",
        said,
        "The change is carried out against what was decided, and has to be taken back",
        "Follow the decision, or change it first and say why",
        lines=(line,),
        places=(note.key,),
    )
    return doubt, SurfacedContext("S1", ContextSource.MEMORY, note.key, said, ContextImpact.CONTRADICTS_PLAN)


def _borne_out(tools: PlanTools) -> list[Surfaced]:
    """Claims of the plan that hold; the reader need not look them up again."""
    found: list[Surfaced] = []
    for claim, about, (path, line) in borne_out(tools.bench.case):
        said = f'Line {claim.line} says of `{about}` "{claim.text}"; a search over all files finds no use, so this holds'
        found.append(
            (None, SurfacedContext("S1", ContextSource.CODEBASE, f"{path}:{line}", said, ContextImpact.CONFIRMS_APPROACH))
        )
    return found[:2]


def _callers(tools: PlanTools) -> list[Surfaced]:
    """Who else uses what the plan changes. This confirms that callers exist; it accuses nobody."""
    case = tools.bench.case
    found: list[Surfaced] = []
    for each in case.of(Mention.SYMBOL):
        left = users_left(case, each.text) if each.intent is Intent.CHANGES else []
        if left and len(found) < 3:
            said = f"`{each.text}`, which line {each.line} changes, is used by {shown(left, 3)}"
            place = f"{left[0][0]}:{left[0][1]}"
            found.append((None, SurfacedContext("S1", ContextSource.CODEBASE, place, said, ContextImpact.CONFIRMS_APPROACH)))
    return found
