"""Forbids repeated work in later rounds (A47). The toolbox asks here before every call, instead of relying on a prompt.

Invariant: pure; every check returns the reason for a rejection, or ''. Hotspots may be read again; chain checks, phase 3 and
validators are `unrestricted`. A file counts as clean, or as settled by a false positive, for the dimensions that it was read
for. Only a line that the agent's own search or trace hit in this round is new evidence. A finding that repeats a false
positive is rejected for everyone.
"""

from collections.abc import Callable
from dataclasses import dataclass

from counterproof.model.contract import AgentTask, Role
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.ledger import Ledger
from counterproof.model.location import Location
from counterproof.model.transfer import FalsePositive, GrepDone

SEARCH_TOOL = "grep"


@dataclass(frozen=True, slots=True)
class RoundRules:
    """The complete results of earlier rounds; agents are shown a shorter form (A46)."""

    read_for: tuple[tuple[Dimension, tuple[str, ...]], ...] = ()
    searches: tuple[GrepDone, ...] = ()
    clean: tuple[str, ...] = ()
    false_positives: tuple[FalsePositive, ...] = ()
    hotspots: tuple[str, ...] = ()
    unrestricted: bool = False

    def dimensions_read(self, path: str) -> frozenset[Dimension]:
        """The dimensions for which earlier agents read the file."""
        return frozenset(dimension for dimension, paths in self.read_for if path in paths)

    def excluded_lines(self, path: str) -> frozenset[int]:
        return frozenset(each.line for each in self.false_positives if each.file == path)


FIRST_ROUND = RoundRules()
"""There is no earlier work, so nothing is a repetition."""


def rules_for(task: AgentTask) -> RoundRules:
    """The rules for the agent of a task."""
    if task.context is None:
        return FIRST_ROUND
    handed = task.context.transfer
    return RoundRules(
        read_for=handed.read_for,
        searches=handed.grep_done,
        clean=handed.clean,
        false_positives=handed.false_positives,
        hotspots=tuple(each.file for each in handed.hotspots),
        unrestricted=task.role is not Role.HUNTER,
    )


def searches_of(ledger: Ledger) -> tuple[GrepDone, ...]:
    """The searches that an agent ran, for later rounds."""
    made = ((call.subject, call.scope) for call in ledger.calls if call.tool == SEARCH_TOOL and not call.refused)
    return tuple(GrepDone(pattern, scope) for pattern, scope in dict.fromkeys(made))


def read_refusal(
    rules: RoundRules,
    path: str,
    dimensions: tuple[Dimension, ...],
    because: Location | None = None,
    evidence: tuple[Location, ...] = (),
) -> str:
    """Why a file may not be read again. `because` is the agent's reason, `evidence` are the hits of its own calls in this
    round."""
    if rules.unrestricted:
        return ""
    earlier = rules.dimensions_read(path)
    excluded = rules.excluded_lines(path)
    settled = path in rules.clean or bool(excluded)
    if (earlier and not earlier.issuperset(dimensions)) or not (earlier or settled):
        return ""
    if settled:
        if _is_new(path, because, evidence, excluded):
            return ""
        kind = "clean" if path in rules.clean else "a false positive"
        return f"an earlier round judged {path} as {kind}; name a line that your own search or trace hit there"
    if path in rules.hotspots:
        return ""
    return f"an earlier agent read {path} for {', '.join(each.value for each in dimensions)} already"


def search_refusal(rules: RoundRules, pattern: str, scope: str, files_of: Callable[[str], frozenset[str]]) -> str:
    """Why a search may not be repeated. A search of fewer of the same files, or of other files, is not a repetition."""
    if rules.unrestricted:
        return ""
    for done in rules.searches:
        if done.pattern != pattern:
            continue
        wanted, covered = files_of(scope), files_of(done.scope)
        if scope == done.scope or not (wanted < covered or wanted.isdisjoint(covered)):
            return f"an earlier round searched for this in {done.scope or 'every file'}; narrow the scope"
    return ""


def finding_refusal(rules: RoundRules, finding: Finding) -> str:
    """Why a finding repeats an exclusion: the same file, one of the cited lines, a dimension for which it was excluded."""
    place = finding.location
    for each in rules.false_positives:
        settled = not each.dimensions or finding.dimension in each.dimensions
        if settled and each.file == place.path and place.start <= each.line <= place.end:
            return f"an earlier round excluded it as a false positive: {each.reason}"
    return ""


def _is_new(path: str, because: Location | None, evidence: tuple[Location, ...], excluded: frozenset[int]) -> bool:
    """True if the agent itself had a hit in this file on a line that was not excluded."""
    if because is None or because.path != path or because not in evidence:
        return False
    return not any(because.start <= line <= because.end for line in excluded)
