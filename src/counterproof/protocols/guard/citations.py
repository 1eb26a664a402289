"""Anti-hallucination (A29, X12): a claim counts only if the cited lines exist, were read and contain the quoted text.

Re-reading happens outside, where files can be opened; its result arrives as a `Citation`. The decision is made here, so that
it is the same for every agent and cannot be skipped.
"""

from dataclasses import dataclass, replace

from counterproof.model.dimension import Dimension
from counterproof.model.excerpt import Excerpt
from counterproof.model.fact import Fact
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.location import Location
from counterproof.model.proof import Proof
from counterproof.model.report import Refused
from counterproof.model.severity import Reach


@dataclass(frozen=True, slots=True)
class Citation:
    """The result of re-reading for the finding at `index` of a reply.

    `read` says whether the finding's own witness read the file, if the record holds the work of two; None: decided by the
    record. `unquoted`: the claim comes from a recorded run, which has no record of reads; the engine supplied its evidence.
    `proof` is the finding's proof as the checker left it; an agent's own proof values are ignored (A55). `excerpt` is the code
    around the location; `function` the enclosing function, and `scope` its lines if the location is its head.
    """

    index: int
    file_exists: bool
    lines_exist: bool
    quote_found: bool
    in_tests: bool = False
    read: bool | None = None
    corroboration: Corroboration = Corroboration.UNCHECKED
    unquoted: bool = False
    proof: Proof | None = None
    excerpt: Excerpt | None = None
    function: str = ""
    scope: Location | None = None


@dataclass(frozen=True, slots=True)
class Refutation:
    """A defence that a validator named against a finding and that the engine confirms, with the reason (A54)."""

    finding_id: str
    defence: Fact
    why: str


@dataclass(frozen=True, slots=True)
class Reached:
    """An entry point that a validator names for a finding, which leads there by resolved calls, and the resulting reach (A40)."""

    finding_id: str
    reach: Reach
    entry: str


@dataclass(frozen=True, slots=True)
class Checks:
    """The engine's check of the typed reasons in a reply: `facts` are those that the source confirms, `reached` the entry
    points that the map confirms. `ordered` are files shown to the agent that contain orders to their readers (X20)."""

    facts: tuple[Fact, ...] = ()
    refutations: tuple[Refutation, ...] = ()
    ordered: tuple[str, ...] = ()
    reached: tuple[Reached, ...] = ()

    def refutation_of(self, finding_id: str) -> str:
        return next((each.why for each in self.refutations if each.finding_id == finding_id), "")


UNCHECKED = Checks()


TEST_DIMENSIONS = (Dimension.D7, Dimension.D8)
"""The only dimensions reported in test code: keys and settings."""


def refusal(finding: Finding, citation: Citation | None, files_read: frozenset[str]) -> str:
    """Why a finding is rejected; '' if it is accepted. A finding without a citation on record was not checked: rejected."""
    if citation is None:
        return "the citation was not checked"
    if not citation.file_exists:
        return "the file is not part of the reviewed code"
    was_read = finding.location.path in files_read if citation.read is None else citation.read
    if not was_read and not citation.unquoted:
        return "the agent never read the file"
    if not citation.lines_exist:
        return "the lines do not exist"
    if not citation.quote_found:
        return "the quoted evidence is not in those lines"
    if citation.in_tests and finding.dimension not in TEST_DIMENSIONS:
        return "test code is only reviewed for cryptography and configuration"
    return ""


def verified(
    agent_id: str, findings: tuple[Finding, ...], citations: tuple[Citation, ...], files_read: frozenset[str]
) -> tuple[tuple[Finding, ...], tuple[Refused, ...]]:
    """The accepted and the rejected findings, each in submission order."""
    by_index = {citation.index: citation for citation in citations}
    kept: list[Finding] = []
    refused: list[Refused] = []
    for index, finding in enumerate(findings):
        reason = refusal(finding, by_index.get(index), files_read)
        if reason:
            refused.append(Refused(agent_id, finding.title, str(finding.location), reason))
        else:
            kept.append(_weighed(finding, by_index[index]))
    return tuple(kept), tuple(refused)


def _weighed(finding: Finding, citation: Citation) -> Finding:
    """The finding with the second witness's result."""
    return replace(
        finding,
        corroboration=citation.corroboration,
        unquoted=citation.unquoted,
        proof=citation.proof,
        excerpt=citation.excerpt,
        function=citation.function or finding.function,
        scope=citation.scope,
    )
