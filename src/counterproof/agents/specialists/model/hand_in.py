"""Converts a model's submitted fields to a reply, entry by entry, so that a bad entry affects only itself.

Invariant: numbers and quotations of findings are the engine's: a quoted line is looked up in the file and rejected if it is
not there; free texts that address a reader instead of describing code are withheld (R7).
"""

from dataclasses import dataclass, field, replace

from counterproof.agents.models.hand_in import MAX_PROBLEMS, Entry, HandIn
from counterproof.agents.specialists.model import wire
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.analysis.text.hidden import visible
from counterproof.model.errors import InvalidValue
from counterproof.model.fact import MAX_SYMBOL, Fact
from counterproof.model.location import Location, at
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import MAX_CHAIN, MAX_EVIDENCE, MAX_FIX, MAX_TITLE, Failure, ReviewFinding, Trust
from counterproof.model.review.position import Defence, DocumentVerdict, Position, Stance
from counterproof.model.review.scope import ScopeKind
from counterproof.model.severity import Confidence, Severity
from counterproof.toolbox.review_bench import ReviewBench, read_safely

MAX_LISTED = 60
_CONFIDENCE = {"high": Confidence.HIGH, "medium": Confidence.MEDIUM, "low": Confidence.PATTERN}


@dataclass(slots=True)
class ReviewHandIn(HandIn):
    """The result of a specialist. `model` is its author; `standing` is the actual text at wrongly cited locations."""

    task: ReviewTask = field(kw_only=True)
    bench: ReviewBench = field(kw_only=True)
    model: str = ""
    standing: list[str] = field(default_factory=list[str])

    def reply(self) -> ReviewReply:
        """The valid part of the result."""
        task = self.task
        findings = tuple(self._findings()) if "findings" in wire.lists_of(task.work) else ()
        if task.work is Work.REFINE and not findings and self.fields.get("no_findings") is not True and not self.problems:
            self.problems.append("there are no findings, and `no_findings` does not say so")
        return ReviewReply(
            task.agent_id,
            findings=findings,
            no_findings=task.work is Work.REFINE and not findings,
            checked_twice=self.fields.get("checked_twice") is True and not findings,
            positions=tuple(self._positions()),
            defences=tuple(self._defences()),
            verdicts=tuple(self._verdicts()),
            notes=tuple(self.notes),
        )

    def _listed(self, name: str, kind: type[Entry]) -> list[Entry]:
        """The entries of a list that belongs to this kind of task."""
        return self.entries(name, kind, wire.MAX_ENTRIES) if name in wire.lists_of(self.task.work) else []

    def _place(self, path: str, start: int, end: int = 0) -> Location | None:
        try:
            place = Location(path, start, end or start)
        except InvalidValue:
            return None
        return place if read_safely(self.bench, place).strip() else None

    def _show(self, place: Location) -> None:
        """Show the actual lines, so that the model can correct its citation."""
        lines = safe_text(self.bench.view.project, place.path).split("\n")
        first, last = max(1, place.start - 3), min(len(lines), place.end + 3)
        if len(self.standing) < MAX_PROBLEMS * 3:
            self.standing += [f"{place.path}:{number}: {lines[number - 1][:300]}" for number in range(first, last + 1)]

    def _accepted(self, field: str, value: str) -> bool:
        """True if the schema allows the value; otherwise tell the model the allowed ones."""
        allowed = wire.accepted_by(self.task, self.bench.profile).get(field, ())
        if value in allowed:
            return True
        listed = ", ".join(allowed[:MAX_LISTED]) or "nothing in this task"
        self.reject(field, f"{value[:40]!r} is not accepted; accepted: {listed}")
        return False

    def _findings(self) -> list[ReviewFinding]:
        found: list[ReviewFinding] = []
        code = self.task.specialist.code
        for index, each in enumerate(self._listed("findings", wire.WireFinding)):
            if not self._accepted("findings.domain", each.domain):
                continue
            try:
                finding = self._finding(f"{code}-{len(found) + 1:03}", each)
            except (InvalidValue, ValueError) as error:
                self.reject(f"findings[{index}]", str(error))
            else:
                self._wants_change(f"findings[{index}]", finding)
                found.append(finding)
        return found

    def _finding(self, name: str, given: wire.WireFinding) -> ReviewFinding:
        place = self._place(given.file, given.start, max(given.start, min(given.end, given.start + 50)))
        if place is None:
            raise InvalidValue(f"{given.file[:200]!r} has no line {given.start}, or there is no such file")
        if not self.bench.quotes(place, given.quote) and len(lines := self.bench.places_of(place.path, given.quote)) == 1:
            place = at(place.path, lines[0])  # a line that is there once identifies it better than its number
        if not self.bench.quotes(place, given.quote):
            self._show(place)
            raise InvalidValue(
                f"the quote is not at {place}{self._elsewhere(place.path, given.quote)}; quote one of its lines exactly"
            )
        trust = Trust(given.trust)
        source = self._place(given.source_file, given.source_line) if given.source_line > 0 else None
        if source is None and trust is not Trust.NONE:
            trust = Trust.INTERNAL  # an unnamed source cannot raise a severity (R13)
        quote = read_safely(self.bench, place)
        said = self.said(given.evidence, "evidence", MAX_EVIDENCE - 600)
        finding = ReviewFinding(
            id=name,
            specialist=self.task.specialist.code,
            kind=(f"CWE-{given.cwe} " if 0 < given.cwe < 10_000 else "") + self.said(given.kind, "kind", MAX_TITLE - 10),
            title=self.said(given.title, "title", MAX_TITLE),
            domain=given.domain,
            severity=Severity(given.severity),
            confidence=_CONFIDENCE[given.confidence],
            trust=trust,
            location=place,
            evidence=f"{said}\n{place}: {quote}"[:MAX_EVIDENCE],
            impact_chain=self.said(given.impact_chain, "impact chain", MAX_CHAIN),
            fix=self.said(given.fix, "fix", MAX_FIX),
            quote=quote[:MAX_EVIDENCE],
            flow=source is not None and trust is not Trust.NONE,
            traced_source=source if trust is not Trust.NONE else None,
            verified_at=place if self.task.iteration > 1 or self.task.work is not Work.REFINE else None,
            model=self.model,
            older=given.older,
            failure=Failure(given.failure),
        )
        broken = self._broken(given, finding)
        if broken is None:
            return finding
        shown = f"{finding.evidence}\nbreaks {broken}: {read_safely(self.bench, broken)[:300]}"[:MAX_EVIDENCE]
        return replace(finding, breaks=broken, evidence=shown)

    def _broken(self, given: wire.WireFinding, finding: ReviewFinding) -> Location | None:
        """The unchanged line that the finding's line breaks. An invalid one is returned and affects only itself."""
        if given.breaks_line < 1:
            return None
        place = self._place(given.breaks_file, given.breaks_line)
        if place is None:
            self.reject("breaks_line", f"{given.breaks_file[:200]!r} has no line {given.breaks_line}, or there is no such file")
        elif not self.bench.quotes(place, given.breaks_quote):
            self._show(place)
            found = self._elsewhere(place.path, given.breaks_quote)
            self.reject("breaks_quote", f"the quote is not at {place}{found}; quote that line exactly")
        else:
            return place
        return None

    def _wants_change(self, where: str, finding: ReviewFinding) -> None:
        """A finding on an unchanged line counts as older, and the model is told so (R46)."""
        view, place = self.bench.view, finding.location
        if finding.older or view.scope.kind is ScopeKind.PATHS or view.touches(place.path, place.start, place.end):
            return
        near = view.nearest_change(place)
        self.reject(
            f"{where}.start",
            f"{place} did not change{f'; the nearest changed line is {near}' if near else ''}. If the change breaks it, give the"
            " changed line as the place and this one in `breaks_file`, `breaks_line` and `breaks_quote`. If it was wrong before,"
            " say `older`",
        )

    def _positions(self) -> list[Position]:
        found: list[Position] = []
        for index, each in enumerate(self._listed("positions", wire.WirePosition)):
            if not self._accepted("positions.finding", each.finding):
                continue
            try:
                position = self._position(each)
            except InvalidValue as error:
                self.reject(f"positions[{index}]", str(error))
                continue
            found.append(position)
            if position.stance is not Stance.ABSTAIN:
                self._wants_grounds(f"positions[{index}]", position)
        return found

    def _elsewhere(self, path: str, quote: str) -> str:
        found = self.bench.places_of(path, quote)
        return f", it is at line {', '.join(map(str, found))}" if found else ""

    def _finding_of(self, position: Position) -> ReviewFinding | None:
        return next((each for each in (*self.task.shown, *self.task.others) if each.id == position.finding_id), None)

    def _position(self, given: wire.WirePosition) -> Position:
        place = self._place(given.file, given.line) if given.line > 0 else None
        return Position(
            self.task.specialist.code,
            given.finding,
            Stance(given.stance),
            Severity(given.severity) if given.severity else None,
            self.said(given.evidence, "evidence", 1_900),
            place,
            visible(given.quote).text[:1_000],
            _reason(place, given),
            self.model,
        )

    def _wants_grounds(self, where: str, position: Position) -> None:
        """A position without grounds is an abstention (R37). The model is told which facts its line supports."""
        about = self._finding_of(position)
        if position.at is None or position.reason is None:
            self.reject(where, "name the file, the line, and by `operation` and `symbol` what that line does")
        elif not self.bench.quotes(position.at, position.quote):
            self._show(position.at)
            found = self._elsewhere(position.at.path, position.quote)
            self.reject(f"{where}.quote", f"the quote is not at {position.at}{found}; quote that line exactly")
        elif about is not None and (weak := self.bench.weakness(about, position.reason, position.stance)):
            other = "name another line, in its function or with a name that its lines hold"
            self.reject(f"{where}.line", f"{position.reason} does not count for {about.id}: {weak}; {other}")
        elif not self.bench.holds(position.reason):
            accepted = "; ".join(self.bench.facts_at(position.at)) or "no fact that can be checked"
            self.reject(f"{where}.operation", f"the line does not do that; what it does: {accepted}")

    def _defences(self) -> list[Defence]:
        return [
            Defence(
                each.finding,
                each.stands,
                self.said(each.text, "defence", 1_000),
                self._place(each.file, each.line) if each.line > 0 else None,
                self.model,
            )
            for each in self._listed("defences", wire.WireDefence)
            if self._accepted("defences.finding", each.finding)
        ]

    def _verdicts(self) -> list[tuple[str, DocumentVerdict]]:
        given = self._listed("verdicts", wire.WireVerdict)
        return [
            (each.document, DocumentVerdict(each.verdict)) for each in given if self._accepted("verdicts.document", each.document)
        ]


def _reason(place: Location | None, given: wire.WirePosition) -> Fact | None:
    """The typed reason; None if it is invalid, which makes the position an abstention."""
    if place is None or given.operation is None:
        return None
    try:
        return Fact(place, given.operation, given.symbol.strip()[:MAX_SYMBOL])
    except InvalidValue:
        return None
