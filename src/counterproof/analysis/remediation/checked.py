"""Patches that hold: the patched tree is analysed again, and whatever did not settle its flaw, or made another, is withdrawn.

Always: a patch is kept only where its flaw was there before, is gone after, no rule says more about the file than before and the
file can still be read. All patches are judged together as they would be applied; withdrawing one judges the rest again.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from counterproof.analysis import families
from counterproof.analysis.project import Project
from counterproof.analysis.recon import entry_points_of
from counterproof.analysis.remediation.patches import Flaw, patched
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

_LANGUAGES = (Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT)
NO_PATCH = "no patch is known that fits its lines; the remedy is yours to choose"
CHANGED = "the analysis does not report it in the files as they are now; audit them again"
PERSISTS = "a patch was tried, and the finding is still there"
WORSE = "a patch was tried, and the analysis has more to say about the file than before"
UNREADABLE = "a patch was tried, and the file can no longer be read"


@dataclass(frozen=True, slots=True)
class Remedied:
    """What came of it: the patched texts, the flaws that they settle, and why the others have no patch."""

    texts: Mapping[str, str]
    settled: tuple[Flaw, ...]
    unsettled: tuple[tuple[Flaw, str], ...]


def remedied(project: Project, flaws: Iterable[Flaw]) -> Remedied:
    """Every patch for these flaws that holds."""
    wanted = sorted(set(flaws))
    before = _said(project, frozenset(each.place.path for each in wanted))
    why = {each: CHANGED for each in wanted if (each.place.path, each.rule, each.place.start) not in before}
    while True:
        texts, lines = _patched(project, [each for each in wanted if each not in why])
        why |= {each: NO_PATCH for each in wanted if each not in why and each not in lines}
        broken = _broken(project, before, texts, lines) if texts else {}
        if not broken:
            return Remedied(texts, tuple(sorted(lines)), tuple((each, why[each]) for each in sorted(why)))
        why |= broken


def _patched(project: Project, wanted: list[Flaw]) -> tuple[dict[str, str], dict[Flaw, int]]:
    """The texts with all patches in them, and the line at which each patched flaw stands in them."""
    texts: dict[str, str] = {}
    lines: dict[Flaw, int] = {}
    moved: Counter[str] = Counter()
    for flaw in wanted:
        path = flaw.place.path
        done = patched(texts.get(path, project.text(path)), flaw, moved[path])
        if done is not None:
            texts[path] = done.text
            moved[path] += done.added
            lines = {each: line + (done.added if each.place.path == path else 0) for each, line in lines.items()}
            lines[flaw] = done.line
    return texts, lines


Said = Counter[tuple[str, str, int]]
"""How often the analysis names a path, rule and line."""


def _broken(project: Project, before: Said, texts: Mapping[str, str], lines: Mapping[Flaw, int]) -> dict[Flaw, str]:
    """Patches that do not hold, with the reason."""
    after_patch = Project(project.root, project.survey, project.checkpoint)
    after_patch.freeze({**project.frozen, **texts})
    after = _said(after_patch, frozenset(texts))
    earlier, later = _by_rule(before), _by_rule(after)
    worse = {path for (path, rule), count in later.items() if count > earlier[path, rule]}
    lost = {path for path, text in texts.items() if path in after_patch.unread or not _parses(path, text)}
    found: dict[Flaw, str] = {}
    for flaw, line in lines.items():
        path = flaw.place.path
        if path in lost:
            found[flaw] = UNREADABLE
        elif after[path, flaw.rule, line]:
            found[flaw] = PERSISTS
        elif path in worse:
            found[flaw] = WORSE
    return found


def _by_rule(said: Said) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for (path, rule, _), count in said.items():
        counts[path, rule] += count
    return counts


def _parses(path: str, text: str) -> bool:
    if not path.endswith(".py"):
        return True
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _said(project: Project, paths: frozenset[str]) -> Said:
    """What the analysis says about these files, place by place."""
    points = entry_points_of(project)
    used = [each for each in _LANGUAGES if project.of_language(each)] or [Language.PYTHON]
    findings = {
        finding
        for language in used
        for finding in families.examine(project, points, tuple(Dimension), language).examination.findings
    }
    places = {(place, finding.rule) for finding in findings for place in (finding.location, *finding.also)}
    return Counter((place.path, rule, place.start) for place, rule in places if place.path in paths)
