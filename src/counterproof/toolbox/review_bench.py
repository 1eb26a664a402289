"""The tools of a review's specialists: the frozen scope, the claims of checks on it, and a second way of checking.

Invariant: a specialist's checks follow from its domains; every claim belongs to one specialist, and every finding has at most
one second reader, so that no two votes rest on the same check. Agents' submissions are checked here against the files, and the
backing of a model's claims is determined here, never by the model (R37).
"""

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property

from counterproof.analysis import facts
from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.trees import tree_of
from counterproof.analysis.facts.units import unit_at
from counterproof.analysis.project import Project
from counterproof.analysis.review.checks.security import entry_points
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.empty_templates import is_unfilled
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.nearby import ground
from counterproof.analysis.review.second import Opinion, second_opinion
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.analysis.source.reading import TargetChanged, read_bytes
from counterproof.analysis.text.hidden import restored
from counterproof.model.backing import FULL, Backing
from counterproof.model.errors import CounterproofError
from counterproof.model.excerpt import Excerpt, excerpt
from counterproof.model.fact import Fact
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.review.contract import ReviewReply, ReviewTask
from counterproof.model.review.conversion import as_finding, said
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Position, Stance
from counterproof.model.review.profile import Profile, Specialist
from counterproof.model.user_context import UserContext
from counterproof.protocols.guard.injection import addresses_model
from counterproof.protocols.guard.reasons import REPEATS, UNRELATED, Stated, is_reason
from counterproof.protocols.review.triage import distinctive_words
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.looking import Looking

MIN_QUOTE = 8
"""Below this many characters a part of a line is not a quotation."""
MAX_FACTS = 12

MAX_PLACES = 3
_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")
_COMMON = frozenset(
    """def class return import from self this const let var function async await raise throw new None null undefined True False
    true false not and for while try except catch finally with pass else elif the str int""".split()  # noqa: SIM905 - one word a name
) | {""}
"""Keywords and common names, which do not relate two lines."""
_QUOTED = re.compile(r"`[^`]{0,500}`")


