"""Texts of access-control findings: the rule's own description, and the facts of this case.

Invariant: a quoted line is the line's exact text; the four steps state what was really checked. Not handled here: deciding that
there is a finding.
"""

from counterproof.analysis.project import Quotes
from counterproof.analysis.proofs import entry_guards, fact_at, handler_links, reach_of, unknown_reach
from counterproof.analysis.ruleset import RuleInfo, rule_info
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, ConsideredGuard, Guess, Link, Part, Proof, Shape, Verdict
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.severity import Confidence, Rating

MISSING_LOGIN = "missing-authentication"
OPEN_DESTRUCTION = "unguarded-destruction"
MISSING_ROLE = "missing-role-check"
MISSING_OWNER = "missing-ownership-check"
STATE_CHANGING_GET = "state-changing-get"
CLIENT_SIDE_ROLE = "client-side-role"
"""Ids of control rules. Their descriptions are in their folders under `analysis/rules`."""

NO_POC = "Showing it takes accounts and data of the running system."


def finding(
    quotes: Quotes,
    rule: str,
    place: Location,
    entry: EntryPoint | None,
    why: str,
    function: str,
    confidence: Confidence = Confidence.HIGH,
    protects: Location | None = None,
    peer: EntryPoint | None = None,
    unread: str = "",
    named: bool = False,
) -> Finding:
    """`protects` is the location that a guard would protect, if different from the finding: a write that the handler leads to.
    `peer` is a similar entry with the guard; `unread` a project guard that was not understood; `named` says that the code itself
    names the guard, which does not run."""
    weakness = rule_info(rule)
    where = quotes.location(place.path, place.start, min(place.end, place.start + 1))
    evidence = quotes.evidence(where)
    return Finding(
        id="",
        rule=weakness.id,
        title=weakness.title,
        dimension=weakness.dimension,
        cwe=weakness.cwe,
        severity=weakness.severity,
        confidence=confidence,
        location=where,
        evidence=evidence,
        impact=f"{weakness.consequence} {why}",
        rating=Rating(reach_of(entry), weakness.impact, weakness.complexity),
        function=function,
        remedy=weakness.remedy,
        no_poc_reason=NO_POC,
        validation=_steps(weakness, where, entry, why),
        posture=weakness.posture,
        proof=_proof(quotes, weakness, protects or where, entry, confidence, peer, unread, named=named),
    )


def _proof(
    quotes: Quotes,
    weakness: RuleInfo,
    where: Location,
    entry: EntryPoint | None,
    confidence: Confidence,
    peer: EntryPoint | None,
    unread: str,
    *,
    named: bool,
) -> Proof:
    """The proof: this entry, the operation that a guard would protect, and the guard that was searched for (A55). Code cannot
    show that a guard is missing by mistake: it may be omitted on purpose, or be elsewhere unless a peer has it here. The store
    itself may check ownership, so a peer that checks it again proves nothing."""
    own = entry is not None and (where.path, where.start) == (entry.handler.path, entry.handler.start)
    sink = None if own else fact_at(quotes.project, where)  # a handler alone does not show what needs a guard
    guessed = confidence.rank <= Confidence.MEDIUM.rank
    way = entry.path or entry.name if entry is not None else weakness.kind
    meant = bool(weakness.guard) and not named
    unseen = unread or (way if meant and peer is not None and weakness.id == MISSING_OWNER else "")
    outside = way if meant and peer is None and not unread else ""
    return Proof(
        Shape.MISSING_GUARD,
        (
            *handler_links(quotes.project, entry, Part.ENTRY),
            *handler_links(quotes.project, peer, Part.PEER),
            *((Link(Part.SINK, sink),) if sink else ()),
        ),
        guards=(*entry_guards(entry), ConsideredGuard(weakness.guard or weakness.title, Verdict.ABSENT)),
        assumptions=(
            *((Assumption(Guess.NAME, weakness.kind, where),) if guessed else ()),
            *((Assumption(Guess.MEANT_OPEN, way, where),) if meant else ()),
            *((Assumption(Guess.UNSEEN_GUARD, unseen, where),) if unseen else ()),
            *((Assumption(Guess.OUTER_GUARD, outside, where),) if outside else ()),
            *(unknown_reach(entry) if entry is not None else ()),
        ),
    )


def _steps(weakness: RuleInfo, where: Location, entry: EntryPoint | None, why: str) -> Validation:
    here = at(where.path, where.start)
    if entry is None:
        reach = ValidationStep(StepResult.PARTIAL, "which entry point leads here was not settled", here)
    else:
        route = f"{entry.method} {entry.path}".strip()
        result = StepResult.PARTIAL if entry.guard is Guard.UNKNOWN else StepResult.PASS
        reach = ValidationStep(result, f"reached through {route}, guard {entry.guard.value}", entry.handler)
    return Validation(
        ValidationStep(StepResult.PASS, why, here),
        ValidationStep(StepResult.PARTIAL, "no check was seen here; one outside the code was not looked for", here),
        reach,
        ValidationStep(StepResult.PASS, weakness.consequence, here),
    )
