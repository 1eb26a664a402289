"""Doubts about files that a plan creates over what is there.

Always: only a label that creates counts, and a file of one line is a placeholder. Where most of what a plan creates is there, the
plan was carried out before, which is one doubt.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.model.plan.outline import Intent, Mention, Named

_MAYBE_THERE = re.compile(
    r"\b(?:or|additions?|append(?:ed|s)?|extend(?:ed|s)?|existing|if (?:missing|absent|not))\b|或", re.IGNORECASE
)
"""Words beside a path by which the file may be there."""
_CREATE_LABEL = re.compile(r"[\W_\d]{0,14}create\b(?![ \t]*(?:/|or\b))", re.IGNORECASE)
"""A label that creates; `Create/Modify` leaves open which."""
_REWRITES = re.compile(
    r"\b(?:re-?(?:write|place|work|build|design|make|do)|overhaul|start(?:ing)? over)\w{0,4}\b|重写|重构|替换", re.IGNORECASE
)
_BESIDE = re.compile(
    r"\([^)]{0,200}\Z|\b(?:copy|copied|copies|from|like|see|after|based on|modell?ed on)\b[^`]{0,40}`?\Z", re.IGNORECASE
)
"""What stands before a path that is only spoken of beside the one that a label is about."""


def existing_files(case: Case) -> Iterator[Doubt]:
    """Files that a label says to create and that are there: each by itself, or, where most of them are, all as one."""
    files = case.ground.project.files
    labelled, there = _created(case)
    if len(there) * 2 <= len(labelled):
        for each in there:
            yield _existing_file(case, each, f"`{each.text}` is there already, with {files[each.text].lines} lines")
    else:
        told = ", ".join(f"`{each.text}`" for each in there[:3]) + (f" and {len(there) - 3} more" if len(there) > 3 else "")
        most = f"Of {len(labelled)} files that the plan creates {len(there)} are there already: {told}"
        yield replace(_existing_file(case, there[0], most), places=tuple(f"{each.text}:1" for each in there[:10]))


def is_carried_out(case: Case) -> bool:
    """Whether most of what the plan creates is there, be it in a folder that the plan takes for the root."""
    labelled, _ = _created(case)
    return sum(case.ground.resolve(each.text) != "" for each in labelled) * 2 > len(labelled)


def _created(case: Case) -> tuple[list[Named], list[Named]]:
    """The files that labels say to create, and those of them that are there."""
    made = [each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm and "/" in each.text]
    labelled = {each.text: each for each in reversed(made) if _CREATE_LABEL.match(case.line(each.line))}
    labelled = {path: each for path, each in labelled.items() if not _BESIDE.search(case.line(each.line).partition(path)[0])}
    files = case.ground.project.files
    there = [each for path, each in labelled.items() if path in files and files[path].lines > 1]
    return list(labelled.values()), [each for each in there if case.ground.text(each.text) != case.text]  # the plan itself


def _is_rewritten(case: Case, each: Named) -> bool:
    """Whether the step says by its title that it rewrites what is there: a test of it is meant to go along."""
    return any(step.number == each.step and _REWRITES.search(step.title) for step in case.outline.steps)


def _existing_file(case: Case, each: Named, concern: str) -> Doubt:
    alone = sum(other.line == each.line for other in case.of(Mention.FILE)) == 1
    alone = alone and not _is_rewritten(case, each) and not _MAYBE_THERE.search(case.line(each.line).replace(each.text, " "))
    return Doubt(
        Kind.EXISTING,
        each.text,
        "",
        concern,
        f"Carried out as line {each.line} says, the step overwrites what the file holds, or does again what was done",
        f"Say `Modify` and name what is added to `{each.text}`, choose another path, or say which steps are done",
        lines=(each.line,),
        places=(f"{each.text}:1",),
        evidence=Evidence.REPLACED if alone else Evidence.OVERWRITTEN,
    )