class ReviewBench:
    """One scope, shared by all specialists of a run; each sees only what its task and its domains allow."""

    def __init__(self, view: View, profile: Profile, user: UserContext | None = None) -> None:
        self.view, self.profile, self.user = view, profile, user
        self._claims: dict[str, tuple[Claim, ...]] = {}

    @cached_property
    def looking(self) -> Looking:
        """The look-ups for specialists; data is followed only in the part of the tree around the change."""
        project, near = self.view.project, ground(self.view)
        return Looking(Bench(project), Bench(near, entry_points(near)))

    def close(self) -> None:
        if "looking" in self.__dict__:
            self.looking.close()

    def claims(self, specialist: Specialist) -> tuple[Claim, ...]:
        """The claims of the checks for its domains, sorted by location."""
        if specialist.code not in self._claims:
            mine = tuple(domain for domain in self.profile.domains if self._responsible(domain) == specialist.code)
            self._claims[specialist.code] = claims_of(self.view, mine, self.profile.verdicts)
        return self._claims[specialist.code]

    def _responsible(self, domain: str) -> str:
        """The specialist for a domain: the first with it as a primary domain, otherwise as an adjacent one."""
        own = [each.code for each in self.profile.specialists if domain in each.primary]
        near = [each.code for each in self.profile.specialists if domain in each.adjacent]
        return (own or near or [""])[0]

    def opinion(self, finding: ReviewFinding) -> Opinion | None:
        """The result of a second way of checking; None if there is none."""
        witness = self._witness(finding)
        return second_opinion(self.view, finding, witness) if witness is not None else None

    def _witness(self, finding: ReviewFinding) -> Finding | None:
        """The audit finding behind an analyst's claim."""
        claims = self._claims.get(finding.specialist, ()) if not finding.model else ()
        claim = next((each for each in claims if each.at == finding.location and each.kind == finding.kind), None)
        return claim.witness if claim else None

    @cached_property
    def unfilled(self) -> frozenset[str]:
        """Documents that are unfilled templates."""
        paths = self.view.files if self.profile.verdicts else ()
        return frozenset(path for path in paths if is_unfilled(self.view.project.text(path)))

    def quotes(self, place: Location, quote: str) -> bool:
        """True if a sufficiently long line of the quotation occurs within the location's range, ignoring whitespace."""
        wanted = _first_line(quote)
        there = [" ".join(line.split()) for line in self._lines(place)]
        return bool(wanted) and any(wanted in line and len(wanted) >= min(MIN_QUOTE, len(line)) for line in there if line)

    def places_of(self, path: str, quote: str) -> tuple[int, ...]:
        """The lines of a file that contain a quotation, to tell an agent where it is."""
        wanted = _first_line(quote)
        if len(wanted) < MIN_QUOTE or path not in self.view.project.files:
            return ()
        lines = safe_text(self.view.project, path).split("\n")
        return tuple(number for number, line in enumerate(lines, 1) if wanted in " ".join(line.split()))[:MAX_PLACES]

    def _lines(self, place: Location) -> list[str]:
        try:
            return safe_text(self.view.project, place.path).split("\n")[place.start - 1 : place.end]
        except (CounterproofError, KeyError):
            return []

    def relates(self, finding: ReviewFinding, line: Location) -> bool:
        """True if a line is related to a finding: it is in the same function, or shares a name with its lines (R44). Two lines
        without a grammar share a word that is not common."""
        places = _places(finding)
        for place in places:
            unit = unit_at(self.view.project, place.path, place.start)
            inside = place.start <= line.start <= place.end or (unit is not None and unit.holds(line.start))
            if line.path == place.path and inside:
                return True
        own = "\n".join(text for place in places for text in self._lines(place))
        there = "\n".join(self._lines(line))
        if tree_of(self.view.project, line.path) is None and tree_of(self.view.project, finding.location.path) is None:
            return not distinctive_words(own).isdisjoint(distinctive_words(there))
        named = set(_NAME.findall(own)) | {finding.function.rpartition(".")[2]}
        unit = unit_at(self.view.project, finding.location.path, finding.location.start)
        named |= {unit.short} if unit else set[str]()
        return bool((named & set(_NAME.findall(there))) - _COMMON)

    def holds(self, reason: Fact) -> bool:
        return facts.holds(self.view.project, reason)

    def facts_at(self, place: Location) -> tuple[str, ...]:
        """The operations in a line's syntax, in the form used by reasons."""
        said = index_of(self.view.project, place.path).get(place.start, set())
        return tuple(f"{operation.value} {symbol}".strip() for operation, symbol in sorted(said)[:MAX_FACTS])

    def backed(self, task: ReviewTask, reply: ReviewReply) -> ReviewReply:
        """The reply with the backing that the engine determined for each of a model's positions."""
        known = {each.id: each for each in (*task.shown, *task.others)}
        opened = {*reply.opened, *(each.id for each in task.shown)}
        positions = tuple(
            replace(each, backing=self._backing(known.get(each.finding_id), each, opened) if each.model else FULL)
            for each in reply.positions
        )
        return replace(reply, positions=positions)

    def _backing(self, finding: ReviewFinding | None, position: Position, opened: Collection[str]) -> Backing:
        """A specialist that was shown a finding in full counts as having opened it: omissions by the engine do not invalidate
        a vote (R44). The protocol knows what earlier tasks showed."""
        reason = position.reason
        seen = position.finding_id in opened
        if finding is None or reason is None:
            return Backing(opened=seen)
        confirmed = self._refuted(finding, reason) if position.stance is Stance.CHALLENGE else ""
        weak = self.weakness(finding, reason, position.stance)
        return Backing(seen, self.quotes(reason.at, position.quote), self.holds(reason), confirmed, weak)

    def weakness(self, finding: ReviewFinding, reason: Fact, stance: Stance) -> str:
        """Why a reason does not count even if its line confirms it (R37, R44); '' if it counts. An analyst's finding states
        everything that its lines do; a model's states its author's words, not the line that the engine quotes for it."""
        if not self.relates(finding, reason.at):
            return UNRELATED
        own = [said(finding)] if finding.model else [finding.evidence, *self._lines(finding.location)]
        stated = Stated(_places(finding), words=" ".join((finding.title, finding.kind, finding.impact_chain, *own)))
        return "" if is_reason(reason, stated, stance is Stance.CHALLENGE) else REPEATS

    def _refuted(self, finding: ReviewFinding, defence: Fact) -> str:
        project = ground(self.view)
        if defence.at.path not in project.files:
            return ""
        return facts.refutes(project, entry_points(project), self._witness(finding) or as_finding(finding), defence)

    def edited(self) -> tuple[str, ...]:
        """Files under review whose bytes differ from the snapshot. The snapshot is what is reviewed (R40)."""
        return tuple(path for path in self.view.files if not _unchanged(self.view.project, path))

    def checked(self, reply: ReviewReply) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Problems of the whole output (R7), and findings with invalid citations."""
        problems = tuple(
            f"{each.id}: its {field} addresses a model"
            for each in reply.findings
            for field, text in (("title", each.title), ("fix", each.fix))
            if addresses_model(_QUOTED.sub("", text))
        )
        refused = tuple((each.id, why) for each in reply.findings if (why := self._miscited(each)))
        return problems, refused

    def excerpted(self, reply: ReviewReply) -> ReviewReply:
        """The reply with the code around each of its findings, for the report."""
        return replace(reply, findings=tuple(replace(each, excerpt=self._excerpt(each.location)) for each in reply.findings))

    def _excerpt(self, place: Location) -> Excerpt | None:
        if place.path not in self.view.project.files:
            return None
        return excerpt(safe_text(self.view.project, place.path).split("\n"), place.start, place.end)

    def _miscited(self, finding: ReviewFinding) -> str:
        for place in (finding.location, finding.verified_at, finding.traced_source):
            if place is not None and not self._exists(place):
                return f"{place} is not in the files under review or around them"
        if finding.quote and finding.quote != self.view.quoted(finding.verified_at or finding.location):
            return f"its quote is not at {finding.location}"
        return ""

    def _exists(self, place: Location) -> bool:
        file = self.view.project.files.get(place.path)
        return file is not None and place.end <= max(1, file.lines + 1)


def _places(finding: ReviewFinding) -> tuple[Location, ...]:
    """The lines that a finding cites."""
    return tuple(each for each in (finding.location, finding.traced_source, finding.breaks) if each)


def _first_line(quote: str) -> str:
    return next((" ".join(line.split()) for line in restored(quote).split("\n") if line.strip()), "")


def _unchanged(project: Project, path: str) -> bool:
    try:
        read_bytes(project.root, project.files[path])
    except TargetChanged:
        return False
    return True


def read_safely(bench: ReviewBench, place: Location) -> str:
    """The lines at a location; '' if they cannot be read."""
    try:
        return bench.view.quoted(place)
    except (CounterproofError, KeyError):
        return ""
