"""The root cause of a finding: stable when lines move, another witness finds it, or rules are renamed.

The one identity for merging, for comparing runs and revisions, and for the fingerprints of every format (A62). Invariant: it
consists of the file, the function, the kind of weakness, and the sink or the missing guard with its line of code; wording and
severity are not part of it. Not handled here: whether two findings with one root cause are one problem; the protocols decide
that.
"""

from dataclasses import dataclass

from counterproof.model.canonical import canonical, digest
from counterproof.model.finding import Finding
from counterproof.model.kinship import kin, opposed
from counterproof.model.location import Location
from counterproof.model.marks import without_digests
from counterproof.model.proof import Part, Proof, Shape, Verdict

_TURNING = (Part.SINK, Part.VALUE, Part.PACKAGE)
"""The parts of a proof that can carry the weakness; the first one present is used."""


@dataclass(frozen=True, slots=True, order=True)
class RootCause:
    """`kind` represents the group of weaknesses that finders confuse; `mark` is the name of the sink or of the missing guard."""

    path: str
    function: str
    kind: int
    mark: str
    code: str


def fingerprint(finding: Finding, occurrence: int) -> str:
    """The identity of a finding across runs. `occurrence` counts equal lines of one function from 0."""
    return named(root_cause(finding), occurrence)


def named(cause: RootCause, occurrence: int) -> str:
    return digest(canonical([cause.path, cause.function, cause.kind, cause.mark, cause.code, occurrence]))[:32]


def root_cause(finding: Finding) -> RootCause:
    mark = mark_of(finding.proof) if finding.proof else ""
    return RootCause(finding.location.path, finding.function, kin(finding.cwe), mark, _code(finding))


def is_one_cause(one: Finding, other: Finding) -> bool:
    """True if two witnesses describe one root cause, even if they name it at different locations: the route, the path, or the
    sink."""
    if kin(one.cwe) != kin(other.cwe) or opposed(one.cwe, other.cwe):
        return False
    first, second = _end(one), _end(other)
    if first and second:
        return meet(first, second)
    return _speaks_of(one, other) or _speaks_of(other, one)


def _speaks_of(claim: Finding, whole: Finding) -> bool:
    """True if a claim without a sink names a location on another finding's path, or the head of a function on it."""
    if _end(claim):
        return False
    said = (claim.location, claim.scope) if claim.scope else (claim.location,)
    return any(meet(place, each) for place in said for each in way(whole))


def way(finding: Finding) -> tuple[Location, ...]:
    """The locations where a root cause is visible: its own, and every fact and step from entry to sink. Peers are other entry
    points."""
    links = finding.proof.links if finding.proof else ()
    facts = [link.fact.at for link in links if link.part is not Part.PEER]
    steps = [step.location for step in finding.flow.steps] if finding.flow else []
    return (finding.location, *finding.also, *facts, *steps)


def _end(finding: Finding) -> Location | None:
    """The sink, or the unguarded entry point, stated in a finding's proof or flow."""
    if finding.proof and finding.proof.shape is Shape.MISSING_GUARD:
        return next((link.fact.at for link in finding.proof.links if link.part is Part.ENTRY), None)
    links = finding.proof.links if finding.proof else ()
    stated = [link.fact.at for part in _TURNING for link in links if link.part is part]
    flow = finding.flow.steps if finding.flow and finding.flow.complete else ()
    return next(iter((*stated, *(step.location for step in flow[-1:]))), None)


def meet(one: Location, other: Location) -> bool:
    return one.path == other.path and one.start <= other.end and other.start <= one.end


def is_copy(one: Finding, other: Finding) -> bool:
    """True if two files contain the same weakness verbatim, as themes and vendored copies do: the same file name, function,
    weakness, sink and line, in different folders."""
    first, second = root_cause(one), root_cause(other)
    if first.path == second.path or first.path.rpartition("/")[2] != second.path.rpartition("/")[2]:
        return False
    if one.rule and other.rule and (one.rule, one.cwe) != (other.rule, other.cwe):
        return False
    return _tail(first, one, other) == _tail(second, one, other) and _around(one) == _around(other)


def _tail(cause: RootCause, one: Finding, other: Finding) -> tuple[str, int, str, str]:
    """The properties that copies share. Marks are compared only if both have one."""
    marked = all(each.proof and mark_of(each.proof) for each in (one, other))
    return (cause.function, cause.kind, cause.mark if marked else "", cause.code)


def _around(finding: Finding) -> tuple[str, ...]:
    """The code around the location, without indentation; empty if the engine did not read it."""
    return tuple(" ".join(line.split()) for line in finding.excerpt.lines) if finding.excerpt else ()


def mark_of(proof: Proof) -> str:
    """The name of the missing guard, or of the sink, the value or the package."""
    if proof.shape is Shape.MISSING_GUARD:
        return next((guard.name for guard in proof.guards if guard.verdict is Verdict.ABSENT), "")
    facts = [link.fact for part in _TURNING for link in proof.links if link.part is part]
    return next((fact.symbol.rpartition(".")[2] or fact.operation.value for fact in facts), "")


def _code(finding: Finding) -> str:
    """The line at the location as the engine read it; otherwise the quoted evidence."""
    shown = finding.excerpt
    number = finding.location.start - shown.first if shown else -1
    line = shown.lines[number] if shown and 0 <= number < len(shown.lines) else finding.evidence
    return normal_code(line)


def normal_code(line: str) -> str:
    """A line of code with whitespace normalised and without redaction digests."""
    return " ".join(without_digests(line).split())
