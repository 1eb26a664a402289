"""Sinks that a package has mended: they count only where the project declares an older version, or none that can be read.

Always holds: a doubt keeps the sink. Of a constraint its lowest version counts, of several declarations the oldest. Does not
belong here: known flaws of packages as such.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.dependencies import read_dependencies
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule

_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9}){1,3}")


def without_mended(project: Project, rules: Iterable[FlowRule]) -> tuple[FlowRule, ...]:
    """The rules without the sinks that are harmless in every version that the project may get."""
    chosen = tuple(rules)
    wanted = {sink.before for rule in chosen for sink in rule.sinks if sink.before}
    mended = {each for each in wanted if _is_mended(project, each)}
    if not mended:
        return chosen
    return tuple(replace(rule, sinks=tuple(each for each in rule.sinks if each.before not in mended)) for rule in chosen)


def _is_mended(project: Project, before: str) -> bool:
    package, _, version = before.partition(" ")
    declared = project.once("declared packages", lambda: read_dependencies(project).dependencies)
    found = [_parts(each.version) for each in declared if each.name in (package, f"{package}-es")]
    return bool(found) and all(each and each >= _parts(version) for each in found)


def _parts(version: str) -> tuple[int, ...]:
    found = [tuple(map(int, each.split("."))) for each in _NUMBERS.findall(version[:200])]
    return min(found, default=())
