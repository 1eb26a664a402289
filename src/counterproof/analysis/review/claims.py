"""Claims, and the view of a change for checks. A claim is a proposal: a specialist files it, others challenge it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import dedent

from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.impact import is_python
from counterproof.analysis.secrets.redaction import redact
from counterproof.analysis.syntax import ir
from counterproof.model.finding import Finding
from counterproof.model.location import Location, at
from counterproof.model.review.finding import Trust
from counterproof.model.review.scope import Scope, ScopeFile
from counterproof.model.severity import Confidence, Severity

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

    def modules(self, tests: bool = True) -> Iterator[ir.Module]:
        """The Python files in scope."""
        for path in self.files:
            if is_python(self.project, path) and (tests or not self.project.files[path].test):
                self.project.checkpoint()
                yield self.project.module(path)

    def scripts(self) -> Iterator[ir.Module]:
        """The JavaScript and TypeScript files in scope, without tests."""
        for path in self.files:
            if path in self.project.files and self.project.files[path].language in SCRIPTS and not self.project.files[path].test:
                self.project.checkpoint()
                yield self.project.module(path)

    def code(self) -> Iterator[ir.Module]:
        """All code files in scope, without tests."""
        yield from self.modules(tests=False)
        yield from self.scripts()

    def functions(self, tests: bool = True, scripts: bool = False) -> Iterator[tuple[ir.Module, ir.Function]]:
        """Functions with a line under review."""
        for module in (*self.modules(tests), *(self.scripts() if scripts else ())):
            for each in module.functions:
                if self.touches(module.path, each.line, each.end):
                    yield module, each

    def quoted(self, at: Location) -> str:
        """The lines of a location, joined, without secrets."""
        lines = self.project.text(at.path).split("\n")[at.start - 1 : at.end][:MAX_QUOTED]
        return redact(dedent("\n".join(line.expandtabs(4).rstrip()[:300] for line in lines)).strip("\n"))


Check = Callable[[View], Iterator[Claim]]
