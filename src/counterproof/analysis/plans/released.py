"""Doubts about versions: what a plan takes to be installed, held against lock files and manifests.

Always: a version that the plan moves to is no claim about what is there. What no manifest pins or bounds is not judged.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.model.plan.outline import Mention, Named
from counterproof.model.recon import Dependency

_TARGET = re.compile(
    r"\b(?:to|towards|require|requires|needs?|at least|minimum|>=|support(?:s|ed)?(?: for)?|since|until|before)[ \t]+"
    r"`?[\w.-]{0,40}`?[ \t]*v?\Z",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:are|is|runs?|running|stays?|still)[ \t]+on\b"
    r"|\b(?:currently|already|today|installed|existing|pinned (?:at|to)|uses|has|have)\b",
    re.IGNORECASE,
)
"""Words that say what is there; without them a version may be the one that is to come."""
_BOUND = re.compile(r"(>=|<=|==|~=|\^|~|<|>|!=)?[ \t]*v?(\d{1,6}(?:\.\d{1,6}){0,4})")


def stale_versions(case: Case) -> Iterator[Doubt]:
    """Versions of declared packages that the manifests contradict."""
    seen: set[tuple[str, str]] = set()
    for each in case.of(Mention.VERSION):
        version = each.detail
        declared = case.ground.dependencies.get(normal_name(each.text), ())
        if not version or not declared or (each.text, version) in seen or _is_target(case, each, version):
            continue
        against = [one for one in declared if not _fits(version, one)]
        if against and len(against) == len([one for one in declared if one.version != "*"]):
            seen.add((each.text, version))
            said = case.line(each.line).partition(version)[0]
            yield _stale(each, version, against, Evidence.LINES if _PRESENT.search(said) else Evidence.ABSENT)


def _is_target(case: Case, each: Named, version: str) -> bool:
    line = case.line(each.line)
    return _TARGET.search(line[: max(0, line.find(version))]) is not None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d{1,6}", version)[:4])


def _fits(claimed: str, declared: Dependency) -> bool:
    """Whether the claim can be true. A claim of `2.3` fits an installed 2.3.4."""
    mine = _numbers(claimed)
    if declared.pinned:
        theirs = _numbers(declared.version)
        return not theirs or mine[: len(theirs)] == theirs[: len(mine)]
    for sign, bound in _BOUND.findall(declared.version[:200]):
        theirs = _numbers(bound)
        short = mine[: len(theirs)]
        if (sign == ">=" and short < theirs[: len(mine)]) or (sign == "<" and mine >= theirs):
            return False
        if sign in ("^", "~=") and (short < theirs[: len(mine)] or mine[0] != theirs[0]):
            return False
    return True


def _place(one: Dependency) -> str:
    return f"{one.declared.path}:{one.declared.start}"


def _stale(each: Named, version: str, against: list[Dependency], evidence: Evidence) -> Doubt:
    places = tuple(_place(one) for one in against[:5])
    return Doubt(
        Kind.VERSION,
        each.text,
        f"{version}",
        f"The repository has `{each.text}` {against[0].version} ({places[0]}), not {version}",
        f"What line {each.line} expects of {version} is not there, or has changed since",
        f"Check the step against {against[0].version}, or add a step that changes the version",
        lines=(each.line,),
        places=places,
        evidence=evidence,
    )
