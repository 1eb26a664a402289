"""Doubts about files that a plan builds on and that a commit of the repository took away or renamed.

Always: history is asked once, and only about paths that are missed already. What the plan makes, may bring, takes away itself or
speaks of as something of the past is not doubted, and neither is a rename whose new path the plan names too.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.git import Departed
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.existence import is_spoken_of
from counterproof.analysis.plans.named_files import may_be_missed, may_be_new, missing_file
from counterproof.model.plan.outline import Intent, Mention, Named

_SPARED = re.compile(
    r"\b(?:not|never|n't|without)\b[^.;]{0,30}\b(?:touch|delet|remov|chang|modif|edit|mov)|\buntouched\b|\bout of scope\b"
    r"|不(?:修改|删除|触碰)",
    re.IGNORECASE,
)
"""Words by which a plan leaves a thing alone."""
_PAST = re.compile(
    r"\b(?:was|were|had|former(?:ly)?|old|legacy|previous(?:ly)?|earlier|original(?:ly)?|obsolete|deprecated|histor\w{1,5}|gone"
    r"|no longer|used to|(?:remov|delet|renam|mov|replac|retir|dropp|merg|supersed)ed|restor\w{1,4}|reviv\w{1,4}|reverts?"
    r"|git (?:show|log))\b|已(?:删除|移除|重命名|迁移)|原(?:有|来)|旧",
    re.IGNORECASE,
)
"""Words of a line that speaks of what was."""


def departed_files(case: Case) -> Iterator[Doubt]:
    """Files that the plan counts on, and that a commit took away."""
    removed = {each.text for each in case.of(Mention.FILE) if each.intent is Intent.REMOVES}
    named = {each.text: each for each in reversed(case.of(Mention.FILE)) if each.text not in removed and _is_missed(case, each)}
    for path, gone in case.ground.departed(tuple(named)).items():
        if not gone.now or gone.now not in case.text:
            yield _departed(case, named[path], gone)


def _is_missed(case: Case, each: Named) -> bool:
    if "/" not in each.text or case.makes_file(each.text) or not may_be_missed(case, each):
        return False
    lines = [line for line in case.prose_lines if each.text in line]
    spared = each.intent is Intent.USES and _SPARED.search(" ".join(case.lines[max(0, each.line - 3) : each.line + 1]))
    past = any(_PAST.search(line) for line in lines)
    return not (may_be_new(case, each.text) or is_spoken_of(case, each) or past or spared)


def _departed(case: Case, each: Named, gone: Departed) -> Doubt:
    now = gone.now if gone.now in case.ground.project.files else ""
    doubt = missing_file(each, now, Evidence.DEPARTED)
    what = f"renamed it to `{gone.now}`" if gone.now else "took it away"
    told = f"The repository has no `{each.text}` any more: commit {gone.commit.id[:10]} of {gone.commit.date[:10]} {what}"
    return replace(doubt, concern=f"{told} ({gone.commit.subject[:100]})", places=(*doubt.places, gone.commit.id))
