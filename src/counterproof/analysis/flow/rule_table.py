"""The sinks and sanitisers of all rules of one examination, by name.

Invariant: exactly the rules' entries, without sinks that a package has fixed in every version that the project may install; in
doubt the sink is kept. The lowest version of a constraint counts, and the oldest of several declarations. Not handled here: the
effect of a call, and known vulnerabilities of packages.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.dependencies import read_dependencies
from counterproof.analysis.libraries.matcher import Sanitisers, SinkTable
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.ruleset import FlowRule
from counterproof.model.recon import Dependency

_FLAT_QUERIES = ("express 5.0.0", "@nestjs/platform-express 11.0.0")
"""The first version of each framework that reads query fields as strings."""
_SETTING = "query parser"
_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9}){1,3}")


class RuleTable(SinkTable[FlowRule]):
    """All rules' sinks and sanitisers, by name."""

    def __init__(self, rules: Iterable[FlowRule]) -> None:
        rules = tuple(rules)
        super().__init__((rule, sink) for rule in rules for sink in rule.sinks)
        self.returns = [rule for rule in rules if rule.handler_returns]
        self.sanitisers = Sanitisers(name for rule in rules for name in rule.sanitisers)


def without_fixed(project: Project, rules: Iterable[FlowRule]) -> tuple[FlowRule, ...]:
    """The rules without sinks that are harmless in every version that the project may install."""
    chosen = tuple(rules)
    wanted = {sink.before for rule in chosen for sink in rule.sinks if sink.before}
    fixed = {each for each in wanted if _is_fixed(project, each)}
    if not fixed:
        return chosen
    return tuple(replace(rule, sinks=tuple(each for each in rule.sinks if each.before not in fixed)) for rule in chosen)


def nests_queries(project: Project) -> bool:
    """Return True if a query field may be an object (`?a[$ne]=`): in older framework versions, or if the program sets the query
    parser."""
    declared = {each.name for each in _declared(project)}
    known = [each for each in _FLAT_QUERIES if each.partition(" ")[0] in declared]
    if not known or not all(_is_fixed(project, each) for each in known):
        return True
    return any(_SETTING in project.text(file.path) for file in project.survey.files if file.language in SCRIPTS)


def _declared(project: Project) -> tuple[Dependency, ...]:
    return project.once("declared packages", lambda: read_dependencies(project).dependencies)


def _is_fixed(project: Project, before: str) -> bool:
    package, _, version = before.partition(" ")
    found = [_parts(each.version) for each in _declared(project) if each.name in (package, f"{package}-es")]
    return bool(found) and all(each and each >= _parts(version) for each in found)


def _parts(version: str) -> tuple[int, ...]:
    found = [tuple(map(int, each.split("."))) for each in _NUMBERS.findall(version[:200])]
    return min(found, default=())
