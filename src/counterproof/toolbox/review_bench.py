"""What the specialists of a review work with: the frozen scope, the claims that checks make about it, and a second way to read.

Always: what a specialist looks for follows from its domains; every claim belongs to one specialist, and every finding has at most
one second reader, so that no two votes rest on the same look. What agents hand in is checked here against the files.
"""

import re
from collections.abc import Callable
from functools import cached_property

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.documents import unapprovable
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.second import Opinion, second_opinion
from counterproof.model.errors import CounterproofError
from counterproof.model.location import Location
from counterproof.model.review.contract import ReviewReply
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.profile import Profile, Specialist
from counterproof.protocols.guard.injection import addresses_model

READERS = ("logic", "solid", "boundaries", "injection", "scope", "integration")
"""Domains whose specialist reads others' findings a second time, the first that is there and is not the author."""

_QUOTED = re.compile(r"`[^`]{0,500}`")


class ReviewBench:
    """One scope, shared by all specialists of a run; each sees only what its task and its domains give it."""

    def __init__(self, view: View, profile: Profile) -> None:
        self.view = view
        self.profile = profile
        self._claims: dict[str, tuple[Claim, ...]] = {}

    def claims(self, specialist: Specialist) -> tuple[Claim, ...]:
        """What the checks of its domains claim, in order of place."""
        if specialist.code not in self._claims:
            mine = tuple(domain for domain in self.profile.domains if self._responsible(domain) == specialist.code)
            self._claims[specialist.code] = claims_of(self.view, mine, self.profile.verdicts)
        return self._claims[specialist.code]

    @cached_property
    def at_odds(self) -> frozenset[str]:
        """Documents that contradict themselves or were never filled in; every reader sees that, whatever its domains are."""
        return frozenset(claim.at.path for claim in unapprovable(self.view)) if self.profile.verdicts else frozenset()

    def _responsible(self, domain: str) -> str:
        """Whose business a domain is: the first who has it for its own, else the first beside whose own it lies."""
        own = [each.code for each in self.profile.specialists if domain in each.primary]
        near = [each.code for each in self.profile.specialists if domain in each.adjacent]
        return (own or near or [""])[0]

    def second_reader(self, author: str) -> str:
        """Who reads a finding of this author a second time; '' if nobody is left."""
        for domain in READERS:
            for each in self.profile.specialists:
                if domain in each.primary and each.code != author:
                    return each.code
        return next((each.code for each in self.profile.specialists if each.code != author), "")

    def opinion(self, finding: ReviewFinding) -> Opinion | None:
        """What another way of looking says; None where there is none."""
        author = next((each for each in self.profile.specialists if each.code == finding.specialist), None)
        claims = self._claims.get(author.code, ()) if author else ()
        claim = next((each for each in claims if each.at == finding.location and each.kind == finding.kind), None)
        witness = claim.witness if claim else None
        return second_opinion(self.view, finding, witness)

    def checked(self, reply: ReviewReply) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Problems of the output as a whole (R7), and findings whose citations do not hold."""
        problems = tuple(
            f"{each.id}: its {field} addresses a model"
            for each in reply.findings
            for field, text in (("title", each.title), ("fix", each.fix))
            if addresses_model(_QUOTED.sub("", text))
        )
        refused = tuple((each.id, why) for each in reply.findings if (why := self._miscited(each)))
        return problems, refused

    def _miscited(self, finding: ReviewFinding) -> str:
        for place in (finding.location, finding.verified_at, finding.traced_source):
            if place is not None and not self._exists(place):
                return f"{place} is no place in the files under review or around them"
        if finding.quote and finding.quote != self.view.quoted(finding.verified_at or finding.location):
            return f"what it quotes does not stand at {finding.location}"
        return ""

    def _exists(self, place: Location) -> bool:
        file = self.view.project.files.get(place.path)
        return file is not None and place.end <= max(1, file.lines + 1)


Supply = Callable[[], ReviewBench]


def read_safely(bench: ReviewBench, place: Location) -> str:
    """The lines of a place; '' where they cannot be read."""
    try:
        return bench.view.quoted(place)
    except (CounterproofError, KeyError):
        return ""
