"""Claims, and the view of a change for checks. A claim is a proposal: a specialist files it, others challenge it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import dedent

from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.unified import older_project
from counterproof.analysis.secrets.redaction import redact
from counterproof.analysis.syntax import ir
from counterproof.model.finding import Finding
from counterproof.model.location import Location, at
from counterproof.model.review.finding import Trust
from counterproof.model.review.scope import Scope, ScopeFile
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import Language

MAX_QUOTED = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """`why` states the problem; with the quoted line it is the evidence. `witness` is the audit's finding behind it."""

    kind: str
    title: str
    severity: Severity
    at: Location
    why: str
    domain: str = ""
    """Set only if the check covers several domains and this is not the first of them."""
    confidence: Confidence = Confidence.HIGH
    chain: str = ""
    fix: str = ""
    trust: Trust = Trust.NONE
    traced: Location | None = None
    witness: Finding | None = None


@dataclass(eq=False)
class View:
    """The change for checks: the project, the frozen scope, and the older texts of changed files and of deleted source. `intent`
    is the authors' description of its purpose."""

    project: Project
    scope: Scope
    before: dict[str, str | None] = field(default_factory=dict[str, str | None])
    limitations: list[str] = field(default_factory=list[str])
    intent: tuple[str, ...] = ()

    @cached_property
    def files(self) -> dict[str, ScopeFile]:
        return {each.path: each for each in self.scope.files}

    @cached_property
    def older(self) -> Project:
        """The tree with the older versions of the changed files."""
        return self.project.once("review older tree", lambda: older_project(self.project, self.before))

    def touches(self, path: str, start: int, end: int) -> bool:
        """Return True if lines are under review."""
        file = self.files.get(path)
        if file is None:
            return False
        return not file.changed or any(low <= end and start <= high for low, high in file.changed)

    def nearest_change(self, place: Location) -> Location | None:
        """The nearest changed line of the same file."""
        file = self.files.get(place.path)
        lines = [line for low, high in file.changed for line in (low, high)] if file else []
        nearest = min(lines, key=lambda line: abs(line - place.start), default=0)
        return at(place.path, nearest) if nearest else None

    def functions(self, tests: bool = True, scripts: bool = False) -> Iterator[tuple[ir.Module, ir.Function]]:
        """Python functions with a line under review, and those of JavaScript files other than tests."""
        for path in self.files:
            file = self.project.files.get(path)
            wanted = (Language.PYTHON, *SCRIPTS) if scripts else (Language.PYTHON,)
            if file is None or file.language not in wanted or (file.test and (not tests or file.language in SCRIPTS)):
                continue
            self.project.checkpoint()
            module = self.project.module(path)
            yield from ((module, each) for each in module.functions if self.touches(path, each.line, each.end))

    def quoted(self, at: Location) -> str:
        """The lines of a location, joined, without secrets."""
        lines = self.project.text(at.path).split("\n")[at.start - 1 : at.end][:MAX_QUOTED]
        return redact(dedent("\n".join(line.expandtabs(4).rstrip()[:300] for line in lines)).strip("\n"))


Check = Callable[[View], Iterator[Claim]]
